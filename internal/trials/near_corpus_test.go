package trials

import (
	"encoding/json"
	"io"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/geo"
	mapping "github.com/biofact-mcp/biofact/internal/mapping/trials"
	"github.com/biofact-mcp/biofact/internal/place"
	"github.com/biofact-mcp/biofact/internal/ranges"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
	"github.com/biofact-mcp/biofact/internal/trials/filters"
)

// A rawSite is a site as it is in the file.
type rawSite struct {
	facility, city, state, country, zip, status string
	lat, lon                                    float64
	placed                                      bool
}

func (r rawTrial) sites() (sites []rawSite) {
	for _, node := range r.all("protocolSection.contactsLocationsModule.locations") {
		object, _ := node.(map[string]any)
		text := func(key string) string { s, _ := object[key].(string); return s }
		site := rawSite{
			facility: text("facility"), city: text("city"), state: text("state"), country: text("country"), zip: text("zip"),
			status: text("status"),
		}
		if point, ok := object["geoPoint"].(map[string]any); ok {
			site.lat, site.lon, site.placed = point["lat"].(float64), point["lon"].(float64), true
		}
		sites = append(sites, site)
	}
	return sites
}

// kilometres measures the great-circle distance from the chord between two points, unlike the code under test. A site without coordinates
// is infinitely far away.
func (s rawSite) kilometres(lat, lon float64) float64 {
	if !s.placed {
		return math.Inf(1)
	}
	vector := func(lat, lon float64) [3]float64 {
		sinLat, cosLat := math.Sincos(lat * math.Pi / 180)
		sinLon, cosLon := math.Sincos(lon * math.Pi / 180)
		return [3]float64{cosLat * cosLon, cosLat * sinLon, sinLat}
	}
	a, b, chord := vector(lat, lon), vector(s.lat, s.lon), 0.0
	for i := range a {
		chord += (a[i] - b[i]) * (a[i] - b[i])
	}
	return 2 * 6371.0088 * math.Asin(min(1, math.Sqrt(chord)/2))
}

// isNear reports whether two distances are equal apart from rounding: for equal points one method returns 0 and the other some metres.
func isNear(a, b float64) bool { return math.Abs(a-b) <= 0.051 }

// rowsNear reads all pages of a search.
func rowsNear(t *testing.T, s *Trials, filters tools.TrialFilters, pageSize int) (rows []entity.TrialSearchCandidate,
	first SearchAnswer) {
	t.Helper()
	args := tools.SearchTrialsArgs{TrialFilters: filters, PageSize: pageSize}
	for pages := 0; ; pages++ {
		answer, err := s.SearchTrials(t.Context(), args)
		expect.NoError(t, err)
		if pages == 0 {
			first = answer
		}
		rows = append(rows, answer.Value.Items...)
		if args.Cursor = answer.Value.Pagination.Cursor; args.Cursor == "" {
			return rows, first
		}
		expect.Must(t, pages < 500, "the cursors do not end")
	}
}

// checkNearest compares the sites of a row with those of the record.
func checkNearest(t *testing.T, row entity.TrialSearchCandidate, record rawTrial, lat, lon float64) {
	t.Helper()
	current := record.text("statusModule.overallStatus") != "UNKNOWN"
	nearest, recruiting := math.Inf(1), math.Inf(1)
	for _, site := range record.sites() {
		km := site.kilometres(lat, lon)
		nearest = min(nearest, km)
		if current && site.status == "RECRUITING" {
			recruiting = min(recruiting, km)
		}
	}
	shows := func(n *entity.NearSite, far float64, complete bool) bool {
		return slices.ContainsFunc(record.sites(), func(s rawSite) bool {
			return strings.TrimSpace(s.facility) == n.FacilityName && strings.TrimSpace(s.city) == n.City &&
				s.status == string(n.RecruitmentStatus) &&
				s.kilometres(lat, lon) < far+1e-6 && isNear(n.DistanceKM, far) &&
				(!complete || s.state == n.State && s.country == n.Country)
		})
	}
	expect.Must(t, row.NearestSite != nil, "%s has no nearest site", row.ID)
	expect.That(t, shows(row.NearestSite, nearest, false), "%s: %+v is not the nearest, at %v km", row.ID, row.NearestSite, nearest)
	recruits := current && row.NearestSite.RecruitmentStatus == "RECRUITING"
	switch {
	case recruits || math.IsInf(recruiting, 1):
		expect.That(t, row.NearestRecruitingSite == nil, "%s: %+v, nearest %+v", row.ID, row.NearestRecruitingSite, row.NearestSite)
	default:
		expect.That(t, recruiting > nearest+1e-6, "%s: a site as near as %+v recruits", row.ID, row.NearestSite)
		expect.Must(t, row.NearestRecruitingSite != nil, "%s lacks its nearest recruiting site", row.ID)
		expect.That(t, shows(row.NearestRecruitingSite, recruiting, true), "%s: %+v, want one at %v km", row.ID, row.NearestRecruitingSite,
			recruiting)
	}
}

