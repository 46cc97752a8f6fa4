// Package upstream holds the HTTP manners towards any source: one pace, few
// retries, the call's deadline, a cap on bodies, one place that tells an
// answer from a failure, and nothing secret in an error.
//
// The manners are a chain of http.RoundTrippers around a base, which is the
// network or the sandbox:
//
//	retry -> pace -> receive -> base
//
// Every attempt goes through the pace again. The package knows no source by
// name and no entity but the error.
package upstream

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// Options are the manners towards one source.
type Options struct {
	// Source is the name that messages call the source by.
	Source string
	// Status is where people see whether the source is in order, for hints.
	Status string
	// Base makes the exchange: the network or the sandbox.
	Base http.RoundTripper
	// Interval is the least time between the starts of two requests.
	Interval time.Duration
	// Tries bounds the attempts at one request, the first one included.
	Tries uint
	// MaxBody bounds the bytes of one body.
	MaxBody int64
	// UserAgent names Biofact and how to reach who runs it.
	UserAgent string
	// Log gets what must not be shown to a client.
	Log *slog.Logger
}

// NewClient returns a client with the manners of o. Its errors are
// *entity.Error: RATE_LIMITED where the budget cannot serve the request inside
// its context's deadline, UPSTREAM_ERROR where the source fails. A response is
// a success, or a 400 or 404 in which the source says what was wrong with the
// request; its body is in memory and need not be closed.
func NewClient(o Options) *Client {
	receive := &receive{Options: o}
	pace := &pace{Options: o, next: receive, head: make(chan struct{}, 1)}
	return &Client{source: o.Source, http: &http.Client{
		Transport:     &retry{Options: o, next: pace},
		CheckRedirect: sameHost,
	}}
}

// Client makes polite requests to one source.
type Client struct {
	source string
	http   *http.Client
}

// Do makes a request. See NewClient for its errors.
func (c *Client) Do(req *http.Request) (*http.Response, error) {
	resp, err := c.http.Do(req)
	if err != nil {
		// http.Client wraps the error in a *url.Error, whose text shows the URL.
		return nil, failure(c.source, req.URL, err)
	}
	return resp, nil
}

// sameHost refuses to be led to another host, or away from TLS: what is sent
// was meant for this one.
func sameHost(req *http.Request, via []*http.Request) error {
	first := via[0].URL
	if req.URL.Host != first.Host {
		return fmt.Errorf("redirect from %s to another host, %s", first.Host, req.URL.Host)
	}
	if req.URL.Scheme != first.Scheme && req.URL.Scheme != "https" {
		return fmt.Errorf("redirect from %s to %s at %s", first.Scheme, req.URL.Scheme, first.Host)
	}
	if len(via) > maxRedirects {
		return fmt.Errorf("more than %d redirects from %s", maxRedirects, first.Host)
	}
	return nil
}

const maxRedirects = 3

// attempts is the response header in which the chain tells how many requests
// an exchange took.
const attempts = "Biofact-Attempts"

// Attempts returns how many requests a response of a Client took, those that
// led to it by a redirect included.
func Attempts(resp *http.Response) int {
	n := 0
	for resp != nil {
		made, err := strconv.Atoi(resp.Header.Get(attempts))
		if err != nil {
			made = 1
		}
		n += made
		if resp.Request == nil {
			break
		}
		resp = resp.Request.Response // of the redirect that caused the request
	}
	return n
}

// Date returns when the source made a response, by its own clock; the zero
// time where it does not tell.
func Date(resp *http.Response) time.Time {
	t, err := http.ParseTime(resp.Header.Get("Date"))
	if err != nil {
		return time.Time{}
	}
	return t
}

// pace spaces the starts of requests. Callers queue, and only the head of the
// queue waits for the clock: whoever gives up leaves no gap behind.
type pace struct {
	Options
	next http.RoundTripper
	head chan struct{} // full while somebody is the head; senders are served in order

	mu     sync.Mutex
	queued int       // callers that have not started, the head included
	free   time.Time // when the next one may start
}

func (p *pace) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := p.turn(req.Context()); err != nil {
		return nil, err
	}
	return p.next.RoundTrip(req)
}

// turn returns when the request may start, or an error where its context ends
// before, or will.
func (p *pace) turn(ctx context.Context) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	wait := p.join()
	if deadline, ok := ctx.Deadline(); ok && wait > 0 && time.Until(deadline) <= wait {
		p.leave()
		return limited(p.Source, wait, nil)
	}
	select {
	case p.head <- struct{}{}:
		defer func() { <-p.head }()
	case <-ctx.Done():
		return p.giveUp(ctx)
	}
	if wait := time.Until(p.free); wait > 0 { // only the head changes it
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return p.giveUp(ctx)
		}
	}
	p.start()
	return nil
}

// join enters the queue and returns how long the wait is if nobody gives up.
func (p *pace) join() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	ahead := p.queued
	p.queued++
	return max(0, time.Until(p.free)) + time.Duration(ahead)*p.Interval
}

// leave takes a caller out of the queue and returns how long the wait is now.
func (p *pace) leave() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.queued--
	return max(0, time.Until(p.free)) + time.Duration(p.queued)*p.Interval
}

func (p *pace) start() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.queued--
	p.free = time.Now().Add(p.Interval)
}

// giveUp leaves the queue. A deadline that passes here was used up by waiting,
// not by the source.
func (p *pace) giveUp(ctx context.Context) error {
	wait := p.leave()
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return limited(p.Source, wait, ctx.Err())
	}
	return ctx.Err()
}

// limited is the RATE_LIMITED of a source whose budget is free again after
// wait.
func limited(source string, wait time.Duration, cause error) *entity.Error {
	seconds := max(1, int((wait+time.Second-1)/time.Second))
	return &entity.Error{
		Code:    entity.RateLimited,
		Message: fmt.Sprintf("The request budget of %s is used up for the next %d s.", source, seconds),
		Hint: fmt.Sprintf("Wait %d s and make the same call again; if it fails again, double the wait each time (exponential backoff). "+
			"Make fewer calls at once.", seconds),
		Cause: cause,
	}
}
