package upstream

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// State is the last known state of a source. Reading it sends no request.
type State struct {
	// Answered is when the source last answered, and Failed when it last failed, by this machine's clock; zero: not yet.
	Answered, Failed time.Time
	// Queued is the number of callers that wait for a turn. Callers that share a request are counted one by one.
	Queued int
}

// Up reports whether the last request to the source was answered; ok is false if no request was made.
func (s State) Up() (up, ok bool) {
	return s.Answered.After(s.Failed), !s.Answered.IsZero() || !s.Failed.IsZero()
}

// State returns the last known state of the source.
func (c *Client) State() State {
	c.pace.mu.Lock()
	queue := slices.Clone(c.pace.queue)
	c.pace.mu.Unlock()
	queued := 0
	for _, pl := range queue {
		queued += pl.callers()
	}
	c.seen.mu.Lock()
	defer c.seen.mu.Unlock()
	return State{Answered: c.seen.answered, Failed: c.seen.failed, Queued: queued}
}

// Interval returns the minimum time between the starts of two requests; 0: none.
func (c *Client) Interval() time.Duration { return c.pace.Interval }

// LeftToday returns how many requests of the day are left after the last one; limited is false if the requests of a day have no limit.
func (c *Client) LeftToday() (left int, limited bool) {
	return int(c.pace.left.Load()), c.pace.Daily > 0
}

// seen records when a source last answered and failed.
type seen struct {
	mu               sync.Mutex
	answered, failed time.Time
}

// record records the result of a request. A used-up budget and a cancelled call say nothing about the source.
func (s *seen) record(err error, failure *entity.Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case err == nil:
		s.answered = time.Now()
	case failure.Code == entity.UpstreamError && !errors.Is(err, context.Canceled):
		s.failed = time.Now()
	}
}
