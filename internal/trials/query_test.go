package trials

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/ranges"
	source "github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
	"github.com/biofact-mcp/biofact/internal/trials/filters"
)

// TestFiltersAreNeverSwitchedOff: upstream ignores every filter if an expression has NCT ids only. No such expression is sent, also after
// other parts of a text were left out.
func TestFiltersAreNeverSwitchedOff(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"NCT00184067", "nct:00184067,NCT00184068", "NCT00184067 AND", "- NCT00184067", "• NCT00184067 •", "(NCT00184067", "() NCT00184067",
		"NCT00184067 & NCT00184068", "OR NCT00184067", "NCT00184067 -, NCT00184068;",
	} {
		for i := range (&tools.TrialFilters{LeadSponsor: []string{""}}).Texts() {
			args := tools.TrialFilters{Status: []string{"RECRUITING"}, LeadSponsor: []string{""}}
			*args.Texts()[i].Value = text
			params, _, err := trialQuery(tools.SearchTrials, args)
			if err != nil {
				if e := entity.AsError(err); e.Code != entity.InvalidInput || args.Query != "" {
					t.Errorf("%+v: %v", args, err)
				}
				continue
			}
			for name, expression := range sentTexts(t, params) {
				if ids, bad := id.NCT.Only(expression); ids != nil || bad != nil {
					t.Errorf("%q as %s goes out as %q", text, name, expression)
				}
			}
			expect.That(t, args.Query == "" || params.FilterIds != nil, "%q: no lookup", text)
		}
	}
}

// trialQuery returns the upstream query for filters, and the notices about them.
func trialQuery(caller string, args tools.TrialFilters) (*ctgov.ListStudiesParams, []string, error) {
	w, err := filters.Read(caller, args, ranges.CalendarOf(""))
	if err != nil {
		return nil, nil, err
	}
	params := source.Written(w.Query, w.Filter)
	return &params, w.Notices(), nil
}

// sentTexts returns the parameters that upstream reads as words.
func sentTexts(t *testing.T, params *ctgov.ListStudiesParams) map[string]string {
	t.Helper()
	encoded, err := json.Marshal(params)
	expect.NoError(t, err)
	var all map[string]any
	expect.NoError(t, json.Unmarshal(encoded, &all))
	sent := map[string]string{}
	for name, value := range all {
		if text, ok := value.(string); ok && strings.HasPrefix(name, "query.") {
			sent[name] = text
		}
	}
	return sent
}

// FuzzTrialQuery: for any arguments, upstream can read the query that is sent.
func FuzzTrialQuery(f *testing.F) {
	upstream, err := sourcetest.Embedded()
	expect.NoError(f, err)
	f.Add("melanoma AND/OR", "Boston, MA", "Phase 2/3")
	f.Add("NCT00184067 AND", "OR", "1b, III")
	f.Add(`"a (b`, "-", "N/A")
	f.Add("[18F]FDG", `"x", [y]`, "")
	f.Add("8]F\x00\\", "BoAt\x80n,A", "1b,II:II IIII")
	f.Fuzz(func(t *testing.T, text, place, phase string) {
		args := tools.TrialFilters{Query: text, Title: text, LeadSponsor: []string{text, `"` + text + `"`}, Location: place}
		if phase != "" {
			args.Phase = []string{phase}
		}
		params, _, err := trialQuery(tools.SearchTrials, args)
		if err != nil {
			if e := entity.AsError(err); e.Code != entity.InvalidInput && e.Code != entity.AmbiguousQuery {
				t.Errorf("%q %q %q: %v", text, place, phase, err)
			}
			expect.Is(t, sourcetest.InvalidEnvelope(err), "", "%q %q %q", text, place, phase)
			return
		}
		values := url.Values{"pageSize": {"1"}, "fields": {"NCTId"}}
		for name, value := range map[string]*string{
			"query.term": params.QueryTerm, "query.titles": params.QueryTitles, "query.locn": params.QueryLocn,
			"query.lead": params.QueryLead, "filter.advanced": params.FilterAdvanced,
		} {
			if value != nil {
				values.Set(name, *value)
			}
		}
		if params.FilterIds != nil {
			if !filters.DropPlaceholder(params) {
				return
			}
			values.Set("filter.ids", strings.Join(*params.FilterIds, ","))
		}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://ctgov.example.org/api/v2/studies?"+
			values.Encode(), nil)
		expect.NoError(t, err)
		resp, err := upstream.RoundTrip(req)
		expect.NoError(t, err)
		defer resp.Body.Close()
		expect.That(t, resp.StatusCode == http.StatusOK, "%q %q %q: %d for %v", text, place, phase, resp.StatusCode, values)
	})
}
