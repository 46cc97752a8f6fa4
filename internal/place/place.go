// Package place reads the names of places as the registry's sites have them, compares them with the sites of records, and finds where a
// place is by the sites of trials there. It understands no sentence: a place is a city, a state, a country, a postal code or a point. Only
// Circle.Filter writes the language of the registry.
package place

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/geo"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// A Place is one place after reading.
type Place struct {
	Text string // as it was given
	// Read has the ways to read the names. A site is at the place if it has the names of one of them.
	Read   []Reading
	Postal string     // postal code
	Point  *geo.Point // nil for a place with a name
	// Remark says how a name that may mean two places was read; empty for other names. Instead is the other place.
	Remark, Instead string
}

// A Reading has the names that one site must have. An empty one may be any.
type Reading struct {
	Words                string // words of any name of the site
	City, State, Country string
	Postal               string
}

// A Problem is the error for a text that is no place in one of the forms that Read takes.
type Problem struct {
	Text   string
	Reason string // the end of a sentence that begins with the text
	// Instead has the texts that the caller may mean, any of which a site may have.
	Instead []string
	// Facility is the name of a facility that the text has before the place; "" for no such name.
	Facility string
}

// Error returns a sentence without a full stop.
func (p *Problem) Error() string { return strconv.Quote(entity.Cut(p.Text, 80)) + p.Reason }

const postal = `(?:[0-9]{4,6}(?:-[0-9]{4})?|[A-Z][0-9][A-Z] ?[0-9][A-Z][0-9])`

var (
	coordinates = lazyregexp.New(`^\(?\s*([-+−]?[0-9]{1,3}(?:\.[0-9]+)?)\s*(?:[,;]\s*|\s+)([-+−]?[0-9]{1,3}(?:\.[0-9]+)?)\s*\)?$`)
	zipCode     = lazyregexp.New(`^([0-9]{5})(?:-[0-9]{4})?$`)
	codeDigits  = lazyregexp.New(`^[0-9]{4,6}$`)
	canadian    = lazyregexp.New(`(?i)^([A-Z][0-9][A-Z]) ?([0-9][A-Z][0-9])$`)
	// alternatives finds OR between two places. After a comma OR is Oregon.
	alternatives = lazyregexp.New(`[^,\s](\s+(?:OR|or)\s+)\S`)
	// excluded finds a sign that excludes what follows it, or opens a group.
	excluded = lazyregexp.New(`^[-!−–(]`)
	// signs finds the words and signs of a query language.
	signs = lazyregexp.New(`[<>{}*=;|]|\b(?:AND|NOT)\b`)
)

// A correction is a form of texts that are no place, with the places that they certainly mean.
type correction struct {
	form            *lazyregexp.Regexp
	reason, instead string
	facility        string // that is named before the place
}

var (
	// slips are corrections of texts that could be read as names.
	slips = []correction{
		{lazyregexp.New(`^([^,]+) OR,? (?:[0-9]{5}|USA?|U\.S\.A?\.?|United States)$`),
			" has no comma before OR, which may be Oregon", "$1, OR", ""},
		{lazyregexp.New(`^(?i:near|nearby|in|at|around|from|zip) (.+)$`), " has a word before the place", "$1", ""},
		{lazyregexp.New(`^(?i:city|state|country|location|place|zip) ?[:=] ?"?([^"]+)"?$`),
			" has the name of a field before the place", "$1", ""},
		{lazyregexp.New(`^(.+?) ?[;|] ?(.+)$`), " joins places by a sign, and only OR joins places", "$1 OR $2", ""},
		{lazyregexp.New(`^(.+?),? \(?([A-Z]{2})\)?(?:,? ` + postal + `)?$`),
			" has no comma before its state, or a postal code beside it", "$1, $2", ""},
		{lazyregexp.New(`^(.+?),? ` + postal + `$`), " has a postal code beside a name", "$1", ""},
		{lazyregexp.New(`^` + postal + `,? (.+, .+)$`), " has a postal code beside a name", "$1", ""},
	}
	// orders are corrections of several names with commas, in the wrong order or of several places.
	orders = []correction{
		{lazyregexp.New(`^([^,]+), ?([^,]+)$`), " has its state or country first", "$2, $1", ""},
		{lazyregexp.New(`^([^,]+), ?([^,]+)$`), " is two countries", "$1 OR $2", ""},
		{lazyregexp.New(`^([^,]+, ?[^,]+), ?([^,]+, ?[^,]+)$`), " is two places", "$1 OR $2", ""},
		{lazyregexp.New(`^([^,]+), ?(.+)$`), " has more parts than a city, its state and its country", "$2", "$1"},
	}
)

