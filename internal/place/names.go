package place

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/biofact-mcp/biofact/internal/boolean"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
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

// wordTable has a line for each word that has a meaning in a place: its kind, the word, a colon, and the meaning. A line of cities
// has the names of one city.
//
//go:embed words.txt
var wordTable string

var words = sync.OnceValue(func() map[[2]string]string {
	all := map[[2]string]string{}
	for line := range strings.Lines(wordTable) {
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if kind == "cities" {
			for name := range strings.SplitSeq(rest, ", ") {
				all[wordKey("city", name)] = rest
			}
			continue
		}
		name, meaning, _ := strings.Cut(rest, ": ")
		all[wordKey(kind, name)] = cmp.Or(meaning, name)
		if kind == "state" {
			all[wordKey("statename", meaning)] = meaning
		}
	}
	return all
})

// wordKey returns the key of a word of a kind. A name has the same key without accents, as people write Köln and Québec.
func wordKey(kind, name string) [2]string { return [2]string{kind, nameKey(entity.BasicLetters(name))} }

// word returns the meaning of a name as a word of a kind, "" if it is no such word.
func word(kind, name string) string { return words()[wordKey(kind, name)] }

func isWord(kind, name string) bool { return word(kind, name) != "" }

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
	full := cmp.Or(word("state", name), word("statename", name))
	return full, full != ""
}

var shortened = lazyregexp.New(`(?i)^(saint|st\.?|fort|ft\.?|mount|mt\.?) (.+)$`)

// Spellings returns the names of a city or facility in the records, the given one first: St. Louis and Saint Louis, Munich and München.
func Spellings(city string) []string {
	names := []string{city}
	if others := word("city", city); others != "" {
		return append(names, slices.DeleteFunc(strings.Split(others, ", "), func(other string) bool { return other == city })...)
	}
	for _, and := range [][2]string{{" & ", " and "}, {" and ", " & "}} {
		if strings.Contains(city, and[0]) {
			return append(names, strings.ReplaceAll(city, and[0], and[1]))
		}
	}
	m := shortened.FindStringSubmatch(city)
	if m == nil {
		return names
	}
	for _, pair := range [][2]string{{"Saint", "St"}, {"Fort", "Ft"}, {"Mount", "Mt"}} {
		if nameKey(m[1]) == nameKey(pair[0]) {
			return append(names, pair[1]+" "+m[2])
		}
		if nameKey(m[1]) == nameKey(pair[1]) {
			return append(names, pair[0]+" "+m[2])
		}
	}
	return names
}

var (
	negative    = lazyregexp.New(`(?i)^(?:[-!−–]\s*|(?:not|except|excluding|outside(?: of)?|anywhere but)\s+(?:in\s+)?)([\pL].*)$`)
	inBrackets  = lazyregexp.New(`^([^()]+) \(([^()]+)\)$`)
	zipBefore   = lazyregexp.New(`(?i)^(?:zip|postal|post)[ -]?(?:code)?:? *([0-9].*)$`)
	beforeUS    = lazyregexp.New(`(?i)^([^,]+?),? ([A-Z]\.?[A-Z]\.?),? (USA|U\.S\.A\.|US|U\.S\.|United States)$`)
	stateSuffix = lazyregexp.New(`(?i)^(?:(.+) state|state of (.+))$`)
	compass     = lazyregexp.New(`(?i)^(?:(?:north|south|east|west|northeast|northwest|southeast|southwest)(?:ern)?|central|upstate) (.+)$`)
)

// IsCountryOrState reports whether a name is that of a country or a state.
func IsCountryOrState(name string) bool {
	_, isState := stateOf(name)
	return isState || IsCountry(name)
}

// twoPlaces are names of both a city and a state, with an unambiguous form of each.
var twoPlaces = map[string][2]string{
	"newyork": {"New York City", "New York State"}, "washington": {"Washington, DC", "Washington State"},
}

var (
	joined      = lazyregexp.New(`(?i)\s+and\s+|\s*[&/]\s*`)
	institution = lazyregexp.New(`(?i)\b(?:hosp|h[oô]p|[ck]lini|univ|cent(?:er|re)|inst|college|school|medic|health|research|cancer|foundation)`)
)

