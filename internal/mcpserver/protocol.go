package mcpserver

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"
)

// ProtocolVersion is the newest supported version of the Model Context Protocol; a client may request an older one.
const ProtocolVersion = mcp.ProtocolVersion20260728

// withoutBatches offers the version before 2025-03-26 in its place: that version alone demands that batches are answered, and every client
// of it knows the one before.
func withoutBatches(_ context.Context, _ any, _ *mcp.InitializeRequest, result *mcp.InitializeResult) {
	if result.ProtocolVersion == mcp.ProtocolVersion20250326 {
		result.ProtocolVersion = mcp.ProtocolVersion20241105
	}
}
