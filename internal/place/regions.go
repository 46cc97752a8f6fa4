package place

import (
	"strings"
	"sync"
)

// region returns the name of a US state or a Canadian province for its postal abbreviation.
func region(abbreviation string) (string, bool) {
	name, ok := regions[strings.ToUpper(strings.ReplaceAll(abbreviation, ".", ""))]
	return name, ok
}

// stateOf returns a US state or a Canadian province by name or abbreviation.
func stateOf(name string) (string, bool) {
	if full, ok := region(name); ok {
		return full, true
	}
	full, ok := regionNames()[nameKey(name)]
	return full, ok
}

var regionNames = sync.OnceValue(func() map[string]string {
	names := map[string]string{}
	for _, name := range regions {
		names[nameKey(name)] = name
	}
	return names
})

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

// provinces are the regions of Canada.
var provinces = map[string]bool{
	"Alberta": true, "British Columbia": true, "Manitoba": true, "New Brunswick": true, "Newfoundland and Labrador": true,
	"Nova Scotia":           true,
	"Northwest Territories": true, "Nunavut": true, "Ontario": true, "Prince Edward Island": true, "Quebec": true, "Saskatchewan": true,
	"Yukon": true,
}
