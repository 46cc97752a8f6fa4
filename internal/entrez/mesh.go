package entrez

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
)

// MeshSummary is the ESummary document of a MeSH term.
type MeshSummary struct {
	ID          string // D001249
	Kind        string // descriptor, supplemental-record, ...
	Terms       []string
	ScopeNote   string
	Year        int
	TreeNumbers []string
	Parents     []string // uids
	Children    []string // uids
	MappedTo    []string // uids
}

// ReadMeshSummary reads a document of ReadSummaries for db mesh. A document without an id or a name is an error.
func ReadMeshSummary(document json.RawMessage) (*MeshSummary, error) {
	var d struct {
		ID        scalar  `json:"ds_meshui"`
		Kind      scalar  `json:"ds_recordtype"`
		Terms     scalars `json:"ds_meshterms"`
		ScopeNote scalar  `json:"ds_scopenote"`
		Year      scalar  `json:"ds_yearintroduced"`
		Links     emptyableList[struct {
			Parent   scalar
			TreeNum  scalar
			Children scalars
		}] `json:"ds_idxlinks"`
		MappedTo scalars `json:"ds_headingmappedtolist"`
		Error    message
	}
	if err := json.Unmarshal(document, &d); err != nil {
		return nil, err
	}
	if d.ID.text() == "" || len(d.Terms) == 0 || d.Error != "" {
		return nil, errors.New("invalid ESummary of a MeSH term")
	}
	s := &MeshSummary{ID: d.ID.text(), Kind: d.Kind.text(), ScopeNote: d.ScopeNote.unescaped(), Year: d.Year.number()}
	for _, term := range d.Terms {
		s.Terms = addOnce(s.Terms, scalar(term).unescaped())
	}
	for _, link := range d.Links {
		if number := link.TreeNum.text(); !strings.HasPrefix(number, "@") { // @ marks supplementary records, which are not in a tree
			s.TreeNumbers = addOnce(s.TreeNumbers, number)
		}
		s.Parents = addUID(s.Parents, link.Parent.text())
		for _, child := range link.Children {
			s.Children = addUID(s.Children, child)
		}
	}
	for _, uid := range d.MappedTo {
		s.MappedTo = addUID(s.MappedTo, uid)
	}
	return s, nil
}

// addUID adds a uid to a list. It ignores text that is not a uid, such as 0, which stands for no parent.
func addUID(list []string, uid string) []string {
	if !isNumber(uid) || strings.Trim(uid, "0") == "" {
		return list
	}
	return addOnce(list, uid)
}

func addOnce(list []string, text string) []string {
	if text == "" || slices.Contains(list, text) {
		return list
	}
	return append(list, text)
}
