package mirror

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/registry"
)

const (
	// maxRanked is the number of hits up to which all are ranked; of more the newest are.
	maxRanked    = 5000
	newestRanked = 2000
)

// weights of the columns of the word index, in their order, after the registry's.
var weights = map[string]float64{
	"nct": 1, "acronym": 1, "title": 0.9, "condition": 0.9, "condition_mesh": 0.5, "keyword": 0.6, "intervention": 0.9,
	"intervention_text": 0.5,
	"summary":           0.6, "description": 0.25, "criteria": 0.2, "outcome": 0.6, "outcome_text": 0.4, "result": 0.3, "lead": 0.4,
	"sponsor": 0.3, "ids": 0.4,
	"other": 0.2, "facility": 0.35, "city": 0.35, "state": 0.35, "country": 0.35, "zip": 0.15,
}

// ranked returns the ids of a page of the hits by rank, or of hits that the matcher decided on.
func (h *hits) ranked(ctx context.Context, s *registry.Search) (ids []int64, total int, err error) {
	if total, err = h.count(ctx); err != nil {
		return nil, 0, err
	}
	relevance := slices.IndexFunc(s.Sort, func(k registry.SortKey) bool { return k.Piece == nil })
	match := rankWords(h.queries)
	if relevance != 0 || match == "" { // a second key of rank breaks ties of dates, which is no use
		ids, err = h.inOrder(ctx, s, s.Offset+s.PageSize)
		return slice(ids, s.Offset, s.PageSize), total, err
	}
	if total > maxRanked && s.Offset >= newestRanked { // beyond those that are ranked, by age
		ids, err = h.newest(ctx, s.Offset+s.PageSize)
		return slice(ids, s.Offset, s.PageSize), total, err
	}
	limit := total
	if total > maxRanked {
		limit = newestRanked
	}
	if ids, err = h.newest(ctx, limit); err != nil || len(ids) == 0 {
		return nil, total, err
	}
	scores, err := h.scores(ctx, match, ids[len(ids)-1])
	if err != nil {
		return nil, 0, err
	}
	descending := s.Sort[0].Descending
	slices.SortStableFunc(ids, func(a, b int64) int {
		c := cmp.Compare(scores[b], scores[a])
		if !descending {
			c = -c
		}
		return c
	})
	return slice(ids, s.Offset, s.PageSize), total, nil
}

// slice returns the ids of a page.
func slice(ids []int64, offset, size int) []int64 {
	return ids[min(offset, len(ids)):min(offset+size, len(ids))]
}

// inOrder returns the first hits in the order of the sort keys.
func (h *hits) inOrder(ctx context.Context, s *registry.Search, limit int) ([]int64, error) {
	if h.decided {
		return h.ids, nil
	}
	order, err := orderOf(s.Sort)
	if err != nil {
		return nil, err
	}
	return h.numbers(ctx, "SELECT s.id FROM study s WHERE "+h.where.sql+" ORDER BY "+order+" LIMIT ?",
		append(slices.Clone(h.where.args), limit)...)
}

// newest returns the hits that were registered last.
func (h *hits) newest(ctx context.Context, limit int) ([]int64, error) {
	if h.decided {
		ids := slices.Clone(h.ids)
		newestFirst(ids)
		return ids[:min(limit, len(ids))], nil
	}
	return h.numbers(ctx, "SELECT s.id FROM study s WHERE "+h.where.sql+" ORDER BY s.id DESC LIMIT ?",
		append(slices.Clone(h.where.args), limit)...)
}

// scores returns how well studies match, from a number on; the higher the better.
func (h *hits) scores(ctx context.Context, match string, from int64) (map[int64]float64, error) {
	var numbers []any
	for _, i := range indexes {
		numbers = append(numbers, weights[i.name])
	}
	query := "SELECT rowid, -bm25(words" + strings.Repeat(", ?", len(numbers)) + ") FROM words WHERE words MATCH ? AND rowid >= ?"
	rows, err := h.db.QueryContext(ctx, query, append(numbers, match, from)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	scores := map[int64]float64{}
	for rows.Next() {
		var id int64
		var score float64
		if err := rows.Scan(&id, &score); err != nil {
			return nil, err
		}
		scores[id] = score
	}
	return scores, rows.Err()
}

// rankWords writes the words that must or may be found as a query of the word index, "" for none.
func rankWords(n registry.Node) string {
	var parts []string
	add := func(nodes ...registry.Node) {
		for _, n := range nodes {
			if part := rankWords(n); part != "" {
				parts = append(parts, "("+part+")")
			}
		}
	}
	switch n := n.(type) {
	case registry.And:
		add(n...)
	case registry.Or:
		add(n...)
	case registry.Boost:
		add(n.Node)
	case registry.Term:
		if indexes, _ := indexesOf(n.Area); len(indexes) > 0 {
			return termWords(n, indexes)
		}
	}
	return strings.Join(parts, " OR ")
}
