package mirror

import (
	"slices"

	"github.com/biofact-mcp/biofact/internal/registry"
)

// Exact reports whether the mirror and the registry find the same studies: the search has no words that the registry
// expands by synonyms.
func Exact(s *registry.Search) bool {
	return !slices.ContainsFunc(s.Queries, widened) && (s.Advanced == nil || !widened(s.Advanced))
}

// verbatim are the pieces whose words the registry does not expand.
var verbatim = []string{"NCTId", "LocationCity", "LocationState", "LocationCountry", "LocationZip"}

// widened reports whether the registry may expand the words of a node by synonyms.
func widened(n registry.Node) bool {
	switch n := n.(type) {
	case registry.And:
		return slices.ContainsFunc(n, widened)
	case registry.Or:
		return slices.ContainsFunc(n, widened)
	case registry.Not:
		return widened(n.Node)
	case registry.OneSite:
		return widened(n.Node)
	case registry.Term:
		if n.FullMatch || len(n.Area.Pieces) == 1 && n.Area.Pieces[0].Piece.Type == "boolean" {
			return false
		}
		return slices.ContainsFunc(n.Area.Pieces, func(w registry.Weighted) bool { return !slices.Contains(verbatim, w.Piece.Name) })
	case registry.All, registry.Value, registry.Count, registry.Missing, registry.DateRange, registry.NumberRange, registry.Within:
		return false
	}
	return true
}
