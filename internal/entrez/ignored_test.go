package entrez

import (
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

func TestEnglishAdvice(t *testing.T) {
	t.Parallel()
	for text, advised := range map[string]bool{"癌症免疫": true, "рак": true, "TNF-α": false, "cáncer": false, "": false} {
		expect.Equal(t, text, advised, EnglishAdvice(text) != "")
	}
}
