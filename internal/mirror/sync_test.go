package mirror

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mirror/disk"
	"github.com/biofact-mcp/biofact/internal/mirror/feed"
	"github.com/biofact-mcp/biofact/internal/mirror/mirrortest"
	"github.com/biofact-mcp/biofact/internal/mirror/stored"
	"github.com/biofact-mcp/biofact/internal/query"
)

// sources are a hundred small records.
func sources(t testing.TB) [][]byte {
	t.Helper()
	small := slices.DeleteFunc(slices.Clone(someRecords(t)), func(raw []byte) bool { return len(raw) > 30_000 })
	return small[:min(100, len(small))]
}

// A copied registry is a registry of a test and the sync that copies it.
type copied struct {
	*mirrortest.Registry
	sync Sync
}

// copying serves a registry of n studies on loopback.
func copying(t testing.TB, n int) *copied {
	t.Helper()
	return copyingFrom(t, sources(t), n)
}

// copyingFrom recombines the studies from some records.
func copyingFrom(t testing.TB, records [][]byte, n int) *copied {
	t.Helper()
	served, err := mirrortest.New(records, n, 1)
	expect.NoError(t, err)
	server := httptest.NewServer(served)
	t.Cleanup(server.Close)
	return &copied{served, Sync{Path: filepath.Join(t.TempDir(), "mirror.db"), Source: "test", URL: server.URL + "/api/v2",
		Do: server.Client(), size: 50}}
}

// check compares each record of the file with the registry's.
func (c *copied) check(t testing.TB) {
	t.Helper()
	reader := NewReader(c.sync.Path)
	defer func() { expect.NoError(t, reader.Close()) }()
	f, done, err := reader.use(context.Background())
	expect.NoError(t, err)
	defer done()
	have := numbers(t, f.db, "SELECT id FROM study ORDER BY id")
	var ids []string
	for _, id := range have {
		ids = append(ids, stored.NCT(id))
	}
	want := c.IDs()
	slices.Sort(want)
	expect.Is(t, cmp.Diff(want, ids), "", "ids (-registry +mirror)")
	for batch := range slices.Chunk(have, 500) {
		records, err := f.read(context.Background(), batch, nil)
		expect.NoError(t, err)
		for _, record := range records {
			body, err := stored.Decode(record)
			expect.NoError(t, err)
			id := query.First(body, "NCTId")
			raw := c.Record(id)
			var sections map[string]json.RawMessage
			expect.NoError(t, json.Unmarshal(raw, &sections))
			theirs, err := stored.Decode(raw)
			expect.NoError(t, err)
			setVersion(theirs, f.state.Day())
			if !reflect.DeepEqual(theirs, body) {
				t.Fatalf("%s is stale (-registry +mirror)\n%.2000s", id, cmp.Diff(theirs, body))
			}
		}
	}
	for old, now := range c.Aliases() {
		if got, known, err := f.Get(context.Background(), old, query.Projection{}); err != nil || !known || got.ID != now {
			t.Errorf("%s leads to %s %t %v, want %s", old, got.ID, known, err, now)
		}
		search, err := query.ReadSearch("fields=NCTId&filter.ids=NCT99999999," + old)
		expect.NoError(t, err)
		page, err := f.Search(context.Background(), search)
		expect.NoError(t, err)
		expect.That(t, len(page.Studies) == 1 && strings.Contains(string(page.Studies[0]), now), "%s lists %s, want %s", old, page.Studies,
			now)
	}
	for _, query := range []string{
		"SELECT count(*) FROM study WHERE id NOT IN (SELECT id FROM record)",
		"SELECT count(*) FROM record WHERE id NOT IN (SELECT id FROM study)",
		"SELECT count(*) FROM site WHERE study NOT IN (SELECT id FROM study)",
		"SELECT count(*) FROM words WHERE rowid NOT IN (SELECT id FROM study)",
		"SELECT count(*) FROM study WHERE id NOT IN (SELECT rowid FROM words)",
	} {
		n := numbers(t, f.db, query)
		expect.That(t, n[0] == 0, "%s: %d", query, n[0])
	}
}