var pointInText = regexp.MustCompile(`(-?[0-9]+(?:\.[0-9]+)?),(-?[0-9]+(?:\.[0-9]+)?)`)

// pointIn returns the first point in a text.
func pointIn(t *testing.T, text string) (lat, lon float64) {
	t.Helper()
	m := pointInText.FindStringSubmatch(text)
	expect.Must(t, m != nil, "no point in %q", text)
	lat, err := strconv.ParseFloat(m[1], 64)
	expect.NoError(t, err)
	lon, err = strconv.ParseFloat(m[2], 64)
	expect.NoError(t, err)
	return lat, lon
}

// noticeOf returns the notice with a prefix.
func noticeOf(notices []string, prefix string) string {
	for _, n := range notices {
		if strings.HasPrefix(n, prefix) {
			return n
		}
	}
	return ""
}

// TestNearOnCorpus compares distances and nearest sites with an evaluation of the raw records.
func TestNearOnCorpus(t *testing.T) {
	t.Parallel()
	expect.Slow(t)
	source, records := realTrials(t)
	s := serve(t, sourcetest.InMemory(), sourcetest.RegistryURL, sourcetest.Policy(source))
	byID := map[string]rawTrial{}
	for _, r := range records {
		byID["NCT:"+strings.TrimPrefix(r.text("identificationModule.nctId"), "NCT")] = r
	}
	for _, tt := range []struct {
		near, within string
		km           float64
	}{
		{"42.36,-71.06", "", 80.4672},
		{"Boston, MA", "10 km", 10},
		{"Houston, TX", "25 mi", 40.2336},
		{"Paris, France", "1 mi", 1.609344},
		{"Tokyo, Japan", "100 km", 100},
		{"London, UK", "30 km", 30},
		{"02115", "200 mi", 321.8688},
		{"-33.87,151.21", "500 mi", 804.672},
		{"Rochester, MN", "0.5 km", 0.5},
		{"Seoul, South Korea", "150 km", 150},
		{"0,0", "500 mi", 804.672},
		{"64.1,179.9", "800 km", 800},
	} {
		t.Run(tt.near+" "+tt.within, func(t *testing.T) {
			t.Parallel()
			filters := tools.TrialFilters{Near: tt.near, Within: tt.within}
			rows, first := rowsNear(t, s, filters, 200)
			lat, lon := pointIn(t, noticeOf(first.Notices, "near: trials"))
			inside := func(site rawSite) bool { return site.kilometres(lat, lon) <= tt.km }
			want, wantRecruiting := map[string]bool{}, map[string]bool{}
			for id, r := range byID {
				if slices.ContainsFunc(r.sites(), inside) {
					want[id] = true
				}
				if r.text("statusModule.overallStatus") == "RECRUITING" &&
					slices.ContainsFunc(r.sites(), func(site rawSite) bool { return inside(site) && site.status == "RECRUITING" }) {
					wantRecruiting[id] = true
				}
			}
			expect.Is(t, *first.Value.Pagination.TotalCount, len(want), "trials")
			expect.Is(t, len(rows), len(want), "rows")
			for _, row := range rows {
				expect.Must(t, want[row.ID], "%s is not near", row.ID)
				checkNearest(t, row, byID[row.ID], lat, lon)
			}
			counted, err := s.CountTrials(t.Context(), tools.CountTrialsArgs{TrialFilters: filters, Top: 1})
			expect.NoError(t, err)
			expect.Is(t, counted.Value.TotalCount, len(want), "counted")

			filters.RecruitingSite = true
			rows, first = rowsNear(t, s, filters, 7)
			expect.That(t, slices.IsSortedFunc(rows, sorting{}.compareDistance), "the trials are not in the order of their distance")
			if total := first.Value.Pagination.TotalCount; total != nil {
				expect.Is(t, *total, len(wantRecruiting), "recruiting trials")
			}
			seen := map[string]bool{}
			for _, row := range rows {
				expect.That(t, wantRecruiting[row.ID] && !seen[row.ID], "%s does not recruit near, or comes twice", row.ID)
				seen[row.ID] = true
				checkNearest(t, row, byID[row.ID], lat, lon)
			}
			expect.Is(t, len(rows), len(wantRecruiting), "trials with a recruiting site")
		})
	}
}

