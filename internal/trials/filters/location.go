package filters

import (
	"errors"
	"fmt"
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

// Places are the places of location and country, after reading.
type Places struct {
	facility  *query.Text       // nil: not given
	location  *place.Expression // nil: not given
	countries place.Place       // any of them; without readings: not given
	listed    []string          // notices about texts of country that list several
}

// ReadPlaces reads the places of sites. location is the text of location that is not read as near.
func ReadPlaces(args tools.TrialFilters, location string, near bool) (sites Places, err error) {
	if args.RecruitingSite && args.Facility == "" && location == "" && len(args.Country) == 0 && !near && args.Near == "" {
		return sites, Misread{Argument: "recruiting_site", Text: "true", Reason: "was given without a place",
			hint: "For the trials that recruit anywhere call " + TheTool + ` again with {"recruiting_site":null,"status":"RECRUITING"}, ` +
				"or with location, country or near as well."}
	}
	if sites.countries, sites.listed, err = readCountries(args.Country); err != nil {
		return sites, CountryError(args.Country, true, err)
	}
	if location == "" {
		return sites, nil
	}
	places, err := place.Read(location)
	if err != nil {
		return sites, placeError(location, err)
	}
	included, excluded := places.Places()
	if err := pointInLocation(location, append(included, excluded...)); err != nil {
		return sites, err
	}
	if words, filter := query.At(places, nil); words == nil && filter == nil {
		return sites, placeError(location, &place.Problem{Kind: place.Anywhere, Text: location})
	}
	sites.location = &places
	return sites, nil
}

// splitFacility moves the place of a facility, such as Mayo Clinic, Rochester, to location, and returns a notice.
func splitFacility(args *tools.TrialFilters) (notices []string) {
	name, at, found := strings.Cut(args.Facility, ",")
	if _, err := place.Read(at); !found || err != nil || args.Location != "" || strings.ContainsAny(args.Facility, `"()`) {
		return nil
	}
	args.Facility, args.Location = strings.TrimSpace(name), strings.TrimSpace(at)
	return []string{fmt.Sprintf("facility was read as the facility %q at location %q.", args.Facility, args.Location)}
}

// facilityPiece is the name of a facility in the registry.
const facilityPiece = "LocationFacility"

// condition returns the words for the location query and the filter for trials with a site at the places.
func (sites Places) condition(recruiting bool) (words, filter query.Node) {
	var also query.Node // of the site
	if sites.facility != nil {
		also = sites.facility.In(facilityPiece)
	}
	if recruiting {
		also = query.AllOf(also, query.RecruitingSite())
	}
	if len(sites.countries.Read) > 0 {
		_, filter = query.At(place.Expression{Place: &sites.countries}, also)
	}
	switch {
	case sites.location != nil:
		words, at := query.At(*sites.location, also)
		return words, query.AllOf(filter, at)
	case filter == nil && sites.facility != nil:
		return nil, query.OneSite{Node: also}
	}
	return nil, filter
}

// Notices says how the places were read.
func (sites Places) Notices(caller string) []string {
	notices := append(placeNotices(caller, "country", place.Expression{Place: &sites.countries}), sites.listed...)
	if sites.location != nil {
		notices = append(notices, placeNotices(caller, "location", *sites.location)...)
	}
	return notices
}

// pointInLocation returns the error for coordinates, which near takes.
func pointInLocation(text string, places []place.Place) error {
	at := slices.IndexFunc(places, func(p place.Place) bool { return p.Point != nil })
	if at < 0 {
		return nil
	}
	call := map[string]any{"location": nil, "near": places[at].String()}
	if places[at].Within.Text != "" {
		call["within"] = places[at].Within.Text
	}
	return Misread{Argument: "location", Text: text, Reason: TheText + " has a point, which near takes", Again: "with " + callOf(call)}
}

// placeNotices says how the places of an argument were read. A call for one of several places would lose the others.
func placeNotices(caller, argument string, read place.Expression) (notices []string) {
	again := " call " + caller + " again with "
	add := func(text string) { notices = append(notices, argument+": "+text) }
	included, excluded := read.Places()
	for _, p := range slices.Concat(included, excluded) {
		for _, r := range p.Remarks {
			var calls []string
			for _, instead := range r.Instead {
				calls = append(calls, tool.Object(argument, instead))
			}
			if len(calls) > 0 && read.Place != nil {
				r.Text += " For " + r.For + again + strings.Join(calls, " or ") + "."
			} else if len(calls) > 0 {
				r.Text += " For " + r.For + " write it as " + tool.Listed(r.Instead) + "."
			}
			add(r.Text)
		}
		if !p.Vague {
			continue
		}
		text := "only " + envelope.Quoted(p.Text) + " itself was searched."
		if call := map[string]any{argument: nil, "near": p.Text}; read.Place != nil && !place.IsCountryOrState(p.Text) {
			if p.Within.Text != "" {
				call["within"] = p.Within.Text
			}
			text += " For sites around it" + again + callOf(call) + "."
		}
		add(text)
	}
	var names []string
	for _, p := range excluded {
		names = append(names, envelope.Quoted(p.Text))
	}
	if len(names) > 0 {
		add("trials with a site in " + entity.Cut(alternatives(names), 400) + " were left out, also those with sites elsewhere.")
	}
	if len(read.Ignored) > 0 {
		add("operators without a place on both sides were ignored: " + strings.Join(read.Ignored, ", ") + ".")
	}
	return notices
}

// readCountries reads the argument country as one place that is in any of the countries. A text may list several.
func readCountries(names []string) (all place.Place, notices []string, err error) {
	add := func(at place.Place) {
		all.Read, all.Remarks = append(all.Read, at.Read...), append(all.Remarks, at.Remarks...)
	}
	for _, name := range names {
		at, err := place.ReadCountry(name)
		if err == nil {
			add(at)
			continue
		}
		parts := severalCountries.Split(name, -1)
		for _, part := range parts {
			at, wrong := place.ReadCountry(part)
			if wrong != nil || len(parts) < 2 {
				return all, nil, err
			}
			add(at)
		}
		notices = append(notices, "country: "+envelope.Quoted(name)+" was read as "+alternatives(parts)+".")
	}
	return all, notices, nil
}

// severalCountries splits a text that lists countries. A country whose name contains a comma or "and" is looked up before the text is
// split.
var severalCountries = lazyregexp.New(`(?i)\s*[,;|/]\s*|\s+(?:or|and)\s+`)

// placeError returns the error for a location that names no known place.
func placeError(text string, err error) error {
	wrong, ok := errors.AsType[*place.Problem](err)
	if !ok {
		return err
	}
	m := Misread{Argument: "location", Text: text, Reason: wrong.Error()}
	switch {
	case wrong.Kind == place.Anywhere && wrong.Text == text:
		m.hint = "To search all places call " + TheTool + " again with " + tool.Object("location", nil) + "; " + PlaceForms + "."
	case wrong.Instead == "" || wrong.Kind == place.Caller:
		m.Again = "with another location, or without it to search all places; " + PlaceForms
	default:
		m.hint = PlaceForms + ": call " + TheTool + " again with " + tool.Object("location", wrong.In(text)) + "."
	}
	return m
}

// CountryError returns the error for a name that is no country. The call of its hint has all names. hasLocation reports whether the called
// tool has the argument location, or else state.
func CountryError(names []string, hasLocation bool, err error) error {
	wrong, ok := errors.AsType[*place.Problem](err)
	if !ok {
		return err
	}
	again := "call " + TheTool + " again with "
	m := Misread{Argument: "country", Text: wrong.Text, Reason: wrong.Error(),
		hint: "country takes the English name of a country: " + again}
	const mostCountries = 100 // values of country
	meant, countries := placesMeant(names)
	switch {
	case slices.Contains(meant, ""):
		m.hint += "one."
	case countries && len(meant) <= mostCountries:
		m.hint += tool.Object("country", meant) + "."
	case hasLocation: // null removes this argument from the call
		m.hint += callOf(map[string]any{"country": nil, "location": strings.Join(meant, " OR ")}) + "."
		if wrong.Kind == place.Unknown && slices.Contains(meant, wrong.Text) { // it was not understood
			m.hint += " " + tools.CountTrials + " with " + callOf(map[string]any{"by": "country", "country": nil}) +
				" lists the names of countries."
		}
	case wrong.Kind == place.State && len(meant) == 1:
		m.hint = "Give a state as state: " + again + callOf(map[string]any{"country": nil, "state": meant[0]}) + "."
	default:
		m.hint += "one; without country its summary has the number of sites in each."
	}
	return m
}

// placesMeant returns the places that names in the argument country may mean, "" for an unknown one, and whether all are countries.
func placesMeant(names []string) (places []string, countries bool) {
	for _, name := range names {
		parts := []string{name}
		if _, err := place.ReadCountry(name); err != nil {
			parts = severalCountries.Split(name, -1)
		}
		for _, part := range parts {
			_, err := place.ReadCountry(part)
			if wrong, ok := errors.AsType[*place.Problem](err); ok {
				part = wrong.Instead
				if _, err := place.Read(part); err != nil { // not France; anywhere
					part = ""
					if wrong, ok := errors.AsType[*place.Problem](err); ok && wrong.Kind != place.Caller {
						part = wrong.Instead
					}
				}
			}
			places = append(places, strings.Split(part, " or ")...)
		}
	}
	return places, !slices.ContainsFunc(places, func(name string) bool { _, err := place.ReadCountry(name); return err != nil })
}
