package sandbox

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/biofact-mcp/biofact/internal/reply"
)

// A Fault is one way in which a source, or the network, fails.
type Fault string

// The faults. The set is closed.
const (
	// NoFault lets the request through.
	NoFault Fault = ""

	// TooMany is a 429 that does not say how long to wait.
	TooMany Fault = "429"
	// TooManyWait is a 429 with Retry-After: 7.
	TooManyWait Fault = "429-retry-after"
	// InternalError is a 500.
	InternalError Fault = "500"
	// BadGateway is a 502.
	BadGateway Fault = "502"
	// Unavailable is a 503.
	Unavailable Fault = "503"
	// GatewayTimeout is a 504.
	GatewayTimeout Fault = "504"

	// NoName is a host name that DNS does not know.
	NoName Fault = "no-name"
	// Untrusted is a certificate of an unknown authority.
	Untrusted Fault = "untrusted"
	// Reset is a connection that breaks before the response.
	Reset Fault = "reset"
	// Slow is a correct response whose headers come at once and whose body stalls after its first Faults.Lead bytes, for Faults.Stall or
	// until the context of the request ends.
	Slow Fault = "slow"
	// Short is a correct response whose body ends before its Content-Length.
	Short Fault = "short"

	// Truncated is the first half of a correct response, with the Content-Length of that half.
	Truncated Fault = "truncated"
	// Page is a web page with 200.
	Page Fault = "page"
	// Forbidden is a web page with 403, as network filters send it.
	Forbidden Fault = "forbidden"
	// Sentence is a plain text with 200.
	Sentence Fault = "sentence"
	// JSONPage is a correct response with the content type text/html.
	JSONPage Fault = "json-page"
	// Redirect is a redirect to the same path of another host.
	Redirect Fault = "elsewhere"
	// Endless is a JSON body that does not end.
	Endless Fault = "endless"
	// Garbage is random bytes with 200.
	Garbage Fault = "garbage"
	// Empty is 200 without a body.
	Empty Fault = "empty"
)

// The faults that only E-utilities have. Requests to other sources succeed. This set is closed too.
const (
	// EutilsError is an error in the form of the utility: with status 200, in JSON with a raw newline, or a 400 of EFetch. The one of ELink
	// has an empty list of links.
	EutilsError Fault = "eutils-error"
	// EutilsLimit is the 429 of the gateway. Its body is JSON, also for requests for XML.
	EutilsLimit Fault = "eutils-limit"
	// EutilsLimitInside is the same body with 200.
	EutilsLimitInside Fault = "eutils-limit-inside"
	// EutilsProlog is an XML prolog with nothing after it.
	EutilsProlog Fault = "eutils-prolog"
)

// EutilsFaults lists the faults that only E-utilities have.
func EutilsFaults() []Fault {
	return []Fault{EutilsError, EutilsLimit, EutilsLimitInside, EutilsProlog}
}

// AllFaults lists the faults that any source has, without NoFault.
func AllFaults() []Fault {
	return []Fault{
		TooMany, TooManyWait, InternalError, BadGateway, Unavailable, GatewayTimeout,
		NoName, Untrusted, Reset, Slow, Short,
		Truncated, Page, Forbidden, Sentence, JSONPage, Redirect, Endless, Garbage, Empty,
	}
}

// Faults is a transport that fails requests as Plan says. Like the network it ends a body with the context of its request. It is safe for
// concurrent use if Plan is.
type Faults struct {
	// Next answers the requests that do not fail.
	Next http.RoundTripper
	// Plan returns the fault of the n-th request, from 0.
	Plan func(n int, req *http.Request) Fault
	// Stall is how long the body of Slow stalls; 0: until the context ends.
	Stall time.Duration
	// Lead is the number of bytes of the body of Slow before it stalls.
	Lead int64

	requests atomic.Int64
}

// Requests returns how many requests were made.
func (f *Faults) Requests() int { return int(f.requests.Load()) }

// RoundTrip answers one request as the plan says.
func (f *Faults) RoundTrip(req *http.Request) (*http.Response, error) {
	n := int(f.requests.Add(1)) - 1
	resp, err := f.answer(f.Plan(n, req), n, req)
	if err != nil {
		if req.Body != nil {
			req.Body.Close()
		}
		return nil, err
	}
	resp.Body = &faultyBody{ReadCloser: resp.Body, ctx: req.Context()}
	return resp, nil
}

// webPage is the page of a gateway or a network filter.
const webPage = "<!DOCTYPE html>\n<html><head><title>Sorry</title></head><body>Please come back later.</body></html>\n"

