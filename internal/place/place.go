// Package place reads the places and distances that people write, and finds
// where a place is by the sites of trials there. It has no list of cities.
package place

import (
	"math"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/essie"
	"github.com/biofact-mcp/biofact/internal/geo"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// A Place is a place after parsing: a point, a postal code or a city.
type Place struct {
	Point *geo.Point
	Code  string // postal code
	City  essie.City

	country string // of the code
}

var (
	coordinates = lazyregexp.New(`(?i)^\(?\s*([-+−]?[0-9]{1,3}(?:\.[0-9]+)?)\s*°?\s*([NS]?)\s*` +
		`(?:[,;]\s*|\s+)([-+−]?[0-9]{1,3}(?:\.[0-9]+)?)\s*°?\s*([EW]?)\s*\)?$`)
	usCode   = lazyregexp.New(`(?i)^(?:zip|postal|post)?[ -]?(?:code)?:? *([0-9]{4,5})(?:-[0-9]{4})?(?:,? *(?:USA?|United States))?$`)
	codeIn   = lazyregexp.New(`^([0-9]{4,6}),? +([^0-9]+)$`)
	canadian = lazyregexp.New(`(?i)^([A-Z][0-9][A-Z]) ?([0-9][A-Z][0-9])(?:, *Canada)?$`)
)

// Parse reads coordinates, a postal code or a city with its state or country. Five digits alone are a ZIP code of the United States. The
// only error is essie.PlaceError.
func Parse(text string) (Place, error) {
	text = strings.Join(strings.Fields(text), " ")
	if m := coordinates.FindStringSubmatch(text); m != nil {
		return parsePoint(text, m)
	}
	if m := usCode.FindStringSubmatch(text); m != nil {
		if len(m[1]) < usDigits {
			return Place{}, &essie.PlaceError{
				Reason: strconv.Quote(text) + " has four digits, and a ZIP code five; with a code of another country give its name, " +
					"such as " +
					strconv.Quote(m[1]+", Switzerland"),
				Instead: "0" + m[1],
			}
		}
		return Place{Code: m[1], country: "United States"}, nil
	}
	if m := canadian.FindStringSubmatch(text); m != nil {
		return Place{Code: strings.ToUpper(m[1] + " " + m[2]), country: "Canada"}, nil
	}
	if m := codeIn.FindStringSubmatch(text); m != nil && essie.IsCountry(m[2]) {
		return Place{Code: m[1], country: m[2]}, nil
	}
	city, err := essie.ReadCity(text)
	return Place{City: city}, err
}

var onlyCode = lazyregexp.New(`^ *[0-9]{4,6} *$`)

// InCountry returns a postal code of digits with its country, as Parse reads it,
// and any other text unchanged.
func InCountry(text, country string) string {
	if !onlyCode.MatchString(text) || !essie.IsCountry(country) {
		return text
	}
	return strings.TrimSpace(text) + ", " + country
}

func parsePoint(text string, m []string) (Place, error) {
	lat, lon := degrees(m[1], m[2]), degrees(m[3], m[4])
	if math.Abs(lat) > 90 || math.Abs(lon) > 180 {
		return Place{}, &essie.PlaceError{
			Reason:  strconv.Quote(text) + " is not a point: a latitude of -90 to 90 comes first, then a longitude of -180 to 180",
			Instead: "42.36,-71.06",
		}
	}
	return Place{Point: &geo.Point{Lat: lat, Lon: lon}}, nil
}

// degrees returns a number of degrees, negative for south and west.
func degrees(number, side string) float64 {
	value, _ := strconv.ParseFloat(strings.Replace(number, "−", "-", 1), 64) // the pattern takes numbers alone
	if strings.ContainsAny(side, "SsWw") {
		return -math.Abs(value)
	}
	return value
}

// String returns the place in a form that Parse reads as the same place.
func (p Place) String() string {
	switch {
	case p.Point != nil:
		return Coordinates(*p.Point)
	case p.country == "United States":
		return p.Code
	case p.Code != "":
		return p.Code + ", " + p.country
	}
	return p.City.String()
}

// Coordinates returns latitude and longitude as Parse reads them.
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
