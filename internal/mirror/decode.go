package mirror

import (
	"bytes"
	"encoding/json"
	"errors"
	"unicode/utf8"

	"github.com/biofact-mcp/biofact/internal/registry"
)

// errJSON is the error of a record that is no JSON.
var errJSON = errors.New("a record that is no JSON")

// decode reads a record of valid JSON and keeps numbers as they are written.
func decode(text []byte) (map[string]any, error) { return decodeFields(text, nil) }

// decodeFields reads the part of a record that fields select, or a little more. It passes over the rest, which is what
// makes a page of a few fields fast: encoding/json would take several times as long.
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

// decodeAny reads a value of valid JSON.
func decodeAny(text []byte, fields registry.Projection) (any, error) {
	d := decoder{text: text}
	value, err := d.value(fields)
	if d.space(); err == nil && d.at < len(text) {
		err = errJSON
	}
	return value, err
}

// A decoder reads JSON that encoding/json has found valid; other text may be read as something or be an error.
type decoder struct {
	text []byte
	at   int
}

func (d *decoder) space() {
	for d.at < len(d.text) && (d.text[d.at] == ' ' || d.text[d.at] == '\n' || d.text[d.at] == '\t' || d.text[d.at] == '\r') {
		d.at++
	}
}

// next returns the next sign that is no space, or 0 at the end.
func (d *decoder) next() byte {
	d.space()
	if d.at >= len(d.text) {
		return 0
	}
	return d.text[d.at]
}

// take passes over a sign, and reports whether it was there.
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
		return d.object(fields)
	case '[':
		return d.list(fields)
	case '"':
		return d.string()
	}
	return d.scalar()
}

func (d *decoder) object(fields registry.Projection) (any, error) {
	d.at++
	out := map[string]any{}
	for first := true; !d.take('}'); first = false {
		if !first && !d.take(',') {
			return nil, errJSON
		}
		if d.next() != '"' {
			return nil, errJSON
		}
		key, err := d.string()
		if err != nil || !d.take(':') {
			return nil, errors.Join(errJSON, err)
		}
		below, kept := fields[key]
		if fields != nil && !kept {
			if err := d.skip(); err != nil {
				return nil, err
			}
			continue
		}
		if out[key], err = d.value(below); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (d *decoder) list(fields registry.Projection) (any, error) {
	d.at++
	out := []any{}
	for first := true; !d.take(']'); first = false {
		if !first && !d.take(',') {
			return nil, errJSON
		}
		item, err := d.value(fields)
		if err != nil {
			return nil, err
		}
		out = append(out, item)
	}
	return out, nil
}

// end returns where the text that begins at a quotation mark ends, behind the other one, and whether it is written
// as it is.
func (d *decoder) end() (end int, plain bool, err error) {
	plain = true
	for i := d.at + 1; i < len(d.text); i++ {
		switch d.text[i] {
		case '"':
			return i + 1, plain, nil
		case '\\':
			plain = false
			i++
		}
	}
	return 0, false, errJSON
}

func (d *decoder) string() (string, error) {
	end, plain, err := d.end()
	if err != nil {
		return "", err
	}
	quoted := d.text[d.at:end]
	d.at = end
	if inner := quoted[1 : len(quoted)-1]; plain && utf8.Valid(inner) {
		return string(inner), nil
	}
	var out string
	err = json.Unmarshal(quoted, &out)
	return out, err
}

// scalar reads a number, true, false or null.
func (d *decoder) scalar() (any, error) {
	start := d.at
	for d.at < len(d.text) && bytes.IndexByte([]byte(" \n\t\r,]}"), d.text[d.at]) < 0 {
		d.at++
	}
	switch text := string(d.text[start:d.at]); text {
	case "true":
		return true, nil
	case "false":
		return false, nil
	case "null":
		return nil, nil
	case "":
		return nil, errJSON
	default:
		return json.Number(text), nil
	}
}

// skip passes over a value.
func (d *decoder) skip() error {
	depth := 0
	for {
		switch d.next() {
		case 0:
			return errJSON
		case '"':
			end, _, err := d.end()
			if err != nil {
				return err
			}
			d.at = end
		case '{', '[':
			depth++
			d.at++
			continue
		case '}', ']':
			depth--
			d.at++
		case ',', ':':
			d.at++
			continue
		default:
			if _, err := d.scalar(); err != nil {
				return err
			}
		}
		if depth <= 0 {
			return nil
		}
	}
}
