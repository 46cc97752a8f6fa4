package display

import (
	"slices"
	"strings"
)

// A Schema is the output schema of a tool.
type Schema struct{ defs, root object }

// ReadSchema reads an output schema: the answer is the first branch, the error the second.
func ReadSchema(text []byte) Schema {
	parsed, err := Parse(text)
	if err != nil {
		panic(err) // the schema is generated
	}
	s := Schema{}
	s.defs, _ = parsed.envelope.Get("$defs").(object)
	s.root = s.properties(append(objects(parsed.envelope.Get("anyOf")), object{})[0])
	return s
}

func (s Schema) properties(reference object) object {
	properties, _ := s.defs.Get(strings.TrimPrefix(reference.Text("$ref"), "#/$defs/") + ".properties").(object)
	return properties
}

func (s Schema) items(list any) object {
	o, _ := list.(object)
	reference, _ := o.Get("items").(object)
	return s.properties(reference)
}

// Members returns the members of the answer, each with the members of its items.
func (s Schema) Members() map[string][]string {
	members := map[string][]string{}
	for _, m := range s.root {
		members[m.Name] = names(s.items(m.Value))
	}
	return members
}

// Fields returns the fields of the rows of the answer, or of a record, in order.
func (s Schema) Fields() []string { return names(s.row()) }

func (s Schema) row() object {
	for _, list := range append(slices.Clone(listMembers), "briefSummaries") {
		if row := s.items(s.root.Get(list)); len(row) > 0 {
			return row
		}
	}
	return s.root
}

// Columns returns the columns of the rows as CSV has them.
func (s Schema) Columns() []string { return s.columns(s.row(), "") }

func (s Schema) columns(row object, path string) (columns []string) {
	for _, m := range row {
		property, _ := m.Value.(object)
		if inner := s.properties(property); len(inner) > 0 {
			columns = append(columns, s.columns(inner, path+m.Name+".")...)
			continue
		}
		name := path + m.Name
		for prefix, argument := range map[string]string{"^NCT:": "nct_id", "^NCBIGene:": "entrez_id"} {
			if name == "id" && strings.HasPrefix(property.Text("pattern"), prefix) {
				name = argument
			}
		}
		columns = append(columns, name)
	}
	return columns
}

func names(o object) (all []string) {
	for _, m := range o {
		all = append(all, m.Name)
	}
	return all
}

// Select returns an answer whose rows, or whose record, have only some fields, in that order. No field means all. A record keeps its
// disclaimer.
func Select(text []byte, fields []string) ([]byte, error) {
	parsed, err := Parse(text)
	if err != nil || len(fields) == 0 {
		return text, err
	}
	answer, list := parsed.envelope, false
	for i, m := range answer {
		if rows, ok := m.Value.([]any); ok && (slices.Contains(listMembers, m.Name) || m.Name == "briefSummaries") {
			some := []any{}
			for _, row := range objects(rows) {
				some = append(some, selected(row, fields))
			}
			answer[i].Value, list = some, true
		}
	}
	if !list {
		answer = selected(answer, append(slices.Clone(fields), disclaimer))
	}
	return encoded(answer), nil
}

func selected(o object, fields []string) object {
	out := object{}
	for _, field := range fields {
		if value := o.Get(field); value != nil && out.Get(field) == nil {
			out = append(out, member{Name: field, Value: value})
		}
	}
	return out
}
