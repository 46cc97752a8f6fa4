package trials

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
	"github.com/biofact-mcp/biofact/internal/store"
	"github.com/biofact-mcp/biofact/internal/tool"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

const (
	publishing = 5 * time.Minute // until a new version is in every response
	known      = "NCT:03275402"
	missing    = "NCT:09999999"
)

// A registry is the sandbox with the machine's clock, a version of the data that a test can advance, and a log of its requests.
type registry struct {
	next    http.RoundTripper
	takes   time.Duration         // time from a request to its response
	date    func(n int) time.Time // date of the n-th response, from 1
	version string                // body of the version instead of the stamp's
	forgets bool                  // do not log requests: a long run would take too much memory

	mu         sync.Mutex
	stamp      time.Time // of the version
	requests   int
	requestLog []string // "version", the ids of a lookup, or the page of a search
}

// newRegistry returns a registry over the embedded data, published an hour ago.
func newRegistry(t testing.TB) *registry {
	t.Helper()
	next, err := sourcetest.Embedded()
	expect.NoError(t, err)
	return &registry{
		next: next, stamp: time.Now().Add(-time.Hour),
		date: func(int) time.Time { return time.Now() },
	}
}

func (r *registry) RoundTrip(req *http.Request) (*http.Response, error) {
	isVersion := strings.HasSuffix(req.URL.Path, "/version")
	query := req.URL.Query()
	sent := "version"
	if ids := query.Get("filter.ids"); ids != "" {
		sent = ids
	} else if !isVersion {
		sent = "page of " + query.Get("pageSize")
	}
	r.mu.Lock()
	if !r.forgets {
		r.requestLog = append(r.requestLog, sent)
	}
	r.requests++
	n, stamp := r.requests, r.stamp
	r.mu.Unlock()
	if r.takes > 0 {
		select {
		case <-time.After(r.takes):
		case <-req.Context().Done():
			return nil, req.Context().Err()
		}
	}
	resp, err := r.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	resp.Header.Set("Date", r.date(n).UTC().Format(http.TimeFormat))
	if isVersion {
		text := r.version
		if text == "" {
			text = stamp.UTC().Format(`{"apiVersion":"2.0.5","dataTimestamp":"2006-01-02T15:04:05"}`)
		}
		resp.Body, resp.ContentLength = io.NopCloser(strings.NewReader(text)), int64(len(text))
	}
	return resp, nil
}

// publish sets the version to the current time.
func (r *registry) publish() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stamp = time.Now()
}

// since returns the requests since its last call.
func (r *registry) since() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	sent := r.requestLog
	r.requestLog = nil
	return sent
}

// wantRequests checks the requests since its last call.
func (r *registry) wantRequests(t testing.TB, when string, want ...string) {
	t.Helper()
	expect.Equal(t, fmt.Sprintf("%s: requests", when), want, r.since(), cmpopts.EquateEmpty())
}

func serve(t testing.TB, entries *store.Store, base string, o upstream.Options) *Trials {
	t.Helper()
	return setup{Setup: sourcetest.Setup{CTGovURL: base, CTGov: upstream.NewClient(o), Store: entries}}.open(t)
}

// A setup has the parts of the tools for a test.
type setup struct {
	sourcetest.Setup
	maxAnswer int // 0: 400 kB
}

func (s setup) open(t testing.TB) *Trials {
	t.Helper()
	if s.maxAnswer == 0 {
		s.maxAnswer = 400_000
	}
	return New(s.Sources(t), s.maxAnswer)
}

// toolTable returns the tools for trials and, without handlers, all others.
func toolTable(s *Trials) []*tool.Tool {
	return tools.Table(struct {
		*Trials
		tools.GenesHandlers
		tools.ArticlesHandlers
		tools.DrugsHandlers
		tools.ResearchHandlers
		tools.SqlHandlers
	}{Trials: s})
}

