package tool

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// outOfBounds returns the error for the first value, by name, that is too small, too large or too short; nil if no value is. The path is
// the prefix of the names in messages.
func (t *Tool) outOfBounds(path string, args map[string]any, known []Argument) *entity.Error {
	for _, name := range slices.Sorted(maps.Keys(args)) {
		a, _ := find(known, name)
		list, isList := args[name].([]any)
		if !isList {
			list = []any{args[name]}
		}
		for i, value := range list {
			shown, problem := path+name, a.bound(value)
			text, isText := value.(string)
			switch {
			case problem == "":
			case isText && isList:
				problem += fmt.Sprintf(", has %d", utf8.RuneCountInString(text))
				return t.invalid(itemOf(shown, i), problem, text, t.formHint(shown))
			case isText:
				return t.invalid(shown, problem, text, t.formHint(shown))
			default:
				return t.outside(shown, problem, value)
			}
			if isList {
				shown = itemOf(shown, i)
			}
			if fields, isObject := value.(map[string]any); isObject {
				if e := t.outOfBounds(shown+".", fields, a.Fields); e != nil {
					return e
				}
			}
		}
	}
	return nil
}

// bound returns the bound of the argument that a value exceeds, as a part of a sentence; "" if it exceeds none.
func (a Argument) bound(value any) string {
	switch value := value.(type) {
	case json.Number:
		n, err := value.Float64()
		switch {
		case err != nil || a.Maximum == 0:
		case n < float64(a.Minimum):
			return fmt.Sprintf("must be at least %d", a.Minimum)
		case n > float64(a.Maximum):
			return fmt.Sprintf("must be at most %d", a.Maximum)
		}
	case string:
		if utf8.RuneCountInString(value) < a.MinLength {
			return fmt.Sprintf("must have at least %d characters", a.MinLength)
		}
	}
	return ""
}

// invalid returns the INVALID_INPUT error of one argument.
func (t *Tool) invalid(name, what, input, hint string) *entity.Error {
	message := name + ": " + what
	if input != "" {
		message += ", was " + entity.Cut(input, 80)
	}
	return &entity.Error{Code: entity.InvalidInput, Message: message + ".", Hint: hint, Input: input}
}

// uniqueMatch returns the only candidate that contains a word of the text: apa_string for APA, pubmed_citedin for "cited by". It returns ""
// if none or several do, such as full_xml and medline_text for "full text".
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

// unknownValues returns the error of words that name no known value; good are the other values of the argument, which are valid.
func (t *Tool) unknownValues(a Argument, good []any, bad []string) *entity.Error {
	calls, others := a.answered(bad)
	bad = bad[:min(len(bad), maxListed)]
	e := t.invalid(a.Name, NotKnown(bad), "", "")
	e.Input = strings.Join(bad, ", ")
	meant, open := slices.Clone(good), !a.Required && !slices.ContainsFunc(others, func(word string) bool { return !isAny(word) })
	for _, word := range others {
		section, where := t.section(a, word)
		calls += where
		nearest := cmp.Or(section, uniqueMatch(word, a.Words), Nearest(word, a.Words))
		if _, negated := entity.Negated(word); negated {
			nearest = "" // the caller excludes it
		}
		meant = append(meant, nearest)
	}
	switch {
	case len(others) > 0 && (open || len(a.Words) == 1 && !a.Required): // the only value may be the opposite
		e.Next = entity.Again(t.Name, map[string]any{a.Name: nil})
	case slices.Contains(meant, any("")) || len(meant) == 0:
	case a.List:
		e.Next = entity.Again(t.Name, map[string]any{a.Name: entity.Once(meant)})
	case len(meant) == 1:
		e.Next = entity.Again(t.Name, map[string]any{a.Name: meant[0]})
	}
	if strings.Contains(a.Name, ".") {
		e.Next = nil
	}
	one := " is one of "
	if a.List {
		one = " is one or several of "
	}
	e.Hint = strings.TrimSpace(calls)
	if len(others) > 0 {
		e.Hint = strings.TrimSpace(calls + a.Name + one + strings.Join(a.Words, ", ") + ".")
	}
	return e
}

// answered returns sentences with the calls that answer words which are no values, each with a space after it, and the other words.
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

// anyValue has the words that people write for an argument that they want to leave open.
var anyValue = []string{"all", "any", "both", "either", "every", "*"}

func isAny(word string) bool { return slices.Contains(anyValue, strings.ToLower(word)) }

// section returns the section of the answer that has a field, and a sentence about it. Both are "" if the argument does not select sections
// or no section has such a field.
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

// formHint returns a hint with the form of an argument. Its example is not written as a call, which would ask another question.
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

func (a Argument) example() any {
	if a.Example != "" && json.Valid([]byte(a.Example)) && strings.ContainsAny(a.Example[:1], "{[") {
		return json.RawMessage(a.Example)
	}
	return a.Example
}

// missingHint returns a hint for a required argument that was not given.
func (t *Tool) missingHint(name string) string {
	a, same := t.argument(name), "Call "+t.Name+" again with the same arguments and "+name
	if !strings.ContainsAny(a.Example, "0123456789") { // words, not the form of an id
		return same + ": " + strings.TrimSuffix(a.Description, ".") + "."
	}
	return same + strings.TrimPrefix(t.formHint(name), "Call "+t.Name+" again with "+name)
}

// OnceForEach returns a hint with a call for each of several values of an argument that takes one, without some other arguments. The text
// call begins the sentence: a tool, or a tool and "again".
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

// outside returns the error of a number that is no whole number, or outside of its bounds. The next call has the nearest bound.
func (t *Tool) outside(name, problem string, given any) *entity.Error {
	a := t.argument(name)
	if a.Maximum == 0 {
		return t.invalid(name, problem, Show(given), t.formHint(name))
	}
	e := t.invalid(name, problem, Show(given), fmt.Sprintf("%s is a number from %d to %d.", name, a.Minimum, a.Maximum))
	n, isNumber := integer(given)
	if strings.Contains(name, ".") || isPercent(name) || !isNumber && !isAny(Show(given)) && given != true {
		return e
	}
	nearest := a.Maximum
	if low, err := n.Int64(); err == nil && low < int64(a.Minimum) {
		nearest = a.Minimum
	}
	e.Next = entity.Again(t.Name, map[string]any{name: nearest})
	return e
}

// isPercent reports whether an argument takes a percentage.
func isPercent(name string) bool { return strings.HasSuffix(name, "percent") }

// argument returns an argument, or a field of an argument, by its path.
func (t *Tool) argument(path string) (found Argument) {
	known := t.Arguments
	for part := range strings.SplitSeq(path, ".") {
		part, _, _ = strings.Cut(part, "[")
		next, ok := find(known, part)
		if !ok {
			break
		}
		found, known = next, next.Fields
	}
	return found
}

func find(known []Argument, name string) (a Argument, ok bool) {
	for _, a := range known {
		if a.Name == name {
			return a, true
		}
	}
	return a, false
}

// exampleObject returns an object with the required arguments, or else with the first one.
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

// Object returns the arguments of a call with one argument as JSON, for hints. A long text is cut after a word: the hint must be a valid
// call. The name of a field is written with a dot: argument.field.
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
