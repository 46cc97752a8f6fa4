package mirror

import (
	"context"
	"slices"

	"github.com/biofact-mcp/biofact/internal/query"
)

// A Group counts the studies that have the same values of some pieces.
type Group struct {
	Values [][]string // by piece, in the order of the request; of a date the year
	Count  int
}

// Groups are the groups of the studies of a search.
type Groups struct {
	Groups []Group
	Total  int // of the studies
}

// Groups counts the studies of a search by their values of some pieces; ok is false if a piece has no groups.
func (r *Reader) Groups(ctx context.Context, s *query.Search, pieces []string) (groups Groups, ok bool, err error) {
	var places []int
	for _, p := range pieces {
		i := slices.Index(grouped, p)
		if i < 0 {
			return groups, false, nil
		}
		places = append(places, i)
	}
	c, done, err := r.use(ctx)
	if err != nil {
		return groups, false, err
	}
	defer done()
	if !c.state.Complete() {
		return groups, false, ErrUnfinished
	}
	found, err := c.find(ctx, s)
	if err != nil {
		return groups, false, err
	}
	groups.Groups, err = found.countGroups(ctx, places)
	groups.Total = found.rows.Count()
	return groups, err == nil, err
}

// countGroups counts the hits by their values of some of the grouped pieces.
func (h *hits) countGroups(ctx context.Context, pieces []int) ([]Group, error) {
	counts := map[string]*int{}
	var key []byte
	err := h.eachGroup(ctx, h.db, pieces, func(row int, groups [][]byte) {
		if !h.rows.Has(row) {
			return
		}
		key = key[:0]
		for _, g := range groups {
			key = append(key, g...)
		}
		n := counts[string(key)]
		if n == nil {
			n = new(int)
			counts[string(key)] = n
		}
		*n++
	})
	if err != nil {
		return nil, err
	}
	texts := make([]map[uint64]string, len(pieces))
	for i, p := range pieces {
		if texts[i], err = values(ctx, h.db, p); err != nil {
			return nil, err
		}
	}
	groups := make([]Group, 0, len(counts))
	for key, n := range counts {
		g := Group{Values: make([][]string, len(pieces)), Count: *n}
		rest := []byte(key)
		for i := range pieces {
			end, err := groupEnd(rest)
			if err != nil {
				return nil, err
			}
			for _, id := range numbersOf(rest[:end]) {
				g.Values[i] = append(g.Values[i], texts[i][id])
			}
			rest = rest[end:]
		}
		groups = append(groups, g)
	}
	return groups, nil
}
