package web_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/web"
)

// A pipeListener accepts connections that are made in this process, so that a
// test can run in a bubble with fake time.
type pipeListener struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newPipes() *pipeListener {
	return &pipeListener{conns: make(chan net.Conn), closed: make(chan struct{})}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *pipeListener) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

func (l *pipeListener) dial(context.Context, string, string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case l.conns <- server:
		return client, nil
	case <-l.closed:
		return nil, errors.New("connection refused")
	}
}

// A site is a running server, and a client of it.
type site struct {
	listener *pipeListener
	client   *http.Client
	stop     context.CancelFunc
	stopped  chan error
}

// answers is a protocol endpoint that answers with the request that it got.
func answers(w http.ResponseWriter, r *http.Request) {
	if _, err := io.Copy(w, r.Body); err != nil {
		panic(err)
	}
}

// serve runs a server within a bubble.
func serve(t *testing.T, o web.Options) *site {
	t.Helper()
	s := &site{listener: newPipes(), stopped: make(chan error, 1)}
	server := newServer(t, o)
	var ctx context.Context
	ctx, s.stop = context.WithCancel(t.Context())
	go func() { s.stopped <- server.Serve(ctx, s.listener) }()
	s.client = &http.Client{
		Transport:     &http.Transport{DialContext: s.listener.dial},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return s
}

func newServer(t testing.TB, o web.Options) *web.Server {
	t.Helper()
	if o.MCP == nil {
		o.MCP = http.HandlerFunc(answers)
	}
	if o.Ready == nil {
		o.Ready = func(context.Context) (any, bool) { return map[string]string{"store": "ok"}, true }
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	server, err := web.New(o)
	expect.NoError(t, err)
	return server
}

// close stops the server, which must end without an error.
func (s *site) close(t *testing.T) {
	t.Helper()
	s.client.CloseIdleConnections()
	s.stop()
	expect.Succeeds(t, <-s.stopped, "the server stopped with")
}

// do makes a request and returns the answer and its body.
func (s *site) do(t testing.TB, method, path, body string, header ...string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, "http://localhost:3010"+path, strings.NewReader(body))
	expect.NoError(t, err)
	for i := 0; i < len(header); i += 2 {
		if header[i] == "Host" {
			req.Host = header[i+1]
		} else {
			req.Header.Add(header[i], header[i+1])
		}
	}
	resp, err := s.client.Do(req)
	expect.NoError(t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	expect.NoError(t, err)
	return resp, string(text)
}

// TestRoutes: each route is served for its methods, and nothing else is served.
func TestRoutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ready := true
		s := serve(t, web.Options{
			Ready:    func(context.Context) (any, bool) { return map[string]bool{"ready": ready}, ready },
			Metadata: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "metadata") }),
			Metrics:  http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "metrics") }),
			Home:     http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "home") }),
		})
		for _, test := range []struct {
			method, path string
			status       int
			has          string
		}{
			{"POST", "/mcp", 200, "body"},
			{"GET", "/healthz", 200, `{"status":"ok"}`},
			{"HEAD", "/healthz", 200, ""},
			{"POST", "/healthz", 405, "error"},
			{"GET", "/readyz", 200, `{"ready":true}`},
			{"GET", "/metrics", 200, "metrics"},
			{"GET", "/.well-known/oauth-protected-resource", 200, "metadata"},
			{"GET", "/.well-known/oauth-protected-resource/mcp", 200, "metadata"},
			{"DELETE", "/.well-known/oauth-protected-resource", 405, "error"},
			{"GET", "/", 200, "home"},
			{"POST", "/", 405, "error"},
			{"GET", "/favicon.ico", 404, "error"},
			{"POST", "/mcp/", 404, "error"},
			{"POST", "//mcp", 404, "error"},
			{"POST", "//evil.example/mcp", 404, "error"},
			{"POST", "/mcp/../mcp", 404, "error"},
			{"POST", "/./mcp", 404, "error"},
			{"POST", "/%6dcp", 404, "error"},
			{"POST", "/mcp%2e", 404, "error"},
			{"POST", "/mcp/%2e%2e/healthz", 404, "error"},
			{"POST", "/mcp%00", 404, "error"},
			{"POST", `/\evil.example`, 404, "error"},
			{"POST", "/mcp?token=x", 200, "body"},
		} {
			resp, text := s.do(t, test.method, test.path, "body")
			if resp.StatusCode != test.status || !strings.Contains(text, test.has) || resp.Header.Get("Location") != "" {
				t.Errorf("%s %s was answered with %d %q, Location %q", test.method, test.path, resp.StatusCode, text,
					resp.Header.Get("Location"))
			}
			if test.status >= 400 && resp.Header.Get("Content-Type") != "application/json" {
				t.Errorf("%s %s is refused with %s", test.method, test.path, resp.Header.Get("Content-Type"))
			}
		}
		ready = false
		if resp, text := s.do(t, "GET", "/readyz", ""); resp.StatusCode != http.StatusServiceUnavailable ||
			!strings.Contains(text, `{"ready":false}`) {
			t.Errorf("a server that is not ready says %d %s", resp.StatusCode, text)
		}
		s.close(t)
		bare := serve(t, web.Options{})
		for _, path := range []string{"/", "/metrics", "/.well-known/oauth-protected-resource"} {
			if resp, _ := bare.do(t, "GET", path, ""); resp.StatusCode != http.StatusNotFound {
				t.Errorf("%s without a handler is answered with %d", path, resp.StatusCode)
			}
		}
		bare.close(t)
	})
}

