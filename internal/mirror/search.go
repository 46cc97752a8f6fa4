package mirror

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/biofact-mcp/biofact/internal/mirror/history"
	"github.com/biofact-mcp/biofact/internal/mirror/rowset"
	"github.com/biofact-mcp/biofact/internal/mirror/sqlrows"
	"github.com/biofact-mcp/biofact/internal/mirror/stored"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/query/api"
)

const (
	// maxVerified bounds the records that the matcher checks in one search. Each takes about half a millisecond.
	maxVerified = 5000
	// verifiedAtOnce is the number of these records in memory.
	verifiedAtOnce = 200
)

// A copyOf is a snapshot of a file.
type copyOf struct {
	db    history.DB
	file  *file
	state State
}

// Get implements api.Engine.
func (c *copyOf) Get(ctx context.Context, id string, fields query.Projection) (study api.Study, known bool, err error) {
	n, ok, err := c.canonical(ctx, id)
	if err != nil || !ok {
		return study, false, err
	}
	records, err := c.read(ctx, []int64{n}, fields)
	if err != nil {
		return study, false, err
	}
	return api.Study{ID: stored.NCT(n), JSON: records[0]}, true, nil
}

// Stamp implements api.Engine.
func (c *copyOf) Stamp(context.Context) (string, error) { return c.state.Stamp, nil }

// canonical returns the number of the study with an id, which may be an alias.
func (c *copyOf) canonical(ctx context.Context, nct string) (id int64, known bool, err error) {
	n, ok := stored.Number(nct)
	if !ok {
		return 0, false, nil
	}
	const query = "SELECT id FROM study WHERE id = ?1 UNION ALL SELECT study FROM alias WHERE id = ?1 LIMIT 1"
	known, err = sqlrows.One(c.db.QueryRowContext(ctx, query, n), &id)
	return id, known, err
}

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

// liveRow returns the row of the study with a number; false: no such study.
func (f *finder) liveRow(id int64) (row int, known bool) {
	row = f.rowOf(uint32(id), 0)
	return row, row < len(f.ids) && f.ids[row] == uint32(id) && f.live.Has(row)
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

// withoutPosted selects a record without its posted results.
var withoutPosted = query.Projection{"protocolSection": nil, "derivedSection": nil, "annotationSection": nil, "documentSection": nil,
	"hasResults": nil}

// read returns the selected part of records, in the order of their numbers in ids.
func (c *copyOf) read(ctx context.Context, ids []int64, fields query.Projection) ([]json.RawMessage, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	if reflect.DeepEqual(fields, listedFields()) {
		return c.listed(ids), nil
	}
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	columns := "main, NULL"
	if fields.Has(stored.ResultsKey) {
		columns = "main, results"
	}
	byID := map[int64]json.RawMessage{}
	var buffer []byte
	var id int64
	var main, posted sql.RawBytes
	text := "SELECT id, " + columns + " FROM record WHERE id IN (SELECT value FROM json_each(?))"
	err = sqlrows.Of(c.db.QueryContext(ctx, text, string(list))).ForEach(func() error {
		if byID[id], err = c.record(&buffer, main, posted, fields); err != nil {
			return fmt.Errorf("read %s: %w", stored.NCT(id), err)
		}
		return nil
	}, &id, &main, &posted)
	if err != nil {
		return nil, err
	}
	out := make([]json.RawMessage, 0, len(ids))
	for _, id := range ids {
		if byID[id] == nil {
			return nil, fmt.Errorf("%s has no record", stored.NCT(id))
		}
		out = append(out, byID[id])
	}
	return out, nil
}

// listedFields are those of a list of ids, as exports and watches read it.
var listedFields = sync.OnceValue(func() query.Projection { return query.Select("NCTId", "VersionHolder") })

// listed returns the parts of records with listedFields, which need not be read.
func (c *copyOf) listed(ids []int64) (out []json.RawMessage) {
	const part = `{"protocolSection":{"identificationModule":{"nctId":%q}},"derivedSection":{"miscInfoModule":{"versionHolder":%q}}}`
	for _, id := range ids {
		out = append(out, fmt.Appendf(nil, part, stored.NCT(id), c.state.Day()))
	}
	return out
}

// record returns the selected part of a packed record. The buffer is for reuse by the next record.
func (c *copyOf) record(buffer *[]byte, main, posted []byte, fields query.Projection) (out json.RawMessage, err error) {
	if *buffer, err = c.unpack(*buffer, main, posted); err != nil {
		return nil, err
	}
	if out, err = stored.Cut(*buffer, fields); err != nil {
		return nil, err
	}
	out = stored.WithVersion(out, c.state.Day())
	if c.state.WithoutContacts() {
		return stored.WithoutContacts(out, fields)
	}
	return out, nil
}

// unpack returns the text of a record from its stored parts. It uses a buffer, if that is large enough.
func (c *copyOf) unpack(buffer, main, posted []byte) ([]byte, error) {
	text, err := c.file.Unpack(buffer, main)
	if err != nil || len(posted) == 0 {
		return text, err
	}
	results, err := c.file.Unpack(nil, posted)
	if err != nil {
		return nil, err
	}
	return stored.WithResults(text, results), nil
}
