package tool

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// read turns the arguments of a call into arguments that are valid by the schema, or returns an error that names the mistake. It accepts
// the forms that models really send: a string for a list, a list written as a JSON string, "50" for 50, and "" or an unfilled
// ${user_config.x} for an absent value.
func (t *Tool) read(raw json.RawMessage) (valid json.RawMessage, notices []string, err error) {
	if len(raw) > maxArguments {
		return nil, nil, t.argumentsTooLong(raw)
	}
	given, notices, err := t.meant(raw)
	if err != nil {
		return nil, nil, err
	}
	notices = append(notices, t.joinTexts(given)...)
	more, err := t.searches(given)
	if err != nil {
		return nil, nil, err
	}
	notices = append(notices, more...)
	args, err := t.fields("", given, t.Arguments)
	if err != nil {
		return nil, nil, err
	}
	if e := t.outOfBounds("", args, t.Arguments); e != nil {
		return nil, nil, e
	}
	valid, err = json.Marshal(args)
	return valid, notices, err
}

// fields reads the arguments of a tool, or the fields of an argument that is an object. The path is the prefix of their names in messages.
func (t *Tool) fields(path string, given map[string]any, known []Argument) (map[string]any, error) {
	if len(unknownNames(given, known)) > 0 {
		return nil, t.unknown(path, given, known)
	}
	args := map[string]any{}
	given = spread(given, known)
	for _, name := range slices.Sorted(maps.Keys(given)) {
		value := given[name]
		if absent(value) {
			continue
		}
		argument, _ := find(known, name)
		argument.Name = path + name
		read, err := t.value(argument, value)
		if err != nil {
			return nil, err
		}
		if read != nil {
			args[name] = read
		}
	}
	for _, a := range known {
		if a.missing(args) {
			return nil, t.invalid(path+a.Name, "is required and was not given", "", t.missingHint(path+a.Name))
		}
	}
	return args, nil
}

// object decodes the arguments, under the names that they have.
func (t *Tool) object(raw json.RawMessage) (map[string]any, error) {
	given, _, err := t.meant(raw)
	return given, err
}

// meant decodes the arguments. Some clients send them as a JSON string, or under other names: where these have one meaning, the arguments
// are renamed, and notices say so.
func (t *Tool) meant(raw json.RawMessage) (given map[string]any, notices []string, err error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
		return nil, nil, nil
	}
	var text string
	if raw[0] == '"' && json.Unmarshal(raw, &text) == nil {
		raw = json.RawMessage(text)
	}
	if err := decode(raw, &given); err != nil {
		return nil, nil, &entity.Error{
			Code:    entity.InvalidInput,
			Message: "The arguments of " + t.Name + " must be one JSON object.",
			Hint:    "Call " + t.Name + " with an object, such as " + t.exampleObject() + ".",
			Input:   string(raw),
		}
	}
	given, ofHosts := withoutHosts(given, t.Arguments)
	given, notices = t.withKnownNames("", given, Argument{Fields: t.Arguments})
	notices = append(ofHosts, notices...)
	t.moveLists(given)
	for _, a := range t.Arguments {
		notices = append(notices, splitDirection(given, a)...)
		notices = append(notices, onlyPoint(given, a)...)
	}
	return given, notices, nil
}

