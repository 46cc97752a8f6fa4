package essie

import (
	"strings"

	"github.com/biofact-mcp/biofact/internal/boolean"
)

// Place returns the expression for a place that people name. "City, State",
// "City, Country" and "City, State, Country" must hold at one site, which
// upstream's location query, pooling all sites of a trial, cannot say: site is
// then set. Any other place comes back as words for the location query.
func Place(place string) (words, site string) {
	parts := strings.Split(strings.TrimRight(place, ", "), ",")
	for i, p := range parts {
		parts[i] = strings.Join(strings.Fields(p), " ")
		if !strings.ContainsFunc(parts[i], boolean.LetterOrDigit) {
			return Words(place), ""
		}
	}
	city := Area("LocationCity", Phrase(parts[0]))
	switch len(parts) {
	case 1:
		if full, ok := region(parts[0]); ok {
			return Words(full), ""
		}
		return Words(country(parts[0])), ""
	case 2:
		return "", OneSite(city, within(parts[1]))
	case 3:
		state := parts[1]
		if full, ok := region(state); ok {
			state = full
		}
		return "", OneSite(city, Area("LocationState", Phrase(state)), Area("LocationCountry", Phrase(country(parts[2]))))
	}
	return Words(place), ""
}

// within is what may follow a city: the abbreviation of a state or province,
// or a name, which may be a state's or a country's (Georgia is both).
func within(name string) string {
	if full, ok := region(name); ok {
		return Area("LocationState", Phrase(full))
	}
	if full := country(name); full != name {
		return Area("LocationCountry", Phrase(full))
	}
	return Or(Area("LocationState", Phrase(name)), Area("LocationCountry", Phrase(name)))
}

// region spells out the postal abbreviation of a US state or a Canadian
// province.
func region(abbreviation string) (string, bool) {
	name, ok := regions[strings.ToUpper(strings.ReplaceAll(abbreviation, ".", ""))]
	return name, ok
}

// country returns the name that the registry uses for a country.
func country(name string) string {
	if registered, ok := countries[strings.ToUpper(strings.ReplaceAll(name, ".", ""))]; ok {
		return registered
	}
	return name
}

var countries = map[string]string{
	"US": "United States", "USA": "United States", "UNITED STATES OF AMERICA": "United States",
	"UK": "United Kingdom", "GB": "United Kingdom", "GREAT BRITAIN": "United Kingdom", "ENGLAND": "United Kingdom",
	"SCOTLAND": "United Kingdom", "WALES": "United Kingdom",
	"UAE": "United Arab Emirates", "KOREA": "South Korea", "REPUBLIC OF KOREA": "South Korea",
	"HOLLAND": "Netherlands", "THE NETHERLANDS": "Netherlands", "CZECH REPUBLIC": "Czechia",
}

var regions = map[string]string{
	"AL": "Alabama", "AK": "Alaska", "AZ": "Arizona", "AR": "Arkansas", "CA": "California", "CO": "Colorado",
	"CT": "Connecticut", "DE": "Delaware", "DC": "District of Columbia", "FL": "Florida", "GA": "Georgia",
	"HI": "Hawaii", "ID": "Idaho", "IL": "Illinois", "IN": "Indiana", "IA": "Iowa", "KS": "Kansas",
	"KY": "Kentucky", "LA": "Louisiana", "ME": "Maine", "MD": "Maryland", "MA": "Massachusetts",
	"MI": "Michigan", "MN": "Minnesota", "MS": "Mississippi", "MO": "Missouri", "MT": "Montana",
	"NE": "Nebraska", "NV": "Nevada", "NH": "New Hampshire", "NJ": "New Jersey", "NM": "New Mexico",
	"NY": "New York", "NC": "North Carolina", "ND": "North Dakota", "OH": "Ohio", "OK": "Oklahoma",
	"OR": "Oregon", "PA": "Pennsylvania", "PR": "Puerto Rico", "RI": "Rhode Island", "SC": "South Carolina",
	"SD": "South Dakota", "TN": "Tennessee", "TX": "Texas", "UT": "Utah", "VT": "Vermont", "VA": "Virginia",
	"WA": "Washington", "WV": "West Virginia", "WI": "Wisconsin", "WY": "Wyoming",
	"AB": "Alberta", "BC": "British Columbia", "MB": "Manitoba", "NB": "New Brunswick",
	"NL": "Newfoundland and Labrador", "NS": "Nova Scotia", "NT": "Northwest Territories", "NU": "Nunavut",
	"ON": "Ontario", "PE": "Prince Edward Island", "QC": "Quebec", "SK": "Saskatchewan", "YT": "Yukon",
}