// fixedReplies are the faults that are one response to every request.
var fixedReplies = map[Fault]reply.Reply{
	TooMany: {Status: http.StatusTooManyRequests, Type: "text/plain", Body: []byte("Too many requests")},
	TooManyWait: {Status: http.StatusTooManyRequests, Type: "text/plain", Body: []byte("Too many requests"),
		Header: http.Header{"Retry-After": {"7"}}},
	InternalError:  {Status: http.StatusInternalServerError, Type: "text/plain", Body: []byte("Internal error")},
	BadGateway:     {Status: http.StatusBadGateway, Type: "text/html", Body: []byte(webPage)},
	Unavailable:    {Status: http.StatusServiceUnavailable, Type: "text/html", Body: []byte(webPage)},
	GatewayTimeout: {Status: http.StatusGatewayTimeout, Type: "text/html", Body: []byte(webPage)},
	Page:           {Status: http.StatusOK, Type: "text/html; charset=utf-8", Body: []byte(webPage)},
	Forbidden:      {Status: http.StatusForbidden, Type: "text/html; charset=utf-8", Body: []byte(webPage)},
	Sentence:       {Status: http.StatusOK, Type: "text/plain", Body: []byte("The service is being updated.")},
	Empty:          {Status: http.StatusOK, Type: "application/json"},
}

func (f *Faults) answer(fault Fault, n int, req *http.Request) (*http.Response, error) {
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	if fixed, ok := fixedReplies[fault]; ok {
		return fixed.Response(req), nil
	}
	switch fault {
	case NoFault:
		return f.Next.RoundTrip(req)
	case NoName:
		return nil, &net.OpError{Op: "dial",
			Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: req.URL.Hostname(), IsNotFound: true}}
	case Untrusted:
		return nil, &tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}
	case Reset:
		return nil, &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
	case Redirect:
		to := *req.URL
		to.Scheme, to.Host = "https", "elsewhere.invalid"
		return reply.Reply{Status: http.StatusFound, Header: http.Header{"Location": {to.String()}}}.Response(req), nil
	case Endless:
		resp := reply.RawJSON(nil).Response(req)
		resp.Body, resp.ContentLength = io.NopCloser(io.MultiReader(strings.NewReader(`{"studies":[`), blanks{})), -1
		return resp, nil
	case Garbage:
		text := make([]byte, 1000)
		_, _ = rand.NewChaCha8([32]byte{byte(n), byte(n >> 8)}).Read(text) // never fails
		return reply.RawJSON(text).Response(req), nil
	case Slow:
		return f.slow(req)
	case Short, Truncated, JSONPage:
		return f.damaged(fault, req)
	case EutilsError, EutilsLimit, EutilsLimitInside, EutilsProlog:
		return f.eutils(fault, req)
	}
	return nil, fmt.Errorf("no such fault: %s", fault)
}

// slow returns a correct response that stalls. It does not buffer the body, so that a long one is streamed.
func (f *Faults) slow(req *http.Request) (*http.Response, error) {
	resp, err := f.Next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	stall := &stalling{ctx: req.Context(), time: f.Stall}
	resp.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(io.LimitReader(resp.Body, f.Lead), stall, resp.Body), resp.Body}
	return resp, nil
}

// damaged returns a correct response with one defect.
func (f *Faults) damaged(fault Fault, req *http.Request) (*http.Response, error) {
	resp, err := f.Next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil {
		return nil, err
	}
	half := body[:len(body)/2]
	resp.ContentLength = int64(len(body))
	switch fault {
	case Short:
		resp.Body = io.NopCloser(io.MultiReader(bytes.NewReader(half), broken{}))
	case Truncated:
		resp.ContentLength = int64(len(half))
		resp.Body = io.NopCloser(bytes.NewReader(half))
	default:
		resp.Header.Set("Content-Type", "text/html")
		resp.Body = io.NopCloser(bytes.NewReader(body))
	}
	return resp, nil
}

// A faultyBody ends with the context of its request.
type faultyBody struct {
	io.ReadCloser
	ctx context.Context
}

func (b *faultyBody) Read(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	return b.ReadCloser.Read(p)
}

// stalling is an empty reader that ends after a time; 0: never.
type stalling struct {
	ctx  context.Context
	time time.Duration
}

func (s *stalling) Read([]byte) (int, error) {
	var over <-chan time.Time
	if s.time > 0 {
		timer := time.NewTimer(s.time)
		defer timer.Stop()
		over = timer.C
	}
	select {
	case <-over:
		return 0, io.EOF
	case <-s.ctx.Done():
		return 0, s.ctx.Err()
	}
}

// broken is the unexpected end of a body.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// blanks is an endless reader of spaces.
type blanks struct{}

func (blanks) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}
