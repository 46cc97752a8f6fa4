package articles

import (
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestIdentifiersInAnySpelling: a query that consists of ids of articles finds these articles.
func TestIdentifiersInAnySpelling(t *testing.T) {
	t.Parallel()
	const doi, pmc = `"10.1056/NEJMoa2007764"[doi]`, "PMC7383595"
	for want, texts := range map[string][]string{
		doi: {
			"10.1056/NEJMoa2007764", "doi:10.1056/NEJMoa2007764", "DOI 10.1056/NEJMoa2007764", "DOI: https://doi.org/10.1056/NEJMoa2007764",
			"https://doi.org/10.1056/NEJMoa2007764", "http://dx.doi.org/10.1056%2FNEJMoa2007764", "urn:doi:10.1056/NEJMoa2007764",
			"info:doi/10.1056/NEJMoa2007764",
			`"10.1056/NEJMoa2007764"[doi]`, "10.1056/NEJMoa2007764[aid]", "(10.1056/NEJMoa2007764)", "10.1056/NEJMoa2007764.",
		},
		pmc: {
			"PMC7383595", "PMC 7383595", "pmc:7383595", "pmcid:PMC7383595", "PMCID: 7383595", "pmc-id: PMC7383595;", "PMC7383595.1",
			"PMC07383595", "PMC7383595[pmcid]",
			"https://pmc.ncbi.nlm.nih.gov/articles/PMC7383595/", "https://www.ncbi.nlm.nih.gov/pmc/articles/PMC7383595/",
			"https://europepmc.org/article/PMC/PMC7383595",
		},
		doi + ` OR "10.1016/S0140-6736(21)00676-0"[doi]`: {
			"10.1056/NEJMoa2007764, 10.1016/S0140-6736(21)00676-0", "(10.1056/NEJMoa2007764 OR 10.1016/S0140-6736(21)00676-0)",
		},
		pmc + " OR PMC4689591":           {"PMC7383595; PMCID: 4689591", "PMC7383595 OR PMC4689591"},
		"32445440[uid] OR 26551272[uid]": {"PMID 32445440 OR PMID 26551272"},
		"covid-19 AND PMC7383595":        {"covid-19 AND PMC7383595"},
		"32445440":                       {"32445440"},
	} {
		for _, text := range texts {
			got, err := readArticleTerm(tools.SearchPubMedArticles, "queryTerm", text)
			expect.NoError(t, err)
			expect.Is(t, got.text, want, "%s", text)
			expect.Is(t, got.dois != nil, strings.Contains(want, "[doi]"), "%s: DOIs", text)
		}
	}
}

// TestTermsAsGiven: a term goes to NCBI as it was given.
func TestTermsAsGiven(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`("2020/01/01 08:00":"2020/01/02 08:00"[Date - Entry]) AND "medline"[Filter]`, `"2020-01-01":"2021-12-31"[dp]`, "foobar[ab] AND asthma",
		"asthma[kw]", "hasabstract[text]", "asthma[tw:~2]", "exp Asthma/", "TGFβ1", "asthma not copd",
	} {
		got, err := readArticleTerm(tools.SearchPubMedArticles, "queryTerm", text)
		expect.NoError(t, err)
		expect.Is(t, got.text, text, "the term")
		expect.Is(t, len(got.notices), 0, "notices of %s", text)
	}
}

// TestUnknownDOI: the articles that NCBI finds by the words of an unknown DOI are not returned.
func TestUnknownDOI(t *testing.T) {
	t.Parallel()
	const summaries = `{"result":{"uids":["7","8"],"7":{"uid":"7","title":"Seven","articleids":[{"idtype":"doi","value":"10.1000/SEVEN"}]},` +
		`"8":{"uid":"8","title":"Eight","articleids":[{"idtype":"doi","value":"10.1000/seventy"}]}}}`
	next := saysByUtility(map[string]string{"esearch": `{"esearchresult":{"count":"2","idlist":["8","7"]}}`, "esummary": summaries})
	s := serveArticles(t, nil, eutilsManners(&pubmed{next: next}), nil)
	answer, err := s.SearchPubMedArticles(t.Context(), searchFor("doi:10.1000/seven, 10.1000/nine", 2))
	expect.NoError(t, err)
	got := answer.Value
	expect.That(t, got.TotalFound == 1 && strings.Join(got.PMIDs, " ") == "7" && len(got.BriefSummaries) == 1, "%+v", got)
	expect.That(t, strings.Contains(strings.Join(answer.Notices, " "), "No article that matches has the DOI 10.1000/nine."), "%q",
		answer.Notices)
}

// TestSpellingThatFails: a search without a spelling suggestion succeeds, with a notice.
func TestSpellingThatFails(t *testing.T) {
	t.Parallel()
	next := saysByUtility(map[string]string{"esearch": `{"esearchresult":{"count":"0","idlist":[]}}`,
		"espell": `<eSpellResult><ERROR>no</ERROR></eSpellResult>`})
	s := serveArticles(t, nil, eutilsManners(&pubmed{next: next}), nil)
	answer, err := s.SearchPubMedArticles(t.Context(), searchFor("asthmaa", 0))
	expect.NoError(t, err)
	expect.That(t, answer.Value.DidYouMean == "" && strings.Contains(strings.Join(answer.Notices, " "), "spelling could not be checked"),
		"%q", answer.Notices)
	_, err = s.LookupMesh(t.Context(), tools.LookupMeshArgs{Query: "asthmaa"})
	expect.That(t, err != nil && entity.AsError(err).Code == entity.EntityNotFound, "a term that MeSH does not have: %v", err)
}