func (t *Tool) value(a Argument, value any) (any, error) {
	if text, ok := value.(string); ok && a.Verbatim {
		if n := utf8.RuneCountInString(text); n > a.MaxLength {
			return nil, t.textTooLong(a, n, "")
		}
		return text, nil
	}
	if a.List {
		return t.list(a, value)
	}
	value = a.inOneForm(value)
	if items, ok := items(value); ok {
		if absent(items) {
			return nil, nil
		}
		if len(items) != 1 {
			return nil, t.invalid(a.Name, "takes one value, got a list of "+strconv.Itoa(len(items)), Show(value),
				OnceForEach(t.Name+" again", a.Name, items))
		}
		value = items[0]
	}
	if a.Type == "object" {
		return t.objectValue(a, value)
	}
	read, err := t.scalar(a, value)
	if err != nil || a.Words == nil {
		return read, err
	}
	values, bad := readWords(read.(string), a.Words, a.Means)
	if len(bad) > 0 {
		return nil, t.unknownValues(a, nil, bad)
	}
	switch len(values) {
	case 0:
		return nil, nil
	case 1:
		return values[0], nil
	}
	return nil, t.invalid(a.Name, "takes one value, got "+strconv.Itoa(len(values)), Show(value),
		OnceForEach(t.Name+" again", a.Name, values))
}

// inOneForm returns dates, a range or a point, which people write as a text, a list or an object, in the form that the argument
// takes. It returns any other value unchanged.
func (a Argument) inOneForm(value any) any {
	if dates, ok := a.datesOf(value); ok {
		return dates
	}
	if text, ok := rangeText(value); ok && a.Range {
		return text
	}
	if text, ok := pointText(value); ok && a.Point {
		return text
	}
	return value
}

// objectValue reads an argument that is an object, also one written as a string.
func (t *Tool) objectValue(a Argument, value any) (any, error) {
	object, ok := value.(map[string]any)
	if text, written := value.(string); written {
		ok = decode([]byte(text), &object) == nil
	}
	if !ok {
		return nil, t.invalid(a.Name, "must be an object", Show(value), t.formHint(a.Name))
	}
	read, err := t.fields(a.Name+".", object, a.Fields)
	if err != nil || len(read) == 0 {
		return nil, err
	}
	var needed []string // a choice changes how the other fields are used, and has no effect alone
	for _, field := range a.Fields {
		if _, given := read[field.Name]; field.Words == nil && given {
			return read, nil
		} else if field.Words == nil {
			needed = append(needed, field.Name)
		}
	}
	if needed == nil {
		return read, nil
	}
	return nil, t.invalid(a.Name, "has no effect without "+strings.Join(needed, " or "), Show(value), t.formHint(a.Name))
}

var datesText = lazyregexp.New(`^\s*([0-9]{4}(?:/[0-9]{1,2}){0,2})(?:\s*(?:\.\.|-|–|\bto\b)\s*([0-9]{4}(?:/[0-9]{1,2}){0,2}))?\s*$`)

// datesWords matches a period in words, or the words for one end of a range: last 5 years, since 2010.
var datesWords = lazyregexp.New(`(?i)^(?:(since|from|after)\s+|(until|till|before|up to)\s+)?([a-z0-9][a-z0-9 /-]*)$`)

// datesOf returns the object of a range of dates that was given as a text or as a list: 2023, 2020-2024, since 2010, [2020, 2024].
func (a Argument) datesOf(value any) (map[string]any, bool) {
	if len(a.Fields) < 2 || !strings.HasSuffix(a.Fields[0].Name, "Date") || !strings.HasSuffix(a.Fields[1].Name, "Date") {
		return nil, false
	}
	text := strings.TrimSpace(Show(value))
	if list, ok := items(value); ok && len(list) == 2 {
		text = Show(list[0]) + ".." + Show(list[1])
	}
	from, to := a.Fields[0].Name, a.Fields[1].Name
	if m := datesText.FindStringSubmatch(text); m != nil {
		return map[string]any{from: m[1], to: cmp.Or(m[2], m[1])}, true
	}
	m := datesWords.FindStringSubmatch(text)
	switch {
	case m == nil:
		return nil, false
	case m[1] != "":
		return map[string]any{from: m[3]}, true
	case m[2] != "":
		return map[string]any{to: m[3]}, true
	}
	return map[string]any{from: m[3], to: m[3]}, true
}