// TestCompressed: a long answer in JSON is compressed where the client takes it. Short answers and streams are not.
func TestCompressed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const long, stream = `{"tools":["` + "0123456789abcdef", "text/event-stream"
		kind, text := "application/json", ""
		s := serve(t, web.Options{MCP: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			io.WriteString(w, text)
		})})
		for _, test := range []struct {
			kind, text, takes string
			compressed        bool
		}{
			{"application/json", strings.Repeat(long, 300), "gzip", true}, {"application/json", strings.Repeat(long, 300), "", false},
			{"application/json", long, "gzip", false}, {stream, strings.Repeat(long, 300), "gzip", false},
		} {
			kind, text = test.kind, test.text
			resp, got := s.do(t, "POST", "/mcp", "x", "Accept-Encoding", test.takes)
			expect.That(t, (resp.Header.Get("Content-Encoding") == "gzip") == test.compressed && (got == text) == !test.compressed &&
				len(got) <= len(text), "%s %q: %v, %d bytes", test.kind, test.takes, resp.Header, len(got))
		}
		s.close(t)
	})
}

// TestHostsAndOrigins: every route is served only for the server's own names
// and origins, and for those of the options.
func TestHostsAndOrigins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t, web.Options{
			AllowedHosts:   []string{"mcp.example.org", "Other.example.org:8443", "[2001:db8::1]"},
			AllowedOrigins: []string{"https://app.example.org", "http://localhost:6274"},
		})
		for _, path := range []string{"/mcp", "/healthz", "/readyz", "/metrics", "/.well-known/oauth-protected-resource", "/nowhere"} {
			for _, test := range []struct {
				host, origin string
				ok           bool
			}{
				{"localhost:3010", "", true},
				{"LOCALHOST", "", true},
				{"127.0.0.1:3010", "", true},
				{"127.8.9.1", "", true},
				{"[::1]:3010", "", true},
				{"[::ffff:127.0.0.1]", "", true},
				{"mcp.example.org", "", true},
				{"mcp.example.org:443", "", true},
				{"other.example.org:8443", "", true},
				{"[2001:db8::1]:3010", "", true},
				{"[2001:db8::2]:3010", "", false},
				{"other.example.org", "", false},
				{"evil.example", "", false},
				{"localhost.evil.example", "", false},
				{"mcp.example.org.evil.example", "", false},
				{"192.0.2.7", "", false},
				{"0.0.0.0:3010", "", false},
				{"localhost:3010", "https://app.example.org", true},
				{"localhost:3010", "https://APP.example.org:443", true},
				{"localhost:3010", "http://localhost:6274", true},
				{"localhost:3010", "http://localhost:3010", true},
				{"mcp.example.org", "https://mcp.example.org", true},
				{"localhost:3010", "http://localhost:3011", false},
				{"localhost:3010", "http://app.example.org", false},
				{"localhost:3010", "https://app.example.org:8443", false},
				{"localhost:3010", "https://app.example.org.evil.example", false},
				{"localhost:3010", "https://evil.example", false},
				{"localhost:3010", "null", false},
				{"localhost:3010", "file://", false},
				{"localhost:3010", "https://app.example.org/path", false},
				{"localhost:3010", "https://user@app.example.org", false},
			} {
				header := []string{"Host", test.host}
				if test.origin != "" {
					header = append(header, "Origin", test.origin)
				}
				resp, _ := s.do(t, "GET", path, "", header...)
				expect.That(t, (resp.StatusCode != http.StatusForbidden) == test.ok,
					"%s of host %q, origin %q was answered with %d", path, test.host, test.origin, resp.StatusCode)
				want := ""
				if test.ok {
					want = test.origin
				}
				if got := resp.Header.Get("Access-Control-Allow-Origin"); got != want || resp.Header.Get("Vary") != "Origin" {
					t.Errorf("%s of origin %q allows %q, Vary %q", path, test.origin, got, resp.Header.Get("Vary"))
				}
			}
		}
		if resp, _ := s.do(t, "GET", "/mcp", "", "Origin", "https://app.example.org", "Origin",
			"https://evil.example"); resp.StatusCode != http.StatusForbidden {
			t.Errorf("two origins were answered with %d", resp.StatusCode)
		}
		s.close(t)
	})
}

