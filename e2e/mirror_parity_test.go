package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mirror"
)

// A studiesPage has the fields of a page of /studies that the probes read.
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
var parityWords = strings.Split("melanoma,asthma,breast cancer,type 2 diabetes,heart failure,stroke,lung "+
	"cancer,hiv,malaria,depression,schizophrenia,psoriasis,lupus,copd,obesity,sepsis,migraine,epilepsy,"+
	"parkinson disease,alzheimer disease,multiple sclerosis,cystic fibrosis,hepatitis c,crohn "+
	"disease,glioblastoma,leukemia,lymphoma,osteoarthritis,preterm birth,autism,anemia,glaucoma,tuberculosis,covid-19,"+
	"chronic pain,insomnia,kidney failure,sickle cell disease,endometriosis,heart attack", ",")

// A parity says how close word searches of a mirror come to those of the registry.
type parity struct {
	ratios           []float64 // of the counts of each search, ascending
	shared, compared int       // of the first twenty hits of all searches
}

// compareParity compares the answers of a mirror with those of a registry. Filters must have equal counts.
func compareParity(t *testing.T, local, registry http.RoundTripper) (p parity) {
	t.Helper()
	ask := func(from http.RoundTripper, query url.Values) studiesPage {
		query.Set("countTotal", "true")
		query.Set("fields", "NCTId")
		query.Set("pageSize", "20")
		return studiesOf(t, from, query)
	}
	for _, filter := range exactQueries() {
		query := url.Values{"filter.advanced": {filter}}
		if inMirror, inRegistry := *ask(local, query).TotalCount, *ask(registry, query).TotalCount; inMirror != inRegistry {
			t.Errorf("%s: %d in the mirror, %d in the registry", filter, inMirror, inRegistry)
		}
	}
	for _, area := range []string{"query.cond", "query.term", "query.titles"} {
		for _, text := range parityWords {
			query := url.Values{area: {text}, "sort": {"@relevance"}}
			inMirror, inRegistry := ask(local, query), ask(registry, query)
			ratio := float64(*inMirror.TotalCount+1) / float64(*inRegistry.TotalCount+1)
			p.ratios = append(p.ratios, ratio)
			common := overlap(inMirror, inRegistry)
			p.shared, p.compared = p.shared+common, p.compared+min(20, len(inRegistry.Studies))
			t.Logf("%-14s %-22s %6d %6d  %.2f  %d of the first 20", area, text, *inMirror.TotalCount, *inRegistry.TotalCount, ratio, common)
		}
	}
	slices.Sort(p.ratios)
	return p
}

func (p parity) median() float64 { return p.ratios[len(p.ratios)/2] }

// within returns how many searches have a count from 0.8 to 1.25 of the registry's.
func (p parity) within() (n int) {
	for _, r := range p.ratios {
		if r >= 0.8 && r <= 1.25 {
			n++
		}
	}
	return n
}

// close reports whether word searches may ever be answered by the mirror unasked: the median ratio is from 0.95 to 1.05, nine of ten
// are from 0.8 to 1.25, and the first twenty hits share twelve.
func (p parity) close() bool {
	return p.median() >= 0.95 && p.median() <= 1.05 && p.within()*10 >= len(p.ratios)*9 && p.shared*10 >= p.compared*6
}

func (p parity) String() string {
	return fmt.Sprintf("median ratio %.3f, %d of %d within 0.8 to 1.25, %d of %d first hits shared", p.median(), p.within(), len(p.ratios),
		p.shared, p.compared)
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

// TestMirrorParityOfSandbox: the comparison that people run against the registry, with the sandbox in its place. Both know the same
// synonyms, so that the counts of words are equal as well.
func TestMirrorParityOfSandbox(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "mirror.db")
	cmd := exec.Command(binary(t), "--sandbox", "mirror", "sync")
	cmd.Env = append(os.Environ(), "BIOFACT_CACHE_DIR=off", "BIOFACT_MIRROR_PATH="+path)
	out, err := cmd.CombinedOutput()
	expect.NoErrorf(t, err, "%s", out)
	reader := mirror.NewReader(path)
	defer func() { expect.NoError(t, reader.Close()) }()
	p := compareParity(t, reader, embeddedRecords(t).Trials())
	t.Log(p)
	expect.That(t, p.ratios[0] == 1 && p.ratios[len(p.ratios)-1] == 1 && p.close(), "%s", p)
}
