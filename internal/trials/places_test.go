package trials

import (
	"encoding/json"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/ranges"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
	"github.com/biofact-mcp/biofact/internal/tool"
	"github.com/biofact-mcp/biofact/internal/trials/filters"
)

// places are values that agents give for location. A question mark means that the registry may lack the place, an exclamation mark that the
// text must be refused.
var places = []string{
	"Boston", "boston", "Boston, MA", "Boston,MA", "Boston, Mass?", "Boston, Massachusetts", "Boston, MA, USA",
	"Boston, Massachusetts, United States", "02115", "Boston OR Houston?", "Boston or Houston", "Portland, OR", "NYC", "New York City",
	"New York, NY", "Washington, D.C.", "Paris", "Paris, FR", "Paris, France", "France", "FR", "Korea", "South Korea", "Korea, Republic of",
	"Republic of Korea", "Seoul, Korea", "UK", "U.K.", "England", "London, UK", "London, England", "London, England, UK",
	"Edinburgh, Scotland?", "USA", "U.S.", "United States of America", "Germany", "Deutschland", "Berlin, DE", "Berlin, Germany",
	"Toronto, ON", "Toronto, Canada", "Ontario, Canada", "California, USA", "CA", "MA", "Tokyo, Japan", "Hong Kong, China", "Turkey",
	"Türkiye", "Russia", "Russian Federation", "Czech Republic", "Holland", "the Netherlands", "Georgia", "Georgia, USA",
	"Republic of Georgia", "Mayo Clinic", "Massachusetts General Hospital", "São Paulo, Brazil", "Sao Paulo, Brazil", "France or Germany",
	"Saint Frances?", "San Juan, PR?", "Bavaria, Germany?", "Munich, Bavaria, Germany?", "Atlantis, XX?", "Zzyzx?", "England, UK",
	"Korea South", "ME?", "New York State", "Saint Louis, MO?", "St. Louis, MO?", "Gothenburg?", "Munich?", "Suisse?", "Paris, TX?",
	"Boston MA!", "Boston, MA 02115!", "Boston, MA, 02115!", "in Boston!", "near Boston!", "within 50 miles of Boston!", "Boston; Houston!",
	"Houston TX!", "Portland OR!", "Washington DC!", "75013 Paris, France!", "Mayo Clinic, Rochester, MN!", "MD Anderson, Houston, TX!",
	"Boston (MA)!", "MA, Boston!", "-France!", "not in France!", "42.36,-71.06!", "France, Germany!", "US, Canada!",
	"Boston, MA, Houston, TX!", "Bay Area!", "West Coast!", "New England!", "Midwest!", "null!", "Boston AND Houston!", "France NOT Paris!",
	"Europe!", "the EU!", "Asia!", "Latin America!", "near me!", "my area!", "within 20 miles of me!", "worldwide!", "anywhere!", "-!", ", -!",
}

// TestNearExamples checks that the hint of near has only a place that the text means and that can be in the countries.
func TestNearExamples(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text      string
		countries []string
		want      string
	}{
		{"Boston MA", nil, `again with near "Boston, MA".`},
		{"Paris or Lyon", []string{"France"}, `again with location "Paris OR Lyon", no near and no within.`},
	} {
		_, err := filters.ReadNear(tt.text, tt.countries, true)
		hint := entity.AsError(filters.ForTool(tools.SearchTrials, err)).Next.Sentence()
		expect.That(t, strings.HasSuffix(hint, tt.want), "%s in %s: %s", tt.text, tt.countries, hint)
	}
}

// TestPlaces: a place of the records is found. An answer without a trial says that the place is the cause, and shows a call that finds
// some.
func TestPlaces(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"", "../../../shared/corpus/ctgov/studies.jsonl.gz"} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			s := serve(t, nil, sourcetest.RegistryURL, sourcetest.Policy(placeRecords(t, path)))
			for _, place := range places {
				name := strings.TrimRight(place, "?!")
				answer, err := search(t, s, tools.TrialFilters{Location: name})
				switch {
				case strings.HasSuffix(place, "!"):
					if err == nil || entity.AsError(err).Code != entity.InvalidInput ||
						!strings.HasPrefix(entity.AsError(err).Message, "location: ") {
						t.Errorf("%q: %v, want INVALID_INPUT of location", name, err)
						continue
					}
					if next := entity.AsError(filters.ForTool(tools.SearchTrials, err)).Next; next != nil {
						call, err := entity.JSON(next.Of(map[string]any{"location": name}).Arguments)
						expect.NoError(t, err)
						wantHintedTrials(t, s, name, string(call))
					}
				case err != nil:
					t.Errorf("%q: %v", name, err)
				case *answer.Value.Pagination.TotalCount > 0:
				case !strings.HasSuffix(place, "?"):
					t.Errorf("%q: nothing was found: %v", name, answer.Notices)
				default:
					notices := strings.Join(answer.Notices, " ")
					expect.That(t, strings.Contains(notices, "location"), "%q: zero without the reason: %s", name, notices)
					if name != "Zzyzx" && name != "Saint Frances" && name != "Atlantis, XX" {
						wantHintedTrials(t, s, name, notices)
					}
				}
			}
		})
	}
}

