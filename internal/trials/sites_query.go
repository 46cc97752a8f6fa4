package trials

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/place"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
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
	countries   []place.Place
	cities      []place.Place
	facility    string // expression of the words of the facility
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
	if q.countries, err = filters.ReadCountries(args.Country, "state"); err != nil {
		return q, err
	}
	var states []string
	for _, text := range args.State {
		states = append(states, strings.Split(text, " OR ")...)
	}
	args.State = states
	for _, text := range args.City {
		cities, _ := place.Read(text) // any text is a city of the record
		readings := []place.Reading{{City: text}}
		for _, at := range cities {
			readings = append(readings, at.Cities()...)
		}
		q.cities = append(q.cities, place.Place{Read: readings})
	}
	q.args, q.facility = args, query.ReadText(args.Facility).Expression
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

// narrows reports whether the call selects some of the sites.
func (q *siteQuery) narrows() bool {
	a := q.args
	return a.Near != "" || a.Facility != "" || len(a.Country)+len(a.State)+len(a.City)+len(a.Status) > 0
}

// matches reports whether a site has what the arguments other than near and within require.
func (q *siteQuery) matches(site *entity.TrialLocation) bool {
	at := func(given []string, places []place.Place) bool {
		return len(given) == 0 || slices.ContainsFunc(places, func(p place.Place) bool { return p.Matches(site) })
	}
	inState := func(name string) bool { return place.Reading{State: name}.Matches(site) }
	return at(q.args.City, q.cities) && at(q.args.Country, q.countries) &&
		(len(q.args.State) == 0 || slices.ContainsFunc(q.args.State, inState)) &&
		(q.args.Facility == "" || query.LineHas(q.facility, "LocationFacility", site.FacilityName)) &&
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
