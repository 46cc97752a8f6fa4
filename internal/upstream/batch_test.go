package upstream_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/store"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// A recorder answers the requests of a batch: it has a record for every key except those that start with "no", and answers after a set
// time.
type recorder struct {
	takes time.Duration
	fails error

	mu       sync.Mutex
	requests []string // keys of each request
	starts   []time.Duration
	ended    []error // of the contexts, when the requests ended
	began    time.Time
}

func (r *recorder) fetch(ctx context.Context, keys []string) (map[string]string, error) {
	r.mu.Lock()
	r.requests = append(r.requests, strings.Join(keys, " "))
	r.starts = append(r.starts, time.Since(r.began))
	r.mu.Unlock()
	timer := time.NewTimer(r.takes)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = append(r.ended, ctx.Err())
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	found := map[string]string{}
	for _, k := range keys {
		if !strings.HasPrefix(k, "no") {
			found[k] = "record of " + k
		}
	}
	return found, r.fails
}

// paced returns a batch that has one turn a second.
func paced(t *testing.T, r *recorder, most int) *upstream.Batch[string, string] {
	t.Helper()
	o := options(newSource(ok()))
	o.Interval = time.Second
	client := upstream.NewClient(o)
	r.began = time.Now()
	return &upstream.Batch[string, string]{Key: sameKey, Max: most, Client: client, Host: "host", Fetch: r.fetch}
}

// inTurn calls do in a context that has a turn.
func inTurn(ctx context.Context, c *upstream.Client, do func(ctx context.Context)) error {
	b := &upstream.Batch[string, string]{Key: sameKey, Max: 1, Client: c, Host: "upstream.test",
		Fetch: func(ctx context.Context, _ []string) (map[string]string, error) {
			do(ctx)
			return nil, nil
		}}
	_, _, err := b.Get(ctx, "")
	return err
}

func sameKey(key string) string { return key }

func within(t *testing.T, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

// TestBatchSendsAtOnce: if no request waits, a lookup does not wait either.
func TestBatchSendsAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := &recorder{}
		b := paced(t, r, 100)
		value, found, err := b.Get(within(t, time.Minute), "a")
		if value != "record of a" || !found || err != nil || time.Since(r.began) != 0 {
			t.Errorf("%q, %v, %v after %v", value, found, err, time.Since(r.began))
		}
		if _, found, err := b.Get(within(t, time.Minute), "no1"); found || err != nil {
			t.Errorf("a key without a record: %v, %v", found, err)
		}
	})
}

// TestBatchJoins: lookups that wait are sent in one request, each key once, up to the limit of a request.
func TestBatchJoins(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := &recorder{takes: 100 * time.Millisecond}
		b := paced(t, r, 100)
		var callers sync.WaitGroup
		ask := func(key string) {
			callers.Go(func() {
				value, found, err := b.Get(within(t, 30*time.Second), key)
				expect.That(t, err == nil && found != strings.HasPrefix(key, "no") && (!found || value == "record of "+key),
					"%s: %q, %v, %v", key, value, found, err)
			})
		}
		ask("first")
		synctest.Wait()
		for i := range 149 {
			ask(fmt.Sprint(i))
			ask(fmt.Sprint(i)) // the same question, twice at once
		}
		ask("no1")
		ask("first") // which is already sent
		callers.Wait()
		var sizes []int
		for _, keys := range r.requests {
			sizes = append(sizes, len(strings.Fields(keys)))
		}
		expect.Equal(t, "keys of the requests", []int{1, 100, 50}, sizes)
		expect.Equal(t, "starts", every(time.Second, 3), r.starts)
		keys := strings.Fields(strings.Join(r.requests, " "))
		if len(slices.Compact(slices.Sorted(slices.Values(keys)))) != len(keys) {
			t.Error("a key was requested twice")
		}
	})
}

