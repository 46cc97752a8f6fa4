package trials

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/sandbox"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
	"github.com/biofact-mcp/biofact/internal/store"
	"github.com/biofact-mcp/biofact/internal/tool"
)

const (
	soakCallers = 32
	soakTimeout = 300 * time.Millisecond // timeout of a call
	soakBusy    = 5 * time.Second        // extra time that a call may take on a busy machine
	soakSlack   = 8 << 20                // bytes by which the heap may grow
)

// A soakCall is a call of a tool with its answer without any fault.
type soakCall struct {
	tool  *tool.Tool
	args  json.RawMessage
	facts string
	code  entity.Code // of the answer, if it is an error
}

// TestSoak makes many concurrent random calls over a network that fails at random, for two seconds or for the duration in BIOFACT_SOAK.
// Each call must get the correct answer or an error, and no goroutine or memory may be left. BIOFACT_SOAK_SEED repeats the faults and calls
// of a run, but not their order.
//
// It does not run in parallel with other tests, whose goroutines and memory it would count.
func TestSoak(t *testing.T) {
	duration, seed := 2*time.Second, rand.Uint64()
	if text := os.Getenv("BIOFACT_SOAK"); text != "" {
		var err error
		if duration, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	} else if !expect.All() {
		t.Skip("makes random calls for seconds")
	}
	if text := os.Getenv("BIOFACT_SOAK_SEED"); text != "" {
		if _, err := fmt.Sscan(text, &seed); err != nil {
			t.Fatal(err)
		}
	}
	before := goleak.IgnoreCurrent()
	questions := soakQuestions(t)

	// Half of the answers are from before the version: they must be requested again, and are stale if the request fails.
	r := newRegistry(t)
	r.forgets = true
	r.date = func(n int) time.Time {
		return r.stamp.Add(time.Duration(n%2*2-1) * time.Hour)
	}
	faults := soakFaults(r, seed)
	// The file has room for some of the answers only: old entries are evicted and requested again.
	entries := store.New(store.Options{
		Path: filepath.Join(t.TempDir(), "cache.db"), MaxBytes: 512 << 10, Log: slog.New(slog.DiscardHandler),
	})
	o := sourcetest.Policy(faults)
	o.Interval, o.Tries, o.Turns = 2*time.Millisecond, 3, entries
	service := serve(t, entries, sourcetest.RegistryURL, o)
	// Without a stamp, entries of the last ten minutes count as exact.
	entries.Put(t.Context(), keyOf("stamp", ""), store.Entry{Value: []byte(r.stamp.UTC().Format("2006-01-02T15:04:05")),
		Fetched: time.Now(),
		Stored:  time.Now()})
	table := toolTable(service)

	soak := func(d time.Duration) *soakFigures {
		figures := &soakFigures{codes: map[string]int{}}
		end := time.Now().Add(d)
		var callers sync.WaitGroup
		for i := range soakCallers {
			random := rand.New(rand.NewPCG(seed, uint64(i)))
			callers.Go(func() {
				for time.Now().Before(end) {
					figures.ask(t, table, questions[random.IntN(len(questions))], random)
				}
			})
		}
		callers.Wait()
		return figures
	}
	warm := soak(duration / 4) // let one-time initialization happen first
	heap := heapInUse()
	measured := soak(duration - duration/4)
	grown := heapInUse() - heap
	expect.That(t, grown <= soakSlack, "the heap grew by %d bytes, at the most %d may be", grown, soakSlack)
	expect.Succeeds(t, entries.Close(), "error")
	if info, err := entries.Info(t.Context()); err == nil && info.Path == "" {
		t.Error("the file was given up for memory")
	}
	goleak.VerifyNone(t, before)
	t.Logf("%v, seed %d: %d questions, %d requests\n%v\n%v\nheap %d kB, grown by %d kB",
		duration, seed, len(questions), faults.Requests(), warm, measured, heap>>10, grown>>10)
	if long := duration >= 30*time.Second; measured.right.Load() == 0 || long && (measured.stale.Load() == 0 || len(measured.codes) == 0) {
		t.Errorf("not all ways of a call were gone: %v", measured)
	}
}

// soakFaults lets three of four requests through.
func soakFaults(next http.RoundTripper, seed uint64) *sandbox.Faults {
	var mu sync.Mutex
	random, all := rand.New(rand.NewPCG(seed, soakCallers)), sandbox.AllFaults()
	return &sandbox.Faults{Next: next, Stall: 50 * time.Millisecond, Plan: func(int, *http.Request) sandbox.Fault {
		mu.Lock()
		defer mu.Unlock()
		if random.IntN(4) > 0 {
			return sandbox.NoFault
		}
		return all[random.IntN(len(all))]
	}}
}

