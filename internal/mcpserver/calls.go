package mcpserver

import (
	"context"
	"encoding/json"

	"github.com/biofact-mcp/biofact/internal/logging"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// ok is the code of a successful call.
const ok = "ok"

// withCall returns the context of a call, whose log lines have the id of the request, or a new id.
func (s *Server) withCall(ctx context.Context) context.Context {
	id := ""
	if s.o.RequestID != nil {
		id = s.o.RequestID(ctx)
	}
	return logging.WithCall(ctx, id)
}

// reportCall reports a call to the log and the observer.
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
	// An envelope of package tool can always be decoded.
	_ = json.Unmarshal(r.JSON, &envelope)
	return envelope.Error.Code
}
