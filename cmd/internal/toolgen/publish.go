package toolgen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// A publishedSchema is a published schema and its entry in the index.
type publishedSchema struct {
	Name    string `json:"name"`
	ID      string `json:"$id"`
	Profile string `json:"profile"` // closed or open
	Kind    string `json:"kind"`
	Title   string `json:"title"`
	Tool    string `json:"tool,omitempty"`
	Toolset string `json:"toolset,omitempty"`
	Returns string `json:"returns,omitempty"`
	File    string `json:"file"`
	// Example holds the arguments of an example call.
	Example map[string]any `json:"example,omitempty"`

	schema *jsonschema.Schema
	listed *jsonschema.Schema // of a tool, in tools/list
}

// publish returns the schemas of the entities, of the envelopes and of the input and output of every tool, in alphabetical order.
func publish(s *schemas, tools []*Tool) []publishedSchema {
	all := []publishedSchema{
		{Name: "pagination-envelope", Kind: "envelope", Title: "PaginationEnvelope",
			schema: s.page("Item", reflect.TypeFor[map[string]any](), besides(tools...)...)},
		{Name: "error-envelope", Kind: "envelope", Title: "ErrorEnvelope", schema: s.failure(codes())},
	}
	for name, isAnswer := range returnedEntities(tools) {
		schema := s.reflect(entities[name])
		if isAnswer {
			schema = s.answer(entities[name])
		}
		all = append(all, publishedSchema{Name: kebab(name), Kind: "entity", Title: name, schema: schema})
	}
	for _, t := range tools {
		all = append(all,
			publishedSchema{Name: t.Name + ".input", Kind: "tool input", Title: t.Title, Tool: t.Name, Toolset: t.Toolset,
				Example: t.Example.Arguments(), schema: objectSchema(t.Args), listed: t.listedInput(tools)},
			publishedSchema{Name: t.Name + ".output", Kind: "tool output", Title: t.Title, Tool: t.Name, Toolset: t.Toolset,
				Returns: t.Returns, schema: s.output(t), listed: s.listedOutput(t)})
	}
	for i := range all {
		p := &all[i]
		p.ID, p.File, p.Profile = "urn:biofact:schema:v"+contractVersion+":"+p.Name, p.Name+".schema.json", "closed"
		p.schema.Version, p.schema.ID = dialect, jsonschema.ID(p.ID)
		if p.Kind != "tool input" {
			requireNonEmpty(p.schema)
		}
	}
	slices.SortFunc(all, func(a, b publishedSchema) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// returnedEntities returns the entities that tools return, as answers, in pages or as parts. The value is true for an entity that is an
// answer of its own.
func returnedEntities(tools []*Tool) map[string]bool {
	isAnswer := map[string]bool{}
	for _, t := range tools {
		for _, part := range t.Parts {
			if !isAnswer[part] {
				isAnswer[part] = false
			}
		}
		isAnswer[t.Entity] = isAnswer[t.Entity] || !t.Paged
	}
	return isAnswer
}

// renderSchemas renders a file for every schema, a compact file for tools/list, their index, and the index page for people.
func renderSchemas(files map[string][]byte, s *schemas, tools []*Tool) error {
	all := publish(s, tools)
	var index []publishedSchema
	for _, p := range all {
		text, err := write(p.schema)
		if err != nil {
			return fmt.Errorf("schema %s: %w", p.Name, err)
		}
		files["gen/schemas/"+p.File] = text
		index = append(index, p)
		p.Profile, p.File = "open", "open/"+p.File
		files["gen/schemas/"+p.File] = opened(text, &p)
		index = append(index, p)
		if p.listed == nil {
			continue
		}
		short, err := compact(p.listed)
		if err != nil {
			return fmt.Errorf("listed form of schema %s: %w", p.Name, err)
		}
		files["gen/schemas/"+p.Name+".listed.json"] = append(short, '\n')
	}
	bundle := struct {
		Version string            `json:"version"`
		Dialect string            `json:"dialect"`
		Schemas []publishedSchema `json:"schemas"`
	}{contractVersion, dialect, index}
	text, err := write(bundle)
	if err != nil {
		return err
	}
	files["gen/schemas/index.json"] = text
	bundle.Schemas = all
	readme, err := render("schemas.md.tmpl", bundle)
	if err != nil {
		return err
	}
	files["gen/schemas/README.md"] = readme
	return nil
}

// opened returns the text of a schema in the open profile, which accepts unknown members of objects, and sets its id.
func opened(closed []byte, p *publishedSchema) []byte {
	id := p.ID
	p.ID += ".open"
	text := bytes.Replace(closed, []byte(`"$id": "`+id+`"`), []byte(`"$id": "`+p.ID+`"`), 1)
	return bytes.ReplaceAll(text, []byte(`"additionalProperties": false`), []byte(`"additionalProperties": true`))
}

// requireNonEmpty sets minLength 1 for the strings of an answer: an absent value is left out. Strings that set their own minLength are
// kept, and so are the cells of a grid, which may be empty.
func requireNonEmpty(schema *jsonschema.Schema) {
	if schema == nil {
		return
	}
	if schema.Type == "string" && schema.MinLength == nil && schema.Pattern == "" && schema.Enum == nil {
		schema.MinLength = pointer(uint64(1))
	}
	for p := schema.Properties.Oldest(); p != nil; p = p.Next() {
		requireNonEmpty(p.Value)
	}
	for _, named := range schema.Definitions {
		requireNonEmpty(named)
	}
	for _, one := range schema.AnyOf {
		requireNonEmpty(one)
	}
	if schema.Items == nil || schema.Items.Items == nil {
		requireNonEmpty(schema.Items)
	}
	requireNonEmpty(schema.AdditionalProperties)
}

func codes() []string {
	var out []string
	for _, c := range entity.Codes() {
		out = append(out, string(c))
	}
	return out
}

func write(document any) ([]byte, error) {
	compact, err := json.Marshal(document)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, compact, "", "  "); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}
