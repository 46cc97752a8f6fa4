// Package rowset has sets of rows of a table, their order, and lists of rows in the format of the file. It knows neither the file nor the
// table.
package rowset

import (
	"iter"
	"math/bits"
)

// A Set is a set of rows of a table, one bit for each. The methods that combine sets return a new one.
type Set []uint64

// New returns an empty set of the rows of a table.
func New(rows int) Set { return make(Set, (rows+63)/64) }

// Add adds a row.
func (s Set) Add(row int) { s[row>>6] |= 1 << (row & 63) }

// Remove removes a row.
func (s Set) Remove(row int) { s[row>>6] &^= 1 << (row & 63) }

// Has reports whether the set has a row.
func (s Set) Has(row int) bool { return s[row>>6]>>(row&63)&1 != 0 }

// And returns the rows that both sets have.
func (s Set) And(other Set) Set {
	out := make(Set, len(s))
	for i := range s {
		out[i] = s[i] & other[i]
	}
	return out
}

// Or returns the rows that one of the sets has.
func (s Set) Or(other Set) Set {
	out := make(Set, len(s))
	for i := range s {
		out[i] = s[i] | other[i]
	}
	return out
}

// Without returns the rows that the other set does not have.
func (s Set) Without(other Set) Set {
	out := make(Set, len(s))
	for i := range s {
		out[i] = s[i] &^ other[i]
	}
	return out
}

// Count returns the number of rows.
func (s Set) Count() (n int) {
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}

// All returns the rows in ascending order.
func (s Set) All() iter.Seq[int] {
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
