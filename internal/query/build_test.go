package query_test

import (
	"fmt"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/query"
)

func TestPhrase(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Boston": "Boston", "02115": "02115", "Zürich": "Zürich",
		"New York": `"New York"`, "St. Louis": `"St. Louis"`, "O'Fallon": `"O'Fallon"`, "Winston-Salem": `"Winston-Salem"`,
		"AND": `"AND"`, "OR": `"OR"`, "NOT": `"NOT"`, "ALL": `"ALL"`, "MISSING": `"MISSING"`, "and": "and",
		`a"b`: `"a\"b"`, `a\`: `"a\\"`, "[x]": `"[x]"`, "a,b": `"a,b"`, "(x": `"(x"`,
	} {
		got := query.Phrase(text)
		expect.Equal(t, fmt.Sprintf("Phrase(%q)", text), want, got)
		parses(t, text, "filter.advanced", query.InPiece("LocationCity", got))
	}
}

func TestJoin(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ got, want string }{
		{query.InPiece("Phase", "PHASE3"), "AREA[Phase]PHASE3"},
		{query.Size("Phase", "1"), "AREA[Phase:size]1"},
		{query.AllOf(), ""},
		{query.AllOf("", ""), ""},
		{query.AllOf("", "a1", ""), "a1"},
		{query.AllOf("a1", "", "b2"), "a1 AND b2"},
		{query.AnyOf("a1", "b2"), "a1 OR b2"},
		{query.AnyOf("", "a1 b2", ""), "a1 b2"},
		{query.AllOf("a1", query.AnyOf("b2", "c3")), "a1 AND (b2 OR c3)"},
		{query.AnyOf("a1", query.AllOf("b2", "c3")), "a1 OR (b2 AND c3)"},
		{query.AllOf("a1", query.AnyOf("b2")), "a1 AND b2"},
		{query.AtOneSite("a1", "b2"), "SEARCH[Location](a1 AND b2)"},
		{query.AllOf(query.AtOneSite("a1", "b2"), "c3"), "(SEARCH[Location](a1 AND b2)) AND c3"},
		{query.AllOf(query.AnyOf(query.AtOneSite("a1"), query.AtOneSite("b2")), "c3"), "(SEARCH[Location](a1) OR SEARCH[Location](b2)) AND c3"},
		{query.AnyOf(query.AllOf(query.AtOneSite("a1"), "b2"), "c3"), "(SEARCH[Location](a1) AND b2) OR c3"},
		{query.AllOf(query.AtOneSite(`AREA[LocationCity]"a) b"`), "c3"), `(SEARCH[Location](AREA[LocationCity]"a) b")) AND c3`},
	} {
		expect.Equal(t, "", tt.want, tt.got)
	}
}
