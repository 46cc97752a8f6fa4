package upstream_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// The tests run in bubbles of testing/synctest: time advances only when all goroutines wait, so waits are exact and take no real time. A
// bubble fails if a goroutine outlives it, which proves that no goroutine leaks.

// An answer makes the source's answer to one request.
type answer func(*http.Request) (*http.Response, error)

// A source answers requests in order, then repeats the last answer, and records the requests.
type source struct {
	answers []answer

	mu       sync.Mutex
	created  time.Time
	starts   []time.Duration // since the source was created
	requests []*http.Request
}

func newSource(answers ...answer) *source {
	return &source{answers: answers, created: time.Now()}
}

func (s *source) RoundTrip(req *http.Request) (*http.Response, error) {
	s.mu.Lock()
	next := s.answers[min(len(s.requests), len(s.answers)-1)]
	s.starts = append(s.starts, time.Since(s.created))
	s.requests = append(s.requests, req)
	s.mu.Unlock()
	return next(req)
}

// reply answers with a status, header lines and a body.
func reply(status int, body string, header ...string) answer {
	return func(*http.Request) (*http.Response, error) {
		h := http.Header{}
		for _, line := range header {
			name, value, _ := strings.Cut(line, ": ")
			h.Set(name, value)
		}
		return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body))}, nil
	}
}

func ok() answer { return reply(200, `{"ok":true}`, "Content-Type: application/json") }

// fail returns an error instead of a response.
func fail(err error) answer {
	return func(*http.Request) (*http.Response, error) { return nil, err }
}

// breakInBody breaks off in the middle of the body.
func breakInBody(err error) answer {
	return func(*http.Request) (*http.Response, error) {
		body := io.MultiReader(strings.NewReader(`{"half":`), brokenReader{err})
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(body)}, nil
	}
}

type brokenReader struct{ err error }

func (r brokenReader) Read([]byte) (int, error) { return 0, r.err }

// hang answers when the context of the request ends.
func hang(req *http.Request) (*http.Response, error) {
	<-req.Context().Done()
	return nil, req.Context().Err()
}

var errReset = errors.New("connection reset by peer")

// options returns the default policy of the tests.
func options(base http.RoundTripper) upstream.Options {
	return upstream.Options{
		Source: "Example", Status: "https://status.example", Base: base,
		Tries: 3, MaxBody: 1 << 10, UserAgent: "biofact/test (+mailto:a@example.org)", Log: slog.New(slog.DiscardHandler),
	}
}

// target is the URL that all tests request; no text may repeat it.
const target = "https://upstream.test/find?api_key=" + key + "&term=melan%C3%B6m+%22stage+IV%22&pageSize=50"

const key = "0123456789abcdef-KEY"

func request(t *testing.T, ctx context.Context) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	expect.NoError(t, err)
	return req
}

// ask makes one request and returns the body of the answer.
func ask(t *testing.T, c *upstream.Client, ctx context.Context) (*http.Response, string, *entity.Error) {
	t.Helper()
	resp, err := c.Do(request(t, ctx))
	if err != nil {
		e, ok := errors.AsType[*entity.Error](err)
		expect.Must(t, ok, "the error is a %T, want *entity.Error: %v", err, err)
		return nil, "", e
	}
	body, err := io.ReadAll(resp.Body)
	expect.Must(t, err == nil, "read an answer that is in memory: %v", err)
	return resp, string(body), nil
}

// wantError checks the code, and that message and hint contain the texts.
func wantError(t *testing.T, err *entity.Error, code entity.Code, texts ...string) {
	t.Helper()
	expect.Must(t, err != nil, "no error, want %s", code)
	expect.That(t, err.Code == code, "code %s, want %s: %s", err.Code, code, err.Message)
	shown := err.Message + "\n" + err.Hint
	for _, text := range texts {
		expect.That(t, strings.Contains(shown, text), "neither message nor hint says %q:\n%s", text, shown)
	}
	expect.That(t, err.Message != "" && err.Hint != "", "message %q or hint %q is empty", err.Message, err.Hint)
}

// logged returns a log at the operators' default level, and a function that returns its contents.
func logged() (*slog.Logger, func() string) { return loggedFrom(slog.LevelInfo) }

// loggedFrom returns a log from a level on, and a function that returns its contents.
func loggedFrom(level slog.Level) (*slog.Logger, func() string) {
	var mu sync.Mutex
	var buf bytes.Buffer
	w := writerFunc(func(p []byte) (int, error) {
		mu.Lock()
		defer mu.Unlock()
		return buf.Write(p)
	})
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level})), func() string {
		mu.Lock()
		defer mu.Unlock()
		return buf.String()
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// getPath makes a request for a path.
func getPath(t *testing.T, c *upstream.Client, ctx context.Context, path string) error {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://upstream.test"+path, nil)
	expect.NoError(t, err)
	_, err = c.Do(req)
	return err
}
