package mirror

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/biofact-mcp/biofact/internal/registry"
)

// This file makes answers from the texts of stored records. To decode and to encode them takes several times as long.

// cut returns the selected part of a stored record, as registry.Projection.Project does.
func cut(record []byte, fields registry.Projection) ([]byte, error) {
	if fields == nil {
		return slices.Clone(record), nil
	}
	c := cutter{decoder: decoder{text: record, checked: true}, out: make([]byte, 0, len(record)/4)}
	some, err := c.value(fields)
	if !some {
		c.out = []byte("{}")
	}
	return c.out, err
}

// A cutter copies parts of a JSON text.
type cutter struct {
	decoder
	out []byte
}

// value copies the selected part of the next value, and reports whether it has any.
func (c *cutter) value(fields registry.Projection) (some bool, err error) {
	first := c.next()
	if fields == nil {
		start := c.at
		err := c.skip()
		c.out = append(c.out, c.text[start:c.at]...)
		return true, err
	}
	switch first {
	case '{':
		return c.object(fields)
	case '[':
		return c.array(fields)
	}
	return false, c.skip()
}

// object copies the selected members of an object. It copies nothing if none has a selected part.
func (c *cutter) object(fields registry.Projection) (some bool, err error) {
	start := len(c.out)
	c.out = append(c.out, '{')
	err = c.members(func(key []byte) error {
		below, selected := fields[string(key)]
		if !selected {
			return c.skip()
		}
		before := len(c.out)
		if some {
			c.out = append(c.out, ',')
		}
		c.out = append(append(append(c.out, '"'), key...), '"', ':') // a key of fields needs no escape
		found, err := c.value(below)
		if !found {
			c.out = c.out[:before]
		}
		some = some || found
		return err
	})
	if c.out = append(c.out, '}'); !some {
		c.out = c.out[:start]
	}
	return some, err
}

// array copies the selected parts of the items of a list, an empty object for an item without any. It copies nothing if no item
// has a selected part.
func (c *cutter) array(fields registry.Projection) (some bool, err error) {
	start := len(c.out)
	c.out = append(c.out, '[')
	err = c.items(func() error {
		if c.out[len(c.out)-1] != '[' {
			c.out = append(c.out, ',')
		}
		found, err := c.value(fields)
		if !found {
			c.out = append(c.out, "{}"...)
		}
		some = some || found
		return err
	})
	if c.out = append(c.out, ']'); !some {
		c.out = c.out[:start]
	}
	return some, err
}

// withVersion puts the date of the data into a record that was stored without it.
func withVersion(record []byte, version string) []byte {
	at := bytes.Index(record, withoutDate)
	if at < 0 {
		return record
	}
	return slices.Insert(record, at+len(withoutDate)-1, []byte(version)...)
}

var withoutDate = slices.Concat(versionKey, []byte(`""`))

// withResults puts the posted results into a record that was stored without them. They are last in a record that has no place for them.
func withResults(record, results []byte) []byte {
	at := bytes.Index(record, emptyResults)
	if at < 0 {
		end := slices.Concat([]byte(`,"`+resultsKey+`":`), results, []byte("}"))
		return append(record[:len(record)-1], end...)
	}
	at += len(emptyResults) - len(`""`)
	return slices.Concat(record[:at], results, record[at+len(`""`):])
}

var emptyResults = []byte(`"` + resultsKey + `":""`)

// withoutContacts returns the selected part of a record without the contacts of people.
func withoutContacts(record []byte, fields registry.Projection) (json.RawMessage, error) {
	body, err := decode(record)
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
