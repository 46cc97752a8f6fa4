package trials

import (
	"cmp"
	"encoding/json"
	"errors"
	"math"
	"slices"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/place"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/tool"
	"github.com/biofact-mcp/biofact/internal/trials/filters"
)

// The values of the argument order.
const (
	recordOrder   = "record"
	distanceOrder = "distance"
)

// A siteQuery is a call of get_trial_locations, after parsing.
type siteQuery struct {
	args        tools.GetTrialLocationsArgs // without the arguments of the page
	cities      []place.Place
	readings    []place.Reading // of the facility
	near        filters.Near
	radius      place.Radius
	readNotices []string // notices about the arguments
}

// readSiteQuery reads a call of get_trial_locations. Its errors are those of parsers, which know no tool.
func readSiteQuery(args tools.GetTrialLocationsArgs) (q siteQuery, err error) {
	if args.NCTID, err = filters.ReadNCT(tools.GetTrialLocations, args.NCTID); err != nil {
		return q, err
	}
	args.PageSize, args.Cursor = 0, ""
	facilities := []string{args.Facility}
	for _, a := range []struct {
		name   string
		values *[]string
	}{{"country", &args.Country}, {"state", &args.State}, {"city", &args.City}, {"facility", &facilities}} {
		if *a.values, err = readSiteTexts(a.name, *a.values); err != nil {
			return q, err
		}
	}
	q.args = args
	for _, text := range facilities {
		q.readings = append(q.readings, facilityReadings(text)...)
	}
	for _, name := range args.Country {
		if _, err := place.ReadCountry(name); err != nil {
			return q, filters.CountryError(args.Country, false, err)
		}
	}
	for _, text := range args.City {
		city, err := place.ReadCity(text)
		if err != nil {
			return q, envelope.Refuse("city", text, "%s is not understood: %s", envelope.Quoted(text), err).
				Again(tools.GetTrialLocations, "with the name of a city in city")
		}
		q.cities = append(q.cities, city)
	}
	if args.Near == "" && args.Order == distanceOrder {
		return q, filters.NeedsNear("order", args.Order)
	}
	if args.Near == "" {
		return q, filters.NeedsNear("within", args.Within)
	}
	if q.near, err = filters.ReadNear(args.Near, args.Country, false); err != nil {
		return q, err
	}
	q.near.Tool = tools.GetTrialLocations
	if q.radius, err = filters.ReadRadius(args.Within); q.radius.Guessed {
		q.readNotices = append(q.readNotices, filters.GuessedUnit(args.Within, q.radius))
	}
	return q, err
}

// facilityReadings returns the ways to read a facility: as words of its name, or as its name with its city and state.
func facilityReadings(text string) []place.Reading {
	all := []place.Reading{{Facility: text}}
	read, err := place.Read(text)
	if err != nil || read.Place == nil {
		return all
	}
	return append(all, slices.DeleteFunc(slices.Clone(read.Place.Read), func(r place.Reading) bool {
		return r.Facility == "" || r.City == ""
	})...)
}

// readSiteTexts returns the texts of an argument that selects sites, those that OR joins as a text each. The error is for a text that
// excludes a place.
func readSiteTexts(name string, given []string) (texts []string, err error) {
	excludes, selects := "", false
	for _, text := range given {
		read, err := place.Read(text)
		included, excluded := read.Places()
		wrong, _ := errors.AsType[*place.Problem](err)
		if excludes == "" && (len(excluded) > 0 || wrong != nil && wrong.Kind == place.Excludes) {
			excludes, selects = text, err == nil && len(included) > 0
		}
		alternatives := read.Alternatives()
		for _, at := range alternatives {
			texts = append(texts, at.Text)
		}
		if alternatives == nil {
			texts = append(texts, text)
		}
	}
	if excludes == "" {
		return texts, nil
	}
	refused := envelope.Refuse(name, excludes, "%s excludes a place, and %s only selects sites", envelope.Quoted(excludes), name)
	if !selects && len(texts) == 1 {
		return nil, refused.Hint("For all sites, each with its place, call %s again with %s.", tools.GetTrialLocations,
			tool.Object(name, nil))
	}
	return nil, refused.Again(tools.GetTrialLocations, "with the places to list in %s", name)
}

