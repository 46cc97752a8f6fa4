package entity

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Next is a call with a better answer, or one that continues an answer. The code that knows the cause makes it. The sentence that
// names the call is generated from it.
type Next struct {
	// Name of the tool.
	Tool string `json:"tool" jsonschema:"minLength=1"`
	// All arguments of the call.
	Arguments map[string]any `json:"arguments"`
	// Again says that Arguments are changes of the call that was made: the other arguments stay, and nil removes one. A client never sees
	// it, and gets the complete call.
	Again bool `json:"-"`
}

// Call returns the call of a tool with these arguments and no others.
func Call(tool string, arguments map[string]any) *Next {
	return &Next{Tool: tool, Arguments: arguments}
}

// Again returns the call that was made, with changes: a value for each argument that changes, nil for one that goes.
func Again(tool string, changes map[string]any) *Next {
	return &Next{Tool: tool, Arguments: changes, Again: true}
}

// Sentence returns the call in words: Call get_trial with nct_id "NCT:01844505".
func (n *Next) Sentence() string {
	text := "Call " + n.Tool
	if n.Again {
		text += " again"
	}
	if words := InWords(n.Arguments); words != "" {
		text += " with " + words
	}
	return text + "."
}

// Of returns the complete call for the arguments that were given. The fields of an object change one by one.
func (n *Next) Of(given map[string]any) *Next {
	complete := map[string]any{}
	if n.Again {
		maps.Copy(complete, given)
	}
	for name, value := range n.Arguments {
		before, _ := complete[name].(map[string]any)
		if fields, isObject := value.(map[string]any); isObject && before != nil {
			before = maps.Clone(before)
			maps.Copy(before, fields)
			value = before
		}
		complete[name] = value
	}
	maps.DeleteFunc(complete, func(_ string, value any) bool { return value == nil })
	return &Next{Tool: n.Tool, Arguments: complete}
}

// maxWords limits the characters of a value in a sentence about a call.
const maxWords = 120

// InWords returns arguments as words: phase PHASE3, no status.
func InWords(arguments map[string]any) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(arguments)) {
		value, shown := arguments[name], Cut(Clean(name), 40)
		if list := reflect.ValueOf(value); list.Kind() == reflect.Slice && list.Len() == 1 {
			value = list.Index(0).Interface()
		}
		switch value := value.(type) {
		case nil:
			parts = append(parts, "no "+shown)
		case string:
			parts = append(parts, shown+" "+strconv.Quote(Cut(value, maxWords)))
		default:
			text, err := json.Marshal(value)
			switch {
			case err != nil:
			case strings.Contains(string(text), "{"): // it would be read as a call
				parts = append(parts, "the "+shown+" of next")
			default:
				parts = append(parts, shown+" "+Cut(string(text), maxWords))
			}
		}
	}
	if last := len(parts) - 1; last > 0 {
		return strings.Join(parts[:last], ", ") + " and " + parts[last]
	}
	return strings.Join(parts, "")
}
