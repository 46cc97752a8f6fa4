package mirror

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"
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

// A rowList is the list of one number: its first row, then for each row the difference from the row before, as variable-length
// integers.
type rowList struct {
	number uint32
	last   int // row of a list that is written
	rows   []byte
}

func (l *rowList) append(row int) {
	l.rows = binary.AppendUvarint(l.rows, uint64(row-l.last))
	l.last = row
}

// addTo adds the rows of the list to a set.
func (l *rowList) addTo(s set) error {
	row := uint64(0)
	for at := 0; at < len(l.rows); {
		step, size := uint64(l.rows[at]), 1
		if step >= 0x80 {
			step, size = binary.Uvarint(l.rows[at:])
		}
		row += step
		if at += size; size <= 0 || row>>6 >= uint64(len(s)) {
			return errFacts
		}
		s.add(int(row))
	}
	return nil
}

// A listMaker makes a listing of all studies.
type listMaker struct {
	listing
	row     int
	lists   map[uint32]*rowList
	numbers []uint32 // of one study
}

func (m *listMaker) add(_ uint32, facts *factReader) {
	m.numbers = m.listing.numbers(m.numbers[:0], facts)
	for _, n := range m.numbers {
		l := m.lists[n]
		if l == nil {
			l = &rowList{number: n}
			m.lists[n] = l
		}
		l.append(m.row)
	}
	m.row++
}

func (m *listMaker) part() (out []byte) {
	for _, n := range slices.Sorted(maps.Keys(m.lists)) {
		out = binary.AppendUvarint(out, uint64(n))
		out = binary.AppendUvarint(out, uint64(len(m.lists[n].rows)))
		out = append(out, m.lists[n].rows...)
	}
	clear(m.lists)
	return out
}

// readLists splits the bytes of a listing. The lists are parts of the argument. A number has a list in each part of the facet.
func readLists(data []byte) (lists []rowList, err error) {
	for len(data) > 0 {
		number, size := binary.Uvarint(data)
		if size <= 0 || number > math.MaxUint32 {
			return nil, errFacts
		}
		length, more := binary.Uvarint(data[size:])
		data = data[size+max(more, 0):]
		if more <= 0 || length > uint64(len(data)) {
			return nil, errFacts
		}
		lists = append(lists, rowList{number: uint32(number), rows: data[:length]})
		data = data[length:]
	}
	return lists, nil
}
