package articles_test

import (
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/articles"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
)

// TestCountSpelling: a query without hits gets NCBI's spelling suggestion.
func TestCountSpelling(t *testing.T) {
	t.Parallel()
	s := articles.New(sourcetest.All(t, sourcetest.Bodies(map[string]string{
		"esearch": `{"esearchresult":{"count":"0","idlist":[],"querytranslation":"astma","errorlist":{"phrasesnotfound":["astma"],"fieldsnotfound":[]}}}`,
		"espell":  `<eSpellResult><Query>astma</Query><CorrectedQuery>asthma</CorrectedQuery></eSpellResult>`,
	})), 400_000, articles.Facts{})
	answer, err := s.CountArticles(t.Context(), tools.CountArticlesArgs{QueryTerm: "astma", By: "year", Compare: []string{"eczma"}})
	expect.NoError(t, err)
	expect.Is(t, answer.Value.DidYouMean, "asthma", "spelling")
	all := strings.Join(answer.Notices, " ")
	for _, want := range []string{"NCBI finds nothing for: astma.", `call countArticles again with {"queryTerm":"asthma"}`,
		"of compare: check its spelling"} {
		expect.That(t, strings.Contains(all, want), "%s is missing: %s", want, all)
	}
}
