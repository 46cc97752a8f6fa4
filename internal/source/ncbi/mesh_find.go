package ncbi

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/source"
)

const (
	meshHits  = 100 // hits to compare with the words
	meshItems = 5
)

var meshID = lazyregexp.New(`^(?i:MESH)?[:\s]*([DCQdcq][0-9]{6,9})$`)

var treeNumber = lazyregexp.New(`^[A-Z][0-9]{2}(\.[0-9]{3})*$`)

// meshSigns replaces the characters that have a meaning in a query of NCBI with spaces.
var meshSigns = strings.NewReplacer("[", " ", "]", " ", `"`, " ", "(", " ", ")", " ", "*", " ", "“", " ", "”", " ")

// Find returns the terms for words, an id or a tree number, best first.
func (m *Mesh) Find(ctx context.Context, words string, notes *entity.Notes) ([]*entrez.MeshSummary, error) {
	query := strings.Join(strings.Fields(meshSigns.Replace(words)), " ")
	if query == "" {
		return nil, nil
	}
	exact := func(t *entrez.MeshSummary) int { return meshRank(t, words, query) } // some names have signs: Benzo(a)pyrene
	if parts := meshID.FindStringSubmatch(query); parts != nil {
		id := strings.ToUpper(parts[1])
		query = id + "[MeSH Unique ID]"
		exact = func(t *entrez.MeshSummary) int { return rankIf(t.ID == id) }
	} else if number := strings.ToUpper(query); treeNumber.MatchString(number) {
		exact = func(t *entrez.MeshSummary) int { return rankIf(slices.Contains(t.TreeNumbers, number)) }
	} else {
		query = strings.ToLower(query) // AND, OR and NOT are operators in capitals only
	}
	hits, err := m.searches.Get(ctx, Search{Term: query, Max: meshHits}, notes)
	if err != nil || len(hits.IDs) == 0 {
		return nil, err
	}
	uids := hits.IDs
	terms, err := m.Terms.GetAll(ctx, uids, notes)
	read, failure := source.LeaveOut(uids, err, notes)
	if failure != nil {
		return nil, failure
	}
	var list []*entrez.MeshSummary
	for _, uid := range uids {
		if t := terms[uid]; t != nil && exact(t) < noMatch {
			list = append(list, t)
		}
	}
	if list == nil && len(read) < len(uids) { // it may be the term that was left out
		return nil, err
	}
	slices.SortStableFunc(list, func(a, b *entrez.MeshSummary) int { return cmp.Compare(exact(a), exact(b)) })
	return list[:min(meshItems, len(list))], nil
}

// noMatch is the rank of a term that does not have the id or tree number.
const noMatch = 9

func rankIf(meant bool) int {
	if meant {
		return 0
	}
	return noMatch
}

// meshRank returns how well a term matches one of some texts: by its name, one of its other names, or words of them. Headings come first
// among equal matches.
func meshRank(t *entrez.MeshSummary, texts ...string) int {
	i := slices.IndexFunc(t.Terms, func(name string) bool {
		return slices.ContainsFunc(texts, func(text string) bool { return strings.EqualFold(name, text) })
	})
	rank := meshWords
	if i == 0 {
		rank = 0
	} else if i > 0 {
		rank = 2
	}
	if t.Kind != "descriptor" {
		rank++
	}
	return rank
}

// IsMeshName reports whether a text is a name of the term, not only a part of one.
func IsMeshName(t *entrez.MeshSummary, text string) bool { return meshRank(t, text) < meshWords }

// meshWords is the rank of a term that only has words of a text, not the text as a name.
const meshWords = 4
