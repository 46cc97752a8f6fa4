package ncbi

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/biofact-mcp/biofact/internal/sandbox/records"
)

// An element is an element of a record in XML. The methods accept nil, which has nothing.
type element struct {
	name       string
	attributes []xml.Attr
	inner      string // as in the file: with tags of inline markup and with references for &, < and >
	children   []*element
}

// parseElement parses a complete element.
func parseElement(text string) (*element, error) {
	d := xml.NewDecoder(strings.NewReader(text))
	root := &element{}
	open, begins := []*element{root}, []int64{0}
	for {
		before := d.InputOffset()
		token, err := d.Token()
		if errors.Is(err, io.EOF) && len(root.children) > 0 {
			return root.children[0], nil
		}
		if err != nil {
			return nil, err
		}
		last := len(open) - 1
		switch t := token.(type) {
		case xml.StartElement:
			e := &element{name: t.Name.Local, attributes: t.Attr}
			open[last].children = append(open[last].children, e)
			open, begins = append(open, e), append(begins, d.InputOffset())
		case xml.EndElement:
			open[last].inner = text[begins[last]:before]
			open, begins = open[:last], begins[:last]
		}
	}
}

// all returns the elements at a path below an element, such as AuthorList/Author, or at several, which | separates. * is any name.
func (e *element) all(paths string) (all []*element) {
	for path := range strings.SplitSeq(paths, "|") {
		found := []*element{e}
		for name := range strings.SplitSeq(path, "/") {
			var next []*element
			for _, parent := range found {
				next = append(next, parent.named(name)...)
			}
			found = next
		}
		all = append(all, found...)
	}
	return all
}

func (e *element) named(name string) (found []*element) {
	if e == nil {
		return nil
	}
	for _, child := range e.children {
		if name == "*" || name == child.name {
			found = append(found, child)
		}
	}
	return found
}

// first returns the first element at a path, or nil.
func (e *element) first(paths string) *element { return append(e.all(paths), nil)[0] }

// texts returns the texts of the elements at a path.
func (e *element) texts(paths string) []string { return mapSlice(e.all(paths), (*element).value) }

// text returns the text of the first element at a path.
func (e *element) text(paths string) string { return e.first(paths).value() }

// value returns the text of an element without tags, with entities resolved.
func (e *element) value() string {
	if e == nil || !strings.ContainsAny(e.inner, "<&") {
		return e.raw()
	}
	var out strings.Builder
	for text := e.inner; text != ""; {
		before, rest, more := strings.Cut(text, "<")
		out.WriteString(before)
		if !more {
			break
		}
		_, text, _ = strings.Cut(rest, ">")
	}
	return html.UnescapeString(out.String())
}

// raw returns what an element has in the file.
func (e *element) raw() string {
	if e == nil {
		return ""
	}
	return e.inner
}

func (e *element) attribute(name string) string {
	if e == nil {
		return ""
	}
	for _, a := range e.attributes {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// eachElement calls read for each element of some names in a text, unchanged. The element of a set does not count.
func eachElement(text []byte, names []string, read func(name, element string) error) error {
	for {
		at := bytes.IndexByte(text, '<')
		if at < 0 {
			return nil
		}
		text = text[at:]
		name := ""
		for _, n := range names {
			if after, ok := bytes.CutPrefix(text[1:], []byte(n)); ok && len(after) > 0 && (after[0] == '>' || after[0] == ' ') {
				name = n
			}
		}
		if name == "" {
			text = text[1:]
			continue
		}
		record, rest, complete := bytes.Cut(text, []byte("</"+name+">"))
		if !complete {
			return errors.New("the last record is cut off")
		}
		if err := read(name, string(record)+"</"+name+">"); err != nil {
			return err
		}
		text = rest
	}
}

// eachRecord reads the elements of some names in the XML files of a folder.
func eachRecord(ctx context.Context, f *records.Folder, names []string, read func(name, text string) error) error {
	files, err := records.WithMarks(ctx, f.XML("ncbi"), mapSlice(names, func(name string) string { return "<" + name })...)
	if err != nil {
		return err
	}
	for _, file := range files {
		text, err := file.Read(ctx)
		if err == nil {
			err = eachElement(text, names, read)
		}
		if err := f.LeaveOut(file, err); err != nil {
			return fmt.Errorf("%s: %w", file.Name(), err)
		}
	}
	return nil
}
