package trials

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/geo"
	"github.com/biofact-mcp/biofact/internal/place"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
	"github.com/biofact-mcp/biofact/internal/tool"
	"github.com/biofact-mcp/biofact/internal/trials/filters"
)

const trialCorpus = "../../../shared/corpus/ctgov/"

// siteAnswer is an answer of get_trial_locations.
type siteAnswer struct {
	entity.Page[entity.TrialLocation]
	entity.TrialSites
	Notices         []string
	bytes, requests int
}

// hasNotice reports whether a notice contains a text.
func (a siteAnswer) notice(text string) bool {
	return slices.ContainsFunc(a.Notices, func(n string) bool { return strings.Contains(n, text) })
}

// realSites serves the sites of the real records of a file.
func realSites(t testing.TB, file string) func(arguments string) siteAnswer {
	t.Helper()
	o := sourcetest.Policy(sourcetest.Opened(t, expect.Corpus(t, "ctgov/"+file, "it knows the sites of real trials")))
	o.MaxBody = 64 << 20
	table := toolTable(serve(t, sourcetest.InMemory(), sourcetest.RegistryURL, o))
	called := table[slices.IndexFunc(table, func(answerOf *tool.Tool) bool { return answerOf.Name == tools.GetTrialLocations })]
	return func(arguments string) siteAnswer {
		t.Helper()
		result := called.Call(t.Context(), slog.New(slog.DiscardHandler), json.RawMessage(arguments))
		expect.Must(t, !result.IsError, "%s: %s", arguments, result.JSON)
		answer := siteAnswer{bytes: len(result.JSON), requests: result.Meta["biofact/upstream_requests"].(int)}
		expect.NoError(t, json.Unmarshal(result.JSON, &answer))
		return answer
	}
}

// TestRealSitesOfAState reads a trial with 1,148 sites, whose sites in one state once took 260 kB.
func TestRealSitesOfAState(t *testing.T) {
	t.Parallel()
	call := realSites(t, "studies.jsonl.gz")
	ohio := call(`{"nct_id":"NCT04267848","state":"OH","status":"recruiting"}`)
	expect.That(t, *ohio.Pagination.TotalCount == 33 && ohio.bytes < 6000, "%d sites in %d bytes", *ohio.Pagination.TotalCount, ohio.bytes)
	expect.That(t, *ohio.Shared == entity.SharedSite{State: "Ohio", Country: "United States", RecruitmentStatus: "RECRUITING"},
		"shared %+v", ohio.Shared)
	for i, site := range ohio.Items {
		reachable := site.Team > 0 && slices.ContainsFunc(ohio.Teams[site.Team-1].Contacts,
			func(c entity.Contact) bool { return c.Phone != "" })
		expect.That(t, reachable && len(ohio.Teams[site.Team-1].Investigators) > 0, "site %d has no contact", i)
	}
	expect.Equal(t, "summary of a state", &entity.SitesSummary{Sites: 33, Countries: 1,
		ByCountry: []entity.CountrySites{{Country: "United States", Sites: 33, Recruiting: new(33)}},
		ByStatus:  []entity.StatusSites{{RecruitmentStatus: "RECRUITING", Sites: 33}}}, ohio.Summary)
	s := call(`{"nct_id":"NCT04267848","page_size":1}`).Summary
	expect.That(t, s.Sites == 1148 && s.ByCountry[0].Country == "United States" && s.ByCountry[0].Sites == 1147 &&
		*s.ByCountry[0].Recruiting == 659 &&
		s.ByCountry[1].Country == "Guam" && s.ByStatus[1] == entity.StatusSites{RecruitmentStatus: "SUSPENDED", Sites: 393},
		"summary %+v", s)
	complete := call(`{"nct_id":"NCT04267848","state":"Ohio","status":"recruiting","page_size":5}`)
	expect.That(t, len(complete.Items) == 5 && complete.Items[0].State == "Ohio" && complete.Items[0].Latitude != nil &&
		len(complete.Items[0].Contacts) == 1 && complete.Shared == nil, "a small page is %+v", complete)
	ohio.Expand(ohio.Items)
	for i, site := range complete.Items {
		site.Latitude, site.Longitude = nil, nil
		expect.Equal(t, "a site of a compact page", site, ohio.Items[i])
	}
	none := call(`{"nct_id":"NCT04267848","state":"Ohio","city":"Boston"}`)
	expect.That(t, *none.Pagination.TotalCount == 0 && none.notice("Number of its sites: 1148, in United States (1147), Guam (1).") &&
		none.notice(`Without city the call finds 76: call get_trial_locations with {"nct_id":"NCT:04267848","state":["Ohio"]}`),
		"notices %q",
		none.Notices)
}

