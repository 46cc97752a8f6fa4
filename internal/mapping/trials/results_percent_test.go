package trials

import (
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestPercent: a rate has one decimal place, a small one two significant digits. It is 0 only if no participant is affected.
func TestPercent(t *testing.T) {
	t.Parallel()
	for want, counts := range map[float64][2]int{16.7: {475, 2841}, 0.035: {1, 2841}, 0.07: {2, 2841}, 0.0013: {1, 80000}, 0.1: {1, 1001},
		0: {0, 9}, 100: {9, 9}} {
		expect.Equal(t, "percent", want, *percent(&counts[0], &counts[1]))
	}
}
