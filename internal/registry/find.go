package registry

import (
	"context"
	"slices"
)

// hit is a study that a search found.
type hit struct {
	study int
	score float64
}

// find runs a search. Without an order the hits stand as in the data set:
// upstream is not sorted by relevance unless asked.
func (t *Studies) find(ctx context.Context, s *Search) ([]hit, error) {
	var hits []hit
	wanted := t.choose(s)
	for study := range t.records {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if wanted != nil && !wanted[study] {
			continue
		}
		score, ok := 0.0, true
		if s.onlyIDs == nil {
			score, ok = t.admit(s, study)
		}
		if ok {
			hits = append(hits, hit{study, score})
		}
	}
	if len(s.orders) > 0 {
		slices.SortFunc(hits, func(a, b hit) int { return t.compare(s.orders, a, b) })
	}
	return hits, nil
}

// choose is the set of studies named by their ids, or nil for any. Ids in a
// query win over ids in the filter.
func (t *Studies) choose(s *Search) map[int]bool {
	ids := s.onlyIDs
	if ids == nil {
		ids = s.ids
	}
	if ids == nil {
		return nil
	}
	chosen := make(map[int]bool, len(ids))
	for _, id := range ids {
		if study, ok := t.byID[id]; ok {
			chosen[study] = true
		}
	}
	return chosen
}

// admit holds a study against every part of the search. Filters come first,
// for they are cheap; they do not touch the score.
func (t *Studies) admit(s *Search, study int) (float64, bool) {
	whole := scope{t, study, -1}
	if s.statuses != nil {
		status := whole.values(pieces().byName["OverallStatus"])
		if len(status) == 0 || !slices.Contains(s.statuses, status[0].text) {
			return 0, false
		}
	}
	if s.advanced != nil {
		if _, ok := s.advanced.match(whole); !ok {
			return 0, false
		}
	}
	return allOf(s.expressions).match(whole)
}
