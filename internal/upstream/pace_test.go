package upstream_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/store"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// every returns n moments, the first one at once.
func every(interval time.Duration, n int) []time.Duration {
	var out []time.Duration
	for i := range n {
		out = append(out, time.Duration(i)*interval)
	}
	return out
}

func TestPaceSpacesConcurrentCallers(t *testing.T) {
	t.Parallel()
	for _, interval := range []time.Duration{time.Second, 400 * time.Millisecond, 110 * time.Millisecond, 0} {
		t.Run(interval.String(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newSource(ok())
				o := options(s)
				o.Interval = interval
				c := upstream.NewClient(o)
				var callers sync.WaitGroup
				for range 50 {
					callers.Go(func() {
						if _, _, err := ask(t, c, t.Context()); err != nil {
							t.Error(err)
						}
					})
				}
				callers.Wait()
				expect.Equal(t, "starts", every(interval, 50), s.starts)
			})
		})
	}
}

// Sources with one budget take turns with each other, even if their hosts differ.
func TestPaceOfOneBudget(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newSource(ok())
		o := options(s)
		o.Interval, o.Budget = time.Second, "one"
		o.Turns = store.New(store.Options{Log: o.Log})
		both := []*upstream.Client{upstream.NewClient(o), upstream.NewClient(o)}
		var callers sync.WaitGroup
		for i := range 6 {
			callers.Go(func() {
				req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, fmt.Sprintf("https://host%d.test/", i%2), nil)
				expect.Succeeds(t, err, "request")
				resp, err := both[i%2].Do(req)
				expect.Succeeds(t, err, "request %d", i)
				if err == nil {
					resp.Body.Close()
				}
			})
		}
		callers.Wait()
		expect.Equal(t, "starts", every(time.Second, 6), s.starts)
	})
}

// A source that is switched off gets no request.
func TestOff(t *testing.T) {
	t.Parallel()
	s := newSource(ok())
	o := options(s)
	o.Off = &entity.Error{Code: entity.UpstreamError, Message: "It is switched off."}
	_, _, err := ask(t, upstream.NewClient(o), t.Context())
	expect.That(t, entity.AsError(err) == o.Off && len(s.starts) == 0, "%v after %d requests", err, len(s.starts))
}

// A slow source does not slow the pace: the pace spaces starts, not answers.
func TestPaceDoesNotWaitForAnswers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newSource(hang)
		o := options(s)
		o.Interval = time.Second
		c := upstream.NewClient(o)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		var callers sync.WaitGroup
		for range 4 {
			callers.Go(func() { ask(t, c, ctx) })
		}
		callers.Wait()
		expect.Equal(t, "starts", every(time.Second, 4), s.starts)
	})
}

// Unused time is not saved up for a burst.
func TestPaceAfterIdleTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newSource(ok())
		o := options(s)
		o.Interval = time.Second
		c := upstream.NewClient(o)
		ask(t, c, t.Context())
		time.Sleep(10*time.Second + 300*time.Millisecond)
		ask(t, c, t.Context())
		ask(t, c, t.Context())
		want := []time.Duration{0, 10300 * time.Millisecond, 11300 * time.Millisecond}
		expect.Equal(t, "starts", want, s.starts)
	})
}

// A queue has callers that came one after another.
type queue struct {
	t      *testing.T
	client *upstream.Client
	wait   sync.WaitGroup

	mu     sync.Mutex
	served []int
	failed map[int]*entity.Error
}

func newQueue(t *testing.T, s *source, interval time.Duration) *queue {
	o := options(s)
	o.Interval = interval
	return &queue{t: t, client: upstream.NewClient(o), failed: map[int]*entity.Error{}}
}

// join adds a caller behind all that joined before.
func (q *queue) join(ctx context.Context, name int) {
	q.wait.Go(func() {
		_, _, err := ask(q.t, q.client, ctx)
		q.mu.Lock()
		defer q.mu.Unlock()
		if err != nil {
			q.failed[name] = err
			return
		}
		q.served = append(q.served, name)
	})
	synctest.Wait()
}

