package entrez

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
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
		s.Terms = append(s.Terms, scalar(term).unescaped())
	}
	for _, link := range d.Links {
		if number := link.TreeNum.text(); !strings.HasPrefix(number, "@") { // @ marks supplementary records, which are not in a tree
			s.TreeNumbers = append(s.TreeNumbers, number)
		}
		s.Parents = append(s.Parents, link.Parent.text())
		s.Children = append(s.Children, link.Children...)
	}
	s.Terms, s.TreeNumbers = entity.Once(s.Terms), entity.Once(s.TreeNumbers)
	s.Parents, s.Children, s.MappedTo = uids(s.Parents), uids(s.Children), uids(d.MappedTo)
	return s, nil
}

// uids returns the texts that are uids, each once. 0 is not a uid: it stands for no parent.
func uids(texts []string) []string {
	return entity.Once(slices.DeleteFunc(texts, func(uid string) bool { return !isNumber(uid) || strings.Trim(uid, "0") == "" }))
}
