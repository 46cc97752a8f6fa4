package drift

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A Use is how the project uses an upstream.
type Use struct {
	// Record is the schema of the record that has the fields, such as Study.
	Record string
	// Paths are the paths from the record to the fields, by field name. A path is property names joined by dots.
	Paths map[string]string
	Tools []Tool
	// Called are operations that the service calls without a tool that names them. They concern all tools.
	Called []string
	// Sent are parameters that the service fills itself, by operation.
	Sent map[string][]string
}

// A Tool is a tool that the upstream serves.
type Tool struct {
	Name       string
	Operations []string // operation ids
	Fields     []string // fields that it requests; empty if it may read the complete record
	Arguments  []Argument
}

// An Argument is an argument of a tool.
type Argument struct {
	Name   string
	Param  string // parameter into which it is copied; may be empty
	Values string // schema of its known values; may be empty
}

// A mark is the use of one place of the document.
type mark struct {
	fields, arguments, tools set
	answer                   bool // a tool reads this place of an answer
	request                  bool // a request fills this place
}

func (m *mark) used() bool { return m.answer || m.request }

type set map[string]bool

func (s set) add(names ...string) {
	for _, name := range names {
		s[name] = true
	}
}

func (s set) sorted() []string {
	return append([]string{}, slices.Sorted(maps.Keys(s))...)
}

// marks are the uses of the committed document, by path.
type marks struct {
	at         map[string]*mark
	operations map[string][]string // tools by path of the operation
	tools      []string            // all tools
}

// mark returns the use of a place, or an empty mark.
func (m *marks) mark(path string) *mark {
	if found := m.at[path]; found != nil {
		return found
	}
	return &mark{}
}

// A marker walks through the used places of the committed document.
type marker struct {
	document
	*marks
	record string
}

// markUse finds the places that the project uses.
func markUse(d document, use Use) (*marks, error) {
	m := marker{document: d, marks: &marks{at: map[string]*mark{}, operations: map[string][]string{}}, record: use.Record}
	for _, t := range use.Tools {
		m.tools = append(m.tools, t.Name)
		for _, field := range t.Fields {
			if err := m.field(field, use.Paths[field], t.Name); err != nil {
				return nil, err
			}
		}
		for _, id := range t.Operations {
			stop := use.Record
			if len(t.Fields) == 0 {
				stop = ""
			}
			if err := m.operation(id, []string{t.Name}, use.Sent[id], t.Arguments, stop); err != nil {
				return nil, err
			}
		}
		for _, a := range t.Arguments {
			if a.Values != "" {
				m.note("components.schemas."+a.Values, func(k *mark) {
					k.request = true
					k.arguments.add(t.Name + "." + a.Name)
					k.tools.add(t.Name)
				})
			}
		}
	}
	for _, id := range use.Called {
		if err := m.operation(id, m.tools, use.Sent[id], nil, use.Record); err != nil {
			return nil, err
		}
	}
	return m.marks, nil
}

func (m *marker) note(path string, with func(*mark)) {
	if m.at[path] == nil {
		m.at[path] = &mark{fields: set{}, arguments: set{}, tools: set{}}
	}
	with(m.at[path])
}

// field marks the path from the record to a field and everything below the field.
func (m *marker) field(field, path, tool string) error {
	if path == "" {
		return fmt.Errorf("the field %s has no path", field)
	}
	with := func(k *mark) {
		k.answer = true
		k.fields.add(field)
		k.tools.add(tool)
	}
	at := "components.schemas." + m.record
	n := child(m.schemas(), m.record)
	m.note(at, with)
	for step := range strings.SplitSeq(path, ".") {
		n, at = m.enter(n, at, with)
		if n = child(child(n, "properties"), step); n == nil {
			return fmt.Errorf("the field %s: %s has no property %s", field, at, step)
		}
		at += "." + step
		m.note(at, with)
	}
	m.below(n, at, with, m.record)
	return nil
}

// enter follows references and lists to the schema that has properties.
func (m *marker) enter(n *yaml.Node, at string, with func(*mark)) (*yaml.Node, string) {
	for range deepest {
		if name, ok := strings.CutPrefix(ref(n), schemaRef); ok {
			n, at = child(m.schemas(), name), "components.schemas."+name
		} else if items := child(n, "items"); items != nil {
			n, at = items, at+"[]"
		} else {
			break
		}
		m.note(at, with)
	}
	return n, at
}

// below marks everything that a schema reaches, except for the schema stop.
func (m *marker) below(n *yaml.Node, at string, with func(*mark), stop string) {
	m.reach(n, at, with, map[string]bool{stop: true})
}

func (m *marker) reach(n *yaml.Node, at string, with func(*mark), seen map[string]bool) {
	if name, ok := strings.CutPrefix(ref(n), schemaRef); ok {
		if seen[name] {
			return
		}
		seen[name] = true
		n, at = child(m.schemas(), name), "components.schemas."+name
		m.note(at, with)
	}
	if items := child(n, "items"); items != nil {
		m.note(at+"[]", with)
		m.reach(items, at+"[]", with, seen)
	}
	properties := child(n, "properties")
	for _, name := range keys(properties) {
		m.note(at+"."+name, with)
		m.reach(child(properties, name), at+"."+name, with, seen)
	}
}

// operation marks an operation that tools call, the parameters that are sent to it, and its answer up to the schema stop. The fields of
// the record are marked by field.
func (m *marker) operation(id string, tools, sent []string, arguments []Argument, stop string) error {
	at, op := m.find(id)
	if op == nil {
		return fmt.Errorf("the document has no operation %s", id)
	}
	for _, name := range tools {
		if !slices.Contains(m.operations[at], name) {
			m.operations[at] = append(m.operations[at], name)
		}
	}
	known := set{}
	for _, p := range list(child(op, "parameters")) {
		p = m.resolve(p)
		name := scalar(child(p, "name"))
		known.add(name)
		with := func(k *mark) {
			k.request = true
			k.tools.add(tools...)
		}
		own := slices.IndexFunc(arguments, func(a Argument) bool { return a.Param == name })
		inPath := scalar(child(p, "in")) == "path" // path parameters are always sent
		if own < 0 && !inPath && !slices.Contains(sent, name) {
			continue
		}
		if own >= 0 {
			service := with
			with = func(k *mark) {
				service(k)
				k.arguments.add(tools[0] + "." + arguments[own].Name)
			}
		}
		m.note(at+".parameters."+name, with)
		m.below(child(p, "schema"), at+".parameters."+name, with, "")
	}
	for _, name := range sent {
		if !known[name] {
			return fmt.Errorf("the operation %s has no parameter %s", id, name)
		}
	}
	responses := child(op, "responses")
	for _, status := range keys(responses) {
		if !success(status) {
			continue
		}
		content := child(m.resolve(child(responses, status)), "content")
		place := at + ".responses." + status + ".application/json"
		with := func(k *mark) {
			k.answer = true
			k.tools.add(tools...)
		}
		if media := child(content, "application/json"); media != nil {
			m.note(at+".responses."+status, with)
			m.note(place, with)
			m.below(child(media, "schema"), place, with, stop)
		}
	}
	return nil
}

func success(status string) bool { return strings.HasPrefix(status, "2") }

// methods are the keys of a path that are operations.
var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace"}

// find returns an operation and its place, by operation id.
func (m *marker) find(id string) (string, *yaml.Node) {
	paths := child(m.root, "paths")
	for _, path := range keys(paths) {
		for _, method := range methods {
			if op := child(child(paths, path), method); scalar(child(op, "operationId")) == id {
				return "paths." + path + "." + method, op
			}
		}
	}
	return "", nil
}
