package mcpserver

import (
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/biofact-mcp/biofact/internal/tool"
)

// New returns a server of the tools.
func New(tools []*tool.Tool, o Options) *Server {
	s := &Server{o: o, served: tools, tools: map[string]string{}, resources: map[string]string{}, prompts: map[string]*tool.Prompt{},
		pages: map[string]string{}, places: newPlaces(o.MaxCalls)}
	hooks := &server.Hooks{}
	hooks.AddAfterListResources(s.permitResources)
	hooks.AddAfterListTools(s.hideTools)
	hooks.AddAfterListTools(markToolsPrivate)
	hooks.AddAfterListTools(holdTools)
	hooks.AddAfterInitialize(s.hideResources)
	hooks.AddAfterDiscover(s.hideResourcesModern)
	hooks.AddAfterSubscriptionsListen(awaitAcknowledgement)
	s.mcp = server.NewMCPServer("biofact", o.Version, append(s.promptOptions(),
		server.WithTitle("Biofact"),
		server.WithDescription(withOrigin(tools, o.About, ". ")),
		server.WithInstructions(withOrigin(tools, o.Instructions, "\n")),
		server.WithToolCapabilities(false),
		server.WithRecovery(),
		// The list of tools changes only with the version.
		server.WithCacheHints(listTTL.Milliseconds(), s.cacheScope()),
		server.WithToolFilter(s.permitted),
		server.WithToolFilter(s.offerPages),
		server.WithHooks(hooks),
	)...)
	for _, t := range tools {
		s.tools[t.Name] = t.Toolset
		s.mcp.AddTool(mcp.Tool{
			Name: t.Name, Description: t.Description,
			RawInputSchema: t.ListedInput, RawOutputSchema: t.ListedOutput,
			Annotations: mcp.ToolAnnotation{
				Title:         t.Title,
				ReadOnlyHint:  new(true),
				OpenWorldHint: new(true),
			},
		}, s.handler(t))
		if t.Page != "" {
			s.addPage(t)
		}
	}
	for _, r := range o.Resources {
		s.addResource(r)
	}
	for _, p := range o.Prompts {
		s.addPrompt(p)
	}
	return s
}

// withOrigin returns a text about the server that ends with the origin of the answers of its tools.
func withOrigin(tools []*tool.Tool, text, separator string) string {
	if len(tools) == 0 || tools[0].Origin == nil {
		return text
	}
	return strings.TrimPrefix(text+separator+tools[0].Origin.Notice, separator)
}
