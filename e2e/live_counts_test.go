//go:build live

package e2e

import (
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// walkArticles checks that a search with more articles than PubMed lists continues by entry date, without duplicates, and that slices
// of entry dates add up to the total.
func (l *live) walkArticles(t *testing.T) {
	arguments := map[string]any{"queryTerm": "melanoma", "maxResults": 1000}
	seen := map[string]bool{}
	for range 4 {
		var page entity.ArticleSearch
		l.call(t, "searchPubMedArticles", arguments, &page)
		expect.That(t, page.TotalFound < 10_000 || page.Pagination.Cursor != "", "%d articles and no cursor", page.TotalFound)
		for _, pmid := range page.PMIDs {
			expect.That(t, !seen[pmid], "%s is on two pages", pmid)
			seen[pmid] = true
		}
		if arguments["cursor"] = page.Pagination.Cursor; page.Pagination.Cursor == "" {
			return
		}
	}
	sum, total := 0, 0
	for _, dates := range []map[string]any{nil, {"maxDate": "2015"}, {"minDate": "2016", "maxDate": "2020"}, {"minDate": "2021"}} {
		arguments := map[string]any{"queryTerm": "melanoma"}
		if dates != nil {
			dates["dateType"] = "edat"
			arguments["dateRange"] = dates
		}
		var counts entity.ArticleCounts
		l.call(t, "countArticles", arguments, &counts)
		if dates == nil {
			total = counts.TotalCount
		} else {
			sum += counts.TotalCount
		}
	}
	expect.That(t, sum >= total-5 && sum <= total+5, "slices of entry dates have %d articles, the search %d", sum, total)
}

// articleQueries checks the spelling suggestion, the filter for open access, ids in other spellings, and a DOI that PubMed does not
// know.
func (l *live) articleQueries(t *testing.T) {
	var page entity.ArticleSearch
	l.call(t, "searchPubMedArticles", map[string]any{"queryTerm": "montelukst asthmaa remdesivr"}, &page)
	expect.That(t, page.DidYouMean != "", "no spelling for %s, %d articles", page.EffectiveESearchTerm, page.TotalFound)
	for _, query := range []string{"pmcid: 7383595", "doi:10.1056/NEJMoa2007764", "https://doi.org/10.1056%2FNEJMoa2007764"} {
		var one entity.ArticleSearch
		l.call(t, "searchPubMedArticles", map[string]any{"queryTerm": query}, &one)
		expect.Is(t, one.TotalFound, 1, "articles of %s", query)
	}
	var none, all, open entity.ArticleSearch
	l.call(t, "searchPubMedArticles", map[string]any{"queryTerm": "10.5555/biofact.unknown"}, &none)
	expect.Is(t, none.TotalFound, 0, "articles of an unknown DOI")
	l.call(t, "searchPubMedArticles", map[string]any{"queryTerm": "covid-19"}, &all)
	l.call(t, "searchPubMedArticles", map[string]any{"queryTerm": "covid-19", "openAccess": true}, &open)
	expect.That(t, open.TotalFound > 0 && open.TotalFound < all.TotalFound && all.TranslatedQuery != "", "%d of %d open, read as %q",
		open.TotalFound, all.TotalFound, all.TranslatedQuery)
}

// countArticles checks that years add up to the total, that a type without its subtypes has fewer articles, and that the counts of two
// queries add up.
func (l *live) countArticles(t *testing.T) {
	var years, types entity.ArticleCounts
	l.call(t, "countArticles", map[string]any{"queryTerm": "covid-19", "by": "year", "compare": []string{"remdesivir"}}, &years)
	expect.That(t, len(years.Buckets) > 0 && years.Overlap != nil && *years.Overlap >= 0, "%+v", years)
	for _, one := range years.Compare {
		expect.Is(t, *years.AnyQuery, years.TotalCount+one.TotalCount-one.Both, "articles of either query")
	}
	l.call(t, "countArticles", map[string]any{"queryTerm": "covid-19", "by": "publicationType"}, &types)
	var below entity.ArticleSearch
	l.call(t, "searchPubMedArticles", map[string]any{"queryTerm": "covid-19", "filterByPublicationTypes": "Clinical Trial"}, &below)
	for _, b := range types.Buckets {
		expect.That(t, !strings.EqualFold(b.Value, "Clinical Trial") || b.Count <= below.TotalFound,
			"%s: %d records, %d with those below it", b.Value, b.Count, below.TotalFound)
	}
	expect.That(t, len(types.Buckets) > 0, "no type has an article")
}
