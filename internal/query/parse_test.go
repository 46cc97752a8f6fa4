package query

import (
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/internal/expect"
)

func TestParse(t *testing.T) {
	t.Parallel()
	basic, city, org := AreaNamed("BasicSearch"), &Area{"LocationCity", []Weighted{{PieceNamed("LocationCity"), 1}}},
		&Area{"OrgFullName", []Weighted{{PieceNamed("OrgFullName"), 1}}}
	phase, start, enrolled := PieceNamed("Phase"), PieceNamed("StartDate"), PieceNamed("EnrollmentCount")
	for _, tt := range []struct {
		text string
		want Node
	}{
		{"", nil},
		{"lung cancers", Term{Area: basic, Words: []string{"lung", "cancer"}}},
		{`a1 OR "b2 c3" NOT d4`, Or{Term{Area: basic, Words: []string{"a1"}},
			And{Term{Area: basic, Words: []string{"b2", "c3"}, Phrase: true}, Not{Term{Area: basic, Words: []string{"d4"}}}}}},
		{"ALL AND AREA[Phase](PHASE1 OR MISSING)", And{All{}, Or{Value{phase, "PHASE1"}, Missing{phase}}}},
		{"AREA[Phase:size]2", Count{phase, 2}},
		{"AREA[StartDate]2022", DateRange{start, "2022-01-01", "2022-12-31"}},
		{"AREA[StartDate]RANGE[MIN, MAX]", DateRange{start, "", "9999-12-31"}},
		{"AREA[EnrollmentCount]RANGE[10, MAX]", NumberRange{enrolled, 10, math.Inf(1)}},
		{"SEARCH[Location](AREA[LocationCity]Boston)", OneSite{Term{Area: city, Words: []string{"boston"}}}},
		{"AREA[OrgFullName]COVERAGE[FullMatch]Merck", Term{org, []string{"merck"}, false, true}},
	} {
		got, err := Parse(tt.text, basic)
		if diff := cmp.Diff(tt.want, got, cmp.Comparer(func(a, b *Piece) bool { return a == b })); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", tt.text, err, diff)
		}
	}
}

// TestExpressions reads parameters of /studies, texts and the last digits of the studies that they find. The tests of the mirror
// read the same file.
func TestExpressions(t *testing.T) {
	t.Parallel()
	s := few(t)
	table, err := os.ReadFile("testdata/expressions.tsv")
	expect.NoError(t, err)
	for line := range strings.Lines(string(table)) {
		columns := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		parameter, text, want := columns[0], columns[1], columns[2]
		got := short(search(t, s, parameter, text).Studies)
		expect.Is(t, got, want, "%s=%s", parameter, text)
	}
}

// A place is found over all sites pooled, so that the city may be of one site
// and the state of another: only SEARCH[Location] keeps them together.
func TestPooledLocationsAgainstOneSite(t *testing.T) {
	t.Parallel()
	s := few(t)
	expect.Is(t, short(search(t, s, "query.locn", "Boston Massachusetts").Studies), "1 2", "pooled")
	one := "SEARCH[Location](AREA[LocationCity]Boston AND AREA[LocationState]Massachusetts)"
	expect.Is(t, short(search(t, s, "query.locn", one).Studies), "1", "one site")
}

