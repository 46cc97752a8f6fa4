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
	ID          string   `json:"ds_meshui"`     // D001249
	Kind        string   `json:"ds_recordtype"` // descriptor, supplemental-record, ...
	Terms       []string `json:"ds_meshterms"`
	ScopeNote   string   `json:"ds_scopenote"`
	Year        int      `json:"ds_yearintroduced"`
	TreeNumbers []string
	Parents     []string // uids
	Children    []string // uids
	MappedTo    []string `json:"ds_headingmappedtolist"` // uids
}

// ReadMeshSummary reads a document of ReadSummaries for db mesh. A document without an id or a name is an error.
func ReadMeshSummary(document json.RawMessage) (*MeshSummary, error) {
	var d struct {
		MeshSummary
		Links []struct {
			Parent, TreeNum string
			Children        []string
		} `json:"ds_idxlinks"`
		Error message
	}
	if err := readJSON(document, &d); err != nil {
		return nil, err
	}
	s := &d.MeshSummary
	if s.ID == "" || len(s.Terms) == 0 || d.Error != "" {
		return nil, errors.New("invalid ESummary of a MeSH term")
	}
	for i, term := range s.Terms {
		s.Terms[i] = unescaped(term)
	}
	for _, link := range d.Links {
		if !strings.HasPrefix(link.TreeNum, "@") { // @ marks supplementary records, which are not in a tree
			s.TreeNumbers = append(s.TreeNumbers, link.TreeNum)
		}
		s.Parents = append(s.Parents, link.Parent)
		s.Children = append(s.Children, link.Children...)
	}
	s.ScopeNote, s.Terms, s.TreeNumbers = unescaped(s.ScopeNote), entity.Once(s.Terms), entity.Once(s.TreeNumbers)
	s.Parents, s.Children, s.MappedTo = uids(s.Parents), uids(s.Children), uids(s.MappedTo)
	return s, nil
}

// uids returns the texts that are uids, each once. 0 is not a uid: it stands for no parent.
func uids(texts []string) []string {
	return entity.Once(slices.DeleteFunc(texts, func(uid string) bool { return !isNumber(uid) || strings.Trim(uid, "0") == "" }))
}
