package web_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/web"
)

type subjectKey struct{}

// bySubject authenticates clients that send a name, and refuses all others.
func bySubject(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		subject, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !ok {
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "no token", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), subjectKey{}, subject)))
	})
}

func subject(ctx context.Context) string {
	name, _ := ctx.Value(subjectKey{}).(string)
	return name
}

// TestRate: each subject has its own budget, which is refilled with time;
// without subjects each address has one.
func TestRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, named := range []bool{true, false} {
			o := web.Options{Rate: 0.5, Burst: 3}
			if named {
				o.Auth, o.Subject = bySubject, subject
			}
			s := serve(t, o)
			ask := func(name string) *http.Response {
				resp, _ := s.do(t, "POST", "/mcp", "x", "Authorization", "Bearer "+name)
				return resp
			}
			for i := range 3 {
				if resp := ask("ann"); resp.StatusCode != http.StatusOK {
					t.Errorf("request %d of the burst was answered with %d", i+1, resp.StatusCode)
				}
			}
			if resp := ask("ann"); resp.StatusCode != http.StatusTooManyRequests || resp.Header.Get("Retry-After") != "2" {
				t.Errorf("beyond the burst: %d, Retry-After %q", resp.StatusCode, resp.Header.Get("Retry-After"))
			}
			if got := ask("bob").StatusCode; (got == 200) != named {
				t.Errorf("another client at the same address (named %v) is answered with %d", named, got)
			}
			if resp, _ := s.do(t, "GET", "/healthz", ""); resp.StatusCode != http.StatusOK {
				t.Errorf("the probe is answered with %d", resp.StatusCode)
			}
			time.Sleep(2 * time.Second) // of the bubble's time
			if resp := ask("ann"); resp.StatusCode != http.StatusOK {
				t.Errorf("after Retry-After: %d", resp.StatusCode)
			}
			s.close(t)
		}
	})
}

// TestFailures: an address that retries without a valid token gets 429. A
// client with a token is served meanwhile: behind a proxy all have one address.
func TestFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t, web.Options{Auth: bySubject, Subject: subject})
		last := 0
		for range 100 {
			resp, text := s.do(t, "POST", "/mcp", "x")
			if last = resp.StatusCode; last == 429 && (resp.Header.Get("Retry-After") == "" || strings.Contains(text, "no token")) {
				t.Errorf("refused with %v %s", resp.Header, text)
			}
		}
		expect.That(t, last == 429, "the hundredth failure was answered with %d", last)
		if resp, _ := s.do(t, "POST", "/mcp", "x", "Authorization", "Bearer ann"); resp.StatusCode != http.StatusOK {
			t.Errorf("a client with a token is answered with %d", resp.StatusCode)
		}
		s.client.CloseIdleConnections() // the server closes them at that very minute
		time.Sleep(time.Minute)         // of the bubble's time
		if resp, _ := s.do(t, "POST", "/mcp", "x"); resp.StatusCode != http.StatusUnauthorized {
			t.Errorf("a minute later a failure is answered with %d", resp.StatusCode)
		}
		s.close(t)
	})
}

// TestManyClients: the memory of clients is limited, and a client that
// continues to send requests keeps its budget.
func TestManyClients(t *testing.T) {
	expect.Long(t)
	synctest.Test(t, func(t *testing.T) {
		s := serve(t, web.Options{Auth: bySubject, Subject: subject, Rate: 0.001, Burst: 1})
		ask := func(name string) int {
			resp, _ := s.do(t, "POST", "/mcp", "", "Authorization", "Bearer "+name)
			return resp.StatusCode
		}
		ask("idle")
		ask("ann")
		for i := range 10_500 {
			ask(fmt.Sprint("client", i))
			expect.Must(t, i%1000 != 0 || ask("ann") == 429, "a client that continues to send requests was forgotten")
		}
		expect.That(t, ask("idle") == 200, "ten thousand clients later, one that has long been quiet is remembered")
		s.close(t)
	})
}

// TestBody: the largest body passes. A body with one byte more is refused, with
// or without Content-Length, and is not read to its end.
func TestBody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const most = 1 << 16
		s := serve(t, web.Options{MaxBody: most})
		if resp, text := s.do(t, "POST", "/mcp", strings.Repeat("x", most)); resp.StatusCode != http.StatusOK || len(text) != most {
			t.Errorf("the largest body was answered with %d, %d bytes", resp.StatusCode, len(text))
		}
		for _, announced := range []bool{true, false} {
			endless := &counter{}
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost/mcp", io.LimitReader(endless, 60<<20))
			expect.NoError(t, err)
			if announced {
				req.ContentLength = 60 << 20
			}
			resp, err := s.client.Do(req)
			expect.NoError(t, err)
			resp.Body.Close()
			synctest.Wait()
			expect.That(t, resp.StatusCode == http.StatusRequestEntityTooLarge && endless.read <= most+1<<20,
				"60 MB (announced %v) were answered with %d after %d bytes", announced, resp.StatusCode, endless.read)
		}
		s.close(t)
	})
}

// counter reads as an endless text of x.
type counter struct{ read int }

func (c *counter) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	c.read += len(p)
	return len(p), nil
}

