package essie

import (
	"slices"
	"strings"
	"sync"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// citySpellings are the names of one city that records use.
var citySpellings = [][]string{
	{"Munich", "München"}, {"Cologne", "Köln"}, {"Nuremberg", "Nürnberg"}, {"Hanover", "Hannover"}, {"Vienna", "Wien"},
	{"Zurich", "Zürich"},
	{"Geneva", "Genève"}, {"Basel", "Basle"}, {"Rome", "Roma"}, {"Milan", "Milano"}, {"Turin", "Torino"}, {"Florence", "Firenze"},
	{"Naples", "Napoli"},
	{"Seville", "Sevilla"}, {"Lisbon", "Lisboa"}, {"Brussels", "Bruxelles"}, {"Antwerp", "Antwerpen"}, {"Ghent", "Gent"},
	{"The Hague", "Den Haag"},
	{"Copenhagen", "København"}, {"Gothenburg", "Göteborg"}, {"Prague", "Praha"}, {"Warsaw", "Warszawa"}, {"Krakow", "Kraków", "Cracow"},
	{"Moscow", "Moskva"}, {"Kyiv", "Kiev"}, {"Athens", "Athina"}, {"Bangalore", "Bengaluru"}, {"Mumbai", "Bombay"}, {"Kolkata", "Calcutta"},
	{"Chennai", "Madras"},
}

// otherSpellings maps the key of each name of a city to its other names.
var otherSpellings = sync.OnceValue(func() map[string][]string {
	others := map[string][]string{}
	for _, same := range citySpellings {
		for i, name := range same {
			others[nameKey(name)] = slices.Delete(slices.Clone(same), i, i+1)
		}
	}
	return others
})

var shortened = lazyregexp.New(`(?i)^(saint|st\.?|fort|ft\.?|mount|mt\.?) (.+)$`)

// spellings returns the names of a city in the records, the given one first: St. Louis and Saint Louis, Munich and München.
func spellings(city string) []string {
	names := []string{city}
	if others, ok := otherSpellings()[nameKey(city)]; ok {
		return append(names, others...)
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

// inCity returns the expression for a site in a city, in each of its spellings.
func inCity(name string) string {
	var areas []string
	for _, n := range spellings(name) {
		areas = append(areas, Area("LocationCity", Phrase(n)))
	}
	return Or(areas...)
}

// cityWords returns an expression for the words of a place, in each of its spellings.
func cityWords(name string) string {
	var all []string
	for _, n := range spellings(name) {
		all = append(all, Words(n))
	}
	return Or(all...)
}

var (
	negative    = lazyregexp.New(`(?i)^(?:[-!−–]\s*|(?:not|except|excluding|outside(?: of)?|anywhere but)\s+(?:in\s+)?)([\pL].*)$`)
	coordinates = lazyregexp.New(`^[-+]?[0-9]{1,3}\.[0-9]+\s*°?\s*[NSns]?\s*[,; ]\s*[-+−]?[0-9]{1,3}\.[0-9]+\s*°?\s*[EWew]?$`)
	inBrackets  = lazyregexp.New(`^([^()]+) \(([^()]+)\)$`)
	zipBefore   = lazyregexp.New(`(?i)^(?:zip|postal|post)[ -]?(?:code)?:? *([0-9].*)$`)
	beforeUS    = lazyregexp.New(`(?i)^([^,]+?),? ([A-Z]\.?[A-Z]\.?),? (USA|U\.S\.A\.|US|U\.S\.)$`)
	stateSuffix = lazyregexp.New(`(?i)^(?:(.+) state|state of (.+))$`)
	compass     = lazyregexp.New(`(?i)^(?:(?:north|south|east|west|northeast|northwest|southeast|southwest)(?:ern)?|central|upstate) (.+)$`)
)

// refusedPlace returns the error for a text that excludes places, that has coordinates, or that lists several places without "or".
func refusedPlace(text string) error {
	switch m := negative.FindStringSubmatch(text); {
	case m != nil:
		return &PlaceError{Reason: quote(text) + " excludes, but location takes the place to search"}
	case coordinates.MatchString(text):
		return &PlaceError{Reason: quote(text) + " is a point, which location does not take", Instead: text, Argument: "near"}
	}
	if _, ok := countryOf(text); ok {
		return nil
	}
	if places := listedPlaces(splitParts(text)); places != nil {
		return &PlaceError{Reason: quote(text) + " may be one place or several", Instead: strings.Join(places, " or ")}
	}
	return nil
}

// splitParts returns the parts of a place between commas.
func splitParts(text string) (parts []string) {
	for _, p := range strings.Split(text, ",") {
		parts = append(parts, strings.TrimSpace(p))
	}
	return parts
}

// listedPlaces returns the places of a list that has commas only: countries, or cities each with its state. It returns nil for one place.
func listedPlaces(parts []string) (places []string) {
	var last country
	for i, p := range parts {
		c, isCountry := countryOf(p)
		_, isState := stateOf(p)
		if !isCountry || isState || territories[nameKey(p)] || i > 0 && c.names[0] == last.names[0] {
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

// IsCountryOrState reports whether a name is that of a country or a state.
func IsCountryOrState(name string) bool {
	_, isCountry := countryOf(name)
	_, isState := stateOf(name)
	return isCountry || isState
}

// normalized returns a place with its parts in the usual order and with commas: Boston, MA for "Boston (MA)" and "MA, Boston", England for
// "England, UK".
func normalized(text string) string {
	if m := zipBefore.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	if m := inBrackets.FindStringSubmatch(text); m != nil && IsCountryOrState(m[2]) {
		return m[1] + ", " + m[2]
	}
	if m := beforeUS.FindStringSubmatch(text); m != nil {
		if _, ok := region(m[2]); ok {
			return m[1] + ", " + strings.ToUpper(m[2]) + ", USA"
		}
	}
	parts := splitParts(text)
	if len(parts) == 2 && partsOfUK[nameKey(parts[0])] && IsCountryOrState(parts[1]) {
		return parts[0]
	}
	if len(parts) == 2 && IsCountryOrState(parts[0]) && !IsCountryOrState(parts[1]) && !postal.MatchString(parts[1]) &&
		!IsCountryOrState(text) {
		if _, city := twoPlaces[nameKey(parts[0])]; !city {
			return parts[1] + ", " + parts[0]
		}
	}
	return text
}

// twoPlaces are names of both a city and a state, with an unambiguous form of each.
var twoPlaces = map[string][2]string{
	"newyork": {"New York City", "New York State"}, "washington": {"Washington, DC", "Washington State"},
}

// wordLike are abbreviations of states that are also words.
var wordLike = map[string]bool{"OR": true, "ON": true, "ME": true, "OK": true, "HI": true, "OH": true, "PA": true, "MA": true}

// asRegion reads a nickname of a city, the name of a state, or a name that is both a city and a state. A part of a country or a state, such
// as Northern France, is read as the whole country or state.
func asRegion(text string) (at Location, ok bool) {
	if city := nicknames[nameKey(text)]; city != "" {
		return Location{Filter: inCity(city)}, true
	}
	if both, ok := twoPlaces[nameKey(text)]; ok {
		return Location{Words: Words(text), Notices: []string{
			"location: " + quote(text) + ` is a city and a state; both were searched. For one of them give {"location":"` + both[0] +
				`"} or {"location":"` + both[1] + `"}.`,
		}}, true
	}
	if m := stateSuffix.FindStringSubmatch(text); m != nil {
		if state, ok := stateOf(m[1] + m[2]); ok {
			return Location{Filter: Area("LocationState", Phrase(state))}, true
		}
	}
	if state, ok := stateOf(text); ok {
		at = Location{Filter: inUSState(state)}
		if provinces[state] {
			at = Location{Words: Words(state)}
		}
		if wordLike[strings.ToUpper(text)] {
			at.Notices = []string{"location: " + quote(text) + " was read as " + state + "."}
		}
		return at, true
	}
	m := compass.FindStringSubmatch(text)
	if m == nil || IsCountryOrState(text) || !IsCountryOrState(m[1]) || nameKey(m[1]) == "australia" { // Western Australia is a state
		return at, false
	}
	at, err := onePlace(m[1])
	at.Notices = append(at.Notices, "location: parts of a country or state are not known. All of "+quote(m[1])+" was searched.")
	return at, err == nil
}

var joined = lazyregexp.New(`(?i)\s+and\s+|\s*[&/]\s*`)

// joinedNamesNotice returns a notice that a text with "and" or a sign between names was read as one name.
func joinedNamesNotice(text string) []string {
	parts := joined.Split(text, -1)
	if len(parts) < 2 {
		return nil
	}
	return []string{"location: " + quote(excerpt(text)) + " was read as one name. If it is several places, give " +
		`{"location":` + quote(excerpt(strings.Join(parts, " or "))) + "}."}
}
