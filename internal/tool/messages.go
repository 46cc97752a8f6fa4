package tool

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// validate checks the limits and patterns of the schema. It returns the first
// violation, which is enough for a correction.
func (t *Tool) validate(args map[string]any) error {
	schema, err := t.compile()
	if err != nil {
		return fmt.Errorf("compile the input schema of %s: %w", t.Name, err)
	}
	finding, ok := errors.AsType[*jsonschema.ValidationError](schema.Validate(args))
	if !ok {
		return nil
	}
	for len(finding.Causes) > 0 { // they have no defined order
		finding = slices.MinFunc(finding.Causes, func(a, b *jsonschema.ValidationError) int {
			return cmp.Or(cmp.Compare(a.InstanceLocation, b.InstanceLocation), cmp.Compare(a.KeywordLocation, b.KeywordLocation))
		})
	}
	path := strings.Split(strings.TrimPrefix(finding.InstanceLocation, "/"), "/")
	name, property := property(schema, path)
	if e := t.shortItem(name, property, args[name]); e != nil {
		return e
	}
	var value any = args
	for _, part := range path {
		switch inside := value.(type) {
		case map[string]any:
			value = inside[part]
		case []any:
			if i, err := strconv.Atoi(part); err == nil && i < len(inside) && itemName.MatchString(strings.Split(name, ".")[0]) {
				value = inside[i]
			}
		}
	}
	return t.invalid(name, problem(finding, property), Show(value), t.boundsHint(name, value))
}

// shortItem returns the error of a list item that is shorter than allowed.
func (t *Tool) shortItem(name string, list *jsonschema.Schema, value any) *entity.Error {
	shortest := 0
	for _, form := range list.AnyOf {
		if form.Items2020 != nil {
			shortest = max(shortest, form.Items2020.MinLength)
		}
	}
	items, _ := value.([]any)
	for i, item := range items {
		if text, ok := item.(string); ok && utf8.RuneCountInString(text) < shortest {
			return t.invalid(itemOf(name, i),
				fmt.Sprintf("must have at least %d characters, has %d", shortest, utf8.RuneCountInString(text)), text, t.formHint(name))
		}
	}
	return nil
}

// property returns the schema of an argument, or of a field of an argument, by
// its path, and its name in messages. For an element of a list it returns the
// list, unless the elements are objects.
func property(schema *jsonschema.Schema, path []string) (name string, found *jsonschema.Schema) {
	found = schema
	var parts []string
	for _, part := range path {
		i, err := strconv.Atoi(part)
		if item := found.Items2020; err == nil && item != nil && item.Properties != nil {
			parts[len(parts)-1] = itemOf(parts[len(parts)-1], i)
			found = item
			continue
		}
		next := found.Properties[part]
		if next == nil {
			break
		}
		parts = append(parts, part)
		found = next
	}
	return strings.Join(parts, "."), found
}

// problem describes a violation for a model.
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
	return "does not match the schema (" + keyword + ")"
}

// invalid returns the INVALID_INPUT error of one argument.
func (t *Tool) invalid(name, what, input, hint string) *entity.Error {
	message := name + ": " + what
	if input != "" {
		message += ", was " + entity.Cut(input, 80)
	}
	return &entity.Error{Code: entity.InvalidInput, Message: message + ".", Hint: hint, Input: input}
}

// uniqueMatch returns the only candidate that contains a word of the text:
// apa_string for APA, pubmed_citedin for "cited by". It returns "" if none or
// several do, such as full_xml and medline_text for "full text".
func uniqueMatch(text string, candidates []string) string {
	found := ""
	for _, word := range append([]string{text}, strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" _-", r) })...) {
		word = entity.Fold(word)
		for _, c := range candidates {
			if len(word) <= 2 || c == found || !strings.Contains(entity.Fold(c), word) {
				continue
			}
			if found != "" {
				return ""
			}
			found = c
		}
	}
	return found
}

