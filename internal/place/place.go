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

var (
	coordinates = lazyregexp.New(`^\(?\s*([-+−]?[0-9]{1,3}(?:\.[0-9]+)?)\s*(?:[,;]\s*|\s+)([-+−]?[0-9]{1,3}(?:\.[0-9]+)?)\s*\)?$`)
	zipCode     = lazyregexp.New(`^([0-9]{5})(?:-[0-9]{4})?$`)
	codeDigits  = lazyregexp.New(`^[0-9]{4,6}$`)
	canadian    = lazyregexp.New(`(?i)^([A-Z][0-9][A-Z]) ?([0-9][A-Z][0-9])$`)
	withPostal  = lazyregexp.New(`^(?:(?:[0-9]{4,6}|[A-Z][0-9][A-Z] ?[0-9][A-Z][0-9]) (.+)|(.+?),? (?:[0-9]{4,6}(?:-[0-9]{4})?|[A-Z][0-9][A-Z] ?[0-9][A-Z][0-9]))$`)
	onlyPostal  = lazyregexp.New(`^(?:[0-9]{4,6}(?:-[0-9]{4})?|[A-Z][0-9][A-Z] ?[0-9][A-Z][0-9])$`)
	// alternatives finds OR between two places. After a comma OR is Oregon.
	alternatives = lazyregexp.New(`[^,\s]\s+(OR|or)\s+\S`)
	// joined finds the words and signs that join places in other ways.
	joined = lazyregexp.New(`[;|]|\b(?:AND|NOT)\b`)
	// signs finds the signs of a query language.
	signs = lazyregexp.New(`^[-!−–(]|[<>{}*=]`)
	// stateCode finds the abbreviation of a state after a name without a comma: Boston MA, Boston (MA).
	stateCode = lazyregexp.New(`^(.+?) \(?([A-Z]{2})\)?$`)
)

// Read returns the places of a text, of which OR joins several. The only error is *Problem.
func Read(text string) (places []Place, err error) {
	rest := strings.Join(strings.Fields(norm.NFC.String(text)), " ")
	for {
		one, after := rest, ""
		m := alternatives.FindStringSubmatchIndex(rest)
		if m != nil {
			one, after = strings.TrimRight(rest[:m[2]], ", "), rest[m[3]:]
			if rest[m[2]:m[3]] == "OR" && inOregon(one, strings.TrimSpace(after)) {
				return nil, &Problem{Text: text, Reason: " has no comma before OR, which may be Oregon", Instead: []string{one + ", OR"}}
			}
		}
		at, err := read(one)
		if err != nil {
			return nil, err
		}
		places = append(places, at)
		if m == nil {
			return places, nil
		}
		rest = strings.TrimSpace(after)
	}
}

// inOregon reports whether OR between two texts may be the state: the second one ends an address and is no city.
func inOregon(city, after string) bool {
	return !strings.Contains(city, ",") && !IsCountryOrState(city) && (zipCode.MatchString(after) && !zipCode.MatchString(city) ||
		CountryName(after) == unitedStates)
}

