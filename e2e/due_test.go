package e2e

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestResultsDue: the trials that results_due finds in a mirror are those whose record says so, they are counted, and another filter
// narrows them. Without a mirror the argument is refused.
func TestResultsDue(t *testing.T) {
	t.Parallel()
	served, env := copying(t, 300)
	expect.Is(t, biofact(t, env, "mirror", "sync").code, 0, "exit code of a sync")
	env = append(env, "BIOFACT_MIRROR=only")
	call := func(into any, args ...string) {
		t.Helper()
		got := biofact(t, env, append([]string{"call"}, args...)...)
		expect.Must(t, got.code == 0, "%q: %+v", args, got)
		expect.NoError(t, json.Unmarshal([]byte(got.stdout), into))
	}
	want := map[string][]string{}
	for ids := range slices.Chunk(served.IDs(), 20) {
		var page struct {
			Items []struct {
				ID        string
				Reporting struct{ Status string }
			}
		}
		call(&page, "get_trial", "nct_ids="+strings.Join(ids, ","), "sections=administrative")
		for _, item := range page.Items {
			want[item.Reporting.Status] = append(want[item.Reporting.Status], item.ID)
		}
	}
	expect.That(t, len(want["overdue"]) > 0 && len(want[""]) > 0, "%v", want)
	for _, status := range []string{"due", "overdue"} {
		var found struct{ Items []struct{ ID string } }
		call(&found, "search_trials", "results_due="+status, "page_size=200", "fields=due_date_computed")
		var ids []string
		for _, item := range found.Items {
			ids = append(ids, item.ID)
		}
		slices.Sort(ids)
		slices.Sort(want[status])
		expect.That(t, slices.Equal(ids, want[status]), "%s: %v, want %v", status, ids, want[status])
		var counts struct {
			TotalCount int `json:"total_count"`
		}
		call(&counts, "count_trials", "results_due="+status)
		expect.That(t, counts.TotalCount == len(ids), "%s: %d counted, %d listed", status, counts.TotalCount, len(ids))
	}
	var none struct{ Notices []string }
	call(&none, "search_trials", "results_due=overdue", "status=withdrawn")
	expect.That(t, slices.Contains(none.Notices, "No trial that matches the other filters has results that are overdue."), "%q",
		none.Notices)
	got := biofact(t, append(env, "BIOFACT_MIRROR=off"), "call", "search_trials", "results_due=overdue", "sponsor=pfizer")
	expect.That(t, got.code != 0 && strings.Contains(got.stdout+got.stderr, `\"has_results\":false`), "%+v", got)
}
