package toolgen

import (
	"encoding/json"
	"strconv"

	"github.com/invopop/jsonschema"
)

func objectSchema(args []Argument) *jsonschema.Schema {
	schema := &jsonschema.Schema{
		Type: "object", Properties: jsonschema.NewProperties(), AdditionalProperties: jsonschema.FalseSchema,
	}
	for i := range args {
		a := &args[i]
		schema.Properties.Set(a.Name, a.schema())
		if a.Required && a.Or == nil {
			schema.Required = append(schema.Required, a.Name)
		}
	}
	return schema
}

func (a *Argument) schema() *jsonschema.Schema {
	schema := a.one()
	if len(a.known) > 0 {
		schema = openEnum(a.known)
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
		if a.Type == "object" { // too long to repeat
			schema = several
		}
	}
	schema.Description, schema.Default = a.Description, a.Default
	if a.Example != nil {
		schema.Examples = []any{a.Example}
	}
	return schema
}

func (a *Argument) one() *jsonschema.Schema {
	if a.Type == "object" {
		return objectSchema(a.Fields)
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
