package stored

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/biofact-mcp/biofact/internal/query"
)

// This file cuts the texts of records, which are valid JSON: a sync has checked them, and a changed byte of a stored record is an error of
// unpack. To decode and to encode them takes several times as long.

// Cut returns the selected part of a record, as query.Projection.Project does.
func Cut(record []byte, fields query.Projection) ([]byte, error) {
	if fields == nil {
		return slices.Clone(record), nil
	}
	c := cutter{text: record, out: make([]byte, 0, len(record)/4)}
	switch some := c.value(fields); {
	case c.ended:
		return nil, ErrJSON
	case !some:
		return []byte("{}"), nil
	}
	return c.out, nil
}

// A cutter copies parts of a JSON text.
type cutter struct {
	text  []byte
	at    int
	out   []byte
	ended bool // the text has ended inside a value
}

// next returns the first byte of the next value or key, or the bracket that ends a list of them; 0 at the end of the text.
func (c *cutter) next() byte {
	for ; c.at < len(c.text); c.at++ {
		switch b := c.text[c.at]; b {
		case ' ', '\n', '\t', '\r', ',', ':':
		default:
			return b
		}
	}
	c.ended = true
	return 0
}

// skip returns the text of the next value or key.
func (c *cutter) skip() []byte {
	c.next()
	start, depth := c.at, 0
	for c.at < len(c.text) {
		switch c.text[c.at] {
		case '"':
			c.skipText()
		case '{', '[':
			depth++
			c.at++
			continue
		case '}', ']':
			if depth == 0 { // after a scalar
				return c.text[start:c.at]
			}
			depth--
			c.at++
		case ',', ' ', '\n', '\t', '\r':
			if depth == 0 { // after a scalar
				return c.text[start:c.at]
			}
			c.at++
			continue
		default:
			c.at++
			continue
		}
		if depth == 0 {
			return c.text[start:c.at]
		}
	}
	c.ended = true
	return c.text[start:]
}

// skipText skips a text in quotation marks. Most bytes of a record are in texts.
func (c *cutter) skipText() {
	for c.at++; ; {
		part, _, closed := bytes.Cut(c.text[c.at:], []byte{'"'})
		if !closed {
			c.at, c.ended = len(c.text), true
			return
		}
		c.at += len(part) + 1
		if escaped := (len(part)-len(bytes.TrimRight(part, `\`)))%2 == 1; !escaped {
			return
		}
	}
}

// list calls a function at each element of the next object or list.
func (c *cutter) list(element func()) {
	for c.at++; c.next() != '}' && c.next() != ']' && !c.ended; {
		element()
	}
	c.at++
}

// value copies the selected part of the next value, and reports whether it has any. A parent of which nothing is left is left out itself,
// but an item of a list becomes an empty object.
func (c *cutter) value(fields query.Projection) (some bool) {
	first, start := c.next(), len(c.out)
	switch {
	case fields == nil:
		c.out = append(c.out, c.skip()...)
		return true
	case first == '{':
		c.out = append(c.out, '{')
		c.list(func() {
			key := c.skip()
			below, selected := fields[string(key[1:len(key)-1])] // a key of fields needs no escape
			if !selected {
				c.skip()
				return
			}
			before := len(c.out)
			if some {
				c.out = append(c.out, ',')
			}
			c.out = append(append(c.out, key...), ':')
			found := c.value(below)
			if !found {
				c.out = c.out[:before]
			}
			some = some || found
		})
		c.out = append(c.out, '}')
	case first == '[':
		c.out = append(c.out, '[')
		c.list(func() {
			if c.out[len(c.out)-1] != '[' {
				c.out = append(c.out, ',')
			}
			found := c.value(fields)
			if !found {
				c.out = append(c.out, "{}"...)
			}
			some = some || found
		})
		c.out = append(c.out, ']')
	default:
		c.skip()
	}
	if !some {
		c.out = c.out[:start]
	}
	return some
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