// list reads one value, a list, or a list written as a JSON string.
func (t *Tool) list(a Argument, value any) (any, error) {
	given := oneOrMore(value)
	if a.Type == "object" {
		return t.objects(a, given)
	}
	var out []any
	var bad []string
	for i, item := range given {
		if item == nil && len(given) > 1 {
			return nil, t.invalid(itemOf(a.Name, i), "must be a value, was null", "", t.formHint(a.Name))
		}
		if absent(item) {
			continue
		}
		one, err := t.scalar(a, item)
		if err != nil {
			return nil, err
		}
		if a.Words == nil || a.AnyWords {
			out = append(out, one)
			continue
		}
		values, others := readWords(one.(string), a.Words, a.Means)
		bad = append(bad, others...)
		for _, v := range values {
			if !slices.Contains(out, any(v)) {
				out = append(out, v)
			}
		}
	}
	if len(bad) > 0 {
		return nil, t.unknownValues(a, out, bad)
	}
	if len(out) == 0 {
		return nil, nil
	}
	if a.MaxItems > 0 && len(out) > a.MaxItems {
		return nil, t.tooMany(a, out)
	}
	return out, nil
}

// tooMany returns the error of a list that is too long. The next call has its first values.
func (t *Tool) tooMany(a Argument, values []any) *entity.Error {
	e := t.invalid(a.Name, fmt.Sprintf("takes at most %d values, got %d", a.MaxItems, len(values)), Show(values),
		"The next call has the first ones; call once more for the others.")
	e.Next = entity.Again(t.Name, map[string]any{a.Name: values[:a.MaxItems]})
	return e
}

func (t *Tool) scalar(a Argument, value any) (any, error) {
	switch a.Type {
	case "integer":
		if text, ok := value.(string); ok && isPercent(a.Name) {
			value = strings.TrimSuffix(strings.TrimSpace(text), "%")
		}
		if n, ok := integer(value); ok {
			return n, nil
		}
		return nil, t.outside(a.Name, "must be a whole number", value)
	case "boolean":
		word := strings.ToLower(strings.TrimSpace(Show(value)))
		if meant := a.Means[entity.Fold(word)]; meant != nil { // results: with
			word = meant[0]
		}
		if b, ok := booleans[word]; ok {
			return b, nil
		}
		return nil, t.invalid(a.Name, "must be true or false", Show(value), "Call "+t.Name+" again with "+a.Name+" true or false.")
	}
	return t.text(a, value)
}

// text reads a value as text.
func (t *Tool) text(a Argument, value any) (any, error) {
	if object, ok := value.(map[string]any); ok && a.Search != "" {
		value = Show(object)
	}
	switch v := value.(type) {
	case string:
		if n := utf8.RuneCountInString(v); a.MaxLength > 0 && n > a.MaxLength {
			return nil, t.textTooLong(a, n, v)
		}
		return strings.TrimSpace(entity.Narrow(entity.Clean(v))), nil
	case json.Number:
		if n, isWhole := integer(v); isWhole { // 26027431.0 is an id
			return n.String(), nil
		}
		return v.String(), nil
	case bool:
		if a.Words != nil { // randomized: true
			return strconv.FormatBool(v), nil
		}
	}
	return nil, t.invalid(a.Name, "must be text", Show(value), t.formHint(a.Name))
}

// booleans are the accepted spellings of true and false.
var booleans = map[string]bool{
	"true": true, "t": true, "yes": true, "y": true, "on": true, "1": true,
	"false": false, "f": false, "no": false, "n": false, "off": false, "0": false,
}

// moveLists moves a list of several values of an argument with one value to the argument that takes lists in its place.
func (t *Tool) moveLists(given map[string]any) {
	for _, a := range t.Arguments {
		if values, ok := items(given[a.Name]); ok && len(values) > 1 && a.Or != nil && t.argument(a.Or[0]).List && absent(given[a.Or[0]]) {
			delete(given, a.Name)
			given[a.Or[0]] = values
		}
	}
}
