package mcpserver

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/tool"
)

func (s *Server) addResource(r tool.Resource) {
	s.resources[r.URI] = r.Toolset
	listed := mcp.NewResource(r.URI, r.Name, mcp.WithResourceTitle(r.Title), mcp.WithResourceDescription(r.Description), mcp.WithMIMEType(r.MIMEType))
	s.mcp.AddResource(listed, func(ctx context.Context, _ mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
		if !s.allows(ctx, r.Toolset) {
			return nil, refusal(r.URI, r.Toolset)
		}
		ctx, cancel := context.WithTimeout(s.called(ctx), s.o.Timeout)
		defer cancel()
		text, err := read(ctx, r)
		if err != nil {
			shown := entity.AsError(err)
			if shown.Cause != nil {
				s.o.Log.ErrorContext(ctx, "resource could not be read", "uri", r.URI, "code", shown.Code, "cause", shown.Cause)
			}
			return nil, errors.New(entity.Clean(shown.Error() + " " + shown.Hint))
		}
		clean := entity.Clean(string(text)) // as of the answer of a tool
		return []mcp.ResourceContents{
			mcp.BlobResourceContents{URI: r.URI, MIMEType: r.MIMEType, Blob: base64.StdEncoding.EncodeToString([]byte(clean))},
			mcp.TextResourceContents{URI: r.URI, MIMEType: r.MIMEType, Text: clean}, // a model cannot read the other
		}, nil
	})
}

// read reads a resource. A panic is an error.
func read(ctx context.Context, r tool.Resource) (text []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return r.Read(ctx)
}
