package toolgen

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// The default limits of an argument.
const (
	MaxText  = 2000 // characters: a few sentences
	MaxItems = 100  // of a list: the maximum of one request to a source
)

// limit sets the default limits of an argument. An argument with choices needs no limit.
func (a *Argument) limit() {
	if a.Type == "string" && a.MaxLength == 0 && len(a.Choices) == 0 {
		a.MaxLength = MaxText
	}
	if a.List && a.MaxItems == 0 && len(a.Choices) == 0 {
		a.MaxItems = MaxItems
	}
}

// names maps a folded name to its owner.
type names map[string]string

// add records the names of a tool or an argument. A duplicate name is an error, because it would be ambiguous.
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

// checkToolNames checks that every name belongs to one tool. The tools' own names come first, so that no other name can hide them.
func checkToolNames(tools []*Tool) error {
	all := names{}
	for _, t := range tools {
		if err := all.add(t.Name, t.Name); err != nil {
			return mistake(t.line, "%s: %w", t.Name, err)
		}
	}
	for _, t := range tools {
		elsewhere := func(name string) bool { // a tool has the name, which may not be served
			return slices.ContainsFunc(tools, func(other *Tool) bool { return other.Name == name && other.Toolset != t.Toolset })
		}
		if err := all.add(t.Name, append(t.Also, slices.DeleteFunc(slices.Clone(t.InsteadOf), elsewhere)...)...); err != nil {
			return wordsError(t.wordsLine, "%s: also, instead_of: %w", t.Name, err)
		}
	}
	for _, t := range tools {
		if err := t.resolve(tools); err != nil {
			return wordsError(t.wordsLine, "%s: elsewhere: %w", t.Name, err)
		}
	}
	return nil
}

// resolve finds the arguments of other tools that a tool names.
func (t *Tool) resolve(tools []*Tool) error {
	for _, to := range slices.Sorted(maps.Keys(t.Elsewhere)) {
		name, argument, _ := strings.Cut(to, ".")
		lead := Lead{Tool: name, Argument: argument}
		for _, n := range t.Elsewhere[to] {
			if beside, ok := strings.CutPrefix(n, "+"); ok {
				lead.Beside = append(lead.Beside, beside)
			} else {
				lead.Names = append(lead.Names, n)
			}
		}
		i := slices.IndexFunc(tools, func(other *Tool) bool { return other.Name == name && other != t })
		if i < 0 || !slices.ContainsFunc(tools[i].Args, func(a Argument) bool { return a.Name == argument }) {
			return fmt.Errorf("%s: want TOOL.ARGUMENT of another tool", to)
		}
		for _, a := range tools[i].Args {
			switch {
			case a.Required:
				lead.Needs = a.Name
			case a.Name == argument && a.With != "":
				lead.Needs = a.With
			}
		}
		if err := (names{}).add(to, lead.Names...); err != nil {
			return err
		}
		for _, n := range lead.Names {
			if slices.ContainsFunc(t.Args, func(a Argument) bool { return a.Name == n }) {
				return fmt.Errorf("name %s: it is an argument of the tool", n)
			}
		}
		t.Leads = append(t.Leads, lead)
	}
	return nil
}
