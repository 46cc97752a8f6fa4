// Package place reads the places and distances that people write, compares
// them with the sites of records, and finds where a place is by the sites of
// trials there. It has no list of cities. Only Circle.Filter writes the
// language of the registry.
package place

import (
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/geo"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// A Place is one place after parsing.
type Place struct {
	Text string // the place without words around it, such as "near"
	// Read has the ways to read the names. A site is at the place if it has the names of one of them.
	Read []Reading

	City    string   // the city, if the place may be one
	Around  []string // the states and countries after the city, the smallest first
	Postal  string   // postal code
	Country string   // of the postal code; empty if it is not known
	Point   *geo.Point

	Vague   bool   // the text means the surroundings of the place
	Within  Radius // the distance in the text
	Remarks []Remark

	given string // the complete text
}

// A Reading has the names that one site must have. An empty one may be any.
type Reading struct {
	Words                          string // words of any of the four names
	Facility, City, State, Country string
	Postal                         string
}

// A Remark says how a text was read.
type Remark struct {
	Text string // a sentence about the text
	// For says what Instead finds, other texts for the same argument.
	For     string
	Instead []string
}

// A Problem is the error for a text that names no place that the registry could have.
type Problem struct {
	Kind Kind
	Text string
	// Instead is a text that the caller may mean; empty if no such text is known.
	Instead string
}

// Kind is the kind of a Problem.
type Kind string

// The kinds of problems.
const (
	Excludes   Kind = " excludes a place in words; NOT excludes one"
	Caller     Kind = " depends on where the caller is, which Biofact does not know"
	Anywhere   Kind = " is not a place"
	TooLarge   Kind = " is a part of the world; ClinicalTrials.gov has cities, states and countries"
	Several    Kind = " may be one place or several"
	NoPoint    Kind = " is not a point: a latitude of -90 to 90 comes first, then a longitude of -180 to 180"
	FourDigits Kind = " has four digits, and a ZIP code five; a code of another country has the name of the country after it"
	NoCity     Kind = " names no city"
	State      Kind = " is a state or province"
	NotCountry Kind = " is not a country"
	Unknown    Kind = " is not a country that Biofact knows"
)

// Error returns a sentence without a full stop.
func (p *Problem) Error() string { return quoted(p.Text) + string(p.Kind) }

// In returns a text in which the place that the caller may mean replaces the wrong one.
func (p *Problem) In(text string) string {
	before, after, found := strings.Cut(strings.Join(strings.Fields(text), " "), p.Text)
	if !found || before+after == "" {
		return p.Instead
	}
	return before + "(" + p.Instead + ")" + after
}

var (
	coordinates = lazyregexp.New(`(?i)^\(?\s*([-+−]?[0-9]{1,3}(?:\.[0-9]+)?)\s*°?\s*([NS]?)\s*` +
		`(?:[,;]\s*|\s+)([-+−]?[0-9]{1,3}(?:\.[0-9]+)?)\s*°?\s*([EW]?)\s*\)?$`)
	usCode   = lazyregexp.New(`(?i)^(?:zip|postal|post)?[ -]?(?:code)?:? *([0-9]{4,5})(?:-[0-9]{4})?(?:,? *(?:USA?|United States))?$`)
	codeIn   = lazyregexp.New(`^([0-9]{4,6}),? +([^0-9]+)$`)
	canadian = lazyregexp.New(`(?i)^([A-Z][0-9][A-Z]) ?([0-9][A-Z][0-9])(?:, *Canada)?$`)
)

// usDigits is the number of digits of a ZIP code.
const usDigits = 5

// String returns the place in a form that Read reads as the same place.
func (p Place) String() string {
	switch {
	case p.Point != nil:
		return Coordinates(*p.Point)
	case p.Country == "United States" || p.Postal != "" && p.Country == "":
		return p.Postal
	case p.Postal != "":
		return p.Postal + ", " + p.Country
	}
	return strings.Join(append([]string{p.City}, p.Around...), ", ")
}

// Coordinates returns latitude and longitude as Read reads them.
func Coordinates(p geo.Point) string {
	return strconv.FormatFloat(p.Lat, 'f', -1, 64) + "," + strconv.FormatFloat(p.Lon, 'f', -1, 64)
}

// A Radius is a distance from a place.
type Radius struct {
	KM   float64
	Text string // with its unit: 50 mi
	// Guessed reports that the text had no unit and miles were assumed.
	Guessed bool
}

var radius = lazyregexp.New(`(?i)^(?:within )?([0-9]{1,5}(?:\.[0-9]{1,3})?) ?-?(|mi|miles?|km|kms|kilomet(?:er|re)s?)\.?$`)

// DefaultRadius is the distance if none is given.
const DefaultRadius = "50 mi"

// longestKM is half of the Earth's circumference in kilometres, the longest possible distance.
const longestKM = 20038

// ParseRadius reads a distance, such as 50 mi or 80 km.
func ParseRadius(text string) (Radius, bool) {
	m := radius.FindStringSubmatch(strings.Join(strings.Fields(text), " "))
	if m == nil {
		return Radius{}, false
	}
	number, _ := strconv.ParseFloat(m[1], 64)
	digits := strconv.FormatFloat(number, 'f', -1, 64)
	r := Radius{KM: number, Text: digits + " mi", Guessed: m[2] == ""}
	if strings.HasPrefix(strings.ToLower(m[2]), "k") {
		r.Text = digits + " km"
	} else {
		r.KM *= geo.KilometresPerMile
	}
	return r, r.KM > 0 && r.KM <= longestKM
}

// quoted returns a text in quotation marks, cut if it is long.
func quoted(text string) string { return `"` + entity.Cut(text, 80) + `"` }

// Name returns city, state and country of a site.
func Name(site *entity.TrialLocation) string {
	parts := []string{site.City, site.State, site.Country}
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), ", ")
}

// PointOf returns the position of a site; false if it is not known.
func PointOf(site *entity.TrialLocation) (geo.Point, bool) {
	if site.Latitude == nil || site.Longitude == nil {
		return geo.Point{}, false
	}
	return geo.Point{Lat: *site.Latitude, Lon: *site.Longitude}, true
}

const (
	// MaxSites limits the sites of one trial that are searched. The largest trials have between one and two thousand.
	MaxSites = 10_000
	// checkEvery is the number of sites after which the context is checked again.
	checkEvery = 500
)
