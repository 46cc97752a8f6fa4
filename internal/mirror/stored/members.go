package stored

import (
	"bytes"
	"hash/fnv"
	"math/bits"
)

// EachDifference calls a function with the name and the texts of each member that differs between two objects. The text of a missing member
// is nil, and a text that is no object has no members.
func EachDifference(before, after []byte, member func(name string, before, after []byte)) {
	old, names := members(before)
	now, others := members(after)
	for _, name := range others {
		if !bytes.Equal(old[name], now[name]) {
			member(name, old[name], now[name])
		}
	}
	for _, name := range names {
		if now[name] == nil {
			member(name, old[name], nil)
		}
	}
}

// members returns the texts of the members of an object by their names, and the names in their order.
func members(object []byte) (texts map[string][]byte, names []string) {
	texts = map[string][]byte{}
	d := NewDecoder(bytes.NewBuffer(object))
	_ = Members(d, func(name string) error { // a text that is no object: a sync has checked the others
		value, err := d.ReadValue()
		if err == nil {
			end := d.InputOffset()
			texts[name], names = object[end-int64(len(value)):end], append(names, name)
		}
		return err
	})
	return texts, names
}

// Hash returns the hash of the two parts of a record.
func Hash(main, results []byte) int64 { return Join(main, Sum(results)) }

// Join returns the hash of a record from its main part and the hash of its posted results.
func Join(main []byte, results int64) int64 {
	return Sum(main) ^ int64(bits.RotateLeft64(uint64(results), 1))
}

// Sum returns the hash of one part of a record; 0: the record does not have the part.
func Sum(part []byte) int64 {
	if part == nil {
		return 0
	}
	h := fnv.New64a()
	h.Write(part)
	return int64(h.Sum64())
}
