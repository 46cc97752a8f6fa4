package tool

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// callStart matches the beginning of a call in a hint: the tool, and whether the JSON objects that follow correct arguments of the failed
// call.
var callStart = lazyregexp.New(`\b[Cc]all (\w+)( again\b)?`)

// completeHint returns an error whose hint has complete calls, also the one that the cause named.
func (t *Tool) completeHint(err error, raw json.RawMessage) *entity.Error {
	e := *entity.AsError(err)
	about := t.subject(e.Message)
	if e.Next != nil && e.Next.Again {
		if next := t.complete(e.Next, raw); next != nil {
			e.Hint = strings.TrimSpace(e.Hint + " Call " + t.Name + " again with " + Show(next.Arguments) + ".")
		}
		e.Hint, e.Next = cmp.Or(e.Hint, t.formHint(about)), nil
		return &e
	}
	complete := t.completeCalls(raw, about, e.Input)
	if e.Hint = complete(e.Hint); about == "" || t.argument(about).Required || objectsIn(e.Hint) > 0 ||
		!slices.Contains(anyValue, strings.ToLower(e.Input)) {
		return &e
	}
	open := complete("Call " + t.Name + " again without " + about + ": " + Show(map[string]any{about: nil}) + ". ")
	if objectsIn(open) > 0 {
		e.Hint = open + e.Hint
	}
	return &e
}

// completeCalls returns a function that completes the calls in a hint or a notice: each correction in "call TOOL again with {...}" gets the
// other arguments of the call that raw has, so that a model can copy the object. A correction that would lose an argument, or is too long,
// is written in words. about is the argument that the hint corrects, and wrong its wrong value; a notice names its argument itself.
func (t *Tool) completeCalls(raw json.RawMessage, about, wrong string) func(text string) string {
	read := sync.OnceValues(func() (given, base map[string]any) {
		given, _ = t.object(raw)
		t.joinTexts(given)
		base = t.knownArguments("", given, t.Arguments)
		delete(base, "cursor") // it belongs to a call with other arguments
		return given, base
	})
	return func(text string) string {
		if len(raw) > maxArguments || !strings.Contains(text, "{") {
			return text
		}
		fix := correctedValue{argument: cmp.Or(about, t.subject(text)), wrong: wrong}
		return eachCall(text, func(tool string, again bool, part string) string {
			switch given, base := read(); {
			case again && tool == t.Name:
				part = changeObjects(part, func(object map[string]any) string { return t.correctedArguments(base, given, object, fix) })
			case strings.Contains(part, `"$`):
				part = changeObjects(part, func(call map[string]any) string { return t.filledCalls(call, given) })
			}
			return part
		})
	}
}

// eachCall changes the parts of a hint, each of which begins with a call.
func eachCall(text string, change func(tool string, again bool, part string) string) string {
	var out strings.Builder
	from, tool, again := 0, "", false
	for _, s := range callStart.FindAllStringSubmatchIndex(text, -1) {
		out.WriteString(change(tool, again, text[from:s[0]]))
		from, tool, again = s[0], text[s[2]:s[3]], s[4] >= 0
	}
	out.WriteString(change(tool, again, text[from:]))
	return out.String()
}

// conforming returns a hint or a notice in which each call is valid by the input schema of its tool, as listed returns its values.
func (t *Tool) conforming(text string) string {
	if !strings.Contains(text, "{") {
		return text
	}
	return eachCall(text, func(tool string, _ bool, part string) string {
		i := slices.IndexFunc(t.all, func(other *Tool) bool { return other.Name == tool })
		if i < 0 {
			return part
		}
		return changeObjects(part, func(call map[string]any) string {
			changed := false
			for _, a := range t.all[i].Arguments {
				if value := call[a.Name]; !absent(value) && !a.conforms(value) {
					if listed, ok := t.all[i].listed(a, value); ok {
						call[a.Name], changed = listed, true
					}
				}
			}
			if !changed {
				return ""
			}
			return Show(call)
		})
	})
}

// conforms reports whether a value is valid by the schema of the argument in tools/list, but for its bounds.
func (a Argument) conforms(value any) bool {
	if list, isList := value.([]any); a.List && !a.Commas {
		a.List = false
		return isList && !slices.ContainsFunc(list, func(item any) bool { return !a.conforms(item) })
	}
	switch value := value.(type) {
	case string:
		return a.Type == "string" && (a.Words == nil || a.AnyWords || slices.Contains(a.Words, value))
	case json.Number:
		return a.Type == "integer"
	case bool:
		return a.Type == "boolean"
	case map[string]any:
		return a.Type == "object" && !slices.ContainsFunc(a.Fields, func(f Argument) bool {
			return !absent(value[f.Name]) && !f.conforms(value[f.Name])
		})
	}
	return false
}

// ownCalls changes the calls of the tool in a hint.
func (t *Tool) ownCalls(hint string, change func(map[string]any) string) string {
	return eachCall(hint, func(tool string, _ bool, part string) string {
		if tool == t.Name {
			part = changeObjects(part, change)
		}
		return part
	})
}

// filledCalls returns the calls with the arguments that stand for $name. If one of these has several values, it returns a call for each; if
// it was not given, the name of the argument. Other texts that begin with $ are those of a caller.
func (t *Tool) filledCalls(call, given map[string]any) string {
	calls := []string{}
	for name, value := range call {
		text, _ := value.(string)
		from, stands := strings.CutPrefix(text, "$")
		if !stands || t.argument(from).Name == "" {
			continue
		}
		if absent(given[from]) {
			return name
		}
		for _, one := range oneOrMore(given[from]) {
			complete := maps.Clone(call)
			complete[name] = one
			calls = append(calls, Show(complete))
		}
	}
	return strings.Join(calls, ", ")
}

