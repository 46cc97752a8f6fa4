package mcpserver

import (
	"context"
	"fmt"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/biofact-mcp/biofact/internal/tool"
)

// permitted returns the tools that the caller may use. Calls of others are refused as well.
func (s *Server) permitted(ctx context.Context, tools []mcp.Tool) []mcp.Tool {
	return slices.DeleteFunc(tools, func(t mcp.Tool) bool { return !s.allows(ctx, s.tools[t.Name]) })
}

// hideTools removes tools from a list that cannot answer here. A call of them returns an error that names the missing part.
func (s *Server) hideTools(ctx context.Context, _ any, _ *mcp.ListToolsRequest, list *mcp.ListToolsResult) {
	list.Tools = slices.DeleteFunc(list.Tools, func(t mcp.Tool) bool { return !s.answers(ctx, t.Name) })
}

// answers reports whether a tool can answer here.
func (s *Server) answers(ctx context.Context, name string) bool {
	return !slices.ContainsFunc(s.served, func(t *tool.Tool) bool { return t.Name == name && !t.Available(ctx) })
}

// permitResources removes resources from a list that the caller may not use, and pages for clients that do not show them: the library has
// no filter for resources. Reading checks the permission again.
func (s *Server) permitResources(ctx context.Context, _ any, _ *mcp.ListResourcesRequest, list *mcp.ListResourcesResult) {
	shows := showsPages(ctx)
	list.Resources = slices.DeleteFunc(list.Resources, func(r mcp.Resource) bool {
		return !s.allows(ctx, s.resources[r.URI]) || isPage(r.URI) && !shows
	})
	markPrivate(ctx, list)
}

// cacheScope returns private if the lists differ by caller, else public.
func (s *Server) cacheScope() mcp.CacheScope {
	if s.o.Allowed != nil {
		return mcp.CacheScopePrivate
	}
	return mcp.CacheScopePublic
}

// allows reports whether the caller may use a toolset.
func (s *Server) allows(ctx context.Context, toolset string) bool {
	if s.o.Allowed == nil {
		return true
	}
	return slices.Contains(s.o.Allowed(ctx), toolset)
}

// refusal returns an error that names the scope of a tool or resource.
func refusal(name, toolset string) error {
	return fmt.Errorf("%s is not allowed: it needs the scope %s:read", name, toolset)
}