// unknownValues returns the error of words that name no known value; good are
// the other values of the argument, which are valid.
func (t *Tool) unknownValues(a Argument, good []any, bad []string) *entity.Error {
	one, example := " one of ", any(nil)
	if a.List {
		one = " one or several of "
	}
	if rest := a.rest(bad); rest != nil && len(good) == 0 {
		e := t.invalid(a.Name, NotKnown(bad), "", "Call "+t.Name+" again with all others: "+Object(a.Name, rest)+".")
		e.Input = bad[0]
		return e
	}
	sectionNotes, others := a.answered(bad)
	if len(others) == 0 {
		if len(good) > 0 {
			sectionNotes += "For the rest call " + t.Name + " again with " + Object(a.Name, good) + "."
		}
		return t.invalid(a.Name, NotKnown(bad), "", strings.TrimSpace(sectionNotes))
	}
	bad = others
	for _, word := range bad {
		section, where := t.section(a, word)
		sectionNotes += where
		meant := cmp.Or(section, uniqueMatch(word, a.Words), Nearest(word, a.Words))
		if _, negated := entity.Negated(word); negated || meant == "" {
			example = nil
			break
		}
		if !slices.Contains(good, any(meant)) {
			good = append(good, meant)
		}
		if example = good; len(good) == 1 {
			example = meant
		}
	}
	hint := "Call " + t.Name + " again with " + a.Name + " as" + one
	if example != nil {
		hint = "Call " + t.Name + " again with " + Object(a.Name, example) + ", or with " + a.Name + " as" + one
	}
	if !a.Required && !slices.ContainsFunc(bad, func(word string) bool { return !slices.Contains(anyValue, strings.ToLower(word)) }) {
		without := Show(map[string]any{a.Name: nil})
		hint = "Call " + t.Name + " again without " + a.Name + ": " + without + ", or with " + a.Name + " as" + one
	}
	bad = bad[:min(len(bad), maxListed)]
	e := t.invalid(a.Name, NotKnown(bad), "", sectionNotes+hint+strings.Join(a.Words, ", ")+".")
	e.Input = strings.Join(bad, ", ")
	return e
}

// rest returns the values of a list without the one that a word excludes; nil if
// it excludes none.
func (a Argument) rest(bad []string) []string {
	value, negated := entity.Negated(bad[0])
	named, unknown := readWords(value, a.Words, a.Means)
	if !a.List || !negated || len(bad) > 1 || len(unknown) > 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(a.Words), func(word string) bool { return slices.Contains(named, word) })
}

// answered returns sentences with the calls that answer words which are no
// values, each with a space after it, and the other words.
func (a Argument) answered(words []string) (calls string, others []string) {
	for _, word := range words {
		others = append(others, word)
		for known, call := range a.Answered {
			if entity.Fold(known) == entity.Fold(word) {
				name, object, _ := strings.Cut(call, " ")
				calls, others = calls+"For "+word+" call "+name+" with "+object+". ", others[:len(others)-1]
			}
		}
	}
	return calls, others
}

// NotKnown returns the sentence, without its full stop, that words are not known values of an argument: "both" is not a known value.
func NotKnown(words []string) string {
	var quoted []string
	for _, word := range words {
		quoted = append(quoted, `"`+entity.Cut(word, 80)+`"`)
	}
	text := entity.Cut(strings.Join(quoted, ", "), 160)
	if len(words) > 1 {
		return text + " are not known values"
	}
	return text + " is not a known value"
}

// anyValue has the words that people write for an argument that they want to
// leave open.
var anyValue = []string{"all", "any", "both", "either", "every", "*"}

// section returns the section of the answer that has a field, and a sentence
// about it. Both are "" if the argument does not select sections or no section
// has such a field.
func (t *Tool) section(a Argument, field string) (name, where string) {
	if a.Name != "sections" || t.answers.Kind() != reflect.Struct {
		return "", ""
	}
	sections, err := entity.SectionsOf(t.answers)
	if err != nil || len(sections.Names) == 0 {
		return "", ""
	}
	switch name = sections.Holding(field); name {
	case "":
		return "", ""
	case entity.Always:
		return "", field + " is in every answer. "
	}
	return name, field + " is a field of the section " + name + ". "
}

// formHint returns a hint with the form of an argument. Its example is not
// written as a call, which would ask another question.
func (t *Tool) formHint(name string) string {
	a := t.argument(name)
	switch {
	case a.Type == "object":
		var fields []string
		for _, f := range a.Fields {
			fields = append(fields, f.Name)
		}
		return "Call " + t.Name + " again with " + name + " as an object of " + strings.Join(fields, ", ") + "."
	case a.Example != "":
		return "Call " + t.Name + " again with " + name + " in a form such as " + a.Example + "."
	}
	return "Call " + t.Name + " again with another " + name + "."
}

