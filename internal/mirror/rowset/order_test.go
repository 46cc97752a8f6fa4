package rowset_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mirror/rowset"
)

// TestFirst: the first rows are those of the whole order.
func TestFirst(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		size := 1 + random.IntN(400)
		order := rowset.Order{Keys: []rowset.Key{{Descending: random.IntN(2) == 0}, {Descending: random.IntN(2) == 0}}}
		rows := rowset.New(size)
		for row := range size {
			order.IDs = append(order.IDs, uint32(row))
			for i := range order.Keys {
				order.Keys[i].Values = append(order.Keys[i].Values, uint32(random.IntN(5)))
			}
			if random.IntN(3) > 0 {
				rows.Add(row)
			}
		}
		order.Keys = order.Keys[:random.IntN(3)]
		want := slices.SortedFunc(rows.All(), func(a, b int) int {
			for _, key := range order.Keys {
				x, y := key.Values[a], key.Values[b]
				switch first := x > y == key.Descending; {
				case x == y:
				case x == 0 || y != 0 && !first: // a missing value comes last
					return 1
				default:
					return -1
				}
			}
			return b - a
		})
		for _, n := range []int{0, 1, random.IntN(size), size} {
			expect.That(t, slices.Equal(want[:min(n, len(want))], order.First(rows, n)), "the first %d rows of %+v", n, order)
		}
	}
}
