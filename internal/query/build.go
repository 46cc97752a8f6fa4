package query

import (
	"cmp"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/boolean"
	"github.com/biofact-mcp/biofact/internal/ranges"
)

// Has returns the node for a value of a piece, as the registry calls a field of a record: AREA[Phase]PHASE3. The value is one of the
// piece's enumeration, or a number, true or false.
func Has(piece, value string) Node {
	if p := PieceNamed(piece); p.Enum() != nil {
		return Value{p, value}
	}
	return Source(in(piece, value))
}

// Size returns the node for the number of values of a piece: AREA[Phase:size]1.
func Size(piece string, number int) Node { return Count{PieceNamed(piece), number} }

// Lacks returns the node for a piece without a value.
func Lacks(piece string) Node { return Missing{PieceNamed(piece)} }

// Named returns the node for a name in a piece: one word, or several as a phrase.
func Named(piece, name string) Node { return Source(in(piece, word(name))) }

// ExactName returns the node for a name that is the complete value of a piece; case, accents and plurals do not matter.
func ExactName(piece, name string) Node { return Source(in(piece, "COVERAGE[FullMatch]"+quote(name))) }

// word returns a text as one term: a word, or a phrase if the text has signs, several words or an operator.
func word(text string) string {
	isPlain := !strings.ContainsFunc(text, func(r rune) bool { return !boolean.LetterOrDigit(r) })
	if !isPlain || render(boolean.Token{Kind: boolean.Word, Text: text}) != text || boolean.IsOperator(text) {
		return quote(text)
	}
	return text
}

// AllOf joins nodes that must all hold. It leaves out those that are nil, and returns nil without any.
func AllOf(nodes ...Node) Node {
	if nodes = given(nodes); len(nodes) > 1 {
		return And(nodes)
	}
	return first(nodes)
}

// AnyOf joins nodes of which one must hold. It leaves out those that are nil, and returns nil without any.
func AnyOf(nodes ...Node) Node {
	if nodes = given(nodes); len(nodes) > 1 {
		return Or(nodes)
	}
	return first(nodes)
}

func given(nodes []Node) []Node {
	return slices.DeleteFunc(slices.Clone(nodes), func(n Node) bool { return n == nil })
}

func first(nodes []Node) Node {
	if len(nodes) == 0 {
		return nil
	}
	return nodes[0]
}

// InRange returns the node for a piece with a value in a range. A record without the piece does not match, even if both ends of the
// range are open.
func InRange(piece string, r ranges.Range) Node {
	from, to := cmp.Or(r.From, minimum), cmp.Or(r.To, maximum)
	text := Source(in(piece, between(from, to)))
	if n, err := inRange(PieceNamed(piece), from, to); err == nil && n.String() == text.String() {
		return n
	}
	return text // an age has the unit of the caller
}

// ForAge returns the node for a trial that a person of this age may enter. A record without a limit has no limit.
func ForAge(age string) Node {
	return AllOf(
		AnyOf(InRange("MinimumAge", ranges.Range{To: age}), Lacks("MinimumAge")),
		AnyOf(InRange("MaximumAge", ranges.Range{From: age}), Lacks("MaximumAge")),
	)
}

// ForSex returns the node for a trial that a person of this sex, FEMALE or MALE, may enter.
func ForSex(sex string) Node { return AnyOf(Has("Sex", sex), Has("Sex", "ALL")) }

// ValuesOf returns the values that a piece may have, in the registry's order, or nil if it may have any text.
func ValuesOf(piece string) []string { return PieceNamed(piece).Enum() }

var labels = map[string]string{
	"query.term": "Other terms", "query.cond": "Conditions or disease", "query.intr": "Intervention / treatment",
	"query.spons": "Sponsor / collaborator", "query.titles": "Title / acronym", "query.outc": "Outcome measure",
	"query.locn": "Location terms", "filter.advanced": "advanced filter",
}

// Label returns the name that the registry's messages use for a parameter with an expression, or "" if the name is not known.
func Label(parameter string) string { return labels[parameter] }
