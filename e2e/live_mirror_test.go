//go:build live

package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mirror"
)

// A studiesPage is what the probes read of a page of /studies.
type studiesPage struct {
	TotalCount *int
	Studies    []struct {
		ProtocolSection struct {
			IdentificationModule struct{ NctID string }
			StatusModule         struct{ LastUpdatePostDateStruct struct{ Date string } }
		}
		DerivedSection struct {
			MiscInfoModule struct{ VersionHolder string }
		}
	}
	NextPageToken string
}

// studiesOf asks a registry for a page, from the network or from the mirror.
func studiesOf(t *testing.T, from http.RoundTripper, query url.Values) studiesPage {
	t.Helper()
	cfg, err := config.Read(os.Environ())
	expect.NoError(t, err)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, cfg.CTGovURL+"/studies?"+query.Encode(), nil)
	expect.NoError(t, err)
	resp, err := from.RoundTrip(req)
	expect.NoError(t, err)
	defer resp.Body.Close()
	expect.Must(t, resp.StatusCode == http.StatusOK, "%s: status %d", query.Encode(), resp.StatusCode)
	var page studiesPage
	expect.NoError(t, json.NewDecoder(resp.Body).Decode(&page))
	return page
}

// slowly makes requests at the pace that the registry asks for.
type slowly struct{ turns *time.Ticker }

func (s slowly) RoundTrip(req *http.Request) (*http.Response, error) {
	<-s.turns.C
	return http.DefaultTransport.RoundTrip(req)
}

func unhurried(t *testing.T) slowly {
	turns := time.NewTicker(time.Second)
	t.Cleanup(turns.Stop)
	return slowly{turns}
}

func updatedIn(from, to string) url.Values {
	return url.Values{
		"filter.advanced": {"AREA[LastUpdatePostDate]RANGE[" + from + "," + to + "]"}, "sort": {"LastUpdatePostDate:asc"},
		"fields": {"NCTId|LastUpdatePostDate|VersionHolder"}, "pageSize": {"100"}, "countTotal": {"true"},
	}
}

// TestLiveMirrorProbes asks the registry what a sync depends on and no document says.
func TestLiveMirrorProbes(t *testing.T) {
	registry := unhurried(t)
	first := studiesOf(t, registry, updatedIn("2024-03-04", "2024-03-06"))
	total := func(from, to string) int { return *studiesOf(t, registry, updatedIn(from, to)).TotalCount }
	if sum := total("2024-03-04", "2024-03-04") + total("2024-03-05", "2024-03-05") + total("2024-03-06",
		"2024-03-06"); sum != *first.TotalCount {
		t.Errorf("the days of a range have %d studies one by one, %d together: a range does not include both ends, or a total is not exact",
			sum, *first.TotalCount)
	}
	seen := map[string]bool{}
	last, versions := "", []string{}
	query := updatedIn("2024-03-04", "2024-03-06")
	for page := first; ; page = studiesOf(t, registry, query) {
		for _, s := range page.Studies {
			id, day := s.ProtocolSection.IdentificationModule.NctID, s.ProtocolSection.StatusModule.LastUpdatePostDateStruct.Date
			if seen[id] || day < last {
				t.Errorf("%s of %s comes twice, or after %s: pages of sorted ties are not stable", id, day, last)
			}
			seen[id], last = true, day
			if v := s.DerivedSection.MiscInfoModule.VersionHolder; !slices.Contains(versions, v) {
				versions = append(versions, v)
			}
		}
		if page.NextPageToken == "" {
			break
		}
		query.Set("pageToken", page.NextPageToken)
		query.Del("countTotal")
	}
	expect.That(t, len(seen) == *first.TotalCount, "%d studies on all pages, the total is %d", len(seen), *first.TotalCount)
	expect.That(t, len(versions) == 1, "the records are of several versions of the data: %v", versions)
	all := *studiesOf(t, registry, url.Values{"pageSize": {"1"}, "countTotal": {"true"}, "fields": {"NCTId"}}).TotalCount
	dated := total("MIN", "MAX")
	expect.That(t, all == dated, "%d studies, %d with a day of their last update", all, dated)
	// A merged record is found under its old id.
	merged := studiesOf(t, registry, url.Values{"filter.ids": {"NCT07048704"}, "fields": {"NCTId"}})
	expect.That(t, len(merged.Studies) == 1 && merged.Studies[0].ProtocolSection.IdentificationModule.NctID == "NCT07280598", "%+v",
		merged.Studies)
}

