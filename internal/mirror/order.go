package mirror

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/biofact-mcp/biofact/internal/mirror/rowset"
	"github.com/biofact-mcp/biofact/internal/query"
)

// An order compares rows. The newer registration comes first among equals.
type order struct {
	ids  []uint32
	keys []orderKey
}

// An orderKey is a column by which rows are sorted.
type orderKey struct {
	values     []uint32
	descending bool
}

// place returns a number that is the lower, the earlier a row comes. Missing values are last in both directions.
func (k orderKey) place(row int) uint32 {
	if k.descending {
		return ^k.values[row]
	}
	return k.values[row] - 1
}

func (o order) compare(a, b int) int {
	for _, k := range o.keys {
		if c := cmp.Compare(k.place(a), k.place(b)); c != 0 {
			return c
		}
	}
	return cmp.Compare(o.ids[b], o.ids[a])
}

// order returns the order of sort keys without those of relevance.
func (h *hits) order(ctx context.Context, keys []query.SortKey) (order, error) {
	o := order{ids: h.ids}
	for _, k := range keys {
		if k.Piece == nil {
			continue
		}
		column := columnOf(k.Piece)
		if column < 0 {
			return o, query.BadRequest{Reason: fmt.Sprintf("does not sort by `%s`", k.Piece.Name), Unsupported: true}
		}
		values, err := h.column(ctx, h.db, column)
		if err != nil {
			return o, err
		}
		o.keys = append(o.keys, orderKey{values, k.Descending})
	}
	return o, nil
}

// stride is the step between two words of a set in the loop of first. It is prime, so that the loop visits all words unless
// their number is a multiple of it.
const stride = 7919

// first returns the first n rows of a set, in order.
func (o order) first(rows rowset.Set, n int) []int {
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
			if len(o.keys) > 0 {
				worst = o.keys[0].place(limit)
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
			if len(o.keys) > 0 && o.keys[0].place(row) > worst || full && o.compare(row, limit) > 0 {
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
