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

// TestIgnored: every part that NCBI did not take as it was given has a sentence.
func TestIgnored(t *testing.T) {
	t.Parallel()
	body := `{"esearchresult":{"count":"0","idlist":[],"querytranslation":"asthma","errorlist":{"phrasesnotfound":["qqzx"],"fieldsnotfound":["ab"]},` +
		`"warninglist":{"phrasesignored":["the"],"quotedphrasesnotfound":["\"no such\""],` +
		`"outputmessages":["No items found.","Wildcard search for 'a*' used only the first 600 variations."]}}}`
	search, err := ReadSearch([]byte(body))
	expect.NoError(t, err)
	expect.Equal(t, "sentences", []string{`NCBI finds nothing for: qqzx, "no such".`, "NCBI ignored: the.", "NCBI has no field: ab.",
		"NCBI warns: Wildcard search for 'a*' used only the first 600 variations."}, search.Ignored())
}
