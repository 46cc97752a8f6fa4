package mirror

import (
	"context"
	"database/sql"
	"encoding/binary"
	"slices"
	"sync"

	"github.com/biofact-mcp/biofact/internal/mirror/rowset"
	"github.com/biofact-mcp/biofact/internal/mirror/sqlrows"
)

// readFacet returns the joined parts of a facet.
func readFacet(ctx context.Context, db querier, name string) ([]byte, error) {
	var size sql.Null[int]
	if err := db.QueryRowContext(ctx, "SELECT sum(length(data)) FROM facet WHERE name = ?", name).Scan(&size); err != nil {
		return nil, err
	}
	if !size.Valid {
		return nil, errFacts
	}
	joined := make([]byte, 0, size.V)
	var part sql.RawBytes
	err := sqlrows.Of(db.QueryContext(ctx, "SELECT data FROM facet WHERE name = ? ORDER BY part", name)).ForEach(func() error {
		joined = append(joined, part...)
		return nil
	}, &part)
	return joined, err
}

// facets caches the facets of a file. It reads a facet at its first use. It is safe for concurrent use.
type facets struct {
	version int64 // number of the change of the file up to which they are complete

	columns facetCache[[]uint32]
	groups  facetCache[[]byte]
	lists   facetCache[[]rowset.List]
}

// A facetCache caches decoded facets by name.
type facetCache[T any] struct {
	mu    sync.Mutex
	known map[string]T
}

// get returns a facet that is in the cache, or reads and decodes it.
func (c *facetCache[T]) get(ctx context.Context, db querier, name string, decode func([]byte) (T, error)) (facet T, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if facet, ok := c.known[name]; ok {
		return facet, nil
	}
	data, err := readFacet(ctx, db, name)
	if err != nil {
		return facet, err
	}
	if facet, err = decode(data); err != nil {
		return facet, err
	}
	if c.known == nil {
		c.known = map[string]T{}
	}
	c.known[name] = facet
	return facet, nil
}

// column returns an array of numbers by the name of the facet.
func (f *facets) column(ctx context.Context, db querier, name string) ([]uint32, error) {
	return f.columns.get(ctx, db, name, func(data []byte) ([]uint32, error) {
		out := make([]uint32, len(data)/4)
		for i := range out {
			out[i] = binary.LittleEndian.Uint32(data[4*i:])
		}
		return out, nil
	})
}

func unchanged(data []byte) ([]byte, error) { return data, nil }

// A table has the facts of all studies at one moment: the rows of the facets, then the rows of studies that have changed
// since the facets were written. It is safe for concurrent use.
type table struct {
	*facets
	changes int64    // number of the last change of the file that it has
	ids     []uint32 // by row; ascending up to settled, then ascending again
	settled int      // number of the rows of the facets
	late    []factReader
	live    rowset.Set // rows without those of studies that have changed or were removed

	mu    sync.Mutex
	found map[string]rowset.Set // cache of conditions
}

// maxFound bounds the cache of conditions: an entry has 75 kB for the whole registry.
const maxFound = 100

// readTable reads the table of a file as it is now; before is an older one, or nil.
func readTable(ctx context.Context, db querier, state State, before *table) (*table, error) {
	t := &table{changes: state.changes, found: map[string]rowset.Set{}}
	if before != nil && before.version == state.facets {
		t.facets = before.facets
	} else {
		t.facets = &facets{version: state.facets}
	}
	ids, err := t.facets.column(ctx, db, facetIDs)
	if err != nil {
		return nil, err
	}
	t.ids, t.settled = ids, len(ids)
	if state.changes == state.facets {
		t.live = everyRow(len(ids))
		return t, nil
	}
	return t, t.readChanged(ctx, db)
}

func everyRow(rows int) rowset.Set {
	s := rowset.New(rows)
	for i := range rows {
		s.Add(i)
	}
	return s
}

