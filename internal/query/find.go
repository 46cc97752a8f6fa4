package query

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Match reports whether a node holds for the record with this index. The score says how
// well. It does not expand the node.
func (t *Studies) Match(record int, n Node) (score float64, ok bool) {
	return n.match(scope{t, record, -1})
}

// Search returns the page of a search.
func (t *Studies) Search(ctx context.Context, s *Search) (*Page, error) {
	hits, err := t.find(ctx, s)
	if err != nil {
		return nil, err
	}
	studies := []json.RawMessage{}
	for _, h := range hits[min(s.Offset, len(hits)):min(s.Offset+s.PageSize, len(hits))] {
		study, err := s.Fields.JSON(t.records[h.record])
		if err != nil {
			return nil, err
		}
		studies = append(studies, study)
	}
	return s.Page(len(hits), studies), nil
}

// hit is a record that a search found.
type hit struct {
	record int
	score  float64
}

// find returns the hits of a search. Without sort keys they have the order of the
// records: the registry sorts by relevance only where it is asked to.
func (t *Studies) find(ctx context.Context, s *Search) ([]hit, error) {
	queries, advanced := Synonyms().Expand(And(s.Queries)), Synonyms().Expand(s.Advanced)
	chosen, overallStatus := t.chosen(s.IDs), PieceNamed("OverallStatus")
	var hits []hit
	for i := range t.records {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if chosen != nil && !chosen[i] || s.Statuses != nil && !slices.Contains(s.Statuses, t.key(overallStatus, i)) {
			continue
		}
		if advanced != nil {
			if _, ok := t.Match(i, advanced); !ok {
				continue
			}
		}
		if score, ok := t.Match(i, queries); ok {
			hits = append(hits, hit{i, score})
		}
	}
	if len(s.Sort) > 0 {
		slices.SortFunc(hits, func(a, b hit) int { return t.compare(s.Sort, a, b) })
	}
	return hits, nil
}

// chosen returns the records with these ids, or nil for all records.
func (t *Studies) chosen(ids []string) map[int]bool {
	if ids == nil {
		return nil
	}
	chosen := make(map[int]bool, len(ids))
	for _, id := range ids {
		if i, ok := t.byID[id]; ok {
			chosen[i] = true
		}
	}
	return chosen
}

// compare puts the newer registration first among equals.
func (t *Studies) compare(keys []SortKey, a, b hit) int {
	for _, k := range keys {
		if c := t.compareBy(k, a, b); c != 0 {
			return c
		}
	}
	return strings.Compare(t.ids[b.record], t.ids[a.record])
}

func (t *Studies) compareBy(k SortKey, a, b hit) int {
	c := cmp.Compare(a.score, b.score)
	if k.Piece != nil {
		left, right := t.key(k.Piece, a.record), t.key(k.Piece, b.record)
		if left == "" || right == "" {
			return strings.Compare(right, left) // missing values are last in both directions
		}
		c = compareValues(k.Piece, left, right)
	}
	if k.Descending {
		return -c
	}
	return c
}

// key returns the value by which a record is sorted, or "".
func (t *Studies) key(p *Piece, record int) string {
	values := t.column(p)[record]
	if len(values) == 0 {
		return ""
	}
	return values[0].text
}

func compareValues(p *Piece, a, b string) int {
	if p.IsDate() {
		return strings.Compare(FirstDay(a), FirstDay(b))
	}
	left, _ := strconv.ParseFloat(a, 64)
	right, _ := strconv.ParseFloat(b, 64)
	return cmp.Compare(left, right)
}
