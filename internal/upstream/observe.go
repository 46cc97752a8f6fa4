package upstream

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
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

// isRedirect reports whether a response is a redirect that can be followed.
func isRedirect(resp *http.Response) bool {
	switch resp.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return resp.Header.Get("Location") != ""
	}
	return false
}
