package mirror

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mirror/stored"
	"github.com/biofact-mcp/biofact/internal/query"
)

// lines returns the lines of a file of records.
func lines(path string) (out [][]byte, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			return nil, err
		}
	}
	s := bufio.NewScanner(r)
	s.Buffer(nil, 16<<20)
	for s.Scan() {
		if len(s.Bytes()) > 0 {
			out = append(out, append([]byte(nil), s.Bytes()...))
		}
	}
	return out, s.Err()
}

// allRecords are the real records beside the repository, or the embedded ones, each once.
var allRecords = sync.OnceValues(func() (all [][]byte, err error) {
	seen := map[int64]bool{}
	for _, path := range expect.Trials("studies", "more", "results").Paths {
		records, err := lines(path)
		if err != nil {
			return nil, err
		}
		for _, raw := range records {
			s, err := readStudy(raw)
			if err != nil {
				return nil, err
			}
			if !seen[s.id] {
				seen[s.id] = true
				all = append(all, raw)
			}
		}
	}
	return all, nil
})

func someRecords(t testing.TB) [][]byte {
	t.Helper()
	all, err := allRecords()
	expect.NoError(t, err)
	return all
}

// put writes records.
func put(t testing.TB, w *writer, records [][]byte) {
	t.Helper()
	for _, raw := range records {
		s, err := readStudy(raw)
		expect.NoError(t, err)
		err = w.put(t.Context(), s)
		expect.NoError(t, err)
	}
}

// fill writes records to a new file that is complete.
func fill(t testing.TB, records [][]byte) *Reader {
	t.Helper()
	path := filepath.Join(t.TempDir(), "mirror.db")
	ctx := context.Background()
	db, err := openWriter(ctx, path)
	expect.NoError(t, err)
	w, err := newWriter(ctx, db)
	expect.NoError(t, err)
	expect.NoError(t, w.begin(ctx))
	w.packer, err = stored.NewPacker(stored.Dictionary(records[:min(8, len(records))]))
	expect.NoError(t, err)
	expect.NoError(t, w.set(ctx, keyDictionary, stored.Dictionary(records[:min(8, len(records))])))
	expect.NoError(t, w.set(ctx, keyStamp, "2026-08-05T09:00:06"))
	expect.NoError(t, w.set(ctx, keySynced, "2999-08-05T09:00:06Z"))
	put(t, w, records)
	expect.NoError(t, w.commit(ctx))
	expect.NoError(t, w.close())
	expect.NoError(t, db.Close())
	r := NewReader(path)
	t.Cleanup(func() { expect.NoError(t, r.Close()) })
	return r
}

// sandboxOf is the oracle over the same records.
func sandboxOf(t testing.TB, records [][]byte) *query.Studies {
	t.Helper()
	var bodies []map[string]any
	for _, raw := range records {
		body, err := stored.Decode(raw)
		expect.NoError(t, err)
		setVersion(body, "2026-08-05")
		bodies = append(bodies, body)
	}
	return query.NewStudies(bodies)
}

// setVersion puts the date of the data into a record that has one.
func setVersion(body map[string]any, version string) {
	derived, _ := body["derivedSection"].(map[string]any)
	misc, _ := derived["miscInfoModule"].(map[string]any)
	if _, has := misc["versionHolder"]; has {
		misc["versionHolder"] = version
	}
}

// studiesOf returns the studies of a page.
func studiesOf(t *testing.T, p *query.Page) (out []map[string]any) {
	t.Helper()
	for _, text := range p.Studies {
		body, err := stored.Decode(text)
		expect.NoError(t, err)
		out = append(out, body)
	}
	return out
}

// searchBoth returns the page of the sandbox, and that of the mirror or its error.
func searchBoth(t *testing.T, r *Reader, oracle *query.Studies, search *query.Search) (want, got *query.Page, err error) {
	t.Helper()
	want, err = oracle.Search(t.Context(), search)
	expect.NoError(t, err)
	c, done, err := r.use(t.Context())
	expect.NoError(t, err)
	defer done()
	got, err = c.Search(t.Context(), search)
	return want, got, err
}

