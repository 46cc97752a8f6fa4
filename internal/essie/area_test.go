package essie_test

import (
	"fmt"
	"testing"

	"github.com/biofact-mcp/biofact/internal/essie"
	"github.com/biofact-mcp/biofact/internal/expect"
)

func TestPhrase(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Boston": "Boston", "02115": "02115", "Zürich": "Zürich",
		"New York": `"New York"`, "St. Louis": `"St. Louis"`, "O'Fallon": `"O'Fallon"`, "Winston-Salem": `"Winston-Salem"`,
		"AND": `"AND"`, "OR": `"OR"`, "NOT": `"NOT"`, "ALL": `"ALL"`, "MISSING": `"MISSING"`, "and": "and",
		`a"b`: `"a\"b"`, `a\`: `"a\\"`, "[x]": `"[x]"`, "a,b": `"a,b"`, "(x": `"(x"`,
	} {
		got := essie.Phrase(text)
		expect.Equal(t, fmt.Sprintf("Phrase(%q)", text), want, got)
		parses(t, text, "filter.advanced", essie.Area("LocationCity", got))
	}
}

func TestJoin(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ got, want string }{
		{essie.Area("Phase", "PHASE3"), "AREA[Phase]PHASE3"},
		{essie.Size("Phase", "1"), "AREA[Phase:size]1"},
		{essie.And(), ""},
		{essie.And("", ""), ""},
		{essie.And("", "a1", ""), "a1"},
		{essie.And("a1", "", "b2"), "a1 AND b2"},
		{essie.Or("a1", "b2"), "a1 OR b2"},
		{essie.Or("", "a1 b2", ""), "a1 b2"},
		{essie.And("a1", essie.Or("b2", "c3")), "a1 AND (b2 OR c3)"},
		{essie.Or("a1", essie.And("b2", "c3")), "a1 OR (b2 AND c3)"},
		{essie.And("a1", essie.Or("b2")), "a1 AND b2"},
		{essie.OneSite("a1", "b2"), "SEARCH[Location](a1 AND b2)"},
		{essie.And(essie.OneSite("a1", "b2"), "c3"), "(SEARCH[Location](a1 AND b2)) AND c3"},
		{essie.And(essie.Or(essie.OneSite("a1"), essie.OneSite("b2")), "c3"), "(SEARCH[Location](a1) OR SEARCH[Location](b2)) AND c3"},
		{essie.Or(essie.And(essie.OneSite("a1"), "b2"), "c3"), "(SEARCH[Location](a1) AND b2) OR c3"},
		{essie.And(essie.OneSite(`AREA[LocationCity]"a) b"`), "c3"), `(SEARCH[Location](AREA[LocationCity]"a) b")) AND c3`},
	} {
		expect.Equal(t, "", tt.want, tt.got)
	}
}
