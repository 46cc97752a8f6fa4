//go:build conformance

package mcpserver

import "github.com/mark3labs/mcp-go/server"

// Library returns the protocol library's server, so that the build for the
// conformance suite can add what the suite calls. No other build has it.
func (s *Server) Library() *server.MCPServer { return s.mcp }