// TestSlow: a client that sends a header or a body too slowly, or does not use
// its connection, loses it. A call may take longer than its body may.
func TestSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t, web.Options{
			HeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, IdleTimeout: 20 * time.Second, WriteTimeout: 60 * time.Second,
			MCP: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				select {
				case <-time.After(30 * time.Second):
					io.WriteString(w, "at last")
				case <-r.Context().Done():
				}
			}),
		})
		const post = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n"
		for name, test := range map[string]struct {
			sent    string
			after   time.Duration
			answers string
		}{
			"nothing":     {"", 5 * time.Second, ""},
			"half header": {post, 5 * time.Second, ""},
			"half body":   {post + "\r\n{", 10 * time.Second, "408"},
			"idle":        {"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", 20 * time.Second, "200"},
			"a slow call": {post + "Connection: close\r\n\r\n{}", 30 * time.Second, "at last"},
		} {
			conn, err := s.listener.dial(t.Context(), "", "")
			expect.NoError(t, err)
			start := time.Now()
			go io.WriteString(conn, test.sent)
			got, _ := io.ReadAll(conn)
			if took := time.Since(start); took < test.after || took > test.after+time.Second ||
				!strings.Contains(string(got), test.answers) {
				t.Errorf("%s: closed after %s, want %s, with %q", name, took, test.after, got)
			}
			conn.Close()
		}
		s.close(t)
	})
}

// TestConnections: beside as many silent connections as are allowed, a new one is served as soon as the time for their headers is over; if
// all are processing calls, it is served when one of them is done.
func TestConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		entered, leave := make(chan struct{}), make(chan struct{})
		s := serve(t, web.Options{MaxConnections: 4, HeaderTimeout: 5 * time.Second, IdleTimeout: time.Hour,
			MCP: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				entered <- struct{}{}
				<-leave
				io.WriteString(w, "done")
			})})
		dial := func() net.Conn {
			conn, err := s.listener.dial(t.Context(), "", "")
			expect.NoError(t, err)
			return conn
		}
		for range 4 {
			defer dial().Close()
		}
		start := time.Now()
		if resp, _ := s.do(t, "GET", "/healthz", ""); resp.StatusCode != http.StatusOK {
			t.Errorf("beside silent connections a request is answered with %d", resp.StatusCode)
		}
		if waited := time.Since(start); waited > 6*time.Second { // of the bubble's time
			t.Errorf("beside silent connections a request waits %s", waited)
		}
		s.client.CloseIdleConnections()
		done := make(chan error, 4)
		for range 4 {
			conn := dial()
			defer conn.Close()
			io.WriteString(conn, "GET /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
			<-entered
			go func() {
				_, err := http.ReadResponse(bufio.NewReader(conn), nil)
				done <- err
			}()
		}
		answered := make(chan int, 1)
		go func() {
			resp, _ := s.do(t, "GET", "/healthz", "")
			answered <- resp.StatusCode
		}()
		synctest.Wait()
		select {
		case status := <-answered:
			t.Errorf("a fifth connection was answered with %d beside four at work", status)
		default:
		}
		start = time.Now()
		leave <- struct{}{}
		if status := <-answered; status != 200 || time.Since(start) > 0 {
			t.Errorf("%s after one was done, the fifth was answered with %d", time.Since(start), status)
		}
		close(leave)
		for range 4 {
			expect.Succeeds(t, <-done, "a call at work was ended")
		}
		s.close(t)
	})
}

// TestRefusedBody: a refused request is answered soon, even if its body has not
// come. A body that came with its header does not close the connection.
func TestRefusedBody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t, web.Options{Auth: bySubject, Subject: subject, Rate: 0.001, Burst: 1, HeaderTimeout: time.Minute,
			ReadTimeout: time.Minute})
		s.do(t, "POST", "/mcp", "x", "Authorization", "Bearer busy")
		for name, test := range map[string]struct{ head, status string }{
			"token":  {"POST /mcp HTTP/1.1\r\nHost: localhost\r\n", "401"},
			"rate":   {"POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer busy\r\n", "429"},
			"host":   {"POST /mcp HTTP/1.1\r\nHost: evil.example\r\n", "403"},
			"origin": {"POST /mcp HTTP/1.1\r\nHost: localhost\r\nOrigin: null\r\n", "403"},
			"preflight": {"OPTIONS /mcp HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nAccess-Control-Request-Method: POST\r\n",
				"204"},
			"route":     {"POST /nothing HTTP/1.1\r\nHost: localhost\r\n", "404"},
			"method":    {"POST /healthz HTTP/1.1\r\nHost: localhost\r\n", "405"},
			"probe":     {"GET /healthz HTTP/1.1\r\nHost: localhost\r\n", "200"},
			"HTTP/1.0":  {"POST /mcp HTTP/1.0\r\nHost: localhost\r\n", "401"},
			"too large": {"POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ann\r\n", "413"},
		} {
			bodies := []string{"Content-Length: 1000\r\n\r\n{", "Transfer-Encoding: chunked\r\n\r\n5\r\n{",
				"Content-Length: 1000\r\nExpect: 100-continue\r\n\r\n"}
			if name == "too large" {
				bodies = []string{"Content-Length: 1100000\r\n\r\n{"}
			}
			for _, body := range bodies {
				conn, err := s.listener.dial(t.Context(), "", "")
				expect.NoError(t, err)
				start := time.Now()
				go io.WriteString(conn, test.head+body)
				got, _ := io.ReadAll(conn)
				// of the bubble's time
				if took := time.Since(start); took > time.Second || !strings.Contains(string(got), " "+test.status+" ") {
					t.Errorf("%s: %q was answered after %s with %.100q, want %s", name, body, took, got, test.status)
				}
			}
		}
		conn, err := s.listener.dial(t.Context(), "", "")
		expect.NoError(t, err)
		defer conn.Close()
		answers := bufio.NewReader(conn)
		for range 3 {
			go io.WriteString(conn, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}")
			resp, err := http.ReadResponse(answers, nil)
			expect.Must(t, err == nil && resp.StatusCode == http.StatusUnauthorized && !resp.Close,
				"a whole request was refused with %v, %v", resp, err)
			io.Copy(io.Discard, resp.Body)
		}
		s.close(t)
	})
}
