package tool

import "context"

type progressKey struct{}

// WithProgress returns a context in which calls report their progress.
func WithProgress(ctx context.Context, report func(done, total int)) context.Context {
	return context.WithValue(ctx, progressKey{}, report)
}

// Progress reports how many steps of a call are done, and the total. Without WithProgress it does nothing.
func Progress(ctx context.Context, done, total int) {
	if report, ok := ctx.Value(progressKey{}).(func(done, total int)); ok {
		report(done, total)
	}
}
