package mirror

import (
	"context"
	"database/sql"
	"encoding/binary"

	"github.com/biofact-mcp/biofact/internal/mirror/rowset"
	"github.com/biofact-mcp/biofact/internal/mirror/sqlrows"
)

// Facets are the facts of all studies by piece: for a date or a number an array of numbers, for a closed list and for the classes of
// sites a listing, for a grouped piece its concatenated groups. Their order is that of the array "ids". A sync writes them when it
// ends. Filters, orders, totals and groups read them, because the rows of the table study take a hundred times as long.

// partPages is the number of pages whose studies share a row of the table facet. It bounds the memory of a sync.
const partPages = 50

// storeFacets writes all facets. A part has that many studies. A transaction is open.
func (w *writer) storeFacets(ctx context.Context, size int) error {
	if err := w.exec(ctx, "DELETE FROM facet"); err != nil {
		return err
	}
	err := makeFacets(ctx, w.conn, size, func(name string, part int, data []byte) error {
		return w.exec(ctx, "INSERT INTO facet (name, part, data) VALUES (?, ?, coalesce(?, x''))", name, part, data)
	})
	if err != nil {
		return err
	}
	return w.exec(ctx, "DELETE FROM changed")
}

// makeFacets makes the facets of all facts of a file in parts of that many studies. It calls store with each part of each facet.
func makeFacets(ctx context.Context, db querier, size int, store func(name string, part int, data []byte) error) error {
	facets, last := facetMakers(), int64(0)
	for part, made := 0, size; made == size; part++ {
		made = 0
		err := eachFacts(ctx, db, func(id uint32, facts *factReader) {
			made++
			last = int64(id)
			for _, f := range facets {
				f.add(id, facts)
			}
		}, "SELECT id, facts FROM study WHERE id > ? ORDER BY id LIMIT ?", last, size)
		for _, f := range facets {
			if err == nil {
				err = store(f.name, part, f.part())
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// A facetMaker makes one facet.
type facetMaker struct {
	name string
	// add adds the next study.
	add func(id uint32, facts *factReader)
	// part returns the facet of the studies since the last call. It is valid until the next study is added.
	part func() []byte
}

func facetMakers() []facetMaker {
	facets := []facetMaker{arrayMaker(facetIDs, func(into []byte, id uint32, _ *factReader) []byte {
		return binary.LittleEndian.AppendUint32(into, id)
	})}
	for i, c := range columns {
		if c.kind != choice {
			facets = append(facets, arrayMaker(columnFacet+c.piece, func(into []byte, _ uint32, facts *factReader) []byte {
				return binary.LittleEndian.AppendUint32(into, facts.columns[i])
			}))
		}
	}
	for i, piece := range grouped {
		facets = append(facets, arrayMaker(groupFacet+piece, func(into []byte, _ uint32, facts *factReader) []byte {
			return append(into, facts.groups[i]...)
		}))
	}
	for _, l := range listings {
		m := &listMaker{listing: l, lists: map[uint32]*rowset.List{}}
		facets = append(facets, facetMaker{l.name, m.add, m.part})
	}
	return facets
}

// arrayMaker returns the maker of a facet that has some bytes of each study, which next appends.
func arrayMaker(name string, next func(into []byte, id uint32, facts *factReader) []byte) facetMaker {
	var data []byte
	add := func(id uint32, facts *factReader) { data = next(data, id, facts) }
	return facetMaker{name, add, func() []byte {
		made := data
		data = data[:0]
		return made
	}}
}

// eachFacts calls a function with the id and the facts of each study that a query returns.
func eachFacts(ctx context.Context, db querier, do func(id uint32, facts *factReader), query string, args ...any) error {
	var facts factReader
	var bytes sql.RawBytes
	var id int64 // database/sql converts other types by way of a text
	return sqlrows.Of(db.QueryContext(ctx, query, args...)).ForEach(func() error {
		if err := facts.read(bytes); err != nil {
			return err
		}
		do(uint32(id), &facts)
		return nil
	}, &id, &bytes)
}