// Read returns the places of a text, of which OR joins several. The only error is *Problem.
func Read(text string) (places []Place, err error) {
	rest := strings.Join(strings.Fields(norm.NFC.String(text)), " ")
	if wrong := correct(rest, slips[:1]); wrong != nil {
		return nil, wrong
	}
	for {
		one, m := rest, alternatives.FindStringSubmatchIndex(rest)
		if m != nil {
			one, rest = strings.TrimRight(rest[:m[2]], ", "), rest[m[3]:]
		}
		at, err := read(one)
		if err != nil {
			return nil, err
		}
		if places = append(places, at); m == nil {
			return places, nil
		}
	}
}

// read reads one place.
func read(text string) (Place, error) {
	if m := coordinates.FindStringSubmatch(text); m != nil {
		at := Place{Text: text}
		return at, at.readPoint(m[1], m[2])
	}
	if !IsCountryOrState(text) && !isWord("none", text) {
		if wrong := correct(text, slips); wrong != nil {
			return Place{}, wrong
		}
	}
	if wrong := refuse(text); wrong != nil {
		return Place{}, wrong
	}
	at, wrong := readNames(text)
	if wrong == nil {
		return at, nil
	}
	return at, cmp.Or(correct(text, orders), wrong)
}

// correct returns the problem of a text in a form of corrections; nil if it is in none, or does not certainly mean other places.
func correct(text string, corrections []correction) *Problem {
	for _, c := range corrections {
		instead := c.form.ReplaceAllString(text, c.instead)
		if instead == text { // also a text in another form
			continue
		}
		p := &Problem{Text: text, Reason: c.reason, Instead: strings.Split(instead, " OR "),
			Facility: c.form.ReplaceAllString(text, c.facility)}
		if !slices.ContainsFunc(p.Instead, func(one string) bool {
			_, wrong := readNames(one)
			parts := partsOf(one)
			return wrong != nil || refuse(one) != nil || len(parts) > 1 && !IsCountryOrState(parts[len(parts)-1])
		}) {
			return p
		}
	}
	return nil
}

// refuse returns the problem of a text that is no name of a place; nil for any other text.
func refuse(text string) *Problem {
	first, rest, _ := strings.Cut(text, " ")
	switch instead := word("world", text); {
	case IsCountryOrState(text) && !excluded.MatchString(text):
	case instead != "":
		return &Problem{Text: text, Reason: " is a part of the world; the registry has cities, states and countries",
			Instead: strings.Split(instead, " or ")}
	case isWord("none", text) || slices.ContainsFunc(partsOf(text), func(p string) bool { return key(p) == "" }):
		return &Problem{Text: text, Reason: " is no place"}
	case excluded.MatchString(text) || signs.MatchString(text) || rest != "" && isWord("outside", first):
		return &Problem{Text: text, Reason: " is no name of a place; only OR joins places"}
	}
	return nil
}

// readNames reads the names of one place, with no point.
func readNames(text string) (at Place, wrong *Problem) {
	at.Text = text
	parts := partsOf(text)
	switch {
	case IsCountryOrState(text):
		at.readRegion(text)
	case len(parts) == 1:
		at.readName(text)
	case len(parts) == 2:
		wrong = at.readTwo(parts[0], parts[1])
	case len(parts) == 3:
		wrong = at.readThree(parts)
	default:
		wrong = tooMany(text)
	}
	return at, wrong
}

