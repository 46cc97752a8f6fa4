package upstream

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// Observer is told how a source is asked, for an operator's figures, and
// nothing of what is asked for. A function that is nil is not called. They are
// called by those who ask, at the same time, and must not wait.
type Observer struct {
	// Attempt is told what came of a request, once for each time that it was
	// made, and the time from its turn to the end of its body.
	Attempt func(r Result, took time.Duration)
	// Turn is told how long a request waited until its turn came. Who waited in
	// vain is not told of, nor is anybody where requests are not spaced.
	Turn func(waited time.Duration)
}

// Result is what came of one attempt at a request. The set is closed.
type Result string

// What can come of an attempt.
const (
	ResultOK          Result = "ok"          // an answer, or a redirect to one
	ResultInvalid     Result = "invalid"     // the source finds the request itself wrong
	ResultRefused     Result = "refused"     // the source wants nothing to do with this client or network
	ResultLimited     Result = "limited"     // the source asks for fewer requests
	ResultFailed      Result = "failed"      // the source answers with an error of its own
	ResultUnreadable  Result = "unreadable"  // the answer makes no sense, or is too large
	ResultUnreachable Result = "unreachable" // no exchange came about, or it broke off
	ResultTimeout     Result = "timeout"     // the time of the call was up
	ResultCancelled   Result = "cancelled"   // nobody waits for the answer any more
)

// Results lists the closed set.
func Results() []Result {
	return []Result{
		ResultOK, ResultInvalid, ResultRefused, ResultLimited, ResultFailed,
		ResultUnreadable, ResultUnreachable, ResultTimeout, ResultCancelled,
	}
}

// observed tells of an attempt that has ended.
func (o *Options) reportAttempt(resp *http.Response, err error, took time.Duration) {
	if o.Observe.Attempt == nil {
		return
	}
	if r := resultOf(resp, err); r != "" {
		o.Observe.Attempt(r, took)
	}
}

// resultOf tells what came of an attempt; "" where it was not made after all.
func resultOf(resp *http.Response, err error) Result {
	if err == nil {
		if resp.StatusCode == http.StatusOK || isRedirect(resp) {
			return ResultOK
		}
		return ResultInvalid // 400 and 404, which are the caller's to understand
	}
	if failed, ok := errors.AsType[*failedAttempt](err); ok {
		return failed.result
	}
	if _, ok := errors.AsType[*entity.Error](err); ok {
		return "" // a refusal of the pace
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return ResultTimeout
	}
	return ResultCancelled
}
