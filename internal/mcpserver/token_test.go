package mcpserver

import (
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestValidToken: short strings, and integers that JSON preserves exactly, are
// sent back.
func TestValidToken(t *testing.T) {
	t.Parallel()
	for _, token := range []any{"", "a", strings.Repeat("ä", 128), 0.0, 7.0, -1.0, float64(1 << 53), -float64(1 << 53)} {
		expect.That(t, validToken(token), "%v is not sent back", token)
	}
	for _, token := range []any{nil, strings.Repeat("a", 257), strings.Repeat("ä", 129), 0.5, 1e300, float64(1<<53) + 2, true, []any{"a"},
		map[string]any{}} {
		expect.That(t, !validToken(token), "%v is sent back", token)
	}
}
