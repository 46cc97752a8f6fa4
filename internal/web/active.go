package web

import "sync"

// activeRequests counts the requests that are being answered.
type activeRequests struct {
	mu    sync.Mutex
	count int
	ended bool
	idle  chan struct{} // closed when ended is set and no request is active
}

// begin counts a request. It reports false when the server takes no more.
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

// end stops new requests. The channel is closed when all counted requests are answered.
func (c *activeRequests) end() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
	if c.count == 0 {
		close(c.idle)
	}
	return c.idle
}
