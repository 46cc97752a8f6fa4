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
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/store"
)

// Options are the policy for one source.
type Options struct {
	// Source is the name of the source in messages.
	Source string
	// Status is the URL of the source's status page, for hints; empty: none.
	Status string
	// Base sends the requests: the network or the sandbox.
	Base http.RoundTripper
	// Interval is the minimum time between the starts of two requests; 0: none.
	Interval time.Duration
	// Budget names the rate limit that these requests count against, which several sources may share; empty: the host of a request.
	Budget string
	// Off is the error of every request to a source that is switched off; nil: the source is on.
	Off *entity.Error
	// Latency is the time that most answers of the source take. A request is refused if a wait for its turn would leave less.
	Latency time.Duration
	// Turns is the store in which all processes that use the source take their turns; nil: only this client uses it.
	Turns *store.Store
	// Tries limits the attempts at one request, the first one included.
	Tries uint
	// MaxBody limits the bytes of one body in memory. Other limits are the same for all sources.
	MaxBody int64
	// Check decides whether an answer is valid when the status proves nothing: a 200, 400 or 404 that is not a web page, with its body in
	// memory. It returns nil for a valid answer. RATE_LIMITED, which this package replaces with its own, and an error that is not an
	// *entity.Error are retried. Any other *entity.Error is returned with its message and hint unchanged. If Check is nil, all such answers
	// are valid.
	Check func(resp *http.Response, body []byte) error
	// LimitHint is the last sentence of the hint of every RATE_LIMITED error. It says how to get a higher limit; empty: no such sentence.
	LimitHint string
	// Secrets are texts that no error shows, such as a key or an address. The values of a URL's query are always hidden.
	Secrets []string
	// UserAgent names Biofact and how to contact its operator.
	UserAgent string
	// Log gets the details that a client must not see.
	Log *slog.Logger
	// Observe receives metrics about the requests.
	Observe Observer
}

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

// attemptsHeader is the response header with the number of requests that the chain sent for a response.
const attemptsHeader = "Biofact-Attempts"

// Attempts returns the number of requests that a response of a Client took, including those that led to it by a redirect.
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

// Date returns when the source made a response, by the source's clock; the zero time if it has no valid Date header.
func Date(resp *http.Response) time.Time {
	t, err := http.ParseTime(resp.Header.Get("Date"))
	if err != nil {
		return time.Time{}
	}
	return t
}