// readPoint reads a latitude and a longitude in degrees.
func (p *Place) readPoint(north, east string) error {
	lat, _ := strconv.ParseFloat(strings.Replace(north, "−", "-", 1), 64) // the pattern takes numbers alone
	lon, _ := strconv.ParseFloat(strings.Replace(east, "−", "-", 1), 64)
	if math.Abs(lat) > 90 || math.Abs(lon) > 180 {
		return &Problem{Text: p.Text,
			Reason: " is not a point: a latitude of -90 to 90 comes first, then a longitude of -180 to 180"}
	}
	p.Point, p.Read = &geo.Point{Lat: lat, Lon: lon}, []Reading{{Words: p.Text}}
	return nil
}

// regionNamed returns the country and the state that a name may mean. An abbreviation that is both means the state, but for some.
func regionNamed(text string) (country, state string) {
	country, state = CountryName(text), stateNamed(text)
	if isAbbreviation(text) && state != "" && !isWord("alsocountry", text) {
		country = ""
	}
	return country, state
}

// readRegion reads the name of a country or a state. A name that is both means either; an abbreviation that is both means the state.
func (p *Place) readRegion(text string) {
	country, state := regionNamed(text)
	switch {
	case state == "":
		p.Read = []Reading{{Country: country}}
		if isWord("part", text) {
			p.Remark = " was read as " + country + ", which is the country in the registry"
		}
		return
	case country != "" && !isAbbreviation(text):
		p.Read = []Reading{{State: state, Country: countryOfState(state)}, {Country: country}}
		p.Remark = " is a state of the United States and a country; both were searched"
		return
	}
	p.Read = []Reading{{State: state, Country: countryOfState(state)}}
	switch {
	case country != "" && country != state:
		p.Remark, p.Instead = " was read as "+state, country
	case country != "": // Puerto Rico
		p.Read = append(p.Read, Reading{Country: country})
	case isWord("alsocity", text):
		p.Read = append(p.Read, Reading{City: text})
		p.Remark, p.Instead = " is a city and a state; both were searched", text+", "+word("alsocity", text)
	}
}

// readName reads a name that is no country and no state, or a postal code.
func (p *Place) readName(text string) {
	p.Read = []Reading{{Words: text}}
	if code := canadian.FindStringSubmatch(text); code != nil {
		p.Postal = strings.ToUpper(code[1] + " " + code[2])
		p.Read = []Reading{{Postal: p.Postal, Country: "Canada"}}
	} else if code := zipCode.FindStringSubmatch(text); code != nil {
		p.Postal = code[1]
		p.Read = []Reading{{Postal: p.Postal, Country: unitedStates}}
	} else if city := word("nickname", text); city != "" {
		p.Read = []Reading{{City: city}}
	}
}

// readTwo reads a city or a state, and the state or country that contains it.
func (p *Place) readTwo(first, second string) *Problem {
	country, state := regionNamed(second)
	first = cmp.Or(word("nickname", first), first)
	switch {
	case codeDigits.MatchString(first) && country != "":
		p.Postal = first
		p.Read = []Reading{{Postal: first, Country: country}}
		return nil
	case country != "" && (isWord("territory", first) || CountryName(first) == country):
		p.readRegion(first)
		return nil
	case country != "" && IsCountry(first) && !isState(first), country == "" && state == "" && IsCountryOrState(first):
		return &Problem{Text: p.Text, Reason: " is not a city with its state or country"}
	}
	if state != "" || country == "" {
		p.Read = append(p.Read, Reading{City: first, State: cmp.Or(state, second)})
	}
	if country != "" {
		p.Read = append(p.Read, Reading{City: first, Country: country})
		if state == "" {
			p.Read = append(p.Read, Reading{State: cmp.Or(stateNamed(first), first), Country: country})
		}
	}
	return nil
}

