// Package ordered reads JSON, and keeps the order of the members of objects. It knows no answer.
package ordered

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// An Object is a JSON object. A value is an Object, []any, string, json.Number, bool or nil.
type Object []Member

// A Member is a member of an object.
type Member struct {
	Name  string
	Value any
}

// Parse returns the value of a JSON text.
func Parse(text []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	return next(dec)
}

func next(dec *json.Decoder) (any, error) {
	token, err := dec.Token()
	open, isOpen := token.(json.Delim)
	if err != nil || !isOpen {
		return token, err
	}
	object, list := Object{}, []any{}
	for dec.More() {
		var name json.Token
		if open == '{' {
			if name, err = dec.Token(); err != nil {
				return nil, err
			}
		}
		value, err := next(dec)
		if err != nil {
			return nil, err
		}
		object, list = append(object, Member{fmt.Sprint(name), value}), append(list, value)
	}
	if _, err := dec.Token(); err != nil || open == '[' {
		return list, err
	}
	return object, nil
}

// Get returns the value at a path such as journalInfo.title, or nil.
func (o Object) Get(path string) any {
	name, rest, nested := strings.Cut(path, ".")
	i := slices.IndexFunc(o, func(m Member) bool { return m.Name == name })
	if i < 0 {
		return nil
	}
	if inner, ok := o[i].Value.(Object); ok && nested {
		return inner.Get(rest)
	}
	if nested {
		return nil
	}
	return o[i].Value
}

// Text returns the text at a path, or "".
func (o Object) Text(path string) string {
	text, _ := o.Get(path).(string)
	return text
}
