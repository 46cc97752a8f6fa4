package mirror

import (
	"errors"
	"math"
	"math/bits"

	"github.com/biofact-mcp/biofact/internal/registry"
)

// A test is a condition on the number that a study has in a column.
type test struct {
	column   int    // -1: no column, the matcher decides
	mask     uint32 // the number has one of these bits; 0: no such condition
	from, to uint32 // the number is between these; both 0: it has no value
	values   int    // the number has this many bits; -1: no such condition
}

// test finds by a column.
func (f *finder) test(t test) (finding, error) {
	if t.column < 0 {
		return f.perhaps()
	}
	if columns[t.column].kind == choice {
		rows, err := f.rowsOf(f.ctx, f.db, listingOf(t.column), t.holds)
		return finding{rows, true}, err
	}
	values, err := f.column(f.ctx, f.db, t.column)
	if err != nil || len(values) != len(f.ids) {
		return finding{}, errors.Join(err, errFacts)
	}
	return finding{where(values, t.holds).and(f.live), true}, nil
}

// holds reports whether the condition holds for a number.
func (t test) holds(v uint32) bool {
	switch {
	case t.mask != 0:
		return v&t.mask != 0
	case t.values >= 0:
		return bits.OnesCount32(v) == t.values
	}
	return v-t.from <= t.to-t.from && t.from <= t.to
}

// where returns the rows for whose number a condition holds.
func where(values []uint32, holds func(uint32) bool) set {
	rows := newSet(len(values))
	for i := range rows {
		word := uint64(0)
		for bit, v := range values[i<<6 : min(i<<6+64, len(values))] {
			if holds(v) {
				word |= 1 << bit
			}
		}
		rows[i] = word
	}
	return rows
}

// undecided is the test of a node without a column.
var undecided = test{column: -1}

// testOf returns the test of a node.
func testOf(n registry.Node) test {
	switch n := n.(type) {
	case registry.Value:
		return oneOf(n.Piece, n.Text)
	case registry.Count:
		if n.Piece.Name == "Phase" { // a study has each phase at most once
			return test{column: columnOf(n.Piece), values: n.N}
		}
	case registry.Missing:
		return test{column: columnOf(n.Piece), values: -1}
	case registry.DateRange:
		return dateRange(n)
	case registry.NumberRange:
		return numberRange(n)
	}
	return undecided
}

// oneOf returns the test for values of a closed list.
func oneOf(p *registry.Piece, values ...string) test {
	t := test{column: columnOf(p)}
	for _, v := range values {
		t.mask |= bitOf(p.Name, v)
	}
	if t.column >= 0 && columns[t.column].kind != choice || t.mask == 0 {
		return undecided
	}
	return t
}

func dateRange(n registry.DateRange) test {
	t := test{column: columnOf(n.Piece), from: firstNumber, to: math.MaxUint32, values: -1}
	if n.From != "" {
		day, ok := dayOf(n.From)
		if !ok {
			return undecided
		}
		t.from = uint32(day)
	}
	day, ok := dayOf(n.To)
	if t.to = uint32(day); !ok || t.column >= 0 && columns[t.column].kind != date {
		return undecided
	}
	return t
}

func numberRange(n registry.NumberRange) test {
	t := test{column: columnOf(n.Piece), from: 1, values: -1} // the range 1 to 0 is empty
	if t.column >= 0 && columns[t.column].kind != number {
		return undecided
	}
	if from, to := math.Ceil(max(n.From, 0)), math.Floor(min(n.To, largest)); from <= to {
		t.from, t.to = uint32(from)+firstNumber, uint32(to)+firstNumber
	}
	return t
}
