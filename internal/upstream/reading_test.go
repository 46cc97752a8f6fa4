package upstream_test

import (
	"bufio"
	"compress/gzip"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// readSentence reads a body that ends with a full stop.
func readSentence(into *[]string) func(io.Reader) error {
	return func(body io.Reader) error {
		text, err := io.ReadAll(body)
		*into = append(*into, string(text))
		if err == nil && !strings.HasSuffix(string(text), ".") {
			err = errors.New("no full stop")
		}
		return err
	}
}

func TestReading(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1<<12) + "."
	page := "<!DOCTYPE html><title>Sorry</title>"
	for name, test := range map[string]struct {
		answers []answer
		read    []string // texts that were read, one for each attempt
		code    entity.Code
		text    string // of the error, or the body of the response
	}{
		"whole":              {[]answer{reply(200, "data.")}, []string{"data."}, "", ""},
		"beyond MaxBody":     {[]answer{reply(200, long)}, []string{long}, "", ""},
		"empty":              {[]answer{reply(200, ""), reply(200, ".")}, []string{"", "."}, "", ""},
		"breaks off":         {[]answer{breakInBody(errReset), reply(200, "data.")}, []string{`{"half":`, "data."}, "", ""},
		"breaks off at once": {[]answer{breakOff("", errReset), reply(200, "data.")}, []string{"", "data."}, "", ""},
		"breaks off later":   {[]answer{breakOff(long, io.ErrUnexpectedEOF), reply(200, "data.")}, []string{long, "data."}, "", ""},
		"after a failure":    {[]answer{reply(503, ""), reply(200, "data.")}, []string{"data."}, "", ""},
		"after a page":       {[]answer{html(200), reply(200, page), reply(200, "data.")}, []string{"data."}, "", ""},
		"over a redirect":    {[]answer{reply(302, "", "Location: /other"), reply(200, "data.")}, []string{"data."}, "", ""},
		"always breaks off": {[]answer{breakInBody(errReset)}, []string{`{"half":`, `{"half":`, `{"half":`}, entity.UpstreamError,
			"sent an answer that cannot be read"},
		"always nonsense": {[]answer{reply(200, "data")}, []string{"data", "data", "data"}, entity.UpstreamError,
			"sent an answer that cannot be read"},
		"always a page":       {[]answer{reply(200, page)}, nil, entity.UpstreamError, "web page instead of data"},
		"400":                 {[]answer{reply(400, "bad id")}, nil, "", "bad id"},
		"404":                 {[]answer{reply(404, "no such record")}, nil, "", "no such record"},
		"400, and Check sees": {[]answer{reply(400, "ERROR"), reply(200, "data.")}, []string{"data."}, "", ""},
		"501":                 {[]answer{reply(501, "oops")}, nil, entity.UpstreamError, "status 501"},
		"a long error":        {[]answer{reply(404, long)}, nil, entity.UpstreamError, "an answer that is too large"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newSource(test.answers...)
				o := options(s)
				o.Check = func(_ *http.Response, body []byte) error {
					if string(body) == "ERROR" {
						return errBackend
					}
					expect.That(t, !strings.HasPrefix(string(body), "data"), "Check sees the text that was read")
					return nil
				}
				var read []string
				resp, body, err := ask(t, upstream.NewClient(o), upstream.Reading(t.Context(), readSentence(&read)))
				expect.Equal(t, "read", test.read, read)
				if test.code != "" {
					wantError(t, err, test.code, "Example", test.text)
					expect.That(t, err.Cause != nil, "no cause for the log")
					return
				}
				expect.Must(t, err == nil, "%v", err)
				if body != test.text || upstream.Attempts(resp) != len(s.starts) {
					t.Errorf("body %q, want %q; %d attempts", body, test.text, upstream.Attempts(resp))
				}
			})
		})
	}
}

