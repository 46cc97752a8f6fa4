package upstream_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

const firstBackoff = 500 * time.Millisecond

func html(status int) answer {
	return reply(status, "<!DOCTYPE html><title>Sorry</title>", "Content-Type: text/html; charset=utf-8")
}

func TestRetryOfTemporaryFailures(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]answer{
		"429":                  reply(429, "slow down"),
		"502":                  reply(502, "bad gateway"),
		"503":                  reply(503, "unavailable"),
		"503 as a web page":    html(503),
		"504":                  reply(504, "timeout"),
		"no connection":        fail(errReset),
		"broken in the body":   breakInBody(errReset),
		"200 with a web page":  html(200),
		"200, a page unmarked": reply(200, "\n <HTML><body>Access denied", "Content-Type: application/json"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newSource(first, first, ok())
				resp, body, err := ask(t, upstream.NewClient(options(s)), t.Context())
				expect.Must(t, err == nil, "%v", err)
				expect.That(t, body == `{"ok":true}`, "body %s", body)
				if n := upstream.Attempts(resp); n != 3 || len(s.starts) != 3 {
					t.Errorf("Attempts = %d after %d requests, want 3 of 3", n, len(s.starts))
				}
				// Full jitter: any time up to a limit that doubles.
				if wait := s.starts[1]; wait >= firstBackoff {
					t.Errorf("first wait %v, want under %v", wait, firstBackoff)
				}
				if wait := s.starts[2] - s.starts[1]; wait >= 2*firstBackoff {
					t.Errorf("second wait %v, want under %v", wait, 2*firstBackoff)
				}
			})
		})
	}
}

// The limit of the waits doubles up to a maximum, and the waits use all of it.
func TestBackoffGrows(t *testing.T) {
	t.Parallel()
	bounds := []time.Duration{firstBackoff, 2 * firstBackoff, 4 * firstBackoff, 8 * firstBackoff, 16 * firstBackoff, 16 * firstBackoff}
	longest := make([]time.Duration, len(bounds))
	for range 100 {
		synctest.Test(t, func(t *testing.T) {
			s := newSource(fail(errReset))
			o := options(s)
			o.Tries = uint(len(bounds)) + 1
			ask(t, upstream.NewClient(o), t.Context())
			for i := range bounds {
				longest[i] = max(longest[i], s.starts[i+1]-s.starts[i])
			}
		})
	}
	for i, bound := range bounds {
		// A hundred random waits are never all in the lower half.
		if longest[i] >= bound || longest[i] < bound/2 {
			t.Errorf("longest wait number %d is %v, want under %v and not far from it", i+1, longest[i], bound)
		}
	}
}

func TestRetryEnds(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		always answer
		code   entity.Code
		text   string
	}{
		"429":                {reply(429, "slow down"), entity.RateLimited, "Wait 1 s"},
		"429 with a wait":    {reply(429, "slow down", "Retry-After: 2"), entity.RateLimited, "Wait 2 s"},
		"500":                {reply(500, "oops"), entity.UpstreamError, "status 500"},
		"503":                {reply(503, "unavailable"), entity.UpstreamError, "status 503"},
		"no connection":      {fail(errReset), entity.UpstreamError, "could not be reached"},
		"broken in the body": {breakInBody(errReset), entity.UpstreamError, "could not be reached"},
		"web page":           {html(200), entity.UpstreamError, "web page"},
	} {
		for tries, want := range map[uint]int{0: 1, 1: 1, 4: 4} {
			t.Run(name+", tries "+strconv.Itoa(int(tries)), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					s := newSource(test.always)
					o := options(s)
					o.Tries = tries
					_, _, err := ask(t, upstream.NewClient(o), t.Context())
					wantError(t, err, test.code, "Example", test.text)
					expect.Equal(t, "requests", want, len(s.starts))
				})
			})
		}
	}
}

