package upstream

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// State is what a client last saw of its source. Nothing is asked for it.
type State struct {
	// Answered is when the source last answered, and Failed when it last did
	// not, by this machine's clock; zero: not yet.
	Answered, Failed time.Time
	// Queued is the number of callers that wait for the turn of a request, those
	// who share one included.
	Queued int
}

// Up tells whether the source answered when it was last asked; ok is false
// where it never was.
func (s State) Up() (up, ok bool) {
	return s.Answered.After(s.Failed), !s.Answered.IsZero() || !s.Failed.IsZero()
}

// State returns what the client last saw of its source.
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

// Interval is the least time between the starts of two requests; 0: none.
func (c *Client) Interval() time.Duration { return c.pace.Interval }

// seen is when a source answered and failed.
type seen struct {
	mu               sync.Mutex
	answered, failed time.Time
}

// note notes how a request ended. A budget of ours that is used up and a caller
// who went away say nothing of the source.
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