// TestManyByDistance: more trials than one request returns are not sorted by distance, and the answer says so.
func TestManyByDistance(t *testing.T) {
	t.Parallel()
	embedded, err := sourcetest.Embedded()
	expect.NoError(t, err)
	args := tools.SearchTrialsArgs{TrialFilters: tools.TrialFilters{Near: "42.36,-71.06", Within: "200 mi"}, PageSize: 200, Order: "desc"}
	s := serve(t, sourcetest.InMemory(), sourcetest.RegistryURL, sourcetest.Policy(embedded))
	answer, err := s.SearchTrials(t.Context(), args)
	expect.NoError(t, err)
	items := answer.Value.Items
	expect.That(t, len(items) > 5 && slices.IsSortedFunc(items, sorting{farthest: true}.compareDistance), "the farthest do not come first")
	first, last := items[0].NearestSite.DistanceKM, items[len(items)-1].NearestSite.DistanceKM
	expect.That(t, first > last, "all are at %v", first)

	s = serve(t, sourcetest.InMemory(), sourcetest.RegistryURL, sourcetest.Policy(counting{embedded}))
	answer, err = s.SearchTrials(t.Context(), args)
	expect.NoError(t, err)
	expect.That(t, strings.Contains(strings.Join(answer.Notices, " "), "sorted by first_posted"), "%v", answer.Notices)
	args.Sort = "distance"
	_, err = s.SearchTrials(t.Context(), args)
	expect.That(t, err != nil && strings.Contains(entity.AsError(err).Hint, "smaller within"), "%v", err)
}

// counting says of each search that 1001 trials match.
type counting struct{ http.RoundTripper }

var total = regexp.MustCompile(`"totalCount":\d+`)

func (c counting) RoundTrip(r *http.Request) (*http.Response, error) {
	reply, err := c.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(reply.Body)
	reply.Body = io.NopCloser(strings.NewReader(total.ReplaceAllString(string(text), `"totalCount":1001`)))
	reply.ContentLength = -1
	return reply, err
}