// TestSitesOfEither: OR in an argument of get_trial_locations joins its values, as a list does.
func TestSitesOfEither(t *testing.T) {
	t.Parallel()
	sites := []entity.TrialLocation{{FacilityName: "Mercy Hospital", City: "Boston", State: "Massachusetts", Country: "United States"},
		{FacilityName: "Lake Clinic", City: "Portland", State: "Oregon", Country: "United States"}, {City: "Lyon", Country: "France"}}
	for _, tt := range []struct {
		args tools.GetTrialLocationsArgs
		want int
	}{
		{tools.GetTrialLocationsArgs{City: []string{"Boston OR Lyon"}}, 2},
		{tools.GetTrialLocationsArgs{City: []string{"Portland, OR"}}, 1},
		{tools.GetTrialLocationsArgs{State: []string{"Oregon OR MA"}}, 2},
		{tools.GetTrialLocationsArgs{Country: []string{"France OR Japan"}}, 1},
		{tools.GetTrialLocationsArgs{Facility: "Mercy OR Lake Clinic"}, 2},
		{tools.GetTrialLocationsArgs{Facility: "Mercy Clinic"}, 0},
	} {
		tt.args.NCTID = "NCT:90000001"
		q, err := readSiteQuery(tt.args)
		expect.That(t, err == nil && len(q.find(sites, place.Spot{}).sites) == tt.want, "%+v: %v", tt.args, err)
	}
}

// TestNoSitesNear checks that the number in a notice is that of the answer to the call that it names.
func TestNoSitesNear(t *testing.T) {
	t.Parallel()
	site := func(city, country string, lat, lon float64) entity.TrialLocation {
		return entity.TrialLocation{City: city, Country: country, Latitude: &lat, Longitude: &lon}
	}
	trial := siteTrial{sites: []entity.TrialLocation{site("Boston", "United States", 42.36, -71.06),
		site("Worcester", "United States", 42.26, -71.8), site("Paris", "France", 48.86, 2.34), {City: "Lyon", Country: "France"}}}
	for _, tt := range []struct {
		args tools.GetTrialLocationsArgs
		want string
	}{
		{tools.GetTrialLocationsArgs{Near: "42.36,-71.06", Country: []string{"Japan"}},
			`Without country the call finds 2: call get_trial_locations with {"nct_id":"NCT:04267848","near":"42.36,-71.06"}.`},
		{tools.GetTrialLocationsArgs{Near: "42.36,-71.06", Within: "10 mi", Country: []string{"Japan"}},
			`Without country the call finds 1: call get_trial_locations with {"nct_id":"NCT:04267848","near":"42.36,-71.06","within":"10 mi"}.`},
		{tools.GetTrialLocationsArgs{Near: "42.26,-71.4", Within: "10 mi", Country: []string{"Japan"}},
			`Without within and country the call finds 2: call get_trial_locations with {"nct_id":"NCT:04267848","near":"42.26,-71.4"}.`},
		{tools.GetTrialLocationsArgs{Near: "0,0", Within: "10 mi", Country: []string{"Japan"}},
			`Without within and country the call finds 4: call get_trial_locations with {"nct_id":"NCT:04267848","near":"0,0"}.`},
		{tools.GetTrialLocationsArgs{Near: "75008", Country: []string{"France"}, City: []string{"Boston"}},
			`Without city the call finds 1: call get_trial_locations with {"nct_id":"NCT:04267848","near":"75008","country":["France"]}.`},
		{tools.GetTrialLocationsArgs{Near: "75008", Country: []string{"France"}, State: []string{"Ohio"}, City: []string{"Boston"}}, ""},
		{tools.GetTrialLocationsArgs{Near: "75008", Country: []string{"France"}, Facility: "x"},
			`Without facility the call finds 1: call get_trial_locations with {"nct_id":"NCT:04267848","near":"75008","country":["France"]}.`},
		{tools.GetTrialLocationsArgs{Near: "10000", Country: []string{"Japan"}}, // a ZIP code without the country
			`Without country the call finds 1: call get_trial_locations with {"nct_id":"NCT:04267848","near":"10000, Japan"}.`},
		{tools.GetTrialLocationsArgs{Near: "75008, France", Country: []string{"Japan"}},
			`Without country the call finds 1: call get_trial_locations with {"nct_id":"NCT:04267848","near":"75008, France"}.`},
	} {
		tt.args.NCTID = "NCT04267848"
		q, err := readSiteQuery(tt.args)
		expect.NoError(t, err)
		from := place.Spot{Point: geo.Point{Lat: 48.87, Lon: 2.31}}
		if q.near.At.Point != nil {
			from.Point = *q.near.At.Point
		}
		found := q.find(trial.sites, from)
		expect.That(t, len(found.sites) == 0 && found.nearest == nil, "%+v: %+v", tt.args, found)
		got := strings.Join(q.siteNotices(trial, found, from), " ")
		expect.That(t, strings.Contains(got, tt.want) && (tt.want != "" || !strings.Contains(got, "Without ")), "%+v: %s", tt.args, got)
	}
}

