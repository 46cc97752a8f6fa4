package articles_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
)

// TestWithoutEuropePMC: if Europe PMC fails, PubMed's part of an answer stands, and a notice says what is missing.
func TestWithoutEuropePMC(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]func() *http.Response{
		"500":     func() *http.Response { return sourcetest.Reply(500, "text/plain", "Something went wrong") },
		"no JSON": func() *http.Response { return sourcetest.Reply(200, "application/json", "<html>") },
		"an error": func() *http.Response {
			return sourcetest.Reply(200, "application/json", `{"errCode":404,"errMsg":"Bad"}`)
		},
		"without number": func() *http.Response {
			return sourcetest.Reply(200, "application/json", `{"resultList":{"result":[]}}`)
		},
		"stalls": nil,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := over(t, sourcetest.Network{func(req *http.Request) *http.Response {
					if !strings.Contains(req.URL.Path, "/europepmc/") {
						return nil
					}
					if fault == nil {
						<-req.Context().Done()
						return sourcetest.Reply(504, "text/plain", "too late")
					}
					return fault()
				}, sourcetest.Sandboxed(t)})
				ctx, cancel := context.WithTimeout(t.Context(), sourcetest.CallTimeout)
				defer cancel()
				found, err := s.SearchPubMedArticles(ctx, tools.SearchPubMedArticlesArgs{QueryTerm: "dexamethasone", MaxResults: 5,
					SortBy: "relevance", Preprints: true})
				expect.NoError(t, err)
				expect.That(t, len(found.Value.PMIDs) == 2 && found.Value.Preprints == nil, "%+v", found.Value)
				expect.That(t, slices.Contains(found.Notices, "Europe PMC did not answer: preprints are missing here."), "%q",
					found.Notices)

				ctx, cancel = context.WithTimeout(t.Context(), sourcetest.CallTimeout)
				defer cancel()
				details, err := s.FetchArticleDetails(ctx, tools.FetchArticleDetailsArgs{Pmids: []string{"26027431"},
					DetailLevel: "abstract", CitedBy: true})
				expect.NoError(t, err)
				expect.That(t, len(details.Value.Articles) == 1 && details.Value.Articles[0].CitedBy == nil, "%+v", details.Value)
				const missing = "Europe PMC did not answer: the numbers of citations are missing here."
				expect.That(t, slices.Contains(details.Notices, missing), "%q", details.Notices)
			})
		})
	}
}

// TestPreprintQueries: the query for preprints has the words, the operators and the dates of the query for PubMed, and no field of PubMed.
func TestPreprintQueries(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		term, from, to string
		want           string
	}{
		{"covid vaccine", "", "", "SRC:PPR AND (covid vaccine)"},
		{`(covid OR "SARS-CoV-2") NOT mouse`, "", "", `SRC:PPR AND (( covid OR "SARS-CoV-2" ) NOT mouse)`},
		{"covid: a/b test", "", "", "SRC:PPR AND (covid a b test)"},
		{"covid vaccine", "2020", "2021/02", "SRC:PPR AND (covid vaccine) AND FIRST_PDATE:[2020-01-01 TO 2021-02-28]"},
		{"covid[ti]", "", "", ""},
		{"10.1056/NEJMoa1504030", "", "", ""},
	} {
		var sent string
		s := over(t, sourcetest.Network{func(req *http.Request) *http.Response {
			if strings.Contains(req.URL.Path, "/europepmc/") {
				sent = req.URL.Query().Get("query")
			}
			return nil
		}, sourcetest.Sandboxed(t)})
		_, err := s.SearchPubMedArticles(t.Context(), tools.SearchPubMedArticlesArgs{QueryTerm: tt.term, MaxResults: 5, SortBy: "relevance",
			Preprints: true, DateRange: tools.SearchPubMedArticlesDateRange{MinDate: tt.from, MaxDate: tt.to, DateType: "pdat"}})
		expect.NoError(t, err)
		expect.Is(t, sent, tt.want, "%s", tt.term)
	}
}
