package mirror

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"slices"

	"github.com/biofact-mcp/biofact/internal/mirror/history"
	"github.com/biofact-mcp/biofact/internal/mirror/rowset"
	"github.com/biofact-mcp/biofact/internal/mirror/sqlrows"
)

// A finding has the studies for which a node may hold. An exact finding has no others; else the matcher must check each.
type finding struct {
	rows  rowset.Set
	exact bool
}

// A finder finds the studies for which the nodes of an expression hold. It leaves unknown node types to the matcher.
type finder struct {
	ctx context.Context //nolint:containedctx // a finder is used for one search
	db  history.DB
	*table
}

// perhaps returns all studies, for a node without an index or column: the matcher checks each study.
func (f *finder) perhaps() (finding, error) { return finding{rows: f.live}, nil }

// words finds by a query of the word index.
func (f *finder) words(match string) (finding, error) {
	rows, err := f.query("rowid", "FROM words WHERE words MATCH ?", match)
	return finding{rows, true}, err
}

// query runs SELECT column followed by query, and returns the rows of the studies whose numbers it finds.
func (f *finder) query(column, query string, args ...any) (rowset.Set, error) {
	// One text with all numbers takes half as long to receive as a row for each.
	query = "SELECT coalesce(group_concat(" + column + "), '') " + query
	return f.remember(fmt.Sprint(append([]any{query}, args...)...), func() (rowset.Set, error) {
		found := rowset.New(len(f.ids))
		var numbers sql.RawBytes
		return found, sqlrows.Of(f.db.QueryContext(f.ctx, query, args...)).ForEach(func() error {
			f.addNumbers(found, numbers)
			return nil
		}, &numbers)
	})
}

// addNumbers adds the live rows of studies to a set. The text has their numbers in decimal, separated by commas.
func (f *finder) addNumbers(found rowset.Set, text []byte) {
	at := 0
	for digits := range bytes.SplitSeq(text, []byte(",")) {
		id := uint32(0)
		for _, digit := range digits {
			id = 10*id + uint32(digit-'0')
		}
		if at = f.rowOf(id, at); at < len(f.ids) && f.ids[at] == id && f.live.Has(at) {
			found.Add(at)
		}
	}
}

// rowOf returns the row of a study, or any other row if the table does not have the study. It is fast for a row shortly after near.
func (f *finder) rowOf(id uint32, near int) int {
	if late, ok := slices.BinarySearch(f.ids[f.settled:], id); ok {
		return f.settled + late
	}
	settled := f.ids[:f.settled]
	if near >= len(settled) || settled[near] > id {
		near = 0
	}
	step := 1
	for near+step < len(settled) && settled[near+step] < id {
		near += step
		step *= 2
	}
	row, _ := slices.BinarySearch(settled[near:min(near+step+1, len(settled))], id)
	return near + row
}

// liveRow returns the row of the study with a number; false: no such study.
func (f *finder) liveRow(id int64) (row int, known bool) {
	row = f.rowOf(uint32(id), 0)
	return row, row < len(f.ids) && f.ids[row] == uint32(id) && f.live.Has(row)
}