// TestCompact: a long page of similar sites is written compactly and loses only the coordinates.
func TestCompact(t *testing.T) {
	t.Parallel()
	sites := func(count, teams int) (sites []entity.TrialLocation) {
		for i := range count {
			desk := entity.Contact{Name: fmt.Sprintf("Desk %d", i%teams), Phone: "555-0100", Email: "desk@example.org", Role: "CONTACT"}
			sites = append(sites, entity.TrialLocation{
				FacilityName: fmt.Sprintf("Example Hospital %d", i), City: "Akron", State: "Ohio", Country: "United States",
				RecruitmentStatus: filters.Recruiting,
				ContactName:       desk.Name, ContactPhone: desk.Phone, ContactEmail: desk.Email, Contacts: []entity.Contact{desk},
				Investigators: []entity.Investigator{{Name: "Ida Example, MD", Role: "PRINCIPAL_INVESTIGATOR"}}, Latitude: new(41.08),
				Longitude: new(-81.52),
			})
		}
		return sites
	}
	for _, tt := range []struct{ count, teams, want int }{{40, 3, 3}, {5, 1, 0}, {40, 40, 0}} {
		page, beside := sites(tt.count, tt.teams), entity.TrialSites{}
		notice := beside.Compact(&page)
		expect.That(t, len(beside.Teams) == tt.want && notice == (tt.want > 0), "%+v: %d teams, %v", tt, len(beside.Teams), notice)
		beside.Expand(page)
		for i, site := range sites(tt.count, tt.teams) {
			if tt.want > 0 {
				site.Latitude, site.Longitude = nil, nil
			}
			expect.Equal(t, "site", site, page[i])
		}
	}
}

