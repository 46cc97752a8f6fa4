package essie

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/biofact-mcp/biofact/internal/boolean"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// A City is a city with the states and countries that contain it, the smallest first.
type City struct {
	Name    string
	Regions []string

	text string // as given
}

// ReadCity reads "City", "City, State" and "City, Country", with words before it such as "near", and "Facility, City, State". The only
// error is PlaceError.
func ReadCity(text string) (City, error) {
	text = strings.Join(strings.Fields(text), " ")
	given := text
	if places, _ := alternatives(text); len(places) > 1 {
		return City{}, &PlaceError{Reason: quote(excerpt(text)) + " names several places", Instead: places[0]}
	}
	text = normalized(strings.TrimRight(text, ", "))
	if err := refusedPlace(text); err != nil {
		return City{}, err
	}
	name, _ := placeCenter(text)
	if err := checkSpecific(text, name); err != nil {
		return City{}, err
	}
	var parts []string
	for _, p := range splitParts(name) {
		if m := withPostal.FindStringSubmatch(p); m != nil {
			p = m[1] + m[2]
		}
		if !postal.MatchString(p) && strings.ContainsFunc(p, boolean.LetterOrDigit) {
			parts = append(parts, p)
		}
	}
	switch {
	case len(parts) == 0 || !strings.ContainsFunc(parts[0], unicode.IsLetter):
		return City{}, &PlaceError{Reason: quote(excerpt(text)) + " names no city", Instead: "Boston, MA"}
	case len(parts) == 1:
		parts = splitState(parts[0])
		if len(parts) == 1 {
			parts = splitLowerState(parts[0])
		}
	case len(parts) > 2:
		parts = withoutFacility(parts)
	}
	if city := nicknames[nameKey(parts[0])]; city != "" {
		parts[0] = city
	}
	return City{Name: parts[0], Regions: parts[1:], text: given}, nil
}

var onlyDistance = lazyregexp.New(`(?i)^(?:within )?` + distance + `$`)

// SplitDistance splits a text such as "20 miles from Boston, MA" into the place and the distance. Both are empty if the text does not have
// both.
func SplitDistance(text string) (place, far string) {
	text = strings.Join(strings.Fields(text), " ")
	if onlyDistance.MatchString(text) {
		return "", ""
	}
	for _, words := range []*lazyregexp.Regexp{about, aboutAfter} {
		if m := words.FindStringSubmatch(text); m != nil {
			return m[1], strings.ReplaceAll(aDistance.FindString(text), ",", ".")
		}
	}
	return "", ""
}

// splitLowerState splits the abbreviation of a state from the city before it, in a text without capital letters: boston ma.
func splitLowerState(text string) []string {
	if i := strings.LastIndexByte(text, ' '); i > 0 && text == strings.ToLower(text) && len(text)-i == len(" ma") {
		if _, ok := region(text[i+1:]); ok {
			return []string{text[:i], strings.ToUpper(text[i+1:])}
		}
	}
	return []string{text}
}

// withoutFacility returns city, state and country of three parts or more. It leaves out a region that is not a state of the United States
// or Canada, such as Bavaria.
func withoutFacility(parts []string) []string {
	before, last := parts[len(parts)-2], parts[len(parts)-1]
	_, inState := stateOf(before)
	_, lastState := stateOf(last)
	switch {
	case inState:
		return parts[len(parts)-3:]
	case IsCountry(last) && !lastState && len(parts) == 3:
		return []string{parts[0], last}
	}
	return parts[len(parts)-2:]
}

// Filter returns the expression for trials with a site in the city.
func (c City) Filter() string {
	if len(c.Regions) == 0 {
		return inCity(c.Name)
	}
	around := []string{inCity(c.Name)}
	for _, name := range c.Regions {
		around = append(around, inRegion(name))
	}
	return OneSite(around...)
}

// Has reports whether a site is in the city. The texts are those of a record, whose city may also be written with its state or country, as
// the caller gave the place.
func (c City) Has(city, state, country string) bool {
	return sameName(c.text, city) || slices.ContainsFunc(spellings(c.Name), func(name string) bool { return sameName(name, city) }) &&
		!slices.ContainsFunc(c.Regions, func(name string) bool { return !InState(name, state) && !InCountry(name, country) })
}

// HasPart reports whether a site is in the city, or in a city with a comma of which the city is one part, as in "Tokyo, Minato-ku". A state
// or country after a comma is not such a part: "Kingston, New York".
func (c City) HasPart(city, state, country string) bool {
	if c.Has(city, state, country) {
		return true
	}
	parts := slices.DeleteFunc(strings.Split(city, ","), func(p string) bool { return nameKey(p) == "" })
	if len(parts) < 2 {
		return false
	}
	names := slices.Clone(parts[:1])
	for _, p := range parts[1:] {
		if !IsCountryOrState(strings.TrimSpace(p)) {
			names = append(names, p)
		}
	}
	return slices.ContainsFunc(names, func(p string) bool { return City{Name: c.Name}.Has(p, "", "") }) &&
		!slices.ContainsFunc(c.Regions, func(around string) bool {
			isPart := func(p string) bool { return sameName(around, p) || InState(around, p) }
			return !InState(around, state) && !InCountry(around, country) && !slices.ContainsFunc(parts, isPart)
		})
}

// String returns the city in a form that ReadCity reads.
func (c City) String() string { return strings.Join(append([]string{c.Name}, c.Regions...), ", ") }

// InState reports whether a name or an abbreviation means the state of a record.
func InState(name, state string) bool {
	full, known := stateOf(name)
	return sameName(name, state) || known && sameName(full, state)
}

// InCountry reports whether a name or a code means the country of a record.
func InCountry(name, country string) bool {
	c, ok := countryOf(name)
	if !ok {
		return sameName(name, country)
	}
	other, _ := countryOf(country)
	return sameName(c.names[0], country) || len(other.names) > 0 && other.names[0] == c.names[0]
}

// IsCountry reports whether a text is a name or a code of a country.
func IsCountry(name string) bool {
	_, ok := countryOf(name)
	return ok
}

// StateOf returns the name of the US state or Canadian province that a text names, and its country.
func StateOf(text string) (state, country string, ok bool) {
	state, ok = stateOf(text)
	if !ok {
		return "", "", false
	}
	for _, province := range []string{"AB", "BC", "MB", "NB", "NL", "NS", "NT", "NU", "ON", "PE", "QC", "SK", "YT"} {
		if regions[province] == state {
			return state, "Canada", true
		}
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

// HasWords reports whether a name has all words of a text.
func HasWords(name, words string) bool {
	name = nameKey(withoutAccents("a" + name)) // after "a", nameKey does not remove the article "the"
	return !slices.ContainsFunc(strings.Fields(words), func(w string) bool { return !strings.Contains(name, nameKey(withoutAccents(w))) })
}

// sameName reports whether two names are equal apart from accents, case and signs.
func sameName(a, b string) bool {
	return nameKey(a) == nameKey(b) || nameKey(withoutAccents(a)) == nameKey(withoutAccents(b))
}

// withoutAccents returns a text without its accents.
func withoutAccents(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(text))
}

// AtPostalCodes returns the expression for trials with a site in a country that has one of some postal codes.
func AtPostalCodes(codes []string, country string) string {
	var areas []string
	for _, code := range codes {
		areas = append(areas, Area("LocationZip", quote(code)))
	}
	around := Area("LocationCountry", quote(country))
	if c, ok := countryOf(country); ok {
		around = c.expression()
	}
	return OneSite(Or(areas...), around)
}