// narrows reports whether the call selects some of the sites.
func (q *siteQuery) narrows() bool {
	a := q.args
	return a.Near != "" || a.Facility != "" || len(a.Country)+len(a.State)+len(a.City)+len(a.Status) > 0
}

// matches reports whether a site has what the arguments other than near and within require.
func (q *siteQuery) matches(site *entity.TrialLocation) bool {
	oneOf := func(names []string, reading func(name string) place.Reading) bool {
		return len(names) == 0 || slices.ContainsFunc(names, func(name string) bool { return reading(name).Matches(site) })
	}
	return (len(q.args.City) == 0 || slices.ContainsFunc(q.cities, func(p place.Place) bool { return p.MatchesPart(site) })) &&
		oneOf(q.args.Country, func(name string) place.Reading { return place.Reading{Country: name} }) &&
		oneOf(q.args.State, func(name string) place.Reading { return place.Reading{State: name} }) &&
		(q.args.Facility == "" || slices.ContainsFunc(q.readings, func(r place.Reading) bool { return r.Matches(site) })) &&
		(len(q.args.Status) == 0 || slices.Contains(q.args.Status, string(site.RecruitmentStatus)))
}

// foundSites are the sites that match a call.
type foundSites struct {
	sites []entity.TrialLocation
	// nearest is the nearest site that matches the arguments other than within; nil if no such site has a distance.
	nearest *entity.TrialLocation
	// unplaced counts the sites that were left out because their distance is unknown.
	unplaced int
	// named are the sites without a distance whose city has the name of the place.
	named []entity.TrialLocation
	// beyond reports that no site is within the default distance, so that all are listed.
	beyond bool
}

// find returns the matching sites in the requested order, with their distances from a point.
func (q *siteQuery) find(sites []entity.TrialLocation, from place.Spot) (f foundSites) {
	all := slices.DeleteFunc(slices.Clone(sites), func(site entity.TrialLocation) bool { return !q.matches(&site) })
	if q.near.Text == "" {
		return foundSites{sites: all}
	}
	circle := place.Circle{Center: from.Point, Misplaced: from.Misplaced}
	for i := range all {
		if point, ok := circle.PointOf(&all[i]); ok {
			all[i].DistanceKM = new(place.RoundKM(from.Point.Kilometres(point)))
		}
	}
	nearer := func(a, b entity.TrialLocation) int { return cmp.Compare(distance(a), distance(b)) }
	if len(all) > 0 {
		if first := slices.MinFunc(all, nearer); first.DistanceKM != nil {
			f.nearest = &first
		}
	}
	f.beyond = q.args.Within == "" && (f.nearest == nil || distance(*f.nearest) > q.radius.KM)
	for _, site := range all {
		if f.beyond || distance(site) <= q.radius.KM {
			f.sites = append(f.sites, site)
		} else if site.DistanceKM == nil {
			f.unplaced++
		}
	}
	f.named = slices.DeleteFunc(all, func(site entity.TrialLocation) bool { return site.DistanceKM != nil || !q.near.Names(&site) })
	if q.args.Order != recordOrder {
		slices.SortStableFunc(f.sites, nearer)
	}
	return f
}

// distance returns the distance of a site in kilometres. An unknown distance is infinite.
func distance(site entity.TrialLocation) float64 {
	if site.DistanceKM == nil {
		return math.Inf(1)
	}
	return *site.DistanceKM
}

// A siteTrial has the parts of a record that get_trial_locations reads.
type siteTrial struct {
	Status          entity.Status    `json:"status"`
	CentralContacts []entity.Contact `json:"central_contacts"`
	sites           []entity.TrialLocation
}

func readSites(record *ctgov.Record) (t siteTrial, err error) {
	if err = json.Unmarshal(record.Trial, &t); err == nil {
		err = json.Unmarshal(record.Sites, &t.sites)
	}
	return t, err
}
