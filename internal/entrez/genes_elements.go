package entrez

import (
	"cmp"
	"encoding/xml"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// An element is a part of a record as it is read.
type element struct {
	name, text string
	children   []*element
}

// element reads an element. It leaves out the members of commentaries that its part does not need. An element with an attribute named value
// has that as its text: it is the word for a number.
func (x *geneReader) element(e xml.StartElement) (*element, error) {
	if x.elements++; x.elements > maxElements {
		return nil, entity.TooLarge("a gene of more than %d elements", maxElements)
	}
	read := &element{name: e.Name.Local}
	var err error
	read.text, err = x.content(read.name, func(e xml.StartElement) error {
		if name := e.Name.Local; strings.HasPrefix(name, "Gene-commentary_") && !slices.Contains(geneParts[x.part], name) {
			return x.skipTo(x.depth - 1)
		}
		child, err := x.element(e)
		read.children = append(read.children, child)
		return err
	})
	for _, a := range e.Attr {
		if a.Name.Local == "value" {
			read.text = cmp.Or(strings.TrimSpace(a.Value), read.text)
		}
	}
	return read, err
}

// all returns the elements with one of the names in an element, at any depth, but not those in another one.
func (e *element) all(names ...string) (all []*element) {
	for _, child := range e.children {
		if slices.Contains(names, child.name) {
			all = append(all, child)
		} else {
			all = append(all, child.all(names...)...)
		}
	}
	return all
}

// texts returns the texts of all, without empty ones and duplicates.
func (e *element) texts(names ...string) (texts []string) {
	for _, found := range e.all(names...) {
		texts = append(texts, found.text)
	}
	return entity.Once(texts)
}

// first returns the first of texts, or "".
func (e *element) first(names ...string) string {
	return append(e.texts(names...), "")[0]
}

// tags returns the ids in an element, without duplicates.
func (e *element) tags() (tags []Dbtag) {
	for _, tag := range e.all("Dbtag") {
		if t := (Dbtag{tag.first("Dbtag_db"), tag.first("Object-id_id", "Object-id_str")}); t.DB != "" && t.Value != "" {
			tags = append(tags, t)
		}
	}
	return entity.Once(tags)
}

// pmids returns the articles in an element, without duplicates.
func (e *element) pmids() []string {
	return entity.Once(slices.DeleteFunc(e.texts("PubMedId"), func(id string) bool { return !isNumber(id) }))
}

// members returns the children of an element with one of the names.
func (e *element) members(names ...string) (members []*element) {
	for _, child := range e.children {
		if slices.Contains(names, child.name) {
			members = append(members, child)
		}
	}
	return members
}

// member returns the text of the first child of a name that has one, or "".
func (e *element) member(name string) string {
	for _, member := range e.members(name) {
		if member.text != "" {
			return member.text
		}
	}
	return ""
}

// parts returns the commentaries in the members of a commentary with one of the names.
func (e *element) parts(names ...string) (parts []*element) {
	for _, member := range e.members(names...) {
		parts = append(parts, member.all("Gene-commentary")...)
	}
	return parts
}
