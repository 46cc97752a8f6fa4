// Package coverage compares the fields of a record, as the document of a source lists them, with the list of the fields that the
// mappers use. Each field is in an answer, or the list has a reason for leaving it out.
package coverage

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// A Row says how a field of the record is used, or all fields below a path.
type Row struct {
	// Path is the path of the field: property names joined by dots.
	Path string
	// Fields are the fields of answers that have its value, such as trial.arms.label. It is empty for a field that is left out.
	Fields []string
	// Note says how the answer differs, or why the field is left out.
	Note string
}

// A Table has the rows of a record, in the order of the list.
type Table []Row

// Parse parses a list. Each line has a path, the fields or a dash, and a note, separated by tabs.
func Parse(text []byte) (Table, error) {
	var table Table
	for line := range strings.Lines(string(text)) {
		path, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		fields, note, _ := strings.Cut(rest, "\t")
		row := Row{Path: path, Note: note}
		if fields != leftOut {
			row.Fields = strings.Split(fields, ", ")
		}
		switch {
		case fields == "" || strings.Contains(note, "\t"):
			return nil, fmt.Errorf("%q: want a path, the fields of answers or a dash, and a note", line)
		case fields == leftOut && note == "":
			return nil, fmt.Errorf("%s is left out without a reason", path)
		case table.find(path) != nil:
			return nil, fmt.Errorf("%s is listed twice", path)
		}
		table = append(table, row)
	}
	return table, nil
}

// leftOut replaces the fields of a row that is left out.
const leftOut = "-"

// find returns the row for a field, or nil.
func (t Table) find(path string) *Row {
	i := slices.IndexFunc(t, func(r Row) bool {
		return r.Path == path || len(r.Fields) == 0 && strings.HasPrefix(path, r.Path+".")
	})
	if i < 0 {
		return nil
	}
	return &t[i]
}

// Missing returns the fields of a record without a row.
func (t Table) Missing(leaves []string) []string {
	return slices.DeleteFunc(slices.Clone(leaves), func(path string) bool { return t.find(path) != nil })
}

// Answered returns the paths below a path whose fields are in answers.
func (t Table) Answered(path string) []string {
	var paths []string
	for _, r := range t {
		if len(r.Fields) > 0 && (r.Path == path || strings.HasPrefix(r.Path, path+".")) {
			paths = append(paths, r.Path)
		}
	}
	return paths
}

// Leaves returns the fields of a record that have no subfields, in alphabetical order of the properties.
func Leaves(document []byte, record string) ([]string, error) {
	spec, err := openapi3.NewLoader().LoadFromData(document)
	if err != nil {
		return nil, err
	}
	schema := spec.Components.Schemas[record]
	if schema == nil {
		return nil, fmt.Errorf("the document has no schema %s", record)
	}
	return leaves(nil, schema.Value, ""), nil
}

func leaves(found []string, schema *openapi3.Schema, path string) []string {
	for schema.Items != nil {
		schema = schema.Items.Value
	}
	if len(schema.Properties) == 0 {
		return append(found, path)
	}
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		found = leaves(found, schema.Properties[name].Value, strings.TrimPrefix(path+"."+name, "."))
	}
	return found
}
