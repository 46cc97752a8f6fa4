package upstream_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

func TestUserAgentIsSet(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newSource(reply(503, ""), ok())
		req := request(t, t.Context())
		req.Header.Set("Accept", "application/json")
		before := req.Clone(t.Context())
		if _, err := upstream.NewClient(options(s)).Do(req); err != nil {
			t.Fatal(err)
		}
		expect.Equal(t, "the caller's header was changed", before.Header, req.Header)
		expect.Equal(t, "the caller's URL was changed", before.URL, req.URL)
		want := http.Header{"Accept": {"application/json"}, "User-Agent": {"biofact/test (+mailto:a@example.org)"}}
		for i, sent := range s.requests {
			expect.That(t, sent.URL.String() == target, "request %d asks for %s", i, sent.URL)
			expect.Equal(t, fmt.Sprintf("header of request %d", i), want, sent.Header)
		}
	})
}

func TestBodyOfTheLargestSize(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		content := strings.Repeat("x", 1<<10)
		_, body, err := ask(t, upstream.NewClient(options(newSource(reply(200, content)))), t.Context())
		expect.That(t, err == nil && body == content, "%d bytes, %v, want all of %d", len(body), err, len(content))
	})
}

func TestRedirects(t *testing.T) {
	t.Parallel()
	page := "<html><head><title>301 Moved Permanently</title>"
	for name, test := range map[string]struct {
		answers  []answer
		last     string // URL of the last request
		requests int
		failed   bool
	}{
		"to a path": {[]answer{reply(301, "", "Location: /other"), ok()}, "https://upstream.test/other", 2, false},
		"with a page": {[]answer{reply(301, page, "Location: /other", "Content-Type: text/html"), ok()},
			"https://upstream.test/other", 2, false},
		"to a URL of the host": {[]answer{reply(308, "", "Location: https://upstream.test/other"), ok()}, "https://upstream.test/other",
			2, false},
		"with retries": {[]answer{reply(503, ""), reply(302, "", "Location: /a"), reply(503, ""), ok()},
			"https://upstream.test/a", 4, false},
		"twice": {[]answer{reply(307, "", "Location: /a"), reply(303, "", "Location: /b"), ok()},
			"https://upstream.test/b", 3, false},
		"to another host": {[]answer{reply(302, "", "Location: https://elsewhere.test/find"), ok()}, target, 1, true},
		"to another port": {[]answer{reply(302, "", "Location: https://upstream.test:8443/find"), ok()}, target, 1, true},
		"away from TLS":   {[]answer{reply(302, "", "Location: http://upstream.test/find"), ok()}, target, 1, true},
		"back over another host": {[]answer{reply(302, "", "Location: /a"), reply(302, "", "Location: https://elsewhere.test/"), ok()},
			"https://upstream.test/a", 2, true},
		"round and round": {[]answer{reply(302, "", "Location: /again")}, "https://upstream.test/again", 4, true},
		"to nonsense":     {[]answer{reply(302, "", "Location: https://up stream:x/")}, target, 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newSource(test.answers...)
				resp, body, err := ask(t, upstream.NewClient(options(s)), t.Context())
				expect.Equal(t, "requests", test.requests, len(s.requests))
				last := s.requests[len(s.requests)-1]
				expect.That(t, last.URL.String() == test.last, "asked for %s last, want %s", last.URL, test.last)
				expect.Is(t, last.Header.Get("User-Agent"), "biofact/test (+mailto:a@example.org)", "User-Agent")
				if test.failed {
					wantError(t, err, entity.UpstreamError, "could not be queried")
					return
				}
				expect.Must(t, err == nil, "%v", err)
				if n := upstream.Attempts(resp); n != test.requests || body != `{"ok":true}` {
					t.Errorf("Attempts = %d, want %d; body %s", n, test.requests, body)
				}
			})
		})
	}
	t.Run("to TLS", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			s := newSource(reply(301, "", "Location: https://upstream.test/find"), ok())
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://upstream.test/find", nil)
			expect.NoError(t, err)
			if _, err := upstream.NewClient(options(s)).Do(req); err != nil {
				t.Error(err)
			}
		})
	})
}

func TestNetworkErrors(t *testing.T) {
	t.Parallel()
	dial := func(err error) error { return &net.OpError{Op: "dial", Net: "tcp", Err: err} }
	for name, test := range map[string]struct {
		err      error
		requests int
		texts    []string
		not      string
	}{
		"no name": {
			dial(&net.DNSError{Err: "no such host", Name: "upstream.test", IsNotFound: true}), 3,
			[]string{"could not be found by name (DNS)", "biofact doctor", "biofact --sandbox"}, "",
		},
		"no connection": {dial(errReset), 3, []string{"could not be reached", "not an empty result", "biofact doctor", "biofact --sandbox"}, ""},
		"certificate that does not verify": {
			&tls.CertificateVerificationError{Err: x509.HostnameError{Certificate: &x509.Certificate{}, Host: "upstream.test"}}, 1,
			[]string{"certificate does not verify", "SSL_CERT_FILE", "Trying again will not help"}, "again in a minute",
		},
		"unknown authority": {
			fmt.Errorf("tls: %w", x509.UnknownAuthorityError{}), 1,
			[]string{"certificate does not verify", "SSL_CERT_FILE"}, "again in a minute",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newSource(fail(test.err))
				_, _, err := ask(t, upstream.NewClient(options(s)), t.Context())
				wantError(t, err, entity.UpstreamError, append(test.texts, "Example")...)
				expect.Equal(t, "requests", test.requests, len(s.requests))
				expect.That(t, test.not == "" || !strings.Contains(err.Hint, test.not), "the hint says %q: %s", test.not, err.Hint)
				expect.That(t, err.Cause != nil && !strings.Contains(err.Message+err.Hint, test.err.Error()),
					"the cause %v belongs into the log and not into %q %q", err.Cause, err.Message, err.Hint)
			})
		})
	}
}

