package stored

import (
	"bytes"
	"hash/fnv"
	"math/bits"
)

// EachDifference calls a function with the name, as it is written, and the texts of each member that differs between two objects. The text
// of a missing member is nil, and a text that is no object has no members. Members in the same order cost little more than a comparison.
func EachDifference(before, after []byte, member func(name string, before, after []byte)) {
	a, b := newMembers(before), newMembers(after)
	name, more := a.key()
	other, both := b.key()
	for ; more && both && bytes.Equal(name, other); other, both = b.key() {
		if value, same := a.common(b); !same {
			if now := b.skip(); !bytes.Equal(value, now) {
				member(string(name), value, now)
			}
		}
		name, more = a.key()
	}
	old, names := map[string][]byte{}, []string{}
	for ; more; name, more = a.key() {
		names = append(names, string(name))
		old[string(name)] = a.skip()
	}
	for ; both; other, both = b.key() {
		was, now := old[string(other)], b.skip()
		if delete(old, string(other)); !bytes.Equal(was, now) {
			member(string(other), was, now)
		}
	}
	for _, name := range names {
		if was, left := old[name]; left {
			member(name, was, nil)
		}
	}
}

// newMembers returns a cutter before the first member of an object.
func newMembers(object []byte) *cutter {
	c := &cutter{text: object}
	if c.next() == '{' {
		c.at++
	} else {
		c.at = len(object)
	}
	return c
}

// key returns the next name of a member; false after the last one.
func (c *cutter) key() (name []byte, ok bool) {
	if c.next() != '"' {
		return nil, false
	}
	text := c.skip()
	return text[1:max(1, len(text)-1)], !c.ended
}

// common returns the text of the next value. If the text of the other cutter continues with the same value, both
// are after it.
func (c *cutter) common(other *cutter) (value []byte, same bool) {
	first := c.next()
	value = c.skip()
	other.next()
	if (first == '"' || first == '{' || first == '[') && bytes.HasPrefix(other.text[other.at:], value) { // no number, which could go on
		other.at += len(value)
		return value, true
	}
	return value, false
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
