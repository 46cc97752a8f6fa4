package query_test

import (
	"errors"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/place"
	"github.com/biofact-mcp/biofact/internal/query"
)

func TestPlace(t *testing.T) {
	t.Parallel()
	site := func(inner string) string { return "SEARCH[Location](" + inner + ")" }
	const (
		us      = `AREA[LocationCountry]"United States"`
		uk      = `AREA[LocationCountry]"United Kingdom"`
		korea   = `(AREA[LocationCountry]"South Korea") OR (AREA[LocationCountry]"Korea, Republic of")`
		georgia = `AREA[LocationCountry]"Georgia"`
		boston  = "SEARCH[Location](AREA[LocationCity]Boston AND AREA[LocationState]Massachusetts)"
		inUS    = " AND (" + us + ")"
		houston = "SEARCH[Location](AREA[LocationCity]Houston AND AREA[LocationState]Texas)"
	)
	for _, tt := range []struct{ place, words, site string }{
		{place: "", words: ""},
		{place: "Boston", words: "Boston"},
		{place: "New York", site: `(AREA[LocationCity]"New York") OR (AREA[LocationState]"New York")`},
		{place: "NYC", site: `AREA[LocationCity]"New York"`},
		{place: "New York City", site: `AREA[LocationCity]"New York"`},
		{place: "New York State", site: `AREA[LocationState]"New York"`},
		{place: "Gothenburg", words: "Gothenburg OR Göteborg"}, {place: "Bucuresti", words: "Bucuresti OR Bucharest OR București"},
		{place: "St. Louis, MO", site: site(`((AREA[LocationCity]"St. Louis") OR (AREA[LocationCity]"Saint Louis")) AND AREA[LocationState]Missouri`)},
		{place: "England, UK", site: uk},
		{place: "Korea South", site: korea},
		{place: "Seoul, Korea South", site: site("(AREA[LocationCity]Seoul OR AREA[LocationState]Seoul) AND (" + korea + ")")},
		{place: "ME", site: site("AREA[LocationState]Maine" + inUS)},
		{place: "zip 02115", words: "02115"},
		{place: "Boston (MA)", site: boston},
		{place: "MA, Boston", site: boston},
		{place: "boston ma usa", site: site("AREA[LocationCity]boston AND AREA[LocationState]Massachusetts AND (" + us + ")")},
		{place: "Suisse", site: `AREA[LocationCountry]"Switzerland"`},
		{place: "northern France", site: `AREA[LocationCountry]"France"`},
		{place: "Southern California", site: site("AREA[LocationState]California" + inUS)},
		// several words are at one site, in one name or split between two
		{place: "Paris France", site: site(`((AREA[LocationCity]"Paris France") OR (AREA[LocationState]"Paris France") OR (AREA[LocationCountry]"Paris France") OR (AREA[LocationFacility]"Paris France")) OR ((AREA[LocationFacility]Paris OR AREA[LocationCity]Paris) AND ((AREA[LocationCity]France OR AREA[LocationState]France) OR AREA[LocationCountry]"France"))`)},
		{place: `"Mayo Clinic"`, words: `"Mayo Clinic"`},
		{place: "02115", words: "02115"},
		{place: "in Boston", words: "Boston"},
		// abbreviations of a state alone
		{place: "OR", site: site("AREA[LocationState]Oregon" + inUS)},
		{place: "IN", site: site("AREA[LocationState]Indiana" + inUS)},
		{place: "MA", site: site("AREA[LocationState]Massachusetts" + inUS)},
		{place: "d.c.", site: site(`(AREA[LocationState]"District of Columbia")` + inUS)},
		{place: "GA", site: site("AREA[LocationState]Georgia" + inUS)},
		{place: "West Virginia", site: site(`(AREA[LocationState]"West Virginia")` + inUS)},
		{place: "wv", site: site(`(AREA[LocationState]"West Virginia")` + inUS)},
		{place: "Texas or Ohio", site: "(" + site("AREA[LocationState]Texas"+inUS) + ") OR (" + site("AREA[LocationState]Ohio"+inUS) + ")"},
		{place: "ON", words: "Ontario"},
		{place: "PR", site: `(AREA[LocationState]"Puerto Rico") OR (AREA[LocationCountry]"Puerto Rico")`},
		// countries, by the names that the registry has and had
		{place: " uk ", site: uk},
		{place: "England", site: uk},
		{place: "U.S.A.", site: us},
		{place: "the United States", site: us},
		{place: "France", site: `AREA[LocationCountry]"France"`},
		{place: "FR", site: `AREA[LocationCountry]"France"`},
		{place: "South Korea", site: korea},
		{place: "Korea, Republic of", site: korea},
		{place: "Türkiye", site: `(AREA[LocationCountry]"Turkey (Türkiye)") OR AREA[LocationCountry]"Turkey"`},
		{place: "Czech Republic", site: `AREA[LocationCountry]"Czechia" OR (AREA[LocationCountry]"Czech Republic")`},
		{place: "Guinea", site: `AREA[LocationCountry]COVERAGE[FullMatch]"Guinea"`},
		{place: "Trinidad and Tobago", site: `AREA[LocationCountry]"Trinidad and Tobago"`},
		{place: "Republic of Georgia", site: georgia},
		{place: "Georgia", site: "AREA[LocationState]Georgia OR " + georgia},
		// a city and a state
		{place: "Portland, OR", site: site("AREA[LocationCity]Portland AND AREA[LocationState]Oregon")},
		{place: "Portland OR", site: site("AREA[LocationCity]Portland AND AREA[LocationState]Oregon")},
		{place: "portland,or", site: site("AREA[LocationCity]portland AND AREA[LocationState]Oregon")},
		{place: "Boston, MA", site: boston},
		{place: "Boston, MA 02115", site: boston},
		{place: "Boston MA 02115-1234", site: boston},
		{place: "Boston, MA, 02115", site: boston},
		{place: "near Boston, MA", site: boston},
		{place: "within 50 miles of Boston, MA", site: boston},
		{place: "Boston, MA (25 km)", site: boston},
		{place: "  New   York ,  N.Y. ", site: site(`(AREA[LocationCity]"New York") AND (AREA[LocationState]"New York")`)},
		{place: "NYC, NY", site: site(`(AREA[LocationCity]"New York") AND (AREA[LocationState]"New York")`)},
		{place: "Washington, D.C.", site: site(`AREA[LocationCity]Washington AND (AREA[LocationState]"District of Columbia")`)},
		{place: "Washington DC", site: site(`AREA[LocationCity]Washington AND (AREA[LocationState]"District of Columbia")`)},
		{place: "Toronto, ON", site: site("AREA[LocationCity]Toronto AND AREA[LocationState]Ontario")},
		{place: "Toronto, ON M5G 2C4", site: site("AREA[LocationCity]Toronto AND AREA[LocationState]Ontario")},
		{place: "Kansas City, Missouri", site: site(`(AREA[LocationCity]"Kansas City") AND AREA[LocationState]Missouri`)},
		// a city or a state and a country, or a name that may be either
		{place: "London, UK", site: site("(AREA[LocationCity]London OR AREA[LocationState]London) AND (" + uk + ")")},
		{place: "London, England", site: site("(AREA[LocationCity]London OR AREA[LocationState]London) AND (" + uk + ")")},
		{place: "Edinburgh, Scotland, UK", site: site("(AREA[LocationCity]Edinburgh OR AREA[LocationState]Edinburgh) AND (" + uk + ")")},
		{place: "Seoul, Korea", site: site("(AREA[LocationCity]Seoul OR AREA[LocationState]Seoul) AND (" + korea + ")")},
		{place: "Paris, France", site: site(`(AREA[LocationCity]Paris OR AREA[LocationState]Paris) AND AREA[LocationCountry]"France"`)},
		{place: "75013 Paris, FR", site: site(`(AREA[LocationCity]Paris OR AREA[LocationState]Paris) AND AREA[LocationCountry]"France"`)},
		{place: "Georgia, United States", site: site("(AREA[LocationCity]Georgia OR AREA[LocationState]Georgia) AND (" + us + ")")},
		{place: "Berlin, DE", site: site(`AREA[LocationCity]Berlin AND (AREA[LocationState]Delaware OR AREA[LocationCountry]"Germany")`)},
		{place: "Tbilisi, Georgia", site: site("AREA[LocationCity]Tbilisi AND (AREA[LocationState]Georgia OR " + georgia + ")")},
		{place: "Atlanta, GA", site: site("AREA[LocationCity]Atlanta AND AREA[LocationState]Georgia")},
		{place: "Hong Kong, China", site: `AREA[LocationCountry]"Hong Kong"`},
		{place: "Boston, Massachusetts, United States",
			site: site("AREA[LocationCity]Boston AND AREA[LocationState]Massachusetts AND (" + us + ")")},
		{place: "Boston, MA, USA", site: site("AREA[LocationCity]Boston AND AREA[LocationState]Massachusetts AND (" + us + ")")},
		{place: "Boston, MA 02115, USA", site: site("AREA[LocationCity]Boston AND AREA[LocationState]Massachusetts AND (" + us + ")")},
		// a facility and its city
		{place: "Mayo Clinic, Rochester, MN",
			site: site(`(AREA[LocationFacility]"Mayo Clinic") AND AREA[LocationCity]Rochester AND AREA[LocationState]Minnesota`)},
		{place: "Charité, Berlin, Germany",
			site: site(`((AREA[LocationCity]Charité AND AREA[LocationState]Berlin) OR (AREA[LocationFacility]Charité AND AREA[LocationCity]Berlin)) AND AREA[LocationCountry]"Germany"`)},
		{place: "Mayo Clinic, Rochester, MN, USA",
			site: site(`(AREA[LocationFacility]"Mayo Clinic") AND AREA[LocationCity]Rochester AND AREA[LocationState]Minnesota AND (` +
				us + ")")},
		{place: "Emory Hospital, Atlanta, Georgia",
			site: site(`(((AREA[LocationCity]"Emory Hospital") AND AREA[LocationState]Atlanta) AND ` + georgia +
				`) OR (((AREA[LocationFacility]"Emory Hospital") AND AREA[LocationCity]Atlanta) AND ` + georgia +
				`) OR (((AREA[LocationFacility]"Emory Hospital") AND AREA[LocationCity]Atlanta) AND AREA[LocationState]Georgia)`)},
		// several places
		{place: "Boston, MA or Houston, TX", site: "(" + boston + ") OR (" + houston + ")"},
		{place: "Boston, MA OR Houston, TX", site: "(" + boston + ") OR (" + houston + ")"},
		{place: "Boston, MA; Houston, TX", site: "(" + boston + ") OR (" + houston + ")"},
		{place: "Boston, MA AND Houston, TX", site: "(" + boston + ") AND (" + houston + ")"},
		{place: "Boston, MA NOT Houston, TX", site: "(" + boston + ") AND (NOT (" + houston + "))"},
		{place: "NOT (Boston, MA OR France)", site: "NOT ((" + boston + `) OR AREA[LocationCountry]"France")`},
		{place: "France or Oslo", site: `AREA[LocationCountry]"France" OR (AREA[LocationCity]Oslo OR AREA[LocationState]Oslo OR AREA[LocationCountry]Oslo OR AREA[LocationFacility]Oslo)`},
		// nothing in a name is syntax
		{place: `"Boston", MA`, site: site(`AREA[LocationCity]"\"Boston\"" AND AREA[LocationState]Massachusetts`)},
		{place: `O'Fallon, MO`, site: site(`AREA[LocationCity]"O'Fallon" AND AREA[LocationState]Missouri`)},
		{place: `Back\slash, MA`, site: site(`AREA[LocationCity]"Back\\slash" AND AREA[LocationState]Massachusetts`)},
		{place: "ALL, MISSING", site: site(`(AREA[LocationCity]"ALL" AND AREA[LocationState]"MISSING") OR (AREA[LocationCity]"ALL" AND AREA[LocationCountry]"MISSING") OR (AREA[LocationFacility]"ALL" AND AREA[LocationCity]"MISSING")`)},
		{place: "here [there], x",
			site: site(`((AREA[LocationCity]"here [there]") AND AREA[LocationState]x) OR ((AREA[LocationCity]"here [there]") AND AREA[LocationCountry]x) OR ((AREA[LocationFacility]"here [there]") AND AREA[LocationCity]x)`)},
		// commas that part nothing
		{place: ", Boston", words: "Boston"},
		{place: "-", words: ""},
		{place: ", -", words: ""},
	} {
		read, err := place.Read(tt.place)
		expect.NoError(t, err)
		inWords, inFilter := query.At(read, nil)
		words, filter := textOf(inWords), textOf(inFilter)
		expect.That(t, words == tt.words && filter == tt.site, "%q\n got %q %q\nwant %q %q", tt.place, words, filter, tt.words, tt.site)
		parses(t, tt.place, "query.locn", words)
		parses(t, tt.place, "filter.advanced", filter)
	}
}

