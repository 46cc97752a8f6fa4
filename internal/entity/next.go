package entity

import (
	"encoding/json"
	"maps"
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
	if words := inWords(n.Arguments); words != "" {
		text += " with " + words
	}
	return text + "."
}

// Of returns the complete call for the arguments that were given.
func (n *Next) Of(given map[string]any) *Next {
	complete := map[string]any{}
	if n.Again {
		maps.Copy(complete, given)
	}
	maps.Copy(complete, n.Arguments)
	maps.DeleteFunc(complete, func(_ string, value any) bool { return value == nil })
	return &Next{Tool: n.Tool, Arguments: complete}
}

// maxWords limits the characters of a value in a sentence about a call.
const maxWords = 120

// inWords returns arguments as words: phase PHASE3, no status.
func inWords(arguments map[string]any) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(arguments)) {
		switch value := arguments[name].(type) {
		case nil:
			parts = append(parts, "no "+name)
		case string:
			parts = append(parts, name+" "+strconv.Quote(Cut(value, maxWords)))
		default:
			text, err := json.Marshal(value)
			if err == nil {
				parts = append(parts, name+" "+Cut(string(text), maxWords))
			}
		}
	}
	if last := len(parts) - 1; last > 0 {
		return strings.Join(parts[:last], ", ") + " and " + parts[last]
	}
	return strings.Join(parts, "")
}