func TestNoRetryOfPermanentFailures(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		first answer
		text  string // of the error; "": the caller gets the response
	}{
		"400":                     {reply(400, "`query.condition` is unknown parameter", "Content-Type: text/plain"), ""},
		"404":                     {reply(404, "NCT number not found", "Content-Type: text/plain"), ""},
		"403":                     {reply(403, "no"), "refused this client or network"},
		"400 as a web page":       {html(400), "refused this client or network"},
		"404 as a web page":       {html(404), "answered with a web page instead of data (status 404)"},
		"501":                     {reply(501, "oops"), "status 501"},
		"401":                     {reply(401, "who?"), "unexpected status 401"},
		"204":                     {reply(204, ""), "unexpected status 204"},
		"304":                     {reply(304, ""), "unexpected status 304"},
		"redirect, no Location":   {reply(302, ""), "unexpected status 302"},
		"a body above the bounds": {reply(200, string(make([]byte, 1<<10+1))), "an answer that is too large"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newSource(test.first, ok())
				resp, body, err := ask(t, upstream.NewClient(options(s)), t.Context())
				if len(s.starts) != 1 || time.Since(s.created) != 0 {
					t.Errorf("%d requests in %v, want one at once", len(s.starts), time.Since(s.created))
				}
				if test.text != "" {
					wantError(t, err, entity.UpstreamError, "Example", test.text)
					return
				}
				expect.Must(t, err == nil, "%v", err)
				if want, _ := test.first(nil); resp.StatusCode != want.StatusCode || body == "" || upstream.Attempts(resp) != 1 {
					t.Errorf("status %d, body %q, %d attempts", resp.StatusCode, body, upstream.Attempts(resp))
				}
			})
		})
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	in := func(d time.Duration) func() string {
		return func() string { return time.Now().Add(d).UTC().Format(http.TimeFormat) }
	}
	says := func(text string) func() string { return func() string { return text } }
	const jitter = -1
	for name, test := range map[string]struct {
		header func() string
		want   time.Duration
	}{
		"seconds":               {says("7"), 7 * time.Second},
		"a date":                {in(9 * time.Second), 9 * time.Second},
		"the most":              {says("60"), time.Minute},
		"absurd":                {says("86400"), time.Minute},
		"absurd date":           {in(100 * 365 * 24 * time.Hour), time.Minute},
		"beyond a duration":     {says("9223372037"), time.Minute},
		"wraps around to small": {says("18446744074"), time.Minute},
		"beyond an integer":     {says("99999999999999999999"), time.Minute},
		"none":                  {says(""), jitter},
		"zero":                  {says("0"), jitter},
		"negative":              {says("-5"), jitter},
		"negative, huge":        {says("-99999999999999999999"), jitter},
		"a date gone by":        {in(-time.Hour), jitter},
		"neither":               {says("soon"), jitter},
	} {
		for _, status := range []int{429, 503} {
			t.Run(name+", "+strconv.Itoa(status), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					s := newSource(reply(status, "", "Retry-After: "+test.header()), ok())
					if _, _, err := ask(t, upstream.NewClient(options(s)), t.Context()); err != nil {
						t.Fatal(err)
					}
					got := s.starts[1]
					expect.That(t, test.want != jitter || got < firstBackoff, "waited %v, want under %v", got, firstBackoff)
					expect.That(t, test.want == jitter || got == test.want, "waited %v, want %v", got, test.want)
				})
			})
		}
	}
}

func TestRetryKeepsTheDeadline(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		always  answer
		timeout time.Duration
		code    entity.Code
		texts   []string
	}{
		"429 beyond it": {reply(429, "", "Retry-After: 10"), 5 * time.Second, entity.RateLimited,
			[]string{"next 10 s", "Wait 10 s"}},
		"429 just at it":        {reply(429, "", "Retry-After: 10"), 10 * time.Second, entity.RateLimited, []string{"Wait 10 s"}},
		"429 absurd":            {reply(429, "", "Retry-After: 86400"), 30 * time.Second, entity.RateLimited, []string{"Wait 60 s"}},
		"503 beyond it":         {reply(503, "", "Retry-After: 10"), 5 * time.Second, entity.UpstreamError, []string{"status 503"}},
		"no time for any sleep": {reply(429, ""), time.Nanosecond, entity.RateLimited, []string{"Wait 1 s"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newSource(test.always)
				ctx, cancel := context.WithTimeout(t.Context(), test.timeout)
				defer cancel()
				_, _, err := ask(t, upstream.NewClient(options(s)), ctx)
				wantError(t, err, test.code, test.texts...)
				if len(s.starts) != 1 || time.Since(s.created) != 0 {
					t.Errorf("%d requests in %v, want one and the error at once", len(s.starts), time.Since(s.created))
				}
			})
		})
	}
}

