package place_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/geo"
	"github.com/biofact-mcp/biofact/internal/place"
)

// form writes how a place was read: its readings, or the reason of the problem and the places that may be meant.
func form(places []place.Place, err error) string {
	if wrong, ok := errors.AsType[*place.Problem](err); ok {
		text := "refused"
		if wrong.Facility != "" {
			text += " facility=" + wrong.Facility
		}
		if len(wrong.Instead) > 0 {
			text += " instead=" + strings.Join(wrong.Instead, " OR ")
		}
		return text
	}
	var all []string
	for _, p := range places {
		if p.Point != nil {
			all = append(all, fmt.Sprintf("point=%v,%v", p.Point.Lat, p.Point.Lon))
			continue
		}
		for _, r := range p.Read {
			var names []string
			for _, n := range [][2]string{{"name", r.Words}, {"city", r.City}, {"state", r.State}, {"country", r.Country},
				{"postal", r.Postal}} {
				if n[1] != "" {
					names = append(names, n[0]+"="+n[1])
				}
			}
			all = append(all, strings.Join(names, " & "))
		}
	}
	return strings.Join(all, " | ")
}

// TestRead reads the places of testdata/places.tsv, which testdata/README.md describes.
func TestRead(t *testing.T) {
	t.Parallel()
	table, err := os.ReadFile("testdata/places.tsv")
	expect.NoError(t, err)
	for line := range strings.Lines(string(table)) {
		text, want, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		got := form(place.Read(text))
		expect.Is(t, got, want, "%q", text)
		wrong, _ := errors.AsType[*place.Problem](func() error { _, err := place.Read(text); return err }())
		for i := 0; wrong != nil && i < len(wrong.Instead); i++ {
			_, err := place.Read(wrong.Instead[i])
			expect.Succeeds(t, err, "instead of %q", text)
		}
	}
}

func TestParseRadius(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]float64{
		"50 mi": 80.4672, "50mi": 80.4672, "50 Miles": 80.4672, "1 mile": 1.609344, "50": 80.4672, "80 km": 80, "80km.": 80,
		"0.5 kilometres": 0.5, "20000 km": 20000,
		"": 0, "0 km": 0, "-5 km": 0, "5 m": 0, "five miles": 0, "1e9 km": 0, "20039 km": 0, "99999999999 km": 0, "5,5 km": 0,
	} {
		r, ok := place.ParseRadius(text)
		expect.That(t, ok == (want > 0) && (!ok || math.Abs(r.KM-want) < 1e-9), "%q: %+v %v", text, r, ok)
		again, _ := place.ParseRadius(r.Text)
		expect.That(t, !ok || again.KM == r.KM && !again.Guessed, "%q is written %q", text, r.Text)
	}
}

func site(city, state, country, zip string, lat, lon float64) entity.TrialLocation {
	return entity.TrialLocation{City: city, State: state, Country: country, Zip: zip, Latitude: &lat, Longitude: &lon}
}

// one returns the one place of a text.
func one(t *testing.T, text string) place.Place {
	t.Helper()
	at, err := place.ReadCity(text)
	expect.Succeeds(t, err, "%q", text)
	return at
}

