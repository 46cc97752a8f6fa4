package place

import (
	"cmp"
	_ "embed" // the table of countries
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/biofact-mcp/biofact/internal/boolean"
)

// A country has the names that the registry uses. The registry changed some of them in 2025, and a record may have the old or the new one.
type country struct {
	names []string
	// code reports that the given name was the code of the country, such as FR.
	code bool
}

// CountryNames returns the names that the registry uses and has used for a country. exact reports for each whether it is part of the name
// of another country. Both are empty for an unknown country.
func CountryNames(country string) (names []string, exact []bool) {
	c, _ := countryOf(country)
	for _, n := range c.names {
		exact = append(exact, countries().partOfOther[n])
	}
	return c.names, exact
}

// countryTable has a line for each country: the names of the registry, a colon, and other names, the ISO code first.
//
//go:embed countries.txt
var countryTable string

type countryNames struct {
	byKey       map[string]country
	partOfOther map[string]bool // names that are part of the name of another country
}

var countries = sync.OnceValue(func() countryNames {
	t := countryNames{byKey: map[string]country{}, partOfOther: map[string]bool{}}
	var all []country
	for line := range strings.Lines(strings.TrimSpace(countryTable)) {
		registered, others, _ := strings.Cut(strings.TrimSpace(line), ": ")
		c := country{names: strings.Split(registered, "|")}
		for i, name := range append(strings.Split(others, ", "), c.names...) {
			c.code = i == 0
			t.byKey[nameKey(name)] = c
		}
		for _, known := range all {
			t.markContained(known, c)
			t.markContained(c, known)
		}
		all = append(all, c)
	}
	return t
})

// markContained marks the names of one country that are part of a name of the other.
func (t countryNames) markContained(one, other country) {
	for _, name := range one.names {
		if slices.ContainsFunc(other.names, func(o string) bool { return contains(o, name) }) {
			t.partOfOther[name] = true
		}
	}
}

// contains reports whether inner occurs in a name as one or several whole words.
func contains(name, inner string) bool {
	return strings.Contains(" "+strings.NewReplacer("-", " ", ",", " ").Replace(name)+" ", " "+inner+" ")
}

// wordTable has a line for each word that has a meaning in a place: its kind, the word, a colon, and the meaning.
//
//go:embed words.txt
var wordTable string

var words = sync.OnceValue(func() map[[2]string]string {
	all := map[[2]string]string{}
	for line := range strings.Lines(wordTable) {
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		name, meaning, _ := strings.Cut(rest, ": ")
		all[[2]string{kind, nameKey(name)}] = cmp.Or(meaning, name)
		if kind == "state" {
			all[[2]string{"statename", nameKey(meaning)}] = meaning
		}
	}
	return all
})

// word returns the meaning of a name as a word of a kind, "" if it is no such word.
func word(kind, name string) string { return words()[[2]string{kind, nameKey(name)}] }

// isWord reports whether a name is a word of a kind.
func isWord(kind, name string) bool { return word(kind, name) != "" }

// Names returns the known names of countries, states and cities.
func Names() (names []string) {
	for _, c := range countries().byKey {
		names = append(names, c.names[0])
	}
	for key, meaning := range words() {
		if key[0] == "statename" || key[0] == "city" {
			names = append(names, strings.Split(meaning, ", ")...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// countryOf returns the country that a name or code means.
func countryOf(name string) (country, bool) {
	c, ok := countries().byKey[nameKey(name)]
	return c, ok
}

// nameKey returns the letters and digits of a name in lower case, without the article: Republic of Korea, U.K., the Netherlands.
func nameKey(name string) string {
	name = strings.TrimPrefix(strings.ToLower(strings.TrimSpace(name)), "the ")
	return strings.Map(func(r rune) rune {
		if boolean.LetterOrDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// region returns the name of a US state or a Canadian province for its postal abbreviation.
func region(abbreviation string) (string, bool) {
	name := word("state", abbreviation)
	return name, name != ""
}

// stateOf returns a US state or a Canadian province by name or abbreviation.
func stateOf(name string) (string, bool) {
	if full, ok := region(name); ok {
		return full, true
	}
	full := word("statename", name)
	return full, full != ""
}
