package sandbox

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// failingRequest makes one request through the plan, and reads at most a megabyte.
func failingRequest(t *testing.T, ctx context.Context, f *Faults) (*http.Response, string, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://clinicaltrials.gov/api/v2/version", nil)
	expect.NoError(t, err)
	resp, err := f.RoundTrip(req)
	if err != nil {
		return nil, "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	return resp, string(body), err
}

func always(fault Fault) func(int, *http.Request) Fault {
	return func(int, *http.Request) Fault { return fault }
}

// TestFaults: each fault looks as it does on the network.
func TestFaults(t *testing.T) {
	t.Parallel()
	_, right := get(t, few(t), "/version")
	is := func(target error) func(error) bool { return func(err error) bool { return errors.Is(err, target) } }
	for fault, want := range map[Fault]struct {
		status  int
		media   string
		body    string // "": any body that is not JSON
		header  string // a header and its value
		noReply func(error) bool
		broken  func(error) bool // in the body
	}{
		NoFault:        {status: 200, media: "application/json", body: right},
		TooMany:        {status: 429, media: "text/plain", header: "Retry-After: "},
		TooManyWait:    {status: 429, media: "text/plain", header: "Retry-After: 7"},
		InternalError:  {status: 500, media: "text/plain"},
		BadGateway:     {status: 502, media: "text/html"},
		Unavailable:    {status: 503, media: "text/html"},
		GatewayTimeout: {status: 504, media: "text/html"},
		NoName: {noReply: func(err error) bool {
			dns, ok := errors.AsType[*net.DNSError](err)
			return ok && dns.IsNotFound && dns.Name == "clinicaltrials.gov"
		}},
		Untrusted: {noReply: func(err error) bool {
			_, certificate := errors.AsType[*tls.CertificateVerificationError](err)
			_, authority := errors.AsType[x509.UnknownAuthorityError](err)
			return certificate && authority
		}},
		Reset:     {noReply: is(syscall.ECONNRESET)},
		Slow:      {status: 200, media: "application/json", broken: is(context.DeadlineExceeded)},
		Short:     {status: 200, media: "application/json", broken: is(io.ErrUnexpectedEOF)},
		Truncated: {status: 200, media: "application/json"},
		Page:      {status: 200, media: "text/html"},
		Forbidden: {status: 403, media: "text/html"},
		Sentence:  {status: 200, media: "text/plain"},
		JSONPage:  {status: 200, media: "text/html", body: right},
		Redirect:  {status: 302, header: "Location: https://elsewhere.invalid/api/v2/version"},
		Endless:   {status: 200, media: "application/json"},
		Garbage:   {status: 200, media: "application/json"},
		Empty:     {status: 200, media: "application/json"},
		"unknown": {noReply: func(err error) bool { return strings.Contains(err.Error(), "no such fault") }},
	} {
		t.Run("fault "+string(fault), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				f := &Faults{Next: few(t), Plan: always(fault)}
				resp, body, err := failingRequest(t, ctx, f)
				if want.noReply != nil {
					expect.That(t, resp == nil && want.noReply(err), "%v, %v", resp, err)
					return
				}
				expect.Must(t, resp != nil, "%v", err)
				expect.That(t, (want.broken != nil || err == nil) && (want.broken == nil || want.broken(err)),
					"reading the body: %v", err)
				if got := resp.Header.Get("Content-Type"); resp.StatusCode != want.status || !strings.HasPrefix(got, want.media) {
					t.Errorf("status %d, %s; want %d, %s", resp.StatusCode, got, want.status, want.media)
				}
				if name, value, _ := strings.Cut(want.header, ": "); resp.Header.Get(name) != value {
					t.Errorf("%s is %q, want %q", name, resp.Header.Get(name), value)
				}
				expect.That(t, (want.body == "" || body == want.body) && (want.body != "" || !json.Valid([]byte(body))),
					"body %.200q", body)
				full := fault != Slow && fault != Short && fault != Endless
				expect.That(t, full == (resp.ContentLength == int64(len(body))),
					"ContentLength %d of a body of %d", resp.ContentLength, len(body))
				if fault == Garbage {
					if _, again, _ := failingRequest(t, ctx, &Faults{Plan: always(fault)}); again != body {
						t.Error("the same request of the same plan gets other bytes")
					}
				}
			})
		})
	}
	// The table above is the whole set.
	if all := AllFaults(); len(slices.Compact(slices.Sorted(slices.Values(all)))) != 20 {
		t.Errorf("AllFaults has %d, want the 20 of the table", len(all))
	}
}

// TestFaultsByPlan: the plan gets the number of the request and the request.
func TestFaultsByPlan(t *testing.T) {
	t.Parallel()
	plan := map[int]Fault{1: Reset, 3: Empty}
	f := &Faults{Next: few(t), Plan: func(n int, req *http.Request) Fault {
		expect.That(t, req.URL.Path == "/api/v2/version", "the plan is called for %s", req.URL.Path)
		return plan[n]
	}}
	failed := map[int]bool{}
	for n := range 5 {
		_, body, err := failingRequest(t, t.Context(), f)
		if err != nil || body == "" {
			failed[n] = true
		}
	}
	if want := map[int]bool{1: true, 3: true}; !maps.Equal(failed, want) || f.Requests() != 5 {
		t.Errorf("%v failed of %d, want %v of 5", failed, f.Requests(), want)
	}
}

// TestSlowBody: a body that stalls continues after its time, and ends at once with the context of its request.
func TestSlowBody(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		stall, patience, took time.Duration
	}{
		{3 * time.Second, time.Minute, 3 * time.Second},
		{time.Hour, time.Minute, time.Minute},
		{0, time.Minute, time.Minute},
	} {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			ctx, cancel := context.WithTimeout(t.Context(), tt.patience)
			defer cancel()
			f := &Faults{Next: few(t), Plan: always(Slow), Stall: tt.stall}
			resp, body, err := failingRequest(t, ctx, f)
			if resp == nil || time.Since(start) != tt.took {
				t.Fatalf("%v: %v after %v, want a reply and its body after %v", tt, err, time.Since(start), tt.took)
			}
			if full := err == nil && json.Valid([]byte(body)); full != (tt.took < tt.patience) {
				t.Errorf("%v: %q, %v", tt, body, err)
			}
		})
	}
}

// TestFaultsEndWithTheContext: like the network, a fault ends when the context of its request ends, also in the middle of a body.
func TestFaultsEndWithTheContext(t *testing.T) {
	t.Parallel()
	for _, fault := range append(AllFaults(), NoFault) {
		ctx, cancel := context.WithCancel(t.Context())
		f := &Faults{Next: few(t), Plan: always(fault)}
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://clinicaltrials.gov/api/v2/version", nil)
		expect.NoError(t, err)
		if resp, err := f.RoundTrip(req); err == nil {
			cancel()
			if n, err := resp.Body.Read(make([]byte, 10)); n != 0 || !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %d bytes, %v", fault, n, err)
			}
		}
		cancel()
		if _, err := f.RoundTrip(req); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", fault, err)
		}
	}
}
