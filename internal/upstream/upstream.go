// Package upstream has the request policy for all sources: it paces requests, retries a few times, keeps the deadline of the call, limits
// bodies in memory, distinguishes an answer from a failure in one place, and keeps secrets out of errors.
//
// The policy is a chain of http.RoundTrippers around a base, which is the network or the sandbox:
//
//	retry -> pace -> receive -> base
//
// Every attempt goes through pace again, and a streamed body is read inside its attempt. The package contains no source by name and no
// entity except the error.
package upstream

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/store"
)

// NewClient returns a client with the policy o. Its errors are *entity.Error: RATE_LIMITED if the budget cannot serve the request within
// its context's deadline, UPSTREAM_ERROR if the source fails. A response is a success, or a 400 or 404 in which the source reports what was
// wrong with the request; its body is in memory and need not be closed. A request with a body is retried only if it has GetBody.
func NewClient(o Options) *Client {
	if o.Turns == nil {
		o.Turns = store.New(store.Options{Log: o.Log})
	}
	pace := &pace{Options: o, next: &receive{Options: o}}
	return &Client{pace: pace, http: &http.Client{
		Transport:     &retry{Options: o, next: pace},
		CheckRedirect: sameHost,
	}}
}

// Client sends requests to one source by its policy.
type Client struct {
	pace *pace
	http *http.Client
	seen seen
}

// Do sends a request. See NewClient for its errors.
func (c *Client) Do(req *http.Request) (*http.Response, error) {
	if c.pace.Off != nil {
		return nil, c.pace.Off
	}
	resp, err := c.http.Do(req)
	if err != nil {
		// http.Client wraps the error in a *url.Error, whose text shows the URL.
		failure := c.pace.failure(req.URL, err)
		c.seen.record(err, failure)
		return nil, failure
	}
	c.seen.record(nil, nil)
	return resp, nil
}

// sameHost rejects a redirect to another host, or away from TLS: the request was meant for this host.
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

// Date returns when the source made a response, by the source's clock; the zero time if it has no valid Date header.
func Date(resp *http.Response) time.Time {
	t, err := http.ParseTime(resp.Header.Get("Date"))
	if err != nil {
		return time.Time{}
	}
	return t
}

// State is the last known state of a source. Reading it sends no request.
type State struct {
	// Answered is when the source last answered, and Failed when it last failed, by this machine's clock; zero: not yet.
	Answered, Failed time.Time
	// Queued is the number of callers that wait for a turn. Callers that share a request are counted one by one.
	Queued int
}

// Up reports whether the last request to the source was answered; ok is false if no request was made.
func (s State) Up() (up, ok bool) {
	return s.Answered.After(s.Failed), !s.Answered.IsZero() || !s.Failed.IsZero()
}

// State returns the last known state of the source.
func (c *Client) State() State {
	c.pace.mu.Lock()
	queue := slices.Clone(c.pace.queue)
	c.pace.mu.Unlock()
	queued := 0
	for _, pl := range queue {
		queued += pl.callers()
	}
	c.seen.mu.Lock()
	defer c.seen.mu.Unlock()
	return State{Answered: c.seen.answered, Failed: c.seen.failed, Queued: queued}
}

// Interval returns the minimum time between the starts of two requests; 0: none.
func (c *Client) Interval() time.Duration { return c.pace.Interval }

// LeftToday returns how many requests of the day are left after the last one; limited is false if the requests of a day have no limit.
func (c *Client) LeftToday() (left int, limited bool) {
	return int(c.pace.left.Load()), c.pace.Daily > 0
}

// seen records when a source last answered and failed.
type seen struct {
	mu               sync.Mutex
	answered, failed time.Time
}

// record records the result of a request. A used-up budget and a cancelled call say nothing about the source.
func (s *seen) record(err error, failure *entity.Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case err == nil:
		s.answered = time.Now()
	case failure.Code == entity.UpstreamError && !errors.Is(err, context.Canceled):
		s.failed = time.Now()
	}
}
