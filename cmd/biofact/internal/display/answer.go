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
