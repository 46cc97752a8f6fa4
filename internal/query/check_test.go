package query_test

import (
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/query"
)

func TestCheckExpression(t *testing.T) {
	t.Parallel()
	for text, good := range map[string]bool{
		"AREA[ArmGroupType]SHAM_COMPARATOR": true, `AREA[Sex]"ALL"`: true, "(a OR b) AND c": true, `heart "all of them"`: true,
		`\ALL`: true, "all": true, `a \( b`: true,
		"SEARCH[Location](AREA[LocationCity]Boston AND AREA[LocationStatus]RECRUITING)": true,
		"ALL": false, "a OR ALL": false, "AREA[Sex]ALL": false, "a) OR (b": false, "(a": false, `"a`: false, `a\`: false, "a [b]": false,
		"AREA[Phase":                             false,
		`a\" )) OR ALL OR (( "diabetes B \" C "`: false, `a\"a OR ALL OR "diabetes B \" C "`: false, `AREA["]x) OR ALL OR (AREA["]x`: false,
		`a\" )) OR b OR (( "c \" d "`: false,
	} {
		err := query.CheckExpression(text)
		expect.That(t, (err == nil) == good, "%s: %v", text, err)
	}
}

// TestWrongOperator checks that the error names the word before a bracket.
func TestWrongOperator(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"area[Phase]PHASE3":      "operators are written in capitals: AREA[ in place of area[",
		"tilt[StartDate]asthma":  "operators are written in capitals: TILT[ in place of tilt[",
		"TILT[StartDate]asthma)": "its parentheses, brackets and quotation marks are not in pairs",
		"COVER[FullMatch]asthma": "COVER[ is not an operator; " +
			"the operators are AREA, SEARCH, RANGE, EXPANSION, COVERAGE, DISTANCE, TILT",
		"AREA[StartDate]range[2020,MAX]": "operators are written in capitals: RANGE[ in place of range[",
		"AREA[Phase":                     "its parentheses, brackets and quotation marks are not in pairs",
	} {
		err := query.CheckExpression(text)
		expect.That(t, err != nil && err.Error() == want, "%s: %v", text, err)
	}
}

// FuzzExpression: a valid expression is one operand next to a filter.
func FuzzExpression(f *testing.F) {
	for _, text := range []string{"a", "a) OR (b", `a\" OR "b`, `AREA["]x) OR (AREA["]x`, "RANGE[1,2]", "ALL", `\`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if query.CheckExpression(text) != nil {
			return
		}
		n, err := query.Parse("AREA[Phase]NA AND ("+text+")", query.AreaNamed("BasicSearch"))
		if err != nil || n == nil {
			return
		}
		if and, ok := n.(query.And); ok {
			n = and[0] // else the text has no word
		}
		_, first := n.(query.Value)
		expect.That(t, first, "%q: %#v", text, n)
	})
}
