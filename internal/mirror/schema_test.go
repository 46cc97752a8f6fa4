package mirror

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"github.com/biofact-mcp/biofact/internal/query"
)

// TestFormat fails when the fields that the tables are made from, or their known values, have changed and the format has not: a search of
// an older file would use the old fields, and the bit of another value.
func TestFormat(t *testing.T) {
	t.Parallel()
	const recorded = "6 35eb1aa19b8f6918"
	sum := sha256.New()
	for _, name := range Pieces() {
		p := query.PieceNamed(name)
		fmt.Fprintln(sum, p.Name, p.Path, p.Type, p.Enum())
	}
	if now := fmt.Sprintf("%d %.8x", format, sum.Sum(nil)); now != recorded {
		t.Errorf("the fields that the mirror reads have changed: increase format in schema.go by one, and record %q here", now)
	}
}
