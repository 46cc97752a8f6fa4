package place

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/geo"
)

// sameSpotKM is the distance in kilometres within which sites count as one place: a city may have several points in the records.
const sameSpotKM = 50

// MaxSpots limits the points that are compared for one name.
const MaxSpots = 100

// A Spot is the position of a place, found by its sites.
type Spot struct {
	Name    string    `json:"name"` // city, state and country as the records have them
	Country string    `json:"country"`
	Point   geo.Point `json:"point"`
	Sites   int       `json:"sites"` // number of sites of the place, with those at wrong points
	// Misplaced has the names of the place if some of its sites have the coordinates of another place.
	Misplaced []Reading `json:"misplaced,omitempty"`
}

// String returns the name of the spot with its coordinates.
func (s Spot) String() string {
	if s.Name == "" {
		return Coordinates(s.Point)
	}
	return s.Name + " (" + Coordinates(s.Point) + ")"
}

// surelyMeant is how many times the sites of the next country a country must have, so that a name without a country means its place.
const surelyMeant = 3

// Meant returns the place that a name means, and the largest one of another country, whose Name is empty if all are in one country.
// False: it may mean several, because they are in one country or have similar numbers of sites. The spots must be those of one name.
func Meant(spots []Spot) (meant, other Spot, ok bool) {
	sites := map[string]int{}
	for _, s := range spots {
		sites[s.Country] += s.Sites
	}
	larger := func(a, b Spot) int { return cmp.Compare(sites[b.Country], sites[a.Country]) }
	sorted := slices.SortedStableFunc(slices.Values(spots), larger)
	next := slices.IndexFunc(sorted, func(s Spot) bool { return s.Country != sorted[0].Country })
	if next >= 0 {
		other = sorted[next]
	}
	return sorted[0], other, (next == 1 || len(sorted) == 1) && sites[sorted[0].Country] >= surelyMeant*sites[other.Country]
}

// Spots returns the places that have the name, from their sites, the one with the most sites first. Sites of one state are one place,
// and so are those of a country that has the name in at most one state: where their coordinates differ, some are wrong. The only error
// is that of ctx.
func (p Place) Spots(ctx context.Context, sites []entity.TrialLocation) ([]Spot, error) {
	var all []*cluster
	for i := range sites {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		point, ok := PointOf(&sites[i])
		if !ok || !p.Matches(&sites[i]) {
			continue
		}
		c := newCluster(&sites[i], point)
		at := slices.IndexFunc(all, c.isSameSpot)
		if at < 0 && len(all) == MaxSpots {
			break
		}
		if at < 0 {
			at = len(all)
			all = append(all, c)
		}
		all[at].state = cmp.Or(all[at].state, c.state)
		all[at].add(&sites[i], point)
	}
	var spots []Spot
	groups := grouped(all)
	for _, g := range groups {
		isOnly := !slices.ContainsFunc(groups, func(o []*cluster) bool { return o[0] != g[0] && o[0].country == g[0].country })
		spots = append(spots, p.spotOf(g, isOnly))
	}
	slices.SortStableFunc(spots, func(a, b Spot) int { return b.Sites - a.Sites })
	return spots, nil
}

// A cluster has the sites of a name that are near each other in one country.
type cluster struct {
	country, state string // state of the United States or Canada, whose cities of one name differ
	first          geo.Point
	states         map[string]string // names of states as in the records, by key
	cities         map[string]bool   // spellings of the name
	names          map[string]int
	points         map[geo.Point]int
	name           string
	point          geo.Point // of most sites
	sites          int
}

func newCluster(site *entity.TrialLocation, point geo.Point) *cluster {
	state, in, _ := StateOf(site.State)
	if !inCountry(in, site.Country) { // MI in Italy is Milan
		state = ""
	}
	return &cluster{
		country: cmp.Or(CountryName(site.Country), site.Country), state: state, first: point,
		states: map[string]string{}, cities: map[string]bool{}, names: map[string]int{}, points: map[geo.Point]int{},
	}
}

func (c *cluster) isSameSpot(o *cluster) bool {
	sameState := c.state == o.state || c.state == "" || o.state == "" // a record may have the name of a city for the state, or none
	return sameState && c.country == o.country && c.first.Kilometres(o.first) <= sameSpotKM
}

func (c *cluster) add(site *entity.TrialLocation, point geo.Point) {
	c.sites++
	c.cities[nameKey(site.City)] = true
	if site.State != "" {
		c.states[nameKey(cmp.Or(c.state, site.State))] = site.State
	}
	name := Name(site)
	if c.names[name]++; c.names[name] > c.names[c.name] || c.name == "" {
		c.name = name
	}
	if c.points[point]++; c.points[point] > c.points[c.point] || c.sites == 1 {
		c.point = point
	}
}

// grouped returns the clusters of each place. Those with a common state are one place. Those without a state belong to the place at the
// same spot, or to the only one of the country.
func grouped(all []*cluster) (groups [][]*cluster) {
	for _, c := range all {
		together := []*cluster{c}
		groups = slices.DeleteFunc(groups, func(g []*cluster) bool {
			if !slices.ContainsFunc(g, c.sharesState) {
				return false
			}
			together = append(together, g...)
			return true
		})
		groups = append(groups, together)
	}
	for {
		at := slices.IndexFunc(groups, func(g []*cluster) bool { return ownerOf(g, groups) >= 0 })
		if at < 0 {
			return groups
		}
		owner := ownerOf(groups[at], groups)
		groups[owner] = append(groups[owner], groups[at]...)
		groups = slices.Delete(groups, at, at+1)
	}
}

func (c *cluster) sharesState(o *cluster) bool {
	if c.country != o.country {
		return false
	}
	for key := range c.states {
		if _, ok := o.states[key]; ok {
			return true
		}
	}
	return false
}

// ownerOf returns the index of the group to which a group without a state belongs; -1: it has a state, or belongs to no other.
func ownerOf(g []*cluster, groups [][]*cluster) int {
	if len(g[0].states) > 0 {
		return -1
	}
	only, stated, same := -1, 0, -1
	for i, o := range groups {
		if o[0] == g[0] || o[0].country != g[0].country {
			continue
		}
		if only < 0 || len(o[0].states) > 0 {
			only = i
		}
		stated += min(1, len(o[0].states))
		if slices.ContainsFunc(o, func(c *cluster) bool { return c.first.Kilometres(g[0].first) <= sameSpotKM }) {
			same = i
		}
	}
	if stated > 1 {
		return same
	}
	return only
}

// spotOf returns the spot of a place. Its point is that of most of its sites; a point that several spellings of the name share counts for
// each, because only one of them was placed wrongly. isOnly reports that no other place of the country has the name.
func (p Place) spotOf(clusters []*cluster, isOnly bool) Spot {
	main := slices.MaxFunc(clusters, func(a, b *cluster) int { return cmp.Compare(a.sites*len(a.cities), b.sites*len(b.cities)) })
	s := Spot{Name: main.name, Country: main.country, Point: main.point}
	states := map[string]string{}
	wrong := false
	for _, c := range clusters {
		s.Sites += c.sites
		wrong = wrong || c.first.Kilometres(main.point) > sameSpotKM
		maps.Copy(states, c.states)
	}
	switch {
	case !wrong || p.City == "":
	case isOnly:
		s.Misplaced = []Reading{{City: p.City, Country: s.Country}}
	default:
		for _, state := range states {
			s.Misplaced = append(s.Misplaced, Reading{City: p.City, State: state, Country: s.Country})
		}
		slices.SortFunc(s.Misplaced, func(a, b Reading) int { return cmp.Compare(a.State, b.State) })
	}
	return s
}
