package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime/debug"
	"strings"
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
		return t.failed(ctx, log, t.refused(ctx, err, raw))
	}
	answer, provenance, err := t.call(ctx, args, func(notes *entity.Notes) { t.finish(ctx, raw, read, notes) })
	if err != nil {
		if ended := context.Cause(ctx); errors.Is(ended, entity.ErrStopping) {
			err = ended // the source is not the cause
		}
		return t.failed(ctx, log, t.refused(ctx, err, raw))
	}
	text, err := entity.JSON(answer)
	if err == nil {
		text, err = t.fit(text)
	}
	if err != nil {
		return t.failed(ctx, log, fmt.Errorf("encode the answer: %w", err))
	}
	// The arguments were cleaned when they were read; this cleans the texts of sources in every answer.
	return Result{JSON: entity.CleanJSON(text), Meta: t.meta(provenance)}
}

// Refuse returns the answer of a call that is not made.
func (t *Tool) Refuse(ctx context.Context, log *slog.Logger, err error) Result {
	return t.failed(ctx, log, err)
}

// failed returns the envelope of an error. An error with a cause is logged: the client gets the reference, by which the operator finds the
// cause.
func (t *Tool) failed(ctx context.Context, log *slog.Logger, err error) Result {
	shown := *entity.AsError(err)
	shown.Hint = t.conforming(shown.Hint)
	next := t.sendable(ctx, shown.Next)
	if shown.Next = nil; shown.Hint == "" { // the hint has the sentence about the next call
		shown.Hint = "Call " + t.Name + " again with other arguments."
	}
	if shown.Cause != nil {
		reference := fmt.Sprintf("%08x", rand.Uint32())
		log.ErrorContext(ctx, "tool call failed", "tool", t.Name, "code", shown.Code, "reference", reference, "cause", shown.Cause)
		shown.Message = strings.TrimSuffix(shown.Message, ".") + " (reference " + reference + ")."
	}
	envelope := shown.Envelope()
	envelope.Error.Next = next
	text, err := entity.JSON(envelope)
	if err != nil {
		// The envelope has strings, and arguments that were decoded from JSON or are like them: it can always be encoded.
		panic(err)
	}
	return Result{JSON: entity.CleanJSON(text), IsError: true, Meta: t.Origin.addTo(map[string]any{schemaKey: t.Schema})}
}

// meta returns the metadata of an answer.
func (t *Tool) meta(p entity.Provenance) map[string]any {
	m := map[string]any{schemaKey: t.Schema, "biofact/upstream_requests": p.UpstreamRequests}
	if p.Cache != "" {
		m["biofact/cache"] = p.Cache
	}
	if p.Mirror != "" {
		m["biofact/source"] = p.Mirror + ", local mirror"
		m["biofact/mirror_synced_at"] = p.MirrorSynced.UTC().Format(time.RFC3339)
	}
	if p.DataVersion != "" {
		m["biofact/data_version"] = p.DataVersion
	}
	if !p.RetrievedAt.IsZero() {
		m["biofact/retrieved_at"] = p.RetrievedAt.UTC().Format(time.RFC3339)
	}
	return t.Origin.addTo(m)
}

// schemaKey is the key in the metadata of every result for the $id of the schema that the answer follows.
const schemaKey = "biofact/schema"

// Result is the result of a call: one envelope, ready to be sent.
type Result struct {
	JSON    []byte         // the answer or the error envelope, compact
	IsError bool           // the envelope is an error
	Meta    map[string]any // how the answer was obtained
}
