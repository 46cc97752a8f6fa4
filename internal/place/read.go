package place

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/biofact-mcp/biofact/internal/boolean"
	"github.com/biofact-mcp/biofact/internal/geo"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

const distance = `[0-9]+(?:[.,][0-9]+)?[ -]?(?:miles?|mi|km|kms|kilomet(?:er|re)s?)`

var (
	aDistance = lazyregexp.New(`(?i)` + distance)
	// aCircle matches the circle of the registry's own filter.
	aCircle      = lazyregexp.New(`(?i)^(?:distance\()?(-?[0-9.]+, *-?[0-9.]+), *([0-9.]+ *[a-z]+)\)?$`)
	onlyDistance = lazyregexp.New(`(?i)^(?:within )?` + distance + `$`)
	and          = lazyregexp.New(`(?i),?\s+and\s+|\s*&\s*`)
	withPostal   = lazyregexp.New(`^(?:[0-9]{4,6} (.+)|(.+?) (?:[0-9]{5,6}(?:-[0-9]{4})?|[A-Z][0-9][A-Z] ?[0-9][A-Z][0-9]))$`)
	// The following patterns find the words around a place: "in the ...", "Boston MA", "within 5 km of ...", "... within 5 km", "near ...",
	// "... area".
	leading    = lazyregexp.New(`(?i)^(?:(?:in|at|from)(?:\s+the)?|the)\s+(.+)$`)
	trailingUS = lazyregexp.New(`^(.*[^ ,]) ([A-Z]\.?[A-Z]\.?)$`)
	about      = lazyregexp.New(`(?i)^(?:(?:with)?in\s+)?(?:an?\s+)?(?:radius\s+of\s+)?` + distance +
		`\s+(?:radius\s+)?(?:of|from|around|to|near)\s+(.+)$`)
	aboutAfter  = lazyregexp.New(`(?i)^(.+?)[\s,(+]*(?:within\s+)?(?:a\s+)?` + distance + `(?:\s+radius)?\)?$`)
	near        = lazyregexp.New(`(?i)^(?:(?:near(?:by)?(?:\s+to)?|close\s+to|around)\s+(.+)|greater\s+(\S+(?:\s+\S+)?))$`)
	surrounding = lazyregexp.New(`(?i)^(.+?)\s+(?:metro(?:politan)?(?:\s+area)?|area|and\s+(?:its\s+)?(?:surroundings|surrounding\s+area|vicinity))$`)
)

// readOne reads a place without operators. The only error is *Problem.
func readOne(given string) (at Place, err error) {
	if coordinates.MatchString(given) {
		return readPoint(given)
	}
	text := normalized(aCircle.ReplaceAllString(strings.TrimRight(given, ", "), "within $2 of $1"))
	if err := refusedPlace(text); err != nil {
		return at, err
	}
	center, vague := placeCenter(text)
	if err := checkSpecific(text, center); err != nil {
		return at, err
	}
	if coordinates.MatchString(center) {
		at, err = readPoint(center)
	} else {
		at = readNames(center)
		if at.Postal, at.Country = postalCode(center); at.Postal == "" {
			at.City, at.Around = cityOf(center)
		}
	}
	at.Text, at.given, at.Vague = center, given, vague
	if vague {
		at.Within, _ = ParseRadius(strings.ReplaceAll(aDistance.FindString(text), ",", "."))
	}
	return at, err
}

// readPoint returns the point that a text of coordinates means.
func readPoint(text string) (Place, error) {
	m := coordinates.FindStringSubmatch(text)
	lat, lon := degrees(m[1], m[2]), degrees(m[3], m[4])
	if math.Abs(lat) > 90 || math.Abs(lon) > 180 {
		return Place{}, &Problem{Kind: NoPoint, Text: text}
	}
	return Place{Text: text, Read: []Reading{{Words: text}}, Point: &geo.Point{Lat: lat, Lon: lon}}, nil
}

