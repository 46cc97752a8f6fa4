package web_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mcpserver"
	"github.com/biofact-mcp/biofact/internal/tool"
	"github.com/biofact-mcp/biofact/internal/web"
)

type word struct {
	Word string `json:"word"`
}

// wordTool returns a tool that answers with its argument once wait returns.
func wordTool(name string, wait func(context.Context) error) *tool.Tool {
	schema := func(side string) []byte {
		return fmt.Appendf(nil, `{"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"urn:test:%s.%s","type":"object","properties":{"word":{"type":"string"}}}`, name, side)
	}
	return tool.New(tool.Definition{
		Name: name, Title: name, Toolset: "trials", Description: name, Input: schema("input"), ListedInput: schema("input"), ListedOutput: schema("output"),
		Arguments: []tool.Argument{{Name: "word", Type: "string", Example: "x"}},
	}, func() (empty word) { return empty }, func(ctx context.Context, w word) (entity.Answer[word], error) {
		return entity.Answer[word]{Value: w}, wait(ctx)
	})
}

func message(id int, name string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":{"word":"fact"}}}`, id, name)
}

// A hostile client talks to a server over the network, as it likes.
type hostile struct {
	address string
	client  *http.Client
}

// post sends a body under a token and returns the status, 0 where the server
// hung up.
func (h *hostile) post(t *testing.T, path string, body io.Reader, header ...string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+h.address+path, body)
	if err != nil {
		t.Error(err)
		return 0, ""
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer ann")
	for i := 0; i < len(header); i += 2 {
		if header[i] == "Host" {
			req.Host = header[i+1]
		} else {
			req.Header.Set(header[i], header[i+1])
		}
	}
	resp, err := h.client.Do(req)
	if err != nil {
		return 0, ""
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(text)
}

// ask posts a body until it is answered: a server that is crowded may hang up
// on who has just come, or put off who comes with much.
func (h *hostile) ask(t *testing.T, path, body string, header ...string) (int, string) {
	t.Helper()
	for t.Context().Err() == nil {
		switch status, text := h.post(t, path, strings.NewReader(body), header...); status {
		case 0, http.StatusRequestTimeout, http.StatusServiceUnavailable:
		default:
			return status, text
		}
	}
	return 0, ""
}

// raw sends bytes and reads until the server hangs up.
func (h *hostile) raw(t *testing.T, head string, body ...byte) string {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", h.address)
	if err != nil {
		t.Error(err)
		return ""
	}
	defer conn.Close()
	_, _ = io.WriteString(conn, head) // the server may hang up meanwhile
	_, _ = conn.Write(body)
	got, _ := io.ReadAll(conn)
	return string(got)
}

// attacks are what hostile clients do, each many times and all at once.
func (h *hostile) attacks() map[string]func(t *testing.T) {
	refused := func(want int, path string, header ...string) func(*testing.T) {
		return func(t *testing.T) {
			for range 20 {
				if status, text := h.ask(t, path, message(1, "fast"), header...); status != want {
					t.Errorf("%s %q was answered with %d %s, want %d", path, header, status, text, want)
				}
			}
		}
	}
	return map[string]func(*testing.T){
		"host":         refused(403, "/mcp", "Host", "evil.example"),
		"origin":       refused(403, "/mcp", "Origin", "https://evil.example"),
		"null origin":  refused(403, "/mcp", "Origin", "null"),
		"double slash": refused(404, "//mcp"),
		"dots":         refused(404, "/mcp/../mcp"),
		"escaped dots": refused(404, "/mcp/%2e%2e/mcp"),
		"absolute form": func(t *testing.T) {
			got := h.raw(t, "GET http://evil.example/healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
			if got != "" && !strings.HasPrefix(got, "HTTP/1.1 403") {
				t.Errorf("a foreign absolute target was answered with %.100q", got)
			}
		},
		"large bodies": func(t *testing.T) {
			tooMuch := []int{http.StatusRequestEntityTooLarge, http.StatusRequestTimeout, http.StatusServiceUnavailable}
			for range 5 {
				if status, _ := h.post(t, "/mcp", io.LimitReader(&counter{}, 60<<20)); status != 0 && !slices.Contains(tooMuch, status) {
					t.Errorf("60 MB were answered with %d", status)
				}
			}
		},
		"large bodies of strangers": func(t *testing.T) {
			for range 5 {
				status, _ := h.post(t, "/mcp", io.LimitReader(&counter{}, 60<<20), "Authorization", "none")
				if status != 401 && status != 429 && status != 0 {
					t.Errorf("60 MB without a token were answered with %d", status)
				}
			}
		},
		"large header": func(t *testing.T) {
			got := h.raw(t, "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "+strings.Repeat("x", 1<<20)+"\r\n\r\n")
			if got != "" && !strings.HasPrefix(got, "HTTP/1.1 431") {
				t.Errorf("a header of 1 MB was answered with %.100q", got)
			}
		},
		"garbage": func(t *testing.T) {
			random := rand.New(rand.NewPCG(1, 2))
			for range 200 {
				body := make([]byte, random.IntN(200))
				for i := range body {
					body[i] = byte(random.Uint32())
				}
				if status, text := h.ask(t, "/mcp", string(body)); status != 400 {
					t.Errorf("%q was answered with %d %s", body, status, text)
				}
				h.raw(t, string(body)+"\r\n\r\n")
			}
			for _, deep := range []string{strings.Repeat("[", 500_000), strings.Repeat(`{"a":`, 150_000)} {
				if status, _ := h.ask(t, "/mcp", deep); status != http.StatusBadRequest {
					t.Errorf("deep nesting was answered with %d", status)
				}
			}
		},
		"slow headers": func(t *testing.T) {
			var wg sync.WaitGroup
			for range 50 {
				wg.Go(func() { h.raw(t, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Slow: ") })
			}
			wg.Wait()
		},
		"slow bodies": func(t *testing.T) {
			var wg sync.WaitGroup
			for range 50 {
				wg.Go(func() {
					h.raw(t, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ann\r\nContent-Length: 1000000\r\n\r\n{")
				})
			}
			wg.Wait()
		},
		"many large bodies": func(t *testing.T) {
			large := bytes.Repeat([]byte(" "), 1_000_000) // one for all: it is the server's memory that is looked at
			var wg sync.WaitGroup
			for range 200 {
				wg.Go(func() {
					h.raw(t, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ann\r\nContent-Length: 1000001\r\n\r\n", large...)
				})
			}
			wg.Wait()
		},
		"idle connections": func(t *testing.T) {
			var wg sync.WaitGroup
			for range 1000 {
				wg.Go(func() { h.raw(t, "") })
			}
			wg.Wait()
		},
		"cancel": func(t *testing.T) {
			for id := range 50 {
				line := fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, id)
				if status, _ := h.ask(t, "/mcp", line); status != 202 {
					t.Errorf("a cancellation was answered with %d", status)
				}
			}
		},
		"dropped calls": func(t *testing.T) {
			for range 50 {
				conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", h.address)
				if err != nil {
					t.Error(err)
					return
				}
				body := message(7, "slow")
				fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ann\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
				conn.Close()
			}
		},
	}
}

// TestHostile: whatever clients do, all at once, a call that was in flight and
// one that is made afterwards are answered, nothing is left behind, and the
// memory stays bounded.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds of slow clients")
	}
	defer goleak.VerifyNone(t)
	entered, leave := make(chan struct{}, 100), make(chan struct{})
	mcp := mcpserver.New([]*tool.Tool{
		wordTool("fast", func(context.Context) error { return nil }),
		wordTool("slow", func(ctx context.Context) error {
			entered <- struct{}{}
			select {
			case <-leave:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}),
	}, mcpserver.Options{Version: "test", Timeout: time.Minute, Log: slog.New(slog.DiscardHandler), RequestID: web.RequestID})
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	expect.NoError(t, err)
	server := newServer(t, web.Options{
		MCP: mcp.HTTP(), Auth: bySubject, Subject: subject, MaxConnections: 200, Rate: 100_000, Burst: 100_000,
		HeaderTimeout: 300 * time.Millisecond, ReadTimeout: 2 * time.Second, IdleTimeout: 300 * time.Millisecond,
	})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	stopped := make(chan error, 1)
	go func() { stopped <- server.Serve(ctx, listener) }()
	h := &hostile{address: listener.Addr().String(), client: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}}

	victim := make(chan string, 1)
	go func() {
		_, text := h.post(t, "/mcp", strings.NewReader(message(7, "slow")))
		victim <- text
	}()
	<-entered
	var wg sync.WaitGroup
	for _, attack := range h.attacks() {
		wg.Go(func() { attack(t) })
	}
	wg.Wait()
	if status, text := h.ask(t, "/mcp", message(8, "fast")); status != 200 || !strings.Contains(text, `{"word":"fact"}`) {
		t.Errorf("after the attacks a call is answered with %d %s", status, text)
	}
	close(leave)
	if text := <-victim; !strings.Contains(text, `{"word":"fact"}`) {
		t.Errorf("the call in flight was answered with %s", text)
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	if got := memory.HeapSys >> 20; got >= 100 {
		t.Errorf("the heap grew to %d MB", got)
	}
	t.Logf("heap: %d MB taken from the system, %d MB in use", memory.HeapSys>>20, memory.HeapInuse>>20)
	stop()
	if err := <-stopped; err != nil {
		t.Error(err)
	}
	h.client.CloseIdleConnections()
}

// TestOwnAddress: the address that a client has connected to is a name of the
// server, another one is not.
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
		if !strings.HasPrefix(resp.Status, want) {
			t.Errorf("host %s at 192.0.2.7 was answered with %s", host, resp.Status)
		}
		client.Close()
		stop()
		if err := <-stopped; err != nil {
			t.Error(err)
		}
	}
}

// addressed is a connection to an address of documentation.
type addressed struct{ net.Conn }

func (addressed) LocalAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 7), Port: 3010} }
