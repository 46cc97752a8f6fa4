package research_test

import (
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/service"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
)

// TestFetch: every result of a search is read by its id and by its page, and by the other ids of its record.
func TestFetch(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	next, err := sourcetest.Embedded()
	expect.NoError(t, err)
	s := service.New(service.Options{MaxAnswerBytes: 400_000, Sources: sourcetest.All(t, next)})
	for query, others := range map[string][]string{
		"Which trials test nivolumab in melanoma?": nil,
		"TP53":          {"HGNC:11998", "ENSG00000141510", "NCBIGene:7157"},
		"MESH:D001249":  {"D001249"},
		"VCV990000017":  {"ClinVar:990000017"},
		"PMC7383595":    {"32678530", "PMID: 32678530", "10.1056/NEJMoa2021436"},
		"NCT01844505":   {"NCT:01844505"},
		"zzqqxx yyqqxx": nil,
	} {
		found, err := s.Search(t.Context(), tools.SearchArgs{Query: query})
		expect.NoError(t, err)
		results := found.Value.Results
		expect.That(t, (len(results) == 0) == (len(found.Notices) > 0), "%s: %v, %v", query, results, found.Notices)
		for i, result := range results {
			ids := []string{result.ID, result.URL}
			if i == 0 {
				ids = append(ids, others...)
			}
			for _, id := range ids {
				document, err := s.Fetch(t.Context(), tools.FetchArgs{Id: id})
				expect.NoErrorf(t, err, "%s", id)
				got := document.Value
				expect.That(t, got.ID == result.ID && got.URL == result.URL && got.Title == result.Title && len(got.Text) > 100,
					"%s: %s is %+v, and as a result %+v", query, id, got, result)
			}
		}
	}
}

// TestFetchSeveral: several ids in one text get the advice to fetch each.
func TestFetchSeveral(t *testing.T) {
	t.Parallel()
	next, err := sourcetest.Embedded()
	expect.NoError(t, err)
	s := service.New(service.Options{MaxAnswerBytes: 400_000, Sources: sourcetest.All(t, next)})
	for text, want := range map[string]string{
		"NCT00461032, PMC7383595": "Call fetch once for each of these ids: NCT00461032, PMC7383595.",
		"NCT00461032, asthma":     `Call search with "NCT00461032, asthma", then fetch with the id of a result.`,
	} {
		_, err := s.Fetch(t.Context(), tools.FetchArgs{Id: text})
		expect.Equal(t, text, want, entity.AsError(err).Hint)
	}
}
