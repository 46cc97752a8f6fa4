package mirror

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mirror/history"
)

// A timed registry answers in this process, and counts the processor time of its answers.
type timed struct {
	http.Handler
	spent time.Duration
}

func (r *timed) Do(req *http.Request) (*http.Response, error) {
	began := expect.ProcessTime()
	defer func() { r.spent += expect.ProcessTime() - began }()
	answer := httptest.NewRecorder()
	r.ServeHTTP(answer, req)
	return answer.Result(), nil
}

// BenchmarkHistory syncs publications of 2,000 edited trials of 6,000 with and without a history, and reports the processor time of both
// and the bytes of a version in the history, and of a change and a new trial in a delta. docs/mirror.md has the figures.
func BenchmarkHistory(b *testing.B) {
	const changed = 2000
	c := copyingFrom(b, someRecords(b), 6000)
	registry := &timed{Handler: c.Registry}
	without := Sync{Path: filepath.Join(b.TempDir(), "mirror.db"), Source: "test", URL: c.sync.URL, Do: registry, History: "0"}
	with := without
	with.Path, with.History = filepath.Join(b.TempDir(), "mirror.db"), "all"
	took := func(s *Sync) time.Duration {
		runtime.GC()
		began := expect.ProcessTime() - registry.spent
		_, err := s.Run(b.Context())
		expect.NoError(b, err)
		return expect.ProcessTime() - registry.spent - began
	}
	took(&without)
	took(&with)
	reader := NewReader(with.Path)
	defer func() { expect.NoError(b, reader.Close()) }()
	var base, full time.Duration
	changes := 0
	for b.Loop() {
		c.Edit(changed)
		if changes/changed%2 == 0 { // the first one is slower
			base += took(&without)
			full += took(&with)
		} else {
			full += took(&with)
			base += took(&without)
		}
		changes += changed
	}
	b.ReportMetric(float64(full)/float64(base), "with/without")
	b.ReportMetric(float64(base.Microseconds())/float64(changes), "µs/change")
	expect.NoError(b, reader.History(b.Context(), func(h *history.Reader) error {
		versions, bytes, err := h.Size(b.Context())
		b.ReportMetric(float64(bytes)/float64(versions), "B/version")
		return err
	}))
}