func TestPaceIsFair(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(t, newSource(ok()), time.Second)
		var order []int
		for i := range 20 {
			q.join(t.Context(), i)
			order = append(order, i)
		}
		q.wait.Wait()
		expect.Equal(t, "order", order, q.served)
	})
}

func TestPaceRefusesLateRequests(t *testing.T) {
	t.Parallel()
	const interval = time.Second
	for name, test := range map[string]struct {
		queued  int           // callers ahead, all at once
		passed  time.Duration // since they came
		timeout time.Duration // of the caller
		seconds string        // in the error; "": served
	}{
		"too short":                        {queued: 3, timeout: 2500 * time.Millisecond, seconds: "3 s"},
		"just the wait":                    {queued: 3, timeout: 3 * time.Second, seconds: "3 s"},
		"long enough":                      {queued: 3, timeout: 3*time.Second + 1},
		"rounded up to seconds":            {queued: 3, passed: 400 * time.Millisecond, timeout: time.Second, seconds: "3 s"},
		"less than a second is one":        {queued: 1, passed: 900 * time.Millisecond, timeout: time.Millisecond, seconds: "1 s"},
		"the queue has moved":              {queued: 6, passed: 3500 * time.Millisecond, timeout: time.Second, seconds: "3 s"},
		"first in the queue, any deadline": {queued: 0, timeout: time.Millisecond},
		"long queue, call's usual timeout": {queued: 40, timeout: 30 * time.Second, seconds: "40 s"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newSource(ok())
				q := newQueue(t, s, interval)
				for i := range test.queued {
					q.join(t.Context(), i)
				}
				time.Sleep(test.passed)
				synctest.Wait()
				made, before := len(s.starts), time.Now()
				ctx, cancel := context.WithTimeout(t.Context(), test.timeout)
				defer cancel()
				_, _, err := ask(t, q.client, ctx)
				if test.seconds == "" {
					expect.That(t, err == nil, "%v", err)
					return
				}
				wantError(t, err, entity.RateLimited, "Example", test.seconds, "Wait "+test.seconds, "exponential backoff")
				expect.Is(t, time.Since(before), 0, "refused after")
				expect.That(t, len(s.starts) == made, "%d requests were made for it", len(s.starts)-made)
				q.join(t.Context(), -1) // takes the turn that the refused caller did not take
				q.wait.Wait()
				expect.Equal(t, "starts afterwards", every(interval, test.queued+1), s.starts)
			})
		})
	}
}

// Many refused callers at once neither delay the queue nor make it look longer.
func TestPaceRefusedCallersTakeNoTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newSource(ok())
		q := newQueue(t, s, time.Second)
		q.join(t.Context(), 0)
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		var refused sync.WaitGroup
		for range 100 {
			refused.Go(func() { ask(t, q.client, ctx) })
		}
		refused.Wait()
		ctx, cancel = context.WithTimeout(t.Context(), 1500*time.Millisecond)
		defer cancel()
		q.join(ctx, 1)
		q.wait.Wait()
		expect.Equal(t, "starts", every(time.Second, 2), s.starts)
	})
}

func TestPaceCancelledCallerFreesItsTurn(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		cancel []int // of five callers; 0 is served at once
		want   []int
	}{
		"head of the queue":     {[]int{1}, []int{0, 2, 3, 4}},
		"in the middle":         {[]int{2}, []int{0, 1, 3, 4}},
		"the last one":          {[]int{4}, []int{0, 1, 2, 3}},
		"several":               {[]int{1, 3}, []int{0, 2, 4}},
		"all, first come first": {[]int{1, 2, 3, 4}, []int{0}},
		"all, last come first":  {[]int{4, 3, 2, 1}, []int{0}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newSource(ok())
				q := newQueue(t, s, time.Second)
				cancels := map[int]context.CancelFunc{}
				for i := range 5 {
					ctx, cancel := context.WithCancel(t.Context())
					defer cancel()
					cancels[i] = cancel
					q.join(ctx, i)
				}
				time.Sleep(500 * time.Millisecond)
				for _, i := range test.cancel {
					cancels[i]()
					synctest.Wait()
					expect.Must(t, q.failed[i] != nil, "caller %d still waits after its context was cancelled", i)
					wantError(t, q.failed[i], entity.UpstreamError, "cancelled")
				}
				want := append(slices.Clone(test.want), 5)
				// The last caller finds no gap and the right queue length.
				turn := time.Duration(len(test.want))*time.Second - 500*time.Millisecond
				ctx, cancel := context.WithTimeout(t.Context(), turn+1)
				defer cancel()
				q.join(ctx, 5)
				q.wait.Wait()
				expect.Equal(t, "served", want, q.served)
				expect.Equal(t, "starts", every(time.Second, len(want)), s.starts)
			})
		})
	}
}

