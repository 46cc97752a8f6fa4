package essie

import (
	"errors"

	"github.com/biofact-mcp/biofact/internal/registry"
)

// CheckExpression checks that a caller's expression stays within the parentheses around it, and
// that it cannot stand for every trial. The error is a sentence.
func CheckExpression(text string) error {
	switch err := registry.Closed(text); {
	case errors.Is(err, registry.ErrAll):
		return errors.New(`ALL without quotation marks matches every trial; the value of a field is "ALL" in quotation marks`)
	case err != nil:
		return errors.New("its parentheses, brackets and quotation marks are not in pairs")
	}
	return nil
}