// changeObjects replaces the JSON objects in a text. An object for which change returns "" is not changed.
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

// typed returns a number or a boolean as it was read, in the type of the schema, and any other value as it was given.
func (a Argument) typed(given, read any) any {
	if !a.List && (a.Type == "integer" || a.Type == "boolean") {
		return read
	}
	return given
}

// knownArguments returns the arguments that the tool has, those that are valid in the types of the schema.
func (t *Tool) knownArguments(path string, given map[string]any, known []Argument) map[string]any {
	out := map[string]any{}
	for _, a := range known {
		value := given[a.Name]
		if absent(value) {
			continue
		}
		named := a
		named.Name, out[a.Name] = path+a.Name, value
		inner, isObject := value.(map[string]any)
		if read, err := t.value(named, value); err == nil && read != nil {
			out[a.Name] = a.typed(value, read)
		} else if isObject && a.Fields != nil {
			out[a.Name] = t.knownArguments(named.Name+".", inner, a.Fields)
		}
	}
	return out
}

// A correctedValue is the value of an argument that a hint corrects.
type correctedValue struct {
	argument string // "" for none
	wrong    string
}

// correct applies one value of a correction to a call. moved reports that the correction is of the argument that is wrong. The result is
// false if a value of the call would be lost.
func (t *Tool) correct(call map[string]any, name string, value any, moved bool, fix correctedValue) bool {
	before, has := call[name]
	fields, hadFields := before.(map[string]any)
	inner, isObject := value.(map[string]any)
	switch a := t.argument(name); {
	case value == nil:
		delete(call, name)
	case isObject && hadFields:
		merged := maps.Clone(fields)
		maps.Copy(merged, inner)
		call[name] = merged
	case has && a.List && name == fix.argument:
		call[name] = replaced(before, fix.wrong, value)
	case !has || !moved || name == fix.argument || strings.Contains(Show(value), Show(before)):
		call[name] = value
	case a.Either: // the value of another argument is moved here
		call[name] = allOf(Show(before), Show(value))
	default:
		return false
	}
	return true
}

func (t *Tool) hasRequired(call map[string]any) bool {
	return !slices.ContainsFunc(t.Arguments, func(a Argument) bool { return a.missing(call) })
}

// allOf returns two texts joined by AND.
func allOf(texts ...string) string {
	for i, text := range texts {
		if strings.Contains(strings.ToLower(text), " or ") {
			texts[i] = "(" + text + ")"
		}
	}
	return strings.Join(texts, " AND ")
}

// replaced returns the values of a list with others in place of the wrong one. The given values may be a text with separators, and the
// others the whole list.
func replaced(given any, wrong string, others any) any {
	values, more := oneOrMore(given), []any(nil)
	if text, ok := values[0].(string); ok && len(values) == 1 {
		values = nil
		for _, part := range separators.Split(text, -1) {
			values = append(values, strings.TrimSpace(part))
		}
	}
	is := func(text string) func(any) bool {
		return func(value any) bool { return entity.Fold(Show(value)) == entity.Fold(text) }
	}
	list, several := others.([]any)
	if !several || !slices.ContainsFunc(values, is(wrong)) {
		return others
	}
	for _, value := range values {
		if !is(wrong)(value) && !slices.ContainsFunc(list, is(Show(value))) {
			more = append(more, value)
		}
	}
	return append(more, list...)
}

// loses reports whether a field of an object is neither in the call nor in the correction.
func loses(known []Argument, given, call, correction any) bool {
	all, _ := given.(map[string]any)
	inCall, _ := call.(map[string]any)
	fixed, _ := correction.(map[string]any)
	return slices.ContainsFunc(known, func(f Argument) bool {
		_, has := inCall[f.Name]
		_, isFixed := fixed[f.Name]
		return !absent(all[f.Name]) && !has && !isFixed
	})
}

// inWords returns a correction as words: phase "PHASE3", no status.
func inWords(path string, correction map[string]any) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(correction)) {
		value := correction[name]
		if list, isList := value.([]any); isList && len(list) == 1 {
			value = list[0]
		}
		switch value := value.(type) {
		case nil:
			parts = append(parts, "no "+path+name)
		case map[string]any:
			parts = append(parts, inWords(path+name+".", value))
		case string:
			parts = append(parts, path+name+" "+strconv.Quote(entity.Cut(value, maxQuoted)))
		default:
			text := Show(value)
			if strings.Contains(text, "{") {
				text = "corrected"
			}
			parts = append(parts, path+name+" "+entity.Cut(text, maxQuoted))
		}
	}
	return strings.Join(parts, " and ")
}

// subject returns the argument that a message or a notice begins with, or "".
func (t *Tool) subject(text string) string {
	name, _, _ := strings.Cut(text, ":")
	name, _, _ = strings.Cut(name, ".")
	name, _, _ = strings.Cut(name, "[")
	return t.argument(name).Name
}

func objectsIn(hint string) (n int) {
	changeObjects(hint, func(map[string]any) string { n++; return "" })
	return n
}

// correctedArguments returns the arguments of a call with a correction applied, or the correction in words if the call would not be the
// whole one. A null removes an argument.
func (t *Tool) correctedArguments(base, given, correction map[string]any, fix correctedValue) string {
	call := maps.Clone(base)
	correction, complete := t.itemsCorrected(given, correction)
	_, moved := correction[fix.argument]
	for name, value := range correction {
		complete = t.correct(call, name, value, moved, fix) && complete
	}
	if text := Show(call); complete && t.hasRequired(call) && len(call) > 0 && len(text) <= maxHintCall {
		return text
	}
	return inWords("", correction)
}
