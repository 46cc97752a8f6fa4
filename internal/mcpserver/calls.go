package mcpserver

import (
	"context"
	"encoding/json"
	"time"

	"github.com/biofact-mcp/biofact/internal/logging"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// ok is the code of a call that was answered with facts.
const ok = "ok"

// Call is an answered call of a tool, as logs and metrics tell of it: nothing
// of what was asked.
type Call struct {
	Tool     string
	Code     string // "ok", or the error code of the envelope
	Bytes    int    // of the envelope
	Duration time.Duration
}

// called returns the context of a call, whose lines in the log have the id of the
// request, or one of their own where it has none.
func (s *Server) withCall(ctx context.Context) context.Context {
	id := ""
	if s.o.RequestID != nil {
		id = s.o.RequestID(ctx)
	}
	return logging.WithCall(ctx, id)
}

// answered tells of a call.
func (s *Server) reportCall(ctx context.Context, c Call) {
	s.o.Log.InfoContext(ctx, "call", "tool", c.Tool, "code", c.Code, "duration", c.Duration, "bytes", c.Bytes)
	if s.o.Observe != nil {
		s.o.Observe(ctx, c)
	}
}

// code returns the error code of an answer.
func code(r tool.Result) string {
	if !r.IsError {
		return ok
	}
	var envelope struct {
		Error struct {
			Code string `json:"code"`
		} `json:"error"`
	}
	// An envelope that package tool has written always decodes.
	_ = json.Unmarshal(r.JSON, &envelope)
	return envelope.Error.Code
}
