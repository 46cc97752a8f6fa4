package mcpserver

import "github.com/mark3labs/mcp-go/mcp"

// ProtocolVersion is the newest supported version of the Model Context Protocol; a client may request an older one.
const ProtocolVersion = mcp.ProtocolVersion20260728