// numbers returns the numbers that a query finds.
func numbers(t testing.TB, db querier, query string) (out []int64) {
	t.Helper()
	rows, err := db.QueryContext(context.Background(), query)
	expect.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var n int64
		expect.NoError(t, rows.Scan(&n))
		out = append(out, n)
	}
	expect.NoError(t, rows.Err())
	return out
}

func (c *copied) run(t testing.TB) Report {
	t.Helper()
	report, err := c.sync.Run(context.Background())
	expect.NoError(t, err)
	return report
}

// size is how many studies the registries of tests have.
func size(long int) int {
	if !expect.All() {
		return long / 5
	}
	return long
}

func TestSync(t *testing.T) {
	t.Parallel()
	n := size(1600)
	c := copying(t, n)
	report := c.run(t)
	expect.That(t, report.Trials == n && report.Written == n && c.Requests() <= n/50+50, "%+v", report)
	c.check(t)

	report = c.run(t)
	expect.That(t, report.Unchanged && c.Requests() == 1, "unchanged: %+v", report)

	c.Change(n/50, 5, 1, 3)
	report = c.run(t)
	requests := c.Requests()
	expect.That(t, report.Removed == 5 && report.Merged == 1 && report.Trials == n-3 && requests <= 80, "%d requests, %+v",
		requests, report)
	c.check(t)
}

// TestMerge: a merge with a new date is seen in the walk, without a search for the lost study. One without is found by its count.
func TestMerge(t *testing.T) {
	t.Parallel()
	c := copying(t, 120)
	c.run(t)
	c.Change(0, 0, 2, 0)
	c.Requests()
	report := c.run(t)
	made := c.Requests()
	// The version twice, the walk, the count, and the older trials.
	expect.That(t, report.Merged == 2 && report.Removed == 0 && report.Trials == 118 && made <= 6, "%d requests, %+v", made, report)
	c.check(t)
	c.MergeOld()
	report = c.run(t)
	expect.That(t, report.Merged == 1 && report.Removed == 0 && report.Trials == 117, "%+v", report)
	c.check(t)
	report = c.run(t)
	expect.That(t, report.Unchanged, "%+v", report)
}

// TestInvalidRecord: a record that is not valid JSON ends a sync, whether its beginning or its end is invalid.
func TestInvalidRecord(t *testing.T) {
	t.Parallel()
	const valid = `{"protocolSection":{"identificationModule":{"nctId":"NCT00000001"},"descriptionModule":{"briefSummary":"x"}},` +
		`"resultsSection":{"a":1},"hasResults":true}`
	s, err := readStudy([]byte(valid))
	expect.NoError(t, err)
	expect.NoError(t, s.decode())
	for _, part := range []string{`"x"`, `true`, `:{"briefSummary"`, `"resultsSection"`, `{"a":1}`, `"a"`} {
		s, err := readStudy([]byte(strings.Replace(valid, part, "~", 1)))
		if err == nil {
			err = s.decode()
		}
		expect.That(t, err != nil, "without %s", part)
	}
}

// TestSyncUnderneath: changes and removals during the first load leave no study missing, surplus or stale.
func TestSyncUnderneath(t *testing.T) {
	t.Parallel()
	c := copying(t, size(1600))
	c.OnPage(func(page int) {
		if page == 3 || page == 6 {
			c.Change(size(100), 15, 2, 10)
		}
	})
	report := c.run(t)
	t.Logf("%+v", report)
	c.check(t)
}

// TestSyncStops: a stopped sync continues from its last page; the registry changes meanwhile.
func TestSyncStops(t *testing.T) {
	t.Parallel()
	c := copying(t, size(1600))
	for stop := range 3 {
		ctx, cancel := context.WithCancel(context.Background())
		c.OnPage(func(page int) {
			if page == 2+stop {
				c.Change(size(60), 5, 1, 5)
				cancel()
			}
		})
		_, err := c.sync.Run(ctx)
		expect.That(t, errors.Is(err, context.Canceled), "stopped: %v", err)
		cancel()
	}
	c.OnPage(nil)
	c.Requests()
	c.run(t)
	c.check(t)
}

