package metrics_test

import (
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"github.com/biofact-mcp/biofact/cmd/biofact/internal/metrics"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

var update = flag.Bool("update", false, "write the golden anew")

const (
	ms   = time.Millisecond
	host = "source.test"
)

func newMetrics(o metrics.Options) *metrics.Metrics {
	if o.Degraded == nil {
		o.Degraded = func() bool { return false }
	}
	o.Version, o.Tools = "1.2.3", []string{"get_trial", "search_trials"}
	return metrics.New(o)
}

// scrape returns the metrics as a scraper gets them.
func scrape(t testing.TB, m *metrics.Metrics) string {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler(slog.New(slog.DiscardHandler)).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if w.Code != http.StatusOK || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		t.Fatalf("status %d, %s: %s", w.Code, w.Header().Get("Content-Type"), w.Body)
	}
	return w.Body.String()
}

// ours returns the lines without the metrics of the runtime and the process.
func ours(text string) string {
	var lines strings.Builder
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimPrefix(strings.TrimPrefix(line, "# HELP "), "# TYPE "), "biofact_") {
			lines.WriteString(line)
		}
	}
	return lines.String()
}

// series returns the lines of a metric, without its name.
func series(text, name string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, name); ok {
			lines = append(lines, strings.TrimSpace(rest))
		}
	}
	return lines
}

// TestScrape compares names, help texts, labels and values after some calls with the golden file.
func TestScrape(t *testing.T) {
	t.Parallel()
	degraded := false
	m := newMetrics(metrics.Options{Degraded: func() bool { return degraded }})

	ended := m.InFlight()
	m.InFlight()
	ended()
	m.Call("get_trial", "ok", 3_500, 2*ms)
	m.Call("get_trial", "ok", 120_000, 900*ms)
	m.Call("get_trial", "ENTITY_NOT_FOUND", 300, 400*ms)
	m.Call("search_trials", "RATE_LIMITED", 500, 29*time.Second)

	upstreamMetrics := m.Upstream(host)
	upstreamMetrics.Turn(0)
	upstreamMetrics.Attempt(upstream.ResultLimited, 80*ms)
	upstreamMetrics.Turn(1500 * ms)
	upstreamMetrics.Attempt(upstream.ResultOK, 300*ms)
	same := m.Upstream(host)
	same.Attempt(upstream.ResultUnreachable, 40*time.Second)
	m.Upstream("other.test:8080").Turn(12 * time.Second)
	for i, h := range []string{host, "other.test:8080"} {
		m.Queue(h, func() int { return i + 1 })
	}

	m.Batch("ctgov", "trial", 1)
	m.Batch("ctgov", "trial", 100)
	m.Batch("pubmed", "record", 200)
	m.Cache("ctgov", "trial", "hit", 1)
	m.Cache("ctgov", "trial", "hit", 3)
	m.Cache("ctgov", "trial", "miss", 101)
	m.Cache("gene", "summary", "stale", 2)
	degraded = true

	text := ours(scrape(t, m))
	if *update {
		expect.NoError(t, os.WriteFile("testdata/scrape.txt", []byte(text), 0o644))
	}
	want, err := os.ReadFile("testdata/scrape.txt")
	expect.NoError(t, err)
	expect.Equal(t, "the scrape", string(want), text)
	problems, err := promlint.New(strings.NewReader(text)).Lint()
	expect.That(t, err == nil && len(problems) == 0, "not as Prometheus names things: %v, %v", problems, err)
}

// TestNothingIsMissing checks that each series exists from the start with value zero, as do the metrics of the runtime and the process.
func TestNothingIsMissing(t *testing.T) {
	t.Parallel()
	m := newMetrics(metrics.Options{})
	m.Upstream(host)
	text := scrape(t, m)
	var want []string
	for _, code := range []string{"AMBIGUOUS_QUERY", "ENTITY_NOT_FOUND", "INVALID_INPUT", "RATE_LIMITED", "UNRESOLVED_ENTITY",
		"UPSTREAM_ERROR", "ok"} {
		for _, tool := range []string{"get_trial", "search_trials"} {
			want = append(want, fmt.Sprintf("{code=%q,tool=%q} 0", code, tool))
		}
	}
	expect.Equal(t, "calls", want, series(text, "biofact_calls_total"))
	if got := series(text, "biofact_upstream_requests_total"); len(got) != len(upstream.Results()) {
		t.Errorf("requests %q, want one of each of %q", got, upstream.Results())
	}
	for _, name := range []string{"go_goroutines ", "process_open_fds ", "process_resident_memory_bytes "} {
		expect.That(t, len(series(text, name)) == 1, "no %s", name)
	}
}

// TestUnknownNames checks that a name outside the closed set does not become a label.
func TestUnknownNames(t *testing.T) {
	t.Parallel()
	m := newMetrics(metrics.Options{})
	for range 3 {
		m.Call("drop table\xff", "ok", 1, ms)
		m.Call("get_trial", "EVIL\xff", 1, ms)
		m.Call("evil", "EVIL", 1, ms)
	}
	text := scrape(t, m)
	if strings.Contains(strings.ToLower(text), "evil") || strings.Contains(text, "drop") {
		t.Errorf("shown as a label:\n%s", ours(text))
	}
	var counted []string
	for _, line := range series(text, "biofact_calls_total") {
		if !strings.HasSuffix(line, " 0") {
			counted = append(counted, line)
		}
	}
	want := []string{`{code="ok",tool="other"} 3`, `{code="other",tool="get_trial"} 3`, `{code="other",tool="other"} 3`}
	expect.Equal(t, "counted", want, counted)
}