// example returns the example of an argument as a value of a call.
func (a Argument) example() any {
	if a.Example != "" && json.Valid([]byte(a.Example)) && strings.ContainsAny(a.Example[:1], "{[") {
		return json.RawMessage(a.Example)
	}
	return a.Example
}

// missingHint returns a hint for a required argument that was not given: with an
// example if the call has no other argument.
func (t *Tool) missingHint(name string, only bool) string {
	if only && !strings.Contains(name, ".") {
		return "Call " + t.Name + " again with " + name + ", such as " + Object(name, t.argument(name).example()) + "."
	}
	same := "Call " + t.Name + " again with the same arguments and " + name
	if a := t.argument(name); !strings.ContainsAny(a.Example, "0123456789") { // words, not the form of an id
		return same + ": " + a.Description + "."
	}
	return same + strings.TrimPrefix(t.formHint(name), "Call "+t.Name+" again with "+name)
}

// OnceForEach returns a hint with a call for each of several values of an
// argument that takes one, without some other arguments. The text call begins the
// sentence: a tool, or a tool and "again".
func OnceForEach[T any](call, argument string, values []T, without ...string) string {
	const most = 5
	var calls []string
	for _, value := range values[:min(len(values), most)] {
		object := argumentsOf(argument, value)
		for _, name := range without {
			object[name] = nil
		}
		calls = append(calls, Show(object))
	}
	if more := len(values) - most; more > 0 {
		calls = append(calls, fmt.Sprintf("and so on for %d more", more))
	}
	return "Call " + call + ", once for each value of " + argument + ": " + strings.Join(calls, ", ") + "."
}

// boundsHint returns a hint with the range of a number. For a number of results
// it has the end of the range that is nearest to the given one.
func (t *Tool) boundsHint(name string, given any) string {
	a := t.argument(name)
	if a.Maximum == 0 {
		return t.formHint(name)
	}
	hint := fmt.Sprintf("Call %s again with %s from %d to %d", t.Name, name, a.Minimum, a.Maximum)
	var nearest int
	switch n, isNumber := integer(given); {
	case strings.Contains(name, ".") || isPercent(name):
		return hint + "."
	case isNumber && strings.HasPrefix(n.String(), "-"):
		nearest = a.Minimum
	case isNumber || slices.Contains(anyValue, strings.ToLower(Show(given))):
		nearest = a.Maximum
		if i, err := n.Int64(); err == nil && i < int64(a.Minimum) {
			nearest = a.Minimum
		}
	default:
		return hint + "."
	}
	return hint + ": " + Object(name, nearest) + "."
}

// isPercent reports whether an argument takes a percentage.
func isPercent(name string) bool { return strings.HasSuffix(name, "percent") }

// argument returns an argument, or a field of an argument, by its path.
func (t *Tool) argument(path string) (found Argument) {
	known := t.Arguments
	for part := range strings.SplitSeq(path, ".") {
		part, _, _ = strings.Cut(part, "[")
		i := slices.IndexFunc(known, func(a Argument) bool { return a.Name == part })
		if i < 0 {
			break
		}
		found = known[i]
		known = found.Fields
	}
	return found
}

// exampleObject returns an object with the required arguments, or else with the
// first one.
func (t *Tool) exampleObject() string {
	example := map[string]any{}
	for _, a := range t.Arguments {
		if a.Required || len(example) == 0 {
			example[a.Name] = a.example()
		}
	}
	return Show(example)
}

// maxQuoted limits a text that a hint repeats.
const maxQuoted = 600

// Object returns the arguments of a call with one argument as JSON, for hints.
// A long text is cut after a word: the hint must be a valid call. The name of a
// field is written with a dot: argument.field.
func Object(name string, value any) string { return Show(argumentsOf(name, value)) }

func argumentsOf(name string, value any) map[string]any {
	text, ok := value.(string)
	if !ok {
		text = Show(value)
	}
	if ok || len(text) > maxHintCall {
		value = strings.TrimSuffix(entity.Cut(text, maxQuoted), "…")
	}
	argument, field, nested := strings.Cut(name, ".")
	if nested {
		return map[string]any{argument: map[string]any{field: value}}
	}
	return map[string]any{name: value}
}
