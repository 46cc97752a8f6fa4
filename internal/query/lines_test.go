package query_test

import (
	"fmt"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/query"
)

func TestLineTerms(t *testing.T) {
	t.Parallel()
	lines := []string{
		"Advanced NSCLC with an EGFR-mutation", "Brain metastases that were treated", "No metastasis of the liver or the brain",
		"Heart attacks in the last year", "egfr below 30",
	}
	for _, tt := range []struct{ expression, full, best string }{
		{"EGFR", "[[0 4]]", "[[0 4]]"},
		{"brain metastases", "[[1]]", "[[1]]"},
		{"brain AND metastases", "[[1 2] [1]]", "[[1 2] [1]]"},
		{`"metastases brain"`, "[[]]", "[[1]]"},
		{`EGFR mutations OR "last year"`, "[[0] [3]]", "[[0] [3]]"},
		{"myocardial infarction", "[[3]]", "[[]]"},
		{"EGFR NOT mutation", "[[0 4]]", "[[0 4]]"},
		{"NOT EGFR", "[]", "[]"},
		{"", "[]", "[]"},
		{"treated brain year", "[[]]", "[[1]]"},
	} {
		terms, err := query.LineTerms(tt.expression, "EligibilityCriteria")
		expect.NoError(t, err)
		full, best := [][]int{}, [][]int{}
		for _, term := range terms {
			full, best = append(full, term.FullMatches(lines)), append(best, term.BestMatches(lines))
		}
		expect.Is(t, fmt.Sprint(full), tt.full, "%s: full", tt.expression)
		expect.Is(t, fmt.Sprint(best), tt.best, "%s: best", tt.expression)
	}
	_, err := query.LineTerms("(EGFR", "EligibilityCriteria")
	expect.That(t, err != nil, "a parenthesis without its partner is no expression")
}