func TestSpots(t *testing.T) {
	t.Parallel()
	sites := []entity.TrialLocation{
		site("Springfield", "Massachusetts", "United States", "01199", 42.1, -72.59),
		site("Springfield", "Illinois", "United States", "62794-9677", 39.8, -89.64),
		site("Springfield", "Illinois", "United States", "62701", 39.81, -89.64),
		site("Springfield", "Illinois", "United States", "62701", 39.8, -89.64),
		site("São Paulo", "", "Brazil", "", -23.55, -46.64), site("St. Louis", "Missouri", "United States", "63110", 38.63, -90.2),
		{City: "Boston"},
	}
	const us = "United States"
	spot := func(name, country string, lat, lon float64) place.Spot {
		return place.Spot{Name: name, Country: country, Point: geo.Point{Lat: lat, Lon: lon}, Sites: 1}
	}
	massachusetts := spot("Springfield, Massachusetts, United States", us, 42.1, -72.59)
	for text, want := range map[string][]place.Spot{
		"Springfield": {{Name: "Springfield, Illinois, United States", Country: us, Point: geo.Point{Lat: 39.8, Lon: -89.64}, Sites: 3},
			massachusetts},
		"springfield, ma":     {massachusetts},
		"Springfield, Canada": nil, "Boston": nil, "62702": nil,
		"62794":                 {spot("Springfield, Illinois, United States", us, 39.8, -89.64)},
		"Sao Paulo, Brasil":     {spot("São Paulo, Brazil", "Brazil", -23.55, -46.64)},
		"Saint Louis, MO, U.S.": {spot("St. Louis, Missouri, United States", us, 38.63, -90.2)},
	} {
		got, err := one(t, text).Spots(t.Context(), sites)
		expect.NoError(t, err)
		expect.Equal(t, text, want, got)
	}
}

// TestMeant: sites of a name with wrong coordinates belong to the place of their state or country, and a name means the place of a country
// with three times the sites of the next.
func TestMeant(t *testing.T) {
	t.Parallel()
	var sites []entity.TrialLocation
	add := func(n int, city, state, country string, lat, lon float64) {
		sites = append(sites, slices.Repeat([]entity.TrialLocation{site(city, state, country, "", lat, lon)}, n)...)
	}
	add(27, "Milan", "", "Italy", 42.78, 12.6) // wrong
	add(13, "Milan", "Lombardy", "Italy", 45.46, 9.19)
	add(3, "Milan", "MI", "Italy", 42.78, 12.6) // wrong
	add(1, "Milan", "MI", "Italy", 45.46, 9.19)
	add(12, "Milano", "", "Italy", 45.46, 9.19)
	add(1, "Milan", "Tennessee", "United States", 35.92, -88.76)
	add(18, "München", "", "Germany", 51.61, 13.31) // wrong
	add(7, "München", "Bavaria", "Germany", 48.7, 13.46)
	add(6, "München", "", "Germany", 48.14, 11.58)
	add(6, "Munich", "Bavaria", "Germany", 48.14, 11.58)
	add(1, "Munich", "Marchioninistrasse 15", "Germany", 52.5, 13.4) // no state
	add(90, "London", "", "United Kingdom", 51.5, -0.13)
	add(30, "London", "Ontario", "Canada", 42.98, -81.23)
	add(29, "Cambridge", "", "United Kingdom", 52.2, 0.12)
	add(28, "Cambridge", "Ontario", "Canada", 43.36, -80.31)
	add(49, "Portland", "Oregon", "United States", 45.52, -122.68)
	add(2, "Portland", "Maine", "United States", 43.66, -70.26)
	add(1, "Portland", "Maine", "United States", 45.52, -122.68) // wrong, and yet in Maine
	add(14, "Springfield", "Illinois", "United States", 39.8, -89.64)
	add(2, "Springfield", "Queensland", "Australia", -27.65, 152.92)
	add(9, "Québec", "Quebec", "Canada", 46.81, -71.21)
	add(11, "Québec", "", "Canada", 46.81, -71.21)
	add(1, "Québec", "Montreal", "Canada", 46.81, -71.21) // no province
	for text, want := range map[string]struct {
		name, other string
		lat         float64
		misplaced   bool
	}{
		"Milan": {"Milan, Lombardy, Italy", "Milan, Tennessee, United States", 45.46, true}, "Milano, Italy": {"Milan, Lombardy, Italy", "", 45.46, true},
		"Munich": {"Munich, Bavaria, Germany", "", 48.14, true}, "London": {"London, United Kingdom", "London, Ontario, Canada", 51.5, false},
		"London, Ontario": {"London, Ontario, Canada", "", 42.98, false}, "Cambridge": {}, "Portland": {},
		"Portland, ME": {"Portland, Maine, United States", "", 43.66, true}, "Springfield": {"Springfield, Illinois, United States",
			"Springfield, Queensland, Australia", 39.8, false}, "Quebec City": {"Québec, Canada", "", 46.81, false},
	} {
		spots, err := one(t, text).Spots(t.Context(), sites)
		expect.NoError(t, err)
		meant, other, ok := place.Meant(spots)
		if want.name == "" {
			expect.That(t, !ok && len(spots) == 2, "%q: %+v", text, spots)
			continue
		}
		expect.That(t, ok && meant.Name == want.name && other.Name == want.other && meant.Point.Lat == want.lat &&
			(len(meant.Misplaced) > 0) == want.misplaced, "%q: %+v of %+v", text, meant, spots)
		near := place.Circle{Center: meant.Point, Misplaced: meant.Misplaced}
		for i := range sites {
			if isHere := one(t, text).Matches(&sites[i]) && sites[i].Country == meant.Country; isHere {
				point, _ := near.PointOf(&sites[i])
				expect.That(t, near.Center.Kilometres(point) <= 50, "%q: %+v is at %v", text, sites[i], point)
			}
		}
	}
}

