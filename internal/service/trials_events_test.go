package service_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestEventNames: an event is also found by another name of its MeSH term. If MeSH cannot be read, a notice says so.
func TestEventNames(t *testing.T) {
	t.Parallel()
	args := tools.GetTrialResultsArgs{NCTID: "NCT02513394", Event: []string{"Hair loss", "nausea"}, PageSize: 20}
	for want, n := range map[string]network{
		"MeSH term Alopecia are shown": {sandboxed(t)},
		"could not be read": {func(r *http.Request) *http.Response {
			if strings.Contains(r.URL.RawQuery, "db=mesh") {
				return fixedReply(http.StatusInternalServerError, "", "")
			}
			return nil
		}, sandboxed(t)},
	} {
		answer, err := over(t, n).GetTrialResults(t.Context(), args)
		expect.NoError(t, err)
		events, notices := answer.Value.AdverseEvents.Events, strings.Join(answer.Notices, " ")
		expect.That(t, strings.Contains(notices, want) && strings.Contains(notices, "MeSH") && len(events) > 0,
			"%q: %v, %q", want, events, notices)
	}
}
