package genes

import (
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

func TestLowercaseOrNotice(t *testing.T) {
	t.Parallel()
	for text, noticed := range map[string]bool{
		"TP53 or BRCA1": true, "TP53 OR BRCA1": false, `"now or never"`: false, "(TP53 or BRCA1)": false, "oral": false, "or": false,
	} {
		expect.Equal(t, text, noticed, lowercaseOrNotice(text) != nil)
	}
}
