package web

import (
	"container/list"
	"context"
	"math"
	"net"
	"net/http"
	"sync"
	"time"
)

// settle is the time in which a new connection must bring its request where all
// places are taken.
const settle = 100 * time.Millisecond

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
	known     *list.List    // of *connection: an authorised request has come; the longest wait in front
	changed   chan struct{} // closed and renewed when a place may be free
	closed    bool
}

func newConnections(l net.Listener, limit int) *connections {
	return &connections{Listener: l, limit: limit, strangers: list.New(), known: list.New(), changed: make(chan struct{})}
}

// connection is one of them.
type connection struct {
	net.Conn
	all    *connections
	queue  *list.List    // strangers or known; nil while nothing is awaited from the client
	place  *list.Element // in queue
	since  time.Time     // when the wait began
	known  bool          // an authorised request has come
	atWork bool          // a whole request has come, and its answer has not been written
	idle   bool          // no request has begun
	closed bool
}

// Accept implements net.Listener.
func (l *connections) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	if !l.take() {
		_ = c.Close() // nobody has used it
		return nil, net.ErrClosed
	}
	return &connection{Conn: c, all: l}, nil
}

// Close implements net.Listener.
func (l *connections) Close() error {
	l.mu.Lock()
	l.closed = true
	l.announce()
	l.mu.Unlock()
	return l.Listener.Close()
}

// take takes a place for a connection. It reports false where the listener was
// closed meanwhile.
func (l *connections) take() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for !l.closed {
		if l.open < l.limit {
			l.open++
			return true
		}
		left := time.Duration(math.MaxInt64) // until one has waited long enough
		if c := l.dispensable(); c != nil {
			if left = settle - time.Since(c.since); left <= 0 {
				l.mu.Unlock()
				_ = c.Close() // its client has lost it, and learns so
				l.mu.Lock()
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

// dispensable returns the connection that loses its place first, or nil. The
// lock is held.
func (l *connections) dispensable() *connection {
	for _, queue := range []*list.List{l.strangers, l.known} {
		if longest := queue.Front(); longest != nil {
			return longest.Value.(*connection)
		}
	}
	return nil
}

// announce wakes the accept loop where it waits for a place. The lock is held.
func (l *connections) announce() {
	close(l.changed)
	l.changed = make(chan struct{})
}

// leave takes a connection out of its queue. The lock is held.
func (c *connection) leave() {
	if c.queue != nil {
		c.queue.Remove(c.place)
		c.queue, c.place = nil, nil
	}
}

// wait puts a connection at the end of its queue. The lock is held.
func (c *connection) wait() {
	c.leave()
	if c.closed {
		return
	}
	c.queue = c.all.strangers
	if c.known {
		c.queue = c.all.known
	}
	c.place, c.since = c.queue.PushBack(c), time.Now()
	if c.all.open >= c.all.limit {
		c.all.announce()
	}
}

// state learns from net/http what a connection is doing.
func (l *connections) state(conn net.Conn, state http.ConnState) {
	c := conn.(*connection)
	l.mu.Lock()
	defer l.mu.Unlock()
	c.idle = state == http.StateNew || state == http.StateIdle
	// The header of a stranger's request begins no new wait.
	if c.idle || state == http.StateActive && c.known {
		c.wait()
	}
}

// closeIdle closes the connections that wait for a request.
func (l *connections) closeIdle() {
	l.mu.Lock()
	var idle []*connection
	for _, queue := range []*list.List{l.strangers, l.known} {
		for e := queue.Front(); e != nil; e = e.Next() {
			if c := e.Value.(*connection); c.idle {
				idle = append(idle, c)
			}
		}
	}
	l.mu.Unlock()
	for _, c := range idle {
		_ = c.Close() // nobody uses it
	}
}

type connectionKey struct{}

// connectionOf returns the connection of a request.
func connectionOf(ctx context.Context) *connection {
	return ctx.Value(connectionKey{}).(*connection)
}

// authorised notes that the connection's client was let in.
func (c *connection) authorised() {
	c.all.mu.Lock()
	defer c.all.mu.Unlock()
	c.known = true
	c.wait()
}

// work keeps the connection's place until done is called: all that the answer
// needs has come.
func (c *connection) work() (done func()) {
	c.all.mu.Lock()
	defer c.all.mu.Unlock()
	c.atWork = true
	c.leave()
	return func() {
		c.all.mu.Lock()
		defer c.all.mu.Unlock()
		c.atWork = false
		c.wait()
	}
}

// Write implements net.Conn. A client that does not take its answer has no claim
// to a place.
func (c *connection) Write(p []byte) (int, error) {
	c.all.mu.Lock()
	if c.atWork {
		c.wait()
	}
	c.all.mu.Unlock()
	n, err := c.Conn.Write(p)
	c.all.mu.Lock()
	if c.atWork {
		c.leave()
	}
	c.all.mu.Unlock()
	return n, err
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
	c.all.mu.Lock()
	if !c.closed {
		c.closed = true
		c.all.open--
		c.leave()
		c.all.announce()
	}
	c.all.mu.Unlock()
	return c.Conn.Close()
}
