package trials

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
)

// fixedStatus is a registry that answers every request with one status and text.
type fixedStatus struct {
	status   int
	text     string
	requests int
}

func (r *fixedStatus) RoundTrip(req *http.Request) (*http.Response, error) {
	r.requests++
	return &http.Response{
		StatusCode: r.status, Request: req, Body: io.NopCloser(strings.NewReader(r.text)),
		Header: http.Header{"Content-Type": {map[bool]string{true: "text/html", false: "text/plain"}[strings.HasPrefix(r.text, "<")]}},
	}, nil
}

// TestRefusals: an error of the registry is attributed to the caller's arguments or to Biofact, and its sentence goes to the log.
func TestRefusals(t *testing.T) {
	t.Parallel()
	args := tools.TrialFilters{Query: "asthma in children of school age", Condition: "asthma", Location: "Boston, MA", Phase: []string{"3"}}
	for _, tt := range []struct {
		sentence string
		code     entity.Code
		message  string
	}{
		{"Error parsing query in Conditions or disease: mismatched input ']'", entity.InvalidInput,
			"condition: ClinicalTrials.gov could not read it"},
		{"Error parsing query in advanced filter: mismatched input ']'", entity.InvalidInput,
			"location: ClinicalTrials.gov could not read it"},
		{"Error parsing query in Other terms: Too complicated query", entity.InvalidInput, "query: ClinicalTrials.gov could not read it"},
		{"Too complicated query", entity.InvalidInput, "query: ClinicalTrials.gov found the search too complicated"},
		{"Something else about the Query", entity.InvalidInput, "query: ClinicalTrials.gov found the search too complicated"},
		{"`query.locn` is unknown parameter", entity.UpstreamError, "did not understand the request of Biofact"},
		{"Parameter 'fields' contains invalid field name: 'X'", entity.UpstreamError, "did not understand the request of Biofact"},
		{"Item 1 in parameter `sort` has incorrect format", entity.UpstreamError, "did not understand the request of Biofact"},
		{"Invalid coverage: FullMatch", entity.UpstreamError, "did not understand the request of Biofact"},
		{"Error parsing query in advanced filter: Unknown area name: `X`", entity.UpstreamError,
			"did not understand the request of Biofact"},
		{"Error parsing query in advanced filter: Allowed values for enum field `x` are `NA`", entity.UpstreamError,
			"did not understand the request of Biofact"},
		{"an unknown sentence", entity.UpstreamError, "did not understand the request of Biofact"},
	} {
		s := serve(t, nil, sourcetest.RegistryURL, sourcetest.Policy(&fixedStatus{status: http.StatusBadRequest, text: tt.sentence}))
		_, err := search(t, s, args)
		e := entity.AsError(err)
		expect.That(t, e.Code == tt.code && strings.Contains(e.Message, tt.message) && !strings.Contains(e.Hint, "in a minute"),
			"%s: %s %s %s", tt.sentence, e.Code, e.Message, e.Hint)
		expect.That(t, e.Cause != nil && strings.Contains(fmt.Sprint(e.Cause), tt.sentence),
			"%s: the cause for the log is %v", tt.sentence, e.Cause)
	}
}

// TestWithoutIndex: for a search that the mirror cannot evaluate, the hint names the call without expression, if any argument is left.
func TestWithoutIndex(t *testing.T) {
	t.Parallel()
	const noIndex = "the local mirror has no index for a part of this search, and more than 5000 trials match the rest of it"
	s := serve(t, nil, sourcetest.RegistryURL, sourcetest.Policy(&fixedStatus{status: http.StatusBadRequest, text: noIndex}))
	for hint, args := range map[string]tools.TrialFilters{
		`call search_trials again with {"expression":null}`: {Condition: "asthma", Expression: "AREA[OrgClass]NIH"},
		"The operator of Biofact can set BIOFACT_MIRROR":    {Expression: "AREA[OrgClass]NIH"},
	} {
		_, err := search(t, s, args)
		e := entity.AsError(err)
		expect.That(t, e.Code == entity.UpstreamError && strings.Contains(e.Hint, hint) && strings.Contains(e.Message, "no index"),
			"%+v", e)
	}
}

