package mirror

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/biofact-mcp/biofact/internal/registry"
)

// errJSON is the error of a text that is not valid JSON.
var errJSON = errors.New("a record that is no JSON")

// decode reads a record. Numbers become json.Number, with their digits unchanged.
func decode(text []byte) (map[string]any, error) { return decodeFields(text, nil) }

// decodeFields reads the part of a record that fields select, or a little more. It only checks the rest: a page of a few fields
// would take several times as long with encoding/json.
func decodeFields(text []byte, fields registry.Projection) (map[string]any, error) {
	value, err := decodeAny(text, fields)
	if err != nil {
		return nil, err
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, errors.New("a record that is no object")
	}
	return object, nil
}

// decodeAny reads a value.
func decodeAny(text []byte, fields registry.Projection) (any, error) {
	d := decoder{text: text}
	return d.all(fields)
}

func (d *decoder) all(fields registry.Projection) (any, error) {
	value, err := d.value(fields)
	if d.space(); err == nil && d.at < len(d.text) {
		err = errJSON
	}
	return value, err
}

// A decoder reads JSON. It accepts the same texts as encoding/json.
type decoder struct {
	text    []byte
	at      int
	depth   int
	checked bool // the text is known to be valid: skip only finds the end of a value
}

// maxDepth bounds the nesting of values. Records have fewer than 20 levels.
const maxDepth = 1000

func (d *decoder) space() {
	for d.at < len(d.text) && (d.text[d.at] == ' ' || d.text[d.at] == '\n' || d.text[d.at] == '\t' || d.text[d.at] == '\r') {
		d.at++
	}
}

// next returns the next byte that is not white space, or 0 at the end.
func (d *decoder) next() byte {
	d.space()
	if d.at >= len(d.text) {
		return 0
	}
	return d.text[d.at]
}

// take skips the next byte if it is sign, and reports whether it was.
func (d *decoder) take(sign byte) bool {
	if d.next() != sign {
		return false
	}
	d.at++
	return true
}

func (d *decoder) value(fields registry.Projection) (any, error) {
	switch d.next() {
	case '{':
		out := map[string]any{}
		err := d.members(func(key []byte) (err error) {
			below, selected := fields[string(key)]
			if fields != nil && !selected {
				return d.skip()
			}
			out[string(key)], err = d.value(below)
			return err
		})
		return out, err
	case '[':
		out := []any{}
		err := d.items(func() error {
			item, err := d.value(fields)
			out = append(out, item)
			return err
		})
		return out, err
	case '"':
		return d.string()
	}
	return d.scalar()
}

// skip skips a value.
func (d *decoder) skip() error {
	first := d.next()
	if d.checked {
		n, ended := new(valueEnd).find(d.text[d.at:])
		if d.at += n; !ended || n == 0 {
			return errJSON
		}
		return nil
	}
	switch first {
	case '{':
		return d.members(func([]byte) error { return d.skip() })
	case '[':
		return d.items(d.skip)
	case '"':
		_, err := d.key()
		return err
	}
	_, err := d.scalar()
	return err
}

// members calls a function for each member of an object, at its value.
func (d *decoder) members(value func(key []byte) error) error {
	return d.list('{', '}', func() error {
		if d.next() != '"' {
			return errJSON
		}
		key, err := d.key()
		if err != nil || !d.take(':') {
			return errJSON
		}
		return value(key)
	})
}

// items calls a function at each item of a list.
func (d *decoder) items(value func() error) error { return d.list('[', ']', value) }

// list calls part at each element of a comma-separated list between two brackets.
func (d *decoder) list(first, last byte, part func() error) error {
	if d.depth++; d.depth > maxDepth || !d.take(first) {
		return errJSON
	}
	defer func() { d.depth-- }()
	if d.take(last) {
		return nil
	}
	for {
		if err := part(); err != nil {
			return err
		}
		if d.take(last) {
			return nil
		}
		if !d.take(',') {
			return errJSON
		}
	}
}

// quoted skips a text in quotation marks. It returns the text with them. Unescaped reports that the text has no escape sequence.
func (d *decoder) quoted() (text []byte, unescaped bool, err error) {
	unescaped = true
	for i := d.at + 1; i < len(d.text); i++ {
		switch c := d.text[i]; {
		case c == '"':
			text = d.text[d.at : i+1]
			d.at = i + 1
			return text, unescaped, nil
		case c == '\\':
			unescaped = false
			i++
		case c < ' ':
			return nil, false, errJSON
		}
	}
	return nil, false, errJSON
}

// key reads a text. The result is a part of the input if the text has no escape sequence.
func (d *decoder) key() ([]byte, error) {
	quoted, unescaped, err := d.quoted()
	if err != nil {
		return nil, err
	}
	if inner := quoted[1 : len(quoted)-1]; unescaped && utf8.Valid(inner) {
		return inner, nil
	}
	var out string
	err = json.Unmarshal(quoted, &out)
	return []byte(out), err
}

func (d *decoder) string() (string, error) {
	text, err := d.key()
	return string(text), err
}

// scalar reads a number, true, false or null.
func (d *decoder) scalar() (any, error) {
	start := d.at
	for d.at < len(d.text) && strings.IndexByte(" \n\t\r,]}:", d.text[d.at]) < 0 {
		d.at++
	}
	switch text := d.text[start:d.at]; string(text) {
	case "true":
		return true, nil
	case "false":
		return false, nil
	case "null":
		return nil, nil
	default:
		if !json.Valid(text) {
			return nil, errJSON
		}
		return json.Number(text), nil
	}
}
