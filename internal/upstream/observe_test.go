package upstream_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// observations records the calls of an observer.
type observations struct {
	mu      sync.Mutex
	results []upstream.Result
	took    []time.Duration
	turns   []time.Duration
}

func (w *observations) observer() upstream.Observer {
	return upstream.Observer{
		Attempt: func(r upstream.Result, took time.Duration) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.results = append(w.results, r)
			w.took = append(w.took, took)
		},
		Turn: func(waited time.Duration) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.turns = append(w.turns, waited)
		},
	}
}

// after answers after a time, or when the context ends.
func after(d time.Duration, next answer) answer {
	return func(req *http.Request) (*http.Response, error) {
		select {
		case <-time.After(d):
			return next(req)
		case <-req.Context().Done():
			return nil, req.Context().Err()
		}
	}
}

// TestEveryAttemptIsObserved: an observer gets the result of each attempt once, also if a retry succeeds.
func TestEveryAttemptIsObserved(t *testing.T) {
	t.Parallel()
	const (
		unreachable = upstream.ResultUnreachable
		unreadable  = upstream.ResultUnreadable
	)
	check := func(_ *http.Response, body []byte) error {
		switch string(body) {
		case "busy":
			return &entity.Error{Code: entity.RateLimited, Message: "Busy.", Hint: "Wait."}
		case "wrong":
			return &entity.Error{Code: entity.InvalidInput, Message: "Wrong.", Hint: "Ask otherwise."}
		case "garbage":
			return errors.New("makes no sense")
		}
		return nil
	}
	covered := map[upstream.Result]bool{upstream.ResultTimeout: true, upstream.ResultCancelled: true} // by the next test
	for name, test := range map[string]struct {
		answers []answer
		want    []upstream.Result
	}{
		"an answer":           {[]answer{ok()}, []upstream.Result{"ok"}},
		"400":                 {[]answer{reply(400, "unknown parameter")}, []upstream.Result{"invalid"}},
		"404":                 {[]answer{reply(404, "not found")}, []upstream.Result{"invalid"}},
		"found wrong":         {[]answer{reply(200, "wrong")}, []upstream.Result{"invalid"}},
		"403":                 {[]answer{reply(403, "no")}, []upstream.Result{"refused"}},
		"404 as a web page":   {[]answer{html(404)}, []upstream.Result{"refused"}},
		"500":                 {[]answer{reply(500, "oops"), ok()}, []upstream.Result{"failed", "ok"}},
		"501":                 {[]answer{reply(501, "oops")}, []upstream.Result{"failed"}},
		"401":                 {[]answer{reply(401, "who?")}, []upstream.Result{"failed"}},
		"too large":           {[]answer{reply(200, string(make([]byte, 1<<10+1)))}, []upstream.Result{unreadable}},
		"429, then an answer": {[]answer{reply(429, "slow down"), ok()}, []upstream.Result{"limited", "ok"}},
		"busy inside 200":     {[]answer{reply(200, "busy"), ok()}, []upstream.Result{"limited", "ok"}},
		"three times 503":     {[]answer{reply(503, "")}, []upstream.Result{"failed", "failed", "failed"}},
		"each in another way": {[]answer{fail(errReset), html(200), reply(429, "")},
			[]upstream.Result{unreachable, unreadable, "limited"}},
		"garbage, broken off": {[]answer{reply(200, "garbage"), breakInBody(errReset), ok()},
			[]upstream.Result{unreadable, unreachable, "ok"}},
		"over a redirect": {[]answer{reply(302, "", "Location: /other"), reply(502, ""), ok()},
			[]upstream.Result{"ok", "failed", "ok"}},
		"a redirect without Location": {[]answer{reply(302, "")}, []upstream.Result{"failed"}},
		"a source's own deadline": {[]answer{fail(context.DeadlineExceeded)},
			[]upstream.Result{unreachable, unreachable, unreachable}},
	} {
		for _, r := range test.want {
			covered[r] = true
		}
		for _, interval := range []time.Duration{0, time.Second} {
			t.Run(fmt.Sprint(name, ", interval ", interval), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					w, s := &observations{}, newSource(test.answers...)
					o := options(s)
					o.Interval, o.Check, o.Observe = interval, check, w.observer()
					resp, _, err := ask(t, upstream.NewClient(o), t.Context())
					expect.Equal(t, "observed", test.want, w.results)
					expect.That(t, len(s.starts) == len(w.results) && (err != nil || upstream.Attempts(resp) == len(w.results)),
						"%d attempts observed, %d made", len(w.results), len(s.starts))
				})
			})
		}
	}
	for _, r := range upstream.Results() {
		expect.That(t, covered[r], "no attempt comes to %q", r)
		delete(covered, r)
	}
	expect.That(t, len(covered) == 0, "in no list: %v", covered)
}

