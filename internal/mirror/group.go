package mirror

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/mirror/history"
	"github.com/biofact-mcp/biofact/internal/query"
)

// A Group counts the studies that have the same values of some pieces.
type Group struct {
	Values [][]string // by piece, in the order of the request; of a date the year
	Count  int
}

// Groups are the groups of the studies of a search.
type Groups struct {
	Groups []Group
	Total  int // of the studies
}

// Groups counts the studies of a search by their values of some pieces; ok is false if a piece has no groups.
func (r *Reader) Groups(ctx context.Context, s *query.Search, pieces []string) (groups Groups, ok bool, err error) {
	var columns, texts, joins []string
	for i, p := range pieces {
		column, ok := groupColumn(p)
		if !ok {
			return groups, false, nil
		}
		columns = append(columns, fmt.Sprintf("%s AS g%d", column, i))
		texts = append(texts, fmt.Sprintf("ifnull(l%d.texts, '[]')", i))
		joins = append(joins, fmt.Sprintf("LEFT JOIN list l%d ON l%d.id = g%d", i, i, i))
	}
	c, done, err := r.use(ctx)
	if err != nil {
		return groups, false, err
	}
	defer done()
	if !c.state.Complete() {
		return groups, false, ErrUnfinished
	}
	where, err := c.find(ctx, s)
	if err != nil {
		return groups, false, err
	}
	numbers := make([]string, len(pieces))
	for i := range pieces {
		numbers[i] = fmt.Sprint(i + 2)
	}
	text := "SELECT n, " + strings.Join(texts, ", ") + " FROM (SELECT count(*) AS n, " + strings.Join(columns, ", ") +
		" FROM study WHERE " + where.sql + " GROUP BY " + strings.Join(numbers, ", ") + ") " + strings.Join(joins, " ")
	lists := make([][]byte, len(pieces))
	group := Group{}
	into := []any{&group.Count}
	for i := range lists {
		into = append(into, &lists[i])
	}
	err = history.RowsOf(c.db.QueryContext(ctx, text, where.args...)).ForEach(func() error {
		group.Values = make([][]string, len(pieces))
		for i, list := range lists {
			if err := json.Unmarshal(list, &group.Values[i]); err != nil {
				return err
			}
			group.Values[i] = slices.DeleteFunc(group.Values[i], func(text string) bool { return text == "" })
		}
		groups.Groups, groups.Total = append(groups.Groups, group), groups.Total+group.Count
		return nil
	}, into...)
	return groups, err == nil, err
}
