package mirror

import (
	"math"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/registry"
)

// A condition is a condition of SQL on a row s of the table study. It holds for every study for
// which the node holds that it was compiled from.
type condition struct {
	sql   string
	args  []any
	exact bool // it holds for no other study
}

// The conditions without a test.
var (
	always = condition{sql: "1", exact: true}
	never  = condition{sql: "0", exact: true}
	// perhaps is the condition of a node that the file has no column for: the matcher decides.
	perhaps = condition{sql: "1"}
)

// A compiler compiles the nodes of expressions. Node types that it does not know it leaves to the
// matcher.
type compiler struct {
	// near returns the numbers of the places within a distance, as a list in JSON.
	near func(registry.Within) (string, error)
	err  error // of near
}

// compile compiles a node.
func (c *compiler) compile(n registry.Node) condition {
	if match, ok := wordsOf(n); ok {
		return condition{"s.id IN (SELECT rowid FROM words WHERE words MATCH ?)", []any{match}, true}
	}
	switch n := n.(type) {
	case nil, registry.All, registry.Boost:
		return always
	case registry.And:
		return c.and(n)
	case registry.Or:
		return joined(c.all(n), " OR ", never)
	case registry.Not:
		return c.not(n)
	case registry.OneSite:
		return c.oneSite(n)
	case registry.Term:
		return term(n)
	case registry.Value:
		return value(n)
	case registry.Count:
		return count(n)
	case registry.Missing:
		return missing(n)
	case registry.DateRange:
		return dateRange(n)
	case registry.NumberRange:
		return numberRange(n)
	case registry.Within:
		return c.within(n)
	}
	return perhaps
}

func (c *compiler) all(nodes []registry.Node) []condition {
	out := make([]condition, len(nodes))
	for i, n := range nodes {
		out[i] = c.compile(n)
	}
	return out
}

// and compiles nodes that all hold. Those that the word index decides go to it together.
func (c *compiler) and(nodes registry.And) condition {
	var words, others registry.And
	for _, n := range nodes {
		if _, ok := wordsOf(n); ok {
			words = append(words, n)
		} else {
			others = append(others, n)
		}
	}
	parts := c.all(others)
	if len(words) > 0 {
		parts = append(parts, c.compile(words))
	}
	return joined(parts, " AND ", always)
}

func (c *compiler) not(n registry.Not) condition {
	inner := c.compile(n.Node)
	if !inner.exact {
		return perhaps
	}
	return condition{"NOT coalesce(" + inner.sql + ", 0)", inner.args, true}
}

// joined joins conditions by an operator; of none it returns empty.
func joined(parts []condition, operator string, empty condition) condition {
	if len(parts) == 0 {
		return empty
	}
	out := condition{exact: true}
	var texts []string
	for _, p := range parts {
		texts = append(texts, p.sql)
		out.args = append(out.args, p.args...)
		out.exact = out.exact && p.exact
	}
	out.sql = "(" + strings.Join(texts, operator) + ")"
	return out
}

// indexesOf returns the indexes that have the words of an area, and whether they have no others.
func indexesOf(area *registry.Area) (names []string, exact bool) {
	var pieces []string
	for _, w := range area.Pieces {
		pieces = append(pieces, w.Piece.Name)
	}
	covered := 0
	exact = true
	for _, i := range indexes {
		own := strings.Fields(i.pieces)
		in := 0
		for _, p := range own {
			if slices.Contains(pieces, p) {
				in++
			}
		}
		if in > 0 {
			names = append(names, i.name)
			exact = exact && in == len(own)
		}
		covered += in
	}
	if covered < len(pieces) {
		return nil, false // words that no index has
	}
	return names, exact
}

// wordsOf returns a query of the word index that finds exactly the studies for which a node holds,
// where that can be.
func wordsOf(n registry.Node) (match string, ok bool) {
	switch n := n.(type) {
	case registry.Term:
		indexes, exact := indexesOf(n.Area)
		return termWords(n, indexes), exact && len(indexes) > 0
	case registry.Or:
		return joinedWords(n, " OR ")
	case registry.And:
		return andWords(n)
	}
	return "", false
}

func joinedWords(nodes []registry.Node, operator string) (string, bool) {
	var parts []string
	for _, n := range nodes {
		part, ok := wordsOf(n)
		if !ok {
			return "", false
		}
		parts = append(parts, "("+part+")")
	}
	return strings.Join(parts, operator), len(parts) > 0
}

