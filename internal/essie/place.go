package essie

import (
	"cmp"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/boolean"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// A Location is a place in the form that upstream takes: words for the location query, which searches all sites of a trial together, or a
// filter.
type Location struct {
	Words, Filter string
	// Notices say how the place was read.
	Notices []string
}

// PlaceError is the error for a text that names no place that the registry could have.
type PlaceError struct {
	Reason string
	// Instead is a place, or several, that the caller may mean; empty if no place should be given.
	Instead string
	// Argument is the argument that takes Instead, if it is not the given one.
	Argument string
}

func (e *PlaceError) Error() string { return e.Reason }

// Place reads a place. "City, State", "City, Country" and "Facility, City, State" must hold at one site, a country is matched as a country,
// and places separated by "or" are alternatives. Any other text is searched as words. The only error is PlaceError.
func Place(text string) (Location, error) {
	text = strings.Join(strings.Fields(text), " ")
	places, join := alternatives(text)
	if len(places) == 1 {
		return onePlace(places[0])
	}
	return severalPlaces(places, join, func(filter string) string { return filter })
}

// RecruitingSite is the expression for a site that recruits.
const RecruitingSite = "AREA[LocationStatus]RECRUITING"

// PlaceWith reads a place as Place does. The same site must also meet the expressions in more.
func PlaceWith(text string, more ...string) (Location, error) {
	places, join := alternatives(strings.Join(strings.Fields(text), " "))
	return severalPlaces(places, join, func(filter string) string {
		// OneSite cannot contain OneSite. Parentheses replace the inner one.
		return OneSite(append([]string{strings.ReplaceAll(filter, oneSite, "(")}, more...)...)
	})
}

// severalPlaces reads each place, applies with to its filter and joins the filters.
func severalPlaces(places []string, join func(...string) string, with func(filter string) string) (Location, error) {
	var all Location
	var filters []string
	for _, p := range places {
		one, err := onePlace(p)
		if err != nil {
			return Location{}, err
		}
		if one.Filter == "" {
			one.Filter = inAnyPiece(p)
		}
		filters = append(filters, with(one.Filter))
		all.Notices = append(all.Notices, one.Notices...)
	}
	all.Filter = join(filters...)
	return all, nil
}

const distance = `[0-9]+(?:[.,][0-9]+)?[ -]?(?:miles?|mi|km|kms|kilomet(?:er|re)s?)`

var (
	aDistance  = lazyregexp.New(`(?i)` + distance)
	or         = lazyregexp.New(`\s*[;|]\s*|,?\s+or\s+`)
	upperOr    = lazyregexp.New(`,?\s+OR\s+`)
	and        = lazyregexp.New(`(?i),?\s+and\s+|\s*&\s*`)
	postal     = lazyregexp.New(`^(?:[0-9]{4,6}(?:-[0-9]{3,4})?|[A-Za-z][0-9][A-Za-z] ?[0-9][A-Za-z][0-9])$`)
	withPostal = lazyregexp.New(`^(?:[0-9]{4,6} (.+)|(.+?) (?:[0-9]{5,6}(?:-[0-9]{4})?|[A-Z][0-9][A-Z] ?[0-9][A-Z][0-9]))$`)
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

// alternatives splits a text into places of which one must match. If both sides of "and" are countries or cities with commas, all must
// match. The returned function joins their filters.
func alternatives(text string) ([]string, func(...string) string) {
	if _, ok := countryOf(text); ok { // Trinidad and Tobago
		return []string{text}, Or
	}
	split := func(by *lazyregexp.Regexp, sure bool) []string {
		parts := slices.DeleteFunc(by.Split(text, -1), func(p string) bool { return !strings.ContainsFunc(p, boolean.LetterOrDigit) })
		if len(parts) > 1 && (sure || !slices.ContainsFunc(parts, func(p string) bool { return !isDistinctPlace(p) })) {
			return parts
		}
		return nil
	}
	if parts := split(or, true); parts != nil {
		return parts, Or
	}
	if parts := split(upperOr, false); parts != nil { // Portland OR is one place
		return parts, Or
	}
	if parts := split(and, false); parts != nil {
		return parts, And
	}
	return []string{text}, Or
}

// isDistinctPlace reports whether a text is certainly a place of its own.
func isDistinctPlace(text string) bool {
	_, known := countryOf(text)
	return known || strings.Contains(text, ",")
}

// inAnyPiece returns the expression for a name in any piece of a site.
func inAnyPiece(name string) string {
	var areas []string
	for _, piece := range []string{"LocationCity", "LocationState", "LocationCountry", "LocationFacility"} {
		areas = append(areas, Area(piece, Phrase(name)))
	}
	return Or(areas...)
}

// onePlace reads a place without alternatives.
func onePlace(text string) (at Location, err error) {
	text = normalized(strings.TrimRight(text, ", "))
	if err := refusedPlace(text); err != nil {
		return at, err
	}
	center, vague := placeCenter(text)
	if err := checkSpecific(text, center); err != nil {
		return at, err
	}
	at, ok := asCountry(center)
	if !ok {
		at, ok = asRegion(center)
	}
	if !ok {
		at = readParts(center)
	}
	if vague {
		at.Notices = append(at.Notices, "location: only "+quote(center)+" itself was searched."+nearbyHint(text, center))
	}
	return at, nil
}

// nearbyHint returns the advice how to search around a place, "" for a country or a state.
func nearbyHint(text, center string) string {
	if IsCountryOrState(center) {
		return ""
	}
	call := `{"location":null,"near":` + quote(center)
	if far := aDistance.FindString(text); far != "" {
		call += `,"within":` + quote(strings.ReplaceAll(far, ",", "."))
	}
	return " For sites around it give " + call + "}."
}

// placeCenter returns the place in a text without the words around it, such as "near" or "in the". vague reports that these words mean a
// distance.
func placeCenter(text string) (center string, vague bool) {
	center = text
	for _, words := range []*lazyregexp.Regexp{about, aboutAfter, near, surrounding} {
		if m := words.FindStringSubmatch(center); m != nil {
			center = strings.Join(m[1:], "")
		}
	}
	vague = center != text
	if m := leading.FindStringSubmatch(center); m != nil {
		center = m[1]
	}
	return center, vague
}

// checkSpecific returns the error for a text that means the place of the caller, any place, or a part of the world.
func checkSpecific(text, center string) error {
	name := nameKey(center)
	switch {
	case text == "ME":
	case callerPlaces[name], callerPlaces[nameKey(text)]:
		return &PlaceError{Reason: "Biofact does not know where the caller is", Instead: "Boston, MA"}
	case unspecificPlaces[name]:
		return &PlaceError{Reason: quote(center) + " is not a place"}
	case partsOfTheWorld[name]+partsOfTheWorld[nameKey(text)] != "":
		return &PlaceError{Reason: "ClinicalTrials.gov has cities, states and countries, not " + quote(text),
			Instead: cmp.Or(partsOfTheWorld[nameKey(text)], partsOfTheWorld[name])}
	}
	return nil
}

// asCountry reads a text that names a country. The name may have commas.
func asCountry(text string) (Location, bool) {
	if partsOfUK[nameKey(text)] {
		c, _ := countryOf("UK")
		return Location{Filter: c.expression(),
			Notices: []string{"location: " + quote(text) + ` was read as "United Kingdom", which is the country in the registry.`}}, true
	}
	c, ok := countryOf(text)
	if !ok {
		return Location{}, false
	}
	state, abbreviated := region(text)
	switch {
	case nameKey(text) == "georgia":
		return Location{Filter: Or(Area("LocationState", "Georgia"), c.expression()), Notices: []string{
			"location: Georgia is a state of the United States and a country; both were searched. " +
				`For one of them give {"location":"Georgia, United States"} or {"location":"Republic of Georgia"}.`,
		}}, true
	case abbreviated && nameKey(state) == nameKey(c.names[0]): // Puerto Rico
		return Location{Filter: Or(Area("LocationState", Phrase(state)), c.expression())}, true
	case abbreviated && alsoCountries[strings.ToUpper(text)]:
		return Location{Filter: inUSState(state), Notices: []string{
			"location: " + quote(text) + " was read as " + state + `. For the country give {"location":"` + c.names[0] + `"}.`,
		}}, true
	case abbreviated:
		return Location{}, false
	}
	return Location{Filter: c.expression()}, true
}

// readParts reads the parts of a place between commas, at one site. A postal code with a city is ignored: it adds nothing and is often not
// the code of the site.
func readParts(text string) Location {
	var parts []string
	ignored := false
	for _, p := range strings.Split(text, ",") {
		p = strings.TrimSpace(p)
		if m := withPostal.FindStringSubmatch(p); m != nil && strings.ContainsAny(text, ",") {
			p, ignored = m[1]+m[2], true
		}
		if !strings.ContainsFunc(p, boolean.LetterOrDigit) {
			return Location{Words: Words(text)}
		}
		parts = append(parts, p)
	}
	if named := slices.DeleteFunc(slices.Clone(parts), postal.MatchString); len(named) > 0 && len(named) < len(parts) {
		parts, ignored = named, true
	}
	if len(parts) == 1 {
		parts = splitState(parts[0])
	}
	site := atSite(parts)
	if site == "" {
		return Location{Words: cityWords(fullName(text)), Notices: joinedNamesNotice(text)}
	}
	at := Location{Filter: site}
	if ignored {
		at.Notices = []string{"location: the postal code was ignored; trials with a site in " + strings.Join(parts, ", ") +
			" were searched."}
	}
	return at
}

// splitState splits the abbreviation of a state from the city before it, with or without a postal code: Boston MA 02115.
func splitState(text string) []string {
	named := text
	if m := withPostal.FindStringSubmatch(text); m != nil && m[2] != "" {
		named = m[2]
	}
	if m := trailingUS.FindStringSubmatch(named); m != nil {
		if _, ok := region(m[2]); ok {
			return []string{m[1], m[2]}
		}
	}
	return []string{text}
}

// fullName returns the name that is searched for a place without commas.
func fullName(text string) string {
	if full, ok := region(text); ok {
		return full
	}
	if nickname := nicknames[nameKey(text)]; nickname != "" {
		return nickname
	}
	return text
}

var nicknames = map[string]string{"nyc": "New York", "newyorkcity": "New York"}

// atSite returns the expression for the parts of a place, the smallest first, at one site; empty for parts that it cannot read.
func atSite(parts []string) string {
	if nickname := nicknames[nameKey(parts[0])]; nickname != "" {
		parts = append([]string{nickname}, parts[1:]...)
	}
	switch len(parts) {
	case 2:
		return atSiteOfTwo(parts[0], parts[1])
	case 3:
		return atSiteOfThree(parts[0], parts[1], parts[2])
	case 4:
		if last, isCountry := countryOf(parts[3]); isCountry {
			return OneSite(inFacility(parts[0]), inCity(parts[1]), inRegion(parts[2]), last.expression())
		}
	}
	return ""
}

// atSiteOfTwo returns the expression for a place of two parts: a city, a facility or a state, and the region that contains it.
func atSiteOfTwo(first, second string) string {
	around, isCountry := countryOf(second)
	_, isState := stateOf(second)
	if territory, ok := countryOf(first); ok && isCountry && territories[nameKey(first)] {
		return territory.expression()
	}
	if isCountry && !isState {
		return OneSite(Or(inCity(first), Area("LocationState", Phrase(fullName(first)))), around.expression())
	}
	if isState {
		return OneSite(inCity(first), inRegion(second))
	}
	return OneSite(Or(And(inCity(first), inRegion(second)), And(inFacility(first), inCity(second))))
}

// atSiteOfThree returns the expression for a place of three parts: a facility or a city, and the regions that contain it.
func atSiteOfThree(first, second, third string) string {
	around, isCountry := countryOf(third)
	if _, isState := stateOf(third); isState && (!isCountry || around.code) {
		return OneSite(inFacility(first), inCity(second), inRegion(third))
	}
	if isCountry && partsOfUK[nameKey(second)] {
		return atSite([]string{first, third})
	}
	country := Area("LocationCountry", Phrase(third))
	if isCountry {
		country = around.expression()
	}
	if full, ok := stateOf(second); ok {
		return OneSite(inCity(first), Area("LocationState", Phrase(full)), country)
	}
	return OneSite(Or(And(inCity(first), Area("LocationState", Phrase(second))), And(inFacility(first), inCity(second))), country)
}

func inFacility(name string) string { return Area("LocationFacility", Phrase(name)) }

// inRegion returns the expression for a name after a city: a state or province, a country, or a name that may be either, such as Georgia.
func inRegion(name string) string {
	c, isCountry := countryOf(name)
	state, isState := stateOf(name)
	switch {
	case isState && isCountry && (!c.code || alsoCountries[strings.ToUpper(name)]):
		return Or(Area("LocationState", Phrase(state)), c.expression())
	case isState:
		return Area("LocationState", Phrase(state))
	case isCountry:
		return c.expression()
	}
	return Or(Area("LocationState", Phrase(name)), Area("LocationCountry", Phrase(name)))
}