// For every random value the last sleep ends before the deadline and the error is that of the source.
func TestRetryNeverSleepsPastTheDeadline(t *testing.T) {
	t.Parallel()
	for range 50 {
		synctest.Test(t, func(t *testing.T) {
			s := newSource(reply(503, ""))
			o := options(s)
			o.Tries = 1000
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
			defer cancel()
			_, _, err := ask(t, upstream.NewClient(o), ctx)
			wantError(t, err, entity.UpstreamError, "status 503")
			if took := time.Since(s.created); took >= 3*time.Second {
				t.Errorf("answered after %v, want before the deadline", took)
			}
		})
	}
}

// A retry that the queue cannot serve in time is refused like any request.
func TestRetryGoesThroughThePace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newSource(reply(503, ""), reply(503, ""), ok())
		o := options(s)
		o.Interval = 2 * time.Second
		if _, _, err := ask(t, upstream.NewClient(o), t.Context()); err != nil {
			t.Fatal(err)
		}
		expect.Equal(t, "starts", every(2*time.Second, 3), s.starts)
	})
	synctest.Test(t, func(t *testing.T) {
		s := newSource(reply(503, ""))
		o := options(s)
		o.Interval = 2 * time.Second
		ctx, cancel := context.WithTimeout(t.Context(), 1900*time.Millisecond)
		defer cancel()
		_, _, err := ask(t, upstream.NewClient(o), ctx)
		wantError(t, err, entity.RateLimited)
		if len(s.starts) != 1 || time.Since(s.created) >= firstBackoff {
			t.Errorf("%d requests in %v, want one and no more than the backoff", len(s.starts), time.Since(s.created))
		}
	})
}

func TestContextEndsInTheMiddle(t *testing.T) {
	t.Parallel()
	body := func(req *http.Request) (*http.Response, error) {
		resp, err := ok()(req)
		resp.Body = hangingBody{req.Context()}
		return resp, err
	}
	for name, test := range map[string]struct{ first answer }{
		"before the answer": {hang},
		"in the body":       {body},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newSource(test.first)
				ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
				defer cancel()
				_, _, err := ask(t, upstream.NewClient(options(s)), ctx)
				wantError(t, err, entity.UpstreamError, "did not answer in the time of this call")
				if took := time.Since(s.created); took != 4*time.Second || len(s.starts) != 1 {
					t.Errorf("%d requests in %v, want one in 4s", len(s.starts), took)
				}
			})
			synctest.Test(t, func(t *testing.T) {
				s := newSource(test.first)
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(time.Second, cancel)
				_, _, err := ask(t, upstream.NewClient(options(s)), ctx)
				wantError(t, err, entity.UpstreamError, "cancelled")
				if took := time.Since(s.created); took != time.Second || len(s.starts) != 1 {
					t.Errorf("%d requests in %v, want one in 1s", len(s.starts), took)
				}
			})
		})
	}
	t.Run("in the wait for a retry", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			s := newSource(reply(429, "", "Retry-After: 30"))
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Second, cancel)
			_, _, err := ask(t, upstream.NewClient(options(s)), ctx)
			wantError(t, err, entity.UpstreamError, "cancelled")
			if took := time.Since(s.created); took != time.Second || len(s.starts) != 1 {
				t.Errorf("%d requests in %v, want one in 1s", len(s.starts), took)
			}
		})
	})
}

type hangingBody struct{ ctx context.Context }

func (b hangingBody) Read([]byte) (int, error) {
	<-b.ctx.Done()
	return 0, b.ctx.Err()
}

func (b hangingBody) Close() error { return nil }

// A formBody is a request body that records whether it was closed.
type formBody struct {
	io.Reader
	closed bool
}

func (b *formBody) Close() error {
	b.closed = true
	return nil
}

// post returns a request with a form, and all bodies that are taken from it.
func post(t *testing.T, ctx context.Context) (*http.Request, *[]*formBody) {
	t.Helper()
	made := &[]*formBody{}
	take := func() (io.ReadCloser, error) {
		b := &formBody{Reader: strings.NewReader("id=1&id=2")}
		*made = append(*made, b)
		return b, nil
	}
	first, _ := take()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, target, first)
	expect.NoError(t, err)
	req.GetBody, req.ContentLength = take, 9
	return req, made
}

