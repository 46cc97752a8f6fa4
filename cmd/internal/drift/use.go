package drift

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A Use is how the project uses an upstream.
type Use struct {
	// Record is the schema of the record that has the fields, such as Study.
	Record string
	// Paths are the paths from the record to the fields, by field name. A path is property names joined by dots. A field without one is
	// named by its path.
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
	Commands   []string // commands that read the fields on their own, such as biofact mirror
	Operations []string // operation ids; empty for an answer from records that are stored already
	Fields     []string // fields that it requests or reads; empty if it may read the complete record
	Reads      []string // other places that it reads, such as SCHEMA.PROPERTY
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
	fields, arguments, tools, commands set
	answer                             bool // a tool reads this place of an answer
	request                            bool // a request fills this place
}

func (m *mark) used() bool { return m.answer || m.request }

// add adds the uses of another mark.
func (m *mark) add(other *mark) {
	m.fields, m.arguments = m.fields.with(other.fields), m.arguments.with(other.arguments)
	m.tools, m.commands = m.tools.with(other.tools), m.commands.with(other.commands)
	m.answer, m.request = m.answer || other.answer, m.request || other.request
}

// A set is a sorted list of names.
type set []string

// with returns a set that also has the names of another one.
func (s set) with(other set) set {
	if len(other) == 0 || len(other) == 1 && slices.Contains(s, other[0]) {
		return s
	}
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(s, other))))
}

// sorted returns the names; never nil.
func (s set) sorted() []string { return append([]string{}, s.with(nil)...) }

// marks are the uses of the committed document, by path. The mark of an operation has the tools that call it.
type marks map[string]*mark

// mark returns the use of a place, or an empty mark.
func (m marks) mark(path string) *mark {
	if found := m[path]; found != nil {
		return found
	}
	return &mark{}
}

// below returns all uses of a place and of the places below it.
func (m marks) below(path string) *mark {
	all := &mark{}
	for place, k := range m {
		if place == path || strings.HasPrefix(place, path+".") {
			all.add(k)
		}
	}
	return all
}

// A marker walks through the used places of the committed document.
type marker struct {
	document
	marks
	record string
}

// markUse finds the places that the project uses.
func markUse(d document, use Use) (marks, error) {
	m := marker{document: d, marks: marks{}, record: use.Record}
	var all []string
	for _, t := range use.Tools {
		if len(t.Operations) > 0 {
			all = append(all, t.Name)
		}
		for _, field := range t.Fields {
			if err := m.field(field, cmp.Or(use.Paths[field], field), t); err != nil {
				return nil, err
			}
		}
		for _, place := range t.Reads {
			m.note("components.schemas."+place, &mark{answer: true, tools: set{t.Name}})
		}
		stop := use.Record
		if len(t.Fields) == 0 {
			stop = ""
		}
		for _, id := range t.Operations {
			if err := m.operation(id, []string{t.Name}, use.Sent[id], t.Arguments, stop); err != nil {
				return nil, err
			}
		}
		for _, a := range t.Arguments {
			if a.Values != "" {
				m.note("components.schemas."+a.Values, &mark{request: true, arguments: set{t.Name + "." + a.Name}, tools: set{t.Name}})
			}
		}
	}
	for _, id := range use.Called {
		if err := m.operation(id, all, use.Sent[id], nil, use.Record); err != nil {
			return nil, err
		}
	}
	m.note("servers", &mark{tools: all})
	m.note("security", &mark{tools: all})
	return m.marks, nil
}

func (m *marker) note(path string, use *mark) {
	if m.marks[path] == nil {
		m.marks[path] = &mark{}
	}
	m.marks[path].add(use)
}

// field marks the path from the record to a field and everything below the field.
func (m *marker) field(field, path string, by Tool) error {
	use := &mark{answer: true, fields: set{field}, tools: set{by.Name}, commands: by.Commands}
	at := "components.schemas." + m.record
	n := child(m.schemas(), m.record)
	m.note(at, use)
	for step := range strings.SplitSeq(path, ".") {
		n, at = m.enter(n, at, use)
		if n = child(child(n, "properties"), step); n == nil {
			return fmt.Errorf("the field %s: %s has no property %s", field, at, step)
		}
		at += "." + step
		m.note(at, use)
	}
	m.reach(n, at, use, map[string]bool{m.record: true})
	return nil
}

// enter follows references and lists to the schema that has properties.
func (m *marker) enter(n *yaml.Node, at string, use *mark) (*yaml.Node, string) {
	for range deepest {
		if name, ok := strings.CutPrefix(ref(n), schemaRef); ok {
			n, at = child(m.schemas(), name), "components.schemas."+name
		} else if items := child(n, "items"); items != nil {
			n, at = items, at+"[]"
		} else {
			break
		}
		m.note(at, use)
	}
	return n, at
}

// reach marks everything that a schema reaches, except for the schemas in seen.
func (m *marker) reach(n *yaml.Node, at string, use *mark, seen map[string]bool) {
	if name, ok := strings.CutPrefix(ref(n), schemaRef); ok {
		if seen[name] {
			return
		}
		seen[name] = true
		n, at = child(m.schemas(), name), "components.schemas."+name
		m.note(at, use)
	}
	if items := child(n, "items"); items != nil {
		m.note(at+"[]", use)
		m.reach(items, at+"[]", use, seen)
	}
	properties := child(n, "properties")
	for _, name := range keys(properties) {
		m.note(at+"."+name, use)
		m.reach(child(properties, name), at+"."+name, use, seen)
	}
}

// operation marks an operation that tools call, the parameters that are sent to it, and its answer up to the schema stop. The fields of
// the record are marked by field.
func (m *marker) operation(id string, tools, sent []string, arguments []Argument, stop string) error {
	at, op := m.find(id)
	if op == nil {
		return fmt.Errorf("the document has no operation %s", id)
	}
	m.note(at, &mark{tools: tools})
	missing := slices.Clone(sent)
	for _, p := range list(child(op, "parameters")) {
		p = m.resolve(p)
		name := scalar(child(p, "name"))
		missing = slices.DeleteFunc(missing, func(other string) bool { return other == name })
		use := &mark{request: true, tools: tools}
		if own := slices.IndexFunc(arguments, func(a Argument) bool { return a.Param == name }); own >= 0 {
			use.arguments = set{tools[0] + "." + arguments[own].Name}
		} else if scalar(child(p, "in")) != "path" && !slices.Contains(sent, name) { // path parameters are always sent
			continue
		}
		m.note(at+".parameters."+name, use)
		m.reach(child(p, "schema"), at+".parameters."+name, use, map[string]bool{})
	}
	if len(missing) > 0 {
		return fmt.Errorf("the operation %s has no parameter %s", id, missing[0])
	}
	responses := child(op, "responses")
	for _, status := range keys(responses) {
		const json = "application/json"
		media := child(child(m.resolve(child(responses, status)), "content"), json)
		if media == nil || !strings.HasPrefix(status, "2") {
			continue
		}
		place, use := at+".responses."+status, &mark{answer: true, tools: tools}
		m.note(place, use)
		m.note(place+"."+json, use)
		m.reach(child(media, "schema"), place+"."+json, use, map[string]bool{stop: true})
	}
	return nil
}

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