// TestPlaceIsOneSite: in the embedded records Portland is in Oregon and in Maine, and one site is never in both.
func TestPlaceIsOneSite(t *testing.T) {
	t.Parallel()
	for _, places := range [][2]string{
		{"Boston, MA", "Boston, Massachusetts"},
		{"Boston, MA", "Boston, Massachusetts, United States"},
		{"London, UK", "London, United Kingdom"},
		{"Portland, OR", "Portland, Oregon"},
	} {
		var totals [2]int
		for i, text := range places {
			totals[i] = count(t, "filter.advanced", filterOf(t, text))
		}
		if totals[0] != totals[1] || totals[0] == 0 {
			t.Errorf("%q: %d studies, %q: %d", places[0], totals[0], places[1], totals[1])
		}
	}
	if n := count(t, "filter.advanced", filterOf(t, "Boston, Oregon")); n != 0 {
		t.Errorf("%d studies have a site in Boston, Oregon", n)
	}
}

func filterOf(t *testing.T, text string) string {
	t.Helper()
	at, err := place.Read(text)
	expect.NoError(t, err)
	_, filter := query.At(at, nil)
	return textOf(filter)
}

// FuzzPlace: for any place, upstream can read the result, which is words or a filter and never both.
func FuzzPlace(f *testing.F) {
	for _, text := range []string{
		"Boston, MA", "Portland OR", "London, UK", "OR", "Washington, D.C.", `"x", [y]`, "a, b, c, d", ", -", `\, "`, "NOT, ALL", "near me",
		"within 5 mi of X, Y", "a or b; c", "Georgia", "Boston MA 02115", "x and y, z", "':, _", "²,½", `Boston,"00`, "( !!!(!",
		"\xba\xff\x800", "NOT (a OR b) AND c", "(a OR (b)) NOT d or e", "42.36,-71.06 OR x",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		read, err := place.Read(text)
		if err != nil {
			_, isProblem := errors.AsType[*place.Problem](err)
			expect.That(t, isProblem, "%q: %v", text, err)
			return
		}
		for _, recruiting := range []bool{false, true} {
			inWords, inFilter := query.At(read, also(recruiting))
			words, filter := textOf(inWords), textOf(inFilter)
			expect.That(t, words == "" || filter == "", "%q: both %q and %q", text, words, filter)
			parses(t, text, "query.locn", words)
			parses(t, text, "filter.advanced", filter)
		}
	})
}

// also returns the condition that the site of a place recruits, nil for any site.
func also(recruiting bool) query.Node {
	if recruiting {
		return query.RecruitingSite()
	}
	return nil
}
