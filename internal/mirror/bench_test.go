package mirror

import (
	"context"
	"net/url"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/registry"
)

// TestLarge loads a large registry of recombined studies and prints what it costs, beside the bounds of
// docs/mirror.md for 600,000 studies. It is for people who run it on purpose:
//
//	BIOFACT_MIRROR_BENCH=100000 go test ./internal/mirror -run TestLarge -v -timeout 0
func TestLarge(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("BIOFACT_MIRROR_BENCH"))
	if err != nil {
		t.Skip("runs with BIOFACT_MIRROR_BENCH=<number of studies> alone")
	}
	expect.NoError(t, checkSpace(t.TempDir()+"/mirror.db", n))
	// as large as those of the whole registry
	c := copyingFrom(t, slices.DeleteFunc(slices.Clone(corpusRecords(t)), func(raw []byte) bool { return len(raw) > 60_000 }), n)
	c.sync.size = 0
	ids := c.IDs()
	bytes, start := 0, processTime()
	for _, id := range ids[:1000] {
		bytes += len(c.Record(id))
	}
	generator := (processTime() - start) / 1000
	start = processTime()
	report, err := c.sync.Run(t.Context())
	expect.NoError(t, err)
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	t.Logf("%d studies of %d bytes: load %v CPU a study (generator %v apart), %d requests, %v", n, bytes/1000,
		(processTime()-start)/time.Duration(n)-generator, generator, report.Requests, report.Took.Round(time.Second))
	facts, err := Inspect(t.Context(), c.sync.Path)
	expect.NoError(t, err)
	t.Logf("file %d bytes, %d a study; bound 11667 a study; memory of Go %d MB", facts.Bytes, facts.Bytes/int64(n), memory.Sys>>20)
	c.Change(2000*n/600_000, 5, 1, 0)
	c.Requests()
	start = processTime()
	report, err = c.sync.Run(t.Context())
	expect.NoError(t, err)
	t.Logf("a day later: %d requests, %v CPU, %+v", c.Requests(), processTime()-start, report)

	r := NewReader(c.sync.Path)
	defer func() { expect.NoError(t, r.Close()) }()
	for _, q := range []struct{ name, query string }{
		{"get", "filter.ids=" + ids[n/2]},
		{"filters", encoded("filter.overallStatus=RECRUITING&filter.advanced=AREA[Phase]PHASE3&pageSize=20&fields=NCTId&sort=StudyFirstPostDate:desc")},
		{"filters with total", encoded("filter.overallStatus=RECRUITING&filter.advanced=AREA[Phase]PHASE3&pageSize=20&fields=NCTId&sort=StudyFirstPostDate:desc&countTotal=true")},
		{"page of 20 records", encoded("filter.overallStatus=RECRUITING&pageSize=20&sort=StudyFirstPostDate:desc")},
		{"nearest 20", encoded("filter.overallStatus=RECRUITING&" +
			"filter.geo=distance(42.36,-71.06,50mi)&pageSize=20&fields=NCTId|LocationGeoPoint")},
		{"city and state", encoded("filter.advanced=SEARCH[Location](AREA[LocationCity]Boston AND " +
			"AREA[LocationState]Massachusetts)&pageSize=20&fields=NCTId&countTotal=true")},
		{"rare words", encoded("query.cond=melanoma&pageSize=20&fields=NCTId&sort=@relevance&countTotal=true")},
		{"broad words", encoded("query.cond=cancer&pageSize=20&fields=NCTId&sort=@relevance&countTotal=true")},
		{"broad words anywhere", encoded("query.term=study&pageSize=20&fields=NCTId&sort=@relevance&countTotal=true")},
	} {
		total := 0
		took := measured(func() {
			search, err := registry.ReadSearch(q.query)
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
		t.Logf("%-22s %8v CPU, %d hits", q.name, took, total)
	}
	for _, pieces := range []string{"Phase", "LocationCountry Phase", "Condition", "LeadSponsorName"} {
		for _, filter := range []string{"", "query.cond=cancer"} {
			total := 0
			took := measured(func() {
				search, err := registry.ReadSearch(filter)
				expect.NoError(t, err)
				_, total, _, err = r.Groups(context.Background(), search, strings.Fields(pieces))
				expect.NoError(t, err)
			})
			t.Logf("groups of %-24s %8v CPU, %d hits of %s", pieces, took, total, url.QueryEscape(filter))
		}
	}
}

// measured returns the processor time of a call, after one that fills the caches.
func measured(call func()) time.Duration {
	const times = 5
	call()
	start := processTime()
	for range times {
		call()
	}
	return ((processTime() - start) / times).Round(10 * time.Microsecond)
}
