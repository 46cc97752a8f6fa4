package toolgen

import (
	"fmt"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// The limits of an argument that tools.yaml gives none.
const (
	MaxText  = 2000 // characters: a few sentences
	MaxItems = 100  // of a list: what one request to a source can carry
)

// limit sets the limits of an argument that has none of its own. A closed
// choice limits itself.
func (a *Argument) limit() {
	if a.Type == "string" && a.MaxLength == 0 && len(a.Choices) == 0 {
		a.MaxLength = MaxText
	}
	if a.List && a.MaxItems == 0 && len(a.Choices) == 0 {
		a.MaxItems = MaxItems
	}
}

// names maps a folded name to what has it.
type names map[string]string

// add records the names of one tool or argument. A name that is taken is an
// error: it would lead to two places.
func (n names) add(owner string, all ...string) error {
	for _, name := range all {
		folded := entity.Fold(name)
		if folded == "" {
			return fmt.Errorf("name %q: want letters and digits", name)
		}
		if other, taken := n[folded]; taken {
			return fmt.Errorf("name %s: %s has it", name, other)
		}
		n[folded] = owner
	}
	return nil
}

// checkToolNames checks that every name leads to one tool. The names that tools
// have come first: no other name may hide one.
func checkToolNames(tools []*Tool) error {
	all := names{}
	for _, t := range tools {
		if err := all.add(t.Name, t.Name); err != nil {
			return mistake(t.line, "%s: %w", t.Name, err)
		}
	}
	for _, t := range tools {
		if err := all.add(t.Name, append(t.Also, t.InsteadOf...)...); err != nil {
			return mistake(t.line, "%s: also, instead_of: %w", t.Name, err)
		}
	}
	return nil
}

// checkNames does the same for the arguments of a tool.
func (o *owner) checkNames() error {
	all := names{}
	for _, a := range o.args {
		if err := all.add(a.Name, a.Name); err != nil {
			return mistake(a.line, "%s: argument %s: %w", o.name, a.Name, err)
		}
	}
	for _, a := range o.args {
		if err := all.add(a.Name, append(a.Also, a.InsteadOf...)...); err != nil {
			return mistake(a.line, "%s: argument %s: also, instead_of: %w", o.name, a.Name, err)
		}
	}
	return nil
}
