package query

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/geo"

	"github.com/biofact-mcp/biofact/internal/ranges"
)

// leaves returns nodes of each kind that has no other nodes, for a study or for one site.
func leaves(ofSite bool) []Node {
	in := func(name string) *Area { return &Area{name, []Weighted{{PieceNamed(name), 1}}} }
	if ofSite {
		return []Node{
			Has("LocationStatus", "RECRUITING"), Lacks("LocationZip"), Named("LocationCity", "São Paulo"), Named("LocationCity", "Boston"),
			Named("LocationState", "OR"), Within{PieceNamed("LocationGeoPoint"), geo.Point{Lat: 42.25, Lon: -71}, 80.5},
			Term{in("LocationCountry"), Words("United States"), true, false},
		}
	}
	return []Node{
		All{}, Boost{Has("Sex", "MALE")}, Has("Phase", "PHASE3"), Has("Sex", "ALL"), Has("HasResults", "true"), Size("Phase", 1), Lacks("Phase"),
		InRange("StartDate", ranges.Range{From: "2019-02-03"}), InRange("EnrollmentCount", ranges.Range{To: "120"}),
		InRange("MinimumAge", ranges.Range{From: "18 Years"}), NumberRange{PieceNamed("MinimumAge"), math.Inf(-1), 525960 * 18},
		DateRange{PieceNamed("StartDate"), "", openEnd}, Term{AreaNamed("BasicSearch"), Words("study of"), false, false},
		Term{in("LeadSponsorName"), Words("Sandbox"), false, true}, ExactName("LeadSponsorName", "Example University"),
		Source("melanoma OR (asthma NOT child)"), Named("Keyword", `a "b" (c`),
	}
}

// randomNode returns a node with at most some levels of nodes in it.
func randomNode(random *rand.Rand, levels int, ofSite bool) Node {
	all := leaves(ofSite)
	part := func() Node { return randomNode(random, levels-1, ofSite) }
	switch kind := random.IntN(7); {
	case levels == 0 || kind > 4:
		return all[random.IntN(len(all))]
	case kind == 0 && !ofSite:
		return OneSite{randomNode(random, levels-1, true)}
	case kind == 1:
		return Not{part()}
	case kind < 4:
		return AllOf(part(), nil, part())
	}
	return AnyOf(part(), part(), part())
}

// TestString: Parse reads what a node writes as a node that holds for the same studies.
func TestString(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	studies, random, held := few(t), rand.New(rand.NewPCG(2, 7)), 0
	for range 5000 {
		n := randomNode(random, 3, false)
		parsed, err := Parse(n.String(), AreaNamed("BasicSearch"))
		expect.Must(t, err == nil, "%s: %v", n, err)
		for i := range studies.Records() {
			_, want := studies.Match(i, n)
			_, got := studies.Match(i, parsed)
			expect.Must(t, got == want, "%s: study %d", n, i)
			if got {
				held++
			}
		}
	}
	expect.That(t, held > 1000, "only %d studies were found", held)
}

// TestEveryNode: the random nodes of TestString are of each kind that nodes.go has.
func TestEveryNode(t *testing.T) {
	t.Parallel()
	known := map[string]bool{"And": true, "Or": true, "Not": true, "OneSite": true} // randomNode makes them
	for _, n := range append(leaves(true), leaves(false)...) {
		known[strings.TrimPrefix(fmt.Sprintf("%T", n), "query.")] = true
	}
	kinds := regexp.MustCompile(`(?m)^\t([A-Z]\w*) (?:struct|string|\[\]Node)`).FindAllStringSubmatch(string(expect.Read(t, "nodes.go")), -1)
	expect.That(t, len(kinds) > 10, "nodes.go has %d kinds of nodes", len(kinds))
	for _, kind := range kinds {
		expect.That(t, known[kind[1]], "no node of TestString is a %s", kind[1])
	}
}

// TestJoin: empty parts are left out, and parts with several words get parentheses.
func TestJoin(t *testing.T) {
	t.Parallel()
	a, b, c, site := Source("a1"), Source("b2"), Source("c3"), OneSite{AllOf(Source("a1"), Source("b2"))}
	for want, n := range map[string]Node{
		"AREA[Phase]PHASE3": Has("Phase", "PHASE3"), "AREA[Phase:size]1": Size("Phase", 1), `AREA[Sex]"ALL"`: Has("Sex", "ALL"),
		"a1": AllOf(nil, a, nil), "a1 AND b2": AllOf(a, nil, b), "a1 OR b2": AnyOf(a, b), "a1 b2": AnyOf(nil, Source("a1 b2")),
		"a1 AND (b2 OR c3)": AllOf(a, AnyOf(b, c)), "a1 OR (b2 AND c3)": AnyOf(a, AllOf(b, c)),
		"SEARCH[Location](a1 AND b2)": site, "(SEARCH[Location](a1 AND b2)) AND c3": AllOf(site, c),
		"a1 AND (NOT (b2))": AllOf(a, Not{b}), "NOT AREA[StartDate]RANGE[MIN, 2020-01-01]": Not{InRange("StartDate", ranges.Range{To: "2020-01-01"})},
		`(SEARCH[Location](AREA[LocationCity]"a) b")) AND c3`: AllOf(OneSite{Named("LocationCity", "a) b")}, c),
	} {
		expect.Equal(t, "", want, n.String())
	}
	expect.That(t, AllOf() == nil && AnyOf(nil, nil) == nil, "no parts are a node")
}

// TestNamed: a name of one word is a word, and any other name is a phrase.
func TestNamed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Boston": "Boston", "02115": "02115", "Zürich": "Zürich",
		"New York": `"New York"`, "St. Louis": `"St. Louis"`, "O'Fallon": `"O'Fallon"`, "Winston-Salem": `"Winston-Salem"`,
		"AND": `"AND"`, "OR": `"OR"`, "NOT": `"NOT"`, "ALL": `"ALL"`, "MISSING": `"MISSING"`, "and": "and",
		`a"b`: `"a\"b"`, `a\`: `"a\\"`, "[x]": `"[x]"`, "a,b": `"a,b"`, "(x": `"(x"`, "a_b": `"a_b"`,
	} {
		expect.Equal(t, text, "AREA[LocationCity]"+want, Named("LocationCity", text).String())
	}
}

func TestPlainWords(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, want string }{
		{"Boston", "Boston"},
		{"Portland, OR", `Portland "OR"`},
		{"Portland/OR", `Portland "OR"`},
		{"NOT here AND ALL there", `"NOT" here "AND" "ALL" there`},
		{`St. "Mary's" (North)`, `St. "Mary's" North`},
		{"a - b & c", "a b c"},
		{"[x] y\\", `\[x\] y\\`},
	} {
		expect.Equal(t, tt.text, tt.want, plainWords(tt.text).String())
	}
	for _, text := range []string{"", "-", `"-" ( ) ,`} {
		expect.That(t, plainWords(text) == nil, "%q has words", text)
	}
}
