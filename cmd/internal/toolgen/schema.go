package toolgen

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// openTypes are the string types of package entity with open enumerations. The registry's document has the known values under the same
// name, in which an abbreviation has one capital.
const openTypes = "Status RecruitmentStatus Phase StudyType DesignAllocation InterventionalAssignment ObservationalModel DesignMasking " +
	"PrimaryPurpose EnrollmentType Sex StandardAge SamplingMethod DesignTimePerspective WhoMasked BioSpecRetention " +
	"ExpandedAccessStatus DateType ArmGroupType InterventionType AgencyClass ContactRole OfficialRole ResponsiblePartyType " +
	"OrgStudyIDType SecondaryIDType ReferenceType IPDSharing IPDSharingInfoType"

// flatRows are the types of entity.FlatRow.
var flatRows = []reflect.Type{reflect.TypeFor[entity.ComparisonRow](), reflect.TypeFor[entity.ArmRow]()}

const (
	dialect = "https://json-schema.org/draft/2020-12/schema"
	// contractVersion is part of the $id of every schema. The first number increases with a change that breaks readers or callers, the
	// second with an addition. docs/schemas.md says which changes are which, and a test compares the schemas with testdata/contract.json.
	contractVersion = "2.0"

	noticesText = "Facts about the answer that the caller should know."
	nextText    = "The call that a notice names."
)

// schemas generates schemas from the Go types of the entities.
type schemas struct {
	comments map[string]string
	values   map[string][]string // by name of an open type
}

func newSchemas(entityDir string, specs map[string]*spec) (*schemas, error) {
	var r jsonschema.Reflector
	if err := r.AddGoComments("", entityDir); err != nil {
		return nil, fmt.Errorf("read the doc comments of %s: %w", entityDir, err)
	}
	s := &schemas{comments: map[string]string{}, values: map[string][]string{}}
	for key, text := range r.CommentMap {
		// The key starts with the given folder; the text after the last slash is package.Type or package.Type.Field.
		_, name, _ := strings.Cut(key[strings.LastIndex(key, "/")+1:], ".")
		text, _, _ = strings.Cut(text, "Source:")
		s.comments[name] = strings.Join(strings.Fields(text), " ")
	}
	for _, name := range strings.Fields(openTypes) {
		values, err := enum(specs, "ctgov."+strings.NewReplacer("ID", "Id", "IPD", "Ipd").Replace(name))
		if err != nil {
			return nil, fmt.Errorf("known values of %s: %w", name, err)
		}
		s.values[name] = values
	}
	return s, nil
}

// openEnum returns the schema of a string with known values that accepts other values, too: a new value of an upstream is valid.
func openEnum(values []string) *jsonschema.Schema {
	known := &jsonschema.Schema{}
	for _, v := range values {
		known.Enum = append(known.Enum, v)
	}
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{known, {Type: "string"}}}
}

