package mirror

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/geo"
	"github.com/biofact-mcp/biofact/internal/registry"
)

const (
	// maxVerified bounds the records that the matcher decides on in one search, at about half a
	// millisecond each.
	maxVerified = 5000
	// verifiedAtOnce is how many of them are in memory.
	verifiedAtOnce = 200
)

// A copyOf is one file that is open for reading, with its state when a call began.
type copyOf struct {
	db     *sql.DB
	unpack *unpacker
	state  State
}

// Get implements api.Engine.
func (c *copyOf) Get(ctx context.Context, id string) (study map[string]any, canonical string, known bool, err error) {
	n, ok, err := c.canonical(ctx, id)
	if err != nil || !ok {
		return nil, "", false, err
	}
	records, err := c.read(ctx, []int64{n}, nil)
	if err != nil || len(records) == 0 {
		return nil, "", false, err
	}
	return records[0], nctID(n), true, nil
}

// Stamp implements api.Engine.
func (c *copyOf) Stamp(context.Context) (string, error) { return c.state.Stamp, nil }

// canonical returns the number of the study with an id, which may be an alias.
func (c *copyOf) canonical(ctx context.Context, nct string) (id int64, known bool, err error) {
	n, ok := numberOf(nct)
	if !ok {
		return 0, false, nil
	}
	err = c.db.QueryRowContext(ctx, "SELECT id FROM study WHERE id = ?1 UNION ALL SELECT study FROM alias WHERE id = ?1 LIMIT 1",
		n).Scan(&id)
	if err == sql.ErrNoRows {
		return 0, false, nil
	}
	return id, err == nil, err
}

// Search implements api.Engine.
func (c *copyOf) Search(ctx context.Context, s *registry.Search) (*registry.Page, error) {
	found, err := c.find(ctx, s)
	if err != nil {
		return nil, err
	}
	ids, total, err := found.page(ctx, s)
	if err != nil {
		return nil, err
	}
	records, err := c.read(ctx, ids, s.Fields)
	if err != nil {
		return nil, err
	}
	return s.Page(total, records), nil
}

// hits are what a search found, before its order is made.
type hits struct {
	*copyOf
	where   condition
	queries registry.Node // expanded, for the rank
	ids     []int64       // of the hits, where the matcher decided; in the order of the columns
	decided bool
}

// find compiles a search. Where the file cannot decide alone, it asks the matcher about each candidate.
func (c *copyOf) find(ctx context.Context, s *registry.Search) (*hits, error) {
	h := &hits{copyOf: c, queries: registry.Synonyms().Expand(registry.And(s.Queries))}
	advanced := registry.Synonyms().Expand(s.Advanced)
	compiler := &compiler{near: func(n registry.Within) (string, error) { return c.near(ctx, n) }}
	parts := []condition{compiler.compile(registry.And{h.queries, orAll(advanced)})}
	if compiler.err != nil {
		return nil, compiler.err
	}
	if s.Statuses != nil {
		status := &columns[0]
		bits := int64(0)
		for _, text := range s.Statuses {
			bits |= status.bit(text)
		}
		parts = append(parts, condition{"(s.status & ?) <> 0", []any{bits}, true})
	}
	if s.IDs != nil {
		list, err := c.listed(ctx, s.IDs)
		if err != nil {
			return nil, err
		}
		parts = append(parts, condition{"s.id IN (SELECT value FROM json_each(?))", []any{list}, true})
	}
	h.where = joined(parts, " AND ", always)
	if h.where.exact {
		return h, nil
	}
	return h, h.verify(ctx, s, registry.And{h.queries, orAll(advanced)})
}

func orAll(n registry.Node) registry.Node {
	if n == nil {
		return registry.All{}
	}
	return n
}

// listed returns the numbers of the studies with some ids, as a list in JSON.
func (c *copyOf) listed(ctx context.Context, ids []string) (string, error) {
	numbers := []int64{}
	for _, id := range ids {
		n, known, err := c.canonical(ctx, id)
		if err != nil {
			return "", err
		}
		if known {
			numbers = append(numbers, n)
		}
	}
	text, err := json.Marshal(numbers)
	return string(text), err
}

