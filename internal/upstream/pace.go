package upstream

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// pace spaces the starts of requests. Callers queue, and only the head of the
// queue takes turns, which all processes of the user share: whoever gives up
// leaves no gap behind, and a busy process does not crowd out the others.
type pace struct {
	Options
	next http.RoundTripper
	head chan struct{} // full while somebody is the head; senders are served in order

	mu     sync.Mutex
	queued int       // callers that have not started, the head included
	free   time.Time // when the next one may start, as far as this process knows
}

func (p *pace) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx := req.Context()
	if taken, ok := ctx.Value(turnKey{}).(*atomic.Bool); !ok || !taken.CompareAndSwap(true, false) {
		if err := p.turn(ctx, req.URL.Host); err != nil {
			return nil, err
		}
	}
	return p.next.RoundTrip(req)
}

// turnKey is of the context value that holds whether a turn was taken and not
// used yet.
type turnKey struct{}

// Turn waits for the turn of a request to a host and returns a context whose
// first request has it. What the request asks for can so be decided at the
// last moment. The errors are those of a request.
func (c *Client) Turn(ctx context.Context, host string) (context.Context, error) {
	if err := c.pace.turn(ctx, host); err != nil {
		return nil, failure(c.source, nil, err)
	}
	taken := new(atomic.Bool)
	taken.Store(true)
	return context.WithValue(ctx, turnKey{}, taken), nil
}

// longQueue bounds the wait of a call that has no deadline.
const longQueue = 30 * time.Minute

// turn returns when the request may start, or an error where its context ends
// before, or will.
func (p *pace) turn(ctx context.Context, host string) error {
	if ctx.Err() != nil || p.Interval == 0 {
		return ctx.Err()
	}
	wait := p.join()
	if wait > 0 && wait >= left(ctx) {
		p.leave()
		return limited(p.Source, wait, nil)
	}
	select {
	case p.head <- struct{}{}:
		defer func() { <-p.head }()
	case <-ctx.Done():
		return p.giveUp(ctx)
	}
	at, taken := p.Turns.Reserve(ctx, host, p.Interval, left(ctx)-1)
	wait = time.Until(at)
	if !taken {
		p.leave()
		return limited(p.Source, wait, nil)
	}
	// Another process may have started late: what is spaced is the start itself.
	for {
		if wait > 0 && !sleep(ctx, wait) {
			p.Turns.Release(ctx, host, at, p.Interval)
			return p.giveUp(ctx)
		}
		if wait = p.Turns.Start(ctx, host, p.Interval); wait == 0 {
			break
		}
	}
	p.started()
	return nil
}

// left is the time until the deadline of a context.
func left(ctx context.Context) time.Duration {
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

// join enters the queue and returns how long the wait is if nobody gives up.
func (p *pace) join() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	ahead := p.queued
	p.queued++
	return max(0, time.Until(p.free)) + time.Duration(ahead)*p.Interval
}

// leave takes a caller out of the queue and returns how long the wait is now.
func (p *pace) leave() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.queued--
	return max(0, time.Until(p.free)) + time.Duration(p.queued)*p.Interval
}

func (p *pace) started() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.queued--
	p.free = time.Now().Add(p.Interval)
}

// giveUp leaves the queue. A deadline that passes here was used up by waiting,
// not by the source.
func (p *pace) giveUp(ctx context.Context) error {
	wait := p.leave()
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return limited(p.Source, wait, ctx.Err())
	}
	return ctx.Err()
}

// limited is the RATE_LIMITED of a source whose budget is free again after
// wait.
func limited(source string, wait time.Duration, cause error) *entity.Error {
	seconds := max(1, int((wait+time.Second-1)/time.Second))
	return &entity.Error{
		Code:    entity.RateLimited,
		Message: fmt.Sprintf("The request budget of %s is used up for the next %d s.", source, seconds),
		Hint: fmt.Sprintf("Wait %d s and make the same call again; if it fails again, double the wait each time (exponential backoff). "+
			"Make fewer calls at once.", seconds),
		Cause: cause,
	}
}
