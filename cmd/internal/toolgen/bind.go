package toolgen

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// bind binds an argument to the upstream parameter into which it is copied. It takes over the parameter's enumeration, pattern and
// bounds, which tools.yaml may only narrow.
func (o *owner) bind(a *Argument) error {
	i := slices.IndexFunc(o.operations, func(op *operation) bool { return op.param(a.Param) != nil })
	if i < 0 {
		return o.noParam(a.Param)
	}
	op := o.operations[i]
	value, schema, err := op.copied(a)
	if err != nil {
		return err
	}
	field := exported(a.Param)
	if op.copies(field) {
		return fmt.Errorf("to %s: another argument is copied into it", a.Param)
	}
	op.Copies = append(op.Copies, copied{Field: field, Value: value})
	if len(schema.Enum) > 0 {
		a.known = texts(schema.Enum)
	}
	a.pattern = schema.Pattern
	a.text = a.Type == "string" && !op.param(a.Param).Schema.Value.Type.Is("array") && len(a.known) == 0 && a.pattern == ""
	return a.narrow(schema)
}

// noParam returns the error for a parameter that the owner's operations do not have.
func (o *owner) noParam(name string) error {
	var refs, has []string
	for _, op := range o.operations {
		refs = append(refs, op.Ref)
		has = append(has, op.paramNames()...)
	}
	return fmt.Errorf("to %s: %s has no such parameter; it has %s", name, strings.Join(refs, ", "), strings.Join(has, ", "))
}

// copied returns the Go expression that copies an argument into its parameter, and the schema of one value.
func (op *operation) copied(a *Argument) (string, *openapi3.Schema, error) {
	schema := op.param(a.Param).Schema
	value := "a." + exported(a.Name)
	switch {
	case schema.Value.Type.Is("array"):
		if !a.List {
			return "", nil, fmt.Errorf("param %s is a list upstream: add list: true", a.Param)
		}
		schema = schema.Value.Items
		value = "tool.Values[" + goType(op.Package, schema) + "](" + value + ")"
	case a.List && a.shared && schema.Value.Type.Is("string"):
		value = "tool.Either(" + value + ")"
	case a.List:
		return "", nil, fmt.Errorf("param %s is not a list upstream", a.Param)
	case schema.Value.Type.Is("integer"):
		if a.Type != "integer" {
			return "", nil, fmt.Errorf("param %s is an integer upstream", a.Param)
		}
		value = "tool.Value(" + goType(op.Package, schema) + "(" + value + "))"
	case schema.Value.Type.Is("string"):
		value = "tool.Value(" + value + ")"
	default:
		return "", nil, fmt.Errorf("param %s is of type %v upstream, which no argument has", a.Param, schema.Value.Type.Slice())
	}
	return value, schema.Value, nil
}

// narrow takes over the bounds of the upstream that the argument does not set.
func (a *Argument) narrow(s *openapi3.Schema) error {
	if s.Min != nil {
		lowest := int(*s.Min)
		if a.Minimum == nil {
			a.Minimum = &lowest
		} else if *a.Minimum < lowest {
			return fmt.Errorf("minimum %d is below the upstream's %d: a bound may only be narrowed", *a.Minimum, lowest)
		}
	}
	if s.Max != nil {
		highest := int(*s.Max)
		if a.Maximum == nil {
			a.Maximum = &highest
		} else if *a.Maximum > highest {
			return fmt.Errorf("maximum %d is above the upstream's %d: a bound may only be narrowed", *a.Maximum, highest)
		}
	}
	return nil
}

// goType returns the type that the generated client has for a schema.
func goType(pkg string, schema *openapi3.SchemaRef) string {
	if name, ok := strings.CutPrefix(schema.Ref, "#/components/schemas/"); ok {
		return pkg + "." + exported(name)
	}
	if schema.Value.Type.Is("integer") {
		return cmp.Or(schema.Value.Format, "int")
	}
	return "string"
}