// read reads one place.
func read(text string) (at Place, err error) {
	at.Text = text
	if m := coordinates.FindStringSubmatch(text); m != nil {
		return at, at.readPoint(m[1], m[2])
	}
	if (IsCountry(text) || isState(text)) && !signs.MatchString(text) {
		at.readRegion(text)
		return at, nil
	}
	if err := refuse(text); err != nil {
		return at, err
	}
	switch parts := partsOf(text); len(parts) {
	case 1:
		return at, at.readName(text)
	case 2:
		return at, at.readTwo(parts[0], parts[1])
	case 3:
		return at, at.readThree(parts)
	default:
		return at, tooMany(text, parts)
	}
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

// readRegion reads the name of a country or a state. A name that is both means either; an abbreviation that is both means the state.
func (p *Place) readRegion(text string) {
	country, state := CountryName(text), stateNamed(text)
	if isAbbreviation(text) && state != "" && !isWord("alsocountry", text) {
		country = ""
	}
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
func (p *Place) readName(text string) error {
	if code := canadian.FindStringSubmatch(text); code != nil {
		p.Postal = strings.ToUpper(code[1] + " " + code[2])
		p.Read = []Reading{{Postal: p.Postal, Country: "Canada"}}
		return nil
	}
	if code := zipCode.FindStringSubmatch(text); code != nil {
		p.Postal = code[1]
		p.Read = []Reading{{Postal: p.Postal, Country: unitedStates}}
		return nil
	}
	if city := word("nickname", text); city != "" {
		p.Read = []Reading{{City: city}}
		return nil
	}
	if m := stateCode.FindStringSubmatch(text); m != nil && isState(m[2]) {
		return &Problem{Text: text, Reason: " has no comma before its state", Instead: []string{m[1] + ", " + m[2]}}
	}
	p.Read = []Reading{{Words: text}}
	return nil
}

// readTwo reads a city or a state, and the state or country that contains it.
func (p *Place) readTwo(first, second string) error {
	country, state := CountryName(second), stateNamed(second)
	if isAbbreviation(second) && state != "" && !isWord("alsocountry", second) {
		country = ""
	}
	first = cmp.Or(word("nickname", first), first)
	switch {
	case codeDigits.MatchString(first) && country != "":
		p.Postal = first
		p.Read = []Reading{{Postal: first, Country: country}}
		return nil
	case country != "" && (isWord("territory", first) || CountryName(first) == country):
		p.readRegion(first)
		return nil
	}
	if problem := p.misplaced(first, second, country, state); problem != nil {
		return problem
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

// misplaced returns the error for two names of countries, and for a state or country before its city; nil for any other two parts.
func (p *Place) misplaced(first, second, country, state string) error {
	switch {
	case country != "" && IsCountry(first) && !isState(first):
		return &Problem{Text: p.Text, Reason: " is two countries", Instead: []string{first, second}}
	case country == "" && state == "" && (IsCountry(first) || isState(first)):
		return &Problem{Text: p.Text, Reason: " has its state or country first", Instead: []string{second + ", " + first}}
	}
	return nil
}

// readThree reads a city, its state and its country.
func (p *Place) readThree(parts []string) error {
	country := CountryName(parts[2])
	switch {
	case country == "" || isState(parts[2]) && !isState(parts[1]):
		return tooMany(p.Text, parts)
	case CountryName(parts[1]) == country && !isState(parts[1]): // London, England, UK
		return p.readTwo(parts[0], parts[2])
	}
	p.Read = []Reading{{City: parts[0], State: cmp.Or(stateNamed(parts[1]), parts[1]), Country: country}}
	return nil
}

// tooMany returns the error for a text of more parts than a city, its state and its country: cities with their states, or a facility.
func tooMany(text string, parts []string) error {
	p := &Problem{Text: text, Reason: " has more parts than a city, its state and its country"}
	if len(parts) == 4 && isState(parts[1]) && isState(parts[3]) {
		p.Instead = []string{parts[0] + ", " + parts[1], parts[2] + ", " + parts[3]}
	} else if isState(parts[len(parts)-1]) || IsCountry(parts[len(parts)-1]) {
		p.Facility, p.Instead = parts[0], []string{strings.Join(parts[1:], ", ")}
	}
	return p
}

// refuse returns the error for a text that is no name of a place; nil for any other text.
func refuse(text string) error {
	if instead := word("world", text); instead != "" {
		return &Problem{Text: text, Reason: " is a part of the world; the registry has cities, states and countries",
			Instead: strings.Split(instead, " or ")}
	}
	parts := partsOf(text)
	empty := slices.ContainsFunc(parts, func(p string) bool { return key(p) == "" })
	switch m := joined.FindStringIndex(text); {
	case empty || isWord("none", text):
		return &Problem{Text: text, Reason: " is no place"}
	case m != nil:
		return &Problem{Text: text, Reason: " joins places by " + text[m[0]:m[1]] + ", and only OR joins places"}
	case signs.MatchString(text):
		return &Problem{Text: text, Reason: " is no name of a place"}
	}
	first, _, _ := strings.Cut(text, " ")
	rest := strings.TrimPrefix(text, first+" ")
	if rest != text && isWord("outside", first) {
		return &Problem{Text: text, Reason: " is no name of a place"}
	} else if rest != text && isWord("before", first) {
		return &Problem{Text: text, Reason: " has a word before the place", Instead: []string{rest}}
	}
	if names := withoutPostal(parts); len(names) > 0 && !slices.Equal(names, parts) {
		return &Problem{Text: text, Reason: " has a postal code beside a name", Instead: []string{strings.Join(names, ", ")}}
	}
	return nil
}

// withoutPostal returns the parts of a place without postal codes. It keeps the code in front of a country.
func withoutPostal(parts []string) (names []string) {
	if len(parts) == 2 && codeDigits.MatchString(parts[0]) && IsCountry(parts[1]) {
		return parts
	}
	for _, part := range parts {
		m := withPostal.FindStringSubmatch(part)
		switch {
		case m != nil && key(m[1]+m[2]) != "":
			names = append(names, m[1]+m[2])
		case !onlyPostal.MatchString(part):
			names = append(names, part)
		}
	}
	return names
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
