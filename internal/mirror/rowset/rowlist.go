package rowset

import (
	"encoding/binary"
	"errors"
	"math"
)

// errList is the error of a list that cannot be read.
var errList = errors.New("a list of rows that cannot be read")

// A List is the list of one number: its first row, then for each row the difference from the row before, as variable-length
// integers.
type List struct {
	Number uint32
	last   int // row of a list that is written
	Rows   []byte
}

// Append adds a row after all others.
func (l *List) Append(row int) {
	l.Rows = binary.AppendUvarint(l.Rows, uint64(row-l.last))
	l.last = row
}

// AddTo adds the rows of the list to a set.
func (l *List) AddTo(s Set) error {
	row := uint64(0)
	for at := 0; at < len(l.Rows); {
		step, size := uint64(l.Rows[at]), 1
		if step >= 0x80 {
			step, size = binary.Uvarint(l.Rows[at:])
		}
		row += step
		if at += size; size <= 0 || row>>6 >= uint64(len(s)) {
			return errList
		}
		s.Add(int(row))
	}
	return nil
}

// ReadLists splits the bytes of a listing. The lists are parts of the argument. A number has a list in each part of the facet.
func ReadLists(data []byte) (lists []List, err error) {
	for len(data) > 0 {
		number, size := binary.Uvarint(data)
		if size <= 0 || number > math.MaxUint32 {
			return nil, errList
		}
		length, more := binary.Uvarint(data[size:])
		data = data[size+max(more, 0):]
		if more <= 0 || length > uint64(len(data)) {
			return nil, errList
		}
		lists = append(lists, List{Number: uint32(number), Rows: data[:length]})
		data = data[length:]
	}
	return lists, nil
}
