package further_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/aact"
	"github.com/biofact-mcp/biofact/internal/aact/further"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mapping/trials"
	"github.com/biofact-mcp/biofact/internal/trials/rows"
)

const madeRecord = `{"hasResults":true,"protocolSection":{"identificationModule":{"nctId":"NCT00000007",
"briefTitle":"x"},"statusModule":{"overallStatus":"COMPLETED"},"eligibilityModule":{"eligibilityCriteria":
"Inclusion Criteria:\n\n* LVEF \\> 40 %\n* ECOG 0 or 1\n\nExclusion Criteria:\n\n* no HbA1c &gt; 10 %"}},"resultsSection":{"outcomeMeasuresModule":
{"outcomeMeasures":[{"title":"none"},{"title":"t","paramType":"MEAN","unitOfMeasure":"kg","groups":[{"id":"OG000","title":"A"},{"id":"OG001",
"title":"B"}],"denoms":[{"units":"Participants","counts":[{"groupId":"OG000","value":"10"},{"groupId":"OG001","value":"12"}]}],"classes":[{"categories":
[{"measurements":[{"groupId":"OG000","value":"5.0"},{"groupId":"OG001","value":"3.0"}]}]}],"analyses":[{"groupIds":["OG000","OG001"],
"paramType":"Mean Difference (Net)","paramValue":"2.0","pValue":"<0.001"},{"groupIds":["OG000"],"paramValue":"NA"}]}]}}}`

// TestEvidenceFurther compares the limits with those of get_trial, and the comparisons with the cells of get_trial_results and with the
// analyses of the record.
func TestEvidenceFurther(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	lines := [][]byte{[]byte(madeRecord)}
	for _, path := range expect.Trials("studies", "results", "more").Paths {
		for i, line := range expect.Lines(t, path) {
			if expect.All() || i%10 == 0 {
				lines = append(lines, line)
			}
		}
	}
	limits, comparisons := 0, 0
	for _, line := range lines {
		var record map[string]any
		expect.NoError(t, json.Unmarshal(line, &record))
		var study ctgov.Study
		expect.NoError(t, json.Unmarshal(line, &study))
		all, err := further.Of(record)
		expect.NoError(t, err)
		limits += compareLimits(t, &study, all)
		comparisons += compareComparisons(t, &study, all)
	}
	t.Logf("| tables that Biofact adds | %d records | %d limits, %d comparisons, each as its tool has it |", len(lines), limits,
		comparisons)
}

// table returns a table and its rows.
func table(name string, all aact.Rows) (t *aact.Table, found []aact.Row) {
	i := slices.IndexFunc(aact.All(), func(t *aact.Table) bool { return t.Name == name })
	return aact.All()[i], all[i]
}

func compareLimits(t *testing.T, study *ctgov.Study, all aact.Rows) int {
	t.Helper()
	limits, got := table("biofact_limits", all)
	trial, err := trials.Trial(study)
	expect.NoError(t, err)
	var want []entity.CriteriaLimit
	var characters []rune
	if trial.EligibilityCriteria != nil {
		want, characters = trial.EligibilityCriteria.Limits, []rune(trial.EligibilityCriteria.CriteriaText)
	}
	expect.Must(t, len(got) == len(want), "%s: %d limits, want %d", trial.ID, len(got), len(want))
	for i, limit := range want {
		text, err := json.Marshal(limit)
		expect.NoError(t, err)
		var members map[string]any
		expect.NoError(t, json.Unmarshal(text, &members))
		for n, column := range limits.Columns {
			value := members[column.Name]
			switch column.Name {
			case "nct_id":
				value = rows.PlainID(trial.ID)
			case "low_inclusive", "high_inclusive":
				value = value == true
			case "text":
				value = string(characters[limit.Start:limit.End])
			}
			if list, ok := value.([]any); ok {
				var parts []string
				for _, part := range list {
					parts = append(parts, part.(string))
				}
				value = strings.Join(parts, " | ")
			}
			if number, ok := got[i][n].(int64); ok {
				got[i][n] = float64(number)
			}
			expect.That(t, got[i][n] == value, "%s, limit %d, %s: %v, want %v", trial.ID, i, column.Name, got[i][n], value)
			delete(members, column.Name)
		}
		expect.That(t, len(members) == 0, "members without a column: %v", members)
	}
	return len(got)
}

func compareComparisons(t *testing.T, study *ctgov.Study, all aact.Rows) int {
	t.Helper()
	comparisons, got := table("biofact_comparisons", all)
	var names []string
	for _, c := range comparisons.Columns {
		names = append(names, c.Name)
	}
	expect.Equal(t, "columns", rows.Columns[entity.ComparisonRow](), names)
	results, err := trials.TrialResults(study)
	expect.NoError(t, err)
	want := rows.Comparisons(results.ID, results.OutcomeMeasures, results.Arms)
	var raw []string // estimates, as the record has them
	for _, measure := range study.ResultsSection.OutcomeMeasuresModule.OutcomeMeasures {
		for _, analysis := range measure.Analyses {
			raw = append(raw, analysis.ParamValue)
		}
	}
	expect.Must(t, len(got) == len(want) && len(got) == len(raw), "%s: %d comparisons, want %d and %d", results.ID, len(got), len(want),
		len(raw))
	for i, row := range got {
		for n, cell := range rows.Cells(want[i]) {
			text, isText := row[n].(string)
			if !isText && row[n] != nil {
				number, err := json.Marshal(row[n])
				expect.NoError(t, err)
				text = string(number)
			}
			expect.That(t, text == cell, "%s, comparison %d, %s: %q, want %q", results.ID, i, names[n], text, cell)
		}
		estimate, noNumber := row[slices.Index(names, "estimate")], strings.Trim(raw[i], "0123456789.-") != "" || raw[i] == ""
		expect.That(t, (estimate == nil) == noNumber, "%s: %v of %q", results.ID, estimate, raw[i])
	}
	return len(got)
}
