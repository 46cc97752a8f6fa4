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
	const (
		us     = `AREA[LocationCountry]"United States"`
		uk     = `AREA[LocationCountry]"United Kingdom"`
		korea  = `(AREA[LocationCountry]"South Korea") OR (AREA[LocationCountry]"Korea, Republic of")`
		boston = "SEARCH[Location](AREA[LocationCity]Boston AND AREA[LocationState]Massachusetts)"
	)
	for _, tt := range []struct{ place, words, site string }{
		{place: "Boston", words: "Boston"},
		{place: `"Mayo Clinic"`, words: `"Mayo Clinic"`},
		{place: "Bucuresti", words: "Bucuresti OR București OR Bucharest"},
		{place: "New York", site: `SEARCH[Location](((AREA[LocationState]"New York") AND (AREA[LocationCountry]"United States")) OR (AREA[LocationCity]"New York"))`},
		{place: "NYC", site: `AREA[LocationCity]"New York"`},
		{place: "02115", site: `SEARCH[Location](AREA[LocationZip]"02115" AND (AREA[LocationCountry]"United States"))`},
		{place: "St. Louis, MO", site: `SEARCH[Location](((AREA[LocationCity]"St. Louis") OR (AREA[LocationCity]"Saint Louis")) AND AREA[LocationState]Missouri)`},
		{place: "São Paulo, Brazil", site: `SEARCH[Location]((((AREA[LocationCity]"São Paulo") OR (AREA[LocationCity]"Sao Paulo")) OR (AREA[LocationState]"São Paulo")) AND AREA[LocationCountry]"Brazil")`},
		{place: "ME", site: `SEARCH[Location](AREA[LocationState]Maine AND (AREA[LocationCountry]"United States"))`},
		{place: "West Virginia", site: `SEARCH[Location]((AREA[LocationState]"West Virginia") AND (AREA[LocationCountry]"United States"))`},
		{place: "ON", site: `SEARCH[Location](AREA[LocationState]Ontario AND AREA[LocationCountry]"Canada")`},
		{place: "PR", site: `SEARCH[Location](((AREA[LocationState]"Puerto Rico") AND (AREA[LocationCountry]"United States")) OR (AREA[LocationCountry]"Puerto Rico"))`},
		{place: "Mayo Clinic", site: `SEARCH[Location]((AREA[LocationCity]"Mayo Clinic") OR (AREA[LocationState]"Mayo Clinic") OR (AREA[LocationCountry]"Mayo Clinic") OR (AREA[LocationFacility]"Mayo Clinic"))`},
		// countries, by the names that the registry has and had
		{place: " uk ", site: uk},
		{place: "U.S.A.", site: us},
		{place: "FR", site: `AREA[LocationCountry]"France"`},
		{place: "Korea, Republic of", site: korea},
		{place: "Türkiye", site: `(AREA[LocationCountry]"Turkey (Türkiye)") OR AREA[LocationCountry]"Turkey"`},
		{place: "Guinea", site: `AREA[LocationCountry]COVERAGE[FullMatch]"Guinea"`},
		{place: "Georgia", site: `SEARCH[Location]((AREA[LocationState]Georgia AND (AREA[LocationCountry]"United States")) OR AREA[LocationCountry]"Georgia")`},
		// a city and a state or a country, or a name that may be either
		{place: "Boston, MA", site: boston},
		{place: "Boston, MA, USA", site: `SEARCH[Location](AREA[LocationCity]Boston AND AREA[LocationState]Massachusetts AND (AREA[LocationCountry]"United States"))`},
		{place: "Toronto, ON", site: `SEARCH[Location](AREA[LocationCity]Toronto AND AREA[LocationState]Ontario)`},
		{place: "London, UK", site: `SEARCH[Location]((AREA[LocationCity]London OR AREA[LocationState]London) AND (AREA[LocationCountry]"United Kingdom"))`},
		{place: "Seoul, Korea", site: `SEARCH[Location]((AREA[LocationCity]Seoul OR AREA[LocationState]Seoul) AND ((AREA[LocationCountry]"South Korea") OR (AREA[LocationCountry]"Korea, Republic of")))`},
		{place: "Berlin, DE", site: `SEARCH[Location](AREA[LocationCity]Berlin AND (AREA[LocationState]Delaware OR AREA[LocationCountry]"Germany"))`},
		{place: "Tbilisi, Georgia", site: `SEARCH[Location](AREA[LocationCity]Tbilisi AND (AREA[LocationState]Georgia OR AREA[LocationCountry]"Georgia"))`},
		{place: "10117, Germany", site: `SEARCH[Location](AREA[LocationZip]"10117" AND AREA[LocationCountry]"Germany")`},
		{place: "Munich, Bavaria, Germany", site: `SEARCH[Location]((AREA[LocationCity]Munich OR AREA[LocationCity]München OR AREA[LocationCity]Muenchen OR AREA[LocationCity]Munchen) AND AREA[LocationState]Bavaria AND AREA[LocationCountry]"Germany")`},
		// several places
		{place: "Boston, MA OR Houston, TX", site: `SEARCH[Location]((AREA[LocationCity]Boston AND AREA[LocationState]Massachusetts) OR (AREA[LocationCity]Houston AND AREA[LocationState]Texas))`},
		{place: "France OR Oslo", site: `AREA[LocationCountry]"France" OR (AREA[LocationCity]Oslo OR AREA[LocationState]Oslo OR AREA[LocationCountry]Oslo OR AREA[LocationFacility]Oslo)`},
		// nothing in a name is syntax
		{place: `"Boston", MA`, site: `SEARCH[Location](AREA[LocationCity]"\"Boston\"" AND AREA[LocationState]Massachusetts)`},
		{place: `O'Fallon, MO`, site: `SEARCH[Location](AREA[LocationCity]"O'Fallon" AND AREA[LocationState]Missouri)`},
		{place: `Back\slash, MA`, site: `SEARCH[Location](AREA[LocationCity]"Back\\slash" AND AREA[LocationState]Massachusetts)`},
		{place: "ALL, MISSING", site: `SEARCH[Location](AREA[LocationCity]"ALL" AND AREA[LocationState]"MISSING")`},
		{place: "here [there], x", site: `SEARCH[Location]((AREA[LocationCity]"here [there]") AND AREA[LocationState]x)`},
	} {
		read, err := place.Read(tt.place)
		expect.NoError(t, err)
		inWords, inFilter := query.At(place.Readings(read), nil)
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
	_, filter := query.At(place.Readings(at), nil)
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
			inWords, inFilter := query.At(place.Readings(read), also(recruiting))
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
