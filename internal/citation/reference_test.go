package citation_test

import (
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/citation"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/reference"
)

// TestReferencesReadBack: a parsed reference of each style has no differences from its article.
func TestReferencesReadBack(t *testing.T) {
	t.Parallel()
	for _, g := range goldens {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			a := goldenArticle(t, g)
			for style, write := range map[string]func(entity.Article) string{
				"APA": citation.APA, "MLA": citation.MLA, "Vancouver": citation.Vancouver, "AMA": citation.AMA,
				"RIS": citation.RIS, "BibTeX": citation.BibTeX,
			} {
				text := write(a)
				fields := reference.Parse(text)
				got := reference.Compare(fields, &a)
				expect.Is(t, strings.Join(got.Differs, " "), "", "%s: %s\n%+v", style, text, fields)
			}
		})
	}
}
