package toolgen

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// The valid keys of an entry, in the order in which errors list them.
var (
	toolKeys = []string{"name", "title", "toolset", "description", "upstream", "returns", "errors", "args", "example", "beside", "parts",
		"page", "also", "instead_of", "elsewhere"}
	filterKeys = []string{"filters", "upstream", "args"}
	argKeys    = []string{
		"name", "param", "type", "list", "accept", "values", "description", "example", "default", "minimum", "maximum", "required", "with",
		"choices", "min_length", "max_length", "max_items", "fields", "plain", "also", "instead_of", "tags", "piece", "range", "means",
		"either", "service", "direction", "answered",
	}
)

// A parser parses tools.yaml into a contract and checks each entry.
type parser struct {
	specs map[string]*spec
	Contract
}

// parse parses tools.yaml. Errors have the line and the entry.
func parse(document []byte, specs map[string]*spec) (*Contract, error) {
	entries, err := entries(document)
	if err != nil {
		return nil, err
	}
	p := parser{specs: specs}
	for _, n := range entries {
		read := p.tool
		switch {
		case child(n, "filters") != nil:
			read = p.filters
		case child(n, "prompt") != nil:
			read = p.prompt
		}
		if err := read(n); err != nil {
			return nil, err
		}
	}
	return &p.Contract, checkToolNames(p.Tools)
}

// entries returns the entries of tools.yaml, which is a single list.
func entries(document []byte) ([]*yaml.Node, error) {
	var root, more yaml.Node
	dec := yaml.NewDecoder(bytes.NewReader(document))
	if err := dec.Decode(&root); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("tools.yaml: %w", err)
	}
	if err := dec.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, mistake(max(1, more.Line), "a second document: all tools must be in one")
	}
	if len(root.Content) != 1 || root.Content[0].Kind != yaml.SequenceNode {
		return nil, mistake(1, "the document must be a list of tools")
	}
	return root.Content[0].Content, nil
}

// filters parses an entry of arguments that several tools share.
func (p *parser) filters(n *yaml.Node) error {
	if err := onlyKeys(n, "filters", filterKeys); err != nil {
		return err
	}
	if err := listOf(n, "args"); err != nil {
		return err
	}
	f := &Filters{line: n.Line}
	if err := n.Decode(f); err != nil {
		return fmt.Errorf("tools.yaml: %w", err)
	}
	if !validName.MatchString(f.Name) {
		return mistake(n.Line, "filters %q: want letters, digits and underscores, a small letter first", f.Name)
	}
	if slices.ContainsFunc(p.Filters, func(other *Filters) bool { return exported(other.Name) == exported(f.Name) }) {
		return mistake(n.Line, "%s: a second entry of this name (%s in Go)", f.Name, exported(f.Name))
	}
	op, err := findOperation(p.specs, f.Upstream)
	if err != nil {
		return mistake(lineOf(n, "upstream"), "%s: %w", f.Name, err)
	}
	f.Operation = op
	o := owner{name: f.Name, operations: []*operation{op}, specs: p.specs, filters: true}
	if f.Args, err = o.arguments(f.ArgNodes); err != nil {
		return err
	}
	for i := range f.Args {
		a := f.Args[i]
		if a.Type == "object" || a.Required {
			return mistake(a.line, "%s: argument %s: a filter cannot be an object, and cannot be required", f.Name, a.Name)
		}
		if a.Service == (a.Param != "" || a.Piece != "") {
			return mistake(a.line, "%s: argument %s: want a param, a piece, or service: true if the service reads it", f.Name, a.Name)
		}
	}
	p.Filters = append(p.Filters, f)
	return nil
}

// tool parses an entry that is a tool.
func (p *parser) tool(n *yaml.Node) error {
	if err := onlyKeys(n, "a tool", toolKeys); err != nil {
		return err
	}
	if err := listOf(n, "args"); err != nil {
		return err
	}
	t := &Tool{line: n.Line}
	if err := n.Decode(t); err != nil {
		return fmt.Errorf("tools.yaml: %w", err)
	}
	if err := t.check(n, p.specs); err != nil {
		return err
	}
	if err := p.arguments(t); err != nil {
		return err
	}
	if err := t.checkSections(); err != nil {
		return mistake(lineOf(n, "args"), "%s: %w", t.Name, err)
	}
	if err := t.checkExample(n); err != nil {
		return err
	}
	if slices.ContainsFunc(p.Tools, func(other *Tool) bool { return exported(other.Name) == exported(t.Name) }) {
		return mistake(t.line, "%s: a second tool of this name (%s in Go)", t.Name, exported(t.Name))
	}
	p.Tools = append(p.Tools, t)
	return nil
}

