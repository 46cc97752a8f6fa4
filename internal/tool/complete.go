package tool

import (
	"encoding/json"
	"maps"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// callStart matches the beginning of a call in a hint: the tool, and whether
// the JSON objects that follow correct arguments of the failed call.
var callStart = lazyregexp.New(`\b[Cc]all (\w+)( again\b)?`)

// completeHint returns an error whose hint has complete calls: each correction in
// "call TOOL again with {...}" gets the other arguments of the failed call, so
// that a model can copy the object.
func (t *Tool) completeHint(err error, raw json.RawMessage) error {
	e := *entity.AsError(err)
	if len(raw) > maxArguments || !strings.Contains(e.Hint, "{") {
		return err
	}
	given, unreadable := t.object(raw)
	if unreadable != nil {
		return err
	}
	t.joinTexts(given)
	base := t.validArguments("", given, t.Arguments)
	delete(base, "cursor") // it belongs to a call with other arguments
	starts := callStart.FindAllStringSubmatchIndex(e.Hint, -1)
	hint, from, again := strings.Builder{}, 0, false
	part := func(text string) {
		if again {
			text = changeObjects(text, func(correction map[string]any) string { return t.correctedArguments(base, given, correction) })
		}
		hint.WriteString(text)
	}
	for _, s := range starts {
		part(e.Hint[from:s[0]])
		from, again = s[0], s[4] >= 0 && e.Hint[s[2]:s[3]] == t.Name
	}
	part(e.Hint[from:])
	e.Hint = hint.String()
	return &e
}

// changeObjects replaces the JSON objects in a text. An object for which change
// returns "" is not changed.
func changeObjects(text string, change func(map[string]any) string) string {
	var out strings.Builder
	for {
		at := strings.IndexByte(text, '{')
		if at < 0 {
			return out.String() + text
		}
		var object map[string]any
		end := at + 1
		decoder := json.NewDecoder(strings.NewReader(text[at:]))
		decoder.UseNumber()
		if decoder.Decode(&object) == nil {
			end = at + int(decoder.InputOffset())
		}
		changed := change(object)
		if object == nil || changed == "" {
			changed = text[at:end]
		}
		out.WriteString(text[:at] + changed)
		text = text[end:]
	}
}

// typed returns a number or a boolean as it was read, in the type of the schema,
// and any other value as it was given.
func (a Argument) typed(given, read any) any {
	if !a.List && (a.Type == "integer" || a.Type == "boolean") {
		return read
	}
	return given
}

// validArguments returns the arguments that are valid, each checked alone.
func (t *Tool) validArguments(path string, given map[string]any, known []Argument) map[string]any {
	out := map[string]any{}
	schema, err := t.compile()
	if err != nil {
		return out
	}
	for _, a := range known {
		value := given[a.Name]
		if absent(value) {
			continue
		}
		named := a
		named.Name = path + a.Name
		read, err := t.value(named, value)
		_, rule := property(schema, strings.Split(named.Name, "."))
		inner, isObject := value.(map[string]any)
		switch {
		case err == nil && read != nil && rule.Validate(read) == nil:
			out[a.Name] = a.typed(value, read)
		case isObject && a.Fields != nil:
			if fields := t.validArguments(named.Name+".", inner, a.Fields); len(fields) > 0 {
				out[a.Name] = fields
			}
		}
	}
	return out
}

// correctedArguments returns the arguments of a call with a correction applied.
// A null removes an argument; a required argument that is missing gets its
// example. It returns "" for a call that is too long for a hint.
func (t *Tool) correctedArguments(base, given, correction map[string]any) string {
	call := maps.Clone(base)
	correction, single := t.itemsCorrected(given, correction)
	for name, value := range correction {
		inner, isObject := value.(map[string]any)
		given, before := call[name].(map[string]any)
		switch {
		case value == nil:
			delete(call, name)
		case isObject && before:
			call[name] = maps.Clone(given)
			maps.Copy(call[name].(map[string]any), inner)
		default:
			call[name] = value
		}
	}
	for _, a := range t.Arguments {
		if _, given := call[a.Name]; a.Required && !given {
			call[a.Name] = a.example()
		}
	}
	text := show(call)
	switch {
	case len(text) > maxHintCall && !single:
		return ""
	case single:
		text += " (one item alone; correct the others in the same way)"
	}
	return text
}