// inFile returns a store over a file, as a new process has it.
func inFile(t testing.TB, path string) *store.Store {
	t.Helper()
	s := store.New(store.Options{Path: path, MaxBytes: 64 << 20, Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(func() { s.Close() })
	return s
}

// getTrial reads an existing trial.
func getTrial(t testing.TB, s *Trials, id string) entity.Answer[entity.Trial] {
	t.Helper()
	answer, err := decoded(s.GetTrial(t.Context(), tools.GetTrialArgs{NCTID: id}))
	expect.Must(t, err == nil, "%s: %v", id, err)
	return answer
}

// searchTrials makes a search that succeeds.
func searchTrials(t testing.TB, s *Trials, pageSize int, cursor string) SearchAnswer {
	t.Helper()
	answer, err := s.SearchTrials(t.Context(),
		tools.SearchTrialsArgs{TrialFilters: tools.TrialFilters{StudyType: []string{"INTERVENTIONAL"}}, PageSize: pageSize, Cursor: cursor})
	expect.NoError(t, err)
	return answer
}

// wantMade checks the provenance of an answer.
func wantMade(t testing.TB, when string, p entity.Provenance, cache entity.CacheUse, requests int) {
	t.Helper()
	expect.That(t, p.Cache == cache && p.UpstreamRequests == requests,
		"%s: cache %q with %d requests, want %q with %d", when, p.Cache, p.UpstreamRequests, cache, requests)
	expect.That(t, p.DataVersion != "" && !p.RetrievedAt.IsZero(),
		"%s: data version %q, retrieved %v", when, p.DataVersion, p.RetrievedAt)
}

// TestCachedAnswerIsExact: the first lookup is one request and does not ask for the version. While the version stays the same no study is
// requested twice, and the version itself only every ten minutes. After a new version each record is requested once more.
func TestCachedAnswerIsExact(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRegistry(t)
		s := serve(t, sourcetest.InMemory(), sourcetest.RegistryURL, sourcetest.Policy(r))
		first := getTrial(t, s, known)
		r.wantRequests(t, "cold", "NCT03275402")
		wantMade(t, "cold", first.Provenance, entity.CacheMiss, 1)

		start := time.Now()
		for time.Since(start) < time.Hour {
			again := getTrial(t, s, known)
			if diff := cmp.Diff(first.Value, again.Value); diff != "" || len(again.Notices) > 0 {
				t.Fatalf("the kept answer differs, notices %q:\n%s", again.Notices, diff)
			}
			want := 0
			if since := time.Since(start); since > 0 && since%(10*time.Minute) == 0 {
				want = 1
			}
			wantMade(t, fmt.Sprint("after ", time.Since(start)), again.Provenance, entity.CacheHit, want)
			expect.That(t, again.Provenance.RetrievedAt.Equal(first.Provenance.RetrievedAt),
				"retrieved %v, want %v", again.Provenance.RetrievedAt, first.Provenance.RetrievedAt)
			time.Sleep(time.Minute)
		}
		r.wantRequests(t, "in an hour", strings.Fields(strings.Repeat("version ", 5))...)

		other := getTrial(t, s, "NCT:00567567")
		wantMade(t, "another", other.Provenance, entity.CacheMiss, 1)
		r.publish()
		time.Sleep(10 * time.Minute)
		r.since()
		wantMade(t, "a version on", getTrial(t, s, known).Provenance, entity.CacheMiss, 2)
		wantMade(t, "a version on", getTrial(t, s, "NCT:00567567").Provenance, entity.CacheMiss, 1)
		wantMade(t, "again", getTrial(t, s, known).Provenance, entity.CacheHit, 0)
		wantMade(t, "again", getTrial(t, s, "NCT:00567567").Provenance, entity.CacheHit, 0)
		r.wantRequests(t, "a version on", "version", "NCT03275402", "NCT00567567")
	})
}

// TestJustPublished: a record that was fetched shortly after a new version may still be of the old one. It is requested again until it was
// fetched late enough.
func TestJustPublished(t *testing.T) {
	t.Parallel()
	for after, exact := range map[time.Duration]bool{
		-time.Hour: false, 0: false, time.Second: false, publishing: false, publishing + time.Second: true, time.Hour: true,
	} {
		synctest.Test(t, func(t *testing.T) {
			r := newRegistry(t)
			r.stamp = time.Now().Add(-after)
			s := serve(t, sourcetest.InMemory(), sourcetest.RegistryURL, sourcetest.Policy(r))
			getTrial(t, s, known)
			r.since()
			time.Sleep(10 * time.Minute)
			getTrial(t, s, known)
			if exact {
				r.wantRequests(t, fmt.Sprint(after, " after"), "version")
				return
			}
			r.wantRequests(t, fmt.Sprint(after, " after"), "version", "NCT03275402")
		})
	}
}