// same checks that both answer a request the same way.
func same(t *testing.T, r *Reader, oracle *query.Studies, request string) {
	t.Helper()
	search, err := query.ReadSearch(request)
	if err != nil {
		t.Errorf("%s: %v", request, err)
		return
	}
	want, got, err := searchBoth(t, r, oracle, search)
	if err != nil {
		t.Errorf("%s: %v", request, err)
		return
	}
	ids := func(p *query.Page) (out []string) {
		for _, s := range studiesOf(t, p) {
			out = append(out, query.First(s, "NCTId"))
		}
		return out
	}
	if strings.Contains(request, "relevance") || !strings.Contains(request, "sort=") {
		if want.TotalCount != nil && *want.TotalCount != *got.TotalCount {
			t.Errorf("%s: %d hits, want %d", request, *got.TotalCount, *want.TotalCount)
		}
		if len(got.Studies) != len(want.Studies) {
			t.Errorf("%s: %d rows, want %d", request, len(got.Studies), len(want.Studies))
		}
		return
	}
	if diff := cmp.Diff(ids(want), ids(got)); diff != "" {
		t.Errorf("%s: rows (-sandbox +mirror)\n%s", request, diff)
		return
	}
	if diff := cmp.Diff(studiesOf(t, want), studiesOf(t, got)); diff != "" {
		t.Errorf("%s: (-sandbox +mirror)\n%s", request, diff)
	}
	want.Studies, got.Studies = nil, nil
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: (-sandbox +mirror)\n%s", request, diff)
	}
}