// exactQueries must have equal counts in a current mirror. Every other word search must come close.
func exactQueries() (queries []string) {
	for _, status := range []string{"RECRUITING", "COMPLETED", "TERMINATED", "WITHDRAWN", "UNKNOWN", "NOT_YET_RECRUITING", "SUSPENDED"} {
		queries = append(queries, "AREA[OverallStatus]"+status)
	}
	for _, phase := range []string{"NA", "EARLY_PHASE1", "PHASE1", "PHASE2", "PHASE3", "PHASE4"} {
		queries = append(queries, "AREA[Phase]"+phase, "AREA[Phase]"+phase+" AND AREA[Phase:size]1")
	}
	for _, country := range []string{"United States", "France", "Germany", "China", "Japan", "Egypt", "Brazil", "India", "Nigeria",
		"Iceland"} {
		queries = append(queries, `AREA[LocationCountry]COVERAGE[FullMatch]"`+country+`"`, `SEARCH[Location](AREA[LocationCountry]"`+
			country+`" AND AREA[LocationStatus]RECRUITING)`)
	}
	for _, piece := range []string{"StartDate", "PrimaryCompletionDate", "CompletionDate", "StudyFirstPostDate", "ResultsFirstPostDate",
		"LastUpdatePostDate"} {
		queries = append(queries, "AREA["+piece+"]RANGE[2019-03-01,2019-03-31]", "AREA["+piece+"]MISSING")
	}
	return append(queries, "AREA[StudyType]OBSERVATIONAL", "AREA[Sex]FEMALE", "AREA[HealthyVolunteers]true", "AREA[HasResults]true",
		"AREA[LeadSponsorClass]NIH", "AREA[InterventionType]DEVICE",
		"AREA[EnrollmentCount]RANGE[100,500]", "AREA[MinimumAge]RANGE[MIN,17 years]", "AREA[LargeDocHasSAP]true",
		"SEARCH[Location](AREA[LocationCity]Boston AND AREA[LocationState]Massachusetts)",
		"AREA[LocationGeoPoint]DISTANCE[42.36,-71.06,50mi]")
}

// words are searched in conditions, treatments, sponsors and everywhere.
var words = strings.Split("melanoma,asthma,breast cancer,type 2 diabetes,heart failure,stroke,lung "+
	"cancer,hiv,malaria,depression,schizophrenia,psoriasis,lupus,copd,obesity,sepsis,migraine,epilepsy,"+
	"parkinson disease,alzheimer disease,multiple sclerosis,cystic fibrosis,hepatitis c,crohn "+
	"disease,glioblastoma,leukemia,lymphoma,osteoarthritis,preterm birth,autism,anemia,glaucoma,tuberculosis,covid-19,"+
	"chronic pain,insomnia,kidney failure,sickle cell disease,endometriosis,heart attack", ",")

// TestLiveMirrorParity compares a current mirror with the registry. Its figures decide whether word searches may ever
// be answered by the mirror unasked: counts of filters are equal; of words the median ratio is from 0.95 to 1.05,
// nine of ten are from 0.8 to 1.25, and the first twenty hits share twelve.
func TestLiveMirrorParity(t *testing.T) {
	cfg, err := config.Read(os.Environ())
	expect.NoError(t, err)
	reader := mirror.NewReader(cfg.MirrorFile())
	defer func() { expect.NoError(t, reader.Close()) }()
	if state, err := reader.State(t.Context()); err != nil || !state.Complete() {
		t.Skipf("no complete mirror at %s: biofact mirror sync", cfg.MirrorFile())
	}
	registry := unhurried(t)
	ask := func(from http.RoundTripper, query url.Values) studiesPage {
		query.Set("countTotal", "true")
		query.Set("fields", "NCTId")
		query.Set("pageSize", "20")
		return studiesOf(t, from, query)
	}
	for _, filter := range exactQueries() {
		query := url.Values{"filter.advanced": {filter}}
		if inMirror, inRegistry := *ask(reader, query).TotalCount, *ask(registry, query).TotalCount; inMirror != inRegistry {
			t.Errorf("%s: %d in the mirror, %d in the registry", filter, inMirror, inRegistry)
		}
	}
	var ratios []float64
	shared, compared := 0, 0
	for _, area := range []string{"query.cond", "query.term", "query.titles"} {
		for _, text := range words {
			query := url.Values{area: {text}, "sort": {"@relevance"}}
			inMirror, inRegistry := ask(reader, query), ask(registry, query)
			ratio := float64(*inMirror.TotalCount+1) / float64(*inRegistry.TotalCount+1)
			ratios = append(ratios, ratio)
			common := overlap(inMirror, inRegistry)
			shared, compared = shared+common, compared+min(20, len(inRegistry.Studies))
			t.Logf("%-14s %-22s %6d %6d  %.2f  %d of the first 20", area, text, *inMirror.TotalCount, *inRegistry.TotalCount, ratio, common)
		}
	}
	slices.Sort(ratios)
	within := 0
	for _, r := range ratios {
		if r >= 0.8 && r <= 1.25 {
			within++
		}
	}
	verdict := fmt.Sprintf("median ratio %.3f, %d of %d within 0.8 to 1.25, %d of %d first hits shared", ratios[len(ratios)/2], within,
		len(ratios), shared, compared)
	if median := ratios[len(ratios)/2]; median < 0.95 || median > 1.05 || within*10 < len(ratios)*9 || shared*10 < compared*6 {
		t.Log("words must stay with the registry: " + verdict)
		return
	}
	t.Log("words come as close as the mode prefer asks for: " + verdict)
}

// overlap returns how many studies two pages share.
func overlap(a, b studiesPage) (n int) {
	for _, s := range a.Studies {
		for _, other := range b.Studies {
			if s.ProtocolSection.IdentificationModule.NctID == other.ProtocolSection.IdentificationModule.NctID {
				n++
			}
		}
	}
	return n
}