// verify asks the matcher about each candidate.
func (h *hits) verify(ctx context.Context, s *registry.Search, node registry.Node) error {
	order, err := orderOf(s.Sort)
	if err != nil {
		return err
	}
	candidates, err := h.numbers(ctx, "SELECT s.id FROM study s WHERE "+h.where.sql+" ORDER BY "+order+" LIMIT ?",
		append(slices.Clone(h.where.args), maxVerified+1)...)
	if err != nil {
		return err
	}
	if len(candidates) > maxVerified {
		return registry.BadRequest{Reason: fmt.Sprintf("has no index for a part of this search, and more than %d trials match the rest "+
			"of it", maxVerified), Unsupported: true}
	}
	h.decided, h.ids = true, nil
	var fields registry.Projection // all
	if !readsResults(node) {
		fields = withoutPosted
	}
	for batch := range slices.Chunk(candidates, verifiedAtOnce) {
		records, err := h.read(ctx, batch, fields)
		if err != nil {
			return err
		}
		studies := registry.NewStudies(records)
		for i := range records {
			if _, ok := studies.Match(i, node); ok {
				id, _ := numberOf(registry.First(records[i], "NCTId"))
				h.ids = append(h.ids, id)
			}
		}
	}
	return nil
}

// readsResults reports whether a node may look at posted results.
func readsResults(n registry.Node) bool {
	of := func(p *registry.Piece) bool { return p.Path[0] == resultsKey }
	switch n := n.(type) {
	case registry.And:
		return slices.ContainsFunc(n, readsResults)
	case registry.Or:
		return slices.ContainsFunc(n, readsResults)
	case registry.Not:
		return readsResults(n.Node)
	case registry.Boost:
		return readsResults(n.Node)
	case registry.Term:
		return slices.ContainsFunc(n.Area.Pieces, func(w registry.Weighted) bool { return of(w.Piece) })
	case registry.Value:
		return of(n.Piece)
	case registry.All, registry.DateRange, registry.NumberRange, registry.Within, registry.OneSite:
		return false
	}
	return true
}

// page returns the ids of the page of a search, and the number of all hits. Without a wish for the
// total that number is only larger than those up to the end of the page, if there are more.
func (h *hits) page(ctx context.Context, s *registry.Search) (ids []int64, total int, err error) {
	if !h.decided && slices.ContainsFunc(s.Sort, func(k registry.SortKey) bool { return k.Piece == nil }) || h.decided {
		return h.ranked(ctx, s)
	}
	order, err := orderOf(s.Sort)
	if err != nil {
		return nil, 0, err
	}
	args := append(slices.Clone(h.where.args), s.PageSize+1, s.Offset)
	ids, err = h.numbers(ctx, "SELECT s.id FROM study s WHERE "+h.where.sql+" ORDER BY "+order+" LIMIT ? OFFSET ?", args...)
	if err != nil {
		return nil, 0, err
	}
	if s.CountTotal && s.Offset == 0 {
		total, err = h.count(ctx)
	} else {
		total = s.Offset + len(ids)
	}
	return ids[:min(len(ids), s.PageSize)], total, err
}

// count returns the number of hits.
func (h *hits) count(ctx context.Context) (n int, err error) {
	if h.decided {
		return len(h.ids), nil
	}
	err = h.db.QueryRowContext(ctx, "SELECT count(*) FROM study s WHERE "+h.where.sql, h.where.args...).Scan(&n)
	return n, err
}

// orderOf returns the terms of ORDER BY for sort keys; the newer registration comes first among equals.
// The rank is made elsewhere.
func orderOf(keys []registry.SortKey) (string, error) {
	var terms []string
	for _, k := range keys {
		if k.Piece == nil {
			continue
		}
		col := columnOf(k.Piece)
		if col == nil {
			return "", registry.BadRequest{Reason: fmt.Sprintf("does not sort by `%s`", k.Piece.Name), Unsupported: true}
		}
		if k.Descending {
			terms = append(terms, "s."+col.name+" DESC") // missing values are the smallest, and so the last
		} else {
			terms = append(terms, "s."+col.name+" ASC NULLS LAST")
		}
	}
	return strings.Join(append(terms, "s.id DESC"), ", "), nil
}

