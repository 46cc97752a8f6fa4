package trials

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
	"github.com/biofact-mcp/biofact/internal/sources"
)

// TestComparisonsOnCorpus compares all real records, twelve at a time: each comparison stays within its size, has every trial, and reports
// correctly whether statuses differ.
func TestComparisonsOnCorpus(t *testing.T) {
	t.Parallel()
	expect.Slow(t)
	source, records := realTrials(t)
	s := serve(t, nil, sourcetest.RegistryURL, sourcetest.Policy(source))
	for group := range slices.Chunk(records, maxCompared) {
		if len(group) < minCompared {
			continue
		}
		var ids []string
		statuses := map[string]bool{}
		for _, r := range group {
			ids = append(ids, r.text("identificationModule.nctId"))
			statuses[r.text("statusModule.overallStatus")] = true
		}
		answer, err := s.CompareTrials(t.Context(), tools.CompareTrialsArgs{NCTIDs: ids})
		expect.NoError(t, err)
		size := len(sourcetest.Valid(t, "compare_trials.output", answer))
		expect.That(t, size <= maxComparison, "%v: %d bytes", ids, size)
		expect.Is(t, len(answer.Value.Trials), len(ids), "trials")
		for _, a := range answer.Value.Aspects {
			if a.Aspect == "status" {
				expect.Is(t, a.Differs, len(statuses) > 1, "%v: status differs", ids)
				expect.Is(t, len(a.Values), len(ids), "values of status")
			}
		}
	}
}

// TestCutComparison: a text that is cut has a notice with the call that returns it, also if no item is left out.
func TestCutComparison(t *testing.T) {
	t.Parallel()
	for aspect, call := range map[string]string{
		"primary_outcomes": `get_trial with {"nct_id":"NCT:90000018","sections":["outcomes"]}`,
		"results":          `get_trial_results with {"nct_id":"NCT:90000018"}`,
	} {
		var answer entity.Answer[entity.TrialComparison]
		answer.Value.Aspects = []entity.ComparedAspect{{Aspect: "status"}, {Aspect: aspect, Values: []entity.ComparedValue{
			{ID: "NCT:90000018", Items: []string{strings.Repeat("long ", maxComparison/5)}}}}}
		New(sources.Sources{}, 400_000).fitComparison(&answer)
		notices := strings.Join(answer.Notices, " ")
		expect.That(t, strings.Contains(notices, call), "%s: %q", aspect, notices)
	}
}

// TestOneComparable: two ids of one trial, and a source that sends another trial than was requested, are no missing trial.
func TestOneComparable(t *testing.T) {
	t.Parallel()
	all, err := sourcetest.Embedded()
	expect.NoError(t, err)
	other := swapped{all, "NCT02808429", "NCT00461032"}
	for _, tt := range []struct {
		source http.RoundTripper
		second string
		want   entity.Error
	}{
		{all, "NCT02300909", entity.Error{Code: entity.InvalidInput, Hint: `Call get_trial with {"nct_id":"NCT:02300909"}`}},
		{all, "NCT99999999", entity.Error{Code: entity.EntityNotFound, Hint: "Check the digits"}},
		{other, "NCT02808429", entity.Error{Code: entity.UpstreamError, Hint: "not an empty result"}},
	} {
		s := serve(t, nil, sourcetest.RegistryURL, sourcetest.Policy(tt.source))
		_, err := s.CompareTrials(t.Context(), tools.CompareTrialsArgs{NCTIDs: []string{"NCT02380456", tt.second}})
		e := entity.AsError(err)
		expect.That(t, e.Code == tt.want.Code && strings.Contains(e.Hint, tt.want.Hint), "%s: %+v", tt.second, e)
	}
}

// swapped answers for another id than the one of the request.
type swapped struct {
	http.RoundTripper
	id, other string
}

func (s swapped) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.URL.RawQuery = strings.ReplaceAll(req.URL.RawQuery, s.id, s.other)
	return s.RoundTripper.RoundTrip(req)
}
