// Package metrics collects the metrics for an operator and serves them in the format of Prometheus: calls by result, requests to
// sources, and the requests that batches and the cache save.
//
// No label comes from a caller. Tools, codes and results are closed sets; sources and kinds come from the configuration and the code.
package metrics

import (
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// Options configure the metrics. All fields but Mirror are required.
type Options struct {
	// Version is the version of the program.
	Version string
	// Tools are the names of the served tools.
	Tools []string
	// Degraded reports whether the cache runs without its configured storage. It is called at every scrape and must return at once.
	Degraded func() bool
	// Mirror returns when the local mirror was synced; false: no complete mirror is used. It is called at every scrape. It is nil
	// without a mirror.
	Mirror func() (synced time.Time, ok bool)
}

// Metrics are the metrics of one process. Its methods are safe for concurrent use and never block.
type Metrics struct {
	registry *prometheus.Registry
	tools    []string
	codes    []string

	calls    *prometheus.CounterVec
	duration *prometheus.HistogramVec
	bytes    *prometheus.HistogramVec
	inFlight prometheus.Gauge
	leave    func() // decrements inFlight

	requests *prometheus.CounterVec
	took     *prometheus.HistogramVec
	waited   *prometheus.HistogramVec

	batch *prometheus.HistogramVec
	cache *prometheus.CounterVec
}

const (
	// ok is the code of a call without an error.
	ok = "ok"
	// other is the label for a value outside the closed set.
	other = "other"
)

// New returns metrics that are all zero, in their own registry.
func New(o Options) *Metrics {
	registry := prometheus.NewRegistry()
	with := promauto.With(registry)
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return with.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	histogram := func(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
		return with.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, labels)
	}
	// The buckets range from a cached answer to the longest call.
	seconds := []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}
	m := &Metrics{
		registry: registry,
		tools:    o.Tools,
		codes:    []string{ok},
		calls: counter("biofact_calls_total",
			"Answered calls of tools, by the code of the answer: ok, or an error code.", "tool", "code"),
		duration: histogram("biofact_call_duration_seconds", "Time from a call to its answer, queues included.", seconds, "tool"),
		bytes:    histogram("biofact_call_bytes", "Size of answers.", prometheus.ExponentialBuckets(1000, 4, 6), "tool"),
		inFlight: with.NewGauge(prometheus.GaugeOpts{
			Name: "biofact_calls_in_flight", Help: "Requests of clients that are not answered yet.",
		}),
		requests: counter("biofact_upstream_requests_total",
			"Requests to a source, each attempt counted, by result.", "source", "result"),
		took: histogram("biofact_upstream_request_duration_seconds",
			"Time from the turn of a request to the end of its answer, for each attempt.", seconds, "source"),
		waited: histogram("biofact_upstream_queue_wait_seconds", "Time that requests waited for their turn.", seconds, "source"),
		batch:  histogram("biofact_batch_size", "Lookups in one request.", []float64{1, 2, 5, 10, 20, 50, 100, 200}, "source", "kind"),
		cache: counter("biofact_cache_requests_total",
			"Lookups, by result: hit (current), miss, stale (old, because the source failed), or mirror (the local mirror answered).",
			"source", "kind", "result"),
	}
	m.leave = m.inFlight.Dec
	for _, code := range entity.Codes() {
		m.codes = append(m.codes, string(code))
	}
	for _, tool := range o.Tools { // exists from the first scrape, so that rate() counts the first call
		for _, code := range m.codes {
			m.calls.WithLabelValues(tool, code)
		}
		m.duration.WithLabelValues(tool)
		m.bytes.WithLabelValues(tool)
	}
	m.registerProcess(o)
	return m
}

// registerProcess registers the metrics that are read at each scrape, and the version.
func (m *Metrics) registerProcess(o Options) {
	m.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	with := promauto.With(m.registry)
	with.NewGauge(prometheus.GaugeOpts{
		Name: "biofact_build_info", Help: "Always 1, with the running version as a label.",
		ConstLabels: prometheus.Labels{"version": o.Version},
	}).Set(1)
	with.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "biofact_store_degraded", Help: "1 while the cache file or Redis cannot be used and memory replaces it.",
	}, func() float64 {
		if o.Degraded() {
			return 1
		}
		return 0
	})
	if o.Mirror != nil {
		m.gauge("biofact_mirror_synced_timestamp_seconds",
			"Time of the last sync of the local mirror; absent without a complete mirror.", nil, func() (float64, bool) {
				synced, ok := o.Mirror()
				return float64(synced.Unix()), ok
			})
	}
}

// gauge registers a metric that read returns at each scrape, if it has a value. The registry also calls read once now.
func (m *Metrics) gauge(name, help string, labels prometheus.Labels, read func() (value float64, ok bool)) {
	desc := prometheus.NewDesc(name, help, nil, labels)
	m.registry.MustRegister(prometheus.CollectorFunc(func(figures chan<- prometheus.Metric) {
		if value, ok := read(); ok {
			figures <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value)
		}
	}))
}

// Call counts a finished call: its tool, "ok" or the error code, the bytes of the answer, and the duration.
func (m *Metrics) Call(tool, code string, bytes int, took time.Duration) {
	if !slices.Contains(m.tools, tool) {
		tool = other
	}
	if !slices.Contains(m.codes, code) {
		code = other
	}
	m.calls.WithLabelValues(tool, code).Inc()
	m.duration.WithLabelValues(tool).Observe(took.Seconds())
	m.bytes.WithLabelValues(tool).Observe(float64(bytes))
}

// InFlight counts a client request in flight until done is called, once.
func (m *Metrics) InFlight() (done func()) {
	m.inFlight.Inc()
	return m.leave
}

// Upstream returns an observer for the clients of a source. Several clients of one source share its metrics.
func (m *Metrics) Upstream(source string) upstream.Observer {
	requests := m.requests.MustCurryWith(prometheus.Labels{"source": source})
	for _, r := range upstream.Results() {
		requests.WithLabelValues(string(r))
	}
	took, waited := m.took.WithLabelValues(source), m.waited.WithLabelValues(source)
	return upstream.Observer{
		Attempt: func(r upstream.Result, d time.Duration) {
			requests.WithLabelValues(string(r)).Inc()
			took.Observe(d.Seconds())
		},
		Turn: func(d time.Duration) { waited.Observe(d.Seconds()) },
	}
}

// Queue registers the length of the only request queue of a source. length is called at every scrape.
func (m *Metrics) Queue(source string, length func() int) {
	m.gauge("biofact_upstream_queue_length", "Callers that wait for the turn of a request.", prometheus.Labels{"source": source},
		func() (float64, bool) { return float64(length()), true })
}

// Batch counts a request by the number of questions in it. Source and kind must be from small sets.
func (m *Metrics) Batch(source, kind string, questions int) {
	m.batch.WithLabelValues(source, kind).Observe(float64(questions))
}

// Cache counts lookups by their result: hit, miss or stale. Source and kind must be from small sets.
func (m *Metrics) Cache(source, kind, use string, questions int) {
	m.cache.WithLabelValues(source, kind, use).Add(float64(questions))
}

// Handler serves the metrics, compressed if the client accepts it. If one metric cannot be read, the others are still served and the
// error is logged.
func (m *Metrics) Handler(log *slog.Logger) http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		ErrorLog:      slog.NewLogLogger(log.Handler(), slog.LevelWarn),
		ErrorHandling: promhttp.ContinueOnError,
	})
}
