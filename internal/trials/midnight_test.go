package trials

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
)

// TestWalksOverMidnight: a walk with dates that depend on today continues with the dates of its first page.
func TestWalksOverMidnight(t *testing.T) {
	t.Parallel()
	registry, err := sourcetest.Embedded()
	expect.NoError(t, err)
	for _, dates := range []string{"last 900 days", "last 30 years"} {
		synctest.Test(t, func(t *testing.T) {
			time.Sleep(time.Until(time.Date(2025, 12, 31, 23, 0, 0, 0, time.UTC)))
			s := serve(t, nil, sourcetest.RegistryURL, sourcetest.Policy(registry))
			args := tools.SearchTrialsArgs{TrialFilters: tools.TrialFilters{StartDate: dates}, Sort: "start_date", PageSize: 8}
			shown, notices := changingWalk(t, s, args, 1, func() { time.Sleep(2 * time.Hour) })
			expect.That(t, len(shown) > 20 && notices == nil, "%s: %d trials, %q", dates, len(shown), notices)
		})
	}
}
