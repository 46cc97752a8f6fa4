package upstream

import (
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

// pace spaces the starts of requests. Callers queue, and only the head of the
// queue takes turns, which all processes of the user share: whoever gives up
// leaves no gap behind, and a busy process does not crowd out the others.
type pace struct {
	Options
	next http.RoundTripper
	head chan struct{} // full while somebody is the head; senders are served in order

	mu     sync.Mutex
	queued int       // callers that have not started, the head included
	free   time.Time // when the next one may start, as far as this process knows
}

func (p *pace) RoundTrip(req *http.Request) (*http.Response, error) {
	start, err := p.begin(req.Context(), req.URL.Host)
	if err != nil {
		if req.Body != nil {
			req.Body.Close()
		}
		return nil, err
	}
	begun := time.Now()
	resp, err := p.exchange(req, start)
	p.observed(resp, err, time.Since(begun))
	return resp, err
}

func (p *pace) exchange(req *http.Request, start time.Time) (*http.Response, error) {
	if p.Interval == 0 {
		return p.next.RoundTrip(req)
	}
	return p.send(req, start)
}

// send makes an exchange and sees to it that it starts when the request leaves:
// until there is a connection, time passes, and requests that are spaced here
// could arrive together. A transport that traces nothing leaves at once.
func (p *pace) send(req *http.Request, start time.Time) (*http.Response, error) {
	ctx, cancel := context.WithCancel(req.Context())
	defer cancel() // the answer is read by then
	var refusal error
	// It is called in RoundTrip, before anything is written.
	leave := func(conn httptrace.GotConnInfo) {
		if refusal = p.depart(ctx, req.URL.Host, start); refusal != nil {
			cancel()
			hangUp(conn.Conn)
		}
		start = time.Time{} // it is used: another connection means that the request leaves again
	}
	resp, err := p.next.RoundTrip(req.WithContext(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: leave})))
	if err != nil && refusal != nil {
		return nil, refusal
	}
	return resp, err
}

// punctual is how long after its start a request may leave.
const punctual = 5 * time.Millisecond

// depart returns when a request that is ready to leave may do so: at its start,
// which is moved where it has passed. Without one it is a new start.
func (p *pace) depart(ctx context.Context, host string, start time.Time) error {
	if ctx.Err() != nil || time.Since(start) <= punctual {
		return ctx.Err()
	}
	_, wait := p.claim(ctx, host, start)
	if wait > 0 {
		return p.refusal(ctx, wait)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = time.Now().Add(p.Interval)
	return nil
}

// hangUp keeps a request whose context has ended from being written. HTTP/2
// sees to that itself, and others use its connection; HTTP/1 would write it.
func hangUp(conn net.Conn) {
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
	return p.turn(ctx, host)
}

// turnKey is of the context value that holds the start of a turn that was taken
// and not used yet.
type turnKey struct{}

// Turn waits for the turn of a request to a host and returns a context whose
// first request has it. What the request asks for can so be decided at the
// last moment. The errors are those of a request.
func (c *Client) Turn(ctx context.Context, host string) (context.Context, error) {
	start, err := c.pace.turn(ctx, host)
	if err != nil {
		return nil, c.pace.failure(nil, err)
	}
	turn := new(atomic.Pointer[time.Time])
	turn.Store(&start)
	return context.WithValue(ctx, turnKey{}, turn), nil
}

// longQueue bounds the wait of a call that has no deadline.
const longQueue = 30 * time.Minute

// turn returns when the request may start, with the start, or an error where its
// context ends before, or will.
func (p *pace) turn(ctx context.Context, host string) (start time.Time, err error) {
	if ctx.Err() != nil || p.Interval == 0 {
		return time.Time{}, ctx.Err()
	}
	joined := time.Now()
	wait := p.join()
	if wait > 0 && wait >= left(ctx) {
		p.leave()
		return time.Time{}, p.limited(wait, nil)
	}
	select {
	case p.head <- struct{}{}:
		defer func() { <-p.head }()
	case <-ctx.Done():
		return time.Time{}, p.refusal(ctx, p.leave())
	}
	at, taken := p.Turns.Reserve(ctx, host, p.Interval, left(ctx)-1)
	wait = time.Until(at)
	if !taken {
		p.leave()
		return time.Time{}, p.limited(wait, nil)
	}
	if wait <= 0 || sleep(ctx, wait) {
		// Another request may have started late: what is spaced is the start itself.
		if start, wait = p.claim(ctx, host, time.Time{}); wait == 0 {
			p.started()
			if p.Observe.Turn != nil {
				p.Observe.Turn(start.Sub(joined))
			}
			return start, nil
		}
	}
	p.Turns.Release(ctx, host, at, p.Interval)
	return time.Time{}, p.refusal(ctx, p.leave())
}

// claim claims a start as soon as there is one, or returns how long that takes
// where it is too long. See store.Start for mine.
func (p *pace) claim(ctx context.Context, host string, mine time.Time) (start time.Time, wait time.Duration) {
	for {
		start, wait = p.Turns.Start(ctx, host, mine, p.Interval)
		if wait == 0 || wait >= left(ctx) || !sleep(ctx, wait) {
			return start, wait
		}
	}
}

// left is the time until the deadline of a context.
func left(ctx context.Context) time.Duration {
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

func (p *pace) started() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.queued--
	p.free = time.Now().Add(p.Interval)
}

// refusal is the error of a request that does not start. A deadline that passed
// here, or will, was used up by waiting, not by the source.
func (p *pace) refusal(ctx context.Context, wait time.Duration) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	return p.limited(wait, ctx.Err())
}

// limited is the RATE_LIMITED of a source whose budget is free again after
// wait.
func (o *Options) limited(wait time.Duration, cause error) *entity.Error {
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
