package query

import (
	"cmp"
	"strings"

	"github.com/biofact-mcp/biofact/internal/boolean"
	"github.com/biofact-mcp/biofact/internal/ranges"
)

// InPiece returns an expression that searches for a term in one piece, as the registry calls a field of a record: AREA[Phase]PHASE3. The
// term is
// a value of the piece's enumeration, a number, or the result of Phrase.
func InPiece(piece, term string) string { return "AREA[" + piece + "]" + term }

// Size returns an expression for the number of values of a piece: AREA[Phase:size]1.
func Size(piece, number string) string { return InPiece(piece+":size", number) }

// Phrase returns a name as a search term: one word, or several as a phrase.
func Phrase(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return !boolean.LetterOrDigit(r) }) {
		return quote(text)
	}
	if render(boolean.Token{Kind: boolean.Word, Text: text}) != text || boolean.IsOperator(text) {
		return quote(text)
	}
	return text
}

// ExactName returns an expression for a name that is the complete value of a piece; case, accents and plurals do not matter.
func ExactName(piece, name string) string { return InPiece(piece, "COVERAGE[FullMatch]"+quote(name)) }

// AllOf joins expressions that must all hold. It leaves out empty ones.
func AllOf(expressions ...string) string { return join(" AND ", expressions) }

// AnyOf joins expressions of which one must hold. It leaves out empty ones.
func AnyOf(expressions ...string) string { return join(" OR ", expressions) }

func join(operator string, expressions []string) string {
	var parts []string
	for _, e := range expressions {
		if e != "" {
			parts = append(parts, e)
		}
	}
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	for i, p := range parts {
		if strings.Contains(p, " ") {
			parts[i] = "(" + p + ")"
		}
	}
	return strings.Join(parts, operator)
}

const atOneSite = "SEARCH[Location]("

// AtOneSite returns the expression that one site meets all of the expressions.
func AtOneSite(expressions ...string) string {
	return atOneSite + AllOf(expressions...) + ")"
}

// InRange returns the expression for a piece with a value in a range. A record without the piece does not match, even if both ends of the
// range are open.
func InRange(piece string, r ranges.Range) string {
	return InPiece(piece, "RANGE["+cmp.Or(r.From, "MIN")+", "+cmp.Or(r.To, "MAX")+"]")
}

// ForAge returns the expression for a trial that a person of this age may enter. A record without a limit has no limit.
func ForAge(age string) string {
	return AllOf(
		AnyOf(InRange("MinimumAge", ranges.Range{To: age}), InPiece("MinimumAge", "MISSING")),
		AnyOf(InRange("MaximumAge", ranges.Range{From: age}), InPiece("MaximumAge", "MISSING")),
	)
}

// ForSex returns the expression for a trial that a person of this sex, FEMALE or MALE, may enter. ALL has quotation marks, because without
// them it is the operator that matches every trial.
func ForSex(sex string) string { return AnyOf(InPiece("Sex", sex), InPiece("Sex", `"ALL"`)) }

// ValuesOf returns the values that a piece may have, in the registry's order, or nil if it may have any text.
func ValuesOf(piece string) []string { return PieceNamed(piece).Enum() }

var labels = map[string]string{
	"query.term": "Other terms", "query.cond": "Conditions or disease", "query.intr": "Intervention / treatment",
	"query.spons": "Sponsor / collaborator", "query.titles": "Title / acronym", "query.outc": "Outcome measure",
	"query.locn": "Location terms", "filter.advanced": "advanced filter",
}

// Label returns the name that the registry's messages use for a parameter with an expression, or "" if the name is not known.
func Label(parameter string) string { return labels[parameter] }
