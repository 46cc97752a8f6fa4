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
	// settle is the time in which a new connection must bring its request where
	// all places are taken.
	firstRequestTimeout = 250 * time.Millisecond
	// linger is how long, on average, the connection of a refused stranger stays open without a
	// place where strangers come in crowds: one that comes again as soon as its
	// connection has ended does so less often.
	linger = 2 * time.Second
	// lingering is how many do so at most, for each place.
	lingeringPerPlace = 4
)

// connections bounds the open connections of a listener. Where the bound is
// reached, a new connection takes the place of one that waits for its client: to
// send the rest of a request, or to take an answer. Connections without an
// authorised request go first, and then the one that has waited longest. A
// connection whose call is being worked on keeps its place.
type connections struct {
	net.Listener
	limit int

	mu        sync.Mutex
	open      int
	strangers *list.List    // of *connection: no authorised request has come yet; the longest wait in front
	clients   *list.List    // of *connection: an authorised request has come; the longest wait in front
	lingering *list.List    // of *connection: closed by net/http, but not yet for the client; the oldest in front
	changed   chan struct{} // closed and renewed when a place may be free
	closed    bool
}

func newConnections(l net.Listener, limit int) *connections {
	return &connections{Listener: l, limit: limit, strangers: list.New(), clients: list.New(), lingering: list.New(),
		changed: make(chan struct{})}
}

// connection is one of them.
type connection struct {
	net.Conn
	parent        *connections
	queue         *list.List    // one of those above, or nil
	place         *list.Element // in queue
	since         time.Time     // when the wait began
	authenticated bool          // an authorised request has come
	working       bool          // a whole request has come, and its answer has not been written
	idle          bool          // no request has begun
	body          bool          // a request with a body has come
	writing       bool          // a part of the answer is being sent
	released      bool          // its place is given back
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
		_ = c.Close() // nobody has used it
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

// release closes the connections without a place. The lock is held.
func (l *connections) closeLingering() {
	for l.lingering.Len() > 0 {
		l.lingering.Front().Value.(*connection).endLinger()
	}
}

// finish closes a connection that lingers. The lock is held.
func (c *connection) endLinger() {
	if c.queue == c.parent.lingering {
		c.dequeue()
		c.timer.Stop()
		_ = c.Conn.Close() // nobody uses it
	}
}

// take takes a place for a connection. It reports false where the listener was
// closed meanwhile.
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

// first returns the connection that loses its place first, or nil. The lock is
// held.
func (l *connections) first() *connection {
	for _, queue := range []*list.List{l.strangers, l.clients} {
		if longest := queue.Front(); longest != nil {
			return longest.Value.(*connection)
		}
	}
	return nil
}

// announce wakes the accept loop where it waits for a place. The lock is held.
func (l *connections) signal() {
	close(l.changed)
	l.changed = make(chan struct{})
}

// evict gives the place of a connection back and ends the wait for its client,
// so that net/http closes it. A request that has come meanwhile is answered. The
// lock is held.
func (c *connection) evict() {
	c.releasePlace()
	if c.writing {
		_ = c.SetWriteDeadline(time.Now()) // fails only where it is closed
	} else {
		_ = c.Conn.SetReadDeadline(time.Now())
	}
}

// giveBack gives the place back. The lock is held.
func (c *connection) releasePlace() {
	if c.released {
		return
	}
	c.released = true
	c.parent.open--
	c.dequeue()
	c.parent.signal()
}

// crowded reports whether strangers come in crowds: places are rare, or may be
// soon. The lock is held.
func (l *connections) crowded() bool { return l.strangers.Len()+l.lingering.Len() > l.limit/10 }

// leave takes a connection out of its queue. The lock is held.
func (c *connection) dequeue() {
	if c.queue != nil {
		c.queue.Remove(c.place)
		c.queue, c.place = nil, nil
	}
}

// wait puts a connection at the end of its queue. The lock is held.
func (c *connection) enqueue() {
	if c.released {
		return
	}
	c.dequeue()
	c.queue = c.parent.strangers
	if c.authenticated {
		c.queue = c.parent.clients
	}
	c.place, c.since = c.queue.PushBack(c), time.Now()
	if c.parent.open >= c.parent.limit {
		c.parent.signal()
	}
}

// state learns from net/http what a connection is doing.
func (l *connections) setState(conn net.Conn, setState http.ConnState) {
	c := conn.(*connection)
	l.mu.Lock()
	defer l.mu.Unlock()
	c.idle = setState == http.StateNew || setState == http.StateIdle
	if setState == http.StateNew {
		c.enqueue() // until it is worked on: requests that are refused begin no new wait
	}
}

// closeIdle closes the connections that wait for a request.
func (l *connections) closeIdle() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, queue := range []*list.List{l.strangers, l.clients} {
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

// connectionOf returns the connection of a request.
func connectionOf(ctx context.Context) *connection {
	return ctx.Value(connectionKey{}).(*connection)
}

// authorised notes that the connection's client was let in.
func (c *connection) setAuthorised() {
	c.parent.mu.Lock()
	defer c.parent.mu.Unlock()
	if !c.authenticated {
		c.authenticated = true
		c.enqueue()
	}
}

// hasBody notes that a request with a body has come.
func (c *connection) setHasBody() {
	c.parent.mu.Lock()
	defer c.parent.mu.Unlock()
	c.body = true
}

// dispensable reports whether others need the place more: it is one stranger's of
// many.
func (c *connection) expendable() bool {
	c.parent.mu.Lock()
	defer c.parent.mu.Unlock()
	return !c.authenticated && c.parent.crowded()
}

// work keeps the connection's place until done is called: all that the answer
// needs has come.
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

// Write implements net.Conn. A client that does not take its answer has no claim
// to a place.
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

// SetReadDeadline implements net.Conn. A stranger that lost its place can wait
// no longer than another that has just come.
func (c *connection) SetReadDeadline(deadline time.Time) error {
	c.parent.mu.Lock()
	defer c.parent.mu.Unlock()
	if most := time.Now().Add(firstRequestTimeout); c.released && !c.authenticated && (deadline.IsZero() || deadline.After(most)) {
		deadline = most
	}
	return c.Conn.SetReadDeadline(deadline)
}

// CloseWrite tells the client that nothing more comes. net/http calls it before
// it waits for the client to take the last answer.
func (c *connection) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// Close implements net.Conn and gives the place back.
func (c *connection) Close() error {
	if c.startLinger() {
		return nil
	}
	return c.Conn.Close()
}

// lingers gives the place back, and reports whether the connection stays open
// without one.
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
	c.timer = time.AfterFunc(linger/2+rand.N(linger), func() { // spread: else all come again at once
		l.mu.Lock()
		defer l.mu.Unlock()
		c.endLinger()
	})
	return true
}