// andWords writes nodes that all hold; those that must not hold stand behind the others.
func andWords(nodes registry.And) (string, bool) {
	var held, not []registry.Node
	for _, n := range nodes {
		switch n := n.(type) {
		case registry.Boost: // it always holds
		case registry.Not:
			not = append(not, n.Node)
		default:
			held = append(held, n)
		}
	}
	match, ok := joinedWords(held, " AND ")
	if !ok || len(not) == 0 {
		return match, ok
	}
	excluded, ok := joinedWords(not, " OR ")
	return "(" + match + ") NOT (" + excluded + ")", ok
}

// termWords writes a term as a query of a word index.
func termWords(n registry.Term, indexes []string) string {
	words := slices.Clone(n.Words)
	for i, w := range words {
		words[i] = strings.ReplaceAll(w, `"`, `""`)
	}
	in := "{" + strings.Join(indexes, " ") + "} : "
	switch {
	case n.FullMatch:
		return in + `"` + separator + " " + strings.Join(words, " ") + " " + separator + `"`
	case n.Phrase:
		return in + `"` + strings.Join(words, " ") + `"`
	}
	return in + `("` + strings.Join(words, `" AND "`) + `")`
}

// term compiles a term that the word index cannot decide alone.
func term(n registry.Term) condition {
	if len(n.Area.Pieces) == 1 && n.Area.Pieces[0].Piece.Type == "boolean" {
		return truth(n)
	}
	indexes, exact := indexesOf(n.Area)
	if len(indexes) == 0 {
		return perhaps
	}
	return condition{"s.id IN (SELECT rowid FROM words WHERE words MATCH ?)", []any{termWords(n, indexes)}, exact}
}

// truth compiles the word true or false in a piece that has no other.
func truth(n registry.Term) condition {
	col := columnOf(n.Area.Pieces[0].Piece)
	if col == nil {
		return perhaps
	}
	var parts []condition
	for _, word := range n.Words {
		if !slices.Contains(truths, word) {
			return never
		}
		parts = append(parts, col.has(word))
	}
	if n.Phrase && len(parts) > 1 || n.FullMatch && len(parts) > 1 {
		return never // a value is one word
	}
	return joined(parts, " AND ", never)
}

// has returns the condition that a column has a value of its closed list.
func (c *column) has(value string) condition {
	if c.kind == single {
		return condition{"s." + c.name + " = ?", []any{c.bit(value)}, true}
	}
	return condition{"(s." + c.name + " & ?) <> 0", []any{c.bit(value)}, true}
}

func value(n registry.Value) condition {
	if col := columnOf(n.Piece); col != nil && (col.kind == single || col.kind == mask) {
		return col.has(n.Text)
	}
	return perhaps
}

// count compiles the number of phases, each of which a study has once.
func count(n registry.Count) condition {
	if n.Piece.Name != "Phase" {
		return perhaps
	}
	var bits []string
	for i := range n.Piece.Enum() {
		bits = append(bits, "((coalesce(s.phases, 0) >> "+string(rune('0'+i))+") & 1)")
	}
	return condition{"(" + strings.Join(bits, " + ") + ") = ?", []any{n.N}, true}
}

func missing(n registry.Missing) condition {
	if col := columnOf(n.Piece); col != nil {
		return condition{"s." + col.name + " IS NULL", nil, true}
	}
	if n.Piece.Name == "LocationCountry" {
		return condition{sql: "NOT EXISTS (SELECT 1 FROM site JOIN place ON place.id = site.place WHERE site.study = s.id AND " +
			"place.country IS NOT NULL)", exact: true}
	}
	return perhaps
}

func dateRange(n registry.DateRange) condition {
	col := columnOf(n.Piece)
	if col == nil || col.kind != date {
		return perhaps
	}
	from, to := int64(0), int64(math.MaxInt32)
	if n.From != "" {
		var ok bool
		if from, ok = dayOf(n.From); !ok {
			return perhaps
		}
	}
	if n.To != "" {
		var ok bool
		if to, ok = dayOf(n.To); !ok {
			return perhaps
		}
	}
	return condition{"s." + col.name + " BETWEEN ? AND ?", []any{from, to}, true}
}

func numberRange(n registry.NumberRange) condition {
	col := columnOf(n.Piece)
	if col == nil || col.kind != number {
		return perhaps
	}
	const limit = 1e15 // SQLite writes no infinity, and the sentinel is beyond
	return condition{"s." + col.name + " BETWEEN ? AND ?", []any{max(n.From, -limit), min(n.To, limit)}, true}
}

func (c *compiler) within(n registry.Within) condition {
	if n.Piece.Name != "LocationGeoPoint" {
		return perhaps
	}
	places, err := c.near(n)
	if err != nil {
		c.err = err
		return never
	}
	return condition{"s.id IN (SELECT study FROM site WHERE place IN (SELECT value FROM json_each(?)))", []any{places}, true}
}