// expressions are searches of every kind that the tools write.
var expressions = []string{
	"query.cond=melanoma", "query.cond=breast cancer", "query.cond=heart attack OR stroke", `query.cond="type 2 diabetes" NOT insulin`,
	"query.term=asthma children", "query.term=NOT cancer", "query.term=cancer OR NOT cancer", "query.intr=drug",
	"query.intr=insulin metformin",
	"query.titles=phase", "query.outc=overall survival", "query.outc=hba1c", "query.spons=university", "query.lead=novartis",
	"query.locn=Boston", "query.locn=France OR Germany", "query.term=CAR-T", "query.term=covid-19", "query.term=5-fluorouracil",
	`query.term="breast cancer"`,
	`filter.advanced=AREA[LeadSponsorName]COVERAGE[FullMatch]"National Cancer Institute (NCI)"`,
	`filter.advanced=AREA[Condition]COVERAGE[FullMatch]"Breast Cancer" OR AREA[Condition]COVERAGE[FullMatch]asthma`,
	"filter.overallStatus=RECRUITING", "filter.overallStatus=COMPLETED,TERMINATED", "filter.advanced=AREA[Phase]PHASE3",
	"filter.advanced=AREA[Phase]PHASE2 AND AREA[Phase]PHASE3",
	"filter.advanced=AREA[Phase]PHASE3 AND AREA[Phase:size]1", "filter.advanced=AREA[Phase:size]0", "filter.advanced=AREA[Condition:size]3",
	"filter.advanced=AREA[Phase:size]-1", "filter.advanced=AREA[EventGroupDeathsNumAffected]RANGE[1,MAX]",
	"filter.advanced=AREA[StudyType]OBSERVATIONAL", "filter.advanced=NOT AREA[StudyType]OBSERVATIONAL",
	"filter.advanced=AREA[Phase]MISSING",
	"filter.advanced=AREA[StartDate]RANGE[2020,2021]", "filter.advanced=AREA[StartDate]2020-03",
	"filter.advanced=AREA[ResultsFirstPostDate]RANGE[MIN,MAX]", "filter.advanced=AREA[ResultsFirstPostDate]MISSING",
	"filter.advanced=AREA[EnrollmentCount]RANGE[100,500]", "filter.advanced=AREA[EnrollmentCount]RANGE[MIN,20]",
	"filter.advanced=AREA[MinimumAge]RANGE[MIN,16 years]", "filter.advanced=AREA[MaximumAge]RANGE[6 months,MAX] OR AREA[MaximumAge]MISSING",
	"filter.advanced=AREA[Sex]FEMALE", `filter.advanced=AREA[Sex]"ALL"`, "filter.advanced=AREA[HealthyVolunteers]true",
	"filter.advanced=AREA[HealthyVolunteers]false", "filter.advanced=AREA[HasResults]true", "filter.advanced=AREA[HasResults]false",
	"filter.advanced=AREA[LargeDocHasProtocol]true OR AREA[LargeDocHasSAP]true", "filter.advanced=AREA[LargeDocHasICF]true",
	"filter.advanced=AREA[LeadSponsorClass]INDUSTRY", "filter.advanced=AREA[InterventionType]DEVICE",
	"filter.advanced=AREA[LocationCountry]France", "filter.advanced=AREA[LocationCountry]MISSING",
	`filter.advanced=AREA[LocationCountry]"United States"`,
	"filter.advanced=SEARCH[Location](AREA[LocationCity]Boston AND AREA[LocationState]Massachusetts)",
	"filter.advanced=SEARCH[Location](AREA[LocationCity]Boston AND AREA[LocationState]Texas)",
	"filter.advanced=SEARCH[Location](AREA[LocationCountry]France AND AREA[LocationStatus]RECRUITING)",
	"filter.advanced=SEARCH[Location](AREA[LocationCountry]Germany AND NOT AREA[LocationStatus]COMPLETED)",
	"filter.advanced=SEARCH[Location](AREA[LocationFacility]hospital AND AREA[LocationCity]Paris)",
	"filter.advanced=SEARCH[Location](AREA[LocationCity]Boston AND NOT AREA[LocationFacility]general)",
	"filter.advanced=SEARCH[Location](AREA[LocationStatus]MISSING AND AREA[LocationCountry]Italy)",
	"filter.advanced=SEARCH[Location]((AREA[LocationCountry]France OR AREA[LocationCountry]Germany) AND AREA[LocationStatus]RECRUITING)",
	`filter.advanced=SEARCH[Location](NOT AREA[LocationCountry]"United States")`, "filter.advanced=AREA[LocationCountry](States Kingdom)",
	"filter.advanced=SEARCH[Location](AREA[LocationCountry](States Kingdom))",
	"filter.advanced=SEARCH[Location](AREA[LocationCountry]MISSING)",
	"filter.advanced=AREA[LocationStatus]RECRUITING", "filter.advanced=NOT AREA[LocationStatus]RECRUITING AND AREA[LocationCountry]Spain",
	"filter.advanced=AREA[LocationStatus]MISSING AND AREA[LocationCountry]Italy", "filter.advanced=SEARCH[Location]ALL",
	"filter.advanced=SEARCH[Location](AREA[LocationCountry](Republic of) AND NOT AREA[LocationStatus]MISSING)",
	`filter.advanced=AREA[LocationCountry]COVERAGE[FullMatch]"Korea"`, "filter.advanced=NOT AREA[LocationCountry]MISSING",
	`filter.advanced=SEARCH[Location](AREA[LocationCountry]COVERAGE[FullMatch]"Korea, Republic of")`,
	"filter.advanced=SEARCH[Location](AREA[LocationGeoPoint]DISTANCE[48.85,2.35,30km] AND AREA[LocationStatus]RECRUITING)",
	"filter.advanced=AREA[LocationGeoPoint]DISTANCE[48.85,2.35,30km] OR (SEARCH[Location](AREA[LocationCity]Boston AND NOT AREA[LocationState]Ohio))",
	"filter.advanced=AREA[LocationCountry]France AND (NOT (AREA[LocationCity]Paris))",
	"filter.geo=distance(42.36,-71.06,50mi)", "filter.geo=distance(-36.85,174.76,300mi)", "filter.geo=distance(64.1,-21.9,500mi)",
	"filter.advanced=NOT AREA[LocationGeoPoint]DISTANCE[42.36,-71.06,50mi]",
	"filter.advanced=AREA[EligibilityCriteria](pregnant OR lactating)", "filter.advanced=AREA[EligibilityCriteria]MISSING",
	"filter.advanced=AREA[PrimaryOutcomeMeasure]survival", "filter.advanced=AREA[Keyword]diabetes",
	"filter.advanced=AREA[DesignAllocation]RANDOMIZED AND AREA[DesignMasking]DOUBLE", "filter.advanced=AREA[ArmGroupType]SHAM_COMPARATOR",
	"filter.advanced=AREA[DesignPrimaryPurpose]PREVENTION", "filter.advanced=AREA[WhyStopped]funding",
	"filter.advanced=AREA[InterventionMeshTerm]insulin", "filter.advanced=AREA[OutcomeMeasureTitle]survival",
	"filter.advanced=AREA[IPDSharing]YES",
	"filter.advanced=AREA[LastUpdatePostDate]RANGE[2024-01-01,MAX]", "filter.advanced=AREA[DelayedPosting]true",
	"filter.advanced=AREA[ReferencePMID]MISSING AND AREA[Phase]PHASE4",
	"filter.ids=NCT02300909,NCT03103880,NCT00000001", "query.term=NCT02300909 NCT00567567",
	"query.cond=cancer&filter.overallStatus=RECRUITING&filter.advanced=AREA[Phase]PHASE3&filter.geo=distance(42.36,-71.06,500mi)",
	"query.term=NCT03103880 OR melanoma", "", "filter.advanced=AREA[NCTId]NCT02300909",
	"filter.advanced=AREA[StdAge]CHILD AND NOT AREA[StdAge]ADULT",
}

