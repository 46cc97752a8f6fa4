package mirror

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/mirror/rowset"
	"github.com/biofact-mcp/biofact/internal/mirror/sqlrows"
	"github.com/biofact-mcp/biofact/internal/mirror/wordindex"
	"github.com/biofact-mcp/biofact/internal/query"
)

const (
	// maxRanked is the number of hits up to which all are ranked. Of more hits, only the newest newestRanked are ranked.
	maxRanked    = 5000
	newestRanked = 2000
)

func (h *hits) page(ctx context.Context, s *query.Search) ([]int, error) {
	if len(h.some) > 0 && s.Sort != nil && s.Sort[0].Piece == nil && s.Sort[0].Descending {
		return h.somePage(ctx, s)
	}
	relevance := slices.IndexFunc(s.Sort, func(k query.SortKey) bool { return k.Piece == nil })
	match := wordindex.Ranking(h.queries)
	if relevance != 0 || match == "" { // relevance as a second key would only order trials of the same date: it is ignored
		o, err := h.order(ctx, s.Sort)
		if err != nil {
			return nil, err
		}
		return slice(o.First(h.rows, s.Offset+s.PageSize), s), nil
	}
	newest, total := rowset.Order{IDs: h.ids}, h.rows.Count()
	ranked := total
	if total > maxRanked {
		ranked = newestRanked
	}
	if s.Offset >= ranked { // pages after the ranked hits are in order of age
		return slice(newest.First(h.rows, s.Offset+s.PageSize), s), nil
	}
	rows := newest.First(h.rows, ranked)
	scores, err := h.scores(ctx, match, h.ids[rows[len(rows)-1]])
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, func(a, b int) int {
		c := cmp.Compare(scores[int64(h.ids[b])], scores[int64(h.ids[a])])
		if !s.Sort[0].Descending {
			c = -c
		}
		return c
	})
	return slice(rows, s), nil
}

// order returns the order of sort keys without those of relevance.
func (h *hits) order(ctx context.Context, keys []query.SortKey) (rowset.Order, error) {
	o := rowset.Order{IDs: h.ids}
	for _, k := range keys {
		if k.Piece == nil {
			continue
		}
		column := columnOf(k.Piece)
		if column < 0 {
			return o, query.BadRequest{Reason: fmt.Sprintf("does not sort by `%s`", k.Piece.Name), Unsupported: true}
		}
		values, err := h.column(ctx, h.db, column)
		if err != nil {
			return o, err
		}
		o.Keys = append(o.Keys, rowset.Key{Values: values, Descending: k.Descending})
	}
	return o, nil
}

// scores returns the relevance of the studies from a number on, by number of the study; a higher score is better.
func (h *hits) scores(ctx context.Context, match string, from uint32) (map[int64]float64, error) {
	var numbers []any
	for _, i := range wordindex.Columns {
		numbers = append(numbers, i.Weight)
	}
	query := "SELECT rowid, -bm25(words" + strings.Repeat(", ?", len(numbers)) + ") FROM words WHERE words MATCH ? AND rowid >= ?"
	return sqlrows.Map[int64, float64](h.db.QueryContext(ctx, query, append(numbers, match, from)...))
}
