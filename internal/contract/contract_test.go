package contract_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/schemas"
	"github.com/biofact-mcp/biofact/internal/contract"
	"github.com/biofact-mcp/biofact/internal/expect"
)

func TestMain(m *testing.M) { expect.LongMain(m) }

// published is shared by the tests.
var published = contract.New()

const (
	candidate = `{"id":"NCT:90000001","title":"T","status":"RECRUITING"}`
	trial     = `{"id":"NCT:90000001","title":"T","status":"NEW_STATUS","cross_references":{"clinicaltrials_gov":"https://clinicaltrials.gov/study/NCT90000001"}}`
	site      = `{"city":"Boston"}`
	failure   = `{"success":false,"error":{"code":"INVALID_INPUT","message":"m","recovery_hint":"h"}}`
)

func page(items, more string) string {
	return `{"items":[` + items + `],"pagination":{"page_size":50,"total_count":2}` + more + `}`
}

func TestEverySchemaCompiles(t *testing.T) {
	t.Parallel()
	c := published
	names := schemas.Names()
	for _, name := range []string{"trial", "trial-search-candidate", "trial-location", "error-envelope", "pagination-envelope",
		"get_trial.input", "get_trial.output"} {
		expect.That(t, slices.Contains(names, name), "no schema %s", name)
	}
	for _, name := range names {
		if _, err := c.Validate(name, []byte(`{}`)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	c := published
	for name, tt := range map[string]struct {
		document string
		kind     string
		items    int
		problems []string // the places, in order
	}{
		"trial":               {trial, "trial", 0, nil},
		"candidate":           {candidate, "trial-search-candidate", 0, nil},
		"site":                {site, "trial-location", 0, nil},
		"error":               {failure, "error-envelope", 0, nil},
		"page of candidates":  {page(candidate+","+candidate, ""), "page of trial-search-candidate", 2, nil},
		"page of sites":       {page(site+","+site+",{}", ""), "page of trial-location", 3, nil},
		"page of nothing":     {page("", `,"notices":["n"]`), "page", 0, nil},
		"answer with notices": {trial[:len(trial)-1] + `,"notices":["n"]}`, "trial", 0, nil},
		"tool result":         {`{"content":[{"type":"text","text":"x"}],"structuredContent":` + trial + `}`, "trial", 0, nil},
		"tool result of a page": {`{"content":[],"structuredContent":` + page(site, "") + `,"isError":false}`,
			"page of trial-location", 1, nil},
		"JSON-RPC response": {`{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":` + candidate + `}}`,
			"trial-search-candidate", 0, nil},
		"JSON-RPC response, an error": {`{"jsonrpc":"2.0","id":1,"result":{"isError":true,"structuredContent":` + failure + `}}`,
			"error-envelope", 0, nil},

		"null in a trial":       {strings.Replace(trial, `"T"`, "null", 1), "trial", 0, []string{"title"}},
		"empty in a trial":      {strings.Replace(trial, `"T"`, `""`, 1), "trial", 0, []string{"title"}},
		"empty list in a trial": {strings.Replace(trial, `"title"`, `"conditions":[],"title"`, 1), "trial", 0, []string{"conditions"}},
		"unknown in a trial":    {strings.Replace(trial, `"title"`, `"colour":"red","title"`, 1), "trial", 0, []string{"the document"}},
		"deep in a trial": {strings.Replace(trial, `"title"`, `"primary_outcomes":[{},{"measure":7}],"title"`, 1), "trial", 0,
			[]string{"primary_outcomes.1.measure"}},
		"several in a trial": {`{"status":1,"phase":2,"enrollment":"3","id":4,"title":5,"conditions":6,"keywords":7,"cross_references":{}}`,
			"trial", 0, []string{"conditions", "cross_references", "enrollment", "id", "keywords", "phase", "phase",
				"status", "status", "title"}},
		"no id":                {`{"title":"T","status":"S","phase":"NA"}`, "trial-search-candidate", 0, []string{"the document"}},
		"id of another kind":   {strings.Replace(candidate, "NCT:", "NCT", 1), "trial-search-candidate", 0, []string{"id"}},
		"unknown code":         {strings.Replace(failure, "INVALID_INPUT", "OOPS", 1), "error-envelope", 0, []string{"error.code"}},
		"success that is said": {strings.Replace(failure, "false", "true", 1), "error-envelope", 0, []string{"success"}},
		"error without a hint": {strings.Replace(failure, `,"recovery_hint":"h"`, "", 1), "error-envelope", 0, []string{"error"}},
		"second item": {page(candidate+","+strings.Replace(candidate, `"T"`, `""`, 1), ""), "page of trial-search-candidate", 2,
			[]string{"items[1].title"}},
		"items of two kinds": {page(candidate+","+candidate+","+site, ""), "page of trial-search-candidate", 3,
			[]string{"items[2]", "items[2]"}},
		"page without its place": {`{"items":[]}`, "page", 0, []string{"the document"}},
		"empty cursor": {strings.Replace(page(site, ""), `"page_size"`, `"cursor":"","page_size"`, 1), "page of trial-location",
			1, []string{"pagination.cursor"}},
		"empty notices": {page(site, `,"notices":[]`), "page of trial-location", 1, []string{"notices"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			verdict, err := c.Check([]byte(tt.document))
			expect.NoError(t, err)
			expect.That(t, verdict.Kind == tt.kind && verdict.Items == tt.items, "%s of %d items", verdict.Kind, verdict.Items)
			var places []string
			for _, p := range verdict.Problems {
				place, message, _ := strings.Cut(p, ": ")
				places = append(places, place)
				expect.That(t, message != "" && !strings.ContainsAny(p, "\n") && !strings.Contains(p, "urn:"), "not readable: %q", p)
			}
			expect.Equal(t, fmt.Sprintf("%q", verdict.Problems), tt.problems, places)
		})
	}
}

// TestStudies: the structure of the registry has every member and value of the records.
func TestStudies(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	for _, path := range expect.Trials("results", "more").Paths {
		for _, line := range expect.Lines(t, path) {
			verdict, err := published.Check(line)
			expect.That(t, err == nil && verdict.Kind == "record of ClinicalTrials.gov" && len(verdict.Problems) == 0,
				"%s: %v %.200s", path, verdict, line)
		}
	}
}

func TestNoDocument(t *testing.T) {
	t.Parallel()
	c := published
	for _, document := range []string{"", "null", "7", `"x"`, "[]", "[" + trial + "]", trial + trial, trial + "}", trial + " ]", trial +
		" x", trial[1:], trial[:20], "<html>"} {
		if verdict, err := c.Check([]byte(document)); err == nil {
			t.Errorf("%q: %+v", document, verdict)
		}
	}
	for _, document := range []string{"", trial + trial, trial + "}", trial[:20]} {
		if problems, err := c.Validate("trial", []byte(document)); err == nil {
			t.Errorf("%q: %q", document, problems)
		}
	}
}

func TestValidate(t *testing.T) {
	t.Parallel()
	c := published
	for _, tt := range []struct {
		name, document string
		problems       int
	}{
		{"trial", trial, 0},
		{"get_trial.output", trial, 0},
		{"get_trial.output", failure, 0},
		{"get_trial_locations.output", page(site, ""), 0},
		{"search_trials.output", page(candidate, `,"notices":["n"]`), 0},
		{"search_trials.input", `{"condition":"melanoma","phase":"2/3","page_size":200}`, 0},
		{"search_trials.input", `{"page_size":201}`, 1},
		{"trial", candidate, 1},
		{"error-envelope", `{"success":false}`, 1},
	} {
		problems, err := c.Validate(tt.name, []byte(tt.document))
		expect.That(t, err == nil && len(problems) == tt.problems, "%s: %q %v", tt.name, problems, err)
	}
	if _, err := c.Validate("trail", []byte("{}")); err == nil || !strings.Contains(err.Error(), "trail") {
		t.Errorf("no schema: %v", err)
	}
}