// TestSyncRefused: a refused request ends the sync at once. The file keeps the pages before it, and the next sync continues.
func TestSyncRefused(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusForbidden, http.StatusTooManyRequests} {
		c := copying(t, size(800))
		c.OnPage(func(page int) {
			if page == 3 { // the second of the walk, which is still answered
				c.Refuse(status)
			}
		})
		report, err := c.sync.Run(t.Context())
		refused, ok := errors.AsType[*feed.Refused](err)
		expect.Must(t, ok && refused.Status == status, "%d: %v", status, err)
		// The version, the newest trials for the dictionary, two pages, and the one that was refused.
		requests := c.Requests()
		expect.That(t, report.Read == 100 && requests == 5, "%d: %d requests, %+v", status, requests, report)
		f, err := Inspect(t.Context(), c.sync.Path)
		expect.NoError(t, err)
		expect.That(t, f.Trials == 100 && !f.Complete() && f.Walk != "", "%d: %+v", status, f)
		c.Refuse(0)
		c.OnPage(nil)
		report = c.run(t)
		expect.That(t, report.Read < size(800), "%d: the sync read pages again: %+v", status, report)
		c.check(t)
	}
}

// TestFullDisk: a full disk ends a sync with an error of its own. The written studies stay usable, and the next sync
// continues when the disk has room again.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	n := size(600)
	full := copying(t, n)
	full.run(t)
	file, err := os.Stat(full.sync.Path)
	expect.NoError(t, err)
	c := copying(t, n)
	c.sync.maxPages = int(file.Size()/4096) / 2
	_, err = c.sync.Run(t.Context())
	expect.Must(t, IsFull(err), "first load: %v", err)
	f, err := Inspect(t.Context(), c.sync.Path)
	expect.NoError(t, err)
	expect.That(t, f.Trials > 0 && f.Trials < n && !f.Complete(), "%+v", f)
	c.sync.maxPages = 0
	c.run(t)
	c.check(t)

	// An update: readers have the trials as they were, or as far as the update came, and none twice.
	reader := NewReader(c.sync.Path)
	defer func() { expect.NoError(t, reader.Close()) }()
	total := func() int {
		search, err := query.ReadSearch("countTotal=true&filter.advanced=NOT+AREA[NCTId]NCT00000000")
		expect.NoError(t, err)
		f, done, err := reader.use(t.Context())
		expect.NoError(t, err)
		defer done()
		page, err := f.Search(t.Context(), search)
		expect.NoError(t, err)
		expect.Is(t, int64(*page.TotalCount), numbers(t, f.db, "SELECT count(*) FROM study")[0], "hits of all trials")
		return *page.TotalCount
	}
	expect.Is(t, total(), n, "trials before the update")
	c.Change(n/2, 0, 0, 3*n)
	c.sync.maxPages = 1 // as large as the file is
	_, err = c.sync.Run(t.Context())
	expect.Must(t, IsFull(err), "update: %v", err)
	state, err := reader.State(t.Context())
	expect.NoError(t, err)
	expect.That(t, state.Complete() && total() >= n, "%+v", state)
	c.sync.maxPages = 0
	c.run(t)
	expect.Is(t, total(), 4*n, "trials after the update")
	c.check(t)
}

// TestReadersDuringSync: two readers never fail while the mirror is filled and changed.
func TestReadersDuringSync(t *testing.T) {
	t.Parallel()
	c := copying(t, size(800))
	c.run(t)
	ctx, stop := context.WithCancel(t.Context())
	var readers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			r := NewReader(c.sync.Path)
			defer r.Close()
			for ctx.Err() == nil {
				req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet,
					"http://mirror/api/v2/studies?filter.overallStatus=COMPLETED&countTotal=true&query.term=cancer", nil)
				resp, err := r.RoundTrip(req)
				if err != nil || resp.StatusCode != http.StatusOK {
					t.Errorf("a reader: %v %v", resp, err)
					return
				}
				resp.Body.Close()
				time.Sleep(5 * time.Millisecond)
			}
		})
	}
	for range 3 {
		c.Change(size(100), 10, 1, 10)
		c.run(t)
	}
	stop()
	readers.Wait()
	c.check(t)
}

