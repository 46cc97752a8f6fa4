package envelope

import (
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/expect"
)

func TestLowercaseOrNotice(t *testing.T) {
	t.Parallel()
	for text, noticed := range map[string]bool{
		"TP53 or BRCA1": true, "TP53 OR BRCA1": false, `"now or never"`: false, "(TP53 or BRCA1)": false, "oral": false, "or": false,
	} {
		expect.Equal(t, text, noticed, LowercaseOrNotice(tools.SearchGenes, "query", text) != nil)
	}
}

func TestEnglishAdvice(t *testing.T) {
	t.Parallel()
	for text, advised := range map[string]bool{"癌症免疫": true, "рак": true, "TNF-α": false, "cáncer": false, "": false} {
		expect.Equal(t, text, advised, EnglishAdvice(text) != "")
	}
}
