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

	"github.com/biofact-mcp/biofact/internal/sandbox/reply"
)

// A Fault is one way in which a source, or the network before it, fails.
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

	// NoName is a host that DNS does not know.
	NoName Fault = "no-name"
	// Untrusted is a certificate of an authority that is not known.
	Untrusted Fault = "untrusted"
	// Reset is a connection that breaks before the answer.
	Reset Fault = "reset"
	// Slow is a right answer whose headers come at once and whose body stalls
	// after its first Faults.Lead bytes, for Faults.Stall or until the context of
	// the request ends.
	Slow Fault = "slow"
	// Short is a right answer whose body ends before its Content-Length.
	Short Fault = "short"

	// Truncated is a right answer cut in the middle, with the Content-Length of
	// what is left.
	Truncated Fault = "truncated"
	// Page is a web page with 200.
	Page Fault = "page"
	// Forbidden is a web page with 403, as network filters answer.
	Forbidden Fault = "forbidden"
	// Sentence is a plain text with 200.
	Sentence Fault = "sentence"
	// JSONPage is a right answer that says it is text/html.
	JSONPage Fault = "json-page"
	// Elsewhere is a redirect to the same path of another host.
	Redirect Fault = "elsewhere"
	// Endless is a body of JSON that does not end.
	Endless Fault = "endless"
	// Garbage is random bytes with 200.
	Garbage Fault = "garbage"
	// Empty is 200 without a body.
	Empty Fault = "empty"
)

// The faults that E-utilities alone have. Requests to another source are let
// through. This set is closed too.
const (
	// EutilsError is an error in the utility's own way: inside 200, in JSON with a
	// raw newline, or EFetch's 400. ELink's comes with an empty list of links.
	EutilsError Fault = "eutils-error"
	// EutilsLimit is the 429 of the gateway, in JSON whatever was asked for.
	EutilsLimit Fault = "eutils-limit"
	// EutilsLimitInside is the same body with 200.
	EutilsLimitInside Fault = "eutils-limit-inside"
	// EutilsProlog is an XML prolog with nothing after it.
	EutilsProlog Fault = "eutils-prolog"
)

// EutilsFaults lists the closed set of those that E-utilities alone have.
func EutilsFaults() []Fault {
	return []Fault{EutilsError, EutilsLimit, EutilsLimitInside, EutilsProlog}
}

// AllFaults lists the closed set of those that any source has, without NoFault.
func AllFaults() []Fault {
	return []Fault{
		TooMany, TooManyWait, InternalError, BadGateway, Unavailable, GatewayTimeout,
		NoName, Untrusted, Reset, Slow, Short,
		Truncated, Page, Forbidden, Sentence, JSONPage, Redirect, Endless, Garbage, Empty,
	}
}

// Faults is a way to a source on which requests fail by plan. Like the network
// it ends a body with the context of its request. It is safe for concurrent
// use where the plan is.
type Faults struct {
	// Next answers what is let through.
	Next http.RoundTripper
	// Plan says what happens to the n-th request, from 0.
	Plan func(n int, req *http.Request) Fault
	// Stall is how long the body of Slow stalls; 0: until the context ends.
	Stall time.Duration
	// Lead is how many bytes of the body of Slow come before it stalls.
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

//nolint:cyclop // one short case for each fault
func (f *Faults) answer(fault Fault, n int, req *http.Request) (*http.Response, error) {
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	const page = "<!DOCTYPE html>\n<html><head><title>Sorry</title></head><body>Please come back later.</body></html>\n"
	switch fault {
	case NoFault:
		return f.Next.RoundTrip(req)
	case TooMany:
		return newResponse(req, http.StatusTooManyRequests, "text/plain", "Too many requests"), nil
	case TooManyWait:
		resp := newResponse(req, http.StatusTooManyRequests, "text/plain", "Too many requests")
		resp.Header.Set("Retry-After", "7")
		return resp, nil
	case InternalError:
		return newResponse(req, http.StatusInternalServerError, "text/plain", "Internal error"), nil
	case BadGateway:
		return newResponse(req, http.StatusBadGateway, "text/html", page), nil
	case Unavailable:
		return newResponse(req, http.StatusServiceUnavailable, "text/html", page), nil
	case GatewayTimeout:
		return newResponse(req, http.StatusGatewayTimeout, "text/html", page), nil
	case NoName:
		return nil, &net.OpError{Op: "dial",
			Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: req.URL.Hostname(), IsNotFound: true}}
	case Untrusted:
		return nil, &tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}
	case Reset:
		return nil, &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
	case Page:
		return newResponse(req, http.StatusOK, "text/html; charset=utf-8", page), nil
	case Forbidden:
		return newResponse(req, http.StatusForbidden, "text/html; charset=utf-8", page), nil
	case Sentence:
		return newResponse(req, http.StatusOK, "text/plain", "The service is being updated."), nil
	case Redirect:
		to := *req.URL
		to.Scheme, to.Host = "https", "elsewhere.invalid"
		resp := newResponse(req, http.StatusFound, "", "")
		resp.Header.Set("Location", to.String())
		return resp, nil
	case Endless:
		resp := newResponse(req, http.StatusOK, "application/json", "")
		resp.Body, resp.ContentLength = io.NopCloser(io.MultiReader(strings.NewReader(`{"studies":[`), blanks{})), -1
		return resp, nil
	case Garbage:
		random := rand.NewChaCha8([32]byte{byte(n), byte(n >> 8)})
		text := make([]byte, 1000)
		_, _ = random.Read(text) // never fails
		return newResponse(req, http.StatusOK, "application/json", string(text)), nil
	case Empty:
		return newResponse(req, http.StatusOK, "application/json", ""), nil
	case Slow:
		return f.slow(req)
	case Short, Truncated, JSONPage:
		return f.damaged(fault, req)
	case EutilsError, EutilsLimit, EutilsLimitInside, EutilsProlog:
		return f.eutils(fault, req)
	}
	return nil, fmt.Errorf("no such fault: %s", fault)
}

// slow is a right answer that takes its time. It is not held, so that a long one
// streams.
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

// damaged is a right answer in which one thing is wrong.
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

func newResponse(req *http.Request, status int, contentType, body string) *http.Response {
	return reply.Reply{Status: status, Type: contentType, Body: []byte(body)}.Response(req)
}

// A faultyBody ends with its context.
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

// stalling is empty after a time; 0: it never is.
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

// broken is the end of a body before its length.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// blanks never end.
type blanks struct{}

func (blanks) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}