// readThree reads a city, its state and its country.
func (p *Place) readThree(parts []string) *Problem {
	country := CountryName(parts[2])
	switch {
	case country == "" || isState(parts[2]) && !isState(parts[1]):
		return tooMany(p.Text)
	case CountryName(parts[1]) == country && !isState(parts[1]): // London, England, UK
		return p.readTwo(parts[0], parts[2])
	}
	p.Read = []Reading{{City: parts[0], State: cmp.Or(stateNamed(parts[1]), parts[1]), Country: country}}
	return nil
}

func tooMany(text string) *Problem {
	return &Problem{Text: text, Reason: " has more parts than a city, its state and its country"}
}

// partsOf returns the parts of a place between commas. The name of a country may have a comma: Seoul, Korea, Republic of.
func partsOf(text string) (parts []string) {
	for part := range strings.SplitSeq(text, ",") {
		parts = append(parts, strings.TrimSpace(part))
	}
	if last := len(parts) - 2; last > 0 && IsCountry(parts[last]+", "+parts[last+1]) {
		parts = append(parts[:last], parts[last]+", "+parts[last+1])
	}
	return parts
}

// ReadCity reads one city, postal code or point. The only error is *Problem.
func ReadCity(text string) (Place, error) {
	places, err := Read(text)
	switch {
	case err != nil:
		return Place{}, err
	case len(places) > 1:
		p := &Problem{Text: text, Reason: " is several places"}
		for _, at := range places {
			p.Instead = append(p.Instead, at.Text)
		}
		return Place{}, p
	case codeDigits.MatchString(places[0].Text) && places[0].Postal == "":
		return Place{}, &Problem{Text: text, Reason: " is a postal code without its country"}
	}
	return places[0], nil
}

// ReadCountry reads the name of a country. The only error is *Problem.
func ReadCountry(name string) (Place, error) {
	name = norm.NFC.String(name)
	if c := CountryName(name); c != "" {
		at := Place{Text: name, Read: []Reading{{Country: c}}}
		if isWord("part", name) {
			at.Remark = " was read as " + c + ", which is the country in the registry"
		}
		return at, nil
	}
	p := &Problem{Text: name, Reason: " is not a country of the registry"}
	if instead := word("world", name); instead != "" {
		p.Instead = strings.Split(instead, " or ")
	} else if isState(name) {
		p.Reason = " is a state or province"
	}
	return Place{}, p
}

// WithCountry returns a postal code of digits with its country, as Read reads it, and any other text unchanged.
func WithCountry(text, country string) string {
	text = strings.TrimSpace(text)
	if !codeDigits.MatchString(text) || !IsCountry(country) {
		return text
	}
	return text + ", " + country
}

// String returns the place in a form that Read reads as the same place.
func (p Place) String() string {
	if p.Point != nil {
		return Coordinates(*p.Point)
	}
	return p.Text
}

// Readings returns the readings of several places: a site has the names of one of them if it is at one of the places.
func Readings(places []Place) (all []Reading) {
	for _, p := range places {
		all = append(all, p.Read...)
	}
	return all
}

// Cities returns the readings of a place as a postal code or as a city, which a country may also be, such as Singapore; nil for a point.
func (p Place) Cities() (cities []Reading) {
	for _, r := range p.Read {
		if p.Point == nil && r.Words != "" {
			r = Reading{City: r.Words}
		}
		if r.City != "" || r.Postal != "" {
			cities = append(cities, r)
		}
	}
	if cities == nil && p.Point == nil {
		return []Reading{{City: p.Text}}
	}
	return cities
}

// Coordinates returns latitude and longitude as Read reads them.
func Coordinates(p geo.Point) string {
	return strconv.FormatFloat(p.Lat, 'f', -1, 64) + "," + strconv.FormatFloat(p.Lon, 'f', -1, 64)
}