// TestBatchCallerCancels: a caller that cancels does not cancel the request of others; when all have cancelled, the request ends, and a key
// that still waited is not requested.
func TestBatchCallerCancels(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := &recorder{takes: 10 * time.Second}
		b := paced(t, r, 100)
		var callers sync.WaitGroup
		impatient, leave := context.WithCancel(t.Context())
		get := func(ctx context.Context, key string, want error) {
			callers.Go(func() {
				if _, _, err := b.Get(ctx, key); !errors.Is(err, want) {
					t.Errorf("%s: %v, want %v", key, err, want)
				}
			})
		}
		get(impatient, "a", context.Canceled)
		get(within(t, time.Minute), "a", nil)
		synctest.Wait()
		get(impatient, "b", context.Canceled)
		synctest.Wait()
		leave()
		callers.Wait()
		expect.Equal(t, "requests", []string{"a"}, r.requests)

		second, leaveToo := context.WithCancel(t.Context())
		get(second, "c", context.Canceled)
		time.Sleep(2 * time.Second)
		leaveToo()
		callers.Wait()
		synctest.Wait()
		expect.Equal(t, "ends of the requests", []error{nil, context.Canceled}, r.ended,
			cmp.Comparer(func(a, b error) bool { return errors.Is(a, b) }))
		// The queue continues.
		if _, found, err := b.Get(within(t, time.Minute), "d"); !found || err != nil {
			t.Errorf("after all had left: %v, %v", found, err)
		}
	})
}

// A lateContext is one whose deadline has passed before it ends, as with a timer that has yet to fire.
type lateContext struct {
	context.Context
	deadline time.Time
}

func (c lateContext) Deadline() (time.Time, bool) { return c.deadline, true }

// TestCancelledCallAsksNothing: a call that is cancelled sends no request, however the goroutines run.
func TestCancelledCallAsksNothing(t *testing.T) {
	t.Parallel()
	r := &recorder{}
	b := &upstream.Batch[string, string]{Key: sameKey, Max: 1, Host: "host", Fetch: r.fetch} // no request waits
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	var callers sync.WaitGroup
	for caller := range 20 { // callers wait for the lock of the batch while its requests start
		callers.Go(func() {
			for n := range 500 {
				_, _, err := b.Get(ended, fmt.Sprint(caller, n))
				expect.That(t, errors.Is(err, context.Canceled), "%v", err)
			}
		})
	}
	callers.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	expect.That(t, len(r.requests) == 0, "%d requests", len(r.requests))
}

// A caller whose own time is up does not retry with the callers that have more.
func TestBatchCallerIsLate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := &recorder{takes: 10 * time.Second}
		b := &upstream.Batch[string, string]{Max: 1, Key: func(key string) string { return key }, Fetch: r.fetch}
		late := lateContext{t.Context(), time.Now().Add(time.Second)}
		var callers sync.WaitGroup
		callers.Go(func() {
			if _, _, err := b.Get(late, "a"); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("the caller that is late gets %v", err)
			}
		})
		synctest.Wait()
		if _, found, err := b.Get(within(t, time.Minute), "a"); !found || err != nil {
			t.Errorf("the patient caller gets %v, %v", found, err)
		}
		callers.Wait()
		expect.Equal(t, "requests", []string{"a", "a"}, r.requests)
	})
}

// TestBatchFails: a failure is returned to all callers of the request, and not to later ones.
func TestBatchFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		failure := &entity.Error{Code: entity.UpstreamError}
		r := &recorder{fails: failure}
		b := paced(t, r, 100)
		for range 2 {
			if _, _, err := b.Get(within(t, time.Minute), "a"); !errors.Is(err, failure) {
				t.Errorf("%v", err)
			}
		}
		r.fails = nil
		if _, found, err := b.Get(within(t, time.Minute), "a"); !found || err != nil {
			t.Errorf("%v, %v", found, err)
		}
	})
}

