package web

import (
	"container/list"
	"context"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	// firstRequestTimeout is the time in which a new connection must send its request when all places are taken.
	firstRequestTimeout = 250 * time.Millisecond
	// linger is how long, on average, the connection of a refused client stays open without a place during a crowd of unauthenticated
	// clients. A client that reconnects as soon as its connection ends then does so less often.
	linger = 2 * time.Second
	// lingeringPerPlace limits the lingering connections, for each place.
	lingeringPerPlace = 4
)

// connections limits the open connections of a listener. At the limit, a new connection takes the place of one that waits for its client,
// to send the rest of a request or to read an answer. Connections without an authenticated request are closed first, and then the one that
// has waited longest. A connection whose call is being processed keeps its place.
type connections struct {
	net.Listener
	limit int

	mu              sync.Mutex
	open            int
	unauthenticated *list.List    // of *connection: no authenticated request so far; the longest wait first
	authenticated   *list.List    // of *connection: with an authenticated request; the longest wait first
	lingering       *list.List    // of *connection: closed by net/http, but still open for the client; the oldest first
	changed         chan struct{} // closed and replaced when a place may be free
	closed          bool
}

func newConnections(l net.Listener, limit int) *connections {
	return &connections{Listener: l, limit: limit, unauthenticated: list.New(), authenticated: list.New(), lingering: list.New(),
		changed: make(chan struct{})}
}

// connection is one of the connections of a listener.
type connection struct {
	net.Conn
	parent        *connections
	queue         *list.List    // one of those above, or nil
	place         *list.Element // in queue
	since         time.Time     // when the wait began
	authenticated bool          // an authenticated request has arrived
	working       bool          // a complete request has arrived, and its answer has not been written
	idle          bool          // no request has begun
	body          bool          // a request with a body has arrived
	writing       bool          // a part of the answer is being sent
	released      bool          // its place is free again
	closed        bool          // net/http has closed it
	timer         *time.Timer   // ends its lingering
}

// Accept implements net.Listener.
func (l *connections) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		l.mu.Lock()
		l.closeLingering() // the process may have too many open files
		l.mu.Unlock()
		return nil, err
	}
	if !l.acquirePlace() {
		_ = c.Close() // it was never used
		return nil, net.ErrClosed
	}
	return &connection{Conn: c, parent: l}, nil
}

// Close implements net.Listener.
func (l *connections) Close() error {
	l.mu.Lock()
	l.closed = true
	l.signal()
	l.closeLingering()
	l.mu.Unlock()
	return l.Listener.Close()
}

// closeLingering closes the connections without a place. The caller holds the lock.
func (l *connections) closeLingering() {
	for l.lingering.Len() > 0 {
		l.lingering.Front().Value.(*connection).endLinger()
	}
}

// endLinger closes a connection that lingers. The caller holds the lock.
func (c *connection) endLinger() {
	if c.queue == c.parent.lingering {
		c.dequeue()
		c.timer.Stop()
		_ = c.Conn.Close() // it is not in use
	}
}

// acquirePlace takes a place for a connection. It reports false if the listener was closed meanwhile.
func (l *connections) acquirePlace() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for !l.closed {
		if l.open < l.limit {
			l.open++
			return true
		}
		left := time.Duration(math.MaxInt64) // until one has waited long enough
		if c := l.first(); c != nil {
			if left = firstRequestTimeout - time.Since(c.since); left <= 0 {
				c.evict()
				continue
			}
		}
		changed, timer := l.changed, time.NewTimer(left)
		l.mu.Unlock()
		select {
		case <-changed:
		case <-timer.C:
		}
		timer.Stop()
		l.mu.Lock()
	}
	return false
}

// first returns the connection that loses its place first, or nil. The caller holds the lock.
func (l *connections) first() *connection {
	for _, queue := range []*list.List{l.unauthenticated, l.authenticated} {
		if longest := queue.Front(); longest != nil {
			return longest.Value.(*connection)
		}
	}
	return nil
}

// signal wakes the accept loop if it waits for a place. The caller holds the lock.
func (l *connections) signal() {
	close(l.changed)
	l.changed = make(chan struct{})
}

// evict releases the place of a connection and ends the wait for its client, so that net/http closes it. A request that has arrived
// meanwhile is answered. The caller holds the lock.
func (c *connection) evict() {
	c.releasePlace()
	if c.writing {
		_ = c.SetWriteDeadline(time.Now()) // fails only if it is closed
	} else {
		_ = c.Conn.SetReadDeadline(time.Now())
	}
}

// releasePlace releases the place. The caller holds the lock.
func (c *connection) releasePlace() {
	if c.released {
		return
	}
	c.released = true
	c.parent.open--
	c.dequeue()
	c.parent.signal()
}

