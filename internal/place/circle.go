package place

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/geo"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// A Circle is the area within a distance of a point.
type Circle struct {
	Center geo.Point
	Radius Radius
	// Misplaced has the names of the place in the center if some of its sites have wrong coordinates.
	Misplaced []Reading `json:",omitempty"`
}

// PointOf returns the position of a site: the center for a site of the place that the record has elsewhere; false if it is not known.
func (c Circle) PointOf(site *entity.TrialLocation) (geo.Point, bool) {
	point, ok := PointOf(site)
	if ok && c.Center.Kilometres(point) > sameSpotKM &&
		slices.ContainsFunc(c.Misplaced, func(r Reading) bool { return r.Matches(site) }) {
		return c.Center, true
	}
	return point, ok
}

// Filter returns the circle in the form of the registry's geo filter: distance(42.36,-71.06,50mi). Without a unit the registry reads
// metres.
func (c Circle) Filter() string {
	return "distance(" + Coordinates(c.Center) + "," + strings.ReplaceAll(c.Radius.Text, " ", "") + ")"
}

// Nearest has the sites of a trial that are nearest to the center of a circle.
type Nearest struct {
	// Site is the nearest site, and at equal distance one that recruits; nil if no site has coordinates.
	Site *entity.NearSite
	// RecruitingSite is the nearest site that recruits; nil if it is Site, or if no site recruits.
	RecruitingSite *entity.NearSite
	// Recruits reports whether a site in the circle recruits.
	Recruits bool
}

// Nearest returns the nearest sites of a trial. No site recruits if the status of the trial is UNKNOWN, because the statuses of its sites
// are then outdated.
func (c Circle) Nearest(status entity.Status, sites []entity.TrialLocation) Nearest {
	first, recruiting := math.Inf(1), math.Inf(1)
	firstAt, recruitingAt := -1, -1
	points := make([]geo.Point, len(sites))
	for i := range sites {
		point, ok := c.PointOf(&sites[i])
		if !ok {
			continue
		}
		points[i] = point
		km := c.Center.Kilometres(point)
		recruits := status != "UNKNOWN" && sites[i].RecruitmentStatus == "RECRUITING"
		if recruits && km < recruiting {
			recruiting, recruitingAt = km, i
		}
		if km < first {
			first, firstAt = km, i
		}
	}
	if firstAt < 0 {
		return Nearest{}
	}
	if recruiting == first {
		firstAt = recruitingAt
	}
	n := Nearest{Site: nearSite(&sites[firstAt], points[firstAt], first), Recruits: recruiting <= c.Radius.KM}
	if recruitingAt >= 0 && recruitingAt != firstAt {
		n.RecruitingSite = nearSite(&sites[recruitingAt], points[recruitingAt], recruiting)
		n.RecruitingSite.State, n.RecruitingSite.Country = sites[recruitingAt].State, sites[recruitingAt].Country
	}
	return n
}

func nearSite(site *entity.TrialLocation, at geo.Point, km float64) *entity.NearSite {
	return &entity.NearSite{
		FacilityName: site.FacilityName, City: site.City, DistanceKM: RoundKM(km), Latitude: at.Lat, Longitude: at.Lon,
		RecruitmentStatus: site.RecruitmentStatus,
	}
}

// RoundKM returns a distance with one decimal place.
func RoundKM(km float64) float64 { return math.Round(km*10) / 10 }

// A Radius is a distance from a place.
type Radius struct {
	KM   float64
	Text string // with its unit: 50 mi
	// Guessed reports that the text had no unit and miles were assumed.
	Guessed bool
}

var radius = lazyregexp.New(`(?i)^([0-9]{1,5}(?:\.[0-9]{1,3})?) ?-?(|mi|miles?|km|kms|kilomet(?:er|re)s?)\.?$`)

// DefaultRadius is the distance if none is given.
const DefaultRadius = "50 mi"

// longestKM is half of the Earth's circumference in kilometres, the longest possible distance.
const longestKM = 20038

// ParseRadius reads a distance, such as 50 mi or 80 km.
func ParseRadius(text string) (Radius, bool) {
	m := radius.FindStringSubmatch(strings.Join(strings.Fields(text), " "))
	if m == nil {
		return Radius{}, false
	}
	number, _ := strconv.ParseFloat(m[1], 64)
	digits := strconv.FormatFloat(number, 'f', -1, 64)
	r := Radius{KM: number, Text: digits + " mi", Guessed: m[2] == ""}
	if strings.HasPrefix(strings.ToLower(m[2]), "k") {
		r.Text = digits + " km"
	} else {
		r.KM *= geo.KilometresPerMile
	}
	return r, r.KM > 0 && r.KM <= longestKM
}

// PointOf returns the position of a site; false if it is not known.
func PointOf(site *entity.TrialLocation) (geo.Point, bool) {
	if site.Latitude == nil || site.Longitude == nil {
		return geo.Point{}, false
	}
	return geo.Point{Lat: *site.Latitude, Lon: *site.Longitude}, true
}