// A refusal by the network filter of a source differs from an error of the source, and from no results.
func TestRefusedClient(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]answer{"403": reply(403, "Forbidden"), "403 as a page": html(403)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				_, _, err := ask(t, upstream.NewClient(options(newSource(first))), t.Context())
				wantError(t, err, entity.UpstreamError, "Example refused this client or network", "did not answer the question",
					"not an empty result", "BIOFACT_TLS_MAX=1.2")
			})
		})
	}
}

// The hint of a source without a status page names none.
func TestHintWithoutStatusPage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := options(newSource(reply(500, "")))
		o.Status = ""
		_, _, err := ask(t, upstream.NewClient(o), t.Context())
		wantError(t, err, entity.UpstreamError, "in a minute")
		expect.That(t, !strings.Contains(err.Hint, "state"), "hint %q", err.Hint)
	})
}

// However a source repeats the request, neither messages nor logs contain the URL or a value of its query.
func TestNothingShowsTheRequest(t *testing.T) {
	t.Parallel()
	requested, err := url.Parse(target)
	expect.NoError(t, err)
	echo := fmt.Sprintf(`{"error":"API rate limit exceeded","api-key":"%s","term":"melanöm "stage IV"","url":"%s","query":"%s"}`, key,
		target, requested.RawQuery)
	across := strings.Repeat("x", 190) + key // the excerpt of the log ends in the middle of it
	cases := map[string]answer{
		"redirect elsewhere":  reply(302, echo, "Location: https://elsewhere.test/?"+requested.RawQuery),
		"redirect, bad URL":   reply(302, echo, "Location: https://up stream:x/?"+requested.RawQuery),
		"redirect loop":       reply(302, echo, "Location: /find?"+requested.RawQuery),
		"body breaks off":     breakInBody(fmt.Errorf("read %s: %w", target, errReset)),
		"connection":          fail(&url.Error{Op: "Get", URL: target, Err: errReset}),
		"connection, two":     fail(fmt.Errorf("proxy: %w", &url.Error{Op: "Get", URL: "http://proxy.test/?k=" + key, Err: errReset})),
		"name":                fail(&net.DNSError{Err: "no such host " + target, Name: key}),
		"certificate":         fail(fmt.Errorf("%s: %w", target, x509.UnknownAuthorityError{})),
		"too large":           reply(200, echo+strings.Repeat("x", 1<<10)),
		"hangs until the end": hang,
	}
	for _, status := range []int{200, 204, 400, 401, 403, 404, 429, 500, 502, 503} {
		cases[fmt.Sprint("page ", status)] = reply(status, "<html>"+echo, "Content-Type: text/html")
		cases[fmt.Sprint("half a key ", status)] = reply(status, "<html>"+across, "Content-Type: text/html")
	}
	for _, status := range []int{204, 304, 401, 403, 429, 500, 502, 503} {
		cases[fmt.Sprint("echo ", status)] = reply(status, echo, "Content-Type: application/json")
	}
	for name, always := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				log, text := logged()
				o := options(newSource(always))
				o.Log = log
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				_, _, failed := ask(t, upstream.NewClient(o), ctx)
				expect.Must(t, failed != nil, "no error")
				expect.Must(t, failed.Cause != nil, "no cause for the log")
				log.Error("tool call failed", "cause", failed.Cause) // as package tool does
				shown := strings.Join([]string{
					failed.Error(), failed.Message, failed.Hint, failed.Input, failed.Cause.Error(),
					fmt.Sprintf("%+v", failed.Cause), text(),
				}, "\n")
				for _, secret := range []string{
					target, "/find?", key, key[:10], requested.RawQuery, "melan", "stage IV", "stage+IV", "stage%20IV", `stage IV\`,
				} {
					expect.That(t, !strings.Contains(shown, secret), "%q is in\n%s", secret, shown)
				}
			})
		})
	}
}

func TestDate(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]time.Time{
		"Wed, 21 Oct 2026 07:28:00 GMT": time.Date(2026, 10, 21, 7, 28, 0, 0, time.UTC),
		"":                              {},
		"yesterday":                     {},
	} {
		if got := upstream.Date(&http.Response{Header: http.Header{"Date": {header}}}); !got.Equal(want) {
			t.Errorf("Date %q = %v, want %v", header, got, want)
		}
	}
}

// A response that no Client made took one request.
func TestAttemptsOfAnyResponse(t *testing.T) {
	t.Parallel()
	expect.Equal(t, "Attempts", 1, upstream.Attempts(&http.Response{Header: http.Header{}}))
}
