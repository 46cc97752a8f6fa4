package essie_test

import (
	"testing"

	"github.com/biofact-mcp/biofact/internal/essie"
)

func TestPlace(t *testing.T) {
	t.Parallel()
	site := func(inner string) string { return "SEARCH[Location](" + inner + ")" }
	for _, tt := range []struct{ place, words, site string }{
		{place: "", words: ""},
		{place: "Boston", words: "Boston"},
		{place: "New York", words: "New York"},
		{place: "Massachusetts General Hospital", words: "Massachusetts General Hospital"},
		{place: "02115", words: "02115"},
		// abbreviations of a state or a country alone
		{place: "OR", words: "Oregon"},
		{place: "IN", words: "Indiana"},
		{place: "d.c.", words: "District of Columbia"},
		{place: " uk ", words: "United Kingdom"},
		{place: "U.S.A.", words: "United States"},
		{place: "ON", words: "Ontario"},
		{place: "Georgia", words: "Georgia"},
		// a city and a state
		{place: "Portland, OR", site: site("AREA[LocationCity]Portland AND AREA[LocationState]Oregon")},
		{place: "portland,or", site: site("AREA[LocationCity]portland AND AREA[LocationState]Oregon")},
		{place: "Boston, MA", site: site("AREA[LocationCity]Boston AND AREA[LocationState]Massachusetts")},
		{place: "  New   York ,  N.Y. ", site: site(`(AREA[LocationCity]"New York") AND (AREA[LocationState]"New York")`)},
		{place: "Washington, D.C.", site: site(`AREA[LocationCity]Washington AND (AREA[LocationState]"District of Columbia")`)},
		{place: "Toronto, ON", site: site("AREA[LocationCity]Toronto AND AREA[LocationState]Ontario")},
		// a city and a country, or a name that may be either
		{place: "London, UK", site: site(`AREA[LocationCity]London AND (AREA[LocationCountry]"United Kingdom")`)},
		{place: "Seoul, Korea", site: site(`AREA[LocationCity]Seoul AND (AREA[LocationCountry]"South Korea")`)},
		{place: "Paris, France", site: site("AREA[LocationCity]Paris AND (AREA[LocationState]France OR AREA[LocationCountry]France)")},
		{place: "Tbilisi, Georgia", site: site("AREA[LocationCity]Tbilisi AND (AREA[LocationState]Georgia OR AREA[LocationCountry]Georgia)")},
		{place: "Boston, Massachusetts, United States", site: site(`AREA[LocationCity]Boston AND AREA[LocationState]Massachusetts AND (AREA[LocationCountry]"United States")`)},
		{place: "Boston, MA, USA", site: site(`AREA[LocationCity]Boston AND AREA[LocationState]Massachusetts AND (AREA[LocationCountry]"United States")`)},
		// nothing in a name is syntax
		{place: `"Boston", MA`, site: site(`AREA[LocationCity]"\"Boston\"" AND AREA[LocationState]Massachusetts`)},
		{place: `O'Fallon, MO`, site: site(`AREA[LocationCity]"O'Fallon" AND AREA[LocationState]Missouri`)},
		{place: `Back\slash, MA`, site: site(`AREA[LocationCity]"Back\\slash" AND AREA[LocationState]Massachusetts`)},
		{place: "ALL, MISSING", site: site(`AREA[LocationCity]"ALL" AND (AREA[LocationState]"MISSING" OR AREA[LocationCountry]"MISSING")`)},
		{place: "NOT (here), [there]", site: site(`(AREA[LocationCity]"NOT (here)") AND (AREA[LocationState]"[there]" OR AREA[LocationCountry]"[there]")`)},
		{place: "Portland OR", words: `Portland "OR"`},
		{place: `5" Street (North) [x]`, words: `5\" Street North \[x\]`},
		// commas that part nothing
		{place: "1 Main St, Boston, MA, USA", words: "1 Main St Boston MA USA"},
		{place: "Portland, OR, 97201, USA", words: `Portland "OR" 97201 USA`},
		{place: ", Boston", words: "Boston"},
		{place: "-", words: ""},
		{place: ", -", words: ""},
	} {
		words, at := essie.Place(tt.place)
		if words != tt.words || at != tt.site {
			t.Errorf("Place(%q)\n got %q %q\nwant %q %q", tt.place, words, at, tt.words, tt.site)
		}
		parses(t, tt.place, "query.locn", words)
		parses(t, tt.place, "filter.advanced", at)
	}
}

// TestPlaceIsOneSite: in the embedded records Portland is in Oregon as well as
// in Maine, and never elsewhere at once.
func TestPlaceIsOneSite(t *testing.T) {
	t.Parallel()
	for _, places := range [][2]string{
		{"Boston, MA", "Boston, Massachusetts"},
		{"Boston, MA", "Boston, Massachusetts, United States"},
		{"London, UK", "London, United Kingdom"},
		{"Portland, OR", "Portland, Oregon"},
	} {
		var totals [2]int
		for i, place := range places {
			_, site := essie.Place(place)
			totals[i] = count(t, "filter.advanced", site)
		}
		if totals[0] != totals[1] || totals[0] == 0 {
			t.Errorf("%q: %d studies, %q: %d", places[0], totals[0], places[1], totals[1])
		}
	}
	_, nowhere := essie.Place("Boston, Oregon")
	if n := count(t, "filter.advanced", nowhere); n != 0 {
		t.Errorf("%d studies have a site in Boston, Oregon", n)
	}
}

// FuzzPlace: whatever place people name, upstream can read what comes of it,
// and it is words or one site, never both.
func FuzzPlace(f *testing.F) {
	for _, place := range []string{
		"Boston, MA", "Portland OR", "London, UK", "OR", "Washington, D.C.", `"x", [y]`, "a, b, c, d", ", -", `\, "`, "NOT, ALL", "':, _", "²,½", `Boston,"00`, "( !!!(!", "\xba\xff\x800",
	} {
		f.Add(place)
	}
	f.Fuzz(func(t *testing.T, place string) {
		words, site := essie.Place(place)
		if words != "" && site != "" {
			t.Errorf("%q: both %q and %q", place, words, site)
		}
		parses(t, place, "query.locn", words)
		parses(t, place, "filter.advanced", site)
	})
}
