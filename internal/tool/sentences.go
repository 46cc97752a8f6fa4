package tool

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// callStart matches the beginning of a call in a sentence: the tool, and whether the JSON objects that follow change the given call.
var callStart = lazyregexp.New(`\b[Cc]all (\w+)( again\b)?`)

// completed returns a sentence with complete calls, so that a model can copy them, and the first of these; nil for none. A change in
// "call TOOL again with {...}" gets the other arguments that were given, and is written in words if the call would be refused.
func (t *Tool) completed(text string, given map[string]any) (string, *entity.Next) {
	if !strings.Contains(text, "{") {
		return text, nil
	}
	text = eachCall(text, func(tool string, again bool, part string) string {
		return changeObjects(part, func(object map[string]any) string {
			if !again || tool != t.Name {
				return t.filledCalls(object, given)
			}
			next := t.settled(t.complete(entity.Again(t.Name, object), given))
			if next == nil || next.Tool != t.Name || !t.hasRequired(next.Arguments) || len(Show(next.Arguments)) > maxHintCall {
				return entity.InWords(object)
			}
			return Show(next.Arguments)
		})
	})
	return text, calledIn(text)
}

// eachCall changes the parts of a text, each of which begins with a call.
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

// calledIn returns the first call in a text, or nil for none. It leaves out examples.
func calledIn(text string) (next *entity.Next) {
	if strings.Contains(text, "such as {") {
		return nil
	}
	eachCall(text, func(tool string, _ bool, part string) string {
		return changeObjects(part, func(object map[string]any) string {
			if next == nil && tool != "" {
				next = entity.Call(tool, object)
			}
			return ""
		})
	})
	return next
}

// conforming returns a text in which each call is valid by the input schema of its tool, as listed returns its values.
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