func TestRealSitesNear(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		file, nct, city string
		km              float64
		contact         bool // of its own; else the central contacts are named
	}{
		{"studies.jsonl.gz", "NCT05886491", "Nashville", 1515.6, true},
		{"studies.jsonl.gz", "NCT05816382", "Norfolk", 758.7, false},
		{"more.jsonl.gz", "NCT07064473", "Malden", 7.3, true},
	} {
		t.Run(tt.nct, func(t *testing.T) {
			t.Parallel()
			call := realSites(t, tt.file)
			near := call(fmt.Sprintf(`{"nct_id":%q,"near":"42.36,-71.06","status":"recruiting","page_size":1}`, tt.nct))
			site := near.Items[0]
			accurate := math.Abs(*site.DistanceKM-tt.km) <= tt.km/100
			expect.That(t, site.City == tt.city && accurate && site.RecruitmentStatus == filters.Recruiting,
				"%s, %.1f km", site.City, *site.DistanceKM)
			expect.That(t, tt.contact == (len(site.Contacts) > 0) && tt.contact != near.notice("The contacts for the whole study are "),
				"%d contacts", len(site.Contacts))
			// A place that is among the trial's own sites, or only among those of other trials.
			any := call(fmt.Sprintf(`{"nct_id":%q,"near":"Boston, MA","within":"5 km"}`, tt.nct))
			expect.That(t, any.notice("near: distances are from Boston, Massachusetts, United States ("), "notices %q", any.Notices)
			if len(any.Items) > 0 {
				expect.That(t, any.notice("None of these sites recruits. The nearest ") && any.notice("does is in "+tt.city), "notices %q",
					any.Notices)
			}
		})
	}
}

// TestRealSitesWithoutCoordinates: two of the recruiting sites in Tokyo have no coordinates, and cities with a comma are found by any part.
func TestRealSitesWithoutCoordinates(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	call := realSites(t, "more.jsonl.gz")
	for _, tt := range []struct{ arguments, notice, nearest string }{
		{`"near":"Tokyo","within":"30 km"`, `Those whose city is "Tokyo": `, "The nearest with coordinates that does is in "},
		{`"near":"Nagoya, Japan","within":"20 km"`, `Those whose city is "Nagoya": `, "The nearest with coordinates is in "},
	} {
		answer := call(`{"nct_id":"NCT07064473",` + tt.arguments + `}`)
		expect.That(t, answer.notice(tt.notice) && answer.notice(tt.nearest), "%s: notices %q", tt.arguments, answer.Notices)
	}
	for _, city := range []string{"Tokyo", "Nagoya", "nagoya, Japan", "Minato-ku", "Minato-Ku, Tokyo", "Tokyo, Minato-ku"} {
		found := call(fmt.Sprintf(`{"nct_id":"NCT07064473","city":[%q]}`, city))
		expect.That(t, len(found.Items) > 0, "%s: none is found: %q", city, found.Notices)
	}
}

// TestRealSitesOfOtherPlaces: a place that the argument does not take, and a state that the record does not have, lead to a call that finds
// sites.
func TestRealSitesOfOtherPlaces(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	records := realSites(t, "more.jsonl.gz")
	none := records(`{"nct_id":"NCT07064473","state":"Bavaria","country":"Germany"}`)
	expect.That(t, none.notice("Sites without a state in the record, which state cannot find: 91. Find them by city or near.") &&
		!none.notice("Berlin"), "notices %q", none.Notices)
	s := serve(t, nil, sourcetest.RegistryURL, sourcetest.Policy(placeRecords(t, trialCorpus+"more.jsonl.gz")))
	for _, tt := range []struct {
		args      tools.GetTrialLocationsArgs
		code      entity.Code
		message   string
		arguments string
	}{
		{tools.GetTrialLocationsArgs{Country: []string{"Europe"}}, entity.InvalidInput, `"Europe" is not a country of the registry`, `country ["Albania",`},
		{tools.GetTrialLocationsArgs{Country: []string{"Antarctica"}}, entity.InvalidInput, `"Antarctica" is not a country`,
			"name of a country"},
		{tools.GetTrialLocationsArgs{Country: []string{"Ohio"}}, entity.InvalidInput, `"Ohio" is a state`,
			`no country and state "Ohio"`},
		{tools.GetTrialLocationsArgs{Near: "Germany"}, entity.InvalidInput, "near takes a city", `country "Germany"`},
		{tools.GetTrialLocationsArgs{Near: "California"}, entity.InvalidInput, "near takes a city", `state "California"`},
		{tools.GetTrialLocationsArgs{Near: "Cambridge"}, entity.AmbiguousQuery, "places are called", `(Cambridge, Ontario, Canada)`},
	} {
		tt.args.NCTID, tt.args.PageSize = "NCT07064473", 10
		_, err := s.GetTrialLocations(t.Context(), tt.args)
		expect.Must(t, err != nil, "%+v: no error", tt.args)
		e := entity.AsError(err)
		expect.That(t, e.Code == tt.code && strings.Contains(e.Message, tt.message) &&
			strings.Contains(e.Envelope().Error.RecoveryHint, tt.arguments), "%+v: %+v",
			tt.args, e)
	}
}

