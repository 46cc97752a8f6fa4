package web

import "sync"

// calls counts the requests that are being answered.
type activeRequests struct {
	mu    sync.Mutex
	count int
	ended bool
	idle  chan struct{} // closed once ended and none is left
}

func newCalls() *activeRequests { return &activeRequests{idle: make(chan struct{})} }

// begin counts a request in, or reports that no more are taken.
func (c *activeRequests) begin() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return false
	}
	c.count++
	return true
}

func (c *activeRequests) finish() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count--
	if c.ended && c.count == 0 {
		close(c.idle)
	}
}

// end takes no more requests. What it returns is closed when those that were
// taken are answered.
func (c *activeRequests) end() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
	if c.count == 0 {
		close(c.idle)
	}
	return c.idle
}
