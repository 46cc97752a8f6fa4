package mirror

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mirror/disk"
	"github.com/biofact-mcp/biofact/internal/query"
)

// The environment of TestLarge.
const (
	benchStudies = "BIOFACT_MIRROR_BENCH"      // number of studies
	benchFolder  = "BIOFACT_MIRROR_BENCH_PATH" // folder of the file, which later runs reuse; "": a temporary folder
	benchURL     = "BIOFACT_MIRROR_BENCH_URL"  // of the registry, for the loading process
)

// TestLarge loads a large registry of recombined studies and prints the cost of the load and of searches. docs/mirror.md has the
// bounds for 600,000 studies. It runs only on request:
//
//	BIOFACT_MIRROR_BENCH=100000 go test ./internal/mirror -run TestLarge -v -timeout 0
//
// A separate process loads the file, so that the figures exclude the time and memory of the generator.
func TestLarge(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv(benchStudies))
	if err != nil {
		t.Skipf("runs with %s=<number of studies> alone", benchStudies)
	}
	folder := os.Getenv(benchFolder)
	if folder == "" {
		folder = t.TempDir()
	}
	path := filepath.Join(folder, "mirror.db")
	expect.NoError(t, disk.CheckSpace(path, n))
	// The mean size is then that of the real registry.
	c := copyingFrom(t, slices.DeleteFunc(slices.Clone(someRecords(t)), func(raw []byte) bool { return len(raw) > 60_000 }), n)
	c.sync.Path = path
	ids := c.IDs()
	bytes := 0
	for _, id := range ids[:1000] {
		bytes += len(c.Record(id))
	}
	t.Logf("%d studies of %d bytes", n, bytes/1000)
	if _, err := os.Stat(path); err != nil {
		loadApart(t, c, n)
		c.Change(2000*n/600_000, 5, 1, 0)
		loadApart(t, c, n)
	}
	facts, err := Inspect(t.Context(), path)
	expect.NoError(t, err)
	t.Logf("file %d bytes, %d a study; bound 11667 a study", facts.Bytes, facts.Bytes/int64(n))
	readsOf(t, c.sync.Path, ids)
}

// loadApart syncs in a separate process and prints its cost.
func loadApart(t *testing.T, c *copied, n int) {
	t.Helper()
	c.Requests()
	cmd := exec.Command(os.Args[0], "-test.run=^TestLargeLoad$", "-test.timeout=0", "-test.v")
	cmd.Env = append(os.Environ(), benchURL+"="+c.sync.URL, benchFolder+"="+filepath.Dir(c.sync.Path))
	start := time.Now()
	out, err := cmd.CombinedOutput()
	expect.NoErrorf(t, err, "%s", out)
	used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	_, report, _ := strings.Cut(string(out), "report ")
	t.Logf("sync: %d requests, %v CPU (%v a study of the registry), %v; %.300s", c.Requests(), used, used/time.Duration(n),
		time.Since(start).Round(time.Second), report)
}

// TestLargeLoad is the loading process of TestLarge.
func TestLargeLoad(t *testing.T) {
	if os.Getenv(benchURL) == "" {
		t.Skip("runs for TestLarge alone")
	}
	debug.SetMemoryLimit(160 << 20) // as the command does
	s := Sync{Path: filepath.Join(os.Getenv(benchFolder), "mirror.db"), Source: "test", URL: os.Getenv(benchURL), Do: http.DefaultClient}
	report, err := s.Run(t.Context())
	expect.NoError(t, err)
	t.Logf("report %+v, memory %s", report, largestMemory())
}

// largestMemory returns the largest resident memory of this process as text. The resource usage of a process has that of its
// parent when it was started, if that is larger.
func largestMemory() string {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return "unknown: it is read from /proc"
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	line, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(line)
}

