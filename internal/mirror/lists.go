package mirror

import (
	"encoding/binary"
	"maps"
	"slices"

	"github.com/biofact-mcp/biofact/internal/mirror/rowset"
)

// A listing is a facet that has, for each number that studies may have, the list of the rows of these studies. A filter reads the
// lists of a few numbers instead of the numbers of all rows.
type listing struct {
	name string
	// numbers appends the distinct numbers of a study.
	numbers func(into []uint32, facts *factReader) []uint32
}

// listings are the columns of closed lists, whose number of a study has one bit for each value, and the classes of sites.
var listings = func() []listing {
	all := []listing{sitesListing}
	for i, c := range columns {
		if c.kind == choice {
			all = append(all, listing{listFacet + c.piece, func(into []uint32, facts *factReader) []uint32 {
				return append(into, facts.columns[i])
			}})
		}
	}
	return all
}()

var sitesListing = listing{listFacet + "Location", func(into []uint32, facts *factReader) []uint32 {
	for _, class := range numbersOf(facts.sites) {
		into = append(into, uint32(class))
	}
	return into
}}

// listingOf returns the listing of a column of kind choice.
func listingOf(column int) listing {
	return listings[slices.IndexFunc(listings, func(l listing) bool { return l.name == listFacet+columns[column].piece })]
}

// A listMaker makes a listing of all studies.
type listMaker struct {
	listing
	row     int
	lists   map[uint32]*rowset.List
	numbers []uint32 // of one study
}

func (m *listMaker) add(_ uint32, facts *factReader) {
	m.numbers = m.listing.numbers(m.numbers[:0], facts)
	for _, n := range m.numbers {
		l := m.lists[n]
		if l == nil {
			l = &rowset.List{Number: n}
			m.lists[n] = l
		}
		l.Append(m.row)
	}
	m.row++
}

func (m *listMaker) part() (out []byte) {
	for _, n := range slices.Sorted(maps.Keys(m.lists)) {
		out = binary.AppendUvarint(out, uint64(n))
		out = binary.AppendUvarint(out, uint64(len(m.lists[n].Rows)))
		out = append(out, m.lists[n].Rows...)
	}
	clear(m.lists)
	return out
}
