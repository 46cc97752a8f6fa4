// Package mcpserver serves the tools over the Model Context Protocol. It is the only package that uses the protocol library.
package mcpserver

import (
	"context"
	"encoding/json"
	"log/slog"
	"math"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/biofact-mcp/biofact/internal/tool"
)

// listTTL is how long a client may cache a list.
const listTTL = time.Hour

// Call is an answered call of a tool, for logs and metrics. It has no arguments.
type Call struct {
	Tool     string
	Code     string // "ok", or the error code of the envelope
	Bytes    int    // of the envelope
	Duration time.Duration
}

// Options configure a server.
type Options struct {
	Version string // of Biofact
	// About describes the server to people in a line, and Instructions to models. They name what is served.
	About, Instructions string
	Timeout             time.Duration   // of one call, queues included
	MaxCalls            int             // in progress at once; 0: no bound
	Log                 *slog.Logger    // over a logging.Handler, which adds the id of the call
	Resources           []tool.Resource // in addition to the tools
	Prompts             []*tool.Prompt  // plans of calls of the tools
	Unserved            []*tool.Tool    // tools that are not served, for error messages

	// Allowed returns the toolsets that the caller of a request may use. Tools and resources of other toolsets are hidden from the caller.
	// Nil: all toolsets.
	Allowed func(ctx context.Context) []string
	// RequestID returns the id of a request in the log. Nil or "": a new id.
	RequestID func(ctx context.Context) string
	// Observe gets every answered call of a tool. It may be nil.
	Observe func(ctx context.Context, c Call)
}

// Server is an MCP server over a set of tools.
type Server struct {
	mcp       *server.MCPServer
	o         Options
	places    *places
	served    []*tool.Tool
	tools     map[string]string // toolset by name
	resources map[string]string // toolset by URI
	prompts   map[string]*tool.Prompt
	pages     map[string]string // URI by tool
	texts     sync.Map          // the encoded tools of a list, by name
}

func (s *Server) handler(t *tool.Tool) server.ToolHandlerFunc {
	return func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		ctx, cancel := context.WithTimeout(s.withCall(ctx), s.o.Timeout)
		defer cancel()
		raw, err := arguments(request)
		if err != nil {
			return nil, err
		}
		start := time.Now()
		if meta := request.Params.Meta; meta != nil && validToken(meta.ProgressToken) {
			ctx = tool.WithProgress(ctx, s.progress(ctx, meta.ProgressToken))
		}
		answer := s.call(ctx, t, raw)
		s.reportCall(ctx, Call{Tool: t.Name, Code: code(answer), Bytes: len(answer.JSON), Duration: time.Since(start)})
		return result(ctx, answer.JSON, answer.IsError, answer.Meta), nil
	}
}

// call makes a call when it has a place. Half of its time is left for the call itself.
func (s *Server) call(ctx context.Context, t *tool.Tool, raw json.RawMessage) tool.Result {
	leave, err := s.places.take(ctx, s.o.Timeout/2)
	if err != nil {
		return t.Refuse(ctx, s.o.Log, err)
	}
	defer leave()
	return t.Call(ctx, s.o.Log, raw)
}

// validToken reports whether a progress token can be sent back with each step: a short string, or an integer, as in the protocol. A larger
// integer has lost digits in decoding.
func validToken(token mcp.ProgressToken) bool {
	const (
		longest = 256 // bytes
		largest = 1 << 53
	)
	switch token := token.(type) {
	case string:
		return len(token) <= longest
	case float64:
		return token == math.Trunc(token) && math.Abs(token) <= largest
	}
	return false
}

// progress returns the function that reports the progress of a call to the client. It ignores errors: a client that has gone does not end
// the call.
func (s *Server) progress(ctx context.Context, token mcp.ProgressToken) func(done, total int) {
	return func(done, total int) {
		_ = s.mcp.SendNotificationToClient(ctx, "notifications/progress",
			map[string]any{"progressToken": token, "progress": done, "total": total})
	}
}

// arguments returns the arguments as the client sent them, if the library has them: decoded arguments have lost the digits of large
// numbers.
func arguments(request mcp.CallToolRequest) (json.RawMessage, error) {
	if len(request.Params.RawArguments) > 0 {
		return request.Params.RawArguments, nil
	}
	return json.Marshal(request.Params.Arguments)
}

func isPage(uri string) bool { return strings.HasPrefix(uri, "ui://") }
