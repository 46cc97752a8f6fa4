package toolgen

import (
	"fmt"
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"
)

// An owner has arguments: a tool, an entry of filters, or an object.
type owner struct {
	name       string
	operations []*operation // operations whose parameters a param may name
	specs      map[string]*spec
	words      *dictionary
	filters    bool // the owner is an entry of filters
	args       []Argument
}

func (o *owner) arguments(nodes []yaml.Node) ([]Argument, error) {
	for i := range nodes {
		if err := o.argument(&nodes[i]); err != nil {
			return nil, err
		}
	}
	return o.args, o.checkNames()
}

// argument parses one argument and appends it.
func (o *owner) argument(n *yaml.Node) error {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if err := onlyKeys[Argument](n, o.name+": an argument"); err != nil {
		return err
	}
	if err := listOf(n, "fields"); err != nil {
		return err
	}
	a := Argument{line: n.Line, shared: o.filters}
	if err := n.Decode(&a); err != nil {
		return fmt.Errorf("tools.yaml: %w", err)
	}
	if err := o.check(&a); err != nil {
		return mistake(a.line, "%s: argument %s: %w", o.name, a.Name, err)
	}
	if err := o.add(a); err != nil {
		return mistake(a.line, "%s: %w", o.name, err)
	}
	if a.Type != "object" {
		return o.describe()
	}
	if slices.ContainsFunc(a.FieldNodes, func(field yaml.Node) bool { return child(&field, "fields") != nil }) {
		return mistake(a.line, "%s: argument %s: fields have no fields of their own", o.name, a.Name)
	}
	fields := owner{name: o.name, operations: o.operations, specs: o.specs}
	var err error
	last := &o.args[len(o.args)-1]
	last.object = exported(o.name) + exported(a.Name)
	if last.Fields, err = fields.arguments(a.FieldNodes); err != nil {
		return err
	}
	if err := last.checkItems(); err != nil {
		return mistake(a.line, "%s: argument %s: %w", o.name, a.Name, err)
	}
	return o.describe()
}

// describe sets the words of the last argument. The words of a field are set with those of its object.
func (o *owner) describe() error {
	if o.words == nil {
		return nil
	}
	return o.words.describe(o.name, &o.args[len(o.args)-1])
}

// share appends the arguments of shared filters.
func (o *owner) share(f *Filters) error {
	i := slices.IndexFunc(o.operations, f.Operation.same)
	if i < 0 {
		return fmt.Errorf("filters %s are of %s, which is not among the tool's upstream operations", f.Name, f.Upstream)
	}
	for _, c := range f.Operation.Copies {
		if o.operations[i].copies(c.Field) {
			return fmt.Errorf("filters %s: another argument is copied into %s", f.Name, c.Field)
		}
	}
	o.operations[i].Shared = f.Operation.Copies
	for _, a := range f.Args {
		if err := o.add(a); err != nil {
			return err
		}
	}
	return nil
}

// add appends an argument with a unique name.
func (o *owner) add(a Argument) error {
	if slices.ContainsFunc(o.args, func(other Argument) bool { return exported(other.Name) == exported(a.Name) }) {
		return fmt.Errorf("argument %s: a second argument of this name (%s in Go)", a.Name, exported(a.Name))
	}
	o.args = append(o.args, a)
	return nil
}

// checkNames checks that every name belongs to one argument.
func (o *owner) checkNames() error {
	all := names{}
	for _, a := range o.args {
		if err := all.add(a.Name, a.Name); err != nil {
			return mistake(a.line, "%s: argument %s: %w", o.name, a.Name, err)
		}
	}
	if o.words == nil { // fields, whose words follow
		return nil
	}
	for _, a := range o.args {
		tagged := slices.Concat(slices.Collect(maps.Values(a.Tags))...)
		if err := all.add(a.Name, slices.Concat(a.Also, a.InsteadOf, tagged)...); err != nil {
			return wordsError(max(1, a.wordsLine), "%s: argument %s: also, instead_of: %w", o.name, a.Name, err)
		}
		for key, others := range map[string][]string{"with": {a.With}, "direction": {a.Direction}, "or": a.Or} {
			for _, other := range others {
				if other != "" && !slices.ContainsFunc(o.args, func(a Argument) bool { return a.Name == other }) {
					return mistake(a.line, "%s: argument %s: %s %s, which is not an argument", o.name, a.Name, key, other)
				}
			}
		}
	}
	return nil
}