// TestPreflight: a preflight returns the allowed methods and headers to pages
// of allowed origins; others are refused.
func TestPreflight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		called := 0
		s := serve(t, web.Options{
			AllowedOrigins: []string{"https://app.example.org"},
			MCP:            http.HandlerFunc(func(http.ResponseWriter, *http.Request) { called++ }),
			Auth: func(http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
			},
		})
		resp, _ := s.do(t, "OPTIONS", "/mcp", "", "Origin", "https://app.example.org", "Access-Control-Request-Method", "POST",
			"Access-Control-Request-Headers", "authorization")
		if resp.StatusCode != http.StatusNoContent || called != 0 ||
			resp.Header.Get("Access-Control-Allow-Origin") != "https://app.example.org" ||
			!strings.Contains(resp.Header.Get("Access-Control-Allow-Methods"), "POST") {
			t.Errorf("the preflight was answered with %d %v", resp.StatusCode, resp.Header)
		}
		allowed := strings.Split(resp.Header.Get("Access-Control-Allow-Headers"), ", ")
		for _, name := range []string{"Authorization", "Content-Type", "Accept", "Mcp-Session-Id", "MCP-Protocol-Version", "Last-Event-ID",
			"Mcp-Method", "Mcp-Name"} {
			expect.That(t, contains(allowed, name), "%s may not be sent", name)
		}
		if resp, _ := s.do(t, "OPTIONS", "/mcp", "", "Origin", "https://evil.example", "Access-Control-Request-Method",
			"POST"); resp.StatusCode != http.StatusForbidden {
			t.Errorf("a foreign preflight was answered with %d", resp.StatusCode)
		}
		s.close(t)
	})
}

func contains(list []string, want string) bool {
	for _, have := range list {
		if have == want {
			return true
		}
	}
	return false
}

