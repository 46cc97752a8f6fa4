package upstream_test

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/store"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// A network makes connections for requests as net/http does, within the time of each request, and records when a request is written. It
// ignores the context once it has a connection, as HTTP/1 does.
type network struct {
	*source
	dials  map[string]time.Duration // by path
	stale  map[string]bool          // the first connection is one that fails
	closed atomic.Int32             // connections that were closed
}

func newNetwork() *network {
	return &network{source: newSource(ok()), dials: map[string]time.Duration{}, stale: map[string]bool{}}
}

type connection struct {
	net.Conn
	closed bool
}

func (c *connection) Close() error {
	c.closed = true
	return nil
}

func (n *network) RoundTrip(req *http.Request) (*http.Response, error) {
	time.Sleep(n.dials[req.URL.Path])
	connections := 1
	if n.stale[req.URL.Path] {
		connections = 2
	}
	for range connections {
		conn := &connection{}
		if trace := httptrace.ContextClientTrace(req.Context()); trace != nil {
			trace.GotConn(httptrace.GotConnInfo{Conn: conn})
		}
		if conn.closed {
			n.closed.Add(1)
			return nil, net.ErrClosed
		}
		if _, err := n.source.RoundTrip(req); err != nil {
			return nil, err
		}
	}
	return ok()(req)
}

// getPath makes a request for a path.
func getPath(t *testing.T, c *upstream.Client, ctx context.Context, path string) error {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://upstream.test"+path, nil)
	expect.NoError(t, err)
	_, err = c.Do(req)
	return err
}

// The pace spaces the times when requests are written, however long a connection takes.
func TestStartIsTimeOfSending(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	for name, test := range map[string]struct {
		dials []time.Duration // of requests that came at once, in order
		stale []int           // indexes of requests whose first connection fails
		want  []time.Duration
	}{
		"warm connections":   {[]time.Duration{0, 0, 0}, nil, []time.Duration{0, 1000 * ms, 2000 * ms}},
		"punctual":           {[]time.Duration{5 * ms, 0}, nil, []time.Duration{5 * ms, 1000 * ms}},
		"a slow first one":   {[]time.Duration{300 * ms, 0, 0}, nil, []time.Duration{300 * ms, 1300 * ms, 2300 * ms}},
		"all are slow":       {[]time.Duration{300 * ms, 300 * ms, 300 * ms}, nil, []time.Duration{300 * ms, 1600 * ms, 2900 * ms}},
		"another was faster": {[]time.Duration{1500 * ms, 0}, nil, []time.Duration{1000 * ms, 2000 * ms}},
		"one after another":  {[]time.Duration{1500 * ms, 1500 * ms}, nil, []time.Duration{2000 * ms, 3000 * ms}},
		"a stale connection": {[]time.Duration{0, 0}, []int{0}, []time.Duration{0, 1000 * ms, 2000 * ms}},
		"stale and slow":     {[]time.Duration{300 * ms}, []int{0}, []time.Duration{300 * ms, 1300 * ms}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				n := newNetwork()
				o := options(n)
				o.Interval = time.Second
				c := upstream.NewClient(o)
				var callers sync.WaitGroup
				for i, dial := range test.dials {
					path := "/" + string(rune('a'+i))
					n.dials[path], n.stale[path] = dial, slices.Contains(test.stale, i)
				}
				for i := range test.dials {
					callers.Go(func() {
						expect.Succeeds(t, getPath(t, c, t.Context(), "/"+string(rune('a'+i))), "error")
					})
					synctest.Wait()
				}
				callers.Wait()
				expect.Equal(t, "starts", test.want, n.starts)
			})
		})
	}
}

// The queue uses a start that moved: a request that cannot be served fails at once.
func TestQueueUsesMovedStart(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		n.dials["/slow"] = 300 * time.Millisecond
		o := options(n)
		o.Interval = time.Second
		c := upstream.NewClient(o)
		expect.NoError(t, getPath(t, c, t.Context(), "/slow"))
		err := getPath(t, c, within(t, 999*time.Millisecond), "/")
		wantError(t, entity.AsError(err), entity.RateLimited)
		expect.Is(t, time.Since(n.created), 300*time.Millisecond, "refused after")
	})
}

// A turn that is used later starts when it is used.
func TestTurnUsedLater(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		o := options(n)
		o.Interval = time.Second
		c := upstream.NewClient(o)
		err := inTurn(t.Context(), c, func(turn context.Context) {
			time.Sleep(400 * time.Millisecond)
			for range 2 {
				expect.Succeeds(t, getPath(t, c, turn, "/"), "error")
			}
		})
		expect.That(t, err == nil, "%v", err)
		expect.Equal(t, "starts", []time.Duration{400 * time.Millisecond, 1400 * time.Millisecond}, n.starts)
	})
}

