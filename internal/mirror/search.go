package mirror

import (
	"context"
	"fmt"
	"slices"

	"github.com/biofact-mcp/biofact/internal/mirror/rowset"
	"github.com/biofact-mcp/biofact/internal/mirror/stored"
	"github.com/biofact-mcp/biofact/internal/query"
)

const (
	// maxVerified bounds the records that the matcher checks in one search. Each takes about half a millisecond.
	maxVerified = 5000
	// verifiedAtOnce is the number of these records in memory.
	verifiedAtOnce = 200
)

// Search implements api.Engine.
func (c *copyOf) Search(ctx context.Context, s *query.Search) (*query.Page, error) {
	found, err := c.find(ctx, s)
	if err != nil {
		return nil, err
	}
	rows, err := found.page(ctx, s)
	if err != nil {
		return nil, err
	}
	records, err := c.read(ctx, found.idsOf(rows), s.Fields)
	if err != nil {
		return nil, err
	}
	return s.Page(found.rows.Count(), records), nil
}

// hits are the studies that a search found.
type hits struct {
	*copyOf
	*table
	rows    rowset.Set
	queries query.Node // expanded, for the relevance
	some    []query.Some
}

// find evaluates a search. If the file cannot decide alone, the matcher checks each candidate.
func (c *copyOf) find(ctx context.Context, s *query.Search) (*hits, error) {
	t, err := c.file.table(ctx, c.db, c.state)
	if err != nil {
		return nil, err
	}
	f := &finder{ctx: ctx, db: c.db, table: t}
	h := &hits{copyOf: c, table: t, queries: query.Synonyms().Expand(query.And(s.Queries))}
	for _, q := range s.Queries {
		if some, ok := q.(query.Some); ok {
			h.some = append(h.some, some)
		}
	}
	node := query.And{h.queries, query.Synonyms().Expand(s.Advanced)}
	if node[1] == nil {
		node = node[:1]
	}
	found, err := f.find(node)
	if err != nil {
		return nil, err
	}
	h.rows = found.rows
	if s.Statuses != nil {
		status, err := f.test(oneOf(query.PieceNamed("OverallStatus"), s.Statuses...))
		if err != nil {
			return nil, err
		}
		h.rows = h.rows.And(status.rows)
	}
	if s.IDs != nil {
		listed, err := c.rowsOfIDs(ctx, f, s.IDs)
		if err != nil {
			return nil, err
		}
		h.rows = h.rows.And(listed)
	}
	if found.exact {
		return h, nil
	}
	return h, h.verify(ctx, node)
}

// rowsOfIDs returns the rows of the studies with some ids.
func (c *copyOf) rowsOfIDs(ctx context.Context, f *finder, ids []string) (rowset.Set, error) {
	rows := rowset.New(len(f.ids))
	for _, text := range ids {
		id, valid := stored.Number(text)
		row, known := f.liveRow(id)
		if valid && !known { // the id may be an alias
			var err error
			if id, _, err = c.canonical(ctx, text); err != nil {
				return nil, err
			}
			row, known = f.liveRow(id)
		}
		if known {
			rows.Add(row)
		}
	}
	return rows, nil
}

// verify checks each candidate by the matcher.
func (h *hits) verify(ctx context.Context, node query.Node) error {
	if h.rows.Count() > maxVerified {
		const reason = "has no index for a part of this search, and more than %d trials match the rest of it"
		return query.BadRequest{Reason: fmt.Sprintf(reason, maxVerified), Unsupported: true}
	}
	var fields query.Projection // all
	if !query.ReadsResults(node) {
		fields = withoutPosted
	}
	candidates := h.rows
	h.rows = rowset.New(len(h.ids))
	for rows := range slices.Chunk(slices.Collect(candidates.All()), verifiedAtOnce) {
		records, err := h.read(ctx, h.idsOf(rows), fields)
		if err != nil {
			return err
		}
		bodies := make([]map[string]any, len(records))
		for i, record := range records {
			if bodies[i], err = stored.Decode(record); err != nil {
				return err
			}
		}
		studies := query.NewStudies(bodies)
		for i := range bodies {
			if _, ok := studies.Match(i, node); ok {
				h.rows.Add(rows[i])
			}
		}
	}
	return nil
}

// idsOf returns the numbers of the studies in some rows.
func (t *table) idsOf(rows []int) []int64 {
	ids := make([]int64, len(rows))
	for i, row := range rows {
		ids[i] = int64(t.ids[row])
	}
	return ids
}
