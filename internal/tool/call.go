package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// Call answers a call. Every failure, including a panic, is an error envelope. Details that must not be shown are logged under a reference
// that the message contains.
func (t *Tool) Call(ctx context.Context, log *slog.Logger, raw json.RawMessage) (result Result) {
	start := time.Now()
	defer func() {
		if p := recover(); p != nil {
			err := entity.AsError(fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
			result = t.failed(ctx, log, err)
		}
		log.DebugContext(ctx, "tool call", "tool", t.Name, "error", result.IsError, "bytes", len(result.JSON), "duration",
			time.Since(start))
	}()
	args, read, err := t.read(raw)
	if err != nil {
		return t.failed(ctx, log, t.refused(err, raw))
	}
	answer, provenance, err := t.call(ctx, args, func(notices []string) (all []string) {
		complete := t.completeCalls(raw, "", "")
		for _, notice := range slices.Concat(read, notices) {
			all = append(all, t.conforming(complete(notice)))
		}
		return all
	})
	if err != nil {
		if ended := context.Cause(ctx); errors.Is(ended, entity.ErrStopping) {
			err = ended // the source is not the cause
		}
		return t.failed(ctx, log, t.refused(err, raw))
	}
	text, err := entity.JSON(answer)
	if err == nil {
		text, err = t.fit(text)
	}
	if err != nil {
		return t.failed(ctx, log, fmt.Errorf("encode the answer: %w", err))
	}
	// The arguments were cleaned when they were read; this cleans the texts of sources in every answer.
	return Result{JSON: []byte(entity.Clean(string(text))), Meta: t.meta(provenance)}
}
