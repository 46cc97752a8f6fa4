package essie

import "github.com/biofact-mcp/biofact/internal/registry"

// Values returns the values that a piece may have, in the registry's order, or nil where any text
// may stand there.
func Values(piece string) []string { return registry.PieceNamed(piece).Enum() }