// readsOf prints the processor time of searches: of the first call in a process, which checks the file, and the least of
// several later calls.
func readsOf(t *testing.T, path string, ids []string) {
	t.Helper()
	const (
		onlyIDs = "&pageSize=20&fields=NCTId"
		total   = "&countTotal=true" + onlyIDs
		phase3  = "filter.overallStatus=RECRUITING&sort=StudyFirstPostDate:desc&filter.advanced=AREA[Phase]PHASE3"
		inUS    = `AREA[LocationCountry]COVERAGE[FullMatch]"United States"`
	)
	for _, q := range []struct{ name, query string }{
		{"get", "filter.ids=" + ids[len(ids)/2]},
		{"filters", phase3 + onlyIDs},
		{"filters, total", phase3 + total},
		{"filters, country", phase3 + " AND " + inUS + total},
		{"all, newest first", "sort=StudyFirstPostDate:desc" + total},
		{"all, oldest first", "sort=CompletionDate:asc" + total},
		{"page of 20 records", "filter.overallStatus=RECRUITING&pageSize=20&sort=StudyFirstPostDate:desc"},
		{"recruiting in the US", "filter.advanced=SEARCH[Location](" + inUS + " AND AREA[LocationStatus]RECRUITING)" + total},
		{"nearest 20", "filter.overallStatus=RECRUITING&filter.geo=distance(42.36,-71.06,50mi)&pageSize=20&fields=NCTId|LocationGeoPoint"},
		{"city and state", "filter.advanced=SEARCH[Location](AREA[LocationCity]Boston AND AREA[LocationState]Massachusetts)" + total},
		{"rare words", "query.cond=melanoma&sort=@relevance" + total},
		{"phrase and phase", `query.cond="breast cancer"&filter.advanced=AREA[Phase]PHASE3&sort=@relevance` + total},
		{"broad words", "query.cond=cancer&sort=@relevance" + total},
		{"broad words anywhere", "query.term=study&sort=@relevance" + total},
		{"broad words, newest", "query.term=study&sort=StudyFirstPostDate:desc" + total},
		{"any of a note", anyWord("chest pain dyspnea exertion hypertension obesity smoking troponin elevated woman diabetes "+
			"stroke fever cough edema") + total},
		{"any of broad words", anyWord("study disease safety dose baseline blood") + total},
		{"any of rare words", anyWord("progeria montelukast relatlimab") + total},
	} {
		total := 0
		times := measured(t, path, func(r *Reader) {
			search, err := query.ReadSearch(encoded(q.query))
			expect.NoError(t, err)
			f, done, err := r.use(context.Background())
			expect.NoError(t, err)
			defer done()
			page, err := f.Search(context.Background(), search)
			expect.NoError(t, err)
			if page.TotalCount != nil {
				total = *page.TotalCount
			}
		})
		t.Logf("%-30s %s, %d hits", q.name, times, total)
	}
	for _, pieces := range []string{"Phase", "LocationCountry Phase", "Condition", "LeadSponsorName"} {
		for _, filter := range []string{"", "query.cond=cancer"} {
			total := 0
			times := measured(t, path, func(r *Reader) {
				search, err := query.ReadSearch(filter)
				expect.NoError(t, err)
				groups, _, err := r.Groups(context.Background(), search, strings.Fields(pieces))
				expect.NoError(t, err)
				total = groups.Total
			})
			t.Logf("groups of %-20s %s, %d hits of %s", pieces, times, total, url.QueryEscape(filter))
		}
	}
}

// anyWord returns a search for trials with any of some words, by relevance, as search_trials writes it.
func anyWord(words string) string {
	return "query.term=(" + words + ") OR " + strings.Join(strings.Fields(words), " OR ") + "&sort=@relevance"
}

// measured returns the processor times of a call as text.
func measured(t *testing.T, path string, call func(*Reader)) string {
	t.Helper()
	r := NewReader(path)
	defer func() { expect.NoError(t, r.Close()) }()
	took := func() time.Duration {
		start := expect.ProcessTime()
		call(r)
		return (expect.ProcessTime() - start).Round(10 * time.Microsecond)
	}
	first, best := took(), time.Hour
	for range 5 {
		best = min(best, took())
	}
	return "first " + first.String() + ", then " + best.String()
}

// BenchmarkPage answers requests with 20 records over recombined records: whole ones, the fields of a search page, and the fields of
// get_trial.
func BenchmarkPage(b *testing.B) {
	c := copyingFrom(b, sources(b), 300)
	c.run(b)
	r := NewReader(c.sync.Path)
	defer func() { expect.NoError(b, r.Close()) }()
	for _, q := range []struct{ name, fields string }{
		{"whole", ""},
		{"candidates", "&fields=NCTId|OfficialTitle|BriefTitle|BriefSummary|OverallStatus|Phase|Condition|InterventionName|LeadSponsorName|" +
			"StartDate|EnrollmentCount|HasResults|VersionHolder"},
		{"trials", "&fields=ProtocolSection|MiscInfoModule|ConditionMesh|InterventionMesh|HasResults"},
	} {
		b.Run(q.name, func(b *testing.B) {
			url := "http://localhost/api/v2/studies?" +
				encoded("filter.overallStatus=COMPLETED&pageSize=20&sort=StudyFirstPostDate:desc"+q.fields)
			for b.Loop() {
				req, err := http.NewRequestWithContext(b.Context(), http.MethodGet, url, http.NoBody)
				expect.NoError(b, err)
				resp, err := r.RoundTrip(req)
				expect.NoError(b, err)
				n, err := io.Copy(io.Discard, resp.Body)
				expect.Must(b, err == nil && resp.StatusCode == http.StatusOK, "%d %v", resp.StatusCode, err)
				b.ReportMetric(float64(n)/20, "bytes/study")
			}
		})
	}
}