var orders = []string{"sort=@relevance", "sort=StudyFirstPostDate:desc", "sort=StartDate:desc", "sort=EnrollmentCount:asc",
	"sort=CompletionDate:asc", "sort=ResultsFirstPostDate:desc,EnrollmentCount:desc", ""}

// encoded writes the pairs of a query string that is easy to read.
func encoded(pairs string) string {
	var out []string
	for pair := range strings.SplitSeq(pairs, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if name != "" {
			out = append(out, name+"="+url.QueryEscape(value))
		}
	}
	return strings.Join(out, "&")
}

// searches are the expressions, those of the tests of the query language, and the recorded requests to /studies.
func searches(t testing.TB) []string {
	t.Helper()
	all := slices.Clone(expressions)
	table, err := lines("../query/testdata/expressions.tsv")
	expect.NoError(t, err)
	for _, line := range table {
		columns := strings.Split(string(line), "\t")
		all = append(all, columns[0]+"="+columns[1])
	}
	return append(all, recorded(t)...)
}

// recorded returns the searches of real requests; none if these are absent.
func recorded(t testing.TB) (all []string) {
	t.Helper()
	found := map[string]bool{}
	expect.NoError(t, filepath.WalkDir("../../../shared/corpus/ctgov/responses", func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil || d.IsDir():
			return err
		}
		text, err := os.ReadFile(path)
		for _, address := range requestPattern.FindAllStringSubmatch(string(text), -1) {
			found[address[1]] = true
		}
		return err
	}))
	for raw := range found {
		query, err := url.ParseQuery(strings.ReplaceAll(raw, `\u0026`, "&"))
		expect.NoError(t, err)
		var pairs []string
		for name := range query {
			if strings.HasPrefix(name, "query.") || strings.HasPrefix(name, "filter.") {
				pairs = append(pairs, name+"="+query.Get(name))
			}
		}
		all = append(all, strings.Join(slices.Sorted(slices.Values(pairs)), "&"))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

var requestPattern = regexp.MustCompile(`https://clinicaltrials\.gov/api/v2/studies\?([^"\s]*)`)

// TestParity: the mirror finds what the sandbox finds, in the same order where the order is defined.
func TestParity(t *testing.T) {
	t.Parallel()
	expect.Slow(t)
	records := someRecords(t)
	r, oracle := fill(t, records), sandboxOf(t, records)
	all := searches(t)
	t.Logf("%d searches over %d records", len(all), len(records))
	for i, e := range all {
		same(t, r, oracle, encoded(e+"&countTotal=true&pageSize=7&"+orders[i%len(orders)]))
		for _, order := range []string{orders[0], orders[1+i%(len(orders)-2)]} {
			same(t, r, oracle, encoded(e+"&countTotal=true&pageSize=1000&fields=NCTId|OverallStatus&"+order))
		}
	}
}

// TestParityOfChanges: the mirror finds what the sandbox finds while a sync runs, which has changed, added and removed studies.
func TestParityOfChanges(t *testing.T) {
	t.Parallel()
	expect.Slow(t)
	records := someRecords(t)[:130]
	gone := someRecords(t)[130:150]
	var before [][]byte // two thirds of the studies, each with the sites of another one, a few others, and those that are removed
	for i, raw := range records[:100] {
		before = append(before, withSitesOf(t, raw, records[(i+50)%100]))
	}
	before = slices.Concat(before, records[100:120], gone)
	r, oracle := fill(t, before), sandboxOf(t, records)
	same(t, r, sandboxOf(t, before), "countTotal=true&pageSize=1000&sort=StartDate")
	var removed []int64
	for _, raw := range gone {
		s, err := readStudy(raw)
		expect.NoError(t, err)
		removed = append(removed, s.id)
	}
	change(t, r, records, removed)
	for i, e := range expressions {
		same(t, r, oracle, encoded(e+"&countTotal=true&pageSize=1000&fields=NCTId|OverallStatus&"+orders[i%len(orders)]))
	}
}

// TestParityOfBareSites: a site that has only a facility counts.
func TestParityOfBareSites(t *testing.T) {
	t.Parallel()
	var records [][]byte
	for i, sites := range []string{
		`[]`, `[{"facility":"North Pier"}]`, `[{"city":"Bergen","country":"Norway","status":"RECRUITING"},{"facility":"North Pier"}]`,
		`[{"city":"Bergen","country":"Norway","status":"RECRUITING"}]`,
	} {
		records = append(records, fmt.Appendf(nil,
			`{"protocolSection":{"identificationModule":{"nctId":"NCT9000000%d"},"contactsLocationsModule":{"locations":%s}}}`, i, sites))
	}
	r, oracle := fill(t, records), sandboxOf(t, records)
	for _, expression := range []string{
		"AREA[LocationStatus]MISSING", "AREA[LocationCountry]MISSING", "NOT AREA[LocationCity]Bergen",
		"AREA[LocationStatus]MISSING AND AREA[LocationCity]MISSING",
	} {
		same(t, r, oracle, encoded("filter.advanced=SEARCH[Location]("+expression+")&countTotal=true"))
	}
}

// withSitesOf returns a record with the sites and the status of another one.
func withSitesOf(t *testing.T, raw, other []byte) []byte {
	t.Helper()
	const protocol = "protocolSection"
	section := func(record []byte) (body, inner map[string]json.RawMessage) {
		expect.NoError(t, json.Unmarshal(record, &body))
		expect.NoError(t, json.Unmarshal(body[protocol], &inner))
		return body, inner
	}
	body, inner := section(raw)
	_, others := section(other)
	for _, module := range []string{"contactsLocationsModule", "statusModule"} {
		delete(inner, module)
		if text, has := others[module]; has {
			inner[module] = text
		}
	}
	var err error
	body[protocol], err = json.Marshal(inner)
	expect.NoError(t, err)
	out, err := json.Marshal(body)
	expect.NoError(t, err)
	return out
}

// TestParityOfPieces: filters of every piece find the same studies as the sandbox, for values of the records.
func TestParityOfPieces(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	records := someRecords(t)
	random := rand.New(rand.NewPCG(1, 2))
	some := make([][]byte, 0, 60)
	for _, i := range random.Perm(len(records))[:60] {
		if len(records[i]) < 200_000 {
			some = append(some, records[i])
		}
	}
	r, oracle := fill(t, some), sandboxOf(t, some)
	for _, p := range query.Pieces() {
		if p.Parent || p.IsPoint() {
			continue
		}
		terms := []string{"AREA[" + p.Name + "]MISSING"}
		for range 1 {
			values := query.Values(oracle.Records()[random.IntN(len(some))], p.Name)
			if len(values) == 0 {
				continue
			}
			text := values[random.IntN(len(values))]
			if words := query.Words(text); len(words) > 3 && p.Enum() == nil && !p.IsDate() && !p.IsAge() {
				text = strings.Join(words[:3], " ")
			}
			phrase := `"` + strings.NewReplacer(`"`, " ", `\`, " ").Replace(text) + `"`
			terms = append(terms, "AREA["+p.Name+"]"+phrase, "NOT AREA["+p.Name+"]"+phrase)
			if p.IsOfSite() {
				terms = append(terms, "SEARCH[Location](AREA["+p.Name+"]"+phrase+" AND NOT AREA[LocationCity]Boston)")
			}
		}
		for _, term := range terms {
			if _, err := query.ReadSearch(encoded("filter.advanced=" + term)); err == nil {
				same(t, r, oracle, encoded("filter.advanced="+term+"&countTotal=true&fields=NCTId&pageSize=100&sort=StartDate"))
			}
		}
	}
}
