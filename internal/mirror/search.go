package mirror

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/mirror/history"
	"github.com/biofact-mcp/biofact/internal/mirror/stored"
	"github.com/biofact-mcp/biofact/internal/query"
)

const (
	// maxVerified bounds the records that the matcher checks in one search. Each takes about half a millisecond.
	maxVerified = 5000
	// verifiedAtOnce is the number of these records in memory.
	verifiedAtOnce = 200
)

// Search implements api.Engine.
func (c *copyOf) Search(ctx context.Context, s *query.Search) (*query.Page, error) {
	where, err := c.find(ctx, s)
	if err != nil {
		return nil, err
	}
	total := 0
	if s.CountTotal && s.Offset == 0 {
		if total, err = c.count(ctx, where); err != nil {
			return nil, err
		}
	}
	ids, err := c.page(ctx, s, where)
	if err != nil {
		return nil, err
	}
	total = max(total, s.Offset+len(ids))
	records, err := c.read(ctx, ids[:min(len(ids), s.PageSize)], s.Fields)
	if err != nil {
		return nil, err
	}
	return s.Page(total, records), nil
}

// find compiles a search. If the tables cannot decide alone, the matcher checks each candidate.
func (c *copyOf) find(ctx context.Context, s *query.Search) (condition, error) {
	node := query.And{query.Synonyms().Expand(query.And(s.Queries))}
	if s.Advanced != nil {
		node = append(node, query.Synonyms().Expand(s.Advanced))
	}
	by := compiler{ctx, c.db}
	parts := make([]condition, 3)
	parts[0], parts[1], parts[2] = always, always, always
	var failures [3]error
	parts[0], failures[0] = by.compile(node)
	if s.Statuses != nil {
		parts[1], failures[1] = by.value(query.PieceNamed("OverallStatus"), s.Statuses...)
	}
	if s.IDs != nil {
		parts[2], failures[2] = c.listedIDs(ctx, s.IDs)
	}
	parts = slices.DeleteFunc(parts, func(c condition) bool { return c.sql == always.sql && !c.inexact })
	where := joined("AND", parts, always)
	if err := errors.Join(failures[:]...); err != nil || !where.inexact {
		return where, err
	}
	return c.verified(ctx, where, node)
}

// among returns the condition that a study is one of some.
func among(ids []int64) (condition, error) {
	list, err := json.Marshal(append([]int64{}, ids...))
	return condition{sql: "id IN (SELECT value FROM json_each(?))", args: []any{string(list)}}, err
}

// listedIDs returns the condition that a study has one of some ids, each its own or an alias.
func (c *copyOf) listedIDs(ctx context.Context, texts []string) (condition, error) {
	var ids []int64
	for _, text := range texts {
		id, known, err := c.canonical(ctx, text)
		if err != nil {
			return never, err
		}
		if known {
			ids = append(ids, id)
		}
	}
	return among(ids)
}

// idsOf returns the numbers of the studies of a query that selects them.
func (c *copyOf) idsOf(ctx context.Context, text string, args ...any) ([]int64, error) {
	return history.List[int64](c.db.QueryContext(ctx, text, args...))
}

func (c *copyOf) count(ctx context.Context, where condition) (n int, err error) {
	text := "SELECT count(*) FROM study WHERE " + where.sql
	if where.match != "" {
		text = "SELECT count(*) FROM words WHERE words MATCH ?"
	}
	err = c.db.QueryRowContext(ctx, text, where.args...).Scan(&n)
	return n, err
}

// verified returns the condition that holds for those candidates for which the matcher says that a node holds.
func (c *copyOf) verified(ctx context.Context, where condition, node query.Node) (condition, error) {
	candidates, err := c.idsOf(ctx, fmt.Sprintf("SELECT id FROM study WHERE %s LIMIT %d", where.sql, maxVerified+1), where.args...)
	if err != nil {
		return never, err
	}
	if len(candidates) > maxVerified {
		const reason = "has no index for a part of this search, and more than %d trials match the rest of it"
		return never, query.BadRequest{Reason: fmt.Sprintf(reason, maxVerified), Unsupported: true}
	}
	var fields query.Projection // all
	if !query.ReadsResults(node) {
		fields = withoutPosted
	}
	var found []int64
	for some := range slices.Chunk(candidates, verifiedAtOnce) {
		records, err := c.read(ctx, some, fields)
		if err != nil {
			return never, err
		}
		bodies := make([]map[string]any, len(records))
		for i, record := range records {
			if bodies[i], err = stored.Decode(record); err != nil {
				return never, err
			}
		}
		studies := query.NewStudies(bodies)
		for i := range bodies {
			if _, ok := studies.Match(i, node); ok {
				found = append(found, some[i])
			}
		}
	}
	return among(found)
}

