package place

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/geo"
)

const (
	// sameSpotKM is the distance in kilometres within which sites count as one place: a city may have several points in the records.
	sameSpotKM = 50
	// MaxSpots limits the points that are compared for one name.
	MaxSpots = 100
	// MaxSites limits the sites of one trial that are searched. The largest trials have between one and two thousand.
	MaxSites = 10_000
	// checkEvery is the number of sites after which the context is checked again.
	checkEvery = 500
)

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

// Spots returns the places that have the name, from their sites, the one with the most sites first. Sites of one state are one place, and
// so are those of a country that has the name in at most one state: where their coordinates differ, some are wrong. A state that only one
// of the sites of a country has counts for none: it may be a street. The only error is that of ctx.
func (p Place) Spots(ctx context.Context, sites []entity.TrialLocation) ([]Spot, error) {
	cities := Place{Read: p.Cities()}
	withState := map[[2]string]int{}
	for i := range sites {
		withState[regionOf(&sites[i])]++
	}
	var towns []*town
	for i := range sites {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		point, ok := PointOf(&sites[i])
		if !ok || !cities.Matches(&sites[i]) {
			continue
		}
		region := regionOf(&sites[i])
		if state, _ := StateOf(sites[i].State); state == "" && withState[region] < 2 {
			region[1] = ""
		}
		at := slices.IndexFunc(towns, func(t *town) bool { return t.country == region[0] && t.state == region[1] })
		if at < 0 && len(towns) == MaxSpots {
			break
		}
		if at < 0 {
			at = len(towns)
			towns = append(towns, &town{country: region[0], state: region[1], points: map[geo.Point]*tally{}})
		}
		towns[at].add(&sites[i], point)
	}
	var spots []Spot
	towns = together(towns)
	for _, t := range towns {
		only := !slices.ContainsFunc(towns, func(o *town) bool { return o != t && o.country == t.country })
		spots = append(spots, t.spot(p.Cities(), only))
	}
	slices.SortStableFunc(spots, func(a, b Spot) int { return b.Sites - a.Sites })
	return spots, nil
}

// regionOf returns the country of a site and the key of its state.
func regionOf(site *entity.TrialLocation) [2]string {
	return [2]string{cmp.Or(CountryName(site.Country), site.Country), key(cmp.Or(stateNamed(site.State), site.State))}
}

// A town has the sites of one name in a state; the state is empty for sites without one.
type town struct {
	country, state string
	first          string // state as a record has it
	points         map[geo.Point]*tally
	sites          int
}

// A tally counts the sites at a point, by the spelling of their city and by their names.
type tally struct {
	sites         int
	cities, names map[string]int
}

// weight returns the number of sites, once for each spelling of the city: a point that several spellings share is not wrong for all.
func (t *tally) weight() int { return t.sites * len(t.cities) }

func (t *town) add(site *entity.TrialLocation, point geo.Point) {
	t.first = cmp.Or(t.first, site.State)
	at := t.points[point]
	if at == nil {
		at = &tally{cities: map[string]int{}, names: map[string]int{}}
		t.points[point] = at
	}
	at.cities[key(site.City)]++
	at.names[Name(site)]++
	at.sites++
	t.sites++
}

// together joins the towns that are one place: those of one country at one point, unless both are in states whose names are known, and
// those without a state with the only other one of the country.
func together(towns []*town) []*town {
	join := func(same func(a, b *town) bool) {
		for i := 0; i < len(towns); i++ {
			for j := i + 1; j < len(towns); j++ {
				if a, b := towns[i], towns[j]; a.country == b.country && same(a, b) {
					a.join(b)
					towns, j = slices.Delete(towns, j, j+1), i
				}
			}
		}
	}
	join(func(a, b *town) bool { return (!a.isKnown() || !b.isKnown()) && a.shares(b) })
	join(func(a, b *town) bool {
		others := slices.DeleteFunc(slices.Clone(towns), func(t *town) bool { return t.country != a.country })
		return (a.state == "" || b.state == "") && len(others) == 2
	})
	return towns
}

