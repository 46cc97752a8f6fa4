package query_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/query"
)

// A meaning is the intended meaning of a text: words, or texts joined by an operator.
type meaning struct {
	operator string // AND, OR, NOT, or "" for words
	parts    []meaning
	text     string
	phrase   bool
}

// randomMeaning returns a meaning with at most the given levels of operators.
func randomMeaning(random *rand.Rand, levels int) meaning {
	texts := []string{
		"asthma", "non-small", "2.5", "AREA[Phase]PHASE3", "SEARCH[Location]", "ALL", "MISSING", "B-ALL", "ALL/AML", "MIN", "COVER",
		"[18F]FDG", `a\b`,
		"Crohn's", "CD4+", "50%", "São", "東京", "x=y", "and", "or", "EXPANSION[None]x",
	}
	m := meaning{operator: []string{"", "", "AND", "OR", "NOT"}[random.IntN(5)]}
	if levels == 0 || m.operator == "" {
		m = meaning{phrase: random.IntN(3) == 0}
		var words []string
		for range 1 + random.IntN(3) {
			words = append(words, texts[random.IntN(len(texts))])
		}
		m.text = strings.Join(words, " ")
		return m
	}
	count := 2
	if m.operator == "NOT" {
		count = 1
	}
	for range count {
		m.parts = append(m.parts, randomMeaning(random, levels-1))
	}
	return m
}

// write returns the meaning as a person writes it.
func (m meaning) write() string {
	switch {
	case m.phrase:
		return `"` + m.text + `"`
	case m.operator == "":
		return m.text
	case m.operator == "NOT":
		return "NOT (" + m.parts[0].write() + ")"
	}
	return "(" + m.parts[0].write() + ") " + m.operator + " (" + m.parts[1].write() + ")"
}

// node returns the meaning as a parsed expression.
func (m meaning) node(area *query.Area) query.Node {
	var parts []query.Node
	for _, p := range m.parts {
		parts = append(parts, p.node(area))
	}
	switch m.operator {
	case "AND":
		return query.And(parts)
	case "OR":
		return query.Or(parts)
	case "NOT":
		return query.Not{Node: parts[0]}
	}
	return query.Term{Area: area, Words: query.Words(m.text), Phrase: m.phrase}
}

// outline returns a text that is equal for nodes with equal meaning: words that need not be adjacent are separate, and an And within an And
// is part of it.
func outline(n query.Node) string { return strings.Join(conditions(n), " ") }

func conditions(n query.Node) []string {
	switch n := n.(type) {
	case query.And:
		var all []string
		for _, part := range n {
			all = append(all, conditions(part)...)
		}
		return all
	case query.Or:
		var choices []string
		for _, part := range n {
			choices = append(choices, outline(part))
		}
		return []string{"{" + strings.Join(choices, " | ") + "}"}
	case query.Not:
		return []string{"!{" + outline(n.Node) + "}"}
	case query.Term:
		if n.Phrase && len(n.Words) > 1 {
			return []string{n.Area.Name + fmt.Sprintf("%q", n.Words)}
		}
		var words []string
		for _, w := range n.Words {
			words = append(words, n.Area.Name+":"+w)
		}
		return words
	}
	return []string{fmt.Sprintf("%#v", n)}
}

// TestTextIsReadAsMeant: the registry reads the expression of any text with the words and operators that the caller wrote.
func TestTextIsReadAsMeant(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 5))
	area := query.AreaNamed("BasicSearch")
	for range 5000 {
		m := randomMeaning(random, 3)
		text := m.write()
		expression := query.ReadText(text).Expression
		n, err := query.Parse(expression, area)
		if err != nil {
			t.Errorf("%s: %s: %v", text, expression, err)
			continue
		}
		if got, want := outline(n), outline(m.node(area)); got != want {
			t.Errorf("%s\n%s\n got %s\nwant %s", text, expression, got, want)
		}
	}
}

// TestAreasAreReadAsMeant: an area expression for any name searches for its words only.
func TestAreasAreReadAsMeant(t *testing.T) {
	t.Parallel()
	letters := []string{"Boston", "New", "ALL", "OR", "MISSING", `"`, `\`, "[", "]", "(", ")", ",", "-", " ", "/", "é", "RANGE[1,2]",
		"AREA[Phase]"}
	random := rand.New(rand.NewPCG(8, 13))
	for range 5000 {
		var name [2]string
		for i := range name {
			name[i] = "x"
			for range random.IntN(5) {
				name[i] += letters[random.IntN(len(letters))]
			}
		}
		expression := query.AllOf(
			query.OneSite{Node: query.AllOf(query.Named("LocationCity", name[0]), query.Named("LocationState", name[1]))},
			query.AnyOf(query.Has("Phase", "PHASE2"), query.Size("Phase", 2)),
		).String()
		n, err := query.Parse(expression, query.AreaNamed("BasicSearch"))
		if err != nil {
			t.Errorf("%s: %v", expression, err)
			continue
		}
		phase := query.PieceNamed("Phase")
		both, ok := n.(query.And)
		expect.Must(t, ok && len(both) == 2, "%s: %#v", expression, n)
		if got, want := outline(both[1]), outline(query.Or{query.Value{Piece: phase, Text: "PHASE2"},
			query.Count{Piece: phase, N: 2}}); got != want {
			t.Errorf("%s\n got %s\nwant %s", expression, got, want)
		}
		site, _ := both[0].(query.OneSite)
		terms, _ := site.Node.(query.And)
		if len(terms) != 2 {
			t.Fatalf("%s: %#v", expression, both[0])
		}
		for i, piece := range []string{"LocationCity", "LocationState"} {
			if term, _ := terms[i].(query.Term); term.Area.Name != piece || !slices.Equal(term.Words, query.Words(name[i])) {
				t.Errorf("%s: %s is %v", expression, piece, term.Words)
			}
		}
	}
}