// degrees returns a number of degrees, negative for south and west.
func degrees(number, side string) float64 {
	value, _ := strconv.ParseFloat(strings.Replace(number, "−", "-", 1), 64) // the pattern takes numbers alone
	if strings.ContainsAny(side, "SsWw") {
		return -math.Abs(value)
	}
	return value
}

// readNames reads a country, a state, or a facility or city with the regions around it.
func readNames(text string) Place {
	if at, ok := asCountry(text); ok {
		return at
	}
	if at, ok := asRegion(text); ok {
		return at
	}
	return readParts(text)
}

// placeCenter returns the place in a text without the words around it, such as "near" or "in the". vague reports that these words mean a
// distance.
func placeCenter(text string) (center string, vague bool) {
	center = text
	for _, words := range []*lazyregexp.Regexp{about, aboutAfter, near, surrounding} {
		if m := words.FindStringSubmatch(center); m != nil && !onlyDistance.MatchString(center) {
			center = strings.Join(m[1:], "")
		}
	}
	vague = center != text
	if m := leading.FindStringSubmatch(center); m != nil {
		center = m[1]
	}
	return center, vague
}

// ofUS matches the name of the country around a part of the United States: US East Coast, east coast of the USA.
var ofUS = lazyregexp.New(`(?i)^(?:US|U\.S\.|USA|United States|American) |,?(?: of| in)?(?: the)? (?:US|U\.S\.|USA|United States)$`)

// checkSpecific returns the error for a text that means the place of the caller, any place, or a part of the world.
func checkSpecific(text, center string) error {
	switch {
	case text == "ME":
	case isWord("caller", center), isWord("caller", text):
		return &Problem{Kind: Caller, Text: text, Instead: "Boston, MA"}
	case isWord("unspecific", center):
		return &Problem{Kind: Anywhere, Text: center}
	}
	if instead := cmp.Or(word("world", text), word("world", center), word("world", ofUS.ReplaceAllString(center, ""))); instead != "" {
		return &Problem{Kind: TooLarge, Text: text, Instead: instead}
	}
	return nil
}

// asCountry reads a text that names a country. The name may have commas.
func asCountry(text string) (Place, bool) {
	if isWord("uk", text) {
		return Place{Read: []Reading{{Country: "United Kingdom"}}, Remarks: []Remark{
			{Text: quoted(text) + ` was read as "United Kingdom", which is the country in the registry.`},
		}}, true
	}
	c, ok := countryOf(text)
	if !ok {
		return Place{}, false
	}
	at := Place{Read: []Reading{{Country: c.names[0]}}}
	state, abbreviated := region(text)
	switch {
	case nameKey(text) == "georgia":
		at.Read = append([]Reading{{State: "Georgia"}}, at.Read...)
		at.Remarks = []Remark{{"Georgia is a state of the United States and a country; both were searched.", "one of them",
			[]string{"Georgia, United States", "Republic of Georgia"}}}
	case abbreviated && nameKey(state) == nameKey(c.names[0]): // Puerto Rico
		at.Read = append([]Reading{{State: state}}, at.Read...)
	case abbreviated && isWord("alsocountry", text):
		at = Place{Read: inUSState(state), Remarks: []Remark{
			{quoted(text) + " was read as " + state + ".", "the country", []string{c.names[0]}},
		}}
	case abbreviated:
		return Place{}, false
	}
	return at, true
}

// withoutPostal returns the parts of a place without postal codes. A postal code with a city adds nothing and is often not the code of the
// site.
func withoutPostal(parts []string) (names []string) {
	for _, p := range parts {
		if m := withPostal.FindStringSubmatch(p); m != nil && strings.ContainsFunc(m[1]+m[2], boolean.LetterOrDigit) {
			p = m[1] + m[2]
		}
		if !postal.MatchString(p) {
			names = append(names, p)
		}
	}
	return names
}