// TestNearestOnCorpus compares the nearest sites of every record for some points, near or far.
func TestNearestOnCorpus(t *testing.T) {
	t.Parallel()
	expect.Slow(t)
	expect.Corpus(t, "ctgov", "its limits are of real numbers of sites")
	var with, without []int
	_, records := realTrials(t)
	for _, r := range records {
		text, err := json.Marshal(r.fields)
		expect.NoError(t, err)
		var study ctgov.Study
		expect.NoError(t, json.Unmarshal(text, &study))
		row, err := mapping.TrialCandidate(&study)
		expect.NoError(t, err)
		without = append(without, entity.Size(row))
		sites := mapping.TrialLocations(&study)
		isPlaced := slices.ContainsFunc(r.sites(), func(site rawSite) bool { return site.placed })
		for _, point := range []geo.Point{{Lat: 42.35843, Lon: -71.05977}, {Lat: 48.85341, Lon: 2.3488}, {Lat: -33.87, Lon: 151.21},
			{Lat: 35.6895, Lon: 139.69171}, {}, {Lat: 90}, {Lon: 180}} {
			nearest := place.Circle{Center: point}.Nearest(row.Status, sites)
			row.NearestSite, row.NearestRecruitingSite = nearest.Site, nearest.RecruitingSite
			if !isPlaced {
				expect.That(t, nearest == place.Nearest{}, "%s has no site with coordinates: %+v", row.ID, nearest)
				continue
			}
			checkNearest(t, row, r, point.Lat, point.Lon)
			with = append(with, entity.Size(row))
		}
	}
	slices.Sort(with)
	slices.Sort(without)
	expect.That(t, len(without) > 1200 && with[len(with)/2] < 1050 && without[len(without)/2] < 800,
		"of %d rows the median has %d bytes, %d with sites", len(without), without[len(without)/2], with[len(with)/2])
	t.Logf("median of %d rows: %d bytes, with sites %d", len(without), without[len(without)/2], with[len(with)/2])
}

// resolved are places of the corpus with the city, state and country of their sites; "" for any state.
var resolved = [][4]string{
	{"Boston, MA", "Boston", "Massachusetts", "United States"},
	{"Boston", "Boston", "Massachusetts", "United States"},
	{"New York, NY", "New York", "New York", "United States"}, {"NYC", "New York", "New York", "United States"},
	{"Houston, Texas, United States", "Houston", "Texas", "United States"},
	{"Los Angeles, California", "Los Angeles", "California", "United States"},
	{"Washington, DC", "Washington", "District of Columbia", "United States"},
	{"St. Louis, MO", "St Louis", "Missouri", "United States"}, {"Saint Louis, Missouri", "St Louis", "Missouri", "United States"},
	{"Portland, OR", "Portland", "Oregon", "United States"}, {"Portland, Maine", "Portland", "Maine", "United States"},
	{"Rochester, MN", "Rochester", "Minnesota", "United States"}, {"Rochester, New York", "Rochester", "New York", "United States"},
	{"Springfield, Massachusetts", "Springfield", "Massachusetts", "United States"},
	{"Columbus, GA", "Columbus", "Georgia", "United States"},
	{"Kansas City, MO", "Kansas City", "Missouri", "United States"}, {"Las Vegas", "Las Vegas", "Nevada", "United States"},
	{"London, UK", "London", "", "United Kingdom"}, {"London, England", "London", "", "United Kingdom"},
	{"London, Ontario", "London", "Ontario", "Canada"},
	{"Cambridge, UK", "Cambridge", "", "United Kingdom"}, {"Toronto, ON", "Toronto", "Ontario", "Canada"},
	{"Toronto, Canada", "Toronto", "Ontario", "Canada"},
	{"Paris", "Paris", "", "France"}, {"Berlin, DE", "Berlin", "", "Germany"},
	{"Prague, Czech Republic", "Prague", "", "Czechia"}, {"Moscow, Russia", "Moscow", "", "Russia"},
	{"Istanbul, Turkey", "Istanbul", "", "Turkey (Türkiye)"},
	{"Sao Paulo, Brazil", "São Paulo", "", "Brazil"}, {"Córdoba, Argentina", "Córdoba", "", "Argentina"},
	{"Cordoba, Spain", "Córdoba", "", "Spain"},
	{"Seoul, South Korea", "Seoul", "", "South Korea"}, {"Seoul, Korea", "Seoul", "", "South Korea"},
	{"Tokyo, Japan", "Tokyo", "", "Japan"},
	{"Rome, Italy", "Rome", "", "Italy"}, {"Roma", "Rome", "", "Italy"}, {"Milan", "Milano", "", "Italy"}, {"Munich", "Munich", "", "Germany"},
	{"London", "London", "", "United Kingdom"}, {"Berlin", "Berlin", "", "Germany"}, {"Vienna", "Vienna", "", "Austria"},
	{"Athens", "Athens", "", "Greece"}, {"Manchester, UK", "Manchester", "", "United Kingdom"}, {"Valencia", "Valencia", "", "Spain"},
	{"Singapore", "Singapore", "", "Singapore"}, {"Melbourne, Australia", "Melbourne", "", "Australia"}, {"Taipei", "Taipei", "", "Taiwan"},
}

