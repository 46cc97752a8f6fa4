package trials

import (
	"fmt"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// TestSelectedPagesAreFull: a search that leaves out trials has full pages, except where the requests of one call are used up, and its
// notice says how many trials were checked. The pages have the same trials as one large page, also if an answer is cut.
func TestSelectedPagesAreFull(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	for _, filters := range []tools.TrialFilters{
		{Criteria: "treatment OR diabetes OR heart OR severe", CriteriaIn: "inclusion"},
		{Query: "cancer OR disease OR syndrome", Near: "42.36,-71.06", Within: "500 mi", RecruitingSite: true},
	} {
		var want []string
		for i, tt := range []struct{ size, maxAnswer int }{{200, 0}, {1, 0}, {2, 0}, {3, 0}, {50, 5000}} {
			service := setup{maxAnswer: tt.maxAnswer, Setup: sourcetest.Setup{
				CTGovURL: sourcetest.RegistryURL, CTGov: upstream.NewClient(sourcetest.Policy(newRegistry(t))),
			}}.open(t)
			var got []string
			args := tools.SearchTrialsArgs{TrialFilters: filters, PageSize: tt.size}
			for pages := 0; pages < 100; pages++ {
				answer, err := service.SearchTrials(t.Context(), args)
				expect.NoError(t, err)
				for _, c := range answer.Value.Items {
					got = append(got, c.ID)
				}
				p := answer.Value.Pagination
				notices := strings.Join(answer.Notices, " ")
				requests := answer.Provenance.UpstreamRequests
				expect.That(t, requests <= 4 && strings.Contains(notices, " were checked for this page"), "%d: %s", requests, notices)
				rows := len(answer.Value.Items)
				expect.That(t, rows == tt.size || p.Cursor == "" || requests == 4 || tt.maxAnswer > 0,
					"%v, page %d of %d: %d rows after %d requests", filters.Given(), pages, tt.size, rows, requests)
				if args.Cursor = p.Cursor; p.Cursor == "" {
					break
				}
			}
			if i == 0 {
				want = got
			}
			expect.That(t, len(got) > 3 && fmt.Sprint(got) == fmt.Sprint(want), "%v, %+v: %v, want %v", filters.Given(), tt, got, want)
		}
	}
}
