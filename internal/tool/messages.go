package tool

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// validate checks what reading could not: the bounds and patterns of the
// schema. The first finding is enough for the caller to go on.
func (t *Tool) validate(args map[string]any) error {
	schema, err := t.compile()
	if err != nil {
		return fmt.Errorf("compile the input schema of %s: %w", t.Name, err)
	}
	finding, ok := errors.AsType[*jsonschema.ValidationError](schema.Validate(args))
	if !ok {
		return nil
	}
	for len(finding.Causes) > 0 { // in no order of their own
		finding = slices.MinFunc(finding.Causes, func(a, b *jsonschema.ValidationError) int {
			return cmp.Or(cmp.Compare(a.InstanceLocation, b.InstanceLocation), cmp.Compare(a.KeywordLocation, b.KeywordLocation))
		})
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(finding.InstanceLocation, "/"), "/")
	property := schema.Properties[name]
	if property == nil {
		return t.invalid(name, "is not what the schema allows", show(args[name]), t.callHint(name, ""))
	}
	return t.invalid(name, problem(finding, property), show(args[name]), t.boundsHint(name))
}

// problem words a validator's finding for a model.
func problem(finding *jsonschema.ValidationError, property *jsonschema.Schema) string {
	keyword := finding.KeywordLocation[strings.LastIndex(finding.KeywordLocation, "/")+1:]
	switch keyword {
	case "minimum":
		return "must be at least " + property.Minimum.RatString()
	case "maximum":
		return "must be at most " + property.Maximum.RatString()
	case "pattern":
		return "must match " + property.Pattern.String()
	}
	return "is not what the schema allows (" + keyword + ")"
}

// invalid is the INVALID_INPUT of one argument.
func (t *Tool) invalid(name, what, input, hint string) *entity.Error {
	message := name + ": " + what
	if input != "" {
		message += ", was " + entity.Cut(input, 80)
	}
	return &entity.Error{Code: entity.InvalidInput, Message: message + ".", Hint: hint, Input: input}
}

// unknown refuses an argument that the tool does not have: a dropped typo
// would answer a different question than the caller asked.
func (t *Tool) unknown(name string) *entity.Error {
	hint := t.Name + " takes " + strings.Join(t.names(), ", ") + "."
	if near := Nearest(name, t.names()); near != "" {
		hint = "Did you mean " + near + "? " + hint
	}
	return &entity.Error{
		Code: entity.InvalidInput, Message: t.Name + " has no argument " + entity.Cut(name, 80) + ".", Hint: hint, Input: name,
	}
}

// unknownValue refuses a word that names none of the known values.
func (t *Tool) unknownValue(a Argument, value string) *entity.Error {
	near := Nearest(value, a.Words)
	hint := a.Name + " takes one or several of " + strings.Join(a.Words, ", ") + ", in words too."
	if near != "" {
		hint = "Did you mean " + Object(a.Name, near) + "? " + hint
	}
	return t.invalid(a.Name, "is no known value", value, hint)
}

// callHint shows the call with the argument as it should be.
func (t *Tool) callHint(name, value string) string {
	if value == "" {
		return "Call " + t.Name + " again with another " + name + "."
	}
	return fmt.Sprintf("Call %s again with %s, such as %s.", t.Name, name, Object(name, value))
}

// boundsHint shows the call with a number that is allowed.
func (t *Tool) boundsHint(name string) string {
	schema, err := t.compile()
	if err != nil || schema.Properties[name] == nil {
		return t.callHint(name, "")
	}
	p := schema.Properties[name]
	hint := "Call " + t.Name + " again with " + name
	if p.Minimum != nil && p.Maximum != nil {
		hint += " from " + p.Minimum.RatString() + " to " + p.Maximum.RatString()
	}
	return hint + "."
}

// exampleObject shows the arguments that are required, or else the first one.
func (t *Tool) exampleObject() string {
	example := map[string]string{}
	for _, a := range t.Arguments {
		if a.Required || len(example) == 0 {
			example[a.Name] = a.Example
		}
	}
	return show(example)
}

// Object is a one-argument call as a model writes it, for hints.
func Object(name, value string) string {
	return show(map[string]string{name: entity.Cut(value, 120)})
}