func placeRecords(t *testing.T, path string) http.RoundTripper {
	t.Helper()
	if path == "" {
		records, err := sourcetest.Embedded()
		expect.NoError(t, err)
		return records
	}
	if _, err := os.Stat(path); err != nil {
		t.Skipf("the real records are not here: %v", err)
	}
	return sourcetest.Opened(t, path)
}

func search(t *testing.T, s *Trials, filters tools.TrialFilters) (SearchAnswer, error) {
	t.Helper()
	return s.SearchTrials(t.Context(), tools.SearchTrialsArgs{TrialFilters: filters, PageSize: 1})
}

var readyCall = regexp.MustCompile(`\{"[^{}]*\}`)

// wantHintedTrials makes every call that a text shows. Each must find a trial.
func wantHintedTrials(t *testing.T, s *Trials, name, text string) {
	t.Helper()
	calls := readyCall.FindAllString(text, -1)
	expect.That(t, len(calls) != 0, "%q: no call in %q", name, text)
	for _, call := range calls {
		var filters tools.TrialFilters
		if err := json.Unmarshal([]byte(call), &filters); err != nil {
			t.Errorf("%q: %s: %v", name, call, err)
			continue
		}
		answer, err := search(t, s, filters)
		expect.That(t, err == nil && *answer.Value.Pagination.TotalCount != 0,
			"%q: the hinted %s finds nothing: %v %v", name, call, answer.Notices, err)
	}
}

// TestCountryIsACountry: the country of records that only have a facility named Saint Frances is not France.
func TestCountryIsACountry(t *testing.T) {
	t.Parallel()
	params, _, err := trialQuery(tools.SearchTrials, tools.TrialFilters{Location: "France"})
	expect.That(t, err == nil && params.QueryLocn == nil && params.FilterAdvanced != nil &&
		*params.FilterAdvanced == `AREA[LocationCountry]"France"`,
		"%+v %v", params, err)
}

// TestRecruitingSiteNeedsRecruitingTrial: the sites of a trial that does not recruit do not recruit either.
func TestRecruitingSiteNeedsRecruitingTrial(t *testing.T) {
	t.Parallel()
	for _, args := range []tools.TrialFilters{{Location: "Boston, MA"}, {Country: []string{"France"}}} {
		args.RecruitingSite, args.Status = true, []string{"COMPLETED"}
		_, _, err := trialQuery(tools.CountTrials, args)
		e := entity.AsError(err)
		expect.That(t, e != nil && e.Code == entity.InvalidInput &&
			strings.Contains(e.Hint, "count_trials again with status RECRUITING"), "%+v: %v", args, err)
	}
}

func TestSearchNotices(t *testing.T) {
	t.Parallel()
	s := serve(t, nil, sourcetest.RegistryURL, sourcetest.Policy(placeRecords(t, "")))
	for _, tt := range []struct {
		name    string
		filters tools.TrialFilters
		want    string // "" for no notice
	}{
		{"a status with a place", tools.TrialFilters{Location: "Boston, MA", Status: []string{"RECRUITING"}},
			`status is that of the whole trial; its site in this place may not recruit. recruitment_status of each site: call get_trial_locations with {"nct_id":"NCT:`},
		{"a status without a place", tools.TrialFilters{Status: []string{"RECRUITING"}}, ""},
		{"another status", tools.TrialFilters{Location: "Boston, MA", Status: []string{"COMPLETED"}}, ""},
		{"a place and more without a hit", tools.TrialFilters{Condition: "melanoma", Location: "Zzyzx, NV"},
			`Among the trials that match the rest, none has a site at location "Zzyzx, NV"`},
		{"a recruiting site of trials that recruit", tools.TrialFilters{Location: "Boston, MA", RecruitingSite: true},
			"recruiting_site: trials with status RECRUITING were searched."},
		{"no recruiting site", tools.TrialFilters{Location: "Zzyzx, NV", RecruitingSite: true},
			`none has a recruiting site at location "Zzyzx, NV"`},
		{"no recruiting site near", tools.TrialFilters{Near: "0.5,-30.5", RecruitingSite: true},
			"No trial has a recruiting site within 50 mi"},
		{"a not of a sponsor", tools.TrialFilters{LeadSponsor: []string{"example not zzyzx"}}, `{"lead_sponsor":"example NOT zzyzx"}`},
		{"a not of a keyword", tools.TrialFilters{Keyword: "example not zzyzx"}, `{"keyword":"example NOT zzyzx"}`},
		{"English without a hit", tools.TrialFilters{Condition: "zzyzx disease"}, "No trial matches. Try other or fewer words."},
		{"a minus sign", tools.TrialFilters{Query: "asthma -obesity"},
			`query: "-obesity" excludes nothing: the sign before it was left out. If you meant more than words, call search_trials again with {"query":"asthma NOT obesity"}.`},
		{"words for a kind of sponsor", tools.TrialFilters{SponsorClass: []string{"academic, pharma"}}, `"academic" was read as OTHER; that holds`},
		{"ALL", tools.TrialFilters{Condition: "ALL"}, ""},
		{"an upper-case OR", tools.TrialFilters{Condition: "asthma OR copd"}, ""},
		{"a field of PubMed", tools.TrialFilters{Query: "asthma[mh]"}, `call search_trials again with {"query":"asthma"}.`},
	} {
		answer, err := search(t, s, tt.filters)
		if got := strings.Join(answer.Notices, " "); err != nil || tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q %v", tt.name, got, err)
		}
		if english := strings.Join(answer.Notices, " "); tt.name == "English without a hit" && strings.Contains(english, "language") {
			t.Errorf("%s: %s", tt.name, english)
		}
	}
}

