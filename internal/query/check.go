package query

import (
	"errors"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// CheckExpression returns an error, in words for the caller, if an expression closes the parentheses around it or matches every trial.
func CheckExpression(text string) error {
	err := Closed(text)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrAll):
		return errors.New(`ALL without quotation marks matches every trial; the value of a field is "ALL" in quotation marks`)
	}
	if wrong := badOperator(text); wrong != "" {
		return errors.New(wrong)
	}
	return errors.New("its parentheses, brackets and quotation marks are not in pairs")
}

var operator = lazyregexp.New(`[A-Za-z]+ ?\[`)

// badOperator returns a sentence about the first word before a bracket that is no operator of the registry, "" if all are.
func badOperator(text string) string {
	operators := BracketOperators()
	for _, found := range operator.FindAllString(text, -1) {
		word := strings.TrimRight(found, " [")
		switch capitals := strings.ToUpper(word); {
		case slices.Contains(operators, word):
		case slices.Contains(operators, capitals):
			return "operators are written in capitals: " + capitals + "[ in place of " + word + "["
		default:
			return word + "[ is not an operator; the operators are " + strings.Join(operators, ", ")
		}
	}
	return ""
}
