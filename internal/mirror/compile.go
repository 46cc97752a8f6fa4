package mirror

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/mirror/history"
	"github.com/biofact-mcp/biofact/internal/mirror/stored"
	"github.com/biofact-mcp/biofact/internal/query"
)

// A condition is a condition of SQL on a row of a table, which a node has become.
type condition struct {
	sql   string
	args  []any
	match string // of the word index, if the condition is nothing else
	// inexact reports that the condition also holds for studies for which the node does not. It holds for all for which the node does.
	inexact bool
}

// among returns the condition that a column has the number of a study for which the condition holds.
func (c condition) among(column string) string {
	if c.match != "" {
		return column + " IN (SELECT rowid FROM words WHERE words MATCH ?)"
	}
	return column + " IN (SELECT id FROM study WHERE " + c.sql + ")"
}

var (
	always = condition{sql: "1"}
	never  = condition{sql: "0"}
	// perhaps is the condition of a node that has no column and no index: the matcher checks each study.
	perhaps = condition{sql: "1", inexact: true}
)

// joined returns a condition from several, joined by AND or OR. It is no deeper than necessary: SQLite refuses a depth of 1000.
func joined(operator string, parts []condition, none condition) condition {
	switch len(parts) {
	case 0:
		return none
	case 1:
		return parts[0]
	}
	half := len(parts) / 2
	left, right := joined(operator, parts[:half], none), joined(operator, parts[half:], none)
	return condition{
		sql: "(" + left.sql + " " + operator + " " + right.sql + ")", args: slices.Concat(left.args, right.args),
		inexact: left.inexact || right.inexact,
	}
}

// A compiler turns nodes into conditions on a row of the table study.
type compiler struct {
	ctx context.Context //nolint:containedctx // a compiler is used for one search
	db  history.Querier
}

func (c compiler) compile(n query.Node) (condition, error) {
	if match, ok := matching(n); ok {
		return words(match), nil
	}
	switch n := n.(type) {
	case nil, query.All, query.Boost:
		return always, nil
	case query.And:
		return c.and(n)
	case query.Or:
		return c.all(n, "OR", never, c.compile)
	case query.Not:
		inner, err := c.compile(n.Node)
		if err != nil || inner.inexact {
			return perhaps, err
		}
		return condition{sql: "NOT " + inner.sql, args: inner.args}, nil
	case query.OneSite:
		return c.oneSite(n)
	case query.Term:
		return c.term(n)
	case query.Value:
		return c.value(n.Piece, n.Text)
	case query.Within:
		return c.within(n)
	}
	return ofColumn(n), nil
}

// words returns the condition for a query of the word index.
func words(match string) condition {
	return condition{sql: "id IN (SELECT rowid FROM words WHERE words MATCH ?)", args: []any{match}, match: match}
}

// and compiles nodes that must all hold. Those of the word index become one query.
func (c compiler) and(nodes query.And) (condition, error) {
	var own, others query.And
	for _, n := range nodes {
		if _, ok := matching(n); ok {
			own = append(own, n)
		} else {
			others = append(others, n)
		}
	}
	match, ok := matching(own)
	if !ok {
		return c.all(nodes, "AND", always, c.compile)
	}
	parts := []condition{words(match)}
	if len(others) > 0 {
		rest, err := c.all(others, "AND", always, c.compile)
		if err != nil {
			return never, err
		}
		parts = append(parts, rest)
	}
	return joined("AND", parts, always), nil
}

func (c compiler) all(nodes []query.Node, operator string, none condition, compile func(query.Node) (condition, error)) (condition, error) {
	parts := make([]condition, len(nodes))
	for i, n := range nodes {
		var err error
		if parts[i], err = compile(n); err != nil {
			return never, err
		}
	}
	return joined(operator, parts, none), nil
}

