package upstream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// pace spaces the starts of requests. Requests wait in a queue, and only the first one claims a start, in turn with all other processes of
// the user. So a cancelled request leaves no gap, and a busy process does not displace the others.
type pace struct {
	Options
	next http.RoundTripper

	mu    sync.Mutex
	queue []*place  // requests that wait for their turn, in order
	free  time.Time // when the next request may start, as far as this process knows
	retry time.Time // the latest moment at which a refused caller may call again

	left atomic.Int64 // requests of the day after the last one, if they are limited
}

func (p *pace) RoundTrip(req *http.Request) (*http.Response, error) {
	err := p.begin(req.Context(), req.URL.Host)
	if err == nil {
		err = p.spend(req.Context(), req.URL.Host)
	}
	if err != nil {
		if req.Body != nil {
			req.Body.Close()
		}
		return nil, err
	}
	sent := time.Now()
	resp, err := p.next.RoundTrip(req)
	took := time.Since(sent)
	p.reportAttempt(resp, err, took)
	p.logAttempt(req, resp, err, took)
	return resp, err
}

// budget returns the name of the rate limit that requests to a host count against.
func (o *Options) budget(host string) string { return cmp.Or(o.Budget, host) }

// begin waits for the start of a request, unless the turn in its context is not used yet.
func (p *pace) begin(ctx context.Context, host string) error {
	if unused, ok := ctx.Value(turnKey{}).(*atomic.Bool); ok && unused.Swap(false) {
		return nil
	}
	if ctx.Err() != nil || p.Interval == 0 {
		return ctx.Err()
	}
	callers, ok := ctx.Value(callersKey{}).(func() int)
	if !ok {
		callers = func() int { return 1 }
	}
	pl := p.enqueue(host, callers)
	defer pl.dequeue()
	patience := func() time.Duration { return timeLeft(ctx) }
	if wait := pl.wait(); p.late(wait, patience()) {
		return p.rateLimited(wait, nil)
	}
	if wait, ok := pl.takeTurn(ctx, patience); !ok {
		return p.refusal(ctx, pl.waitOfRetry(wait))
	}
	return nil
}

// turnKey is the key of the context value that reports whether the turn that was claimed is not used yet.
type turnKey struct{}

// callersKey is the key of the context value that returns the number of callers that wait for the requests of the context.
type callersKey struct{}

// longQueue limits the wait of a call without a deadline.
const longQueue = 30 * time.Minute

// late reports whether a request must not wait for its turn: the source would have less time than most answers take, and would be blamed. A
// turn without a wait is used even if little time is left: the queue did not use up the time.
func (o *Options) late(wait, left time.Duration) bool {
	return wait > 0 && wait+o.Latency >= left
}

// timeLeft returns the time until the deadline of a context.
func timeLeft(ctx context.Context) time.Duration {
	if deadline, ok := ctx.Deadline(); ok {
		return time.Until(deadline)
	}
	return longQueue
}

func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// refusal returns the error of a request that does not start. If a deadline passes in the queue, the error is RATE_LIMITED: the source is
// not the cause.
func (p *pace) refusal(ctx context.Context, wait time.Duration) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	return p.rateLimited(wait, ctx.Err())
}

// spend counts a request of the day.
func (p *pace) spend(ctx context.Context, host string) error {
	if p.Daily == 0 {
		return nil
	}
	left := p.Turns.Spend(ctx, p.budget(host), p.Daily)
	p.left.Store(int64(max(0, left)))
	if left >= 0 {
		return nil
	}
	now := time.Now().UTC()
	hours := now.Truncate(24*time.Hour).Add(24*time.Hour).Sub(now).Hours() + 1
	return &entity.Error{
		Code:    entity.RateLimited,
		Message: fmt.Sprintf("The %d requests of today to %s are used up, by all processes on this machine.", p.Daily, p.Source),
		Hint: strings.TrimSpace(fmt.Sprintf("This is not an empty result. Make the same call again after midnight UTC, in less than %d h. "+
			"%s", int(hours), p.LimitHint)),
	}
}

// maxRetrySpread limits how much longer than necessary a refused caller waits.
const maxRetrySpread = time.Minute

// waitOfRefused returns the wait of a caller that is refused: at least wait, and a second after the caller that was refused before. Callers
// that came back at once would be refused again.
func (p *pace) waitOfRefused(wait time.Duration) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	switch next := p.retry.Add(time.Second).Sub(now); {
	case next > wait+maxRetrySpread:
		return wait + rand.N(maxRetrySpread) //nolint:gosec // not a secret
	case next > wait:
		wait = next
	}
	p.retry = now.Add(wait)
	return wait
}

// rateLimited returns the RATE_LIMITED error of a request that is not sent.
func (p *pace) rateLimited(wait time.Duration, cause error) *entity.Error {
	return p.Options.rateLimited(p.waitOfRefused(wait), cause)
}

// rateLimited returns the RATE_LIMITED error of a source whose budget is free again after wait.
func (o *Options) rateLimited(wait time.Duration, cause error) *entity.Error {
	seconds := max(1, int((wait+time.Second-1)/time.Second))
	hint := fmt.Sprintf("Wait %d s and make the same call again; if it fails again, double the wait each time (exponential backoff). "+
		"Make fewer calls at once.", seconds)
	if o.LimitHint != "" {
		hint += " " + o.LimitHint
	}
	return &entity.Error{
		Code:    entity.RateLimited,
		Message: fmt.Sprintf("The request budget of %s is used up for the next %d s.", o.Source, seconds),
		Hint:    hint,
		Cause:   cause,
	}
}
