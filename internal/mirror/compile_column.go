package mirror

import (
	"math"
	"math/bits"

	"github.com/biofact-mcp/biofact/internal/mirror/rowset"
	"github.com/biofact-mcp/biofact/internal/mirror/stored"
	"github.com/biofact-mcp/biofact/internal/query"
)

// A test is a condition on the number that a study has in a column.
type test struct {
	column int // -1: no column, the matcher decides
	// holds reports whether the condition holds for a number.
	holds func(uint32) bool
	// unsure reports whether a number does not decide the condition, so that the matcher must check the study; nil: all numbers do.
	unsure func(uint32) bool
}

// undecided is the test of a node without a column.
var undecided = test{column: -1}

func (f *finder) test(t test) (finding, error) {
	if t.column < 0 {
		return f.perhaps()
	}
	rows, err := f.rowsWith(t.column, t.holds)
	if err != nil || t.unsure == nil {
		return finding{rows, true}, err
	}
	unsure, err := f.remember("unsure "+columns[t.column].piece, func() (rowset.Set, error) { return f.rowsWith(t.column, t.unsure) })
	if err != nil || unsure.Count() == 0 {
		return finding{rows, true}, err
	}
	return finding{rows: rows.Or(unsure)}, nil
}

// rowsWith returns the live rows for whose number in a column a condition holds.
func (f *finder) rowsWith(column int, holds func(uint32) bool) (rowset.Set, error) {
	if columns[column].kind == choice {
		return f.rowsOf(f.ctx, f.db, listingOf(column), holds)
	}
	values, err := f.column(f.ctx, f.db, column)
	if err != nil {
		return nil, err
	}
	return where(values, holds).And(f.live), nil
}

// where returns the rows for whose number a condition holds.
func where(values []uint32, holds func(uint32) bool) rowset.Set {
	rows := rowset.New(len(values))
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

func testOf(n query.Node) test {
	switch n := n.(type) {
	case query.Value:
		return oneOf(n.Piece, n.Text)
	case query.Count:
		return countOf(n)
	case query.Missing:
		return test{column: columnOf(n.Piece), holds: func(v uint32) bool { return v == missingValue }}
	case query.DateRange:
		return dateRange(n)
	case query.NumberRange:
		return numberRange(n)
	}
	return undecided
}

// oneOf returns the test for values of a closed list.
func oneOf(p *query.Piece, values ...string) test {
	column := columnOf(p)
	if column < 0 || columns[column].kind != choice {
		return undecided
	}
	mask := uint32(0)
	for _, v := range values {
		mask |= bitOf(p.Name, v)
	}
	return test{column: column, holds: func(v uint32) bool { return v&mask != 0 }}
}

// countOf returns the test for a number of phases, of which a study has each at most once. Studies often have other values twice.
func countOf(n query.Count) test {
	if n.Piece.Name != "Phase" {
		return undecided
	}
	return test{
		column: columnOf(n.Piece),
		holds:  func(v uint32) bool { return bits.OnesCount32(v) == n.N },
		unsure: func(v uint32) bool { return v&repeatedBit != 0 },
	}
}

func dateRange(n query.DateRange) test {
	column := columnOf(n.Piece)
	if column < 0 || columns[column].kind != date {
		return undecided
	}
	from, known := int64(firstNumber), true
	if n.From != "" {
		from, known = stored.Day(n.From)
	}
	to, ok := stored.Day(n.To)
	if !known || !ok {
		return undecided
	}
	return test{column: column, holds: between(uint32(max(from, firstNumber)), uint32(max(to, 0)))}
}

func numberRange(n query.NumberRange) test {
	column := columnOf(n.Piece)
	if column < 0 || columns[column].kind != number {
		return undecided
	}
	t := test{column: column, holds: between(1, 0), unsure: func(v uint32) bool { return v == outside }}
	if from, to := math.Ceil(max(n.From, 0)), math.Floor(min(n.To, largest)); from <= to {
		t.holds = between(uint32(from)+firstNumber, uint32(to)+firstNumber)
	}
	return t
}

// between returns a condition that holds for the numbers between two, both included.
func between(from, to uint32) func(uint32) bool {
	return func(v uint32) bool { return from <= v && v <= to }
}