// TestPlacesOfCorpus: each place is at the sites of the records, or ambiguous, or unknown.
func TestPlacesOfCorpus(t *testing.T) {
	t.Parallel()
	expect.Slow(t)
	expect.Corpus(t, "ctgov", "its places are those of real sites")
	source, records := realTrials(t)
	s := serve(t, sourcetest.InMemory(), sourcetest.RegistryURL, sourcetest.Policy(source))
	var sites []rawSite
	for _, r := range records {
		sites = append(sites, r.sites()...)
	}
	find := func(t *testing.T, near string) (lat, lon float64, notices []string, err *entity.Error) {
		t.Helper()
		var notes entity.Notes
		w, wrong := filters.Read(tools.SearchTrials, tools.TrialFilters{Near: near}, ranges.CalendarOf(""))
		if wrong != nil {
			return 0, 0, nil, entity.AsError(wrong)
		}
		search, notices, wrong := s.search(t.Context(), w, &notes)
		if wrong != nil {
			return 0, 0, nil, entity.AsError(wrong)
		}
		return search.Near.Center.Lat, search.Near.Center.Lon, notices, nil
	}
	expect.That(t, len(resolved) >= 35, "%d places", len(resolved))
	for _, p := range resolved {
		lat, lon, _, err := find(t, p[0])
		expect.Must(t, err == nil, "%q: %v", p[0], err)
		expect.That(t, slices.ContainsFunc(sites, func(site rawSite) bool {
			return site.city == p[1] && (p[2] == "" || site.state == p[2]) && site.country == p[3] && site.lat == lat && site.lon == lon
		}), "%q is at %v,%v, where no site of %v is", p[0], lat, lon, p[1:])
	}
	for code, city := range map[string]string{"02115": "Boston", "77030": "Houston", "10032": "New York", "10117, Germany": "Berlin"} {
		lat, lon, notices, err := find(t, code)
		expect.Must(t, err == nil, "%s: %v", code, err)
		expect.That(t, noticeOf(notices, "near: no site has") == "" && slices.ContainsFunc(sites, func(site rawSite) bool {
			return site.city == city && site.lat == lat && site.lon == lon
		}), "%s is at %v,%v: %v", code, lat, lon, notices)
	}
	for _, name := range []string{"Springfield", "Portland", "Cambridge", "Rochester", "Columbia", "Birmingham", "Richmond", "Worcester",
		"Greenville", "Lancaster", "Kingston"} {
		_, _, _, err := find(t, name)
		expect.Must(t, err != nil && err.Code == entity.AmbiguousQuery, "%q: %v", name, err)
		calls := readyCall.FindAllString(err.Hint, -1)
		expect.That(t, len(calls) > 1, "%q: %s", name, err.Hint)
		var points [][2]float64
		for _, call := range calls {
			lat, lon := pointIn(t, call)
			expect.That(t, slices.ContainsFunc(sites,
				func(site rawSite) bool { return site.lat == lat && site.lon == lon && site.city == name }), "%q: no site at %s",
				name, call)
			for _, p := range points {
				expect.That(t, rawSite{lat: lat, lon: lon, placed: true}.kilometres(p[0], p[1]) > 50, "%q: %s is named twice", name, call)
			}
			points = append(points, [2]float64{lat, lon})
		}
	}
	for _, name := range []string{"Zzyzx, CA", "Qwxzvkjq", "Boston, France", "Springfield, Nevada", "99999"} {
		_, _, _, err := find(t, name)
		expect.Must(t, err != nil && err.Code == entity.InvalidInput, "%q: %v", name, err)
		expect.That(t, strings.Contains(err.Message, "no site") && strings.Contains(err.Hint, "a city with its state or country"),
			"%q: %s %s", name, err.Message, err.Hint)
	}
	nearestCode(t, sites, find)
}

