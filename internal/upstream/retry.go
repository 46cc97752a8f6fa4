package upstream

import (
	"errors"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/biofact-mcp/biofact/internal/entity"
)

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

// retry retries temporary failures within the deadline of the request's context.
type retry struct {
	Options
	next http.RoundTripper
}

func (r *retry) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx := req.Context()
	setAnswered(ctx, false)
	tries := max(1, r.Tries)
	if req.Body != nil {
		defer req.Body.Close()
		if req.GetBody == nil && req.Body != http.NoBody {
			tries = 1
		}
	}
	made := 0
	once := func() (*http.Response, error) {
		made++
		sent, err := withNewBody(req)
		if err != nil {
			return nil, backoff.Permanent(err)
		}
		resp, err := r.next.RoundTrip(sent)
		if err == nil {
			return resp, nil
		}
		if failed, ok := errors.AsType[*failedAttempt](err); ok && failed.retryable {
			return nil, failed
		}
		return nil, backoff.Permanent(err)
	}
	options := []backoff.RetryOption{
		backoff.WithBackOff(&fullJitter{}),
		backoff.WithMaxTries(tries),
		backoff.WithMaxElapsedTime(0),
		backoff.WithNotify(func(err error, wait time.Duration) {
			r.Log.WarnContext(ctx, "upstream request is retried", "source", r.Source, "wait", wait, "cause", err)
		}),
	}
	if deadline, ok := ctx.Deadline(); ok {
		// One nanosecond less, as an attempt at the deadline is too late. At least 1, as 0 means no limit.
		options = append(options, backoff.WithMaxElapsedTime(max(1, time.Until(deadline)-1)))
	}
	resp, err := backoff.Retry(ctx, once, options...)
	if err != nil {
		return nil, err
	}
	resp.Header.Set(attemptsHeader, strconv.Itoa(made))
	setAnswered(ctx, true)
	return resp, nil
}

// withNewBody returns a request with its body from the beginning, if the body can be read again.
func withNewBody(req *http.Request) (*http.Request, error) {
	if req.GetBody == nil {
		return req, nil
	}
	body, err := req.GetBody()
	if err != nil {
		return nil, err
	}
	copied := req.WithContext(req.Context())
	copied.Body = body
	return copied, nil
}

// A failedAttempt is the error of an attempt that failed.
type failedAttempt struct {
	err        *entity.Error
	result     Result        // for the observer
	retryable  bool          // the next attempt may succeed
	retryAfter time.Duration // the wait that the source asks for; 0: none
}

func (a *failedAttempt) Error() string {
	if a.err.Cause != nil {
		return a.err.Error() + ": " + a.err.Cause.Error()
	}
	return a.err.Error()
}

// Unwrap passes the wait that the source asks for to the backoff library.
func (a *failedAttempt) Unwrap() []error {
	if a.retryAfter == 0 {
		return []error{a.err}
	}
	return []error{a.err, &backoff.RetryAfterError{Duration: a.retryAfter}}
}

const (
	firstBackoff = 500 * time.Millisecond
	lastBackoff  = 8 * time.Second
	// maxRetryAfter limits Retry-After: above it the caller gets the error instead of a long wait.
	maxRetryAfter = 60 * time.Second
)

// fullJitter waits a random time up to a limit that doubles: callers that failed together do not retry together.
type fullJitter struct{ bound time.Duration }

func (j *fullJitter) Reset() { j.bound = firstBackoff }

func (j *fullJitter) NextBackOff() time.Duration {
	wait := rand.N(j.bound)
	j.bound = min(2*j.bound, lastBackoff)
	return wait
}

// retryAfter returns the wait of the Retry-After header, which has seconds or a date; 0 without it.
func retryAfter(resp *http.Response) time.Duration {
	text := resp.Header.Get("Retry-After")
	wait := time.Duration(0)
	if seconds, err := strconv.Atoi(text); err == nil || errors.Is(err, strconv.ErrRange) {
		wait = time.Duration(min(seconds, int(maxRetryAfter/time.Second))) * time.Second
	} else if at, err := http.ParseTime(text); err == nil {
		wait = time.Until(at)
	}
	return min(max(0, wait), maxRetryAfter)
}