// readParts reads the parts of a place between commas, at one site.
func readParts(text string) Place {
	parts := splitParts(text)
	if slices.ContainsFunc(parts, func(p string) bool { return !strings.ContainsFunc(p, boolean.LetterOrDigit) }) {
		return Place{Read: []Reading{{Words: text}}}
	}
	names := parts
	if len(parts) > 1 {
		if named := withoutPostal(parts); len(named) > 0 {
			names = named
		}
	}
	if len(names) == 1 {
		names = splitState(names[0])
	}
	at := Place{Read: atSite(withoutNickname(names))}
	if at.Read == nil {
		return Place{Read: []Reading{{Words: fullName(text)}}, Remarks: joinedNames(text)}
	}
	if len(parts) > 1 && !slices.Equal(names, parts) {
		at.Remarks = []Remark{{Text: "the postal code was ignored; trials with a site in " + strings.Join(names, ", ") + " were searched."}}
	}
	return at
}

// splitState splits the abbreviation of a state from the city before it, with or without a postal code: Boston MA 02115, boston ma.
func splitState(text string) []string {
	named := text
	if m := withPostal.FindStringSubmatch(text); m != nil && m[2] != "" {
		named = m[2]
	}
	if named == strings.ToLower(named) && len(named) > len(" ma") && !strings.HasSuffix(named, " de") && !strings.HasSuffix(named, " la") {
		named = named[:len(named)-len("ma")] + strings.ToUpper(named[len(named)-len("ma"):])
	}
	if m := trailingUS.FindStringSubmatch(named); m != nil {
		if _, ok := region(m[2]); ok {
			return []string{m[1], m[2]}
		}
	}
	return []string{text}
}