// TestPlaceholders: a word for any value is refused instead of searched.
func TestPlaceholders(t *testing.T) {
	t.Parallel()
	s := serve(t, nil, sourcetest.RegistryURL, sourcetest.Policy(placeRecords(t, "")))
	for _, word := range []string{"all", "any", "None", "null", "undefined"} {
		filters := tools.TrialFilters{}
		for _, a := range filters.Texts() {
			args := tools.TrialFilters{}
			*args.Texts()[slices.IndexFunc(args.Texts(), func(b tool.Text) bool { return a.Name == b.Name })].Value = word
			_, err := search(t, s, args)
			if e := entity.AsError(err); e == nil || e.Code != entity.InvalidInput || a.Name != "location" && e.Next == nil {
				t.Errorf("%s %q: %v", a.Name, word, err)
			}
		}
	}
}

// TestOperatorsInLocation counts the trials of texts with operators in the raw records: a trial has a site with the words of a place.
func TestOperatorsInLocation(t *testing.T) {
	t.Parallel()
	at := func(words string) func(rawTrial) bool {
		word := regexp.MustCompile(`(?i)\b` + words + `\b`)
		return func(r rawTrial) bool {
			return slices.ContainsFunc(r.sites(), func(s rawSite) bool {
				return slices.ContainsFunc([]string{s.facility, s.city, s.state, s.country}, word.MatchString)
			})
		}
	}
	boston, houston, germany := at("Boston"), at("Houston"), at("Germany")
	sources := map[http.RoundTripper][]rawTrial{placeRecords(t, ""): rawTrials(t, "../sandbox/data/ctgov")}
	if expect.All() {
		source, records := realTrials(t)
		sources[source] = records
	}
	for source, records := range sources {
		s := serve(t, nil, sourcetest.RegistryURL, sourcetest.Policy(source))
		for text, has := range map[string]func(rawTrial) bool{
			"Boston OR Houston": func(r rawTrial) bool { return boston(r) || houston(r) },
			"Boston or Germany": func(r rawTrial) bool { return boston(r) || germany(r) },
			"Boston Texas":      func(rawTrial) bool { return false },
			"New York":          at("New York"),
			"Winston-Salem":     at("Winston.Salem"),
		} {
			want := len(slices.DeleteFunc(slices.Clone(records), func(r rawTrial) bool { return !has(r) }))
			answer, err := search(t, s, tools.TrialFilters{Location: text})
			expect.NoError(t, err)
			expect.Is(t, *answer.Value.Pagination.TotalCount, want, "%s in %d trials", text, len(records))
		}
	}
}

// TestLocationWithin: a distance from location is a distance from near.
func TestLocationWithin(t *testing.T) {
	t.Parallel()
	s := serve(t, nil, sourcetest.RegistryURL, sourcetest.Policy(placeRecords(t, "")))
	near, err := search(t, s, tools.TrialFilters{Near: "Boston, MA", Within: "20 mi"})
	expect.NoError(t, err)
	read, err := search(t, s, tools.TrialFilters{Location: "Boston, MA", Within: "20 mi"})
	expect.NoError(t, err)
	expect.Is(t, *read.Value.Pagination.TotalCount, *near.Value.Pagination.TotalCount, "trials")
	expect.That(t, strings.Contains(strings.Join(read.Notices, " "), "was read as near"), "%v", read.Notices)
	_, err = search(t, s, tools.TrialFilters{Location: "Boston OR Houston", Within: "20 mi"})
	expect.That(t, err != nil && strings.Contains(entity.AsError(err).Hint, `{"within":null}`), "%v", err)
}

// TestLocationNotices: a notice says how a name that may mean two places was read.
func TestLocationNotices(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Boston": "", "Boston, MA": "", "France": "", "Berlin, DE": "", "Boston OR Houston": "", "Brigham and Women's Hospital": "",
		"Georgia":      `"Georgia" is a state of the United States and a country; both were searched.`,
		"New York":     `both were searched. For New York, NY call search_trials again with {"location":"New York, NY"}.`,
		"CA":           `"CA" was read as California. For Canada call search_trials again with {"location":"Canada"}.`,
		"Scotland, UK": `"Scotland, UK" was read as United Kingdom`,
	} {
		w, err := filters.Read(tools.SearchTrials, tools.TrialFilters{Location: text}, ranges.CalendarOf(""))
		expect.NoError(t, err)
		got := strings.Join(w.Notices(), " ")
		expect.That(t, (want != "" || got == "") && strings.Contains(got, want), "%q: %q %v", text, got, err)
	}
}