// arguments parses the arguments of a tool and inserts its filters at the place where it names them.
func (p *parser) arguments(t *Tool) error {
	o := owner{name: t.Name, operations: t.Operations, specs: p.specs}
	for i := range t.ArgNodes {
		n := &t.ArgNodes[i]
		if child(n, "filters") == nil {
			if err := o.argument(n); err != nil {
				return err
			}
			continue
		}
		if t.Filters != nil {
			return mistake(n.Line, "%s: a tool takes its filters from one entry", t.Name)
		}
		f, err := p.named(n)
		if err != nil {
			return mistake(n.Line, "%s: %w", t.Name, err)
		}
		if err := o.share(f); err != nil {
			return mistake(n.Line, "%s: %w", t.Name, err)
		}
		t.Filters = f
	}
	t.Args = o.args
	if i := slices.IndexFunc(t.Own(), func(a Argument) bool { return a.Piece != "" || a.Service }); i >= 0 {
		return mistake(t.Own()[i].line, "%s: argument %s: piece and service are for filters", t.Name, t.Own()[i].Name)
	}
	return o.checkNames()
}

// named returns the filters that an item of a tool's arguments names.
func (p *parser) named(n *yaml.Node) (*Filters, error) {
	if len(n.Content) != 2 {
		return nil, errors.New("want {filters: NAME} without other keys")
	}
	name := child(n, "filters").Value
	var names []string
	for _, f := range p.Filters {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return nil, fmt.Errorf("filters %s: no such entry above; the entries are %s", name, strings.Join(names, ", "))
}

// An owner has arguments: a tool, an entry of filters, or an object.
type owner struct {
	name       string
	operations []*operation // operations whose parameters a param may name
	specs      map[string]*spec
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
	if err := onlyKeys(n, o.name+": an argument", argKeys); err != nil {
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
		return nil
	}
	bound := func(field yaml.Node) bool { return child(&field, "param") != nil || child(&field, "fields") != nil }
	if slices.ContainsFunc(a.FieldNodes, bound) {
		return mistake(a.line, "%s: argument %s: fields have no param and no fields of their own", o.name, a.Name)
	}
	fields := owner{name: o.name, specs: o.specs}
	var err error
	last := &o.args[len(o.args)-1]
	last.object = exported(o.name) + exported(a.Name)
	if last.Fields, err = fields.arguments(a.FieldNodes); err != nil {
		return err
	}
	if err := last.checkItems(); err != nil {
		return mistake(a.line, "%s: argument %s: %w", o.name, a.Name, err)
	}
	return nil
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

// onlyKeys checks that a node is a mapping without other keys.
func onlyKeys(n *yaml.Node, what string, keys []string) error {
	if n.Kind != yaml.MappingNode {
		return mistake(n.Line, "%s must be a mapping", what)
	}
	for i := 0; i < len(n.Content); i += 2 {
		if key := n.Content[i]; !slices.Contains(keys, key.Value) {
			return mistake(key.Line, "%s has no key %s; it has %s", what, key.Value, strings.Join(keys, ", "))
		}
	}
	return nil
}

// listOf checks that the value of an optional key is a list.
func listOf(n *yaml.Node, key string) error {
	value := child(n, key)
	if value == nil {
		return nil
	}
	if value.Kind == yaml.AliasNode {
		value = value.Alias
	}
	if value.Kind != yaml.SequenceNode {
		return mistake(value.Line, "%s must be a list", key)
	}
	return nil
}

// child returns the value of a key of a mapping, or nil.
func child(n *yaml.Node, key string) *yaml.Node {
	if n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// lineOf returns the line of a key's value, or of the mapping.
func lineOf(n *yaml.Node, key string) int {
	if c := child(n, key); c != nil {
		return c.Line
	}
	return n.Line
}