// numbers returns the numbers that a query finds.
func (c *copyOf) numbers(ctx context.Context, query string, args ...any) (out []int64, err error) {
	rows, err := c.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var n int64
		if err := rows.Scan(&n); err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, rows.Err()
}

// withoutPosted selects a record without its posted results.
var withoutPosted = registry.Projection{"protocolSection": nil, "derivedSection": nil, "annotationSection": nil, "documentSection": nil,
	"hasResults": nil}

// read returns what fields select of records, by their numbers, in that order. A record that another process has removed
// meanwhile is left out.
func (c *copyOf) read(ctx context.Context, ids []int64, fields registry.Projection) ([]map[string]any, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	columns := "main, NULL"
	if fields.Has(resultsKey) {
		columns = "main, results"
	}
	rows, err := c.db.QueryContext(ctx, "SELECT id, "+columns+" FROM record WHERE id IN (SELECT value FROM json_each(?))", string(list))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	byID := map[int64]map[string]any{}
	for rows.Next() {
		var id int64
		var main, posted sql.RawBytes
		if err := rows.Scan(&id, &main, &posted); err != nil {
			return nil, err
		}
		if byID[id], err = c.record(main, posted, fields); err != nil {
			return nil, fmt.Errorf("read %s: %w", nctID(id), err)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	out := make([]map[string]any, 0, len(ids))
	for _, id := range ids {
		if record := byID[id]; record != nil {
			out = append(out, record)
		}
	}
	return out, nil
}

// record unpacks what fields select of a record.
func (c *copyOf) record(main, posted []byte, fields registry.Projection) (map[string]any, error) {
	text, err := c.unpack.unpack(main)
	if err != nil {
		return nil, err
	}
	body, err := decodeFields(text, fields)
	if err != nil {
		return nil, err
	}
	if len(posted) > 0 {
		if text, err = c.unpack.unpack(posted); err != nil {
			return nil, err
		}
		if body[resultsKey], err = decodeAny(text, fields[resultsKey]); err != nil {
			return nil, err
		}
	}
	setVersion(body, c.state.Day())
	if c.state.WithoutContacts() {
		dropContacts(body)
	}
	return body, nil
}

// near returns the numbers of the places within a distance, as a list in JSON.
func (c *copyOf) near(ctx context.Context, n registry.Within) (string, error) {
	box := boxAround(n)
	rows, err := c.db.QueryContext(ctx, `SELECT place.id, place.lat, place.lon FROM place_at JOIN place ON place.id = place_at.id
		WHERE south <= ? AND north >= ? AND west <= ? AND east >= ?`, box.north, box.south, box.east, box.west)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	ids := []int64{}
	for rows.Next() {
		var id int64
		var at geo.Point
		if err := rows.Scan(&id, &at.Lat, &at.Lon); err != nil {
			return "", err
		}
		if n.From.Kilometres(at) <= n.Kilometres {
			ids = append(ids, id)
		}
	}
	if err := rows.Err(); err != nil {
		return "", err
	}
	text, err := json.Marshal(ids)
	return string(text), err
}

type box struct{ south, north, west, east float64 }

// boxAround returns a box that has all points within a distance. At a pole and at the date line it
// goes around the earth.
func boxAround(n registry.Within) box {
	const kilometresPerDegree, margin = 110.5, 0.01
	high := n.Kilometres/kilometresPerDegree + margin
	b := box{n.From.Lat - high, n.From.Lat + high, -180, 180}
	if farthest := max(math.Abs(b.south), math.Abs(b.north)); farthest < 89 {
		wide := high/math.Cos(farthest*math.Pi/180) + margin
		if west, east := n.From.Lon-wide, n.From.Lon+wide; west >= -180 && east <= 180 {
			b.west, b.east = west, east
		}
	}
	return b
}

// newestFirst sorts numbers of NCT ids.
func newestFirst(ids []int64) {
	slices.SortFunc(ids, func(a, b int64) int { return cmp.Compare(b, a) })
}
