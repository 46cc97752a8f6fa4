package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/mark3labs/mcp-go/mcp"
)

// A body is the large part of the answer to one request. The library encodes the message with marks in its place, because it would copy and
// check the part at each level of the message; the transport puts the part in when it writes the message.
type body struct {
	answer []byte     // of a call, as the text and as the structured content
	tools  []mcp.Tool // of a list
}

type bodyKey struct{}

// withBody returns the context of a request whose large parts the caller puts into the message.
func withBody(ctx context.Context) (context.Context, *body) {
	b := &body{}
	return context.WithValue(ctx, bodyKey{}, b), b
}

// The marks of the parts, as they are encoded. No other text of a message with a part is from outside.
var (
	answerMark = []byte(`"$answer"`)
	toolsMark  = []byte(`"tools":null`)
)

// result returns the result of a call: the same bytes as text, which is all that many clients read, and as structured content.
func result(ctx context.Context, answer []byte, isError bool, meta map[string]any) *mcp.CallToolResult {
	out := &mcp.CallToolResult{IsError: isError}
	if b, ok := ctx.Value(bodyKey{}).(*body); ok {
		b.answer = answer
		out.Content, out.StructuredContent = []mcp.Content{mcp.NewTextContent("$answer")}, "$answer"
	} else {
		out.Content, out.StructuredContent = []mcp.Content{mcp.NewTextContent(string(answer))}, json.RawMessage(answer)
	}
	if len(meta) > 0 {
		out.Meta = mcp.NewMetaFromMap(meta)
	}
	return out
}

// holdTools takes the tools of a list out of it, for the transport.
func holdTools(ctx context.Context, _ any, _ *mcp.ListToolsRequest, list *mcp.ListToolsResult) {
	if b, ok := ctx.Value(bodyKey{}).(*body); ok {
		b.tools, list.Tools = list.Tools, nil
	}
}

// fill returns a message of the library with the parts in the place of their marks.
func (s *Server) fill(message []byte, b *body) []byte {
	switch {
	case b.answer != nil:
		parts := bytes.SplitN(message, answerMark, 3) // the text precedes the structured content
		if len(parts) != 3 {
			return message // an error took the place of the result
		}
		both, _ := jsontext.AppendQuote(make([]byte, 0, 3*len(b.answer)), b.answer) // the answer is UTF-8
		both = append(append(both, parts[1]...), b.answer...)
		out := bytes.NewBuffer(make([]byte, 0, len(message)+len(both)+len(both)/8))
		out.Write(parts[0])
		json.HTMLEscape(out, both)
		out.Write(parts[2])
		return out.Bytes()
	case b.tools != nil:
		before, after, found := bytes.Cut(message, toolsMark)
		if !found {
			return message
		}
		return slices.Concat(before, s.listed(b.tools), after)
	}
	return message
}

// listed returns the member "tools" of a list. The text of a tool is kept, once with its page and once without.
func (s *Server) listed(tools []mcp.Tool) []byte {
	list := []byte(`"tools":[`)
	for i, t := range tools {
		key := t.Name
		if t.Meta != nil {
			key += " page"
		}
		text, ok := s.texts.Load(key)
		if !ok {
			encoded, _ := json.Marshal(t) // schemas of tools are JSON
			text, _ = s.texts.LoadOrStore(key, encoded)
		}
		if i > 0 {
			list = append(list, ',')
		}
		list = append(list, text.([]byte)...) //nolint:forcetypeassert // it has nothing else
	}
	return append(list, ']')
}
