//go:build live

package e2e

import (
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// filters requests every piece of a record that filters compare. The registry would answer an unknown piece with an error; if it
// ignored the piece, the count would be that of all trials.
func (l *live) filters(t *testing.T) {
	count := func(arguments map[string]any) int {
		var counts entity.TrialCounts
		l.call(t, "count_trials", arguments, &counts)
		return counts.TotalCount
	}
	all := count(map[string]any{"study_type": []string{"INTERVENTIONAL", "OBSERVATIONAL", "EXPANDED_ACCESS"}})
	for name, arguments := range map[string]map[string]any{
		"Keyword":               {"keyword": "leukemia"},
		"InterventionType":      {"intervention_type": "device"},
		"PrimaryOutcomeMeasure": {"primary_outcome": "survival"},
		"LargeDocHasProtocol":   {"documents": "protocol"},
		"LargeDocHasSAP":        {"documents": "sap"},
		"LargeDocHasICF":        {"documents": []string{"sap", "icf"}},
		"EligibilityCriteria":   {"criteria": "EGFR"},
	} {
		n := count(arguments)
		expect.That(t, n > 0 && n < all/2, "%s: %d of %d trials", name, n, all)
	}
	var groups entity.TrialCounts
	l.call(t, "count_trials", map[string]any{"condition": "asthma", "phase": "4", "by": "lead_sponsor", "top": 3}, &groups)
	for _, g := range groups.Groups {
		exact := map[string]any{"condition": "asthma", "phase": "4", "lead_sponsor": `"` + g.Value + `"`}
		n := count(exact)
		expect.That(t, !groups.Exact || n == g.Count, "%s: a group of %d trials, and %d with the exact name", g.Value, g.Count, n)
		first, _, _ := strings.Cut(g.Value, " ")
		exact["lead_sponsor"] = []string{`"` + g.Value + `"`, first}
		expect.That(t, count(exact) >= n, "%s: fewer trials with one more name", g.Value)
	}
	var page candidates
	l.call(t, "search_trials", map[string]any{"criteria": "EGFR", "criteria_in": "inclusion", "page_size": 20}, &page)
	for _, c := range page.Items {
		for i, m := range c.CriteriaMatch {
			expect.That(t, i > 0 || m.List != "exclusion" || len(c.CriteriaMatch) > 1, "%s has only exclusions: %v", c.ID, c.CriteriaMatch)
		}
	}
}
