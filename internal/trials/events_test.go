package trials_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
	"github.com/biofact-mcp/biofact/internal/trials"
)

// TestEventNames: an event is also found by another name of its MeSH term. If MeSH cannot be read, a notice says so.
func TestEventNames(t *testing.T) {
	t.Parallel()
	args := tools.GetTrialResultsArgs{NCTID: "NCT02513394", Event: []string{"Hair loss", "nausea"}, PageSize: 20}
	for want, n := range map[string]sourcetest.Network{
		"MeSH term Alopecia are shown": {sourcetest.Sandboxed(t)},
		"could not be read": {func(r *http.Request) *http.Response {
			if strings.Contains(r.URL.RawQuery, "db=mesh") {
				return sourcetest.Reply(http.StatusInternalServerError, "", "")
			}
			return nil
		}, sourcetest.Sandboxed(t)},
	} {
		answer, err := trials.New(sourcetest.All(t, n), 400_000).GetTrialResults(t.Context(), args)
		expect.NoError(t, err)
		events, notices := answer.Value.AdverseEvents.Events, strings.Join(answer.Notices, " ")
		expect.That(t, strings.Contains(notices, want) && strings.Contains(notices, "MeSH") && len(events) > 0,
			"%q: %v, %q", want, events, notices)
	}
}
