package mirror

import (
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/query"
)

// columnsOf returns the names of the columns that have the words of an area. Exact reports that they have no other words.
func columnsOf(area *query.Area) (names []string, exact bool) {
	var pieces []string
	for _, w := range area.Pieces {
		pieces = append(pieces, w.Piece.Name)
	}
	covered := 0
	exact = true
	for _, c := range wordColumns {
		own := strings.Fields(c.pieces)
		in := 0
		for _, p := range own {
			if slices.Contains(pieces, p) {
				in++
			}
		}
		if in > 0 {
			names = append(names, c.name)
			exact = exact && in == len(own)
		}
		covered += in
	}
	if covered < len(pieces) {
		return nil, false // no column has these words
	}
	return names, exact
}

// matching returns a query of the word index that finds exactly the studies for which a node holds; ok is false if no query does.
func matching(n query.Node) (match string, ok bool) {
	switch n := n.(type) {
	case query.Term:
		columns, exact := columnsOf(n.Area)
		return matchingTerm(n, columns), exact && len(columns) > 0 && onlyPiece(n) != countryPiece
	case query.Or:
		return joinedWords(n, " OR ")
	case query.And:
		return andWords(n)
	}
	return "", false
}

// onlyPiece returns the name of the piece if the area of a term has one piece, else "".
func onlyPiece(n query.Term) string {
	if len(n.Area.Pieces) != 1 {
		return ""
	}
	return n.Area.Pieces[0].Piece.Name
}

func joinedWords(nodes []query.Node, operator string) (match string, ok bool) {
	var parts []string
	for _, n := range nodes {
		part, ok := matching(n)
		if !ok {
			return "", false
		}
		parts = append(parts, "("+part+")")
	}
	match = strings.Join(parts, operator)
	return match, len(parts) > 0 && nesting(match) <= maxNesting
}

// maxNesting bounds the nested parentheses of a query of the word index. The parser of FTS5 has a stack of 100 symbols, of which a
// level needs three.
const maxNesting = 25

// nesting returns the depth of the parentheses of a query. Words have no parentheses.
func nesting(match string) (deepest int) {
	depth := 0
	for i := range len(match) {
		switch match[i] {
		case '(':
			depth++
			deepest = max(deepest, depth)
		case ')':
			depth--
		}
	}
	return deepest
}

// andWords writes a conjunction as a query of the word index. FTS5 has NOT as a binary operator, so that excluded nodes come last.
func andWords(nodes query.And) (string, bool) {
	var held, not []query.Node
	for _, n := range nodes {
		switch n := n.(type) {
		case query.Boost: // it always holds
		case query.Not:
			not = append(not, n.Node)
		default:
			held = append(held, n)
		}
	}
	match, ok := joinedWords(held, " AND ")
	if !ok || len(not) == 0 {
		return match, ok
	}
	excluded, ok := joinedWords(not, " OR ")
	match = "(" + match + ") NOT (" + excluded + ")"
	return match, ok && nesting(match) <= maxNesting
}

// matchingTerm returns the query that finds a term in some columns, nil: in all.
func matchingTerm(n query.Term, columns []string) string {
	words := slices.Clone(n.Words)
	for i, w := range words {
		words[i] = strings.ReplaceAll(w, `"`, `""`)
	}
	in := "{" + strings.Join(columns, " ") + "} : "
	if columns == nil {
		in = ""
	}
	switch {
	case n.FullMatch:
		return in + `"` + separator + " " + strings.Join(words, " ") + " " + separator + `"`
	case n.Phrase:
		return in + `"` + strings.Join(words, " ") + `"`
	}
	return in + `("` + strings.Join(words, `" AND "`) + `")`
}

// ranking returns a query with all words that a node requires or prefers, "" if it has no words.
func ranking(n query.Node) string {
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(terms(n)))), " OR ")
}

// mostColumns is the number of columns from which on the words of all columns count for the relevance: BM25 of named columns takes twice
// the time.
const mostColumns = 20

// terms returns the queries of the terms that a node requires or prefers.
func terms(n query.Node) (parts []string) {
	var nodes []query.Node
	switch n := n.(type) {
	case query.And:
		nodes = n
	case query.Or:
		nodes = n
	case query.Boost:
		nodes = []query.Node{n.Node}
	case query.Term:
		columns, _ := columnsOf(n.Area)
		switch {
		case len(columns) > mostColumns:
			return []string{matchingTerm(n, nil)}
		case len(columns) > 0:
			return []string{matchingTerm(n, columns)}
		}
	}
	for _, part := range nodes {
		parts = append(parts, terms(part)...)
	}
	return parts
}
