package essie

import (
	"errors"

	"github.com/biofact-mcp/biofact/internal/registry"
)

// CheckExpression returns an error, in words for the caller, if an expression closes the parentheses around it or matches every trial.
func CheckExpression(text string) error {
	switch err := registry.Closed(text); {
	case errors.Is(err, registry.ErrAll):
		return errors.New(`ALL without quotation marks matches every trial; the value of a field is "ALL" in quotation marks`)
	case err != nil:
		return errors.New("its parentheses, brackets and quotation marks are not in pairs")
	}
	return nil
}