// TestUnknownTimes: without the date of a response, or with an unreadable version, no answer stays exact for longer than a version does,
// and no call fails.
func TestUnknownTimes(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*registry){
		"of the answers": func(r *registry) { r.date = func(int) time.Time { return time.Time{} } },
		"of the version": func(r *registry) { r.version = `{"dataTimestamp":"soon"}` },
		"no version":     func(r *registry) { r.version = `{"message":"hello"}` },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r := newRegistry(t)
				spoil(r)
				s := serve(t, sourcetest.InMemory(), sourcetest.RegistryURL, sourcetest.Policy(r))
				for range 3 {
					if answer := getTrial(t, s, known); len(answer.Notices) > 0 {
						t.Errorf("notices %q", answer.Notices)
					}
					time.Sleep(10 * time.Minute)
				}
				r.wantRequests(t, "three calls", "NCT03275402", "version", "NCT03275402", "version", "NCT03275402")
			})
		})
	}
}

// TestClockSetBack: entries of a clock that ran ahead are valid no longer than those of a correct clock.
func TestClockSetBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRegistry(t)
		entries := sourcetest.InMemory()
		s := serve(t, entries, sourcetest.RegistryURL, sourcetest.Policy(r))
		getTrial(t, s, known)
		_, _ = s.GetTrial(t.Context(), tools.GetTrialArgs{NCTID: missing})
		ahead := time.Now().Add(24 * time.Hour)
		for _, e := range []struct{ kind, question, value string }{
			{"stamp", "", r.stamp.UTC().Format("2006-01-02T15:04:05")}, {"trial", "NCT09999999", "null"},
		} {
			entries.Put(t.Context(), keyOf(e.kind, e.question), store.Entry{Value: []byte(e.value), Fetched: time.Now(), Stored: ahead})
		}
		r.since()
		time.Sleep(10 * time.Minute)
		getTrial(t, s, known)
		_, _ = s.GetTrial(t.Context(), tools.GetTrialArgs{NCTID: missing})
		r.wantRequests(t, "after the clock was set right", "version", "NCT09999999")
	})
}

// TestSourceClockAhead: a response with a date in the future does not stay exact for ever.
func TestSourceClockAhead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRegistry(t)
		s := serve(t, sourcetest.InMemory(), sourcetest.RegistryURL, sourcetest.Policy(r))
		r.date = func(int) time.Time { return time.Now().Add(365 * 24 * time.Hour) }
		getTrial(t, s, known)
		r.date = func(int) time.Time { return time.Now() }
		r.publish()
		r.since()
		time.Sleep(10 * time.Minute)
		getTrial(t, s, known)
		r.wantRequests(t, "after the clock was set right", "version", "NCT03275402")
	})
}

// TestRestart: another process over the same file has the entries of the first one.
func TestRestart(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cache.db")
	r := newRegistry(t)
	first := getTrial(t, serve(t, inFile(t, path), sourcetest.RegistryURL, sourcetest.Policy(r)), known)
	page := searchTrials(t, serve(t, inFile(t, path), sourcetest.RegistryURL, sourcetest.Policy(r)), 5, "")
	r.wantRequests(t, "cold", "NCT03275402", "page of 5")
	for i := range 3 {
		s := serve(t, inFile(t, path), sourcetest.RegistryURL, sourcetest.Policy(r))
		again := getTrial(t, s, known)
		if diff := cmp.Diff(first.Value, again.Value); diff != "" || again.Provenance.Cache != entity.CacheHit {
			t.Errorf("start %d: cache %q (-first +again):\n%s", i, again.Provenance.Cache, diff)
		}
		expect.Equal(t, fmt.Sprintf("start %d: page", i), page.Value, searchTrials(t, s, 5, "").Value)
	}
	r.wantRequests(t, "three starts")
}

// TestNotFoundIsCached: a missing record is known for ten minutes, for any version.
func TestNotFoundIsCached(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRegistry(t)
		s := serve(t, sourcetest.InMemory(), sourcetest.RegistryURL, sourcetest.Policy(r))
		start := time.Now()
		for time.Since(start) < 25*time.Minute {
			for _, call := range []func() error{
				func() error { _, err := s.GetTrial(t.Context(), tools.GetTrialArgs{NCTID: missing}); return err },
				func() error {
					_, err := s.GetTrialLocations(t.Context(), tools.GetTrialLocationsArgs{NCTID: missing, PageSize: 10})
					return err
				},
			} {
				if err := call(); err == nil || entity.AsError(err).Code != entity.EntityNotFound {
					t.Fatalf("%v, want %s", err, entity.EntityNotFound)
				}
			}
			time.Sleep(time.Minute)
		}
		r.wantRequests(t, "in 25 minutes", "NCT09999999", "NCT09999999", "NCT09999999")
	})
}