// TestBatchRefusesLateCallers: a lookup whose time ends before its turn is RATE_LIMITED at once; lookups with more time are served.
func TestBatchRefusesLateCallers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := &recorder{}
		b := paced(t, r, 1)
		var callers sync.WaitGroup
		for i := range 3 {
			callers.Go(func() {
				if _, _, err := b.Get(within(t, time.Minute), fmt.Sprint(i)); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		_, _, err := b.Get(within(t, 500*time.Millisecond), "hasty")
		if e := entity.AsError(err); e.Code != entity.RateLimited || time.Since(r.began) != 0 {
			t.Errorf("%v after %v", err, time.Since(r.began))
		}
		callers.Wait()
		expect.Equal(t, "starts", every(time.Second, 3), r.starts)
	})
}

// TestGetAll: keys of one call are sent together, although no request waits; keys without a record are not among the answers.
func TestGetAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &recorder{began: time.Now()}
		b := &upstream.Batch[string, string]{Key: sameKey, Max: 3, Fetch: r.fetch}
		got, err := b.GetAll(t.Context(), []string{"a", "no1", "b", "c"})
		expect.NoError(t, err)
		want := map[string]string{"a": "record of a", "b": "record of b", "c": "record of c"}
		expect.Equal(t, "", want, got)
		slices.Sort(r.requests) // they are sent at the same time
		expect.Equal(t, "requests", []string{"a no1 b", "c"}, r.requests)
		r.fails = errors.New("down")
		if got, err := b.GetAll(t.Context(), []string{"a", "b"}); err == nil {
			t.Errorf("a request that fails is answered with %v", got)
		}
		if got, err := b.GetAll(t.Context(), nil); err != nil || len(got) > 0 {
			t.Errorf("nothing is answered with %v, %v", got, err)
		}
	})
}

// TestBatchEndsWithLastCallersError: a request without callers ends at once, with the error of the last caller: a timeout or a cancelled
// call.
func TestBatchEndsWithLastCallersError(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		first, last time.Duration // after which the callers cancel
		patience    time.Duration // of the last one; 0: it cancels
		want        error
	}{
		{time.Second, 2 * time.Second, 2 * time.Second, context.DeadlineExceeded},
		{time.Second, 2 * time.Second, 0, context.Canceled},
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			var cause error
			var ended time.Duration
			o := options(newSource(ok()))
			o.Interval = time.Millisecond
			client := upstream.NewClient(o)
			if err := getPath(t, client, t.Context(), "/"); err != nil { // so that both wait for one turn
				t.Fatal(err)
			}
			b := &upstream.Batch[string, string]{Key: sameKey,
				Max: 2, Client: client, Host: "upstream.test",
				Fetch: func(ctx context.Context, _ []string) (map[string]string, error) {
					<-ctx.Done()
					cause, ended = context.Cause(ctx), time.Since(began)
					return nil, cause
				},
			}
			var callers sync.WaitGroup
			call := func(key string, patience, leaves time.Duration) {
				callers.Go(func() {
					ctx, cancel := context.WithTimeout(t.Context(), patience)
					defer cancel()
					time.AfterFunc(leaves, cancel)
					_, _, _ = b.Get(ctx, key)
				})
			}
			call("a", time.Minute, tt.first)
			if tt.patience > 0 {
				call("b", tt.patience, time.Hour)
			} else {
				call("b", time.Minute, tt.last)
			}
			callers.Wait()
			synctest.Wait()
			expect.That(t, errors.Is(cause, tt.want) && ended == tt.last,
				"ended after %v because of %v, want %v after %v", ended, cause, tt.want, tt.last)
		})
	}
}

