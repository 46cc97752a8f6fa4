package mirror

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"slices"

	"github.com/biofact-mcp/biofact/internal/mirror/history"
	"github.com/biofact-mcp/biofact/internal/mirror/rowset"
	"github.com/biofact-mcp/biofact/internal/mirror/sqlrows"
	"github.com/biofact-mcp/biofact/internal/mirror/wordindex"
	"github.com/biofact-mcp/biofact/internal/query"
)

// A finding has the studies for which a node may hold. An exact finding has no others; else the matcher must check each.
type finding struct {
	rows  rowset.Set
	exact bool
}

// A finder finds the studies for which the nodes of an expression hold. It leaves unknown node types to the matcher.
type finder struct {
	ctx context.Context //nolint:containedctx // a finder is used for one search
	db  history.DB
	*table
}

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

// perhaps returns all studies, for a node without an index or column: the matcher checks each study.
func (f *finder) perhaps() (finding, error) { return finding{rows: f.live}, nil }

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
	if match, ok := wordindex.Query(words); ok {
		return f.fold(finding{f.live, true}, rowset.Set.And, others, func() (finding, error) { return f.words(match) })
	}
	return f.fold(finding{f.live, true}, rowset.Set.And, nodes, nil)
}

func (f *finder) or(nodes query.Or) (finding, error) {
	return f.fold(finding{rowset.New(len(f.ids)), true}, rowset.Set.Or, nodes, nil)
}

// fold combines the findings of nodes, and of more if it is not nil, by an operation on sets.
func (f *finder) fold(
	out finding, join func(rowset.Set, rowset.Set) rowset.Set, nodes []query.Node, more func() (finding, error),
) (finding, error) {
	add := func(part finding, err error) error {
		if err == nil {
			out = finding{join(out.rows, part.rows), out.exact && part.exact}
		}
		return err
	}
	for _, n := range nodes {
		if err := add(f.find(n)); err != nil {
			return out, err
		}
	}
	if more == nil {
		return out, nil
	}
	return out, add(more())
}

func (f *finder) not(n query.Not) (finding, error) {
	inner, err := f.find(n.Node)
	if err != nil || !inner.exact {
		return finding{rows: f.live}, err
	}
	return finding{f.live.Without(inner.rows), true}, nil
}

// words finds by a query of the word index.
func (f *finder) words(match string) (finding, error) {
	rows, err := f.query("rowid", "FROM words WHERE words MATCH ?", match)
	return finding{rows, true}, err
}

// query runs SELECT column followed by query, and returns the rows of the studies whose numbers it finds.
func (f *finder) query(column, query string, args ...any) (rowset.Set, error) {
	// One text with all numbers takes half as long to receive as a row for each.
	query = "SELECT coalesce(group_concat(" + column + "), '') " + query
	return f.remember(fmt.Sprint(append([]any{query}, args...)...), func() (rowset.Set, error) {
		found := rowset.New(len(f.ids))
		var numbers sql.RawBytes
		return found, sqlrows.Of(f.db.QueryContext(f.ctx, query, args...)).ForEach(func() error {
			f.addNumbers(found, numbers)
			return nil
		}, &numbers)
	})
}

// addNumbers adds the live rows of studies to a set. The text has their numbers in decimal, separated by commas.
func (f *finder) addNumbers(found rowset.Set, text []byte) {
	at := 0
	for digits := range bytes.SplitSeq(text, []byte(",")) {
		id := uint32(0)
		for _, digit := range digits {
			id = 10*id + uint32(digit-'0')
		}
		if at = f.rowOf(id, at); at < len(f.ids) && f.ids[at] == id && f.live.Has(at) {
			found.Add(at)
		}
	}
}

// rowOf returns the row of a study, or any other row if the table does not have the study. It is fast for a row shortly after near.
func (f *finder) rowOf(id uint32, near int) int {
	if late, ok := slices.BinarySearch(f.ids[f.settled:], id); ok {
		return f.settled + late
	}
	settled := f.ids[:f.settled]
	if near >= len(settled) || settled[near] > id {
		near = 0
	}
	step := 1
	for near+step < len(settled) && settled[near+step] < id {
		near += step
		step *= 2
	}
	row, _ := slices.BinarySearch(settled[near:min(near+step+1, len(settled))], id)
	return near + row
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
