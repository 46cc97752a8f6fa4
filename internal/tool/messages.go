package tool

import (
	"cmp"
	"encoding/json"
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
	path := strings.Split(strings.TrimPrefix(finding.InstanceLocation, "/"), "/")
	name, property := property(schema, path)
	var value any = args
	for _, part := range strings.Split(name, ".") {
		if object, ok := value.(map[string]any); ok {
			value = object[part]
		}
	}
	return t.invalid(name, problem(finding, property), show(value), t.boundsHint(name))
}

// property finds what a schema says of an argument, or of a field of one, by the
// path to it, and the name of that as messages write it. The path of an element
// of a list leads to the list.
func property(schema *jsonschema.Schema, path []string) (name string, found *jsonschema.Schema) {
	found = schema
	for i, part := range path {
		next := found.Properties[part]
		if next == nil {
			path = path[:i]
			break
		}
		found = next
	}
	return strings.Join(path, "."), found
}

// problem words a validator's finding for a model.
func problem(finding *jsonschema.ValidationError, property *jsonschema.Schema) string {
	keyword := finding.KeywordLocation[strings.LastIndex(finding.KeywordLocation, "/")+1:]
	switch {
	case keyword == "minimum" && property.Minimum != nil:
		return "must be at least " + property.Minimum.RatString()
	case keyword == "maximum" && property.Maximum != nil:
		return "must be at most " + property.Maximum.RatString()
	case keyword == "minLength" && property.MinLength > 0:
		return fmt.Sprintf("must have at least %d characters", property.MinLength)
	case keyword == "pattern" && property.Pattern != nil:
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
func (t *Tool) unknown(path, name string, given map[string]any, known []Argument) *entity.Error {
	var names []string
	for _, a := range known {
		names = append(names, path+a.Name)
	}
	meant := cmp.Or(Nearest(path+name, names), missing(path, given, known), containing(name, names))
	name = path + name
	hint := t.Name + " takes " + strings.Join(names, ", ") + "."
	if meant != "" {
		hint = "Did you mean " + meant + "? " + hint
	}
	return &entity.Error{
		Code: entity.InvalidInput, Message: t.Name + " has no argument " + entity.Cut(name, 80) + ".", Hint: hint, Input: name,
	}
}

// missing returns the one required argument that was not given, where a single
// name is not known: it is what a caller who knows the tool from elsewhere
// calls gene or pmid.
func missing(path string, given map[string]any, known []Argument) string {
	var required []string
	strange := len(given)
	for _, a := range known {
		_, ok := given[a.Name]
		if ok {
			strange--
		} else if a.Required {
			required = append(required, path+a.Name)
		}
	}
	if strange != 1 || len(required) != 1 {
		return ""
	}
	return required[0]
}

// containing returns the one candidate that has a word inside: apa_string for
// APA, pubmed_citedin for "cited by". It returns "" where there are none or
// several.
func containing(text string, candidates []string) string {
	for _, word := range append([]string{text}, strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" _-", r) })...) {
		word = entity.Fold(word)
		holds := func(c string) bool { return strings.Contains(entity.Fold(c), word) }
		if i := slices.IndexFunc(candidates, holds); len(word) > 2 && i >= 0 && !slices.ContainsFunc(candidates[i+1:], holds) {
			return candidates[i]
		}
	}
	return ""
}

// unknownValue refuses a word that names none of the known values.
func (t *Tool) unknownValue(a Argument, value string) *entity.Error {
	one := " as one of "
	if a.List {
		one = " as one or several of "
	}
	hint := "Call " + t.Name + " again with " + a.Name + one + strings.Join(a.Words, ", ") + ", in words too."
	if meant := cmp.Or(containing(value, a.Words), Nearest(value, a.Words)); meant != "" {
		hint = "Did you mean " + Object(a.Name, meant) + "? " + hint
	}
	return t.invalid(a.Name, "is no known value", value, hint)
}

// callHint shows the call with the argument as it should be.
func (t *Tool) callHint(name, value string) string {
	argument, _, nested := strings.Cut(name, ".")
	if nested { // the object as a whole shows the form
		value = t.example(name)
	}
	if value == "" {
		return "Call " + t.Name + " again with another " + name + "."
	}
	example := Object(argument, value)
	if json.Valid([]byte(value)) && strings.ContainsAny(value[:1], "{[") {
		example = show(map[string]json.RawMessage{argument: json.RawMessage(value)})
	}
	return fmt.Sprintf("Call %s again with %s, such as %s.", t.Name, name, example)
}

// boundsHint shows the call with a number that is allowed.
func (t *Tool) boundsHint(name string) string {
	schema, err := t.compile()
	if err != nil {
		return t.callHint(name, "")
	}
	_, p := property(schema, strings.Split(name, "."))
	if p.Minimum == nil || p.Maximum == nil {
		return t.callHint(name, t.example(name))
	}
	return "Call " + t.Name + " again with " + name + " from " + p.Minimum.RatString() + " to " + p.Maximum.RatString() + "."
}

// example is the example of an argument, or of the one that a field is of.
func (t *Tool) example(name string) string {
	argument, _, _ := strings.Cut(name, ".")
	for _, a := range t.Arguments {
		if a.Name == argument {
			return a.Example
		}
	}
	return ""
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

// Object is a one-argument call as a model writes it, for hints. The name of a
// field of an argument is written with a dot between.
func Object(name, value string) string {
	argument, field, nested := strings.Cut(name, ".")
	if nested {
		return show(map[string]any{argument: map[string]string{field: entity.Cut(value, 120)}})
	}
	return show(map[string]string{name: entity.Cut(value, 120)})
}