// isKnown reports whether the town is in a state of the United States or Canada.
func (t *town) isKnown() bool {
	state, country := StateOf(t.state)
	return state != "" && country == t.country
}

// shares reports whether sites of two towns are at one spot.
func (t *town) shares(o *town) bool {
	for a := range t.points {
		for b := range o.points {
			if a.Kilometres(b) <= sameSpotKM {
				return true
			}
		}
	}
	return false
}

func (t *town) join(o *town) {
	if t.state == "" || !t.isKnown() && o.isKnown() {
		t.state, t.first = o.state, o.first
	}
	for point, at := range o.points {
		here := t.points[point]
		if here == nil {
			t.points[point] = at
			continue
		}
		here.sites += at.sites
		for city, sites := range at.cities {
			here.cities[city] += sites
		}
		for name, sites := range at.names {
			here.names[name] += sites
		}
	}
	t.sites += o.sites
}

// spot returns the spot of a town: the point that most of its sites have, and the name of most. only reports that no other place of the
// country has the name.
func (t *town) spot(cities []Reading, only bool) Spot {
	s := Spot{Country: t.country, Sites: t.sites}
	most := 0
	for point, at := range t.points {
		if at.weight() > most || at.weight() == most && Coordinates(point) < Coordinates(s.Point) {
			most, s.Point = at.weight(), point
		}
	}
	names := t.points[s.Point].names
	for name, sites := range names {
		if s.Name == "" || sites > names[s.Name] || sites == names[s.Name] && name < s.Name {
			s.Name = name
		}
	}
	for point := range t.points {
		if point.Kilometres(s.Point) > sameSpotKM && cities[0].City != "" {
			wrong := Reading{City: cities[0].City, Country: t.country}
			if !only {
				wrong.State = t.first
			}
			s.Misplaced = []Reading{wrong}
		}
	}
	return s
}

const (
	// codesPerArea is the number of ZIP codes with the same first three digits.
	codesPerArea = 100
	// firstBatch is the number of codes that are requested first.
	firstBatch = 20
)

// codeKey returns a postal code for comparison: in lower case, without spaces and without the end of ZIP+4.
func codeKey(code string) string {
	code, _, _ = strings.Cut(code, "-")
	return strings.ToLower(strings.ReplaceAll(code, " ", ""))
}

// FirstWithSites returns the spots of the first place that has a site, and that place.
func FirstWithSites(ctx context.Context, places []Place, sites []entity.TrialLocation) (spots []Spot, at Place, err error) {
	for _, p := range places {
		among := sites
		if p.Postal != "" {
			among = nil
			for i := range sites {
				if codeKey(sites[i].Zip) == codeKey(p.Postal) {
					among = append(among, sites[i])
				}
			}
		}
		if spots, err = p.Spots(ctx, among); len(spots) > 0 || err != nil {
			return spots, p, err
		}
	}
	return nil, Place{}, nil
}

// NearbyCodes returns the ZIP codes with the same first three digits, nearest numbers first, in two parts: those that most likely have a
// site, and the rest. For a place that is not a ZIP code it returns nil.
func (p Place) NearbyCodes() [][]Place {
	number, err := strconv.Atoi(p.Postal)
	if err != nil || len(p.Read) != 1 || p.Read[0].Country != unitedStates {
		return nil
	}
	first := number - number%codesPerArea
	var codes []Place
	for step := 1; step < codesPerArea; step++ {
		for _, n := range []int{number - step, number + step} {
			if n >= first && n < first+codesPerArea {
				code := fmt.Sprintf("%05d", n)
				codes = append(codes, Place{Text: code, Postal: code, Read: []Reading{{Postal: code, Country: unitedStates}}})
			}
		}
	}
	return [][]Place{codes[:firstBatch], codes[firstBatch:]}
}
