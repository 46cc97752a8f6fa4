package query

import "slices"

// Exact reports whether a search has no words that the registry expands by synonyms, so that a mirror finds the same studies.
func Exact(s *Search) bool {
	return !slices.ContainsFunc(s.Queries, widened) && (s.Advanced == nil || !widened(s.Advanced))
}

// verbatim are the pieces whose words the registry does not expand.
var verbatim = []string{"NCTId", "LocationCity", "LocationState", "LocationCountry", "LocationZip"}

// widened reports whether the registry may expand the words of a node by synonyms.
func widened(n Node) bool {
	switch n := n.(type) {
	case And:
		return slices.ContainsFunc(n, widened)
	case Or:
		return slices.ContainsFunc(n, widened)
	case Not:
		return widened(n.Node)
	case OneSite:
		return widened(n.Node)
	case Term:
		if n.FullMatch || len(n.Area.Pieces) == 1 && n.Area.Pieces[0].Piece.Type == "boolean" {
			return false
		}
		return slices.ContainsFunc(n.Area.Pieces, func(w Weighted) bool { return !slices.Contains(verbatim, w.Piece.Name) })
	case All, Value, Count, Missing, DateRange, NumberRange, Within:
		return false
	}
	return true
}

// ReadsResults reports whether a node may read posted results.
func ReadsResults(n Node) bool {
	of := func(p *Piece) bool { return p.Path[0] == "resultsSection" }
	switch n := n.(type) {
	case And:
		return slices.ContainsFunc(n, ReadsResults)
	case Or:
		return slices.ContainsFunc(n, ReadsResults)
	case Not:
		return ReadsResults(n.Node)
	case Boost:
		return ReadsResults(n.Node)
	case Term:
		return slices.ContainsFunc(n.Area.Pieces, func(w Weighted) bool { return of(w.Piece) })
	case Value:
		return of(n.Piece)
	case Missing:
		return of(n.Piece)
	case DateRange:
		return of(n.Piece)
	case NumberRange:
		return of(n.Piece)
	case Count:
		return of(n.Piece)
	case All, Within, OneSite: // posted results have no sites
		return false
	}
	return true
}