// TestAliasIsCached: an obsolete id answers the canonical record, also from the cache, and the tools share the record.
func TestAliasIsCached(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRegistry(t)
		s := serve(t, sourcetest.InMemory(), sourcetest.RegistryURL, sourcetest.Policy(r))
		for i, cache := range []entity.CacheUse{entity.CacheMiss, entity.CacheHit} {
			answer := getTrial(t, s, "NCT:02380456")
			expect.That(t, answer.Value.ID == "NCT:02300909" && answer.Provenance.Cache == cache,
				"call %d: %s, cache %q", i, answer.Value.ID, answer.Provenance.Cache)
			want := []string{"NCT:02380456 is an obsolete id of this trial, which is NCT:02300909."}
			expect.Equal(t, fmt.Sprintf("call %d: notices", i), want, answer.Notices)
		}
		if _, err := s.GetTrialLocations(t.Context(), tools.GetTrialLocationsArgs{NCTID: "NCT:02380456", PageSize: 10}); err != nil {
			t.Error(err)
		}
		r.wantRequests(t, "two tools", "NCT02380456")
	})
}

// TestCacheKeyHasBaseURL: the entries of a mirror are not used for the source.
func TestCacheKeyHasBaseURL(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRegistry(t)
		entries := sourcetest.InMemory()
		for _, base := range []string{sourcetest.RegistryURL, "https://mirror.test/api/v2", "http://ctgov.test/api/v2", "https://ctgov.test"} {
			s := serve(t, entries, base, sourcetest.Policy(r))
			wantMade(t, base, getTrial(t, s, known).Provenance, entity.CacheMiss, 1)
			wantMade(t, base, searchTrials(t, s, 5, "").Provenance, entity.CacheMiss, 1)
			time.Sleep(10 * time.Minute)
			wantMade(t, base+" again", getTrial(t, s, known).Provenance, entity.CacheHit, 1) // the version is of the base, too
		}
		same := serve(t, entries, sourcetest.RegistryURL+"/", sourcetest.Policy(r))
		wantMade(t, "with a slash", getTrial(t, same, known).Provenance, entity.CacheHit, 1)
	})
}

// TestPagesAreCached: a page of a search is as exact as a record. Another page size or cursor is another entry.
func TestPagesAreCached(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRegistry(t)
		s := serve(t, sourcetest.InMemory(), sourcetest.RegistryURL, sourcetest.Policy(r))
		first := searchTrials(t, s, 5, "")
		wantMade(t, "cold", first.Provenance, entity.CacheMiss, 1)
		expect.Must(t, len(first.Value.Items) == 5 && first.Value.Pagination.Cursor != "",
			"%d items, cursor %q", len(first.Value.Items), first.Value.Pagination.Cursor)
		again := searchTrials(t, s, 5, "")
		wantMade(t, "again", again.Provenance, entity.CacheHit, 0)
		expect.Equal(t, "the kept page differs", first.Value, again.Value)
		wantMade(t, "another size", searchTrials(t, s, 6, "").Provenance, entity.CacheMiss, 1)
		second := searchTrials(t, s, 5, first.Value.Pagination.Cursor)
		wantMade(t, "another page", second.Provenance, entity.CacheMiss, 1)
		expect.That(t, second.Value.Items[0].ID != first.Value.Items[0].ID, "the second page is the first")
		wantMade(t, "another page again", searchTrials(t, s, 5, first.Value.Pagination.Cursor).Provenance, entity.CacheHit, 0)
		r.wantRequests(t, "pages", "page of 5", "page of 6", "page of 5")

		r.publish()
		time.Sleep(10 * time.Minute)
		wantMade(t, "a version on", searchTrials(t, s, 5, "").Provenance, entity.CacheMiss, 2)
		wantMade(t, "again", searchTrials(t, s, 5, "").Provenance, entity.CacheHit, 0)
		r.wantRequests(t, "a version on", "version", "page of 5")
	})
}

// TestWithoutStoreNothingIsCached: without a store the version is not requested either.
func TestWithoutStoreNothingIsCached(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRegistry(t)
		s := serve(t, nil, sourcetest.RegistryURL, sourcetest.Policy(r))
		for range 2 {
			wantMade(t, "no store", getTrial(t, s, known).Provenance, "", 1)
		}
		r.wantRequests(t, "no store", "NCT03275402", "NCT03275402")
	})
}

