package stored

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/biofact-mcp/biofact/internal/query"
)

// Cut returns the selected part of a record, as query.Projection.Project does. It copies the texts of the values.
func Cut(record []byte, fields query.Projection) ([]byte, error) {
	if fields == nil {
		return slices.Clone(record), nil
	}
	out, some, err := cut(NewDecoder(bytes.NewBuffer(record)), make([]byte, 0, len(record)/4), fields)
	switch {
	case err != nil:
		return nil, ErrJSON
	case !some:
		return []byte("{}"), nil
	}
	return out, nil
}

// cut appends the selected part of the next value, and reports whether it has any. A parent of which nothing is left is left out itself,
// but an item of a list becomes an empty object.
func cut(d *jsontext.Decoder, out []byte, fields query.Projection) (_ []byte, some bool, err error) {
	start, found := len(out), false
	switch kind := d.PeekKind(); {
	case fields == nil:
		value, err := d.ReadValue()
		return append(out, value...), true, err
	case kind == '{':
		out = append(out, '{')
		err = Elements(d, kind, func() error {
			name, err := d.ReadValue()
			if err != nil {
				return err
			}
			below, selected := fields[string(name[1:len(name)-1])] // a name of fields needs no escape
			if !selected {
				return d.SkipValue()
			}
			before := len(out)
			if some {
				out = append(out, ',')
			}
			out = append(append(out, name...), ':')
			if out, found, err = cut(d, out, below); !found {
				out = out[:before]
			}
			some = some || found
			return err
		})
		out = append(out, '}')
	case kind == '[':
		out = append(out, '[')
		err = Elements(d, kind, func() (err error) {
			if out[len(out)-1] != '[' {
				out = append(out, ',')
			}
			if out, found, err = cut(d, out, fields); !found {
				out = append(out, "{}"...)
			}
			some = some || found
			return err
		})
		out = append(out, ']')
	default:
		err = d.SkipValue()
	}
	if !some {
		out = out[:start]
	}
	return out, some, err
}

// WithoutContacts returns the selected part of a record without the contacts of people.
func WithoutContacts(record []byte, fields query.Projection) (json.RawMessage, error) {
	body, err := Decode(record)
	if err != nil {
		return nil, err
	}
	protocol, _ := body["protocolSection"].(map[string]any)
	module, _ := protocol["contactsLocationsModule"].(map[string]any)
	delete(module, "centralContacts")
	sites, _ := module["locations"].([]any)
	for _, site := range sites {
		if site, ok := site.(map[string]any); ok {
			delete(site, "contacts")
		}
	}
	return fields.JSON(body)
}