// cityOf returns the city that a text names or may name, and the states and countries around it; "" if it names none.
func cityOf(text string) (city string, around []string) {
	parts := withoutPostal(splitParts(text))
	parts = slices.DeleteFunc(parts, func(p string) bool { return !strings.ContainsFunc(p, boolean.LetterOrDigit) })
	switch {
	case len(parts) == 0 || onlyDistance.MatchString(text) || !strings.ContainsFunc(parts[0], unicode.IsLetter):
		return "", nil
	case len(parts) == 1:
		parts = splitState(parts[0])
	case len(parts) > 2:
		parts = withoutFacility(parts)
	}
	parts = withoutNickname(parts)
	return parts[0], parts[1:]
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

// ReadCountry reads a text that names a country. The only error is *Problem.
func ReadCountry(name string) (Place, error) {
	if c, ok := countryOf(name); ok {
		return Place{Text: name, Read: []Reading{{Country: c.names[0]}}}, nil
	}
	if at, ok := asCountry(name); ok { // a part of the United Kingdom
		return at, nil
	}
	if instead := word("world", name); instead != "" {
		return Place{}, &Problem{Kind: NotCountry, Text: name, Instead: instead}
	}
	if _, ok := stateOf(name); ok {
		return Place{}, &Problem{Kind: State, Text: name, Instead: name}
	}
	return Place{}, &Problem{Kind: Unknown, Text: name, Instead: name}
}

// refusedPlace returns the error for a text that excludes places in words, or that lists several places without "or".
func refusedPlace(text string) error {
	if m := negative.FindStringSubmatch(text); m != nil {
		return &Problem{Kind: Excludes, Text: text, Instead: "NOT " + m[1]}
	}
	if IsCountry(text) {
		return nil
	}
	if places := listedPlaces(splitParts(text)); places != nil {
		return &Problem{Kind: Several, Text: text, Instead: strings.Join(places, " or ")}
	}
	inName := func(p string) bool { return and.MatchString(p) && IsCountryOrState(p) } // Sarajevo, Bosnia and Herzegovina
	if parts := and.Split(text, -1); len(parts) > 1 && !slices.ContainsFunc(splitParts(text), inName) &&
		!slices.ContainsFunc(parts, lacksRegion) {
		return &Problem{Kind: Several, Text: text, Instead: strings.Join(parts, " AND ")}
	}
	return nil
}

// listedPlaces returns the places of a list that has commas only: countries, or cities each with its state. It returns nil for one place.
func listedPlaces(parts []string) (places []string) {
	var last country
	for i, p := range parts {
		c, isCountry := countryOf(p)
		_, isState := stateOf(p)
		if !isCountry || isState || isWord("territory", p) || i > 0 && c.names[0] == last.names[0] {
			return cityStatePairs(parts)
		}
		last = c
	}
	if len(parts) < 2 {
		return nil
	}
	return parts
}

// cityStatePairs returns the places of a list such as Boston, MA, Houston, TX.
func cityStatePairs(parts []string) (places []string) {
	if len(parts) < 4 || len(parts)%2 != 0 {
		return nil
	}
	for i := 0; i < len(parts); i += 2 {
		if _, isState := stateOf(parts[i+1]); !isState || IsCountryOrState(parts[i]) && !strings.EqualFold(parts[i], "New York") {
			return nil
		}
		places = append(places, parts[i]+", "+parts[i+1])
	}
	return places
}

// asRegion reads a nickname of a city, the name of a state, or a name that is both a city and a state. A part of a country or a state, such
// as Northern France, is read as the whole country or state.
func asRegion(text string) (at Place, ok bool) {
	if city := word("nickname", text); city != "" {
		return Place{Read: []Reading{{City: city}}}, true
	}
	if both, ok := twoPlaces[nameKey(text)]; ok {
		return Place{Read: []Reading{{City: text}, {State: text}}, Remarks: []Remark{
			{quoted(text) + " is a city and a state; both were searched.", "one of them", both[:]},
		}}, true
	}
	if m := stateSuffix.FindStringSubmatch(text); m != nil {
		if state, ok := stateOf(m[1] + m[2]); ok {
			return Place{Read: []Reading{{State: state}}}, true
		}
	}
	if state, ok := stateOf(text); ok {
		at.Read = inUSState(state)
		if isWord("province", state) {
			at.Read = []Reading{{Words: state}}
		}
		if isWord("wordlike", text) {
			at.Remarks = []Remark{{Text: quoted(text) + " was read as " + state + "."}}
		}
		return at, true
	}
	m := compass.FindStringSubmatch(text)
	if m == nil || IsCountryOrState(text) || !IsCountryOrState(m[1]) || nameKey(m[1]) == "australia" { // Western Australia is a state
		return at, false
	}
	at = readNames(m[1])
	at.Remarks = append(at.Remarks, Remark{Text: "parts of a country or state are not known. All of " + quoted(m[1]) + " was searched."})
	return at, true
}

func inUSState(state string) []Reading { return []Reading{{State: state, Country: "United States"}} }

// joinedNames remarks that a text with "and" or a sign between names was read as one name. Institutions have
// such names.
func joinedNames(text string) []Remark {
	parts := joined.Split(text, -1)
	if len(parts) < 2 || institution.MatchString(text) {
		return nil
	}
	return []Remark{{quoted(text) + " was read as one name.", "trials with a site in each of several places",
		[]string{strings.Join(parts, " AND ")}}}
}

// postalCode returns a postal code with its country. Five digits alone are a ZIP code of the United States; four have no country.
func postalCode(text string) (code, country string) {
	if m := usCode.FindStringSubmatch(text); m != nil && len(m[1]) == usDigits {
		return m[1], "United States"
	} else if m != nil {
		return m[1], ""
	}
	if m := canadian.FindStringSubmatch(text); m != nil {
		return strings.ToUpper(m[1] + " " + m[2]), "Canada"
	}
	if m := codeIn.FindStringSubmatch(text); m != nil && IsCountry(m[2]) {
		return m[1], m[2]
	}
	return "", ""
}
