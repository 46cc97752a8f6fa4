package upstream

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync"
	"sync/atomic"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// pace spaces the starts of requests. Requests queue, and only the head of the
// queue takes turns, which all processes of the user share: a request that is
// given up leaves no gap behind, and a busy process does not crowd out the
// others.
type pace struct {
	Options
	next http.RoundTripper

	mu    sync.Mutex
	queue []*place  // requests that wait for their turn, the head first
	free  time.Time // when the next one may start, as far as this process knows
}

func (p *pace) RoundTrip(req *http.Request) (*http.Response, error) {
	start, err := p.begin(req.Context(), req.URL.Host)
	if err != nil {
		if req.Body != nil {
			req.Body.Close()
		}
		return nil, err
	}
	sent := time.Now()
	resp, err := p.forward(req, start)
	took := time.Since(sent)
	p.reportAttempt(resp, err, took)
	p.logAttempt(req, resp, err, took)
	return resp, err
}

func (p *pace) forward(req *http.Request, start time.Time) (*http.Response, error) {
	if p.Interval == 0 {
		return p.next.RoundTrip(req)
	}
	return p.sendAtStart(req, start)
}

// send makes an exchange and sees to it that it starts when the request leaves:
// until there is a connection, time passes, and requests that are spaced here
// could arrive together. A transport that traces nothing leaves at once.
func (p *pace) sendAtStart(req *http.Request, start time.Time) (*http.Response, error) {
	ctx, cancel := context.WithCancel(req.Context())
	defer cancel() // the answer is read by then
	var refusal error
	// It is called in RoundTrip, before anything is written.
	beforeSend := func(conn httptrace.GotConnInfo) {
		if refusal = p.awaitStart(ctx, req.URL.Host, start); refusal != nil {
			cancel()
			closeUnlessHTTP2(conn.Conn)
		}
		start = time.Time{} // it is used: another connection means that the request leaves again
	}
	resp, err := p.next.RoundTrip(req.WithContext(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: beforeSend})))
	if err != nil && refusal != nil {
		return nil, refusal
	}
	return resp, err
}

// punctual is how long after its start a request may leave.
const maxStartDelay = 5 * time.Millisecond

// depart returns when a request that is ready to leave may do so: at its start,
// which is moved where it has passed. Without one it is a new start.
func (p *pace) awaitStart(ctx context.Context, host string, start time.Time) error {
	if ctx.Err() != nil || time.Since(start) <= maxStartDelay {
		return ctx.Err()
	}
	for {
		_, wait := p.Turns.Start(ctx, p.budget(host), start, p.Interval)
		if wait == 0 {
			p.freeAfter(p.Interval)
			return nil
		}
		if p.late(wait, timeLeft(ctx)) || !sleep(ctx, wait) {
			return p.refusal(ctx, wait)
		}
	}
}

// budget returns the name of the limit that requests to a host count against.
func (o *Options) budget(host string) string { return cmp.Or(o.Budget, host) }

// hangUp keeps a request whose context has ended from being written. HTTP/2
// sees to that itself, and others use its connection; HTTP/1 would write it.
func closeUnlessHTTP2(conn net.Conn) {
	if c, ok := conn.(interface{ ConnectionState() tls.ConnectionState }); ok && c.ConnectionState().NegotiatedProtocol == "h2" {
		return
	}
	_ = conn.Close() // the failure of the request tells enough
}

// begin returns the start of a request: that of the turn that its context has,
// or else the next one.
func (p *pace) begin(ctx context.Context, host string) (time.Time, error) {
	if turn, ok := ctx.Value(turnKey{}).(*atomic.Pointer[time.Time]); ok {
		if start := turn.Swap(nil); start != nil {
			return *start, nil
		}
	}
	if ctx.Err() != nil || p.Interval == 0 {
		return time.Time{}, ctx.Err()
	}
	callers, ok := ctx.Value(callersKey{}).(func() int)
	if !ok {
		callers = func() int { return 1 }
	}
	pl := p.enqueue(host, callers)
	defer pl.dequeue()
	patience := func() time.Duration { return timeLeft(ctx) }
	if wait := pl.wait(); p.late(wait, patience()) {
		return time.Time{}, p.rateLimited(wait, nil)
	}
	start, wait := pl.takeTurn(ctx, patience)
	if start.IsZero() {
		return start, p.refusal(ctx, pl.waitOfRetry(wait))
	}
	return start, nil
}

// turnKey is of the context value that holds the start of a turn that was taken
// and not used yet.
type turnKey struct{}

// callersKey is of the context value that returns how many callers wait for the
// requests that are made in the context.
type callersKey struct{}

// longQueue bounds the wait of a call that has no deadline.
const longQueue = 30 * time.Minute

// late reports whether a request cannot have its turn after a wait: the source
// would have less time to answer than most answers take, and would be blamed
// for it. A turn that comes without a wait is used, however little time is
// left: the queue did not use it up.
func (o *Options) late(wait, left time.Duration) bool {
	return wait > 0 && wait+o.Latency >= left
}

// left is the time until the deadline of a context.
func timeLeft(ctx context.Context) time.Duration {
	if deadline, ok := ctx.Deadline(); ok {
		return time.Until(deadline)
	}
	return longQueue
}

func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// refusal is the error of a request that does not start. A deadline that passed
// here, or will, was used up by waiting, not by the source.
func (p *pace) refusal(ctx context.Context, wait time.Duration) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	return p.rateLimited(wait, ctx.Err())
}

// limited is the RATE_LIMITED of a source whose budget is free again after
// wait.
func (o *Options) rateLimited(wait time.Duration, cause error) *entity.Error {
	seconds := max(1, int((wait+time.Second-1)/time.Second))
	hint := fmt.Sprintf("Wait %d s and make the same call again; if it fails again, double the wait each time (exponential backoff). "+
		"Make fewer calls at once.", seconds)
	if o.LimitHint != "" {
		hint += " " + o.LimitHint
	}
	return &entity.Error{
		Code:    entity.RateLimited,
		Message: fmt.Sprintf("The request budget of %s is used up for the next %d s.", o.Source, seconds),
		Hint:    hint,
		Cause:   cause,
	}
}
