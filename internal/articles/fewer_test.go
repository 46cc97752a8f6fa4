package articles

import (
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestFewerWords: words of a question's form and unknown words are left out, and then those that NCBI gives no heading.
func TestFewerWords(t *testing.T) {
	t.Parallel()
	content := contentWords("What is the effect of formoterol on zzqx in patients with severe asthma and tumour growth?", []string{"zzqx"})
	expect.Equal(t, "content", []string{"formoterol", "severe", "asthma", "tumour", "growth"}, content)
	for _, translation := range []string{
		`(formoterol[All Fields] AND severe[All Fields] AND ("asthma"[MeSH Terms] OR "asthma"[All Fields]))`,
		`"formoterol"[All Fields] AND ("severe"[All Fields] OR "severity"[All Fields]) AND ("asthma"[MeSH Terms] OR "asthma"[All Fields])`,
	} {
		expect.Equal(t, translation, []string{"asthma"}, namedWords(content, translation))
	}
	for text, onlyWords := range map[string]bool{"severe asthma": true, "asthma": false, "asthma[mh] child": false, "a OR b": false} {
		expect.That(t, isPlain(text) == onlyWords, "%s", text)
	}
}
