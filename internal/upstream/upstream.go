// Package upstream holds the HTTP manners towards any source: one pace, few
// retries, the call's deadline, a cap on bodies in memory, one place that tells
// an answer from a failure, and nothing secret in an error.
//
// The manners are a chain of http.RoundTrippers around a base, which is the
// network or the sandbox:
//
//	retry -> pace -> receive -> base
//
// Every attempt goes through the pace again, and a body that is read as it
// comes is read inside its attempt. The package knows no source by name and no
// entity but the error.
package upstream

import (
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/store"
)

// Options are the manners towards one source.
type Options struct {
	// Source is the name that messages call the source by.
	Source string
	// Status is where people see whether the source is in order, for hints.
	Status string
	// Base makes the exchange: the network or the sandbox.
	Base http.RoundTripper
	// Interval is the least time between the starts of two requests; 0: none.
	Interval time.Duration
	// Budget names the limit of requests that these count against, which several
	// sources may share; empty: the host that a request goes to.
	Budget string
	// Off is the error of every request to a source that may not be asked; nil: it
	// may be.
	Off *entity.Error
	// Latency is the time that most answers of the source take. A request that
	// would have less than that after a wait for its turn is refused.
	Latency time.Duration
	// Turns is where all processes that ask the source take their turns; nil:
	// this client alone asks it.
	Turns *store.Store
	// Tries bounds the attempts at one request, the first one included.
	Tries uint
	// MaxBody bounds the bytes of one body in memory. Other limits are the same
	// for all sources.
	MaxBody int64
	// Check tells what an answer is whose status proves nothing: a 200, 400 or
	// 404 that is no web page, with its body in memory. No error: an answer.
	// RATE_LIMITED, which becomes that of this package, and any error that is no
	// *entity.Error may be gone at the next attempt. Any other *entity.Error is
	// the error of the request, with its message and hint as they are. nil: all
	// are answers.
	Check func(resp *http.Response, body []byte) error
	// LimitHint ends the hint of every RATE_LIMITED: how this source may be
	// asked more; empty: nothing to add.
	LimitHint string
	// Secrets are texts that no error shows, whoever repeats them: a key, an
	// address. The values of a URL's query are hidden in any case.
	Secrets []string
	// UserAgent names Biofact and how to reach who runs it.
	UserAgent string
	// Log gets what must not be shown to a client.
	Log *slog.Logger
	// Observe is told how the source is asked.
	Observe Observer
}

// NewClient returns a client with the manners of o. Its errors are
// *entity.Error: RATE_LIMITED where the budget cannot serve the request inside
// its context's deadline, UPSTREAM_ERROR where the source fails. A response is
// a success, or a 400 or 404 in which the source says what was wrong with the
// request; its body is in memory and need not be closed. A request with a body
// is made again only where it has GetBody.
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

// Client makes polite requests to one source.
type Client struct {
	pace *pace
	http *http.Client
	seen seen
}

// Do makes a request. See NewClient for its errors.
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
const attemptsHeader = "Biofact-Attempts"

// Attempts returns how many requests a response of a Client took, those that
// led to it by a redirect included.
func Attempts(resp *http.Response) int {
	n := 0
	for resp != nil {
		made, err := strconv.Atoi(resp.Header.Get(attemptsHeader))
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
