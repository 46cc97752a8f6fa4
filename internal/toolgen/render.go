package toolgen

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"go/format"
	"slices"
	"strings"
	"text/template"
)

//go:embed templates/*.tmpl
var templates embed.FS

// renderGo writes the package of argument structs, Handlers and the table, and
// the package that embeds the schemas.
func renderGo(files map[string][]byte, tools []*toolSpec) error {
	clients := map[string]bool{}
	for _, t := range tools {
		for _, u := range t.upstreams {
			if len(u.Copies) > 0 {
				clients[u.Package] = true
			}
		}
	}
	for path, name := range map[string]string{
		"gen/tools/tools.gen.go":     "tools.go.tmpl",
		"gen/schemas/schemas.gen.go": "schemas.go.tmpl",
	} {
		text, err := render(name, map[string]any{"Tools": tools, "Clients": clients})
		if err != nil {
			return err
		}
		source, err := format.Source(text)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		files[path] = source
	}
	return nil
}

func render(name string, data any) ([]byte, error) {
	t, err := template.New("").Funcs(template.FuncMap{
		"exported": exported,
		"line":     func(text string) string { return strings.Join(strings.Fields(text), " ") },
	}).ParseFS(templates, "templates/*.tmpl")
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := t.ExecuteTemplate(&out, name, data); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// Entity and the methods below are what the templates ask of a tool.
func (t *toolSpec) Entity() string { return t.entity }

// Paged tells whether the tool answers pages.
func (t *toolSpec) Paged() bool { return t.paged }

// Upstreams are the operations that the tool is served from.
func (t *toolSpec) Upstreams() []upstream { return t.upstreams }

// GoType is the type of an argument's field.
func (a argSpec) GoType() string {
	t := map[string]string{"string": "string", "integer": "int", "boolean": "bool"}[a.Type]
	if a.Type == "object" {
		t = a.object
	}
	if a.List {
		return "[]" + t
	}
	return t
}

// Words are the values that may be given in people's words.
func (a argSpec) Words() []string {
	if a.Accept != enumWords {
		return a.Choices
	}
	return a.known
}

// ExampleText is the example as a message shows it.
func (a argSpec) ExampleText() (string, error) {
	switch example := a.Example.(type) {
	case nil:
		return "", nil
	case map[string]any, []any:
		text, err := json.Marshal(example)
		return string(text), err
	default:
		return fmt.Sprint(example), nil
	}
}

// GoDefault is the default as a Go expression; "" where there is none.
func (a argSpec) GoDefault() string {
	switch value := a.Default.(type) {
	case nil:
		return ""
	case []any:
		var items []string
		for _, item := range value {
			items = append(items, fmt.Sprintf("%#v", item))
		}
		return a.GoType() + "{" + strings.Join(items, ", ") + "}"
	default:
		return fmt.Sprintf("%#v", value)
	}
}

// FieldDefaults tells whether a field of an object has a default.
func (a argSpec) FieldDefaults() bool {
	return slices.ContainsFunc(a.Fields, func(field argSpec) bool { return field.Default != nil })
}

const (
	tableStart = "<!-- tools: generated from tools.yaml -->"
	tableEnd   = "<!-- /tools -->"
)

// renderReadme puts the tool table between its markers.
func renderReadme(readme []byte, tools []*toolSpec) ([]byte, error) {
	text := string(readme)
	before, rest, ok := strings.Cut(text, tableStart)
	_, after, ok2 := strings.Cut(rest, tableEnd)
	if !ok || !ok2 {
		return nil, fmt.Errorf("README.md: the markers %s and %s are missing", tableStart, tableEnd)
	}
	table, err := render("readme.md.tmpl", map[string]any{"Tools": tools})
	if err != nil {
		return nil, err
	}
	return []byte(before + tableStart + "\n" + string(table) + tableEnd + after), nil
}
