package mirror

import (
	"bytes"
	"slices"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mirror/rowset"
)

// A listing in two parts has the rows of each number, and a cut one is an error.
func TestLists(t *testing.T) {
	t.Parallel()
	want := map[uint32][]int{0: {0, 1, 2, 700}, 3: {5}, 1 << 31: {0, 127, 128, 300, 699}}
	m := &listMaker{lists: map[uint32]*rowset.List{}, listing: listing{numbers: func(into []uint32, facts *factReader) []uint32 {
		return append(into, facts.columns...)
	}}}
	var data []byte
	for row := range 701 {
		if row == 300 {
			data = m.part()
		}
		var numbers []uint32
		for n, rows := range want {
			if slices.Contains(rows, row) {
				numbers = append(numbers, n)
			}
		}
		m.add(0, &factReader{columns: numbers})
	}
	data = append(data, m.part()...)
	lists, err := rowset.ReadLists(data)
	expect.NoError(t, err)
	got := map[uint32][]int{}
	for _, l := range lists {
		s := rowset.New(701)
		expect.NoError(t, l.AddTo(s))
		rows := slices.Collect(s.All())
		got[l.Number] = append(got[l.Number], rows...)
		expect.That(t, l.AddTo(rowset.New(1)) != nil || slices.Max(rows) < 64, "rows beyond the set are no error")
	}
	expect.Equal(t, "rows", want, got)
	for end := range len(data) {
		cut, err := rowset.ReadLists(data[:end])
		expect.That(t, err != nil || len(cut) < len(lists), "%d of %d bytes: no error", end, len(data))
	}
}

// A number of too many bytes in a damaged file ends the numbers of a group.
func TestNumbersOfDamagedGroup(t *testing.T) {
	t.Parallel()
	damaged := append([]byte{3, 7}, bytes.Repeat([]byte{0x80}, 10)...)
	damaged = append(damaged, 1, 5)
	_, err := groupEnd(damaged)
	expect.NoError(t, err)
	expect.Equal(t, "numbers", []uint64{7, 0}, numbersOf(damaged))
}
