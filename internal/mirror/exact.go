package mirror

import (
	"slices"

	"github.com/biofact-mcp/biofact/internal/query"
)

// Exact reports whether the mirror and the registry find the same studies: the search has no words that the registry
// expands by synonyms.
func Exact(s *query.Search) bool {
	return !slices.ContainsFunc(s.Queries, widened) && (s.Advanced == nil || !widened(s.Advanced))
}

// verbatim are the pieces whose words the registry does not expand.
var verbatim = []string{"NCTId", "LocationCity", "LocationState", "LocationCountry", "LocationZip"}

// widened reports whether the registry may expand the words of a node by synonyms.
func widened(n query.Node) bool {
	switch n := n.(type) {
	case query.And:
		return slices.ContainsFunc(n, widened)
	case query.Or:
		return slices.ContainsFunc(n, widened)
	case query.Not:
		return widened(n.Node)
	case query.OneSite:
		return widened(n.Node)
	case query.Term:
		if n.FullMatch || len(n.Area.Pieces) == 1 && n.Area.Pieces[0].Piece.Type == "boolean" {
			return false
		}
		return slices.ContainsFunc(n.Area.Pieces, func(w query.Weighted) bool { return !slices.Contains(verbatim, w.Piece.Name) })
	case query.All, query.Value, query.Count, query.Missing, query.DateRange, query.NumberRange, query.Within:
		return false
	}
	return true
}
