package articles_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
)

// TestSectionsWithoutFullText: the sections argument does not hide why a text is unavailable; names of parts lead to include.
func TestSectionsWithoutFullText(t *testing.T) {
	t.Parallel()
	serve := func(article string) func(sections ...string) (entity.Answer[entity.ArticleFullText], error) {
		s := over(t, sourcetest.Network{func(req *http.Request) *http.Response {
			if strings.Contains(req.URL.Path, "/europepmc/") {
				return sourcetest.Reply(404, "", "")
			}
			if req.URL.Query().Get("db") == "pubmed" {
				return sourcetest.Reply(200, "text/xml", "<PubmedArticleSet></PubmedArticleSet>")
			}
			return sourcetest.Reply(200, "text/xml", "<pmc-articleset>"+article+"</pmc-articleset>")
		}})
		return func(sections ...string) (entity.Answer[entity.ArticleFullText], error) {
			return s.GetArticleFullText(t.Context(), tools.GetArticleFullTextArgs{Id: "PMC7556338", Sections: sections, MaxBytes: 60_000})
		}
	}
	withheld := strings.Replace(textFront, "<front>", "<!--does not allow downloading of the full text in XML form--><front>", 1) +
		"</article>"
	answer, err := serve(withheld)("methods")
	expect.NoError(t, err)
	expect.Is(t, answer.Value.Availability, "abstract_only", "availability")
	notices := strings.Join(answer.Notices, " ")
	expect.That(t, strings.Contains(notices, "does not allow") && strings.Contains(notices, "sections was ignored"), "notices %q",
		notices)
	_, err = serve(openText)("references", "tables")
	const call = `with {"id":"PMC7556338","include":["tables","references"]} and without sections.`
	expect.That(t, err != nil && strings.HasSuffix(entity.AsError(err).Hint, call), "%v", err)
	answer, err = serve(openText)("results", "Reference")
	expect.NoError(t, err)
	expect.That(t, strings.Contains(strings.Join(answer.Notices, " "), `"include":["references"]`), "notices %q", answer.Notices)
}

// TestSectionWords: an id selects its section only; words select the titles with words that begin like them, in any script.
func TestSectionWords(t *testing.T) {
	t.Parallel()
	body := "<body>"
	for _, title := range []string{"Loss of XS2", "Management", "Age and sex", "Методы"} {
		body += "<sec><title>" + title + "</title><p>Long.</p></sec>"
	}
	body += "<sec><title>Places</title><sec><title>Site</title><p>a</p><sec><title>The pier</title><p>b</p></sec></sec></sec>"
	s := over(t, sourcetest.Network{func(req *http.Request) *http.Response {
		if req.URL.Query().Get("db") == "pubmed" {
			return sourcetest.Reply(200, "text/xml", "<PubmedArticleSet></PubmedArticleSet>")
		}
		return sourcetest.Reply(200, "text/xml", "<pmc-articleset>"+textFront+body+"</body></article></pmc-articleset>")
	}})
	for section, want := range map[string]string{"S2 ": "s2", "age": "s3", "manage": "s2", "sex": "s3", "методы": "s4", "Loss, of": "s1",
		"nothing; sex": "s3", "pier": "s5.1"} {
		answer, err := s.GetArticleFullText(t.Context(),
			tools.GetArticleFullTextArgs{Id: "PMC7556338", Sections: []string{section}, MaxBytes: 60_000})
		expect.NoErrorf(t, err, "%s", section)
		expect.Must(t, len(answer.Value.Sections) == 1, "%s: %d sections", section, len(answer.Value.Sections))
		expect.Is(t, answer.Value.Sections[0].ID, want, "%s", section)
	}
	_, err := s.GetArticleFullText(t.Context(), tools.GetArticleFullTextArgs{Id: "PMID: 33031652 PMCID: PMC7556338", MaxBytes: 60_000})
	expect.That(t, err != nil && strings.Contains(entity.AsError(err).Hint, `{"id":"PMID: 33031652"}`), "%v", err)
}
