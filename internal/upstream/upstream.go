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
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"golang.org/x/time/rate"

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
	limit := rate.Inf
	if o.Interval > 0 {
		limit = rate.Every(o.Interval)
	}
	receive := &receive{Options: o}
	pace := &pace{Options: o, limiter: rate.NewLimiter(limit, 1), next: receive}
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
		return nil, failure(c.source, err)
	}
	return resp, nil
}

// sameHost refuses to be led to another host: what is sent was meant for this
// one.
func sameHost(req *http.Request, via []*http.Request) error {
	if req.URL.Host != via[0].URL.Host {
		return fmt.Errorf("redirect from %s to another host, %s", via[0].URL.Host, req.URL.Host)
	}
	if len(via) > 3 {
		return fmt.Errorf("more than %d redirects from %s", len(via), via[0].URL.Host)
	}
	return nil
}

// attempts is the response header in which the chain tells how many requests
// an exchange took.
const attempts = "Biofact-Attempts"

// Attempts returns how many requests a response of a Client took.
func Attempts(resp *http.Response) int {
	n, err := strconv.Atoi(resp.Header.Get(attempts))
	if err != nil {
		return 1
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

// pace spaces the starts of requests.
type pace struct {
	Options
	limiter *rate.Limiter
	next    http.RoundTripper
}

func (p *pace) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx := req.Context()
	turn := p.limiter.Reserve()
	wait := turn.Delay()
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < wait {
		turn.Cancel()
		return nil, limited(p.Source, wait, nil)
	}
	if wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			turn.Cancel()
			return nil, ctx.Err()
		}
	}
	return p.next.RoundTrip(req)
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