// crowded reports whether so many unauthenticated clients are connected that places are rare, or may soon be. The caller holds the lock.
func (l *connections) crowded() bool { return l.unauthenticated.Len()+l.lingering.Len() > l.limit/10 }

// dequeue removes a connection from its queue. The caller holds the lock.
func (c *connection) dequeue() {
	if c.queue != nil {
		c.queue.Remove(c.place)
		c.queue, c.place = nil, nil
	}
}

// enqueue puts a connection at the end of its queue. The caller holds the lock.
func (c *connection) enqueue() {
	if c.released {
		return
	}
	c.dequeue()
	c.queue = c.parent.unauthenticated
	if c.authenticated {
		c.queue = c.parent.authenticated
	}
	c.place, c.since = c.queue.PushBack(c), time.Now()
	if c.parent.open >= c.parent.limit {
		c.parent.signal()
	}
}

func (l *connections) setState(conn net.Conn, state http.ConnState) {
	c := conn.(*connection)
	l.mu.Lock()
	defer l.mu.Unlock()
	c.idle = state == http.StateNew || state == http.StateIdle
	if state == http.StateNew {
		c.enqueue() // until it is processed: refused requests begin no new wait
	}
}

// closeIdle closes the connections that wait for a request.
func (l *connections) closeIdle() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, queue := range []*list.List{l.unauthenticated, l.authenticated} {
		for e := queue.Front(); e != nil; {
			c := e.Value.(*connection)
			e = e.Next()
			if c.idle {
				c.evict()
			}
		}
	}
}

type connectionKey struct{}

func connectionOf(ctx context.Context) *connection {
	return ctx.Value(connectionKey{}).(*connection)
}

// setAuthenticated records that the client of the connection is authenticated.
func (c *connection) setAuthenticated() {
	c.parent.mu.Lock()
	defer c.parent.mu.Unlock()
	if !c.authenticated {
		c.authenticated = true
		c.enqueue()
	}
}

// setHasBody records that a request with a body has arrived.
func (c *connection) setHasBody() {
	c.parent.mu.Lock()
	defer c.parent.mu.Unlock()
	c.body = true
}

// expendable reports whether other clients need the place more: it belongs to one of many unauthenticated clients.
func (c *connection) expendable() bool {
	c.parent.mu.Lock()
	defer c.parent.mu.Unlock()
	return !c.authenticated && c.parent.crowded()
}

// work keeps the connection's place until done is called: the complete request has arrived.
func (c *connection) work() (done func()) {
	c.parent.mu.Lock()
	defer c.parent.mu.Unlock()
	c.working = true
	c.dequeue()
	return func() {
		c.parent.mu.Lock()
		defer c.parent.mu.Unlock()
		c.working = false
		c.enqueue()
	}
}

// Write implements net.Conn. A client that does not read its answer may lose its place.
func (c *connection) Write(p []byte) (int, error) {
	c.setWriting(true)
	defer c.setWriting(false)
	return c.Conn.Write(p)
}

func (c *connection) setWriting(writing bool) {
	c.parent.mu.Lock()
	defer c.parent.mu.Unlock()
	c.writing = writing
	switch {
	case !c.working:
	case writing:
		c.enqueue()
	default:
		c.dequeue()
	}
}

// SetReadDeadline implements net.Conn. An unauthenticated client that lost its place may wait no longer than a new one.
func (c *connection) SetReadDeadline(deadline time.Time) error {
	c.parent.mu.Lock()
	defer c.parent.mu.Unlock()
	if most := time.Now().Add(firstRequestTimeout); c.released && !c.authenticated && (deadline.IsZero() || deadline.After(most)) {
		deadline = most
	}
	return c.Conn.SetReadDeadline(deadline)
}

// CloseWrite signals the client that the answer is complete. net/http calls it before it waits for the client to read the last answer.
func (c *connection) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// Close implements net.Conn and releases the place.
func (c *connection) Close() error {
	if c.startLinger() {
		return nil
	}
	return c.Conn.Close()
}

// startLinger releases the place, and reports whether the connection stays open without one.
func (c *connection) startLinger() bool {
	l := c.parent
	l.mu.Lock()
	defer l.mu.Unlock()
	crowded := l.crowded()
	c.releasePlace()
	unfinished := c.idle || c.body // perhaps
	if c.authenticated || c.closed || l.closed || !crowded || !unfinished {
		return false
	}
	if l.lingering.Len() >= lingeringPerPlace*l.limit {
		l.lingering.Front().Value.(*connection).endLinger()
	}
	c.closed = true
	c.queue, c.place = l.lingering, l.lingering.PushBack(c)
	c.timer = time.AfterFunc(linger/2+rand.N(linger), func() { // random: otherwise all clients reconnect at once
		l.mu.Lock()
		defer l.mu.Unlock()
		c.endLinger()
	})
	return true
}
