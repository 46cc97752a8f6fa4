package mirror

import (
	"slices"

	"github.com/biofact-mcp/biofact/internal/mirror/rowset"
	"github.com/biofact-mcp/biofact/internal/mirror/wordindex"
	"github.com/biofact-mcp/biofact/internal/query"
)

func (f *finder) find(n query.Node) (finding, error) {
	if match, ok := wordindex.Query(n); ok {
		return f.words(match)
	}
	switch n := n.(type) {
	case nil, query.All, query.Boost:
		return finding{f.live, true}, nil
	case query.And:
		return f.and(n)
	case query.Or:
		return f.or(n)
	case query.Not:
		return f.not(n)
	case query.Some:
		return f.or(append(query.Or{n.All}, n.Words...))
	case query.OneSite:
		return f.oneSite(n)
	case query.Term:
		return f.term(n)
	case query.Within:
		return f.within(n)
	}
	if found, ok, err := f.someClass(n); ok || err != nil {
		return found, err
	}
	return f.test(testOf(n))
}

// and finds the studies for which all nodes hold. The nodes of the word index become one query.
func (f *finder) and(nodes query.And) (finding, error) {
	var words, others query.And
	for _, n := range nodes {
		if _, ok := wordindex.Query(n); ok {
			words = append(words, n)
		} else {
			others = append(others, n)
		}
	}
	found := finding{f.live, true}
	if match, ok := wordindex.Query(words); ok {
		var err error
		if found, err = f.words(match); err != nil {
			return found, err
		}
		nodes = others
	}
	return fold(found, rowset.Set.And, nodes, f.find)
}

func (f *finder) or(nodes query.Or) (finding, error) {
	return fold(finding{rowset.New(len(f.ids)), true}, rowset.Set.Or, nodes, f.find)
}

// fold joins a finding and those of nodes by an operation on sets.
func fold(
	out finding, join func(rowset.Set, rowset.Set) rowset.Set, nodes []query.Node, find func(query.Node) (finding, error),
) (finding, error) {
	for _, n := range nodes {
		part, err := find(n)
		if err != nil {
			return out, err
		}
		out = finding{join(out.rows, part.rows), out.exact && part.exact}
	}
	return out, nil
}

func (f *finder) not(n query.Not) (finding, error) {
	inner, err := f.find(n.Node)
	if err != nil || !inner.exact {
		return finding{rows: f.live}, err
	}
	return finding{f.live.Without(inner.rows), true}, nil
}

// term finds a term that the word index cannot decide alone.
func (f *finder) term(n query.Term) (finding, error) {
	if found, ok, err := f.someClass(n); ok || err != nil {
		return found, err
	}
	if wordindex.OnlyPiece(n) != "" && n.Area.Pieces[0].Piece.Type == "boolean" {
		return f.truth(n)
	}
	indexes, _ := wordindex.Of(n.Area)
	if len(indexes) == 0 {
		return f.perhaps()
	}
	found, err := f.words(wordindex.Term(n, indexes)) // the indexes also have the words of other pieces
	return finding{rows: found.rows}, err
}

// truth finds the word true or false in a piece of type boolean.
func (f *finder) truth(n query.Term) (finding, error) {
	if len(n.Words) > 1 || !slices.Contains(truths, n.Words[0]) {
		return finding{rowset.New(len(f.ids)), true}, nil // a value is one word
	}
	return f.test(oneOf(n.Area.Pieces[0].Piece, n.Words[0]))
}

// someClass finds the studies of a condition on the country or the status of any of their sites; ok is false if the node is
// another condition.
func (f *finder) someClass(n query.Node) (found finding, ok bool, err error) {
	switch n := n.(type) {
	case query.Term:
		if wordindex.OnlyPiece(n) != wordindex.CountryPiece {
			return found, false, nil
		}
		if n.Phrase || n.FullMatch || len(n.Words) == 1 {
			break
		}
		var words query.And // of any site each
		for _, word := range n.Words {
			words = append(words, query.Term{Area: n.Area, Words: []string{word}})
		}
		found, err = f.and(words)
		return found, true, err
	case query.Missing: // no site has a value
		if test := classTestOf(query.Not{Node: n}); test != nil {
			found, err = f.classes(test)
			return finding{f.live.Without(found.rows), true}, true, err
		}
	}
	test := classTestOfPiece(n)
	if test == nil {
		return found, false, nil
	}
	found, err = f.classes(test)
	return found, true, err
}

// oneSite finds the studies with a site for which the node holds.
func (f *finder) oneSite(n query.OneSite) (finding, error) {
	if test := classTestOf(n.Node); test != nil {
		return f.classes(test)
	}
	switch inner := n.Node.(type) {
	case query.Or: // one site matches one of the nodes
		var sites query.Or
		for _, node := range inner {
			sites = append(sites, query.OneSite{Node: node})
		}
		return f.or(sites)
	case query.Term:
		if inner.Phrase || inner.FullMatch || len(inner.Words) == 1 { // one value of one site
			return f.find(inner)
		}
	}
	where, ok, err := f.siteCondition(n.Node)
	if err != nil {
		return finding{}, err
	}
	if ok && len(where.args) <= maxSiteArguments {
		rows, err := f.query("study", "FROM site WHERE "+where.sql, where.args...)
		return finding{rows, true}, err
	}
	wider, err := f.someSite(n.Node)
	return finding{rows: wider.rows}, err
}

// someSite finds all studies with such a site, and maybe others: two sites may each match one part of the node.
func (f *finder) someSite(n query.Node) (finding, error) {
	switch n := n.(type) {
	case query.And:
		return fold(finding{rows: f.live}, rowset.Set.And, n, f.someSite)
	case query.Or:
		return fold(finding{rows: rowset.New(len(f.ids))}, rowset.Set.Or, n, f.someSite)
	case query.Term, query.Value, query.Within:
		return f.find(n)
	}
	return f.perhaps()
}
