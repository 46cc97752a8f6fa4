package toolgen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// entities are the types that tools.yaml may name in returns, by name.
var entities = map[string]reflect.Type{
	"Trial":                reflect.TypeFor[entity.Trial](),
	"TrialSearchCandidate": reflect.TypeFor[entity.TrialSearchCandidate](),
	"TrialLocation":        reflect.TypeFor[entity.TrialLocation](),
	"GeneSearchCandidate":  reflect.TypeFor[entity.GeneSearchCandidate](),
	"Gene":                 reflect.TypeFor[entity.Gene](),
	"PubMedLink":           reflect.TypeFor[entity.PubMedLink](),
	"ArticleSearch":        reflect.TypeFor[entity.ArticleSearch](),
	"ArticleDetails":       reflect.TypeFor[entity.ArticleDetails](),
	"ArticleRelationships": reflect.TypeFor[entity.ArticleRelationships](),
	"Article":              reflect.TypeFor[entity.Article](),
}

// openValues are the string types of package entity whose known values are an
// enumeration of an upstream document, named as the upstream names it.
var openValues = map[reflect.Type]string{
	reflect.TypeFor[entity.Status]():                   "ctgov.Status",
	reflect.TypeFor[entity.RecruitmentStatus]():        "ctgov.RecruitmentStatus",
	reflect.TypeFor[entity.Phase]():                    "ctgov.Phase",
	reflect.TypeFor[entity.StudyType]():                "ctgov.StudyType",
	reflect.TypeFor[entity.DesignAllocation]():         "ctgov.DesignAllocation",
	reflect.TypeFor[entity.InterventionalAssignment](): "ctgov.InterventionalAssignment",
	reflect.TypeFor[entity.ObservationalModel]():       "ctgov.ObservationalModel",
	reflect.TypeFor[entity.DesignMasking]():            "ctgov.DesignMasking",
	reflect.TypeFor[entity.PrimaryPurpose]():           "ctgov.PrimaryPurpose",
	reflect.TypeFor[entity.EnrollmentType]():           "ctgov.EnrollmentType",
	reflect.TypeFor[entity.Sex]():                      "ctgov.Sex",
}

const (
	dialect = "https://json-schema.org/draft/2020-12/schema"
	// contractVersion stands in the $id of every schema. It grows by one when a
	// schema changes in a way that breaks readers or callers; docs/schemas.md
	// says which changes do, and a test holds the schemas against
	// testdata/contract.json.
	contractVersion = 1

	noticesText = "What the caller should know."
)

// schemas reflects the Go types of the entities.
type schemas struct {
	comments map[string]string
	values   map[reflect.Type][]string
}

func newSchemas(entityDir string, specs map[string]*spec) (*schemas, error) {
	var r jsonschema.Reflector
	if err := r.AddGoComments("", entityDir); err != nil {
		return nil, fmt.Errorf("read the doc comments of %s: %w", entityDir, err)
	}
	s := &schemas{comments: map[string]string{}, values: map[reflect.Type][]string{}}
	for key, text := range r.CommentMap {
		// The key starts with the folder as it was given; what follows the last
		// slash is package.Type or package.Type.Field.
		_, name, _ := strings.Cut(key[strings.LastIndex(key, "/")+1:], ".")
		text, _, _ = strings.Cut(text, "Source:")
		s.comments[name] = strings.Join(strings.Fields(text), " ")
	}
	for t, ref := range openValues {
		values, err := enum(specs, ref)
		if err != nil {
			return nil, fmt.Errorf("known values of %s: %w", t, err)
		}
		s.values[t] = values
	}
	return s, nil
}

// open is a string whose known values are told and do not bind: a new value
// of an upstream breaks nobody.
func open(values []string) *jsonschema.Schema {
	known := &jsonschema.Schema{}
	for _, v := range values {
		known.Enum = append(known.Enum, v)
	}
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{known, {Type: "string"}}}
}

// reflect returns the schema of a type. Named structs inside it are $defs.
func (s *schemas) reflect(t reflect.Type) *jsonschema.Schema {
	r := &jsonschema.Reflector{
		Anonymous:      true,
		ExpandedStruct: true,
		Mapper: func(t reflect.Type) *jsonschema.Schema {
			if values, ok := s.values[t]; ok {
				return open(values)
			}
			return nil
		},
		LookupComment: func(t reflect.Type, field string) string {
			name, _, _ := strings.Cut(t.Name(), "[") // of a generic type, without its argument
			if field == "" {
				return "" // the comment of a type speaks to Go readers
			}
			return s.comments[name+"."+field]
		},
		Namer: func(t reflect.Type) string {
			name, _, _ := strings.Cut(t.Name(), "[")
			return name
		},
	}
	schema := r.ReflectFromType(t)
	schema.Version = ""
	return schema
}