func TestNearbyCodes(t *testing.T) {
	t.Parallel()
	at := one(t, "02198")
	parts := at.NearbyCodes()
	expect.Must(t, len(parts) == 2 && len(parts[0]) == 20 && len(parts[1]) == 79, "%v", parts)
	expect.That(t, parts[0][0].Postal == "02197" && parts[0][1].Postal == "02199" && parts[0][2].Postal == "02196" &&
		parts[1][78].Postal == "02100", "%v", parts)
}

// withUnit matches a geo filter whose radius has a unit.
var withUnit = regexp.MustCompile(`^distance\(1,-2\.5,[0-9]+(\.[0-9]+)?(mi|km)\)$`)

// FuzzPlace: any text is invalid, or a place that String writes in a form with the same meaning.
func FuzzPlace(f *testing.F) {
	for _, text := range []string{"Boston, MA", "02115", "42.36,-71.06", "10117, Germany", "Mayo Clinic, Rochester, MN", "50 mi", "near me",
		"a, b, c, d", "−1 S,0W"} {
		f.Add(text)
	}
	for _, text := range []string{"50mi", "80 km", "0.5 kilometers", "5", "007.10 miles", "99999.999km"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if radius, ok := place.ParseRadius(text); ok {
			sent := place.Circle{Center: geo.Point{Lat: 1, Lon: -2.5}, Radius: radius}.Filter()
			expect.That(t, withUnit.MatchString(sent), "%q is sent as %s", text, sent)
			again, ok := place.ParseRadius(radius.Text)
			expect.That(t, ok && again.KM == radius.KM && !again.Guessed, "%q is %+v, read again %+v", text, radius, again)
		}
		at, err := place.ReadCity(text)
		if err != nil {
			return
		}
		if at.Point != nil {
			expect.That(t, math.Abs(at.Point.Lat) <= 90 && math.Abs(at.Point.Lon) <= 180, "%q is %v", text, at)
			again, err := place.ReadCity(at.String())
			expect.That(t, err == nil && again.Point != nil && *again.Point == *at.Point, "%q is written %q: %v", text, at, err)
			return
		}
		expect.That(t, len(at.Read) > 0, "%q is %+v", text, at)
		_, err = at.Spots(t.Context(), []entity.TrialLocation{site(text, text, text, text, 1, 2)})
		expect.NoError(t, err)
	})
}