// recordBody reads the first n bytes of a request's body before it answers.
func recordBody(into *[]string, n int64, next answer) answer {
	return func(req *http.Request) (*http.Response, error) {
		defer req.Body.Close()
		read, err := io.ReadAll(io.LimitReader(req.Body, n))
		*into = append(*into, string(read))
		if err != nil {
			return nil, err
		}
		return next(req)
	}
}

func TestRetryRewindsTheBody(t *testing.T) {
	t.Parallel()
	const form = "id=1&id=2"
	for name, test := range map[string]struct {
		answers []func(*[]string) answer
		want    []string
	}{
		"once": {[]func(*[]string) answer{
			func(b *[]string) answer { return recordBody(b, 99, ok()) },
		}, []string{form}},
		"after failures": {[]func(*[]string) answer{
			func(b *[]string) answer { return recordBody(b, 99, reply(503, "")) },
			func(b *[]string) answer { return recordBody(b, 4, fail(errReset)) },
			func(b *[]string) answer { return recordBody(b, 99, ok()) },
		}, []string{form, "id=1", form}},
		"over a redirect": {[]func(*[]string) answer{
			func(b *[]string) answer { return recordBody(b, 99, reply(503, "")) },
			func(b *[]string) answer { return recordBody(b, 99, reply(307, "", "Location: /other")) },
			func(b *[]string) answer { return recordBody(b, 99, reply(503, "")) },
			func(b *[]string) answer { return recordBody(b, 99, ok()) },
		}, []string{form, form, form, form}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var bodies []string
				var answers []answer
				for _, a := range test.answers {
					answers = append(answers, a(&bodies))
				}
				req, made := post(t, t.Context())
				resp, err := upstream.NewClient(options(newSource(answers...))).Do(req)
				expect.NoError(t, err)
				expect.Equal(t, "Attempts", len(test.want), upstream.Attempts(resp))
				expect.Equal(t, "bodies", test.want, bodies)
				for i, b := range *made {
					expect.That(t, b.closed, "body %d was not closed", i)
				}
			})
		})
	}
}

// A body that cannot be read again is sent once.
func TestNoRetryWithoutGetBody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var bodies []string
		s := newSource(recordBody(&bodies, 99, reply(503, "")))
		req, made := post(t, t.Context())
		req.GetBody = nil
		_, err := upstream.NewClient(options(s)).Do(req)
		wantError(t, entity.AsError(err), entity.UpstreamError, "status 503")
		if diff := cmp.Diff([]string{"id=1&id=2"}, bodies); diff != "" || !(*made)[0].closed {
			t.Errorf("bodies (-want +got):\n%s", diff)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		s := newSource(reply(503, ""), ok())
		req := request(t, t.Context())
		req.Body = http.NoBody
		if _, err := upstream.NewClient(options(s)).Do(req); err != nil {
			t.Errorf("no body at all: %v", err)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		s := newSource(ok())
		req, made := post(t, t.Context())
		req.GetBody = func() (io.ReadCloser, error) { return nil, errors.New("gone") }
		_, err := upstream.NewClient(options(s)).Do(req)
		wantError(t, entity.AsError(err), entity.UpstreamError, "could not be queried")
		if len(s.starts) != 0 || !(*made)[0].closed {
			t.Errorf("%d requests, body closed: %v", len(s.starts), (*made)[0].closed)
		}
	})
}

// A request that is refused before its turn leaves no body open.
func TestRefusedRequestClosesItsBody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := options(newSource(ok()))
		o.Interval = time.Second
		c := upstream.NewClient(o)
		ask(t, c, t.Context())
		req, made := post(t, within(t, time.Millisecond))
		_, err := c.Do(req)
		wantError(t, entity.AsError(err), entity.RateLimited)
		if len(*made) != 2 {
			t.Fatalf("%d bodies, want the request's and that of the attempt", len(*made))
		}
		for i, b := range *made {
			expect.That(t, b.closed, "body %d was not closed", i)
		}
	})
}
