package stored

import "hash/fnv"

// EachMember calls a function with the name, as it is written, and the text of each member of an object. A text that is no object has no
// members.
func EachMember(object []byte, member func(name string, value []byte)) {
	c := cutter{text: object}
	if c.next() != '{' {
		return
	}
	c.list(func() {
		if key := c.skip(); len(key) >= len(`""`) {
			member(string(key[1:len(key)-1]), c.skip())
		}
	})
}

// Hash returns the hash of the two parts of a record.
func Hash(main, results []byte) int64 {
	h := fnv.New64a()
	h.Write(main)
	h.Write([]byte{0})
	h.Write(results)
	return int64(h.Sum64())
}
