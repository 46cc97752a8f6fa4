package place

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/biofact-mcp/biofact/internal/entity"
)

const unitedStates = "United States"

// countryTable has a line for each country: the names of the registry, a colon, and other names, the ISO code first.
//
//go:embed countries.txt
var countryTable string

type countryNames struct {
	byKey       map[string][]string // names of the registry by the key of any name; it changed some of them in 2025
	partOfOther map[string]bool     // names that are part of the name of another country
}

var countries = sync.OnceValue(func() countryNames {
	t := countryNames{byKey: map[string][]string{}, partOfOther: map[string]bool{}}
	var all []string
	for line := range strings.Lines(strings.TrimSpace(countryTable)) {
		registered, others, _ := strings.Cut(strings.TrimSpace(line), ": ")
		names := strings.Split(registered, "|")
		for _, name := range append(strings.Split(others, ", "), names...) {
			t.byKey[key(name)] = names
		}
		for _, name := range names {
			for _, other := range all {
				t.partOfOther[name] = t.partOfOther[name] || contains(other, name)
				t.partOfOther[other] = t.partOfOther[other] || contains(name, other)
			}
		}
		all = append(all, names...)
	}
	return t
})

// contains reports whether inner occurs in a name as one or several whole words.
func contains(name, inner string) bool {
	return strings.Contains(" "+strings.NewReplacer("-", " ", ",", " ").Replace(name)+" ", " "+inner+" ")
}

// wordTable has a line for each word that has a meaning in a place: its kind, the word, a colon, and the meaning. A line of cities
// has the names that sites have for one city, and a line of spellings those of a part of such a name.
//
//go:embed words.txt
var wordTable string

type kindAndKey struct{ kind, key string }

var words = sync.OnceValue(func() map[kindAndKey]string {
	all := map[kindAndKey]string{}
	for line := range strings.Lines(wordTable) {
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		name, meaning, _ := strings.Cut(rest, ": ")
		switch kind {
		case "cities", "spellings":
			for name := range strings.SplitSeq(rest, ", ") {
				all[kindAndKey{kind, key(name)}] = rest
			}
		case "state", "province":
			all[kindAndKey{"state", key(name)}], all[kindAndKey{"state", key(meaning)}] = meaning, meaning
			all[kindAndKey{kind, key(meaning)}] = meaning
		default:
			all[kindAndKey{kind, key(name)}] = cmp.Or(meaning, name)
		}
	}
	return all
})

// word returns the meaning of a name as a word of a kind, "" if it is no such word.
func word(kind, name string) string { return words()[kindAndKey{kind, key(name)}] }

func isWord(kind, name string) bool { return word(kind, name) != "" }

// key returns the letters and digits of a name in lower case, without accents and without the article: Republic of Korea, U.K., the
// Netherlands, Köln.
func key(name string) string {
	name = strings.TrimPrefix(entity.BasicLetters(strings.TrimSpace(name)), "the ")
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, name)
}

// CountryNames returns the names that the registry uses and has used for a country. exact reports for each whether it is part of the name
// of another country. Both are empty for an unknown country.
func CountryNames(country string) (names []string, exact []bool) {
	names = countries().byKey[key(country)]
	for _, n := range names {
		exact = append(exact, countries().partOfOther[n])
	}
	return names, exact
}

// CountryName returns the registry's name of the country that a name or a code means; "" if it means no country.
func CountryName(text string) string {
	if names := countries().byKey[key(text)]; len(names) > 0 {
		return names[0]
	}
	return ""
}

// IsCountry reports whether a text is a name or a code of a country.
func IsCountry(name string) bool { return CountryName(name) != "" }

// stateNamed returns the US state or Canadian province that a name or an abbreviation means; "" if it means none.
func stateNamed(name string) string { return word("state", name) }

func isState(name string) bool { return stateNamed(name) != "" }

