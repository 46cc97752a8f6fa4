package place

import (
	"cmp"
)

// atSite returns the ways to read the parts of a place, the smallest first; nil for parts that it cannot read.
func atSite(parts []string) []Reading {
	switch len(parts) {
	case 2:
		return atSiteOfTwo(parts[0], parts[1])
	case 3:
		return atSiteOfThree(parts[0], parts[1], parts[2])
	case 4:
		if last, isCountry := countryOf(parts[3]); isCountry {
			return Reading{Facility: parts[0], City: parts[1], Country: last.names[0]}.within(parts[2])
		}
	}
	return nil
}

// atSiteOfTwo reads a place of two parts: a city, a facility or a state, and the region that contains it.
func atSiteOfTwo(first, second string) []Reading {
	around, isCountry := countryOf(second)
	_, isState := stateOf(second)
	if territory, ok := countryOf(first); ok && isCountry && isWord("territory", first) {
		return []Reading{{Country: territory.names[0]}}
	}
	if isCountry && !isState {
		return []Reading{{City: first, Country: around.names[0]}, {State: fullName(first), Country: around.names[0]}}
	}
	readings := Reading{City: first}.within(second)
	if !isState {
		readings = append(readings, Reading{Facility: first, City: second})
	}
	return readings
}

// atSiteOfThree reads a place of three parts: a facility or a city, and the regions that contain it.
func atSiteOfThree(first, second, third string) []Reading {
	around, isCountry := countryOf(third)
	state, isState := stateOf(third)
	if isState && (!isCountry || around.code) {
		return Reading{Facility: first, City: second}.within(third)
	}
	if isCountry && isWord("uk", second) {
		return atSite([]string{first, third})
	}
	country := third
	if isCountry {
		country = around.names[0]
	}
	if full, ok := stateOf(second); ok {
		return []Reading{{City: first, State: full, Country: country}}
	}
	readings := []Reading{{City: first, State: second, Country: country}, {Facility: first, City: second, Country: country}}
	if isState { // Georgia
		readings = append(readings, Reading{Facility: first, City: second, State: state})
	}
	return readings
}

// within returns the readings of r with names after it, each a state or province, a country, or a name that may be either, such as Georgia.
func (r Reading) within(around ...string) []Reading {
	all := []Reading{r}
	for _, name := range around {
		var next []Reading
		for _, r := range all {
			next = append(next, r.withinOne(name)...)
		}
		if len(next) == 0 { // a second state: it must be some name of the site
			all[0].Words = name
			next = all[:1]
		}
		all = next
	}
	return all
}

// withinOne returns the readings of r with one name after it. None has a second state or country.
func (r Reading) withinOne(name string) (readings []Reading) {
	c, isCountry := countryOf(name)
	state, isState := stateOf(name)
	if isCountry && r.Country == c.names[0] || isState && r.State == state {
		return []Reading{r}
	}
	if r.State == "" && (isState || !isCountry) {
		inState := r
		inState.State = cmp.Or(state, name)
		readings = append(readings, inState)
	}
	if r.Country == "" && (!isState || isCountry && (!c.code || isWord("alsocountry", name))) {
		r.Country = name
		if isCountry {
			r.Country = c.names[0]
		}
		return append(readings, r)
	}
	return readings
}

// Sites returns the readings of the place as a postal code or as a city.
func (p Place) Sites() []Reading {
	if p.Postal != "" {
		return Reading{Postal: p.Postal}.within(p.Country)
	}
	return Reading{City: p.City}.within(p.Around...)
}

// fullName returns the name that is searched for a place without commas.
func fullName(text string) string {
	if full, ok := region(text); ok {
		return full
	}
	return withoutNickname([]string{text})[0]
}

// withoutNickname replaces the nickname of a city in the first part.
func withoutNickname(parts []string) []string {
	if nickname := word("nickname", parts[0]); nickname != "" {
		return append([]string{nickname}, parts[1:]...)
	}
	return parts
}
