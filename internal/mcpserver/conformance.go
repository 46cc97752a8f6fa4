//go:build conformance

package mcpserver

import "github.com/mark3labs/mcp-go/server"

// Library returns the server of the protocol library, so that the build for the conformance suite can add the tools of the suite. Other
// builds do not have it.
func (s *Server) Library() *server.MCPServer { return s.mcp }
