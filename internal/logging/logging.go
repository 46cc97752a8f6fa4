// Package logging has the log handler of Biofact: each line has the id of its call, and no control characters or hidden text.
package logging

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"

	"github.com/biofact-mcp/biofact/internal/entity"
)

type callKey struct{}

// WithCall returns a context whose log lines have the id of a call; "" creates a new id.
func WithCall(ctx context.Context, id string) context.Context {
	if id == "" {
		id = rand.Text()
	}
	return context.WithValue(ctx, callKey{}, id)
}

// Handler adds the id of the call to each line, writes its time in UTC and cleans its texts, which may be those of records and arguments.
type Handler struct{ next slog.Handler }

// New returns a handler that writes to next.
func New(next slog.Handler) Handler { return Handler{next} }

// Enabled implements slog.Handler.
func (h Handler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.next.Enabled(ctx, level)
}

// Handle implements slog.Handler.
func (h Handler) Handle(ctx context.Context, r slog.Record) error {
	// UTC is comparable across machines, and the program need not load the time zone file.
	line := slog.NewRecord(r.Time.UTC(), r.Level, entity.Clean(r.Message), r.PC)
	r.Attrs(func(a slog.Attr) bool {
		line.AddAttrs(clean(a))
		return true
	})
	if id, ok := ctx.Value(callKey{}).(string); ok {
		line.AddAttrs(slog.String("request", id))
	}
	return h.next.Handle(ctx, line)
}

// WithAttrs implements slog.Handler.
func (h Handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return Handler{h.next.WithAttrs(cleanAll(attrs))}
}

// WithGroup implements slog.Handler.
func (h Handler) WithGroup(name string) slog.Handler { return Handler{h.next.WithGroup(name)} }

func cleanAll(attrs []slog.Attr) []slog.Attr {
	cleaned := make([]slog.Attr, len(attrs))
	for i, a := range attrs {
		cleaned[i] = clean(a)
	}
	return cleaned
}

func clean(a slog.Attr) slog.Attr {
	key, value := entity.Clean(a.Key), a.Value.Resolve()
	switch value.Kind() {
	case slog.KindString:
		value = slog.StringValue(entity.Clean(value.String()))
	case slog.KindGroup:
		value = slog.GroupValue(cleanAll(value.Group())...)
	case slog.KindAny:
		// Errors and lists: readers see their text.
		_, isError := value.Any().(error)
		if text := fmt.Sprint(value.Any()); isError || entity.Clean(text) != text {
			value = slog.StringValue(entity.Clean(text))
		}
	}
	return slog.Attr{Key: key, Value: value}
}