// TestNearest: of several sites at equal distance one that recruits is the nearest. A site's status is outdated if that of the trial is
// UNKNOWN. A site without coordinates is never the nearest.
func TestNearest(t *testing.T) {
	t.Parallel()
	at := func(name string, lat float64, status entity.RecruitmentStatus) entity.TrialLocation {
		s := site(name, "State of "+name, "Country", "", lat, 0)
		s.FacilityName, s.RecruitmentStatus = "Hospital of "+name, status
		return s
	}
	unplaced := entity.TrialLocation{FacilityName: "Hospital", RecruitmentStatus: "RECRUITING"}
	circle := place.Circle{Radius: place.Radius{KM: 100}}
	for _, tt := range []struct {
		name, site, recruiting string
		inside                 bool
		status                 entity.Status
		sites                  []entity.TrialLocation
	}{
		{"one", "A", "", true, "RECRUITING", []entity.TrialLocation{at("A", 0.5, "RECRUITING")}},
		{"another recruits", "A", "B", true, "RECRUITING", []entity.TrialLocation{at("B", 0.8, "RECRUITING"), at("A", 0.5, "WITHDRAWN")}},
		{"another recruits far away", "A", "B", false, "RECRUITING",
			[]entity.TrialLocation{at("A", 0.5, "WITHDRAWN"), at("B", 1, "RECRUITING")}},
		{"two in one city", "B", "", true,
			"RECRUITING", []entity.TrialLocation{at("A", 0.5, "NOT_YET_RECRUITING"), at("B", 0.5, "RECRUITING")}},
		{"none recruits", "A", "", false, "RECRUITING", []entity.TrialLocation{at("A", 0.5, "COMPLETED"), unplaced}},
		{"last known", "A", "", false, "UNKNOWN", []entity.TrialLocation{at("A", 0.5, "RECRUITING"), at("B", 0.6, "RECRUITING")}},
		{"nowhere", "", "", false, "RECRUITING", []entity.TrialLocation{unplaced}},
	} {
		n := circle.Nearest(tt.status, tt.sites)
		got, recruiting := "", ""
		if n.Site != nil {
			got = n.Site.City
			expect.That(t, n.Site.State == "" && n.Site.FacilityName == "Hospital of "+got && n.Site.DistanceKM == 55.6, "%s: %+v",
				tt.name, n.Site)
		}
		if n.RecruitingSite != nil {
			recruiting = n.RecruitingSite.City
			expect.That(t, n.RecruitingSite.State == "State of "+recruiting && n.RecruitingSite.Country == "Country", "%s: %+v", tt.name,
				n.RecruitingSite)
		}
		expect.That(t, got == tt.site && recruiting == tt.recruiting && n.Recruits == tt.inside, "%s: %q, %q, %v", tt.name, got, recruiting,
			n.Recruits)
	}
}

// TestManySpots: a search among very many sites all over the Earth takes little time, and ends with its context.
func TestManySpots(t *testing.T) {
	t.Parallel()
	at := one(t, "Springfield")
	var sites []entity.TrialLocation
	for i := range 2000 {
		sites = append(sites, site("Springfield", strconv.Itoa(i/2), "", "", float64(i%160-80), float64(i/160*20-170)))
	}
	spots, err := at.Spots(t.Context(), sites)
	expect.NoError(t, err)
	expect.Is(t, len(spots), place.MaxSpots, "spots")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = at.Spots(ctx, sites)
	expect.That(t, errors.Is(err, context.Canceled), "%v", err)
}

// TestFirstWithSites: the first of several ZIP codes with a site is used.
func TestFirstWithSites(t *testing.T) {
	t.Parallel()
	at := one(t, "02100")
	sites := []entity.TrialLocation{
		site("Paris", "", "France", "02101", 48, 2),
		site("Boston", "Massachusetts", "United States", "02118", 42, -71),
		site("Boston", "Massachusetts", "United States", " 02115-6110", 42.3, -71),
	}
	spots, near, err := place.FirstWithSites(t.Context(), slices.Concat(at.NearbyCodes()...), sites)
	expect.NoError(t, err)
	expect.Is(t, near.Postal, "02115", "code")
	expect.Is(t, len(spots), 1, "spots")
	spots, _, err = place.FirstWithSites(t.Context(), at.NearbyCodes()[0][:3], sites)
	expect.NoError(t, err)
	expect.Is(t, len(spots), 0, "spots")
}