// TestReread: derived data change without a date; the daily re-reading and the monthly comparison find
// what counts cannot see.
func TestReread(t *testing.T) {
	t.Parallel()
	c := copying(t, size(800))
	c.run(t)
	db, err := openWriter(t.Context(), c.sync.Path)
	expect.NoError(t, err)
	// A study that the mirror has under another id than the registry: the counts are equal.
	_, err = db.ExecContext(t.Context(),
		"UPDATE study SET id = 99999999 WHERE id = (SELECT min(id) FROM study); UPDATE record SET id = 99999999 WHERE id = "+
			"(SELECT min(id) FROM record);"+
			"DELETE FROM words WHERE rowid = (SELECT min(rowid) FROM words); DELETE FROM site WHERE study NOT IN (SELECT id FROM "+
			"study); UPDATE meta SET value = ? WHERE key = ?", time.Now().Add(-sweepAge).UTC().Format(time.RFC3339), keySwept)
	expect.NoError(t, err)
	expect.NoError(t, db.Close())
	c.Change(1, 0, 0, 0)
	report := c.run(t)
	expect.That(t, report.Removed == 1, "%+v", report)
	c.check(t)
}

// TestSyncOfAnotherRegistry: a mirror of one registry never becomes one of another.
func TestSyncOfAnotherRegistry(t *testing.T) {
	t.Parallel()
	c := copying(t, 50)
	c.run(t)
	c.sync.Source = "another"
	_, err := c.sync.Run(t.Context())
	expect.That(t, errors.Is(err, ErrSource), "%v", err)
}

// TestOneSyncAtATime: the second one is refused.
func TestOneSyncAtATime(t *testing.T) {
	t.Parallel()
	c := copying(t, 50)
	c.OnPage(func(page int) {
		if page == 1 {
			_, err := (&Sync{Path: c.sync.Path, Source: "test", URL: c.sync.URL, Do: c.sync.Do}).Run(t.Context())
			expect.That(t, errors.Is(err, disk.ErrBusy), "%v", err)
		}
	})
	c.run(t)
}

// TestManyLost: a registry that lists far less than before removes nothing.
func TestManyLost(t *testing.T) {
	t.Parallel()
	c := copying(t, 260)
	c.run(t)
	c.Change(0, 220, 0, 0)
	_, err := c.sync.Run(t.Context())
	expect.That(t, err != nil && strings.Contains(err.Error(), "nothing was removed"), "%v", err)
}

// TestBadRegistry: a registry that is out of order ends a sync with an error, and no mirror becomes complete.
func TestBadRegistry(t *testing.T) {
	t.Parallel()
	const version = `{"dataTimestamp":"2026-01-05T09:00:05"}`
	page := func(summary, conditions, next string) string {
		return `{"totalCount":1,"studies":[{"protocolSection":{"identificationModule":{"nctId":"NCT00000001"},"descriptionModule":` +
			`{"briefSummary":"` + summary + `"},"conditionsModule":{"conditions":["x"` + conditions + `]}}}],"nextPageToken":"` + next + `"}`
	}
	for name, tt := range map[string]struct{ version, studies, want string }{
		"no trials":             {version, `{"totalCount":0,"studies":[]}`, "lists no trials"},
		"endless pages":         {version, `{"totalCount":1,"studies":[],"nextPageToken":"again"}`, "again and again"},
		"no date":               {`{"dataTimestamp":"<b>today</b>"}`, `{"totalCount":1,"studies":[]}`, "no date of its data"},
		"escapes in its date":   {`{"dataTimestamp":"2026-01-05\u001b[2J"}`, `{"totalCount":1,"studies":[]}`, "no date of its data"},
		"tokens without an end": {version, page("", "", "#"), "again and again"},
		"a long text":           {version, page(strings.Repeat("a", 2<<20), "", ""), "a text of more than"},
		"many values":           {version, page("", strings.Repeat(`,"y"`, 500_000), ""), "values"},
		"a large record":        {version, page(strings.Repeat("a", stored.MaxRecord+1<<20), "", ""), "a record of more than"},
	} {
		requests := 0
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			text := tt.studies
			if strings.HasSuffix(req.URL.Path, "/version") {
				text = tt.version
			}
			requests++
			_, _ = io.WriteString(w, strings.ReplaceAll(text, "#", strconv.Itoa(requests)))
		}))
		path := filepath.Join(t.TempDir(), "mirror.db")
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		_, err := (&Sync{Path: path, Source: "bad", URL: server.URL, Do: http.DefaultClient}).Run(ctx)
		cancel()
		server.Close()
		expect.That(t, err != nil && strings.Contains(err.Error(), tt.want), "%s: %v", name, err)
		facts, err := Inspect(t.Context(), path)
		expect.That(t, err == nil && !facts.Complete(), "%s: %+v %v", name, facts, err)
	}
}

