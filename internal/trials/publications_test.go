package trials_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
	"github.com/biofact-mcp/biofact/internal/trials"
)

// TestPublicationsWithoutASource: if a source of the papers of a trial fails, the rows of the others stand, and a notice names the source.
func TestPublicationsWithoutASource(t *testing.T) {
	t.Parallel()
	const (
		europe = "Europe PMC did not answer: papers that print the number are missing here."
		pubmed = "PubMed did not answer: papers whose record names the trial, and papers with a like title, " +
			"are missing here, and so may be titles and dates."
		without = "names_trial registry_background"
	)
	for _, tt := range []struct {
		name, path    string
		fault         func() *http.Response // nil: no answer comes
		notice, wants string
	}{
		{"Europe PMC answers 500", "/europepmc/", func() *http.Response { return sourcetest.Reply(500, "text/plain", "wrong") }, europe, without},
		{"Europe PMC sends no JSON", "/europepmc/", func() *http.Response { return sourcetest.Reply(200, "application/json", "<html>") },
			europe, without},
		{"Europe PMC stalls", "/europepmc/", nil, europe, without},
		{"PubMed answers 500", "/eutils/", func() *http.Response { return sourcetest.Reply(500, "text/plain", "wrong") },
			pubmed, "full_text registry_background"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := trials.New(sourcetest.All(t, sourcetest.Network{func(req *http.Request) *http.Response {
					if !strings.Contains(req.URL.Path, tt.path) {
						return nil
					}
					if tt.fault == nil {
						<-req.Context().Done()
						return sourcetest.Reply(504, "text/plain", "too late")
					}
					return tt.fault()
				}, sourcetest.Sandboxed(t)}), 400_000)
				ctx, cancel := context.WithTimeout(t.Context(), sourcetest.CallTimeout)
				defer cancel()
				answer, err := s.GetTrial(ctx, tools.GetTrialArgs{NCTID: "NCT01844505", Sections: []string{trials.Publications}})
				expect.NoError(t, err)
				var trial entity.Trial
				expect.NoError(t, json.Unmarshal(answer.Encoded, &trial))
				expect.Must(t, len(trial.Publications) == 1, "%s", answer.Encoded)
				expect.Is(t, strings.Join(trial.Publications[0].Reasons, " "), tt.wants, "reasons")
				expect.That(t, slices.Contains(answer.Notices, tt.notice), "%q", answer.Notices)
			})
		})
	}
}