// answer returns the schema of a successful answer of type t: the type with
// the notices beside its properties.
func (s *schemas) answer(t reflect.Type) *jsonschema.Schema {
	schema := s.reflect(t)
	schema.Properties.Set("notices", &jsonschema.Schema{
		Type: "array", Items: &jsonschema.Schema{Type: "string"}, MinItems: pointer(uint64(1)), Description: noticesText,
	})
	for _, field := range reflect.VisibleFields(t) {
		if field.Type == reflect.TypeFor[*string]() {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			text, _ := schema.Properties.Get(name)
			text.MinLength = pointer(uint64(0)) // a pointer because empty is a fact
		}
	}
	return schema
}

// page returns the schema of a page of t, whose items are defined under name.
func (s *schemas) page(name string, t reflect.Type) *jsonschema.Schema {
	schema := s.answer(reflect.TypeFor[entity.Page[struct{}]]())
	item := s.reflect(t)
	items, _ := schema.Properties.Get("items")
	items.Items = &jsonschema.Schema{Ref: "#/$defs/" + name}
	hoist(schema, item)
	schema.Definitions[name] = item
	return schema
}

// failure returns the schema of the error envelope with the given codes.
func (s *schemas) failure(codes []string) *jsonschema.Schema {
	schema := s.reflect(reflect.TypeFor[entity.ErrorEnvelope]())
	details := schema.Definitions["ErrorDetails"]
	code, _ := details.Properties.Get("code")
	code.Type = "" // the values say it, as below: every tool's schema carries this one
	for _, c := range codes {
		code.Enum = append(code.Enum, c)
	}
	success, _ := schema.Properties.Get("success")
	success.Type, success.Enum, success.Const = "", nil, false
	return schema
}

// output returns what a tool answers: its entity or page, or an error. Both
// stand under one object, as clients demand of an output schema.
func (s *schemas) output(t *toolSpec) *jsonschema.Schema {
	answer := s.answer(entities[t.entity])
	answerName := t.entity
	if t.paged {
		answer = s.page(t.entity, entities[t.entity])
		answerName = "Page"
	}
	failure := s.failure(t.Errors)
	root := &jsonschema.Schema{
		Type: "object",
		AnyOf: []*jsonschema.Schema{
			{Ref: "#/$defs/" + answerName}, {Ref: "#/$defs/ErrorEnvelope"},
		},
		Definitions: jsonschema.Definitions{answerName: answer, "ErrorEnvelope": failure},
	}
	hoist(root, answer)
	hoist(root, failure)
	return root
}

// hoist moves the definitions of a schema that becomes part of root to root,
// where references look for them.
func hoist(root, part *jsonschema.Schema) {
	if root.Definitions == nil {
		root.Definitions = jsonschema.Definitions{}
	}
	maps.Copy(root.Definitions, part.Definitions)
	part.Definitions = nil
	delete(root.Definitions, "") // of the placeholder that stands for a page's item
}

// input returns the schema of a tool's arguments.
func (t *toolSpec) input() *jsonschema.Schema { return object(t.Args) }

func object(args []argSpec) *jsonschema.Schema {
	schema := &jsonschema.Schema{
		Type: "object", Properties: jsonschema.NewProperties(), AdditionalProperties: jsonschema.FalseSchema,
	}
	for i := range args {
		a := &args[i]
		schema.Properties.Set(a.Name, a.schema())
		if a.Required {
			schema.Required = append(schema.Required, a.Name)
		}
	}
	return schema
}

func (a *argSpec) schema() *jsonschema.Schema {
	schema := a.one()
	if len(a.known) > 0 {
		schema = open(a.known)
		schema.AnyOf[1].MaxLength = pointer(uint64(a.MaxLength))
	}
	if a.List {
		one := schema.AnyOf
		if one == nil {
			one = []*jsonschema.Schema{schema}
		}
		several := &jsonschema.Schema{Type: "array", Items: a.one()}
		if a.Required {
			several.MinItems = pointer(uint64(1))
		}
		if a.MaxItems > 0 {
			several.MaxItems = pointer(uint64(a.MaxItems))
		}
		schema = &jsonschema.Schema{AnyOf: append(one, several)}
	}
	schema.Description, schema.Default = a.Description, a.Default
	if a.Example != nil {
		schema.Examples = []any{a.Example}
	}
	return schema
}