// page returns the numbers of the studies of the page of a search, and of one more study if the search finds more.
func (c *copyOf) page(ctx context.Context, s *query.Search, where condition) ([]int64, error) {
	limit := fmt.Sprintf(" LIMIT %d OFFSET %d", s.PageSize+1, s.Offset)
	if len(s.Sort) > 0 && s.Sort[0].Piece == nil { // a second key would only order trials of the same relevance: it is ignored
		queries := query.Synonyms().Expand(query.And(s.Queries))
		match := ranking(queries)
		switch {
		case match != "" && where.match != "" && s.Advanced == nil && !prefers(queries): // the words of the search are those of its ranking
			return c.idsOf(ctx, "SELECT rowid FROM words WHERE words MATCH ? ORDER BY "+byScore(s, relevance, "rowid")+limit, where.match)
		case match != "":
			return c.ranked(ctx, s, where, match, limit)
		}
	}
	var order []string
	for _, k := range s.Sort {
		if k.Piece == nil { // relevance as a second key would only order trials of the same date: it is ignored
			continue
		}
		column, ok := columnOf(k.Piece, date)
		if !ok {
			column, ok = columnOf(k.Piece, number)
		}
		if !ok {
			return nil, query.BadRequest{Reason: fmt.Sprintf("does not sort by `%s`", k.Piece.Name), Unsupported: true}
		}
		if where.sql != always.sql {
			column = "+" + column // the index would lead to each study, also to those that are not found
		}
		order = append(order, column+direction(k.Descending)+" NULLS LAST")
	}
	order = append(order, "id DESC")
	return c.idsOf(ctx, "SELECT id FROM study WHERE "+where.sql+" ORDER BY "+strings.Join(order, ", ")+limit, where.args...)
}

func direction(descending bool) string {
	if descending {
		return " DESC"
	}
	return " ASC"
}

// ranked returns the numbers of a page in the order of BM25.
func (c *copyOf) ranked(ctx context.Context, s *query.Search, where condition, match, limit string) ([]int64, error) {
	from := "SELECT rowid AS id, " + relevance + " AS score FROM words WHERE words MATCH ?"
	if !implied(query.And(s.Queries)) { // some hits have no word of the ranking
		from = "SELECT id, score FROM study LEFT JOIN (SELECT rowid AS ranked, " + relevance +
			" AS score FROM words WHERE words MATCH ?) ON ranked = id WHERE 1"
	}
	text := "SELECT id FROM (" + from + " AND +" + where.among("rowid") + ") ORDER BY " + byScore(s, "score", "id") + limit
	return c.idsOf(ctx, text, append([]any{match}, where.args...)...)
}

// byScore returns the order of a search by the names of a score of BM25, of which the lowest is the best, and of a number.
func byScore(s *query.Search, score, id string) string {
	return score + direction(!s.Sort[0].Descending) + " NULLS LAST, " + id + " DESC"
}

// prefers reports whether a node has words that no study must have, and that count for the relevance.
func prefers(n query.Node) bool {
	switch n := n.(type) {
	case query.And:
		return slices.ContainsFunc(n, prefers)
	case query.Or:
		return slices.ContainsFunc(n, prefers)
	case query.Boost:
		return true
	}
	return false
}

// implied reports whether each study for which a node holds has a word of its ranking.
func implied(n query.Node) bool {
	switch n := n.(type) {
	case query.And:
		return slices.ContainsFunc(n, implied)
	case query.Or:
		return !slices.ContainsFunc(n, func(part query.Node) bool { return !implied(part) })
	case query.Term:
		columns, _ := columnsOf(n.Area)
		return len(columns) > 0
	}
	return false
}