// TestRealPlaces: a place without one of the trial's own sites is looked up once.
func TestRealPlaces(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	call := realSites(t, "studies.jsonl.gz")
	trials := []string{"NCT02300909", "NCT03103880"}
	for _, nct := range trials {
		call(fmt.Sprintf(`{"nct_id":%q}`, nct))
	}
	for _, tt := range []struct {
		near, notice string
		requests     int // for the first trial; the place is cached for the second
	}{
		{"Omaha, Nebraska", "from Omaha, Nebraska, United States (41.2", 1},
		{"02215", "from Boston, Massachusetts, United States (42.35843,-71.05977)", 1},
		{"02298", "no site has the ZIP code 02298; the nearest number with one, 02215, was taken", 3},
		{"Milano, IT", "from Milano, Italy (45.4", 1},
	} {
		for i, nct := range trials {
			answer := call(fmt.Sprintf(`{"nct_id":%q,"near":%q}`, nct, tt.near))
			expect.That(t, answer.notice(tt.notice) && answer.requests == tt.requests*(1-i), "%s: %d requests, %q", tt.near,
				answer.requests,
				answer.Notices)
		}
	}
}

// TestRealSites: each site of every real record is found by its own values, and distances are in order.
func TestRealSites(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	for _, file := range []string{"studies.jsonl.gz", "results.jsonl.gz", "more.jsonl.gz"} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			call := realSites(t, file)
			for _, nct := range realIDs(t, file) {
				all := call(fmt.Sprintf(`{"nct_id":%q,"page_size":500}`, nct))
				counted := 0
				for _, c := range all.Summary.ByCountry {
					counted += c.Sites
				}
				expect.That(t, all.Summary.Sites == *all.Pagination.TotalCount && counted == all.Summary.Sites,
					"%s: %d of %d sites have a country", nct, counted, all.Summary.Sites)
				if len(all.Items) == 0 {
					continue
				}
				last := all.Items[len(all.Items)-1]
				arguments, err := json.Marshal(map[string]any{"nct_id": nct, "country": last.Country, "state": last.State,
					"city": last.City, "facility": last.FacilityName, "status": last.RecruitmentStatus})
				expect.NoError(t, err)
				itself := call(string(arguments))
				found := slices.ContainsFunc(itself.Items, func(s entity.TrialLocation) bool { return s.City == last.City })
				expect.That(t, found, "%s: %s does not find its own site", nct, last.City)
				if last.Latitude == nil {
					continue
				}
				near := call(fmt.Sprintf(`{"nct_id":%q,"near":"%v,%v","within":"20000 km","page_size":500}`, nct, *last.Latitude,
					*last.Longitude))
				expect.That(t, *near.Items[0].DistanceKM == 0 &&
					slices.IsSortedFunc(near.Items,
						func(a, b entity.TrialLocation) int { return int(10 * (*a.DistanceKM - *b.DistanceKM)) }),
					"%s: the sites are not in the order of their distances", nct)
			}
		})
	}
}

// realIDs returns the ids of the records of a file.
func realIDs(t testing.TB, file string) (ids []string) {
	t.Helper()
	f, err := os.Open(trialCorpus + file)
	expect.NoError(t, err)
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	expect.NoError(t, err)
	lines := bufio.NewScanner(unzipped)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var study struct {
			ProtocolSection struct{ IdentificationModule struct{ NctID string } }
		}
		expect.NoError(t, json.Unmarshal(lines.Bytes(), &study))
		ids = append(ids, study.ProtocolSection.IdentificationModule.NctID)
	}
	return ids
}