// hiddenDeadline is a context that does not report its deadline.
type hiddenDeadline struct{ context.Context }

func (hiddenDeadline) Deadline() (time.Time, bool) { return time.Time{}, false }

// A deadline that passes in the queue is not the fault of the source.
func TestPaceDeadlinePassesInTheQueue(t *testing.T) {
	t.Parallel()
	for name, ahead := range map[string]int{"as the head": 1, "behind others": 3} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newSource(ok())
				q := newQueue(t, s, time.Second)
				for i := range ahead {
					q.join(t.Context(), i)
				}
				ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
				defer cancel()
				_, _, err := ask(t, q.client, hiddenDeadline{ctx})
				wantError(t, err, entity.RateLimited, "Wait ")
				q.wait.Wait()
				expect.Equal(t, "requests", ahead, len(s.starts))
			})
		})
	}
}

func TestContextThatEndedBefore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newSource(ok())
		c := upstream.NewClient(options(s))
		cancelled, cancel := context.WithCancel(t.Context())
		cancel()
		_, _, err := ask(t, c, cancelled)
		wantError(t, err, entity.UpstreamError, "cancelled")
		late, cancel := context.WithTimeout(t.Context(), -time.Second)
		defer cancel()
		_, _, err = ask(t, c, late)
		wantError(t, err, entity.UpstreamError, "in the time of this call")
		expect.That(t, len(s.starts) == 0, "%d requests were made", len(s.starts))
	})
}

// The requests of a day, attempts included, are limited. A refused request is not sent and not tried again.
func TestDaily(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newSource(reply(503, "down"), ok())
		o := options(s)
		o.Daily, o.LimitHint = 3, "A key allows more."
		c := upstream.NewClient(o)
		for left := 1; left >= 0; left-- {
			_, _, err := ask(t, c, t.Context())
			today, limited := c.LeftToday()
			expect.That(t, err == nil && limited && today == left, "%v, %d left, want %d", err, today, left)
		}
		_, _, err := ask(t, c, t.Context())
		wantError(t, err, entity.RateLimited, "The 3 requests of today to Example are used up", "in less than 24 h. A key allows more.")
		expect.Equal(t, "requests", 3, len(s.starts))
	})
}

// An error of the source that says what is wrong with the request is not tried again. It is no answer, and no outage.
func TestRefused(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]int{`{"error":"parse"}`: 1, `{"error":"shards"}`: 3} {
		synctest.Test(t, func(t *testing.T) {
			s := newSource(reply(500, body, "Content-Type: application/json"))
			o := options(s)
			o.Refused = func(_ *http.Response, body []byte) *entity.Error {
				if !strings.Contains(string(body), "parse") {
					return nil
				}
				return &entity.Error{Code: entity.InvalidInput, Message: "Not understood.", Hint: "Write it otherwise."}
			}
			_, _, err := ask(t, upstream.NewClient(o), t.Context())
			code := map[int]entity.Code{1: entity.InvalidInput, 3: entity.UpstreamError}[want]
			expect.That(t, err != nil && err.Code == code && len(s.starts) == want, "%s: %v after %d requests", body, err, len(s.starts))
		})
	}
}