// term compiles a term that the word index cannot decide alone.
func (c compiler) term(n query.Term) (condition, error) {
	piece := onlyPiece(n)
	switch {
	case piece == countryPiece && (n.Phrase || n.FullMatch || len(n.Words) == 1):
		return c.country(n)
	case piece == countryPiece: // each word of any site
		var all query.And
		for _, word := range n.Words {
			all = append(all, query.Term{Area: n.Area, Words: []string{word}})
		}
		return c.compile(all)
	case piece != "" && n.Area.Pieces[0].Piece.Type == "boolean":
		if len(n.Words) > 1 || !slices.Contains(truths, n.Words[0]) {
			return never, nil // a value is one word
		}
		return c.value(n.Area.Pieces[0].Piece, n.Words[0])
	}
	columns, _ := columnsOf(n.Area)
	if len(columns) == 0 {
		return perhaps, nil
	}
	found := words(matchingTerm(n, columns)) // the columns also have the words of other pieces
	found.inexact = true
	return found, nil
}

var truths = []string{"true", "false"}

// value compiles a condition on a value of a closed list.
func (c compiler) value(p *query.Piece, texts ...string) (condition, error) {
	column, ok := columnOf(p, closed)
	if !ok {
		return perhaps, nil
	}
	const lists = "SELECT DISTINCT list FROM value JOIN piece ON value = id WHERE piece = ? AND text IN (SELECT value FROM json_each(?))"
	list, err := json.Marshal(texts)
	if err != nil {
		return never, err
	}
	numbers, err := history.List[int64](c.db.QueryContext(c.ctx, lists, p.Name, string(list)))
	return oneOf(column, numbers), err
}

// oneOf returns the condition that a column has one of some numbers.
func oneOf(column string, numbers []int64) condition {
	if len(numbers) == 0 {
		return never
	}
	args := make([]any, len(numbers))
	for i, n := range numbers {
		args[i] = n
	}
	return condition{sql: column + " IN (?" + strings.Repeat(", ?", len(args)-1) + ")", args: args}
}

// country compiles a condition on the country of any site: one word, adjacent words or all words of the name.
func (c compiler) country(n query.Term) (condition, error) {
	names, err := history.Map[int64, string](c.db.QueryContext(c.ctx, "SELECT id, text FROM value WHERE piece = ?", countryPiece))
	if err != nil {
		return never, err
	}
	numbers := []int64{}
	for id, name := range names {
		if n.Holds(query.Words(name)) {
			numbers = append(numbers, id)
		}
	}
	list, err := json.Marshal(numbers)
	const sql = countryPiece + " IN (SELECT list FROM piece WHERE value IN (SELECT value FROM json_each(?)))"
	return condition{sql: sql, args: []any{string(list)}}, err
}

// ofColumn compiles a condition on the only value of a piece, on the number of its values, or on their lack.
func ofColumn(n query.Node) condition {
	switch n := n.(type) {
	case query.Count:
		if column, ok := columnOf(n.Piece, howOften); ok {
			return condition{sql: column + " = ?", args: []any{n.N}}
		}
	case query.Missing:
		for missing, kinds := range map[string][]kind{" = 0": {closed, open}, " IS NULL": {date, number}} {
			for _, k := range kinds {
				if column, ok := columnOf(n.Piece, k); ok {
					return condition{sql: column + missing}
				}
			}
		}
	case query.DateRange:
		return dateRange(n)
	case query.NumberRange:
		if column, ok := columnOf(n.Piece, number); ok {
			from, to := max(n.From, -math.MaxFloat64), min(n.To, math.MaxFloat64)
			return condition{sql: "ifnull(" + column + " BETWEEN ? AND ?, 0)", args: []any{from, to}}
		}
	}
	return perhaps
}

func dateRange(n query.DateRange) condition {
	column, ok := columnOf(n.Piece, date)
	from, known := int64(unreadableDate+1), true
	if n.From != "" {
		from, known = stored.Day(n.From)
	}
	to, alsoKnown := stored.Day(n.To)
	if !ok || !known || !alsoKnown {
		return perhaps
	}
	return condition{sql: "ifnull(" + column + " BETWEEN ? AND ?, 0)", args: []any{max(from, unreadableDate+1), to}}
}