// TestEndedAttemptIsObserved: a cancelled attempt has another result than a source that fails.
func TestEndedAttemptIsObserved(t *testing.T) {
	t.Parallel()
	inBody := func(req *http.Request) (*http.Response, error) {
		resp, err := ok()(req)
		resp.Body = hangingBody{req.Context()}
		return resp, err
	}
	for name, first := range map[string]answer{"before the answer": hang, "in the body": inBody} {
		for _, reading := range []bool{false, true} {
			t.Run(fmt.Sprint(name, ", reading ", reading), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					w := &observations{}
					o := options(newSource(first))
					o.Observe = w.observer()
					c := upstream.NewClient(o)
					late, end := context.WithTimeout(t.Context(), 4*time.Second)
					defer end()
					gone, leave := context.WithCancel(t.Context())
					time.AfterFunc(7*time.Second, leave)
					for _, ctx := range []context.Context{late, gone} {
						if reading {
							ctx = upstream.Reading(ctx, func(body io.Reader) error {
								_, err := io.ReadAll(body)
								return err
							})
						}
						if _, _, err := ask(t, c, ctx); err == nil {
							t.Error("no error")
						}
					}
					expect.Equal(t, "observed", []upstream.Result{upstream.ResultTimeout, upstream.ResultCancelled}, w.results)
					expect.Equal(t, "took", []time.Duration{4 * time.Second, 3 * time.Second}, w.took)
				})
			})
		}
	}
}

// TestTimesAreObserved: the time of an attempt is from its turn to the end of its body, that of a turn is its wait in the queue. Neither
// includes the backoff.
func TestTimesAreObserved(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &observations{}
		s := newSource(after(200*time.Millisecond, ok()))
		o := options(s)
		o.Interval, o.Observe = time.Second, w.observer()
		c := upstream.NewClient(o)
		var callers sync.WaitGroup
		for range 3 {
			callers.Go(func() { ask(t, c, t.Context()) })
			synctest.Wait()
		}
		callers.Wait()
		expect.Equal(t, "turns", every(time.Second, 3), w.turns)
		expect.Equal(t, "took", slices.Repeat([]time.Duration{200 * time.Millisecond}, 3), w.took)
	})
	synctest.Test(t, func(t *testing.T) {
		w := &observations{}
		o := options(newSource(reply(429, "", "Retry-After: 7"), ok()))
		o.Interval, o.Observe = time.Second, w.observer()
		c := upstream.NewClient(o)
		err := inTurn(t.Context(), c, func(turn context.Context) {
			if _, _, err := ask(t, c, turn); err != nil {
				t.Error(err)
			}
		})
		expect.That(t, err == nil, "%v", err)
		// One turn was taken before the request, one by its retry.
		expect.Equal(t, "turns", []time.Duration{0, 0}, w.turns)
		expect.Equal(t, "took", []time.Duration{0, 0}, w.took)
	})
}

// TestRefusedRequestIsNotObserved: a request that is not sent is no attempt, and a wait without a turn is not reported.
func TestRefusedRequestIsNotObserved(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, n := &observations{}, newSource(ok())
		o := options(n)
		o.Interval, o.Observe = time.Second, w.observer()
		c := upstream.NewClient(o)
		expect.Succeeds(t, getPath(t, c, t.Context(), "/"), "error")
		wantError(t, entity.AsError(getPath(t, c, within(t, 100*time.Millisecond), "/")), entity.RateLimited) // the queue is too long
		impatient, leave := context.WithCancel(t.Context())
		time.AfterFunc(100*time.Millisecond, leave)
		if err := getPath(t, c, impatient, "/"); err == nil {
			t.Error("no error")
		}
		if diff := cmp.Diff([]upstream.Result{upstream.ResultOK}, w.results); diff != "" || len(n.starts) != 1 {
			t.Errorf("%d sent; observed (-want +got):\n%s", len(n.starts), diff)
		}
		expect.Equal(t, "turns", []time.Duration{0}, w.turns)
	})
}

// TestBatchSizeIsObserved: the observer gets the number of keys once for each request.
func TestBatchSizeIsObserved(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := paced(t, &recorder{}, 100)
		var mu sync.Mutex
		var sizes []int
		b.Observe = func(keys int) {
			mu.Lock()
			defer mu.Unlock()
			sizes = append(sizes, keys)
		}
		var callers sync.WaitGroup
		get := func(key string) {
			callers.Go(func() { b.Get(within(t, time.Minute), key) })
		}
		get("first")
		synctest.Wait()
		for i := range 149 {
			get(fmt.Sprint(i))
			get(fmt.Sprint(i))
		}
		callers.Wait()
		expect.Equal(t, "sizes", []int{1, 100, 49}, sizes)
	})
}