// A rewriting makes requests and replaces a text in the answers.
type rewriting struct {
	feed.Doer
	from, to string
}

func (r rewriting) Do(req *http.Request) (*http.Response, error) {
	resp, err := r.Doer.Do(req)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(resp.Body)
	resp.Body = io.NopCloser(strings.NewReader(strings.ReplaceAll(string(text), r.from, r.to)))
	return resp, err
}

// TestUnreadableDate: an update date that cannot be read does not move the walk, so that a stopped sync can continue.
func TestUnreadableDate(t *testing.T) {
	t.Parallel()
	for _, date := range []string{"soon", "2999-99-99"} {
		c := copying(t, 200)
		day := query.First(bodyOf(t, c.Record(c.IDs()[60])), "LastUpdatePostDate") // on the second page
		c.sync.Do = rewriting{c.sync.Do, `"lastUpdatePostDateStruct":{"date":"` + day, `"lastUpdatePostDateStruct":{"date":"` + date}
		ctx, cancel := context.WithCancel(t.Context())
		c.OnPage(func(page int) {
			if page == 4 {
				cancel()
			}
		})
		_, err := c.sync.Run(ctx)
		expect.That(t, errors.Is(err, context.Canceled), "%s: stopped: %v", date, err)
		c.OnPage(nil)
		report := c.run(t)
		expect.That(t, report.Trials == 200 && report.Read < 200, "%s: %+v", date, report)
		c.Change(3, 0, 0, 0)
		report = c.run(t)
		expect.That(t, report.Read < 200, "%s, the next sync: %+v", date, report)
	}
}

func bodyOf(t *testing.T, record []byte) map[string]any {
	t.Helper()
	body, err := stored.Decode(record)
	expect.NoError(t, err)
	return body
}

// TestManyValues: the work for a record is linear in its values, and ends with the context.
func TestManyValues(t *testing.T) {
	t.Parallel()
	var conditions, sites []string
	for i := range 60_000 {
		conditions = append(conditions, fmt.Sprintf(`"condition %d"`, i))
		sites = append(sites, fmt.Sprintf(`{"country":"country %d"}`, i))
	}
	s, err := readStudy([]byte(`{"protocolSection":{"identificationModule":{"nctId":"NCT00000001"},"conditionsModule":{"conditions":[` +
		strings.Join(conditions, ",") + `]},"contactsLocationsModule":{"locations":[` + strings.Join(sites[:15_000], ",") + `]}}}`))
	expect.NoError(t, err)
	expect.NoError(t, s.decode())
	// A quadratic reading takes long.
	expect.Is(t, len(listed(column{"Condition", open}, query.Values(s.body, "Condition"))), 60_000, "values")
	for _, c := range wordColumns {
		c.text(s.body)
	}
	db, err := openWriter(t.Context(), filepath.Join(t.TempDir(), "mirror.db"))
	expect.NoError(t, err)
	defer db.Close()
	w, err := newWriter(t.Context(), db)
	expect.NoError(t, err)
	w.packer, err = stored.NewPacker([]byte("{}"))
	expect.NoError(t, err)
	expect.NoError(t, w.begin(t.Context()))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	err = w.put(ctx, s)
	expect.That(t, errors.Is(err, context.DeadlineExceeded), "%v", err)
	expect.NoError(t, w.close())
}

// TestFailingDisk: a disk that fails is not a full disk, also if it fails to write.
func TestFailingDisk(t *testing.T) {
	t.Parallel()
	const failing = "/proc/self/mem" // a regular file whose beginning cannot be read
	if _, err := os.Stat(failing); err != nil {
		t.Skip("only Linux has such a file")
	}
	_, err := Inspect(t.Context(), failing)
	expect.That(t, IsFailing(err) && !IsFull(err) && strings.HasPrefix(Remedy(err), "check the disk"), "%v: %s", err, Remedy(err))
	err = fmt.Errorf("write: %w", &os.PathError{Op: "write", Path: "mirror.db", Err: syscall.ENOSPC})
	expect.That(t, IsFull(err) && !IsFailing(err), "no space: %s", Remedy(err))
}