// TestBadLists: an entry that could never match, or would match everything, is
// an error at the start.
func TestBadLists(t *testing.T) {
	for _, o := range []web.Options{
		{AllowedHosts: []string{"*"}}, {AllowedHosts: []string{""}}, {AllowedHosts: []string{"https://mcp.example.org"}},
		{AllowedOrigins: []string{"*"}}, {AllowedOrigins: []string{"null"}}, {AllowedOrigins: []string{"app.example.org"}},
		{AllowedOrigins: []string{"https://*.example.org"}}, {AllowedOrigins: []string{"https://app.example.org/path"}},
	} {
		if _, err := web.New(o); err == nil {
			t.Errorf("%q %q were accepted", o.AllowedHosts, o.AllowedOrigins)
		}
	}
}

// TestRequestID: a harmless id of the client is used; it reaches the endpoint,
// the answer and the log.
func TestRequestID(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		s := serve(t, web.Options{
			Log: slog.New(slog.NewTextHandler(&out, nil)),
			MCP: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, web.RequestID(r.Context())) }),
		})
		for given, accepted := range map[string]bool{
			"a-B.9_z": true, strings.Repeat("x", 64): true, strings.Repeat("x", 65): false, "": false, "a b": false, "a;b": false,
			"<b>": false,
		} {
			out.Reset()
			resp, id := s.do(t, "POST", "/mcp?secret=1", "", "X-Request-Id", given, "Authorization", "Bearer secret")
			if (id == given) != accepted || id == "" || resp.Header.Get("X-Request-Id") != id {
				t.Errorf("%q became %q, echoed as %q", given, id, resp.Header.Get("X-Request-Id"))
			}
			synctest.Wait() // the log follows the answer
			for _, part := range []string{"level=INFO", "method=POST", "route=/mcp", "status=200", "duration=",
				fmt.Sprintf("bytes=%d", len(id)), "request=" + id} {
				expect.That(t, strings.Contains(out.String(), part), "the log lacks %s: %s", part, out.String())
			}
			expect.That(t, !strings.Contains(out.String(), "secret"), "the log contains %s", out.String())
		}
		s.close(t)
	})
}

// TestPanic: a panic is answered and logged, and the server continues. An
// incomplete answer does not look complete.
func TestPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		s := serve(t, web.Options{
			Log: slog.New(slog.NewTextHandler(&out, nil)),
			MCP: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch body, _ := io.ReadAll(r.Body); string(body) {
				case "before":
					panic("cause of it")
				case "after":
					io.WriteString(w, "half")
					panic("cause of it")
				}
			}),
		})
		resp, text := s.do(t, "POST", "/mcp", "before")
		expect.That(t, resp.StatusCode == http.StatusInternalServerError && !strings.Contains(text, "cause"),
			"a panic was answered with %d %s", resp.StatusCode, text)
		synctest.Wait()
		expect.That(t, strings.Contains(out.String(), "cause of it") && strings.Contains(out.String(), "status=500"),
			"the log has %s", out.String())
		resp, err := s.client.Post("http://localhost/mcp", "application/json", strings.NewReader("after"))
		if err == nil {
			if _, err = io.ReadAll(resp.Body); err == nil {
				t.Error("half an answer was taken for a whole one")
			}
			resp.Body.Close()
		}
		if resp, _ := s.do(t, "POST", "/mcp", "x"); resp.StatusCode != http.StatusOK {
			t.Errorf("afterwards a call is answered with %d", resp.StatusCode)
		}
		s.close(t)
	})
}

