package web

import (
	"container/list"
	"math"
	"net"
	"net/http"
	"sync"
	"time"
)

// settle is what each connection is granted for a request to arrive, however
// many others come.
const settle = 250 * time.Millisecond

// connections bounds the open connections of a listener. Where the bound is
// reached, a new connection takes the place of the one that has waited longest
// for a request; where every one is at work or has only just come, it waits.
type connections struct {
	net.Listener
	most int

	mu      sync.Mutex
	open    int
	idle    *list.List    // of *connection, the one that waits longest in front
	changed chan struct{} // closed and renewed when a place may be free
	closed  bool
}

func newConnections(l net.Listener, most int) *connections {
	return &connections{Listener: l, most: most, idle: list.New(), changed: make(chan struct{})}
}

// connection is one of them.
type connection struct {
	net.Conn
	all     *connections
	waiting *list.Element // in idle, nil while a request is being served
	since   time.Time     // when it began to wait
	closed  bool
}

// Accept implements net.Listener.
func (l *connections) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	if !l.place() {
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

// place takes a place for a connection. It reports false where the listener was
// closed meanwhile.
func (l *connections) place() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for !l.closed {
		if l.open < l.most {
			l.open++
			return true
		}
		left := time.Duration(math.MaxInt64) // until one has waited long enough
		if longest := l.idle.Front(); longest != nil {
			c := longest.Value.(*connection)
			if left = settle - time.Since(c.since); left <= 0 {
				l.mu.Unlock()
				_ = c.Close() // nobody uses it
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

// announce tells who waits for a place. The lock is held.
func (l *connections) announce() {
	close(l.changed)
	l.changed = make(chan struct{})
}

// state is told by net/http what a connection is doing.
func (l *connections) state(conn net.Conn, state http.ConnState) {
	c := conn.(*connection)
	l.mu.Lock()
	defer l.mu.Unlock()
	if c.waiting != nil {
		l.idle.Remove(c.waiting)
		c.waiting = nil
	}
	if (state == http.StateNew || state == http.StateIdle) && !c.closed {
		c.waiting, c.since = l.idle.PushBack(c), time.Now()
		l.announce()
	}
}

// closeIdle closes the connections that wait for a request.
func (l *connections) closeIdle() {
	l.mu.Lock()
	var idle []*connection
	for e := l.idle.Front(); e != nil; e = e.Next() {
		idle = append(idle, e.Value.(*connection))
	}
	l.mu.Unlock()
	for _, c := range idle {
		_ = c.Close() // nobody uses it
	}
}

// Close implements net.Conn and gives the place back.
func (c *connection) Close() error {
	c.all.mu.Lock()
	if !c.closed {
		c.closed = true
		c.all.open--
		if c.waiting != nil {
			c.all.idle.Remove(c.waiting)
			c.waiting = nil
		}
		c.all.announce()
	}
	c.all.mu.Unlock()
	return c.Conn.Close()
}