// StateOf returns the name of the US state or Canadian province that a text names, and its country.
func StateOf(text string) (state, country string, ok bool) {
	state, ok = stateOf(text)
	if !ok {
		return "", "", false
	}
	if isWord("province", state) {
		return state, "Canada", true
	}
	return state, "USA", true
}

// CountryName returns the registry's name of the country that a name or a code means; "" if it means no country.
func CountryName(text string) string {
	if c, ok := countryOf(text); ok {
		return c.names[0]
	}
	return ""
}

func hasWords(name, words string) bool {
	name = nameKey(entity.WithoutAccents("a" + name)) // after "a", nameKey does not remove the article "the"
	return !slices.ContainsFunc(strings.Fields(words), func(w string) bool {
		return !strings.Contains(name, nameKey(entity.WithoutAccents(w)))
	})
}

// sameName reports whether two names are equal apart from accents, case and signs.
func sameName(a, b string) bool {
	return nameKey(a) == nameKey(b) || nameKey(entity.WithoutAccents(a)) == nameKey(entity.WithoutAccents(b))
}

var onlyCode = lazyregexp.New(`^ *[0-9]{4,6} *$`)

// WithCountry returns a postal code of digits with its country, as Read reads it, and any other text unchanged.
func WithCountry(text, country string) string {
	if !onlyCode.MatchString(text) || !IsCountry(country) {
		return text
	}
	return strings.TrimSpace(text) + ", " + country
}

// IsCountry reports whether a text is a name or a code of a country.
func IsCountry(name string) bool { return CountryName(name) != "" }

// inState reports whether a name or an abbreviation means the state of a record.
func inState(name, state string) bool {
	full, known := stateOf(name)
	return sameName(name, state) || known && sameName(full, state)
}

// inCountry reports whether a name or a code means the country of a record.
func inCountry(name, country string) bool {
	c, ok := countryOf(name)
	if !ok {
		return sameName(name, country)
	}
	other, _ := countryOf(country)
	return sameName(c.names[0], country) || len(other.names) > 0 && other.names[0] == c.names[0]
}

// postal matches a postal code.
var postal = lazyregexp.New(`^(?:[0-9]{4,6}(?:-[0-9]{3,4})?|[A-Za-z][0-9][A-Za-z] ?[0-9][A-Za-z][0-9])$`)

// normalized returns a place with its parts in the usual order and with commas: Boston, MA for "Boston (MA)" and "MA, Boston", England for
// "England, UK".
func normalized(text string) string {
	if m := zipBefore.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	parts := splitParts(text)
	if m := inBrackets.FindStringSubmatch(text); m != nil && IsCountryOrState(m[2]) && !IsCountry(parts[len(parts)-1]) {
		return m[1] + ", " + m[2]
	}
	if m := beforeUS.FindStringSubmatch(text); m != nil {
		if _, ok := region(m[2]); ok {
			return m[1] + ", " + strings.ToUpper(m[2]) + ", USA"
		}
	}
	if len(parts) == 2 && isWord("uk", parts[0]) && IsCountryOrState(parts[1]) {
		return parts[0]
	}
	if len(parts) == 2 && regionFirst(parts[0], parts[1]) && !IsCountryOrState(text) {
		return parts[1] + ", " + parts[0]
	}
	return text
}

// splitParts returns the parts of a place between commas.
func splitParts(text string) (parts []string) {
	for _, p := range strings.Split(text, ",") {
		parts = append(parts, strings.TrimSpace(p))
	}
	if last := len(parts) - 2; last > 0 && IsCountry(parts[last]+", "+parts[last+1]) { // Seoul, Korea, Republic of
		parts = append(parts[:last], parts[last]+", "+parts[last+1])
	}
	return parts
}

// regionFirst reports whether the first of two names is a region, and the second a place in it.
func regionFirst(first, second string) bool {
	_, city := twoPlaces[nameKey(first)]
	return IsCountryOrState(first) && !city && !IsCountryOrState(second) && !postal.MatchString(second)
}

// lacksRegion reports whether a text is no country or state, and does not end in one after a comma.
func lacksRegion(text string) bool {
	parts := splitParts(text)
	return !IsCountryOrState(parts[len(parts)-1])
}