// TestIdenticalConcurrentCalls: identical concurrent calls make one request, with and without a cache entry, also for searches.
func TestIdenticalConcurrentCalls(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRegistry(t)
		r.takes = 100 * time.Millisecond
		s := serve(t, sourcetest.InMemory(), sourcetest.RegistryURL, sourcetest.Policy(r))
		atOnce := func(call func()) {
			var callers sync.WaitGroup
			for range 50 {
				callers.Go(call)
			}
			callers.Wait()
		}
		lookup := func() { getTrial(t, s, known) }
		search := func() { searchTrials(t, s, 5, "") }
		atOnce(lookup)
		r.wantRequests(t, "cold lookups", "NCT03275402")
		atOnce(lookup)
		r.wantRequests(t, "warm lookups")
		time.Sleep(10 * time.Minute)
		atOnce(lookup)
		r.wantRequests(t, "lookups after ten minutes", "version")
		atOnce(search)
		r.wantRequests(t, "cold searches", "page of 5")
		time.Sleep(10 * time.Minute)
		atOnce(search)
		r.wantRequests(t, "searches after ten minutes", "version")
	})
}

// decoded decodes the value of an answer that is returned as it is stored.
func decoded(answer entity.Answer[entity.Trial], err error) (entity.Answer[entity.Trial], error) {
	if err == nil && answer.Encoded != nil {
		err = json.Unmarshal(answer.Encoded, &answer.Value)
	}
	return answer, err
}

// TestManyConcurrentLookups: with a rate limit of one request per second 200 trials take three requests, and every caller gets its own
// trial.
func TestManyConcurrentLookups(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	const corpus = "../../../shared/corpus/ctgov/studies.jsonl.gz"
	if _, err := os.Stat(corpus); err != nil {
		t.Skipf("the real records are not here: %v", err)
	}
	real := sourcetest.Opened(t, corpus)
	var ids []string
	full := serve(t, nil, sourcetest.RegistryURL, sourcetest.Policy(real))
	for cursor := ""; len(ids) < 200; {
		page := searchTrials(t, full, 50, cursor)
		for _, c := range page.Value.Items {
			ids = append(ids, c.ID)
		}
		cursor = page.Value.Pagination.Cursor
	}
	synctest.Test(t, func(t *testing.T) {
		r := newRegistry(t)
		r.next, r.takes = real, 300*time.Millisecond
		o := sourcetest.Policy(r)
		o.Interval, o.MaxBody = time.Second, 64<<20
		s := serve(t, sourcetest.InMemory(), sourcetest.RegistryURL, o)
		start := time.Now()
		var callers sync.WaitGroup
		for _, id := range ids[:200] {
			callers.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
				defer cancel()
				answer, err := decoded(s.GetTrial(ctx, tools.GetTrialArgs{NCTID: id}))
				expect.That(t, err == nil && answer.Value.ID == id, "%s: %s, %v", id, answer.Value.ID, err)
			})
		}
		callers.Wait()
		requests := r.since()
		var sent int
		for _, ids := range requests {
			sent += 1 + strings.Count(ids, "|") + strings.Count(ids, ",")
		}
		if len(requests) < 2 || len(requests) > 3 || sent != 200 || time.Since(start) > 4*time.Second {
			t.Errorf("%d requests for %d ids in %v, want 2 or 3 for 200 within 4s", len(requests), sent, time.Since(start))
		}
	})
}

// TestToolsShareARecord: the sites of a trial that was read need no request.
func TestToolsShareARecord(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRegistry(t)
		r.takes = 100 * time.Millisecond
		s := serve(t, sourcetest.InMemory(), sourcetest.RegistryURL, sourcetest.Policy(r))
		sites := func(id string) {
			page, err := s.GetTrialLocations(t.Context(), tools.GetTrialLocationsArgs{NCTID: id, PageSize: 10})
			expect.That(t, err == nil && len(page.Value.Items) != 0, "%s: %d sites, %v", id, len(page.Value.Items), err)
		}
		var callers sync.WaitGroup
		callers.Go(func() { getTrial(t, s, known) })
		callers.Go(func() { sites(known) })
		callers.Wait()
		r.wantRequests(t, "at once", "NCT03275402")
		sites(known)
		r.wantRequests(t, "later")
	})
}