// readChanged adds the studies that have changed since the facets were written.
func (t *table) readChanged(ctx context.Context, db querier) error {
	t.ids = slices.Clone(t.ids)
	const changed = "SELECT id, facts FROM study WHERE id IN (SELECT id FROM changed) ORDER BY id"
	err := eachFacts(ctx, db, func(id uint32, facts *factReader) {
		t.ids = append(t.ids, id)
		late := factReader{columns: slices.Clone(facts.columns), sites: slices.Clone(facts.sites)}
		for _, g := range facts.groups {
			late.groups = append(late.groups, slices.Clone(g))
		}
		t.late = append(t.late, late)
	}, changed)
	if err != nil {
		return err
	}
	t.live = everyRow(len(t.ids))
	var id uint32
	return sqlrows.Of(db.QueryContext(ctx, "SELECT id FROM changed")).ForEach(func() error {
		if row, ok := slices.BinarySearch(t.ids[:t.settled], id); ok {
			t.live.Remove(row)
		}
		return nil
	}, &id)
}

// column returns the numbers of a column of dates or numbers by row.
func (t *table) column(ctx context.Context, db querier, column int) ([]uint32, error) {
	values, err := t.facets.column(ctx, db, columnFacet+columns[column].piece)
	if err != nil {
		return nil, err
	}
	if len(values) != t.settled {
		return nil, errFacts
	}
	if len(t.late) == 0 {
		return values, nil
	}
	values = slices.Clone(values)
	for _, late := range t.late {
		values = append(values, late.columns[column])
	}
	return values, nil
}

// eachGroup calls a function with the groups of each row in the order of the rows, for some of the grouped pieces.
func (t *table) eachGroup(ctx context.Context, db querier, pieces []int, do func(row int, groups [][]byte)) error {
	rest := make([][]byte, len(pieces))
	for i, p := range pieces {
		var err error
		if rest[i], err = t.groups.get(ctx, db, groupFacet+grouped[p], unchanged); err != nil {
			return err
		}
	}
	groups := make([][]byte, len(pieces))
	for row := range t.settled {
		for i := range pieces {
			end, err := groupEnd(rest[i])
			if err != nil {
				return err
			}
			groups[i], rest[i] = rest[i][:end], rest[i][end:]
		}
		do(row, groups)
	}
	for i, late := range t.late {
		for j, p := range pieces {
			groups[j] = late.groups[p]
		}
		do(t.settled+i, groups)
	}
	return nil
}

// remember returns the cached set of a key, or calls make and caches its set.
func (t *table) remember(key string, make func() (rowset.Set, error)) (rowset.Set, error) {
	t.mu.Lock()
	known, ok := t.found[key]
	t.mu.Unlock()
	if ok {
		return known, nil
	}
	made, err := make()
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.found) >= maxFound {
		clear(t.found)
	}
	t.found[key] = made
	return made, nil
}

// rowsOf returns the live rows with a number for which a condition holds.
func (t *table) rowsOf(ctx context.Context, db querier, l listing, holds func(number uint32) bool) (rowset.Set, error) {
	lists, err := t.lists.get(ctx, db, l.name, rowset.ReadLists)
	if err != nil {
		return nil, err
	}
	rows := rowset.New(len(t.ids))
	for i := range lists {
		if holds(lists[i].Number) {
			if err := lists[i].AddTo(rows); err != nil {
				return nil, err
			}
		}
	}
	for i := range t.late {
		if slices.ContainsFunc(l.numbers(nil, &t.late[i]), holds) {
			rows.Add(t.settled + i)
		}
	}
	return rows.And(t.live), nil
}

// values returns the texts of the values of a grouped piece, by number.
func values(ctx context.Context, db querier, piece int) (map[uint64]string, error) {
	return sqlrows.Map[uint64, string](db.QueryContext(ctx, "SELECT id, text FROM value WHERE piece = ?", piece))
}