func TestExpressionErrors(t *testing.T) {
	t.Parallel()
	const more, start = expectMore, expectTerm
	for _, tt := range []struct{ parameter, text, want string }{
		{"query.cond", "(asthma", "Conditions or disease: missing ')' at '<EOF>'"},
		{"query.term", "tolvaptan [diag:0]", "Other terms: mismatched input '[' expecting " + more},
		{"query.term", "EGFR[L858R]", "Other terms: mismatched input '[' expecting " + more},
		{"query.intr", "aspirin]", "Intervention / treatment: mismatched input ']' expecting " + more},
		{"query.locn", "Boston)", "Location terms: mismatched input ')' expecting " + more},
		{"query.titles", "()", "Title / acronym: mismatched input ')' expecting " + start},
		{"query.outc", "AND pain", "Outcome measure: mismatched input 'AND' expecting " + start},
		{"query.lead", "a AND OR b", "Lead sponsor: mismatched input 'OR' expecting " + start},
		{"query.spons", "a AND OR b", "Sponsor / collaborator: mismatched input 'OR' expecting " + start},
		{"filter.advanced", "a OR", "advanced filter: mismatched input '<EOF>' expecting " + start},
		{"query.locn", "Portland, OR", "Location terms: mismatched input '<EOF>' expecting " + start},
		{"query.term", "a NOT", "Other terms: mismatched input '<EOF>' expecting " + start},
		{"query.term", `say "hello`, `Other terms: token recognition error at: '"hello'`},
		{"query.term", `a\`, `Other terms: token recognition error at: '\'`},
		{"query.term", `asthma in \`, `Other terms: token recognition error at: '\'`},
		{"query.term", `asthma\\\`, `Other terms: token recognition error at: '\'`},
		{"query.term", "(a [b])", "Other terms: mismatched input '[' expecting " + more},
		{"query.term", "---", "Other terms: inner bool query clause cannot be null"},
		{"query.term", "a OR -", "Other terms: inner bool query clause cannot be null"},
		{"query.term", `NOT ""`, "Other terms: inner bool query clause cannot be null"},
		{"query.term", "MISSING", "Other terms: mismatched input 'MISSING' expecting " + start},
		{"filter.advanced", "AREA[X]a", "advanced filter: Unknown area name: `X`"},
		{"filter.advanced", "AREA[phase]a", "advanced filter: Unknown area name: `phase`"},
		{"filter.advanced", "AREA[Location]a", "advanced filter: Unknown area name: `Location`"},
		{"filter.advanced", "AREA[StudyType:size]1", "advanced filter: Unknown area name: `StudyType:size`"},
		{"filter.advanced", "AREA[Phase]PHASE5",
			"advanced filter: Allowed values for enum field `protocolSection.designModule.phases` are `NA`, `EARLY_PHASE1`, `PHASE1`, " +
				"`PHASE2`, `PHASE3`, `PHASE4`"},
		{"filter.advanced", "AREA[Phase](PHASE2 PHASE3)",
			"advanced filter: Allowed values for enum field `protocolSection.designModule.phases` are `NA`, `EARLY_PHASE1`, `PHASE1`, " +
				"`PHASE2`, `PHASE3`, `PHASE4`"},
		{"query.term", "AREA[StudyType]Interventional",
			"Other terms: Allowed values for enum field `protocolSection.designModule.studyType` are `EXPANDED_ACCESS`, " +
				"`INTERVENTIONAL`, `OBSERVATIONAL`"},
		{"filter.advanced", "AREA[Phase:size]two", "advanced filter: `two` is no number of values"},
		{"filter.advanced", "AREA[Phase", "advanced filter: missing ']' at '<EOF>'"},
		{"filter.advanced", "AREA[Phase]", "advanced filter: mismatched input '<EOF>' expecting " + start},
		{"filter.advanced", "AREA[Phase]NOT NA", "advanced filter: mismatched input 'NOT' expecting " + start},
		{"filter.advanced", "AREA[Phase]AREA[StudyType]NA", "advanced filter: mismatched input 'AREA' expecting " + start},
		{"filter.advanced", "AREA[StartDate]soon", "advanced filter: `soon` is no date yyyy-MM-dd"},
		{"filter.advanced", "AREA[StartDate]RANGE[01/01/2022, MAX]", "advanced filter: `01/01/2022` is no date yyyy-MM-dd"},
		{"filter.advanced", "AREA[StartDate]RANGE[2022]", "advanced filter: mismatched input ']' expecting ','"},
		{"filter.advanced", "AREA[StartDate]RANGE[2022,2023,2024]", "advanced filter: mismatched input ']' expecting ','"},
		{"filter.advanced", "AREA[EnrollmentCount]RANGE[few, MAX]", "advanced filter: `few` to `MAX` is no range of numbers"},
		{"filter.advanced", "RANGE[1, 2]", "advanced filter: the sandbox understands RANGE for one date, number or age piece only"},
		{"filter.advanced", "AREA[MinimumAge]RANGE[MIN, 16]", "advanced filter: `MIN` to `16` is no range of numbers"},
		{"filter.advanced", "AREA[LocationGeoPoint]DISTANCE[Boston,50mi]", "advanced filter: Invalid distance: Boston,50mi"},
		{"filter.advanced", "DISTANCE[42,-71,50mi]", "advanced filter: the sandbox understands DISTANCE for AREA[LocationGeoPoint] only"},
		{"filter.advanced", "SEARCH[Study](asthma)", "advanced filter: the sandbox understands SEARCH[Location] only, not within itself"},
		{"filter.advanced", "SEARCH[Location](SEARCH[Location](ALL))",
			"advanced filter: the sandbox understands SEARCH[Location] only, not within itself"},
		{"filter.advanced", "SEARCH[Location](Boston)", "advanced filter: the sandbox understands only AREA[...] inside SEARCH[Location]"},
		{"filter.advanced", "SEARCH[Location](AREA[Phase]NA)",
			"advanced filter: the sandbox understands only the areas of a location inside SEARCH[Location], not `Phase`"},
		{"filter.advanced", "SEARCH[Location]AREA[LocationZip]97201", "advanced filter: mismatched input 'AREA' expecting " + start},
		{"filter.advanced", "AREA[LocationCity]COVERAGE[FullMatc]Boston", "advanced filter: Invalid coverage: FullMatc"},
		{"filter.advanced", "AREA[LocationCity]COVERAGE[Contains]Boston",
			"advanced filter: the sandbox does not understand `COVERAGE[Contains]`"},
		{"query.term", "EXPANSION[None]asthma", "Other terms: the sandbox does not understand `EXPANSION[None]`"},
		{"query.term", strings.Repeat("(", 1000) + "a", "Other terms: the sandbox does not understand more than 64 nested parentheses"},
	} {
		_, err := ReadSearch(rawQuery(tt.parameter, tt.text))
		bad, _ := errors.AsType[BadRequest](err)
		if got := bad.Sentence("the sandbox"); got != "Error parsing query in "+tt.want {
			t.Errorf("%s=%s:\n got %s\nwant Error parsing query in %s", tt.parameter, tt.text, got, tt.want)
		}
	}
}

func TestSearchAreasNameRealPieces(t *testing.T) {
	t.Parallel()
	for name, area := range searchAreas() {
		falling := slices.IsSortedFunc(area.Pieces, func(a, b Weighted) int { return int(100*b.Weight - 100*a.Weight) })
		for i, w := range area.Pieces {
			expect.That(t, w.Piece != nil && !w.Piece.Parent, "%s: piece %d is no field", name, i)
		}
		expect.That(t, len(area.Pieces) != 0 && falling, "%s: empty, or its weights do not fall", name)
	}
	for _, q := range append(slices.Clone(queries), advancedFilter) {
		expect.That(t, q.defaultArea().Pieces[0].Piece != nil, "%s: no area %s", q.name, q.area)
	}
}

// FuzzQuery looks for an expression that breaks the parser, or whose nodes
// break over real-looking studies.
func FuzzQuery(f *testing.F) {
	for _, seed := range []string{
		"heart attack", `"a b" OR (c AND NOT d)`, "AREA[Phase]PHASE3 AND AREA[Phase:size]1", `a\(b\)\\`, `\`, `"`,
		"SEARCH[Location](AREA[LocationCity]Boston AND AREA[LocationState]MISSING)", "AREA[StartDate]RANGE[MIN,2022]",
		"AREA[EnrollmentCount]RANGE[1e309,NaN]", "NOT NOT NOT", "((((", "ALL MISSING", "a:b.c_d'e", "é\xff\x00", "AREA[X", "RANGE[,]",
		"- , /",
	} {
		f.Add(seed)
	}
	studies := few(f)
	f.Fuzz(func(t *testing.T, text string) {
		for _, q := range append(slices.Clone(queries), advancedFilter) {
			s, err := ReadSearch(rawQuery(q.name, text))
			if err != nil {
				expect.That(t, strings.HasPrefix(err.Error(), "Error parsing query in "+q.label+": "), "%q: %v", text, err)
				continue
			}
			if _, err := studies.Search(t.Context(), s); err != nil {
				t.Errorf("%q: %v", text, err)
			}
		}
	})
}

// FuzzWithin: a filter of places is refused, or a circle around a point.
func FuzzWithin(f *testing.F) {
	for _, seed := range []string{"distance(42.36,-71.06,50mi)", "distance(42.36,-71.06,50)", "distance(0,0,0.5km)", "distance(91,181,1km)",
		"distance(1,2,3m)", "distance(,,)"} {
		f.Add(seed)
	}
	studies := few(f)
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ReadSearch(rawQuery("filter.geo", text))
		if err != nil {
			return
		}
		if n, ok := s.Advanced.(Within); ok {
			expect.That(t, n.Kilometres >= 0, "%q: %v", text, n)
		}
		_, err = studies.Search(t.Context(), s)
		expect.NoError(t, err)
	})
}

// Random sequences of whole tokens reach deeper than random bytes.
func TestRandomTokensNeverPanic(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	studies := few(t)
	parts := []string{
		"asthma", "AND", "OR", "NOT", "ALL", "MISSING", "(", ")", "[", "]", `"a b"`, "AREA[Phase]", "PHASE3", "AREA[LocationCity]",
		"SEARCH[Location]", "(", "RANGE[MIN,MAX]", "AREA[StartDate]", "AREA[Phase:size]", "2", "2022", "-", `\`, "AREA[BasicSearch]",
		"COVERAGE[FullMatch]",
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		var text []string
		for range random.IntN(12) {
			text = append(text, parts[random.IntN(len(parts))])
		}
		s, err := ReadSearch(rawQuery("filter.advanced", strings.Join(text, " ")))
		if err != nil {
			continue
		}
		if _, err := studies.Search(t.Context(), s); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}
