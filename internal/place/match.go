package place

import (
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// Matches reports whether the record of a site names the place: its postal code, or its city with the regions around it. The city of a
// record may also be written with its state or country, as the caller gave the place.
func (p Place) Matches(site *entity.TrialLocation) bool {
	if p.Postal != "" {
		return codeKey(site.Zip) == codeKey(p.Postal) && inCountry(p.Country, site.Country)
	}
	return sameName(p.given, site.City) || p.isCity(site.City) &&
		!slices.ContainsFunc(p.Around, func(name string) bool { return !inState(name, site.State) && !inCountry(name, site.Country) })
}

// isCity reports whether a name of a record is one of the names of the city.
func (p Place) isCity(name string) bool {
	return slices.ContainsFunc(Spellings(p.City), func(spelling string) bool { return sameName(spelling, name) })
}

// MatchesPart reports whether a site is in the city, or in a city with a comma of which the city is one part, as in "Tokyo, Minato-ku". A
// state or country after a comma is not such a part: "Kingston, New York".
func (p Place) MatchesPart(site *entity.TrialLocation) bool {
	if p.City == "" || p.Matches(site) {
		return p.City != ""
	}
	parts := slices.DeleteFunc(strings.Split(site.City, ","), func(p string) bool { return nameKey(p) == "" })
	if len(parts) < 2 {
		return false
	}
	names := slices.Clone(parts[:1])
	for _, p := range parts[1:] {
		if !IsCountryOrState(strings.TrimSpace(p)) {
			names = append(names, p)
		}
	}
	return slices.ContainsFunc(names, p.isCity) && !slices.ContainsFunc(p.Around, func(around string) bool {
		isPart := func(p string) bool { return sameName(around, p) || inState(around, p) }
		return !inState(around, site.State) && !inCountry(around, site.Country) && !slices.ContainsFunc(parts, isPart)
	})
}

// Matches reports whether the record of a site has the facility, city, state and country of the reading, as far as it has them.
func (r Reading) Matches(site *entity.TrialLocation) bool {
	return (r.Facility == "" || hasWords(site.FacilityName, r.Facility)) && (r.City == "" || Place{City: r.City}.isCity(site.City)) &&
		(r.State == "" || inState(r.State, site.State)) && (r.Country == "" || inCountry(r.Country, site.Country))
}
