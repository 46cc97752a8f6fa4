package service

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// A requestRecorder records the requests to all sources.
type requestRecorder struct {
	next http.RoundTripper
	mu   sync.Mutex
	sent []string
}

func (r *requestRecorder) RoundTrip(req *http.Request) (*http.Response, error) {
	sent := req.URL.String()
	if req.Body != nil {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return nil, err
		}
		req.Body = io.NopCloser(bytes.NewReader(body))
		sent += " " + string(body)
	}
	r.mu.Lock()
	r.sent = append(r.sent, sent)
	r.mu.Unlock()
	return r.next.RoundTrip(req)
}

// filters are the arguments that must change the requests.
var filters = strings.Fields(`query condition intervention status location phase study_type sponsor title outcome nct_ids country near within
	recruiting_site age sex healthy_volunteers criteria start_date primary_completion_date completion_date first_posted results_posted
	last_updated enrollment has_results documents lead_sponsor sponsor_class intervention_type keyword primary_outcome expression`)

// TestEveryArgumentCounts: each argument changes the requests that are sent or, if it selects parts of an answer, the answer. A filter
// always changes the requests.
func TestEveryArgumentCounts(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	next, err := sourcetest.Embedded()
	expect.NoError(t, err)
	index := examples(t)
	recorder := &requestRecorder{next: next}
	table := tools.Table(New(Options{MaxAnswerBytes: 400_000, Sources: sourcetest.All(t, recorder)}))
	for _, described := range table {
		for _, a := range described.Arguments {
			if a.Required || a.Name == "cursor" || described.NeedsMirror { // TestTrialChanges has that of the mirror
				continue
			}
			call := func(args map[string]any) (sent, answer string) {
				recorder.sent = nil
				text, err := json.Marshal(args)
				expect.NoError(t, err)
				result := described.Call(t.Context(), slog.New(slog.DiscardHandler), text)
				return strings.Join(recorder.sent, "\n"), string(result.JSON)
			}
			if !counts(t, described, a, index[described.Name], call) {
				t.Errorf("%s: %s changes nothing", described.Name, a.Name)
			}
		}
	}
}

// counts reports whether a value of the argument changes the requests or the answer of the tool's example.
func counts(t *testing.T, described *tool.Tool, a tool.Argument, base map[string]any, call func(map[string]any) (string, string)) bool {
	t.Helper()
	base = maps.Clone(base)
	isSearch := described.Name == "search_trials" || described.Name == "count_trials"
	delete(base, a.Name)
	maps.Copy(base, map[string]map[string]any{
		"within": {"near": "Boston, MA"}, "criteria_in": {"criteria": "pregnant"},
		"words":   {"query": "melanoma nivolumab"},
		"then_by": {"by": "phase"}, "top": {"by": "country"}, "includeGrantInfo": {"pmids": "39345789"}, "maxBytes": {"sections": nil},
		"tableFormat": {"sections": nil},
	}[a.Name])
	switch described.Name + " " + a.Name {
	case "get_trial_results page_size":
		base["section"] = "outcomes"
	case "get_trial page_size":
		base = map[string]any{"nct_ids": []string{"NCT02513394", "NCT00461032"}}
	case "get_trial_locations country":
		base["nct_id"] = "NCT02513394" // has sites in several countries
	case "get_trial_locations order":
		base["nct_id"], base["near"], base["within"] = "NCT02513394", "Boston, MA", "2000 mi"
	case "count_drug_events top":
		base["drug_id"] = "UNII:XXXXXXXXX1" // has reports of several countries
	case "match_trials sex":
		base["age"] = "40" // NCT05870670 admits men up to 55
	case "search_trials order":
		base["sort"] = "enrollment"
	}
	sent, answer := call(base)
	for _, value := range values(a) {
		with := maps.Clone(base)
		with[a.Name] = value
		sentWith, answerWith := call(with)
		if sentWith != sent || answerWith != answer && (!isSearch || !slices.Contains(filters, a.Name)) {
			return true
		}
	}
	return false
}

// values returns values of an argument; one of them is not its default.
func values(a tool.Argument) []any {
	switch {
	case a.Name == "within": // its example is nearly the default
		return []any{"500 km"}
	case a.Example != "":
		return []any{a.Example}
	case a.Name == "near":
		return []any{"Boston, MA"}
	case a.Type == "boolean":
		return []any{true, false}
	case a.Type == "integer":
		return []any{max(a.Minimum, 1), a.Maximum}
	}
	var out []any
	for _, word := range a.Words {
		out = append(out, word)
	}
	return out
}

// examples returns the example of each tool.
func examples(t *testing.T) map[string]map[string]any {
	t.Helper()
	var index struct {
		Schemas []struct {
			Kind, Tool string
			Example    map[string]any
		}
	}
	text, err := os.ReadFile("../../gen/schemas/index.json")
	expect.NoError(t, err)
	expect.NoError(t, json.Unmarshal(text, &index))
	out := map[string]map[string]any{}
	for _, s := range index.Schemas {
		if s.Kind == "tool input" {
			out[s.Tool] = s.Example
		}
	}
	return out
}
