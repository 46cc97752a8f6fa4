package display

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// An Answer is the answer of a tool, with its members in order.
type Answer struct{ envelope object }

// Parse parses an answer, which must be a JSON object.
func Parse(text []byte) (Answer, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	value, err := parse(dec)
	if err != nil {
		return Answer{}, err
	}
	o, ok := value.(object)
	if !ok {
		return Answer{}, fmt.Errorf("an answer must be a JSON object, got %T", value)
	}
	return Answer{o}, nil
}

// An object is a JSON object with its members in order. A value is an object, []any, string, json.Number, bool or nil.
type object []member

type member struct {
	name  string
	value any
}

// get returns the value at a path such as journalInfo.title, or nil.
func (o object) get(path string) any {
	name, rest, nested := strings.Cut(path, ".")
	i := slices.IndexFunc(o, func(m member) bool { return m.name == name })
	if i < 0 {
		return nil
	}
	if inner, ok := o[i].value.(object); ok && nested {
		return inner.get(rest)
	}
	if nested {
		return nil
	}
	return o[i].value
}

// text returns the text at a path, or "".
func (o object) text(path string) string {
	text, _ := o.get(path).(string)
	return text
}

func parse(dec *json.Decoder) (any, error) {
	token, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		o := object{}
		for dec.More() {
			name, err := dec.Token()
			if err != nil {
				return nil, err
			}
			value, err := parse(dec)
			if err != nil {
				return nil, err
			}
			o = append(o, member{fmt.Sprint(name), value})
		}
		_, err := dec.Token()
		return o, err
	case json.Delim('['):
		list := []any{}
		for dec.More() {
			value, err := parse(dec)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		_, err := dec.Token()
		return list, err
	}
	return token, nil
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
			out = append(append(append(append(out, "{,"[min(i, 1)]), encoded(m.name)...), ':'), encoded(m.value)...)
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
		groups = append(groups, objects(o.get(name))...)
	}
	return groups
}