// The part that was not read is not in the response either.
func TestReadingLeavesAnEmptyBody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := upstream.NewClient(options(newSource(reply(200, strings.Repeat("x", 1<<14)))))
		_, body, err := ask(t, c, upstream.Reading(t.Context(), func(io.Reader) error { return nil }))
		expect.That(t, body == "" && err == nil, "%d bytes, %v", len(body), err)
	})
}

// breakOff answers with a text and then an error.
func breakOff(text string, err error) answer {
	return func(*http.Request) (*http.Response, error) {
		body := io.MultiReader(strings.NewReader(text), brokenReader{err})
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(body)}, nil
	}
}

// The reader sees the error that breaks a body off, at any position.
func TestReadingSeesTheError(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "a few bytes", strings.Repeat("x", 1<<14)} {
		for _, broken := range []error{errReset, io.ErrUnexpectedEOF} {
			synctest.Test(t, func(t *testing.T) {
				o := options(newSource(breakOff(text, broken)))
				o.Tries = 1
				var seen error
				_, _, err := ask(t, upstream.NewClient(o), upstream.Reading(t.Context(), func(body io.Reader) error {
					_, seen = io.ReadAll(body)
					return seen
				}))
				wantError(t, err, entity.UpstreamError)
				expect.That(t, errors.Is(seen, broken) && errors.Is(err, broken),
					"after %d bytes: read sees %v, the cause is %v; want %v", len(text), seen, err.Cause, broken)
			})
		}
	}
}

func TestErrorsOfReading(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		err      error
		requests int
		code     entity.Code
		texts    []string
	}{
		"any": {errBackend, 3, entity.UpstreamError, []string{"sent an answer that cannot be read", "https://status.example"}},
		"own": {&entity.Error{Code: entity.EntityNotFound, Message: "No gene.", Hint: "Search.", Cause: errBackend}, 1,
			entity.EntityNotFound, []string{"No gene.", "Search."}},
		"rate limit": {&entity.Error{Code: entity.RateLimited, Cause: errBackend}, 3, entity.RateLimited, []string{"Wait 7 s"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				header := ""
				if test.code == entity.RateLimited {
					header = "Retry-After: 7"
				}
				s := newSource(reply(200, "data", header))
				_, _, err := ask(t, upstream.NewClient(options(s)),
					upstream.Reading(t.Context(), func(io.Reader) error { return test.err }))
				wantError(t, err, test.code, test.texts...)
				expect.That(t, len(s.starts) == test.requests && errors.Is(err, errBackend),
					"%d requests, want %d; cause %v", len(s.starts), test.requests, err.Cause)
				expect.That(t, test.code != entity.RateLimited || s.starts[2] == 14*time.Second,
					"starts %v, want waits of 7 s", s.starts)
			})
		})
	}
}

// A body that stalls is read until the time of the call is up, with any error of the reader.
func TestReadingEndsWithTheContext(t *testing.T) {
	t.Parallel()
	stalls := func(req *http.Request) (*http.Response, error) {
		resp, err := ok()(req)
		resp.Body = struct {
			io.Reader
			io.Closer
		}{io.MultiReader(strings.NewReader(strings.Repeat("x", 1<<13)), hangingBody{req.Context()}), io.NopCloser(nil)}
		return resp, err
	}
	for name, of := range map[string]func(error) error{
		"as it is": func(err error) error { return err },
		"renamed":  func(error) error { return errors.New("syntax error") },
		"as its own": func(err error) error {
			return &entity.Error{Code: entity.UpstreamError, Message: "m", Hint: "h", Cause: err}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for text, end := range map[string]func(context.Context) (context.Context, context.CancelFunc){
				"in the time of this call": func(ctx context.Context) (context.Context, context.CancelFunc) {
					return context.WithTimeout(ctx, time.Second)
				},
				"cancelled": func(ctx context.Context) (context.Context, context.CancelFunc) {
					ctx, cancel := context.WithCancel(ctx)
					time.AfterFunc(time.Second, cancel)
					return ctx, cancel
				},
			} {
				synctest.Test(t, func(t *testing.T) {
					s := newSource(stalls)
					ctx, cancel := end(t.Context())
					defer cancel()
					_, _, err := ask(t, upstream.NewClient(options(s)), upstream.Reading(ctx, func(body io.Reader) error {
						_, err := io.Copy(io.Discard, body)
						return of(err)
					}))
					wantError(t, err, entity.UpstreamError, text)
					if took := time.Since(s.created); took != time.Second || len(s.starts) != 1 {
						t.Errorf("%d requests in %v, want one in 1s", len(s.starts), took)
					}
				})
			}
		})
	}
}

