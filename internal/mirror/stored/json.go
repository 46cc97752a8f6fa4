package stored

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/biofact-mcp/biofact/internal/query"
)

// ErrJSON is the error of a text that is not valid JSON.
var ErrJSON = errors.New("a record that is no JSON")

// NewDecoder returns a decoder that accepts the same texts as encoding/json.
func NewDecoder(from io.Reader) *jsontext.Decoder {
	return jsontext.NewDecoder(from, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// Decode reads a record. Numbers become json.Number, with their digits unchanged.
func Decode(text []byte) (map[string]any, error) { return DecodeFields(text, nil) }

// DecodeFields reads the part of a record that fields select, or a little more. It only checks the rest.
func DecodeFields(text []byte, fields query.Projection) (map[string]any, error) {
	value, err := DecodeAny(text, fields)
	if err != nil {
		return nil, err
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, errors.New("a record that is no object")
	}
	return object, nil
}

// DecodeAny reads a value as DecodeFields does.
func DecodeAny(text []byte, fields query.Projection) (any, error) {
	d := NewDecoder(bytes.NewBuffer(text))
	value, err := decodeNext(d, fields)
	if _, end := d.ReadToken(); err != nil || !errors.Is(end, io.EOF) {
		return nil, ErrJSON
	}
	return value, nil
}

func decodeNext(d *jsontext.Decoder, fields query.Projection) (any, error) {
	switch d.PeekKind() {
	case '{':
		out := map[string]any{}
		return out, Members(d, func(name string) (err error) {
			below, selected := fields[name]
			if fields != nil && !selected {
				return d.SkipValue()
			}
			out[name], err = decodeNext(d, below)
			return err
		})
	case '[':
		out := []any{}
		return out, Elements(d, '[', func() error {
			item, err := decodeNext(d, fields)
			out = append(out, item)
			return err
		})
	}
	token, err := d.ReadToken()
	switch token.Kind() {
	case 't', 'f':
		return token.Bool(), err
	case '0':
		return json.Number(token.String()), err
	case '"':
		return token.String(), err
	}
	return nil, err
}

// Members calls a function with the name of each member of an object, at its value.
func Members(d *jsontext.Decoder, value func(name string) error) error {
	return Elements(d, '{', func() error {
		name, err := d.ReadToken()
		if err != nil {
			return err
		}
		return value(name.String())
	})
}

// Elements calls a function at each element of an object or a list, whose text begins with a bracket.
func Elements(d *jsontext.Decoder, bracket jsontext.Kind, element func() error) error {
	first, err := d.ReadToken()
	if err == nil && first.Kind() != bracket {
		err = ErrJSON
	}
	for err == nil && d.PeekKind() != '}' && d.PeekKind() != ']' {
		err = element()
	}
	if err == nil {
		_, err = d.ReadToken()
	}
	return err
}