// TestOwnRegistry checks that two sets of metrics are independent.
func TestOwnRegistry(t *testing.T) {
	t.Parallel()
	a, b := newMetrics(metrics.Options{}), newMetrics(metrics.Options{})
	a.InFlight()
	if got := series(scrape(t, b), "biofact_calls_in_flight "); !cmp.Equal(got, []string{"0"}) {
		t.Errorf("in flight elsewhere: %q, want 0", got)
	}
}

func TestHandlerCompresses(t *testing.T) {
	t.Parallel()
	m := newMetrics(metrics.Options{})
	r := httptest.NewRequest(http.MethodGet, "/metrics", nil)
	r.Header.Set("Accept-Encoding", "gzip")
	w := httptest.NewRecorder()
	m.Handler(slog.New(slog.DiscardHandler)).ServeHTTP(w, r)
	if w.Header().Get("Content-Encoding") != "gzip" {
		t.Fatalf("encoding %q, want gzip", w.Header().Get("Content-Encoding"))
	}
	unzip, err := gzip.NewReader(w.Body)
	expect.NoError(t, err)
	text, err := io.ReadAll(unzip)
	expect.That(t, err == nil && len(series(string(text), "biofact_build_info")) == 1, "%v:\n%s", err, text)
}

// TestBrokenFigure checks that a metric that cannot be read is left out and logged, and that the others are served.
func TestBrokenFigure(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	m := newMetrics(metrics.Options{})
	broken := false
	m.Queue(host, func() int {
		if broken {
			panic("the queue is broken")
		}
		return 0
	})
	broken = true
	w := httptest.NewRecorder()
	m.Handler(slog.New(slog.NewJSONHandler(&log, nil))).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	text := w.Body.String()
	if len(series(text, "biofact_upstream_queue_length")) != 0 || len(series(text, "biofact_build_info")) != 1 {
		t.Errorf("the scrape is\n%s", ours(text))
	}
	expect.That(t, strings.Contains(log.String(), `"level":"WARN"`) && strings.Contains(log.String(), "the queue is broken"),
		"the log is %s", log.String())
}

// TestAtTheSameTime checks concurrent hooks and scrapes.
func TestAtTheSameTime(t *testing.T) {
	t.Parallel()
	m := newMetrics(metrics.Options{})
	const callers, perCaller = 8, 100
	m.Queue(host, func() int { return 1 })
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			upstreamMetrics := m.Upstream(host)
			for range perCaller {
				done := m.InFlight()
				m.Cache("ctgov", "trial", "miss", 2)
				m.Batch("ctgov", "trial", 2)
				upstreamMetrics.Turn(ms)
				upstreamMetrics.Attempt(upstream.ResultOK, ms)
				m.Call("get_trial", "ok", 100, ms)
				m.Call("unknown", "unknown", 100, ms)
				done()
			}
		})
		all.Go(func() { scrape(t, m) })
	}
	all.Wait()
	text := scrape(t, m)
	for name, want := range map[string]string{
		`biofact_calls_total{code="ok",tool="get_trial"} `:                                "800",
		`biofact_calls_total{code="other",tool="other"} `:                                 "800",
		`biofact_calls_in_flight `:                                                        "0",
		`biofact_cache_requests_total{kind="trial",result="miss",source="ctgov"} `:        "1600",
		`biofact_batch_size_sum{kind="trial",source="ctgov"} `:                            "1600",
		`biofact_upstream_requests_total{result="ok",source="source.test"} `:              "800",
		`biofact_upstream_queue_wait_seconds_bucket{source="source.test",le="0.001"} `:    "800",
		`biofact_upstream_request_duration_seconds_bucket{source="source.test",le="30"} `: "800",
		`biofact_upstream_queue_length{source="source.test"} `:                            "1",
	} {
		if got := series(text, name); !cmp.Equal(got, []string{want}) {
			t.Errorf("%s%q, want %s", name, got, want)
		}
	}
}

// cached runs the hooks of a call that the cache answers.
func cached(m *metrics.Metrics) {
	done := m.InFlight()
	m.Cache("ctgov", "trial", "hit", 1)
	m.Call("get_trial", "ok", 4_000, 200*time.Microsecond)
	done()
}

// TestCachedLookupAllocatesNothing checks that metrics add no allocation to a cached lookup.
func TestCachedLookupAllocatesNothing(t *testing.T) {
	m := newMetrics(metrics.Options{})
	if n := testing.AllocsPerRun(1000, func() { cached(m) }); n > 0 {
		t.Errorf("%v allocations for the figures of a cached lookup, want none", n)
	}
}

// BenchmarkCachedLookup measures the cost of metrics for a call that the cache answers.
func BenchmarkCachedLookup(b *testing.B) {
	m := newMetrics(metrics.Options{})
	b.ReportAllocs()
	for b.Loop() {
		cached(m)
	}
}

// BenchmarkAttempt measures the cost of metrics for a request.
func BenchmarkAttempt(b *testing.B) {
	m := newMetrics(metrics.Options{})
	upstreamMetrics := m.Upstream(host)
	b.ReportAllocs()
	for b.Loop() {
		upstreamMetrics.Turn(ms)
		upstreamMetrics.Attempt(upstream.ResultOK, 300*ms)
		m.Batch("ctgov", "trial", 1)
	}
}

// BenchmarkScrape measures the cost of a scrape.
func BenchmarkScrape(b *testing.B) {
	m := newMetrics(metrics.Options{})
	m.Upstream(host)
	cached(m)
	b.ReportAllocs()
	for b.Loop() {
		scrape(b, m)
	}
}
