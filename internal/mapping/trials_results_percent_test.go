package mapping

import (
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestPercent: a rate is given to a tenth, a small one to two digits, and only
// that of nobody affected is 0.
func TestPercent(t *testing.T) {
	t.Parallel()
	for want, counts := range map[float64][2]int{16.7: {475, 2841}, 0.035: {1, 2841}, 0.07: {2, 2841}, 0.0013: {1, 80000}, 0.1: {1, 1001},
		0: {0, 9}, 100: {9, 9}} {
		expect.Equal(t, "percent", want, *percent(&counts[0], &counts[1]))
	}
}