// TestDrain: a server that stops answers the active calls and refuses new ones,
// then ends.
func TestDrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		entered, leave := make(chan struct{}), make(chan struct{})
		s := serve(t, web.Options{Drain: time.Minute, MCP: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			entered <- struct{}{}
			select {
			case <-leave:
				io.WriteString(w, "answered")
			case <-r.Context().Done():
			}
		})})
		idle, err := s.listener.dial(t.Context(), "", "") // sends nothing, and must not delay the stop
		expect.NoError(t, err)
		defer idle.Close()
		answer := make(chan string)
		go func() {
			_, text := s.do(t, "POST", "/mcp", "x")
			answer <- text
		}()
		<-entered
		s.stop()
		synctest.Wait()
		for _, path := range []string{"/mcp", "/readyz"} {
			resp, _ := s.do(t, "GET", path, "")
			if resp.StatusCode != http.StatusServiceUnavailable || resp.Header.Get("Retry-After") == "" || !resp.Close {
				t.Errorf("%s of a server that stops was answered with %d, Retry-After %q, close %v", path, resp.StatusCode,
					resp.Header.Get("Retry-After"), resp.Close)
			}
		}
		close(leave)
		expect.Is(t, <-answer, "answered", "the call in flight was answered with")
		start := time.Now()
		s.close(t)
		if waited := time.Since(start); waited > 5*time.Second { // of the bubble's time
			t.Errorf("the server waited %s for nothing", waited)
		}
		if _, err := s.client.Get("http://localhost/healthz"); err == nil {
			t.Error("a server that has stopped answers")
		}
	})
}

// TestDrainEnds: a call that outlasts the drain is cancelled, even if its
// client has already sent the next request: net/http does not detect that such
// a connection ends.
func TestDrainEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		entered, cancelled := make(chan struct{}), make(chan struct{})
		s := serve(t, web.Options{Drain: time.Minute, MCP: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			close(entered)
			<-r.Context().Done()
			close(cancelled)
		})})
		conn, err := s.listener.dial(t.Context(), "", "")
		expect.NoError(t, err)
		defer conn.Close()
		const request = "GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n"
		go io.WriteString(conn, request)
		<-entered
		go io.WriteString(conn, request)
		synctest.Wait()
		start := time.Now()
		s.close(t)
		<-cancelled
		// A second more: this client does not read the answer to its cancelled call.
		expect.Is(t, time.Since(start), time.Minute+time.Second, "the server waited")
	})
}

// TestDrainAnswers: a call that outlasts the drain is cancelled because the
// server stops, and its answer reaches the client.
func TestDrainAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stopping, entered := errors.New("stopping"), make(chan struct{})
		s := serve(t, web.Options{Drain: time.Minute, Stopping: stopping,
			MCP: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				close(entered)
				<-r.Context().Done()
				fmt.Fprint(w, context.Cause(r.Context()))
			})})
		answer := make(chan string, 1)
		go func() {
			resp, err := s.client.Get("http://localhost/mcp")
			if err != nil {
				answer <- err.Error()
				return
			}
			defer resp.Body.Close()
			text, _ := io.ReadAll(resp.Body)
			answer <- string(text)
		}()
		<-entered
		s.close(t)
		expect.Is(t, <-answer, "stopping", "the call was answered with")
	})
}

// TestServeFails: a listener that breaks ends the server with its error.
func TestServeFails(t *testing.T) {
	l := newPipes()
	l.Close()
	if err := newServer(t, web.Options{}).Serve(t.Context(), l); !errors.Is(err, net.ErrClosed) {
		t.Errorf("the server ended with %v", err)
	}
}

// TestOwnAddress: the local address of a connection is a name of the server,
// another address is not.
func TestOwnAddress(t *testing.T) {
	for host, want := range map[string]string{"192.0.2.7:3010": "200", "192.0.2.8:3010": "403", "[::ffff:192.0.2.7]": "200"} {
		client, served := net.Pipe()
		l := newPipes()
		ctx, stop := context.WithCancel(t.Context())
		stopped := make(chan error, 1)
		go func() { stopped <- newServer(t, web.Options{}).Serve(ctx, l) }()
		l.conns <- addressed{served}
		go fmt.Fprintf(client, "GET /healthz HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", host)
		resp, err := http.ReadResponse(bufio.NewReader(client), nil)
		expect.NoError(t, err)
		expect.That(t, strings.HasPrefix(resp.Status, want), "host %s at 192.0.2.7 was answered with %s", host, resp.Status)
		client.Close()
		stop()
		expect.Succeeds(t, <-stopped, "error")
	}
}

// addressed is a connection with an address that is reserved for documentation.
type addressed struct{ net.Conn }

func (addressed) LocalAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 7), Port: 3010} }