// one is the schema of a single value.
func (a *argSpec) one() *jsonschema.Schema {
	if a.Type == "object" {
		return object(a.Fields)
	}
	schema := &jsonschema.Schema{Type: a.Type, Pattern: a.pattern}
	for _, choice := range a.Choices {
		schema.Enum = append(schema.Enum, choice)
	}
	if a.MinLength > 0 {
		schema.MinLength = pointer(uint64(a.MinLength))
	}
	if a.MaxLength > 0 {
		schema.MaxLength = pointer(uint64(a.MaxLength))
	}
	if a.Minimum != nil {
		schema.Minimum = json.Number(strconv.Itoa(*a.Minimum))
	}
	if a.Maximum != nil {
		schema.Maximum = json.Number(strconv.Itoa(*a.Maximum))
	}
	return schema
}

func pointer[T any](v T) *T { return &v }

// A published schema and its place in the index.
type published struct {
	Name    string `json:"name"`
	ID      string `json:"$id"`
	Kind    string `json:"kind"`
	Title   string `json:"title"`
	Tool    string `json:"tool,omitempty"`
	Toolset string `json:"toolset,omitempty"`
	Returns string `json:"returns,omitempty"`
	File    string `json:"file"`

	schema *jsonschema.Schema
}

// publish returns the schemas of the entities, of the envelopes and of both
// sides of every tool, in alphabetical order.
func publish(s *schemas, tools []*toolSpec) []published {
	all := []published{
		{Name: "pagination-envelope", Kind: "envelope", Title: "PaginationEnvelope", schema: s.page("Item", reflect.TypeFor[map[string]any]())},
		{Name: "error-envelope", Kind: "envelope", Title: "ErrorEnvelope", schema: s.failure(codes())},
	}
	for name, t := range entities {
		schema := s.reflect(t)
		if slices.ContainsFunc(tools, func(t *toolSpec) bool { return t.entity == name && !t.paged }) {
			schema = s.answer(t)
		}
		all = append(all, published{Name: kebab(name), Kind: "entity", Title: name, schema: schema})
	}
	for _, t := range tools {
		all = append(all,
			published{Name: t.Name + ".input", Kind: "tool input", Title: t.Title, Tool: t.Name, Toolset: t.Toolset, schema: t.input()},
			published{Name: t.Name + ".output", Kind: "tool output", Title: t.Title, Tool: t.Name, Toolset: t.Toolset, Returns: t.Returns, schema: s.output(t)})
	}
	for i := range all {
		p := &all[i]
		p.ID, p.File = fmt.Sprintf("urn:biofact:schema:v%d:%s", contractVersion, p.Name), p.Name+".schema.json"
		p.schema.Version, p.schema.ID = dialect, jsonschema.ID(p.ID)
		if p.Kind != "tool input" {
			refuseEmpty(p.schema)
		}
	}
	slices.SortFunc(all, func(a, b published) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// renderSchemas writes a file for every schema, their index, and the index as
// people read it.
func renderSchemas(files map[string][]byte, s *schemas, tools []*toolSpec) error {
	all := publish(s, tools)
	for _, p := range all {
		text, err := write(p.schema)
		if err != nil {
			return fmt.Errorf("schema %s: %w", p.Name, err)
		}
		files["gen/schemas/"+p.File] = text
	}
	index := struct {
		Version int         `json:"version"`
		Dialect string      `json:"dialect"`
		Schemas []published `json:"schemas"`
	}{contractVersion, dialect, all}
	text, err := write(index)
	if err != nil {
		return err
	}
	files["gen/schemas/index.json"] = text
	readme, err := render("schemas.md.tmpl", index)
	if err != nil {
		return err
	}
	files["gen/schemas/README.md"] = readme
	return nil
}

// refuseEmpty lets no string of an answer be empty that is not said to be: what
// is absent is left out.
func refuseEmpty(schema *jsonschema.Schema) {
	if schema == nil {
		return
	}
	if schema.Type == "string" && schema.MinLength == nil && schema.Pattern == "" && schema.Enum == nil {
		schema.MinLength = pointer(uint64(1))
	}
	for p := schema.Properties.Oldest(); p != nil; p = p.Next() {
		refuseEmpty(p.Value)
	}
	for _, named := range schema.Definitions {
		refuseEmpty(named)
	}
	for _, one := range schema.AnyOf {
		refuseEmpty(one)
	}
	refuseEmpty(schema.Items)
	refuseEmpty(schema.AdditionalProperties)
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
