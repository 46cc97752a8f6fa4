package upstream

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// Observer receives metrics about the requests to a source, without the contents of requests. A nil function is not called. The functions
// are called concurrently and must not block.
type Observer struct {
	// Attempt receives the result of each attempt, and the time from its turn to the end of the body.
	Attempt func(r Result, took time.Duration)
	// Turn receives the time that a request waited for its turn. It is not called for a request that got no turn, nor for a source without
	// an interval.
	Turn func(waited time.Duration)
}

// Result is the outcome of one attempt at a request. The set is closed.
type Result string

// The outcomes of an attempt.
const (
	ResultOK          Result = "ok"          // an answer, or a redirect to one
	ResultInvalid     Result = "invalid"     // the source rejects the request itself
	ResultRefused     Result = "refused"     // the source refuses this client or network
	ResultLimited     Result = "limited"     // the source asks for fewer requests
	ResultFailed      Result = "failed"      // the source answers with an error of its own
	ResultUnreadable  Result = "unreadable"  // the answer cannot be decoded, or is too large
	ResultUnreachable Result = "unreachable" // no connection, or it broke off
	ResultTimeout     Result = "timeout"     // the time of the call was up
	ResultCancelled   Result = "cancelled"   // no caller waits for the answer
)

// Results returns all results.
func Results() []Result {
	return []Result{
		ResultOK, ResultInvalid, ResultRefused, ResultLimited, ResultFailed,
		ResultUnreadable, ResultUnreachable, ResultTimeout, ResultCancelled,
	}
}

// reportAttempt reports an attempt that has ended to the observer.
func (o *Options) reportAttempt(resp *http.Response, err error, took time.Duration) {
	if o.Observe.Attempt == nil {
		return
	}
	if r := resultOf(resp, err); r != "" {
		o.Observe.Attempt(r, took)
	}
}

// resultOf returns the result of an attempt; "" if the request was not sent.
func resultOf(resp *http.Response, err error) Result {
	if err == nil {
		if resp.StatusCode == http.StatusOK || isRedirect(resp) {
			return ResultOK
		}
		return ResultInvalid // 400 and 404, which the caller handles
	}
	if failed, ok := errors.AsType[*failedAttempt](err); ok {
		return failed.result
	}
	if _, ok := errors.AsType[*entity.Error](err); ok {
		return "" // the request was refused before it was sent
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return ResultTimeout
	}
	return ResultCancelled
}