// TestLongSearch: a search that does not fit into a URL is refused without a request. The error says how much fits, and that much is then
// sent.
func TestLongSearch(t *testing.T) {
	t.Parallel()
	for name, args := range map[string]tools.TrialFilters{
		"one text":      {Query: strings.Repeat("asthma ", 2000)},
		"several texts": {Query: strings.Repeat("asthma ", 900), Condition: strings.Repeat("lung ", 600), Title: "air"},
		"Chinese":       {Query: strings.Repeat("哮喘", 1000)},
		"many places":   {Location: strings.Repeat("Boston, MA or ", 140) + "Oslo"},
	} {
		source := &fixedStatus{status: http.StatusOK, text: `{"studies":[],"totalCount":0}`}
		s := serve(t, nil, sourcetest.RegistryURL, sourcetest.Policy(source))
		_, err := search(t, s, args)
		e := entity.AsError(err)
		longest := "query"
		if args.Location != "" {
			longest = "location"
		}
		if e == nil || e.Code != entity.InvalidInput || !strings.HasPrefix(e.Message, longest+": has ") || source.requests != 0 {
			t.Errorf("%s: %v after %d requests", name, err, source.requests)
			continue
		}
		var fit int
		if _, err := fmt.Sscanf(e.Hint, "Call search_trials again with at most %d", &fit); err != nil || fit < 100 {
			t.Errorf("%s: %s", name, e.Hint)
		}
		if longest == "query" {
			args.Query = string([]rune(args.Query)[:fit])
		} else {
			args.Location = strings.TrimSuffix(args.Location[:fit], " o")
		}
		if _, err := search(t, s, args); err != nil || source.requests == 0 {
			t.Errorf("%s: cut to %d: %v after %d requests", name, fit, err, source.requests)
		}
	}
}

// TestTooLongForTheSource: a 414 is not treated as a refusal of the network.
func TestTooLongForTheSource(t *testing.T) {
	t.Parallel()
	s := serve(t, nil, sourcetest.RegistryURL,
		sourcetest.Policy(&fixedStatus{status: http.StatusRequestURITooLong, text: "<html>414 Request-URI Too Large</html>"}))
	_, err := search(t, s, tools.TrialFilters{Condition: "asthma in children", Title: "air"})
	e := entity.AsError(err)
	expect.That(t, e.Code == entity.InvalidInput && strings.HasPrefix(e.Message, "condition: has 18 characters") && errors.Unwrap(e) != nil,
		"%+v", e)
	_, err = s.GetTrial(t.Context(), tools.GetTrialArgs{NCTID: "NCT:00461032"})
	if e := entity.AsError(err); e.Code != entity.UpstreamError || !strings.Contains(e.Message, "too long") ||
		strings.Contains(e.Hint, "proxy") {
		t.Errorf("%+v", e)
	}
}

// TestHintsNameTheirTool: the hint for a filter that count_trials cannot read names count_trials.
func TestHintsNameTheirTool(t *testing.T) {
	t.Parallel()
	s := serve(t, nil, sourcetest.RegistryURL,
		sourcetest.Policy(&fixedStatus{status: http.StatusBadRequest, text: "Error parsing query in Other terms: mismatched input ']'"}))
	for name, filters := range map[string]tools.TrialFilters{
		"status": {Status: []string{"active"}}, "no status": {Status: []string{"recuiting"}},
		"not a status": {Status: []string{"-completed"}},
		"phase":        {Phase: []string{"late"}}, "any": {Condition: "any"}, "id": {NCTIDs: []string{"melanoma"}}, "words": {Query: "the"},
		"refused": {Query: "asthma"},
		"long":    {Query: strings.Repeat("asthma ", 2000)}, "title": {Title: "NCT00461032"}, "criteria": {Criteria: "the"},
		"age": {Age: "old"}, "site": {RecruitingSite: true},
	} {
		_, err := s.CountTrials(t.Context(), tools.CountTrialsArgs{TrialFilters: filters})
		hint := entity.AsError(err).Envelope().Error.RecoveryHint
		expect.That(t, strings.Contains(hint, "count_trials") && !strings.Contains(hint, "search_trials"), "%s: %s", name, hint)
	}
}
