package toolgen

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/invopop/jsonschema"
)

// renderPages renders docs/tools.md.
func renderPages(files map[string][]byte, s *schemas, c *Contract) (err error) {
	functions := template.FuncMap{
		"cell":  Cell,
		"code":  Code,
		"codes": codesOf,
		"lower": strings.ToLower,
		"add":   func(i int) int { return i + 1 },
		"object": func(e Example) (string, error) {
			var parts []string
			for _, v := range e {
				text, err := v.JSON()
				if err != nil {
					return "", err
				}
				parts = append(parts, fmt.Sprintf("%q:%s", v.Name, text))
			}
			return "{" + strings.Join(parts, ",") + "}", nil
		},
		"example": func(value any) (string, error) {
			text, err := json.Marshal(value)
			return strings.Trim(string(text), `"`), err
		},
		"fields": func(t *Tool) []fieldRow {
			defs := s.output(t).Definitions
			return fieldRows(defs, "", defs[t.Entity], map[*jsonschema.Schema]string{})
		},
		"besides": func(t *Tool) (rows []fieldRow) {
			defs := s.output(t).Definitions
			for _, beside := range besides(t) {
				rows = fieldRows(defs, "", s.reflect(beside), map[*jsonschema.Schema]string{})
			}
			return rows
		},
	}
	files["docs/tools.md"], err = render("tools.md.tmpl",
		map[string]any{"Tools": c.Tools, "Prompts": c.Prompts, "MaxText": MaxText, "MaxItems": MaxItems}, functions)
	return err
}

// Code formats a text as Markdown code; "" stays "".
func Code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + text + "`"
}

func codesOf(texts []string) string {
	var codes []string
	for _, text := range texts {
		codes = append(codes, Code(text))
	}
	return strings.Join(codes, " ")
}

// Cell escapes a text for a table cell.
func Cell(text string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;").Replace(strings.Join(strings.Fields(text), " "))
}

// ExampleCall returns the example call with the sandbox, as a shell command.
func (t *Tool) ExampleCall() (string, error) {
	line := "biofact --sandbox"
	if t.onRequest() {
		line += " --tools " + t.Name
	}
	line += " call " + t.Name
	for _, given := range t.Example {
		value := given.Value
		if list, ok := value.([]any); ok && len(list) == 1 {
			value = list[0]
		}
		text, err := exampleText(value)
		if err != nil {
			return "", err
		}
		if strings.ContainsAny(text, " '\"{}[]$") {
			text = "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
		}
		line += " " + given.Name + "=" + text
	}
	return line, nil
}

// ArgumentRows returns the arguments, each followed by the fields of an object.
func (t *Tool) ArgumentRows() (rows []Argument) {
	for _, a := range t.Args {
		rows = append(rows, a)
		item := ""
		if a.List {
			item = "[]"
		}
		for _, field := range a.Fields {
			field.Name, field.Required = a.Name+item+"."+field.Name, false // fields of an optional object are optional
			rows = append(rows, field)
		}
	}
	return rows
}

// Known returns the known values.
func (a Argument) Known() []string {
	if len(a.known) > 0 {
		return a.known
	}
	return a.Choices
}

// DefaultText returns the default as written on a command line.
func (a Argument) DefaultText() string {
	switch value := a.Default.(type) {
	case nil:
		return ""
	case []any:
		return strings.Join(texts(value), ",")
	default:
		return fmt.Sprint(value)
	}
}

// Bounds returns the type of the argument and its bounds.
func (a Argument) Bounds() string {
	if a.List && a.Type == "object" {
		return "list of objects" + limitText(a.MaxItems, MaxItems, ", %d at most")
	}
	if a.List {
		return "one or several" + limitText(a.MaxItems, MaxItems, ", %d at most")
	}
	text := a.Type
	switch {
	case a.Minimum != nil && a.Maximum != nil:
		text += fmt.Sprintf(", %d to %d", *a.Minimum, *a.Maximum)
	case a.MinLength > 1 && len(a.known) == 0:
		text += fmt.Sprintf(", %d characters or more", a.MinLength)
	}
	return text + limitText(a.MaxLength, MaxText, ", %d characters at most")
}

func limitText(limit, usual int, format string) string {
	if limit == 0 || limit == usual {
		return ""
	}
	return fmt.Sprintf(format, limit)
}

// A fieldRow describes one field of an answer.
type fieldRow struct{ Name, Kind, About string }

// fieldRows returns the rows of an entity's fields, with those of nested objects. listed maps an object to the field that lists its
// fields; a second field with the same object refers to the first.
func fieldRows(defs jsonschema.Definitions, prefix string, s *jsonschema.Schema, listed map[*jsonschema.Schema]string) (rows []fieldRow) {
	for p := s.Properties.Oldest(); p != nil; p = p.Next() {
		if p.Key == "notices" {
			continue // every answer has it
		}
		held, row, mark := p.Value, fieldRow{prefix + p.Key, kindOf(p.Value), Cell(p.Value.Description)}, ""
		if held.Type == "array" && held.Items != nil {
			held, mark = held.Items, "[]"
		}
		if name, ok := strings.CutPrefix(held.Ref, "#/$defs/"); ok {
			held = defs[name]
			row.Kind = held.Type
			if mark != "" {
				row.Kind = "list of " + held.Type
			}
		}
		where, again := listed[held]
		if again {
			row.About += " As " + Code(where) + "."
		}
		rows = append(rows, row)
		if !again && held.Properties.Len() > 0 {
			listed[held] = row.Name + mark
			rows = slices.Concat(rows, fieldRows(defs, row.Name+mark+".", held, listed))
		}
	}
	return rows
}

// kindOf returns the type of a value in a word or two.
func kindOf(s *jsonschema.Schema) string {
	switch {
	case len(s.AnyOf) > 0:
		return kindOf(s.AnyOf[len(s.AnyOf)-1])
	case s.Type == "array" && s.Items != nil && kindOf(s.Items) != "":
		return "list of " + kindOf(s.Items)
	case s.Type == "array":
		return "list"
	}
	return s.Type
}
