package filters

import (
	"errors"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/ranges"
)

// fieldValue matches the syntax of another search language, which the registry would read as words: phase:3.
var fieldValue = lazyregexp.New(`^([A-Za-z_]+)\s*[:=]+\s*(?:"([^"]+)"|([^\s"]+))$`)

// pairsError returns the error for an expression of field values in the syntax of another language, with the call in which arguments of
// these names have them; nil for any other expression.
func pairsError(args tools.TrialFilters, forms string) error {
	change, given, certain := map[string]any{"expression": nil}, args.Given(), true
	for pair := range strings.SplitSeq(args.Expression, " AND ") {
		m := fieldValue.FindStringSubmatch(strings.TrimSpace(pair))
		if m == nil {
			return nil
		}
		name := strings.ToLower(m[1])
		certain = certain && slices.Contains(args.Names(), name) && !slices.Contains(given, name) && change[name] == nil
		change[name] = m[2] + m[3]
	}
	m := unreadable("expression", args.Expression,
		envelope.Quoted(args.Expression)+" is not in the registry's syntax, which is AREA[Field]value", forms)
	if certain {
		m.change = change
	}
	return m
}

// checkExpression returns the error for an expression that the registry cannot read.
func checkExpression(args tools.TrialFilters) error {
	const forms = "an expression of the pieces of a record, such as " + `AREA[Phase]PHASE3 AND AREA[Sex]"ALL"; plain words belong in query`
	if err := query.CheckExpression(args.Expression); err != nil {
		return unreadable("expression", args.Expression, err.Error(), forms)
	}
	return pairsError(args, forms)
}

// ageError returns the error for a text that is not an age. counts reports whether the called tool counts age groups.
func ageError(text string, counts bool, err error) error {
	forms := "the age of one person: a whole number of years, or of another unit (58, 6 months, 10 days)"
	if counts {
		forms += "; by age_group counts the trials of each age group"
	}
	return unreadable("age", text, err.Error(), forms)
}

// rangeError returns the error for a text that is no range of dates or numbers.
func rangeError(argument, text, kind string, err error) error {
	forms := ranges.NumberForms
	if kind == "dates" {
		forms = ranges.DateForms
	}
	m := unreadable(argument, text, err.Error(), forms)
	if wrong, ok := errors.AsType[*ranges.Problem](err); ok && wrong.Instead != "" {
		m.change = map[string]any{argument: wrong.Instead}
	}
	return m
}

// unreadable returns the error for a value in no form of the argument.
func unreadable(argument, text, reason, forms string) Misread {
	return Misread{Argument: argument, Text: text, short: true, Reason: reason, Again: "with " + forms}
}
