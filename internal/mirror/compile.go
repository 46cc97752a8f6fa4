package mirror

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/biofact-mcp/biofact/internal/registry"
)

// A finding has the studies for which a node may hold. An exact finding has no others; else the matcher must check each.
type finding struct {
	rows  set
	exact bool
}

// A finder finds the studies for which the nodes of an expression hold. It leaves unknown node types to the matcher.
type finder struct {
	ctx context.Context //nolint:containedctx // a finder is used for one search
	db  querier
	*table
}

// find returns the studies of a node.
func (f *finder) find(n registry.Node) (finding, error) {
	if match, ok := wordsOf(n); ok {
		return f.words(match, true)
	}
	switch n := n.(type) {
	case nil, registry.All, registry.Boost:
		return finding{f.live, true}, nil
	case registry.And:
		return f.and(n)
	case registry.Or:
		return f.or(n)
	case registry.Not:
		return f.not(n)
	case registry.OneSite:
		return f.oneSite(n)
	case registry.Term:
		return f.term(n)
	case registry.Within:
		return f.within(n)
	case registry.Missing:
		if n.Piece.Name == countryPiece {
			return f.noCountry()
		}
	}
	return f.test(testOf(n))
}

// perhaps returns all studies, for a node without an index or column: the matcher checks each study.
func (f *finder) perhaps() (finding, error) { return finding{rows: f.live}, nil }

func (f *finder) nothing() (finding, error) { return finding{newSet(len(f.ids)), true}, nil }

// and finds the studies for which all nodes hold. The nodes of the word index become one query.
func (f *finder) and(nodes registry.And) (finding, error) {
	var words, others registry.And
	for _, n := range nodes {
		if _, ok := wordsOf(n); ok {
			words = append(words, n)
		} else {
			others = append(others, n)
		}
	}
	if match, ok := wordsOf(words); ok {
		return f.fold(finding{f.live, true}, set.and, others, func() (finding, error) { return f.words(match, true) })
	}
	return f.fold(finding{f.live, true}, set.and, nodes, nil)
}

func (f *finder) or(nodes registry.Or) (finding, error) {
	return f.fold(finding{newSet(len(f.ids)), true}, set.or, nodes, nil)
}

// fold combines the findings of nodes, and of more if it is not nil, by an operation on sets.
func (f *finder) fold(out finding, join func(set, set) set, nodes []registry.Node, more func() (finding, error)) (finding, error) {
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

func (f *finder) not(n registry.Not) (finding, error) {
	inner, err := f.find(n.Node)
	if err != nil || !inner.exact {
		return finding{rows: f.live}, err
	}
	return finding{f.live.without(inner.rows), true}, nil
}

// words finds by a query of the word index.
func (f *finder) words(match string, exact bool) (finding, error) {
	rows, err := f.query("SELECT rowid FROM words WHERE words MATCH ?", match)
	return finding{rows, exact}, err
}

// query returns the rows of the studies whose numbers a query returns.
func (f *finder) query(query string, args ...any) (set, error) {
	return f.remember(fmt.Sprint(append([]any{query}, args...)...), func() (set, error) {
		rows, err := f.db.QueryContext(f.ctx, query, args...)
		if err != nil {
			return nil, err
		}
		defer rows.Close()
		found := newSet(len(f.ids))
		at := 0
		for rows.Next() {
			var id uint32
			if err := rows.Scan(&id); err != nil {
				return nil, err
			}
			if at = f.rowOf(id, at); at < len(f.ids) && f.ids[at] == id && f.live.has(at) {
				found.add(at)
			}
		}
		return found, rows.Err()
	})
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
func (f *finder) term(n registry.Term) (finding, error) {
	if onlyPiece(n) == countryPiece {
		return f.inCountry(n)
	}
	if onlyPiece(n) != "" && n.Area.Pieces[0].Piece.Type == "boolean" {
		return f.truth(n)
	}
	indexes, exact := indexesOf(n.Area)
	if len(indexes) == 0 {
		return f.perhaps()
	}
	return f.words(termWords(n, indexes), exact)
}

// truth finds the word true or false in a piece of type boolean.
func (f *finder) truth(n registry.Term) (finding, error) {
	if len(n.Words) > 1 || !slices.Contains(truths, n.Words[0]) {
		return f.nothing() // a value is one word
	}
	return f.test(oneOf(n.Area.Pieces[0].Piece, n.Words[0]))
}

// inCountry finds a term in the countries of studies. It compares their few values one by one: the word index would list
// every study of a large country.
func (f *finder) inCountry(n registry.Term) (finding, error) {
	if n.Phrase || n.FullMatch || len(n.Words) == 1 {
		return f.country(termWords(n, nil), n.Holds)
	}
	out := finding{f.live, true}
	for _, word := range n.Words {
		part, err := f.inCountry(registry.Term{Area: n.Area, Words: []string{word}})
		if err != nil {
			return out, err
		}
		out.rows = out.rows.and(part.rows)
	}
	return out, nil
}

// country finds the studies with a country for whose words holds returns true. The key identifies the condition in the cache.
func (f *finder) country(key string, holds func(words []string) bool) (finding, error) {
	rows, err := f.remember(key, func() (set, error) {
		piece := slices.Index(grouped, countryPiece)
		texts, err := values(f.ctx, f.db, piece)
		if err != nil {
			return nil, err
		}
		var matches []bool // by number of the value
		for id, text := range texts {
			matches = append(matches, make([]bool, max(0, int(id)+1-len(matches)))...)
			matches[id] = holds(registry.Words(text))
		}
		rows := newSet(len(f.ids))
		err = f.eachGroup(f.ctx, f.db, []int{piece}, func(row int, groups [][]byte) {
			n, at := binary.Uvarint(groups[0])
			for range n {
				id, size := binary.Uvarint(groups[0][at:])
				if at += size; id < uint64(len(matches)) && matches[id] {
					rows.add(row)
					return
				}
			}
		})
		return rows.and(f.live), err
	})
	return finding{rows, true}, err
}

// noCountry finds the studies without a country.
func (f *finder) noCountry() (finding, error) {
	rows := newSet(len(f.ids))
	err := f.eachGroup(f.ctx, f.db, []int{slices.Index(grouped, countryPiece)}, func(row int, groups [][]byte) {
		if groups[0][0] == 0 {
			rows.add(row)
		}
	})
	return finding{rows.and(f.live), true}, err
}
