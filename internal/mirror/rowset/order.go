package rowset

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// An Order compares rows by keys. Of equal rows the one with the higher id comes first.
type Order struct {
	IDs  []uint32 // of the rows
	Keys []Key
}

// A Key is a column by which rows are sorted.
type Key struct {
	Values     []uint32 // by row
	Descending bool
}

// place returns a number that is the lower, the earlier a row comes. Missing values are last in both directions.
func (k Key) place(row int) uint32 {
	if k.Descending {
		return ^k.Values[row]
	}
	return k.Values[row] - 1
}

func (o Order) compare(a, b int) int {
	for _, k := range o.Keys {
		if c := cmp.Compare(k.place(a), k.place(b)); c != 0 {
			return c
		}
	}
	return cmp.Compare(o.IDs[b], o.IDs[a])
}

// stride is the step between two words of a set in the loop of First. It is prime, so that the loop visits all words unless
// their number is a multiple of it.
const stride = 7919

// First returns the first n rows of a set, in order.
func (o Order) First(rows Set, n int) []int {
	if n <= 0 || len(rows) == 0 {
		return nil
	}
	var best []int
	limit, full := 0, false         // the last of the n best rows so far; full: n rows were seen
	worst := uint32(math.MaxUint32) // its place by the first key
	cut := func() {
		slices.SortFunc(best, o.compare)
		if len(best) >= n {
			best = best[:n]
			limit, full = best[n-1], true
			if len(o.Keys) > 0 {
				worst = o.Keys[0].place(limit)
			}
		}
	}
	step := stride
	if len(rows)%stride == 0 {
		step = 1
	}
	// Ids and dates correlate: in the order of the ids, each row may be better than all rows before. In a mixed order
	// few rows are, and most cost one comparison.
	for i, at := 0, 0; i < len(rows); i, at = i+1, (at+step)%len(rows) {
		for word := rows[at]; word != 0; word &= word - 1 {
			row := at<<6 + bits.TrailingZeros64(word)
			if len(o.Keys) > 0 && o.Keys[0].place(row) > worst || full && o.compare(row, limit) > 0 {
				continue
			}
			if best = append(best, row); len(best) >= 2*n {
				cut()
			}
		}
	}
	cut()
	return best
}
