package toolgen

import (
	"bytes"
	"embed"
	"fmt"
	"go/format"
	"slices"
	"strings"
	"text/template"

	"github.com/biofact-mcp/biofact/internal/entity"
)

//go:embed templates/*.tmpl
var templates embed.FS

// renderGo renders the package of argument structs, Handlers and the tool table, the package of the fields that tools read, and the
// package that embeds the schemas.
func renderGo(files map[string][]byte, c *Contract) error {
	clients := map[string]bool{}
	for _, op := range c.operations() {
		if len(op.Copies) > 0 {
			clients[op.Package] = true
		}
	}
	for path, name := range map[string]string{
		"gen/fields/fields.gen.go":   "fields.go.tmpl",
		"gen/tools/tools.gen.go":     "tools.go.tmpl",
		"gen/words/words.gen.go":     "words.go.tmpl",
		"gen/schemas/schemas.gen.go": "schemas.go.tmpl",
	} {
		text, err := render(name, map[string]any{
			"Filters": c.Filters, "Tools": c.Tools, "Toolsets": c.toolsets(), "Prompts": c.Prompts, "Clients": clients,
			"Hosts": c.Hosts, "Version": contractVersion, "EUtilities": c.eUtilities(),
		})
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

// eUtilities returns the names of NCBI's E-utilities that their spec describes, sorted.
func (c *Contract) eUtilities() []string {
	var names []string
	if s := c.specs["eutils"]; s != nil {
		for id := range s.operations {
			names = append(names, exported(id))
		}
	}
	slices.Sort(names)
	return names
}

// operations returns the operations into which arguments are copied.
func (c *Contract) operations() []*operation {
	var all []*operation
	for _, f := range c.Filters {
		all = append(all, f.Operation)
	}
	for _, t := range c.Tools {
		all = append(all, t.Operations...)
	}
	return all
}

func line(text string) string { return strings.Join(strings.Fields(text), " ") }

// folded returns a table of words with its words folded.
func folded(words map[string][]string) map[string][]string {
	out := map[string][]string{}
	for word, values := range words {
		out[entity.Fold(word)] = values
	}
	return out
}

// render executes a template, with its own functions if given.
func render(name string, data any, own ...template.FuncMap) ([]byte, error) {
	t := template.New("").Funcs(template.FuncMap{
		"exported": exported,
		"filters":  func(name string) string { return strings.ToLower(name[:1]) + exported(name)[1:] },
		"fold":     folded,
		"line":     line,
		"sentence": func(text string) string { return strings.TrimSuffix(line(text), ".") },
	})
	for _, functions := range own {
		t.Funcs(functions)
	}
	if _, err := t.ParseFS(templates, "templates/"+name); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := t.ExecuteTemplate(&out, name, data); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

const (
	tableStart = "<!-- tools: generated from tools.yaml -->"
	tableEnd   = "<!-- /tools -->"
)

// renderReadme inserts the tables of tools and prompts between their markers.
func renderReadme(readme []byte, c *Contract) ([]byte, error) {
	text := string(readme)
	before, rest, ok := strings.Cut(text, tableStart)
	_, after, ok2 := strings.Cut(rest, tableEnd)
	if !ok || !ok2 {
		return nil, fmt.Errorf("README.md: the markers %s and %s are missing", tableStart, tableEnd)
	}
	table, err := render("readme.md.tmpl", map[string]any{"Rows": c.bySubject(), "Prompts": c.Prompts})
	if err != nil {
		return nil, err
	}
	return []byte(before + tableStart + "\n" + string(table) + tableEnd + after), nil
}

// bySubject returns the rows of a table of the tools with a column for each subject; nil is an empty cell.
func (c *Contract) bySubject() [][]*Tool {
	subjects := []string{"trials", "genes", "drugs", "articles"}
	var rows [][]*Tool
	next := map[string]int{}
	for _, t := range c.ByDefault() {
		at := next[t.Toolset]
		next[t.Toolset]++
		if at == len(rows) {
			rows = append(rows, make([]*Tool, len(subjects)))
		}
		if column := slices.Index(subjects, t.Toolset); column >= 0 {
			rows[at][column] = t
		}
	}
	return rows
}
