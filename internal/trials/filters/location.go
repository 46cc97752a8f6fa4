package filters

import (
	"errors"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/place"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// Recruiting is the status of a site that recruits.
const Recruiting entity.RecruitmentStatus = "RECRUITING"

// PlaceForms lists the values that location takes, for messages.
const PlaceForms = `location takes "City, State", "City, Country", one name of a city, a state or a country in English, or several joined by OR`

// facilityPiece is the name of a facility in the registry.
const facilityPiece = "LocationFacility"

// Places are the places of location and country, after reading.
type Places struct {
	facility  *query.Text // nil: not given
	location  []place.Place
	countries []place.Place
}

// readPlaces reads the places of sites. location is the text of location that is not read as near.
func readPlaces(args tools.TrialFilters, location string, near bool) (sites Places, err error) {
	if args.RecruitingSite && args.Facility == "" && location == "" && len(args.Country) == 0 && !near && args.Near == "" {
		return sites, Misread{Argument: "recruiting_site", Text: "true", Reason: "was given without a place",
			hint: "For the trials that recruit anywhere call " + TheTool + ` again with {"recruiting_site":null,"status":"RECRUITING"}, ` +
				"or with location, country or near as well."}
	}
	if sites.countries, err = ReadCountries(args.Country, "location"); err != nil || location == "" {
		return sites, err
	}
	sites.location, err = place.Read(location)
	if wrong, ok := errors.AsType[*place.Problem](err); ok {
		return sites, locationError(args, location, wrong)
	}
	for _, p := range sites.location {
		if p.Point != nil {
			return sites, Misread{Argument: "location", Text: location, Reason: TheText + " has a point, which near takes",
				change: map[string]any{"location": nil, "near": p.String()}}
		}
	}
	return sites, err
}

var (
	severalCountries = lazyregexp.New(`\s*[,;|]\s*|\s+(?:OR|or)\s+`)
	// otherJoins are the operators that location does not take.
	otherJoins = lazyregexp.New(`^\(?(.+?)\)?\s+(?:(AND)\s+NOT|(AND)|(NOT))\s+\(?(.+?)\)?$`)
)

// ReadCountries reads the names of countries, of which a text may list several. state is the argument of the called tool that takes a
// state.
func ReadCountries(names []string, state string) (all []place.Place, err error) {
	for _, name := range names {
		parts := []string{name}
		if !place.IsCountry(name) { // Korea, Republic of
			parts = severalCountries.Split(name, -1)
		}
		for _, part := range parts {
			at, err := place.ReadCountry(part)
			if wrong, ok := errors.AsType[*place.Problem](err); ok {
				return nil, countryError(names, state, wrong)
			}
			all = append(all, at)
		}
	}
	return all, nil
}

// countryError returns the error for a name that is no country, with the call in which the countries that may be meant replace it.
func countryError(names []string, state string, wrong *place.Problem) error {
	m := Misread{Argument: "country", Text: wrong.Text, Reason: TheText + wrong.Reason,
		Again: "with the English name of a country in country"}
	meant := wrong.Instead
	if nearest := tool.Nearest(wrong.Text, place.Countries()); len(meant) == 0 && nearest != "" {
		meant = []string{nearest}
	}
	isState, _ := place.StateOf(wrong.Text)
	switch {
	case isState != "" && len(names) == 1:
		m.change = map[string]any{"country": nil, state: isState}
	case len(meant) > 0 && !slices.ContainsFunc(meant, func(name string) bool { return !place.IsCountry(name) }):
		var all []string
		for _, name := range names {
			if name == wrong.Text {
				all = append(all, meant...)
			} else if place.IsCountry(name) {
				all = append(all, name)
			}
		}
		m.change = map[string]any{"country": cmpOr(all, meant)}
	case len(meant) > 0:
		m.change = map[string]any{"country": nil, state: strings.Join(meant, " OR ")}
	}
	return m
}

// locationError returns the error for a text that is no place in one of the forms that location takes.
func locationError(args tools.TrialFilters, text string, wrong *place.Problem) error {
	m := Misread{Argument: "location", Text: text, Reason: wrong.Error(), Again: "with another location; " + PlaceForms}
	change := map[string]any{}
	switch joined := otherJoins.FindStringSubmatch(text); {
	case wrong.Facility != "" && args.Facility == "":
		change = map[string]any{"facility": wrong.Facility, "location": wrong.Instead[0]}
	case len(wrong.Instead) > 0 && text == wrong.Text:
		change["location"] = strings.Join(wrong.Instead, " OR ")
	case len(wrong.Instead) > 0 && wrong.Facility == "":
		change["location"] = strings.Replace(text, wrong.Text, strings.Join(wrong.Instead, " OR "), 1)
	case joined != nil && args.Expression == "":
		first, wrongFirst := place.Read(joined[1])
		second, wrongSecond := place.Read(joined[5])
		if wrongFirst != nil || wrongSecond != nil || len(first) == 0 {
			return m
		}
		also := query.AtSite(place.Readings(second))
		if joined[3] == "" {
			also = query.Not{Node: also}
		}
		change = map[string]any{"location": joined[1], "expression": also.String()}
	default:
		return m
	}
	m.change = change
	return m
}

// condition returns the words for the location query and the filter for trials with a site at the places.
func (sites Places) condition(recruiting bool) (words, filter query.Node) {
	var also query.Node // of the site
	if sites.facility != nil {
		also = sites.facility.In(facilityPiece)
	}
	if recruiting {
		also = query.AllOf(also, query.RecruitingSite())
	}
	if len(sites.countries) > 0 {
		_, filter = query.At(place.Readings(sites.countries), also)
	}
	switch {
	case len(sites.location) > 0:
		words, at := query.At(place.Readings(sites.location), also)
		return words, query.AllOf(filter, at)
	case filter == nil && sites.facility != nil:
		return nil, query.OneSite{Node: also}
	}
	return nil, filter
}

// notices says how names that may mean two places were read.
func (sites Places) notices(caller string) (notices []string) {
	for _, given := range []struct {
		argument string
		places   []place.Place
	}{{"country", sites.countries}, {"location", sites.location}} {
		for _, p := range given.places {
			if p.Remark == "" {
				continue
			}
			text := given.argument + ": " + envelope.Quoted(p.Text) + p.Remark + "."
			if p.Instead != "" && len(given.places) == 1 {
				text += " For " + p.Instead + " call " + caller + " again with " + tool.Object(given.argument, p.Instead) + "."
			}
			notices = append(notices, text)
		}
	}
	return notices
}

// HasSite reports whether a site has the words of facility, is at one of the places of location, and in one of those of country.
func (w *Wishes) HasSite(site *entity.TrialLocation) bool {
	if w.sites.facility != nil && !query.LineHas(w.sites.facility.Expression, facilityPiece, site.FacilityName) {
		return false
	}
	at := func(places []place.Place) bool {
		return len(places) == 0 || slices.ContainsFunc(places, func(p place.Place) bool { return p.Matches(site) })
	}
	return at(w.sites.countries) && at(w.sites.location)
}

// cmpOr returns the first list that has items.
func cmpOr(lists ...[]string) (first []string) {
	for _, list := range lists {
		if len(first) == 0 {
			first = list
		}
	}
	return first
}