// TestBatchRefusesOnJoining: of callers that come at once, those that cannot be served in time are refused at once. No wait of a refusal is
// shorter than the queue needs, and no two are equal.
func TestBatchRefusesOnJoining(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		ahead   int // callers with enough time that came before
		latency time.Duration
		served  int
		seconds int // that the queue needs
	}{
		"no caller ahead":                 {0, 0, 5, 5},
		"most answers take half a second": {0, 500 * time.Millisecond, 5, 5},
		"most answers take a second":      {0, time.Second, 4, 4},
		"three ahead":                     {3, 0, 2, 5},
		"twenty ahead":                    {20, 0, 0, 20},
		"a hundred ahead":                 {100, 0, 0, 100},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				o := options(newSource(ok()))
				o.Interval, o.Latency = time.Second, tt.latency
				client := upstream.NewClient(o)
				r := &recorder{takes: 100 * time.Millisecond, began: time.Now()}
				b := &upstream.Batch[string, string]{Key: sameKey, Max: 1, Client: client, Host: "host", Fetch: r.fetch}
				var callers sync.WaitGroup
				for i := range tt.ahead {
					callers.Go(func() {
						if _, _, err := b.Get(t.Context(), fmt.Sprint("ahead ", i)); err != nil {
							t.Error(err)
						}
					})
				}
				synctest.Wait()
				var mu sync.Mutex
				served, refused := 0, 0
				var waits []int
				for i := range 12 {
					callers.Go(func() {
						_, _, err := b.Get(within(t, 5*time.Second), fmt.Sprint(i))
						mu.Lock()
						defer mu.Unlock()
						if err == nil {
							served++
							return
						}
						refused++
						wait := 0
						_, scanErr := fmt.Sscanf(entity.AsError(err).Hint, "Wait %d s ", &wait)
						expect.NoError(t, scanErr)
						waits = append(waits, wait)
						wantError(t, entity.AsError(err), entity.RateLimited, "Example")
						expect.Is(t, time.Since(r.began), 0, "refused after")
					})
				}
				synctest.Wait()
				expect.Equal(t, "wait", tt.ahead+tt.served-1, client.State().Queued)
				callers.Wait()
				expect.That(t, served == tt.served && refused == 12-tt.served,
					"%d served and %d refused, want %d served", served, refused, tt.served)
				slices.Sort(waits)
				expect.That(t, waits[0] == tt.seconds && len(slices.Compact(waits)) == refused,
					"waits %v, want different ones from %d on", waits, tt.seconds)
				expect.Equal(t, "starts", every(time.Second, tt.ahead+tt.served), r.starts)
				if n := client.State().Queued; n != 0 {
					t.Errorf("%d wait in the end", n)
				}
			})
		})
	}
}

// TestQueued: all waiting callers are counted, also in a batch and during a retry.
func TestQueued(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := options(newSource(reply(503, ""), ok()))
		o.Interval = 10 * time.Second
		client := upstream.NewClient(o)
		r := &recorder{}
		searches := &upstream.Batch[string, string]{Key: sameKey, Max: 1, Client: client, Host: "host", Fetch: r.fetch}
		records := &upstream.Batch[string, string]{Key: sameKey, Max: 20, Client: client, Host: "host",
			Fetch: func(ctx context.Context, _ []string) (map[string]string, error) {
				return nil, getPath(t, client, ctx, "/")
			}}
		var callers sync.WaitGroup
		want := func(when string, n int) {
			t.Helper()
			synctest.Wait()
			expect.Equal(t, fmt.Sprintf("%s: wait", when), n, client.State().Queued)
		}
		get := func(ctx context.Context, b *upstream.Batch[string, string], keys ...string) {
			callers.Go(func() { _, _ = b.GetAll(ctx, keys) })
			synctest.Wait()
		}
		want("nobody", 0)
		get(t.Context(), searches, "first")
		want("one is served", 0)
		for i := range 25 { // two requests
			get(t.Context(), records, fmt.Sprint(i))
		}
		want("of many keys", 25)
		get(t.Context(), records, "0")
		want("of one key", 26)
		get(t.Context(), records, "1", "24", "24", "30", "31")
		want("of several keys", 27)
		away, leave := context.WithCancel(t.Context())
		for i := range 3 {
			get(away, searches, fmt.Sprint(i))
		}
		callers.Go(func() { _ = getPath(t, client, t.Context(), "/") })
		want("of other questions", 31)
		leave()
		want("three go away", 28)
		time.Sleep(15 * time.Second) // the first request for records failed, and waits again
		want("at the second attempt", 28)
		time.Sleep(10 * time.Second) // the second request for records
		want("after two turns", 22)
		time.Sleep(time.Minute)
		callers.Wait()
		want("in the end", 0)
	})
}

