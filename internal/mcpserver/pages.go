package mcpserver

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/biofact-mcp/biofact/internal/pages"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// showsPages reports whether the client of a request has declared that it shows pages. Other clients get the same bytes as from a server
// without pages.
func showsPages(ctx context.Context) bool {
	if info := server.RequestProtocolInfoFromContext(ctx); info != nil && info.Modern {
		return info.ClientCapabilities != nil && supportsPages(info.ClientCapabilities.Extensions)
	}
	if ctx.Value(pagesKey{}) != nil {
		return true
	}
	session, ok := server.ClientSessionFromContext(ctx).(server.SessionWithClientInfo)
	return ok && supportsPages(session.GetClientCapabilities().Extensions)
}

// supportsPages reports whether the extensions of a client include pages in HTML.
func supportsPages(extensions map[string]any) bool {
	extension, _ := extensions[pages.Extension].(map[string]any)
	types, _ := extension["mimeTypes"].([]any)
	return slices.Contains(types, any(pages.MIMEType))
}

func (s *Server) addPage(t *tool.Tool) {
	uri := pages.URI(t.Page)
	s.pages[t.Name] = uri
	s.addText(tool.Resource{
		URI: uri, Name: t.Page, Title: t.Title, Toolset: t.Toolset, MIMEType: pages.MIMEType,
		Description: "The page on which people look at an answer of " + t.Name + ".",
		Read:        func(context.Context) ([]byte, error) { return pages.HTML(t.Page, pages.About(t, s.o.Version)) },
	})
	if pages.HasMap(t.Page) {
		s.addText(tool.Resource{
			URI: pages.OutlinesURI, Name: "outlines", Title: "Outlines of countries", Toolset: t.Toolset, MIMEType: "application/json",
			Description: "The outlines of countries for the map of a page.",
			Read:        func(context.Context) ([]byte, error) { return pages.Outlines() },
		})
	}
}

// offerPages adds the pages to a list of tools, for a client that shows them.
func (s *Server) offerPages(ctx context.Context, tools []mcp.Tool) []mcp.Tool {
	if !showsPages(ctx) {
		return tools
	}
	for i := range tools {
		if uri := s.pages[tools[i].Name]; uri != "" {
			tools[i].Meta = mcp.NewMetaFromMap(map[string]any{
				"ui":             map[string]any{"resourceUri": uri},
				"ui/resourceUri": uri, // for hosts that implement the extension before it was stable
			})
		}
	}
	return tools
}

// markToolsPrivate is markPrivate for the list of tools.
func markToolsPrivate(ctx context.Context, _ any, _ *mcp.ListToolsRequest, list *mcp.ListToolsResult) {
	markPrivate(ctx, list)
}

// markPrivate marks a list that offers pages as private, so that it is not cached for other clients.
func markPrivate(ctx context.Context, list mcp.CacheHintSetter) {
	if server.IsModernRequest(ctx) && showsPages(ctx) {
		list.SetCacheHints(listTTL.Milliseconds(), mcp.CacheScopePrivate)
	}
}

// hideResources removes the capability of resources if the server has only pages and the client does not show them.
func (s *Server) hideResources(_ context.Context, _ any, request *mcp.InitializeRequest, result *mcp.InitializeResult) {
	if len(s.o.Resources) == 0 && !supportsPages(request.Params.Capabilities.Extensions) {
		result.Capabilities.Resources = nil
	}
}

// hideResourcesModern is hideResources for clients of the era without a handshake.
func (s *Server) hideResourcesModern(ctx context.Context, _ any, _ *mcp.DiscoverRequest, result *mcp.DiscoverResult) {
	markPrivate(ctx, result)
	if len(s.o.Resources) == 0 && !showsPages(ctx) {
		result.Capabilities.Resources = nil
	}
}

// pagesKey is the key of an HTTP request in a session of a client that shows pages.
type pagesKey struct{}

// A session over HTTP exists only for clients of the eras with a handshake that show pages. The prefix of its id records this, and no
// replica stores the session.
const (
	sessionHeader = "Mcp-Session-Id"
	pagesSession  = "pages-"
)

// newPagesSession returns the id of a session for the handshake of a client that shows pages; "" for every other message.
func newPagesSession(m message) string {
	var params struct {
		Capabilities struct {
			Extensions map[string]any `json:"extensions"`
		} `json:"capabilities"`
	}
	if mcp.MCPMethod(m.Method) != mcp.MethodInitialize || json.Unmarshal(m.Params, &params) != nil ||
		!supportsPages(params.Capabilities.Extensions) {
		return ""
	}
	return pagesSession + rand.Text()
}