// IsCountryOrState reports whether a name is that of a country or a state.
func IsCountryOrState(name string) bool { return isState(name) || IsCountry(name) }

// StateOf returns the name of the US state or Canadian province that a text names, and its country; both are empty for any other text.
func StateOf(text string) (state, country string) {
	if state = stateNamed(text); state == "" {
		return "", ""
	}
	return state, countryOfState(state)
}

func countryOfState(state string) string {
	if isWord("province", state) {
		return "Canada"
	}
	return unitedStates
}

// isAbbreviation reports whether a name of a state or a country is an abbreviation of two letters.
func isAbbreviation(name string) bool { return len(key(name)) == 2 }

// Spellings returns the names that sites have for a city, the given one first: St. Louis and Saint Louis, Munich and München, São
// Paulo and Sao Paulo.
func Spellings(city string) []string {
	names := []string{city}
	for name := range strings.SplitSeq(word("cities", city), ", ") {
		names = append(names, name)
	}
	first, rest, several := strings.Cut(city, " ")
	for short := range strings.SplitSeq(word("spellings", first), ", ") {
		if several && short != "" && key(short) != key(first) {
			names = append(names, short+" "+rest)
		}
	}
	if clean := entity.WithoutAccents(city); clean != city {
		names = append(names, clean)
	}
	for _, and := range [][2]string{{" & ", " and "}, {" and ", " & "}} {
		if strings.Contains(city, and[0]) {
			names = append(names, strings.ReplaceAll(city, and[0], and[1]))
		}
	}
	names = slices.DeleteFunc(names, func(name string) bool { return name == "" })
	for i := 0; i < len(names); i++ {
		same := func(other string) bool { return strings.EqualFold(other, names[i]) }
		names = append(names[:i+1], slices.DeleteFunc(names[i+1:], same)...)
	}
	return names
}

// Countries returns the registry's names of countries.
func Countries() (names []string) {
	for _, c := range countries().byKey {
		names = append(names, c[0])
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Names returns the known names of countries, states and cities.
func Names() (names []string) {
	names = Countries()
	for k, meaning := range words() {
		if k.kind == "state" || k.kind == "cities" {
			names = append(names, strings.Split(meaning, ", ")...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Name returns city, state and country of a site.
func Name(site *entity.TrialLocation) string {
	parts := []string{site.City, site.State, site.Country}
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), ", ")
}

// Matches reports whether the record of a site has the names of one of the readings of the place.
func (p Place) Matches(site *entity.TrialLocation) bool {
	return slices.ContainsFunc(p.Read, func(r Reading) bool { return r.Matches(site) })
}

// Matches reports whether the record of a site has all names of the reading. A record may have several names as its city: "Tokyo,
// Minato-ku", "Kingston, New York".
func (r Reading) Matches(site *entity.TrialLocation) bool {
	parts := strings.Split(site.City, ",")
	cities := append([]string{site.City}, parts[0])
	for _, part := range parts[1:] {
		if !IsCountryOrState(part) {
			cities = append(cities, part)
		}
	}
	among := func(names []string, requested ...string) bool {
		return slices.ContainsFunc(requested, func(w string) bool {
			return slices.ContainsFunc(names, func(name string) bool { return key(name) == key(w) })
		})
	}
	states := func(names ...string) (full []string) {
		for _, name := range names {
			full = append(full, cmp.Or(stateNamed(name), name))
		}
		return full
	}
	return (r.Words == "" || among(append(cities, site.FacilityName, site.State, site.Country), Spellings(r.Words)...)) &&
		(r.City == "" || among(cities, Spellings(r.City)...)) &&
		(r.State == "" || among(states(append(parts, site.State)...), states(r.State)...)) &&
		(r.Country == "" || among([]string{cmp.Or(CountryName(site.Country), site.Country)}, cmp.Or(CountryName(r.Country), r.Country))) &&
		(r.Postal == "" || codeKey(site.Zip) == codeKey(r.Postal))
}
