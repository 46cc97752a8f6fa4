package entrez

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// entryBytes is the estimated memory of a list entry, without its text.
const entryBytes = 200

// handlers are functions for elements, by name.
type handlers map[string]func(xml.StartElement) error

// descend calls the handlers of the elements in an element, at any depth. It does not search in elements that have a handler.
func (x *geneReader) descend(e xml.StartElement, h handlers) error {
	return x.children(e.Name.Local, func(e xml.StartElement) error {
		if handle, ok := h[e.Name.Local]; ok {
			return handle(e)
		}
		return x.descend(e, h)
	})
}

// dbtags calls yield for each id in an element.
func (x *geneReader) dbtags(e xml.StartElement, yield func(Dbtag)) error {
	return x.descend(e, handlers{"Dbtag": func(e xml.StartElement) error {
		var t Dbtag
		err := x.descend(e, handlers{
			"Dbtag_db":      x.setText(&t.DB),
			"Object-id_id":  x.setText(&t.Value),
			"Object-id_str": x.setText(&t.Value),
		})
		if err == nil && t.DB != "" && t.Value != "" {
			yield(t)
		}
		return err
	}})
}

// setText returns a handler that stores the text of an element in place, unless place already has a text.
func (x *geneReader) setText(place *string) func(xml.StartElement) error {
	return func(e xml.StartElement) error {
		text, err := x.text(e)
		if *place == "" {
			*place = text
		}
		return err
	}
}

func (x *geneReader) appendText(list *[]string, kind string) func(xml.StartElement) error {
	return func(e xml.StartElement) error {
		text, err := x.text(e)
		x.add(list, kind, text)
		return err
	}
}

// text returns the text of an element without surrounding space, and without the content of nested elements.
func (x *geneReader) text(e xml.StartElement) (string, error) {
	var text strings.Builder
	for {
		t, err := x.token()
		if err != nil {
			return "", err
		}
		switch t := t.(type) {
		case xml.CharData:
			if x.textBytes += len(t); text.Len()+len(t) > maxToken {
				return "", tooLarge("a text of more than %d bytes", maxToken)
			}
			text.Write(t)
		case xml.StartElement:
			if err := x.skip(t); err != nil {
				return "", err
			}
		case xml.EndElement:
			return strings.TrimSpace(text.String()), checkEnd(t, e.Name.Local)
		}
	}
}

// children calls read for each child of the element of a name, up to its end tag.
func (x *geneReader) children(name string, read func(xml.StartElement) error) error {
	if x.depth++; x.depth > maxGeneDepth {
		return fmt.Errorf("elements are nested more than %d deep", maxGeneDepth)
	}
	for {
		t, err := x.token()
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			if err := read(t); err != nil {
				return err
			}
		case xml.EndElement:
			x.depth--
			return checkEnd(t, name)
		}
	}
}

func (x *geneReader) skip(e xml.StartElement) error {
	if x.in.lastTagEmpty() {
		_, err := x.token() // the end tag that the decoder adds
		return err
	}
	return x.skipRest(e.Name.Local)
}

// skipRest skips the rest of the element of a name, including its end tag.
func (x *geneReader) skipRest(name string) error {
	err := x.in.skipTo(name)
	if err == nil {
		_, err = x.token()
	}
	return unexpectedEOF(err)
}

// token returns the next token. The caller must check that tags match.
func (x *geneReader) token() (xml.Token, error) {
	if x.textBytes > maxTextBytes {
		return nil, tooLarge("texts of more than %d bytes", maxTextBytes)
	}
	x.in.limit.next()
	t, err := x.xml.RawToken()
	return t, unexpectedEOF(err)
}

// unexpectedEOF replaces io.EOF by io.ErrUnexpectedEOF, because the document is not complete.
func unexpectedEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

func checkEnd(t xml.EndElement, name string) error {
	if t.Name.Local != name {
		return fmt.Errorf("the element %q ends as %q", entity.Cut(name, 80), entity.Cut(t.Name.Local, 80))
	}
	return nil
}

// attributeValue returns the attribute named value, in which the record has the words for its numbers.
func attributeValue(e xml.StartElement) string {
	for _, a := range e.Attr {
		if a.Name.Local == "value" {
			return strings.TrimSpace(a.Value)
		}
	}
	return ""
}