// TestCanceledCaller: a canceled call does not affect other calls, in any order. A record that only it requested is not cached as missing.
func TestCanceledCaller(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRegistry(t)
		r.takes = 10 * time.Second
		s := serve(t, sourcetest.InMemory(), sourcetest.RegistryURL, sourcetest.Policy(r))
		patient := func() { getTrial(t, s, known) }
		hasty := func() {
			ctx, giveUp := context.WithTimeout(t.Context(), time.Second)
			defer giveUp()
			_, err := s.GetTrial(ctx, tools.GetTrialArgs{NCTID: known})
			expect.That(t, err != nil && entity.AsError(err).Code == entity.UpstreamError, "the caller that gives up gets %v", err)
		}
		var callers sync.WaitGroup
		callers.Go(patient)
		synctest.Wait()
		callers.Go(hasty)
		callers.Wait()
		r.wantRequests(t, "the patient one first", "NCT03275402")

		s = serve(t, sourcetest.InMemory(), sourcetest.RegistryURL, sourcetest.Policy(r))
		callers.Go(hasty)
		synctest.Wait()
		callers.Go(patient)
		callers.Wait()
		// The first request had the timeout of its caller.
		r.wantRequests(t, "the hasty one first", "NCT03275402", "NCT03275402")

		single, giveUp := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, giveUp)
		start := time.Now()
		_, err := s.GetTrial(single, tools.GetTrialArgs{NCTID: "NCT:00567567"})
		if err == nil || entity.AsError(err).Code != entity.UpstreamError || time.Since(start) != time.Second {
			t.Errorf("the caller that gives up gets %v after %v", err, time.Since(start))
		}
		getTrial(t, s, "NCT:00567567")
		r.wantRequests(t, "given up, then asked again", "NCT00567567", "NCT00567567")
	})
}

// TestUnreadableValueIsFetchedAgain: an unreadable entry of the store is replaced.
func TestUnreadableValueIsFetchedAgain(t *testing.T) {
	t.Parallel()
	for name, value := range map[string]string{
		"nothing": "", "bytes": "\x00\xff", "half": `{"trial":{"id":"NCT:0046`, "text": `"trial"`,
		"other types": `{"trial":{"id":"NCT:99999999","title":7},"candidates":[{"id":8}],"total":"x"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r := newRegistry(t)
				entries := sourcetest.InMemory()
				s := serve(t, entries, sourcetest.RegistryURL, sourcetest.Policy(r))
				trial, page := getTrial(t, s, known), searchTrials(t, s, 5, "")
				getTrial(t, s, known) // asks for the version
				r.since()
				for kind, question := range map[string]string{"trial": "NCT03275402", "search": pageQuestion(t, 5)} {
					e, found := entries.Get(t.Context(), keyOf(kind, question))
					expect.Must(t, found, "%s is not kept as %s", kind, question)
					e.Value = []byte(value)
					entries.Put(t.Context(), keyOf(kind, question), e)
				}
				for range 2 {
					again, err := decoded(s.GetTrial(t.Context(), tools.GetTrialArgs{NCTID: known}))
					expect.NoError(t, err)
					if diff := cmp.Diff(trial.Value, again.Value); diff != "" {
						t.Fatalf("trial (-first +again):\n%s", diff)
					}
					if diff := cmp.Diff(page.Value, searchTrials(t, s, 5, "").Value); diff != "" {
						t.Fatalf("page (-first +again):\n%s", diff)
					}
				}
				r.wantRequests(t, "after that", "NCT03275402", "page of 5")
			})
		})
	}
}

// keyOf returns the key of a registry entry in the current format.
func keyOf(kind, question string) string {
	return "8 " + sourcetest.RegistryURL + " " + kind + " " + question
}

// pageQuestion returns the key of the first page of searchTrials.
func pageQuestion(t *testing.T, pageSize int) string {
	t.Helper()
	params, _, err := trialQuery(tools.SearchTrials, tools.TrialFilters{StudyType: []string{"INTERVENTIONAL"}})
	expect.NoError(t, err)
	params.CountTotal, params.PageSize, params.Sort = new(true), new(int32(pageSize)), &[]string{"StudyFirstPostDate:desc"}
	*params.Fields = append(*params.Fields, "StudyFirstPostDate")
	text, err := json.Marshal(params)
	expect.NoError(t, err)
	return string(text)
}
