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
	// identity starts the $id of every schema. The number is that of the
	// contract: it changes when an answer changes in a way that breaks readers.
	identity = "urn:biofact:schema:v1:"

	noticesText = "What the caller should know about this answer."
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
	for _, c := range codes {
		code.Enum = append(code.Enum, c)
	}
	success, _ := schema.Properties.Get("success")
	success.Enum, success.Const = nil, false
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
	if a.Minimum != nil {
		schema.Minimum = json.Number(strconv.Itoa(*a.Minimum))
	}
	if a.Maximum != nil {
		schema.Maximum = json.Number(strconv.Itoa(*a.Maximum))
	}
	return schema
}

func pointer[T any](v T) *T { return &v }

// renderSchemas writes one file per entity, per envelope, and per side of a
// tool.
func renderSchemas(files map[string][]byte, s *schemas, tools []*toolSpec) error {
	all := map[string]*jsonschema.Schema{
		"pagination-envelope": s.page("Item", reflect.TypeFor[map[string]any]()),
		"error-envelope":      s.failure(codes()),
	}
	for name, t := range entities {
		all[kebab(name)] = s.reflect(t)
	}
	for _, t := range tools {
		if !t.paged {
			all[kebab(t.entity)] = s.answer(entities[t.entity])
		}
		all[t.Name+".input"] = t.input()
		all[t.Name+".output"] = s.output(t)
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		schema := all[name]
		schema.Version, schema.ID = dialect, jsonschema.ID(identity+name)
		text, err := write(schema)
		if err != nil {
			return fmt.Errorf("schema %s: %w", name, err)
		}
		files["gen/schemas/"+name+".schema.json"] = text
	}
	return nil
}

func codes() []string {
	var out []string
	for _, c := range entity.Codes() {
		out = append(out, string(c))
	}
	return out
}

func write(schema *jsonschema.Schema) ([]byte, error) {
	compact, err := json.Marshal(schema)
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