// serve starts a server on loopback and returns its URL and a transport to it.
func serve(t *testing.T, http2 bool, handler http.HandlerFunc) (string, *http.Transport) {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.EnableHTTP2 = http2
	if http2 {
		server.StartTLS()
	} else {
		server.Start()
	}
	transport := server.Client().Transport.(*http.Transport)
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		server.Close()
	})
	return server.URL, transport
}

// protocols are the ways in which a body is sent over the network.
var protocols = map[string]struct{ http2, gzip bool }{
	"HTTP/1.1": {}, "HTTP/1.1, gzip": {gzip: true}, "HTTP/2": {http2: true}, "HTTP/2, gzip": {http2: true, gzip: true},
}

// bodyWriter returns the writer for a handler's body.
func bodyWriter(w http.ResponseWriter, req *http.Request, zip bool) io.Writer {
	w.Header().Set("Content-Type", "text/plain")
	if zip && strings.Contains(req.Header.Get("Accept-Encoding"), "gzip") {
		w.Header().Set("Content-Encoding", "gzip")
		return gzip.NewWriter(w)
	}
	return w
}

// A reader that stops early closes the connection: the rest of the body is not fetched.
func TestReadingStopsEarly(t *testing.T) {
	t.Parallel()
	noise := make([]byte, 1<<16) // incompressible
	_, _ = rand.Read(noise)
	const blocks = 4096 // 256 MiB, far more than all buffers on the way
	for name, wire := range protocols {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			written := make(chan int, 1)
			url, transport := serve(t, wire.http2, func(w http.ResponseWriter, req *http.Request) {
				out := bodyWriter(w, req, wire.gzip)
				n := 0
				for n < blocks {
					if _, err := out.Write(noise); err != nil {
						break
					}
					n++
				}
				written <- n
			})
			o := options(transport)
			req, err := http.NewRequestWithContext(upstream.Reading(t.Context(), func(body io.Reader) error {
				_, err := io.CopyN(io.Discard, body, 1<<20)
				return err
			}), http.MethodGet, url, nil)
			expect.NoError(t, err)
			if _, err := upstream.NewClient(o).Do(req); err != nil {
				t.Fatal(err)
			}
			if n := <-written; n == blocks {
				t.Error("the whole body was fetched")
			}
		})
	}
}

// A body that is cut off does not look like one that has ended.
func TestReadingACutBody(t *testing.T) {
	t.Parallel()
	for name, wire := range protocols {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url, transport := serve(t, wire.http2, func(w http.ResponseWriter, req *http.Request) {
				out := bodyWriter(w, req, wire.gzip)
				_, _ = io.WriteString(out, "a line\nand half")
				if zip, ok := out.(*gzip.Writer); ok {
					_ = zip.Flush()
				}
				_ = http.NewResponseController(w).Flush()
				panic(http.ErrAbortHandler)
			})
			o := options(transport)
			o.Tries = 1
			var first string
			req, err := http.NewRequestWithContext(upstream.Reading(t.Context(), func(body io.Reader) error {
				lines := bufio.NewScanner(body)
				lines.Scan()
				first = lines.Text()
				for lines.Scan() {
				}
				return lines.Err()
			}), http.MethodGet, url, nil)
			expect.NoError(t, err)
			_, err = upstream.NewClient(o).Do(req)
			wantError(t, entity.AsError(err), entity.UpstreamError, "cannot be read")
			expect.That(t, first == "a line", "read %q before the cut", first)
		})
	}
}