// A connected request that cannot be written in its time is not sent.
func TestConnectedRequestTooLate(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		end  func(context.Context) (context.Context, context.CancelFunc)
		took time.Duration
		code entity.Code
		text string
	}{
		"the deadline does not allow the wait": {func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, 1900*time.Millisecond)
		}, 1500 * time.Millisecond, entity.RateLimited, "Wait 1 s"},
		"the deadline passes while connecting": {func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, 1499*time.Millisecond)
		}, 1500 * time.Millisecond, entity.UpstreamError, "in the time of this call"},
		"the deadline passes in the wait": {func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithTimeout(ctx, 1900*time.Millisecond)
			return hiddenDeadline{ctx}, cancel
		}, 1900 * time.Millisecond, entity.RateLimited, "Wait 1 s"},
		"cancelled in the wait": {func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(ctx)
			time.AfterFunc(1700*time.Millisecond, cancel)
			return ctx, cancel
		}, 1700 * time.Millisecond, entity.UpstreamError, "cancelled"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				n := newNetwork()
				n.dials["/slow"] = 1500 * time.Millisecond
				o := options(n)
				o.Interval = time.Second
				c := upstream.NewClient(o)
				var callers sync.WaitGroup
				callers.Go(func() {
					ctx, cancel := test.end(t.Context())
					defer cancel()
					err := getPath(t, c, ctx, "/slow")
					wantError(t, entity.AsError(err), test.code, test.text)
					expect.Is(t, time.Since(n.created), test.took, "refused after")
				})
				synctest.Wait()
				expect.Succeeds(t, getPath(t, c, t.Context(), "/"), "error")
				callers.Wait()
				expect.Succeeds(t, getPath(t, c, t.Context(), "/"), "error")
				if diff := cmp.Diff([]time.Duration{1000 * time.Millisecond, 2000 * time.Millisecond}, n.starts); diff != "" ||
					n.closed.Load() != 1 {
					t.Errorf("%d connections closed; starts (-want +got):\n%s", n.closed.Load(), diff)
				}
			})
		})
	}
}

// slowDial lets a transport wait before it connects.
func slowDial(transport *http.Transport, wait func()) {
	dial := transport.DialContext
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		wait()
		return dial(ctx, network, address)
	}
}

// pipes is a listener whose connections are in memory, so that a server runs on the clock of a bubble.
type pipes struct {
	net.Listener // of the address; it accepts no connection
	conns        chan net.Conn
	closed       chan struct{}
	once         sync.Once
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.conns:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return p.Listener.Close()
}

func (p *pipes) dial(context.Context, string, string) (net.Conn, error) {
	client, server := net.Pipe()
	p.conns <- server
	return client, nil
}

// serveInBubble is serve without a network.
func serveInBubble(t *testing.T, http2 bool, handler http.HandlerFunc) (string, *http.Transport) {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	p := &pipes{Listener: server.Listener, conns: make(chan net.Conn), closed: make(chan struct{})}
	server.Listener = p
	if server.EnableHTTP2 = http2; http2 {
		// A pipe has no buffer for a TLS ticket that the client does not read yet.
		server.TLS = &tls.Config{SessionTicketsDisabled: true}
		server.StartTLS()
	} else {
		server.Start()
	}
	transport := server.Client().Transport.(*http.Transport)
	transport.DialContext = p.dial
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		server.Close()
	})
	return server.URL, transport
}

// Requests arrive at a server no closer than the interval, although the first one has to connect and the others do not.
func TestArrivals(t *testing.T) {
	t.Parallel()
	const interval, dial = 200 * time.Millisecond, 150 * time.Millisecond
	for name, http2 := range map[string]bool{"HTTP/1.1": false, "HTTP/2": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var mu sync.Mutex
				var arrivals []time.Time
				url, transport := serveInBubble(t, http2, func(http.ResponseWriter, *http.Request) {
					mu.Lock()
					defer mu.Unlock()
					arrivals = append(arrivals, time.Now())
				})
				slowDial(transport, func() { time.Sleep(dial) })
				o := options(transport)
				o.Interval = interval
				c := upstream.NewClient(o)
				var callers sync.WaitGroup
				for range 4 {
					callers.Go(func() {
						req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
						if err != nil {
							t.Error(err)
							return
						}
						if _, err := c.Do(req); err != nil {
							t.Error(err)
						}
					})
				}
				callers.Wait()
				expect.Must(t, len(arrivals) == 4, "%d requests arrived", len(arrivals))
				for i := 1; i < len(arrivals); i++ {
					if apart := arrivals[i].Sub(arrivals[i-1]); apart < interval {
						t.Errorf("request %d arrived %v after the one before, want %v", i, apart, interval)
					}
				}
			})
		})
	}
}

// A refused request is not written to its connection, and an HTTP/2 connection stays open for other requests.
func TestRefusedOverTheNetwork(t *testing.T) {
	t.Parallel()
	for name, http2 := range map[string]bool{"HTTP/1.1": false, "HTTP/2": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var arrived atomic.Int32
				url, transport := serveInBubble(t, http2, func(http.ResponseWriter, *http.Request) { arrived.Add(1) })
				req, err := http.NewRequestWithContext(within(t, time.Minute), http.MethodGet, url, nil)
				expect.NoError(t, err)
				o := options(transport)
				o.Turns = store.New(store.Options{Log: o.Log})
				o.Interval = time.Hour
				var dials atomic.Int32
				slowDial(transport, func() {
					if dials.Add(1) > 1 {
						return
					}
					time.Sleep(10 * time.Millisecond) // later than maxStartDelay
					// Another process starts.
					if _, wait := o.Turns.Start(t.Context(), req.URL.Host, time.Time{}, time.Nanosecond); wait != 0 {
						t.Errorf("the other process waits %v", wait)
					}
				})
				_, err = upstream.NewClient(o).Do(req)
				wantError(t, entity.AsError(err), entity.RateLimited, "Wait 3600 s")
				if n := arrived.Load(); n != 0 {
					t.Errorf("%d requests arrived", n)
				}
				o.Interval = 0
				if _, err := upstream.NewClient(o).Do(req.Clone(t.Context())); err != nil {
					t.Error(err)
				}
				if n := dials.Load(); http2 && n != 1 {
					t.Errorf("%d connections, want one that stays open", n)
				}
			})
		})
	}
}
