package place

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/geo"
)

// sameSpotKM is the distance in kilometres within which sites count as one place: a city may have several points in the records.
const sameSpotKM = 50

const (
	// MaxSites limits the sites of one trial that are searched. The largest trials have between one and two thousand.
	MaxSites = 10_000
	// MaxSpots limits the spots that are found.
	MaxSpots = 100
	// checkEvery is the number of sites after which the context is checked again.
	checkEvery = 500
)

const (
	// codesPerArea is the number of ZIP codes with the same first three digits.
	codesPerArea = 100
	// firstBatch is the number of codes that are requested first.
	firstBatch = 20
)

// A Spot is the position of a place, found by its sites.
type Spot struct {
	Name  string    `json:"name"` // city, state and country as the records have them
	Point geo.Point `json:"point"`
	Sites int       `json:"sites"` // number of sites at the spot
}

// String returns the name of the spot with its coordinates.
func (s Spot) String() string {
	if s.Name == "" {
		return Coordinates(s.Point)
	}
	return s.Name + " (" + Coordinates(s.Point) + ")"
}

// PointOf returns the position of a site; false if it is not known.
func PointOf(site *entity.TrialLocation) (geo.Point, bool) {
	if site.Latitude == nil || site.Longitude == nil {
		return geo.Point{}, false
	}
	return geo.Point{Lat: *site.Latitude, Lon: *site.Longitude}, true
}

// Name returns city, state and country of a site.
func Name(site *entity.TrialLocation) string {
	parts := []string{site.City, site.State, site.Country}
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), ", ")
}

// codeKey returns a postal code for comparison: in lower case, without spaces and without the end of ZIP+4.
func codeKey(code string) string {
	code, _, _ = strings.Cut(code, "-")
	return strings.ToLower(strings.ReplaceAll(code, " ", ""))
}

// FirstWithSites returns the spots of the first place that has a site, and that place.
func FirstWithSites(ctx context.Context, places []Place, sites []entity.TrialLocation) (spots []Spot, at Place, err error) {
	byCode := map[string][]entity.TrialLocation{}
	for _, p := range places {
		byCode[codeKey(p.Postal)] = nil
	}
	for i := range sites {
		key := codeKey(sites[i].Zip)
		if atPlace, ok := byCode[key]; ok {
			byCode[key] = append(atPlace, sites[i])
		}
	}
	for _, p := range places {
		atPlace := byCode[codeKey(p.Postal)]
		if p.Postal == "" { // a city
			atPlace = sites
		}
		if spots, err = p.Spots(ctx, atPlace); len(spots) > 0 || err != nil {
			return spots, p, err
		}
	}
	return nil, Place{}, nil
}

// Spots returns the spots of the place from its sites, the one with the most sites first: at most MaxSpots. The only error is that of ctx.
func (p Place) Spots(ctx context.Context, sites []entity.TrialLocation) ([]Spot, error) {
	var spots []*spotCount
	for i := range sites {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		point, ok := PointOf(&sites[i])
		if !ok || !p.Matches(&sites[i]) {
			continue
		}
		at := slices.IndexFunc(spots, func(s *spotCount) bool { return s.first.Kilometres(point) <= sameSpotKM })
		if at < 0 && len(spots) == MaxSpots {
			break
		}
		if at < 0 {
			at = len(spots)
			spots = append(spots, &spotCount{first: point, names: map[string]int{}, points: map[geo.Point]int{}})
		}
		spots[at].add(Name(&sites[i]), point)
	}
	slices.SortStableFunc(spots, func(a, b *spotCount) int { return b.sites - a.sites })
	var found []Spot
	for _, s := range spots {
		found = append(found, Spot{Name: s.name, Point: s.point, Sites: s.sites})
	}
	return found, nil
}

// A spotCount counts the names and points of a spot. The spot has the name and the point of most of its sites.
type spotCount struct {
	first  geo.Point
	names  map[string]int
	points map[geo.Point]int
	name   string
	point  geo.Point
	sites  int
}

func (s *spotCount) add(name string, point geo.Point) {
	s.sites++
	if s.names[name]++; s.names[name] > s.names[s.name] || s.name == "" {
		s.name = name
	}
	if s.points[point]++; s.points[point] > s.points[s.point] || s.sites == 1 {
		s.point = point
	}
}

// NearbyCodes returns the ZIP codes with the same first three digits, nearest numbers first, in two parts: those that most likely have a
// site, and the rest. For a place that is not a ZIP code it returns nil.
func (p Place) NearbyCodes() [][]Place {
	number, err := strconv.Atoi(p.Postal)
	if err != nil || p.Country != "United States" {
		return nil
	}
	first := number - number%codesPerArea
	var codes []Place
	for step := 1; step < codesPerArea; step++ {
		for _, n := range []int{number - step, number + step} {
			if n >= first && n < first+codesPerArea {
				codes = append(codes, Place{Postal: fmt.Sprintf("%0*d", usDigits, n), Country: p.Country})
			}
		}
	}
	return [][]Place{codes[:firstBatch], codes[firstBatch:]}
}
