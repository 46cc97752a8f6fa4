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

// A parser parses tools.yaml into a contract and checks each entry.
type parser struct {
	specs map[string]*spec
	words *dictionary
	Contract
}

// parse parses tools.yaml. Errors have the line and the entry.
func parse(in Inputs, specs map[string]*spec) (*Contract, error) {
	entries, err := entries(in.Tools)
	if err != nil {
		return nil, err
	}
	words, err := readWords(in.Words)
	if err != nil {
		return nil, err
	}
	p := parser{specs: specs, words: words, Contract: Contract{Hosts: words.hosts}}
	for _, n := range entries {
		read := p.tool
		switch {
		case child(n, "filters") != nil:
			read = p.filters
		}
		if err := read(n); err != nil {
			return nil, err
		}
	}
	if err := p.readPrompts(in.Prompts); err != nil {
		return nil, err
	}
	if err := words.unread(); err != nil {
		return nil, err
	}
	return &p.Contract, checkToolNames(p.Tools)
}

// readPrompts parses prompts.yaml, which may be empty.
func (p *parser) readPrompts(document []byte) error {
	if len(document) == 0 {
		return nil
	}
	all, err := entries(document)
	for _, n := range all {
		if err == nil {
			err = p.prompt(n)
		}
	}
	if err != nil {
		return errors.New(strings.Replace(err.Error(), "tools.yaml", "prompts.yaml", 1))
	}
	return nil
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
	if err := onlyKeys[Filters](n, "filters"); err != nil {
		return err
	}
	if err := listOf(n, "args"); err != nil {
		return err
	}
	f := &Filters{}
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
	if _, _, err := p.words.ofTool(f.Name); err != nil {
		return err
	}
	o := owner{name: f.Name, operations: []*operation{op}, specs: p.specs, words: p.words, filters: true}
	if f.Args, err = o.arguments(f.ArgNodes); err != nil {
		return err
	}
	for i := range f.Args {
		a := f.Args[i]
		if a.Type == "object" || a.Required {
			return mistake(a.line, "%s: argument %s: a filter cannot be an object, and cannot be required", f.Name, a.Name)
		}
	}
	p.Filters = append(p.Filters, f)
	return nil
}

// tool parses an entry that is a tool.
func (p *parser) tool(n *yaml.Node) error {
	if err := onlyKeys[Tool](n, "a tool"); err != nil {
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
	var err error
	if t.ToolWords, t.wordsLine, err = p.words.ofTool(t.Name); err != nil {
		return err
	}
	if t.wordsLine == 0 {
		t.wordsLine = 1
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
	o := owner{name: t.Name, operations: t.Operations, specs: p.specs, words: p.words}
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
	t.complete()
	if i := slices.IndexFunc(t.Own(), func(a Argument) bool { return a.Piece != "" }); i >= 0 {
		return mistake(t.Own()[i].line, "%s: argument %s: a piece is for filters", t.Name, t.Own()[i].Name)
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
