package fulltext

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// Limits of a document, far above those of any real article: the largest known one has 0.6 MB and 13,000 elements.
const (
	maxBytes = 5 << 20
	maxText  = 1 << 20 // bytes of one text, tag or comment
	maxNodes = 150_000 // elements, texts and attributes
	maxDepth = 256     // limits the recursion for documents with many start tags
)

// A node is an element, or a text if it has no name.
type node struct {
	name  string
	text  string
	attrs []xml.Attr
	kids  []*node
}

// attr returns the value of an attribute with any prefix.
func (n *node) attr(name string) string {
	for _, a := range n.attrs {
		if a.Name.Local == name {
			return strings.TrimSpace(a.Value)
		}
	}
	return ""
}

// child returns the first child with one of the names, or nil.
func (n *node) child(names ...string) *node {
	for _, name := range names {
		for _, k := range n.kids {
			if k.name == name {
				return k
			}
		}
	}
	return nil
}

// forEach calls do for the descendants with one of the names, in document order. It does not search within them.
func (n *node) forEach(do func(*node), names ...string) {
	for _, k := range n.kids {
		switch {
		case is(k, names...):
			do(k)
		case k.name != "":
			k.forEach(do, names...)
		}
	}
}

// find returns the first descendant with one of the names, or nil.
func (n *node) find(names ...string) *node {
	for _, k := range n.kids {
		if is(k, names...) {
			return k
		}
		if found := k.find(names...); found != nil {
			return found
		}
	}
	return nil
}

// raw returns the text of a node and its descendants.
func (n *node) raw() string {
	var text strings.Builder
	n.writeRaw(&text)
	return text.String()
}

func (n *node) writeRaw(to *strings.Builder) {
	to.WriteString(n.text)
	for _, k := range n.kids {
		k.writeRaw(to)
	}
}

func (n *node) hasText() bool {
	return strings.TrimSpace(n.text) != "" || slices.ContainsFunc(n.kids, (*node).hasText)
}

// is reports whether a node has one of the names.
func is(n *node, names ...string) bool {
	return slices.Contains(names, n.name)
}

// blank reports whether a node is white space.
func blank(n *node) bool { return n.name == "" && strings.TrimSpace(n.text) == "" }

// parse reads a document and returns its root element.
func parse(document []byte) (*node, error) {
	if len(document) > maxBytes {
		return nil, entity.TooLarge("more than %d bytes", maxBytes)
	}
	if longestRun(document) > maxText {
		return nil, entity.TooLarge("a text or tag of more than %d bytes", maxText)
	}
	if bytes.Count(document, []byte("=")) > maxNodes { // each attribute has one
		return nil, entity.TooLarge("more than %d attributes", maxNodes)
	}
	dec := xml.NewDecoder(bytes.NewReader(document))
	dec.Entity = xml.HTMLEntity // a DTD is never fetched; JATS has the entities of HTML
	t := tree{stack: []*node{{}}}
	for {
		token, err := dec.RawToken()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = t.add(token)
		}
		if err != nil {
			return nil, err
		}
	}
	return t.root()
}

// longestRun returns the length of the longest run of bytes without <. It is checked before decoding, because the decoder holds a complete
// token in memory.
func longestRun(document []byte) (most int) {
	for len(document) > 0 {
		run := bytes.IndexByte(document, '<')
		if run < 0 {
			return max(most, len(document))
		}
		most, document = max(most, run), document[run+1:]
	}
	return most
}

// A tree is built from tokens. It checks their nesting, which the decoder does not.
type tree struct {
	stack []*node // the open elements, after a node for the document
	nodes int
}

func (t *tree) add(token xml.Token) error {
	top := t.stack[len(t.stack)-1]
	switch token := token.(type) {
	case xml.StartElement:
		t.nodes += 1 + len(token.Attr)
		n := &node{name: token.Name.Local, attrs: token.Attr}
		top.kids = append(top.kids, n)
		t.stack = append(t.stack, n)
	case xml.EndElement:
		if len(t.stack) == 1 || top.name != token.Name.Local {
			return fmt.Errorf("%.40q ends and is not open", token.Name.Local)
		}
		t.stack = t.stack[:len(t.stack)-1]
	case xml.CharData:
		if len(token) > maxText {
			return entity.TooLarge("a text of more than %d bytes", maxText)
		}
		if len(t.stack) > 1 {
			t.nodes++
			top.kids = append(top.kids, &node{text: string(token)})
		}
	}
	if t.nodes > maxNodes || len(t.stack) > maxDepth {
		return entity.TooLarge("more than %d elements, texts and attributes, or %d elements within each other", maxNodes, maxDepth)
	}
	return nil
}

func (t *tree) root() (*node, error) {
	if len(t.stack) > 1 {
		return nil, io.ErrUnexpectedEOF
	}
	for _, k := range t.stack[0].kids {
		return k, nil
	}
	return nil, errors.New("no element")
}
