package query

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/boolean"
)

func (All) String() string { return "ALL" }

func (n And) String() string { return join(" AND ", n) }

func (n Or) String() string { return join(" OR ", n) }

// join writes nodes with an operator between them, and those with several words in parentheses.
func join(operator string, nodes []Node) string {
	parts := make([]string, len(nodes))
	for i, n := range nodes {
		if parts[i] = n.String(); strings.Contains(parts[i], " ") {
			parts[i] = "(" + parts[i] + ")"
		}
	}
	return strings.Join(parts, operator)
}

func (n Not) String() string {
	switch n.Node.(type) {
	case DateRange, NumberRange:
		return "NOT " + n.Node.String()
	}
	return "NOT (" + n.Node.String() + ")"
}

func (n OneSite) String() string { return "SEARCH[Location](" + n.Node.String() + ")" }

func (n Source) String() string { return string(n) }

func (n Term) String() string {
	text := strings.Join(n.Words, " ")
	if n.Phrase || n.FullMatch {
		text = quote(text)
	} else if len(n.Words) > 1 {
		text = "(" + text + ")"
	}
	if n.FullMatch {
		text = "COVERAGE[FullMatch]" + text
	}
	return in(n.Area.Name, text)
}

// String writes ALL in quotation marks, because without them it is the operator that matches every study.
func (n Value) String() string {
	if IsOperator(n.Text) {
		return in(n.Piece.Name, quote(n.Text))
	}
	return in(n.Piece.Name, n.Text)
}

func (n Count) String() string { return in(n.Piece.Name+":size", strconv.Itoa(n.N)) }

func (n Missing) String() string { return in(n.Piece.Name, "MISSING") }

func (n DateRange) String() string {
	to := n.To
	if to == openEnd {
		to = maximum
	}
	return in(n.Piece.Name, between(cmp.Or(n.From, minimum), to))
}

func (n NumberRange) String() string {
	unit := ""
	if n.Piece.IsAge() {
		unit = " minutes"
	}
	from, to := minimum, maximum
	if !math.IsInf(n.From, -1) {
		from = decimal(n.From) + unit
	}
	if !math.IsInf(n.To, 1) {
		to = decimal(n.To) + unit
	}
	return in(n.Piece.Name, between(from, to))
}

func (n Within) String() string {
	return in(n.Piece.Name, "DISTANCE["+decimal(n.From.Lat)+","+decimal(n.From.Lon)+","+decimal(n.Kilometres)+"km]")
}

// String returns an expression that always holds, because no expression prefers words.
func (Boost) String() string { return "ALL" }

// in writes a term of one piece or search area.
func in(area, term string) string { return "AREA[" + area + "]" + term }

func between(from, to string) string { return "RANGE[" + from + ", " + to + "]" }

func decimal(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

func render(t boolean.Token) string {
	switch {
	case t.Kind == boolean.Phrase:
		return quote(t.Text)
	case t.Kind == boolean.Word && IsOperator(t.Text): // upstream reads ALL as every study, the caller means a leukemia
		return quote(t.Text)
	case t.Kind == boolean.Word:
		return escaper.Replace(t.Text)
	}
	return t.Text
}

var (
	escaper       = strings.NewReplacer(`\`, `\\`, `[`, `\[`, `]`, `\]`, `"`, `\"`)
	phraseEscaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`)
)

// quote returns text as a phrase.
func quote(text string) string { return `"` + phraseEscaper.Replace(text) + `"` }
