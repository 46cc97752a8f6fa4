package sandbox

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// object is a JSON object whose keys keep their order.
type object []member

type member struct {
	key   string
	value any
}

// MarshalJSON writes the members in order.
func (o object) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			out.WriteByte(',')
		}
		for j, part := range []any{m.key, m.value} {
			if j > 0 {
				out.WriteByte(':')
			}
			text, err := plainJSON(part)
			if err != nil {
				return nil, err
			}
			out.Write(text)
		}
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// plainJSON leaves <, > and & as they are.
func plainJSON(v any) ([]byte, error) {
	ans, err := data(v)
	return ans.body, err
}

// header is the first member of every JSON answer.
func (r request) header() member {
	return member{"header", object{{"type", r.utility}, {"version", "0.3"}}}
}

func jsonAnswer(v any) (answer, error) {
	ans, err := data(v)
	ans.contentType = "application/json; charset=UTF-8"
	return ans, err
}

// rawNewlines is the JSON of an error, in which the upstream does not escape
// newlines: it is then no JSON.
func rawNewlines(ans answer, err error) (answer, error) {
	ans.body = bytes.ReplaceAll(ans.body, []byte(`\n`), []byte("\n"))
	return ans, err
}

// element is an XML element: its name with any attributes, and what it holds,
// elements and text. An element without anything is written as an empty tag.
type element struct {
	name     string
	contents []any
}

// el makes an element. Lists among its contents are taken apart, and nil and
// empty text are nothing.
func el(name string, contents ...any) element {
	e := element{name: name}
	for _, c := range contents {
		switch c := c.(type) {
		case nil:
		case []any:
			e.contents = append(e.contents, el("", c...).contents...)
		case string:
			if c != "" {
				e.contents = append(e.contents, c)
			}
		case markup:
			if c != "" {
				e.contents = append(e.contents, c)
			}
		default:
			e.contents = append(e.contents, c)
		}
	}
	return e
}

// repeated makes an element of each text.
func repeated(name string, texts []string) []any {
	var all []any
	for _, text := range texts {
		all = append(all, el(name, text))
	}
	return all
}

// some is the element if it holds anything, else nothing.
func some(name string, contents ...any) any {
	e := el(name, contents...)
	if len(e.contents) == 0 {
		return nil
	}
	return e
}

// inLine is the depth of an element that is written without indentation.
const inLine = -1

// write appends the element, on lines of its own where it has a depth.
func (e element) write(out *bytes.Buffer, depth int) {
	indent, end, next := "", "", inLine
	if depth != inLine {
		indent, end, next = strings.Repeat("  ", depth), "\n", depth+1
	}
	tag, _, _ := strings.Cut(e.name, " ")
	out.WriteString(indent + "<" + e.name)
	if len(e.contents) == 0 {
		out.WriteString("/>" + end)
		return
	}
	out.WriteByte('>')
	within := false // elements, not text
	for _, c := range e.contents {
		switch c := c.(type) {
		case string:
			out.WriteString(escaped.Replace(c))
		case markup:
			out.WriteString(string(c))
		case element:
			if !within {
				out.WriteString(end)
			}
			within = true
			c.write(out, next)
		}
	}
	if within {
		out.WriteString(indent)
	}
	out.WriteString("</" + tag + ">" + end)
}

// ascii is the element in one line, with hexadecimal references for what is not
// ASCII.
func (e element) ascii() string {
	var line bytes.Buffer
	e.write(&line, inLine)
	var out strings.Builder
	for _, r := range line.String() {
		if r < utf8.RuneSelf {
			out.WriteRune(r)
		} else {
			fmt.Fprintf(&out, "&#x%x;", r)
		}
	}
	return out.String()
}

// escaped leaves quotes in text as they are, as upstream.
var escaped = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
