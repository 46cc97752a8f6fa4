package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/biofact-mcp/biofact/internal/tool"
)

// paramsError returns an error if the parameters of a request cannot be decoded, or if it names an unknown tool, prompt or resource. The
// library would answer with the error of the Go decoder, and without the names that are known. A message of another version is passed to
// the library. raw is the text of the message.
func (s *Server) paramsError(ctx context.Context, m message, raw []byte) error {
	if string(m.Version) != `"`+mcp.JSONRPC_VERSION+`"` {
		return nil
	}
	var params namedParams
	if len(m.Params) > 0 && json.Unmarshal(m.Params, &params) != nil {
		return errors.New("the params of a request must be an object")
	}
	if err := s.nameError(ctx, m.Method, params); err != nil {
		return err
	}
	if into := newRequest(mcp.MCPMethod(m.Method)); into != nil && json.Unmarshal(raw, into) != nil {
		return errors.New("the params of " + m.Method + " are not of the right types")
	}
	return nil
}

// namedParams are the parameters that name what a request is for.
type namedParams struct {
	URI       any             `json:"uri"`
	Cursor    json.RawMessage `json:"cursor"`
	Name      any             `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Meta      any             `json:"_meta"`
}

// nameError returns an error if a request names what does not exist.
func (s *Server) nameError(ctx context.Context, method string, params namedParams) error {
	switch mcp.MCPMethod(method) {
	case mcp.MethodToolsCall:
		if name, ok := params.Name.(string); (ok || params.Name == nil) && s.mcp.GetTool(name) == nil {
			return s.unknownToolError(ctx, name, params.Arguments)
		}
	case mcp.MethodPromptsGet:
		return s.promptError(ctx, params.Name, params.Arguments)
	case mcp.MethodResourcesRead:
		if uri, ok := params.URI.(string); (ok || params.URI == nil) && s.isMissing(uri) {
			unknown := errors.New(missing("resource", uri, s.permittedURIs(ctx)))
			meta, _ := params.Meta.(map[string]any)
			if version, _ := meta[mcp.MetaKeyProtocolVersion].(string); mcp.IsModernProtocol(version) {
				return unknown
			}
			return missingResource{unknown}
		}
	case mcp.MethodToolsList, mcp.MethodResourcesList, mcp.MethodResourcesTemplatesList, mcp.MethodPromptsList:
		if isCursor(params.Cursor) {
			return errors.New("the cursor of " + method + " was not issued by this server")
		}
	}
	return nil
}

// missingResource is the error of a resource that does not exist, before version 2026-07-28 of the protocol.
type missingResource struct{ error }

func paramsCode(err error) int {
	if errors.As(err, &missingResource{}) {
		return mcp.RESOURCE_NOT_FOUND
	}
	return mcp.INVALID_PARAMS
}

// isMissing reports whether a server with resources does not have a resource.
func (s *Server) isMissing(uri string) bool {
	_, known := s.resources[uri]
	return !known && len(s.resources) > 0
}

// permittedURIs returns the resources that the caller may read, without pages, which tools name.
func (s *Server) permittedURIs(ctx context.Context) []string {
	var uris []string
	for uri, toolset := range s.resources {
		if s.allows(ctx, toolset) && !isPage(uri) {
			uris = append(uris, uri)
		}
	}
	slices.Sort(uris)
	return uris
}

// isCursor reports whether a list request has a cursor. Lists have one page, so that the server issues no cursors.
func isCursor(given json.RawMessage) bool {
	text := string(given)
	return text != "" && text != `""` && text != "null"
}

// newRequest returns an empty request of a method to decode into, or nil if the library must answer the method.
func newRequest(method mcp.MCPMethod) any {
	switch method {
	case mcp.MethodInitialize:
		return &mcp.InitializeRequest{}
	case mcp.MethodPing:
		return &mcp.PingRequest{}
	case mcp.MethodServerDiscover:
		return &mcp.DiscoverRequest{}
	case mcp.MethodSubscriptionsListen:
		return &mcp.SubscriptionsListenRequest{}
	case mcp.MethodToolsCall:
		return &mcp.CallToolRequest{}
	case mcp.MethodResourcesRead:
		return &mcp.ReadResourceRequest{}
	case mcp.MethodPromptsGet:
		return &mcp.GetPromptRequest{}
	case mcp.MethodToolsList, mcp.MethodResourcesList, mcp.MethodResourcesTemplatesList, mcp.MethodPromptsList:
		return &mcp.ListToolsRequest{} // all lists have the same parameters
	}
	return nil
}

// unknownToolError returns an error that names the tool which does the same as an unknown one.
func (s *Server) unknownToolError(ctx context.Context, name string, arguments json.RawMessage) error {
	return errors.New(tool.Missing(name, arguments, slices.Concat(s.served, s.o.Unserved), func(t *tool.Tool) string {
		if _, served := s.tools[t.Name]; !served {
			return tool.NotServed(t)
		}
		if !s.allows(ctx, t.Toolset) {
			return "it needs the scope " + t.Toolset + ":read"
		}
		if !t.Available(ctx) {
			return tool.NoMirror
		}
		return ""
	}))
}
