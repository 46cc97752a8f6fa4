package mirror

import (
	"iter"
	"math/bits"
)

// A set is a set of rows of a table, one bit for each. The methods that combine sets return a new one.
type set []uint64

func newSet(rows int) set { return make(set, (rows+63)/64) }

func (s set) add(row int) { s[row>>6] |= 1 << (row & 63) }

func (s set) remove(row int) { s[row>>6] &^= 1 << (row & 63) }

func (s set) has(row int) bool { return s[row>>6]>>(row&63)&1 != 0 }

// and returns the rows that both sets have.
func (s set) and(other set) set {
	out := make(set, len(s))
	for i := range s {
		out[i] = s[i] & other[i]
	}
	return out
}

// or returns the rows that one of the sets has.
func (s set) or(other set) set {
	out := make(set, len(s))
	for i := range s {
		out[i] = s[i] | other[i]
	}
	return out
}

// without returns the rows that the other set does not have.
func (s set) without(other set) set {
	out := make(set, len(s))
	for i := range s {
		out[i] = s[i] &^ other[i]
	}
	return out
}

// count returns the number of rows.
func (s set) count() (n int) {
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}

// all returns the rows in ascending order.
func (s set) all() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, word := range s {
			for ; word != 0; word &= word - 1 {
				if !yield(i<<6 + bits.TrailingZeros64(word)) {
					return
				}
			}
		}
	}
}
