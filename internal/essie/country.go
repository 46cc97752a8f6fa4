package essie

import "strings"

// Country returns the expression for a site in a country, and notices. The only error is PlaceError.
func Country(name string) (expression string, notices []string, err error) {
	if partsOfUK[nameKey(name)] {
		at, _ := asCountry(name)
		for _, n := range at.Notices {
			notices = append(notices, strings.Replace(n, "location:", "country:", 1))
		}
		return at.Filter, notices, nil
	}
	if c, ok := countryOf(name); ok {
		return c.expression(), nil, nil
	}
	if instead := partsOfTheWorld[nameKey(name)]; instead != "" {
		return "", nil, &PlaceError{Reason: quote(excerpt(name)) + " is not a country", Instead: instead, Argument: "location"}
	}
	if _, ok := stateOf(name); ok {
		return "", nil, &PlaceError{Reason: quote(excerpt(name)) + " is a state or province", Instead: name, Argument: "location"}
	}
	return "", nil, &PlaceError{Reason: quote(excerpt(name)) + " is not a country that Biofact knows", Instead: name, Argument: "location"}
}
