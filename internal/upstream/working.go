package upstream

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
)

// errSlow is in the chain of the error of a call whose time was up after the source had answered.
var errSlow = errors.New("the work on an answer took too long")

// Working returns the error of work on an answer whose call has ended, or nil. Work on several records calls it before each: a record is
// bounded, as a body is, and the work on it is linear.
func Working(ctx context.Context) error { return working(context.Cause(ctx)) }

func working(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%w: %w", errSlow, err)
	}
	return err
}

// answeredKey is the key of the context value that records whether the source has answered the last request.
type answeredKey struct{}

func setAnswered(ctx context.Context, answered bool) {
	if record, ok := ctx.Value(answeredKey{}).(*atomic.Bool); ok {
		record.Store(answered)
	}
}
