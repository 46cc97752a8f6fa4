package essie

import "github.com/biofact-mcp/biofact/internal/registry"

// Values returns the values that a piece may have, in the registry's order, or nil if it may have any text.
func Values(piece string) []string { return registry.PieceNamed(piece).Enum() }
