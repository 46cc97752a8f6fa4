package display

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/ordered"
)

// An Answer is the answer of a tool, with its members in order.
type Answer struct{ envelope object }

type (
	object = ordered.Object
	member = ordered.Member
)

// Parse parses an answer, which must be a JSON object.
func Parse(text []byte) (Answer, error) {
	value, err := ordered.Parse(text)
	if err != nil {
		return Answer{}, err
	}
	o, ok := value.(object)
	if !ok {
		return Answer{}, fmt.Errorf("an answer must be a JSON object, got %T", value)
	}
	return Answer{o}, nil
}

// oneLine formats a value that is not an object in one line.
func oneLine(value any) string {
	switch v := value.(type) {
	case nil, object:
		return ""
	case []any:
		var texts []string
		for _, item := range v {
			texts = append(texts, oneLine(item))
		}
		return strings.Join(texts, "; ")
	case string:
		return strings.Join(strings.Fields(v), " ")
	}
	return fmt.Sprint(value)
}

func objects(value any) (out []object) {
	list, _ := value.([]any)
	for _, item := range list {
		if o, ok := item.(object); ok {
			out = append(out, o)
		}
	}
	return out
}

// isInline reports whether a value has no objects in it.
func isInline(value any) bool {
	list, isList := value.([]any)
	_, isObject := value.(object)
	return !isObject && (!isList || len(objects(list)) == 0)
}

// disclaimer is the member of an answer that limits the meaning of all its numbers.
const disclaimer = "disclaimer"

// encoded encodes a value as JSON, with the members of objects in order.
func encoded(value any) []byte {
	var out []byte
	switch v := value.(type) {
	case object:
		for i, m := range v {
			out = append(append(append(append(out, "{,"[min(i, 1)]), encoded(m.Name)...), ':'), encoded(m.Value)...)
		}
		return append(out, "{}"[min(len(v), 1):]...)
	case []any:
		for i, item := range v {
			out = append(append(out, "[,"[min(i, 1)]), encoded(item)...)
		}
		return append(out, "[]"[min(len(v), 1):]...)
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(value) // a string, a number, a boolean or null
	return bytes.TrimSuffix(text.Bytes(), []byte("\n"))
}

// groupMembers are the members of an answer that are lists of groups with counts.
var groupMembers = []string{"groups", "buckets"}

// IsGroups reports whether a member with this name can be a list of groups with counts.
func IsGroups(member string) bool { return slices.Contains(groupMembers, member) }

// groupsOf returns the groups of an answer, or the nested groups of a group.
func groupsOf(o object) (groups []object) {
	for _, name := range groupMembers {
		groups = append(groups, objects(o.Get(name))...)
	}
	return groups
}
