package articles

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/expect"
)

func TestMain(m *testing.M) { expect.Main(m) }

// TestArticleWalksOverMidnight: a walk with dates that depend on today continues with the dates of its first page.
func TestArticleWalksOverMidnight(t *testing.T) {
	t.Parallel()
	for _, minDate := range []string{"last 20 years", "last 900 days"} {
		synctest.Test(t, func(t *testing.T) {
			time.Sleep(time.Until(time.Date(2025, 12, 31, 23, 0, 0, 0, time.UTC)))
			s := serveArticles(t, nil, eutilsManners(embeddedPubMed(t)), nil)
			args := tools.SearchPubMedArticlesArgs{QueryTerm: "cancer", MaxResults: 1, SortBy: defaultSort,
				DateRange: tools.SearchPubMedArticlesDateRange{MinDate: minDate, DateType: "pdat"}}
			var terms []string
			for range 3 {
				answer, err := s.SearchPubMedArticles(t.Context(), args)
				expect.Must(t, err == nil, "%s: %v", minDate, err)
				terms = append(terms, answer.Value.EffectiveESearchTerm)
				args.Cursor = answer.Value.Pagination.Cursor
				time.Sleep(2 * time.Hour)
			}
			expect.That(t, len(slices.Compact(terms)) == 1 && strings.Contains(terms[0], "pdat"), "%s: %q", minDate, terms)
		})
	}
}
