package mcpserver

import "github.com/mark3labs/mcp-go/mcp"

// ProtocolVersion is the newest version of the Model Context Protocol that is
// served; a client may ask for an older one.
const ProtocolVersion = mcp.ProtocolVersion20260728
