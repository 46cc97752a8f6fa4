package mirror

import (
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"slices"

	"github.com/biofact-mcp/biofact/internal/registry"
)

// A Group is a number of studies that have the same values of some pieces.
type Group struct {
	Values [][]string // by piece, in the order that was asked for; of a date the year
	Count  int
}

// errGroups is the error of a row whose values cannot be read.
var errGroups = errors.New("a row of values that cannot be read")

// Groups returns how many of the studies that a search finds have which values of some pieces,
// and the number of the studies. False: a piece is not counted.
func (r *Reader) Groups(ctx context.Context, s *registry.Search, pieces []string) (groups []Group, total int, ok bool, err error) {
	var places []int
	for _, p := range pieces {
		i := slices.Index(grouped, p)
		if i < 0 {
			return nil, 0, false, nil
		}
		places = append(places, i)
	}
	c, done, err := r.use(ctx)
	if err != nil {
		return nil, 0, false, err
	}
	defer done()
	if !c.state.Complete() {
		return nil, 0, false, ErrUnfinished
	}
	found, err := c.find(ctx, s)
	if err != nil {
		return nil, 0, false, err
	}
	groups, total, err = found.groups(ctx, places)
	return groups, total, err == nil, err
}

// groups counts the hits by their values.
func (h *hits) groups(ctx context.Context, places []int) (groups []Group, total int, err error) {
	where := h.where
	if h.decided {
		list, err := json.Marshal(slices.Concat([]int64{}, h.ids))
		if err != nil {
			return nil, 0, err
		}
		where = condition{sql: "s.id IN (SELECT value FROM json_each(?))", args: []any{string(list)}}
	}
	rows, err := h.db.QueryContext(ctx, "SELECT s.groups FROM study s WHERE "+where.sql, where.args...)
	if err != nil {
		return nil, 0, err
	}
	defer rows.Close()
	counts := map[string]*int{}
	var row sql.RawBytes
	var key []byte
	for rows.Next() {
		if err := rows.Scan(&row); err != nil {
			return nil, 0, err
		}
		if key, err = picked(key[:0], row, places); err != nil {
			return nil, 0, err
		}
		n := counts[string(key)]
		if n == nil {
			n = new(int)
			counts[string(key)] = n
		}
		*n++
		total++
	}
	if err := rows.Err(); err != nil {
		return nil, 0, err
	}
	groups, err = h.named(ctx, counts, len(places))
	return groups, total, err
}

// picked appends those values of a row that are at some places: how many, and their numbers.
func picked(into, row []byte, places []int) ([]byte, error) {
	var starts [16]int
	at := 0
	for i := range grouped {
		starts[i] = at
		n, size := binary.Uvarint(row[at:])
		if size <= 0 {
			return nil, errGroups
		}
		for at += size; n > 0; n-- {
			_, size := binary.Uvarint(row[at:])
			if size <= 0 {
				return nil, errGroups
			}
			at += size
		}
		starts[i+1] = at
	}
	for _, p := range places {
		into = append(into, row[starts[p]:starts[p+1]]...)
	}
	return into, nil
}

// named returns the groups with the texts of their values.
func (h *hits) named(ctx context.Context, counts map[string]*int, places int) ([]Group, error) {
	texts, err := h.texts(ctx, counts)
	if err != nil {
		return nil, err
	}
	groups := make([]Group, 0, len(counts))
	for key, n := range counts {
		g := Group{Values: make([][]string, places), Count: *n}
		rest := []byte(key)
		for i := range places {
			values, size := binary.Uvarint(rest)
			for rest = rest[size:]; values > 0; values-- {
				id, size := binary.Uvarint(rest)
				rest = rest[size:]
				g.Values[i] = append(g.Values[i], texts[id])
			}
		}
		groups = append(groups, g)
	}
	return groups, nil
}

// texts returns the texts of the values that occur in the keys.
func (h *hits) texts(ctx context.Context, counts map[string]*int) (map[uint64]string, error) {
	wanted := map[uint64]bool{}
	for key := range counts {
		rest := []byte(key)
		for len(rest) > 0 {
			values, size := binary.Uvarint(rest)
			for rest = rest[size:]; values > 0; values-- {
				id, size := binary.Uvarint(rest)
				rest = rest[size:]
				wanted[id] = true
			}
		}
	}
	list := make([]uint64, 0, len(wanted))
	for id := range wanted {
		list = append(list, id)
	}
	text, err := json.Marshal(list)
	if err != nil {
		return nil, err
	}
	rows, err := h.db.QueryContext(ctx, "SELECT id, text FROM value WHERE id IN (SELECT value FROM json_each(?))", string(text))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	texts := make(map[uint64]string, len(wanted))
	for rows.Next() {
		var id uint64
		var text string
		if err := rows.Scan(&id, &text); err != nil {
			return nil, err
		}
		texts[id] = text
	}
	return texts, rows.Err()
}