// reflect returns the schema of a type. Named structs inside it are $defs.
func (s *schemas) reflect(t reflect.Type) *jsonschema.Schema {
	var parts []reflect.Type
	r := &jsonschema.Reflector{
		Anonymous:      true,
		ExpandedStruct: true,
		Mapper: func(t reflect.Type) *jsonschema.Schema {
			if values := s.values[t.Name()]; values != nil && t.Kind() == reflect.String {
				return openEnum(values)
			}
			if t == reflect.TypeFor[entity.RegistryRow]() {
				value := &jsonschema.Schema{}
				for _, kind := range []string{"string", "number", "boolean", "null"} {
					value.AnyOf = append(value.AnyOf, &jsonschema.Schema{Type: kind})
				}
				return &jsonschema.Schema{Type: "array", Items: value}
			}
			if t == reflect.TypeFor[entity.FlatRow]() {
				one := &jsonschema.Schema{}
				for _, row := range flatRows {
					one.AnyOf = append(one.AnyOf, &jsonschema.Schema{Ref: refPrefix + row.Name()})
					parts = append(parts, row)
				}
				return one
			}
			return nil
		},
		LookupComment: func(t reflect.Type, field string) string {
			name, _, _ := strings.Cut(t.Name(), "[") // of a generic type, without its argument
			if field == "" {
				return "" // the doc comment of a type is for Go readers
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
	for _, part := range parts {
		schema.Definitions[part.Name()] = s.reflect(part)
		hoist(schema, schema.Definitions[part.Name()])
	}
	return schema
}

// answer returns the schema of a successful answer of type t: the properties of t and the notices.
func (s *schemas) answer(t reflect.Type) *jsonschema.Schema {
	schema := s.reflect(t)
	schema.Properties.Set("notices", &jsonschema.Schema{
		Type: "array", Items: &jsonschema.Schema{Type: "string"}, MinItems: pointer(uint64(1)), Description: noticesText,
	})
	if schema.Definitions == nil {
		schema.Definitions = jsonschema.Definitions{}
	}
	schema.Definitions["Next"] = s.reflect(reflect.TypeFor[entity.Next]())
	schema.Properties.Set("next", &jsonschema.Schema{Ref: refPrefix + "Next", Description: nextText})
	for _, field := range reflect.VisibleFields(t) {
		if field.Type == reflect.TypeFor[*string]() {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			text, _ := schema.Properties.Get(name)
			text.MinLength = pointer(uint64(0)) // a pointer, because an empty text is a fact
		}
	}
	return schema
}

// page returns the schema of a page of t, whose items are defined under name. The fields of beside are next to the items.
func (s *schemas) page(name string, t reflect.Type, beside ...reflect.Type) *jsonschema.Schema {
	schema := s.answer(reflect.TypeFor[entity.Page[struct{}]]())
	item := s.reflect(t)
	items, _ := schema.Properties.Get("items")
	items.Items = &jsonschema.Schema{Ref: "#/$defs/" + name}
	hoist(schema, item)
	schema.Definitions[name] = item
	for _, fields := range beside {
		more := s.reflect(fields)
		for p := more.Properties.Oldest(); p != nil; p = p.Next() {
			schema.Properties.Set(p.Key, p.Value)
		}
		hoist(schema, more)
	}
	return schema
}

// failure returns the schema of the error envelope with the given codes.
func (s *schemas) failure(codes []string) *jsonschema.Schema {
	schema := s.reflect(reflect.TypeFor[entity.ErrorEnvelope]())
	details := schema.Definitions["ErrorDetails"]
	code, _ := details.Properties.Get("code")
	code.Type = "" // the values imply it, and every tool's schema has this property
	for _, c := range codes {
		code.Enum = append(code.Enum, c)
	}
	success, _ := schema.Properties.Get("success")
	success.Type, success.Enum, success.Const = "", nil, false
	return schema
}

// besides returns the entities whose fields are next to the items of pages.
func besides(tools ...*Tool) (types []reflect.Type) {
	for _, t := range tools {
		if t.Beside != "" {
			types = append(types, entities[t.Beside])
		}
	}
	return types
}

// output returns the schema of a tool's answer: its entity or page, or an error. Both are in one object schema, because clients require
// an object as output schema.
func (s *schemas) output(t *Tool) *jsonschema.Schema {
	answer := s.answer(entities[t.Entity])
	answerName := t.Entity
	if t.Paged {
		answer = s.page(t.Entity, entities[t.Entity], besides(t)...)
		for _, fields := range besides(t) {
			answer.Required = append(answer.Required, s.reflect(fields).Required...)
		}
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
	for i, name := range t.OrReturns {
		root.AnyOf = slices.Insert(root.AnyOf, i+1, &jsonschema.Schema{Ref: refPrefix + name})
		other := s.answer(entities[name])
		hoist(root, other)
		root.Definitions[name] = other
	}
	root.Definitions[answerName] = answer // another answer may have it as an item
	hoist(root, answer)
	hoist(root, failure)
	return root
}

// hoist moves the definitions of a schema that becomes part of root to root, where references find them.
func hoist(root, part *jsonschema.Schema) {
	if root.Definitions == nil {
		root.Definitions = jsonschema.Definitions{}
	}
	maps.Copy(root.Definitions, part.Definitions)
	part.Definitions = nil
	delete(root.Definitions, "") // of the placeholder for a page's item
}

func pointer[T any](v T) *T { return &v }

// refPrefix is the beginning of a reference to a definition.
const refPrefix = "#/$defs/"