// TestMisplacedOnCorpus: trials with a site of the name are near, also where the record has the coordinates of another place.
func TestMisplacedOnCorpus(t *testing.T) {
	t.Parallel()
	expect.Slow(t)
	expect.Corpus(t, "ctgov", "embedded sites have other places")
	source, records := realTrials(t)
	s := serve(t, sourcetest.InMemory(), sourcetest.RegistryURL, sourcetest.Policy(source))
	for near, names := range map[string][]string{"Milan": {"Milan", "Milano"}, "Rome, Italy": {"Rome", "Roma"}, "München": {"Munich", "München"}} {
		rows, first := rowsNear(t, s, tools.TrialFilters{Near: near, Within: "20 mi"}, 200)
		notice := noticeOf(first.Notices, "near: trials")
		lat, lon := pointIn(t, notice)
		expect.That(t, strings.Contains(notice, "coordinates of another"), "%s: %s", near, notice)
		moved, want := 0, 0
		for _, r := range records {
			isHere := func(site rawSite) bool { return site.kilometres(lat, lon) <= 32.18688 }
			isNamed := func(site rawSite) bool {
				return slices.Contains(names, site.city) && slices.Contains([]string{"Italy", "Germany"}, site.country)
			}
			switch {
			case slices.ContainsFunc(r.sites(), isHere):
				want++
			case slices.ContainsFunc(r.sites(), isNamed):
				want++
				moved++
			}
		}
		expect.That(t, moved > 0 && len(rows) == want && *first.Value.Pagination.TotalCount == want, "%s: %d rows, want %d, %d moved", near,
			len(rows), want, moved)
		for _, row := range rows {
			expect.That(t, row.NearestSite.DistanceKM <= 32.2, "%s: %s is %v km away", near, row.ID, row.NearestSite.DistanceKM)
		}
	}
}

// nearestCode checks that for a ZIP code without a site the nearest number with one is used, among those with the same first three digits.
func nearestCode(t *testing.T, sites []rawSite, find func(*testing.T, string) (lat, lon float64, notices []string, err *entity.Error)) {
	t.Helper()
	for _, code := range []string{"02198", "10099", "77098", "90001"} {
		number, err := strconv.Atoi(code)
		expect.NoError(t, err)
		best := 100
		for _, site := range sites {
			zip, _, _ := strings.Cut(site.zip, "-")
			if n, err := strconv.Atoi(zip); err == nil && len(zip) == 5 && site.country == "United States" && site.placed &&
				zip[:3] == code[:3] {
				best = min(best, max(n-number, number-n))
			}
		}
		expect.Must(t, best > 0 && best < 100, "%s: the nearest number is %d away", code, best)
		_, _, notices, wrong := find(t, code)
		expect.Must(t, wrong == nil, "%s: %v", code, wrong)
		notice := noticeOf(notices, "near: no site has the ZIP code "+code+"; the nearest number with one, ")
		expect.Must(t, notice != "", "%s: %v", code, notices)
		taken, err := strconv.Atoi(strings.TrimPrefix(notice, "near: no site has the ZIP code "+code+"; the nearest number with one, ")[:5])
		expect.NoError(t, err)
		expect.Is(t, max(taken-number, number-taken), best, "%s: %s", code, notice)
	}
}

// noRecords is a registry without records.
type noRecords struct{}

func (noRecords) RoundTrip(req *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Request: req,
		Body: io.NopCloser(strings.NewReader(`{"studies":[]}`)),
	}, nil
}

// TestWithoutRecordsNoPlaceIsKnown: without records no place is known.
func TestWithoutRecordsNoPlaceIsKnown(t *testing.T) {
	t.Parallel()
	s := serve(t, nil, sourcetest.RegistryURL, sourcetest.Policy(noRecords{}))
	for _, near := range []string{"Boston, MA", "Paris, France", "02115", "Chicago"} {
		_, err := search(t, s, tools.TrialFilters{Near: near})
		e := entity.AsError(err)
		expect.That(t, e != nil && e.Code == entity.InvalidInput && strings.Contains(e.Message, "no site"), "%s: %v", near, err)
	}
}