// soakQuestions makes each call once without faults: each trial of the data and its sites, ids without a record, invalid ids, and searches
// with their pages.
func soakQuestions(t *testing.T) []soakCall {
	t.Helper()
	clean, err := sourcetest.Embedded()
	expect.NoError(t, err)
	o := sourcetest.Policy(clean)
	table := toolTable(serve(t, nil, sourcetest.RegistryURL, o))
	var questions []soakCall
	ask := func(name string, args map[string]any) map[string]any {
		raw, err := json.Marshal(args)
		expect.NoError(t, err)
		q := soakCall{tool: sourcetest.ToolNamed(table, name), args: raw}
		var envelope map[string]any
		q.facts, q.code, envelope = facts(t, q.tool.Call(t.Context(), o.Log, raw))
		questions = append(questions, q)
		return envelope
	}
	ids := []any{missing, "NCT:09999998", "NCT:09999997", "melanoma", "NCT:02380456"}
	for _, search := range []map[string]any{
		{"study_type": []string{"INTERVENTIONAL", "OBSERVATIONAL"}, "page_size": 20},
		{"condition": "asthma", "page_size": 5}, {"query": "cancer", "page_size": 7}, {"query": "nosuchword"},
		{"condition": "diabetes", "status": "COMPLETED"}, {"query": "((", "page_size": 5},
	} {
		for more := true; more; {
			envelope := ask("search_trials", search)
			items, _ := envelope["items"].([]any)
			for _, item := range items {
				ids = append(ids, item.(map[string]any)["id"])
			}
			pagination, _ := envelope["pagination"].(map[string]any)
			search = maps.Clone(search)
			search["cursor"], more = pagination["cursor"], pagination["cursor"] != nil
		}
	}
	for _, id := range ids {
		ask("get_trial", map[string]any{"nct_id": id})
		ask("get_trial_locations", map[string]any{"nct_id": id, "page_size": 3})
	}
	return questions
}

// facts returns the envelope of a result without its notices, or its error code.
func facts(t testing.TB, result tool.Result) (text string, code entity.Code, envelope map[string]any) {
	t.Helper()
	if err := json.Unmarshal(result.JSON, &envelope); err != nil {
		t.Errorf("no envelope: %v: %s", err, result.JSON)
		return "", "", nil
	}
	if result.IsError {
		var e entity.ErrorEnvelope
		if err := json.Unmarshal(result.JSON, &e); err != nil || e.Error.Message == "" || e.Error.RecoveryHint == "" {
			t.Errorf("no error envelope: %v: %s", err, result.JSON)
		}
		return "", e.Error.Code, envelope
	}
	delete(envelope, "notices")
	canonical, err := json.Marshal(envelope)
	expect.That(t, err == nil, "%v", err)
	return string(canonical), "", envelope
}

// soakFigures counts the outcomes of the calls.
type soakFigures struct {
	calls, right, hits, stale, gaveUp atomic.Int64

	mu      sync.Mutex
	codes   map[string]int // of failures
	slowest time.Duration
}

func (f *soakFigures) String() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return fmt.Sprintf("%d calls: %d right (%d hits, %d stale), %d given up, failures %v, slowest %v",
		f.calls.Load(), f.right.Load(), f.hits.Load(), f.stale.Load(), f.gaveUp.Load(), f.codes, f.slowest)
}

// ask makes a call and checks its result. One caller of ten cancels its call.
func (f *soakFigures) ask(t *testing.T, table []*tool.Tool, q soakCall, random *rand.Rand) {
	ctx, cancel := context.WithTimeout(t.Context(), soakTimeout)
	defer cancel()
	givesUp := random.IntN(10) == 0
	if givesUp {
		time.AfterFunc(time.Duration(random.IntN(20))*time.Millisecond, cancel)
	}
	start := time.Now()
	result := sourcetest.ToolNamed(table, q.tool.Name).Call(ctx, slog.New(slog.DiscardHandler), q.args)
	f.calls.Add(1)
	took := time.Since(start)
	f.mu.Lock()
	f.slowest = max(f.slowest, took)
	f.mu.Unlock()
	expect.That(t, took <= soakTimeout+soakBusy, "%s %s took %v", q.tool.Name, q.args, took)
	text, code, _ := facts(t, result)
	switch {
	case givesUp && ctx.Err() != nil && code == entity.UpstreamError:
		f.gaveUp.Add(1)
	case code != q.code && (code == entity.UpstreamError || code == entity.RateLimited):
		f.mu.Lock()
		f.codes[string(code)]++
		f.mu.Unlock()
	case code != q.code || text != q.facts:
		t.Errorf("%s %s: %.300s\nwithout faults: %s%.300s", q.tool.Name, q.args, result.JSON, q.code, q.facts)
	default:
		f.right.Add(1)
		switch result.Meta["biofact/cache"] {
		case entity.CacheHit:
			f.hits.Add(1)
		case entity.CacheStale:
			f.stale.Add(1)
			expect.That(t, bytes.Contains(result.JSON, []byte("may be out of date")),
				"a stale answer does not say so: %.300s", result.JSON)
		}
	}
}

// heapInUse returns the size of the heap after garbage collection.
func heapInUse() int64 {
	var m runtime.MemStats
	for range 3 { // a finalizer may need more than one collection
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
