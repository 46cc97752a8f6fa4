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

// addResource serves a document that models read. It is sent as a text, and after it as a blob for clients that store documents: some
// clients read only the first of the contents, as a text.
func (s *Server) addResource(r tool.Resource) {
	s.serve(r, func(text string) []mcp.ResourceContents {
		return []mcp.ResourceContents{
			mcp.TextResourceContents{URI: r.URI, MIMEType: r.MIMEType, Text: text},
			mcp.BlobResourceContents{URI: r.URI, MIMEType: r.MIMEType, Blob: base64.StdEncoding.EncodeToString([]byte(text))},
		}
	})
}

func (s *Server) serve(r tool.Resource, contents func(text string) []mcp.ResourceContents) {
	s.resources[r.URI] = r.Toolset
	listed := mcp.NewResource(r.URI, r.Name, mcp.WithResourceTitle(r.Title), mcp.WithResourceDescription(r.Description),
		mcp.WithMIMEType(r.MIMEType))
	s.mcp.AddResource(listed, func(ctx context.Context, _ mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
		if !s.allows(ctx, r.Toolset) {
			return nil, refusal(r.URI, r.Toolset)
		}
		ctx, cancel := context.WithTimeout(s.withCall(ctx), s.o.Timeout)
		defer cancel()
		text, err := read(ctx, r)
		if err != nil {
			if ended := context.Cause(ctx); errors.Is(ended, entity.ErrStopping) {
				err = ended
			}
			shown := entity.AsError(err)
			if shown.Cause != nil {
				s.o.Log.ErrorContext(ctx, "resource could not be read", "uri", r.URI, "code", shown.Code, "cause", shown.Cause)
			}
			return nil, errors.New(entity.Clean(shown.Error() + " " + shown.Hint))
		}
		return contents(entity.Clean(string(text))), nil // as with the answer of a tool
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

// addText serves a document that programs read.
func (s *Server) addText(r tool.Resource) {
	s.serve(r, func(text string) []mcp.ResourceContents {
		return []mcp.ResourceContents{mcp.TextResourceContents{URI: r.URI, MIMEType: r.MIMEType, Text: text}}
	})
}