// TestLateTurn: a request that would have less time than most answers take is refused, not sent, unless it did not have to wait.
func TestLateTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newSource(ok())
		o := options(s)
		o.Interval, o.Latency = time.Second, 500*time.Millisecond
		o.Turns = store.New(store.Options{Log: o.Log})
		client := upstream.NewClient(o)
		began := time.Now()
		ask := func(left time.Duration, code entity.Code, at time.Duration) {
			t.Helper()
			err := getPath(t, client, within(t, left), "/")
			expect.That(t, (code != "" || err == nil) && (code == "" || entity.AsError(err).Code == code),
				"with %v: %v, want %q", left, err, code)
			expect.Equal(t, fmt.Sprintf("with %v: ended at", left), at, time.Since(began))
		}
		ask(3*time.Millisecond, "", 0)
		ask(1003*time.Millisecond, entity.RateLimited, 0)
		ask(1501*time.Millisecond, "", time.Second)
		another := func(interval time.Duration) {
			_, _ = o.Turns.Start(t.Context(), "upstream.test", interval)
		}
		time.Sleep(time.Second)
		another(time.Second) // the turn moves, and less time is left
		ask(1400*time.Millisecond, entity.RateLimited, 2*time.Second)
		ask(1600*time.Millisecond, "", 3*time.Second)
		time.AfterFunc(950*time.Millisecond, func() { another(900 * time.Millisecond) }) // while it waits
		ask(1600*time.Millisecond, entity.RateLimited, 4*time.Second)
		ask(1600*time.Millisecond, "", 4950*time.Millisecond)
		expect.Equal(t, "starts", []time.Duration{0, time.Second, 3 * time.Second, 4950 * time.Millisecond}, s.starts)
	})
}

// TestWorkEndsWithItsCall: work on several records ends when the time of the last caller is up, and the error does not blame a source that
// has answered.
func TestWorkEndsWithItsCall(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		second answer // to the request after the work; nil: none
		works  int    // seconds
		want   string
	}{
		"work":                   {nil, 100, "Example answered, but the work on its answer took too long here."},
		"request after the work": {hang, 2, "Example did not answer in the time of this call."},
	} {
		synctest.Test(t, func(t *testing.T) {
			client := upstream.NewClient(options(newSource(ok(), test.second)))
			var worked atomic.Int64
			b := &upstream.Batch[string, string]{Key: sameKey, Max: 1, Client: client, Host: "host",
				Fetch: func(ctx context.Context, _ []string) (map[string]string, error) {
					if _, err := client.Do(request(t, ctx)); err != nil {
						return nil, err
					}
					for range test.works {
						if err := upstream.Working(ctx); err != nil {
							return nil, err
						}
						time.Sleep(time.Second)
						worked.Add(1)
					}
					_, err := client.Do(request(t, ctx))
					return nil, err
				}}
			ctx, cancel := context.WithTimeout(t.Context(), 3500*time.Millisecond)
			defer cancel()
			start := time.Now()
			_, _, err := b.Get(ctx, "a")
			expect.Is(t, upstream.Failure("Example", err).Message, test.want, "%s", name)
			expect.Is(t, time.Since(start), 3500*time.Millisecond, "%s: time of the call", name)
			time.Sleep(time.Minute)
			expect.Is(t, int(worked.Load()), min(test.works, 4), "%s: seconds of work", name)
		})
	}
}
