package mcpserver

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// places bounds the calls in progress. A call that finds no place waits for one, unless the queue is so long that it could not be served
// in time.
type places struct {
	taken   chan struct{} // its capacity is the bound
	waiting atomic.Int64
	mean    atomic.Int64 // the moving mean of the durations of calls, in nanoseconds
}

// newPlaces returns a bound for calls; nil for no bound.
func newPlaces(most int) *places {
	if most <= 0 {
		return nil
	}
	return &places{taken: make(chan struct{}, most)}
}

// take returns the function that gives the place of a call back. A call that gets no place within the time limit is refused with
// RATE_LIMITED and the seconds after which it may be made again, at once if that can be foreseen.
func (p *places) take(ctx context.Context, limit time.Duration) (leave func(), err error) {
	if p == nil {
		return func() {}, nil
	}
	select {
	case p.taken <- struct{}{}:
		return p.leaver(), nil
	default:
	}
	waiting := p.waiting.Add(1)
	defer p.waiting.Add(-1)
	if wait := p.expected(waiting); wait > limit {
		return nil, busy(wait)
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case p.taken <- struct{}{}:
		return p.leaver(), nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-timer.C:
		return nil, busy(p.expected(p.waiting.Load()))
	}
}

// leaver returns the function that ends a call, and learns from its duration.
func (p *places) leaver() func() {
	start := time.Now()
	return func() {
		took, mean := int64(time.Since(start)), p.mean.Load()
		if mean == 0 {
			mean = took
		}
		p.mean.Store(mean + (took-mean)/16) // a lost update between two calls does not matter
		<-p.taken
	}
}

// expected returns how long a call waits that is the nth in the queue.
func (p *places) expected(n int64) time.Duration {
	return time.Duration(float64(p.mean.Load()) * float64(n) / float64(cap(p.taken)))
}

// busy returns the error of a call that could not be served in time.
func busy(wait time.Duration) error {
	seconds := max(1, int(math.Ceil(wait.Seconds())))
	return &entity.Error{
		Code:    entity.RateLimited,
		Message: fmt.Sprintf("This server takes no further call at the moment; one ends in about %d s. No source was asked.", seconds),
		Hint:    fmt.Sprintf("Wait %d s and make the same call again. Make fewer calls at once.", seconds),
	}
}
