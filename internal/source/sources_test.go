package source

import (
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/internal/expect"
)

func TestPerSecond(t *testing.T) {
	t.Parallel()
	for rate, want := range map[float64]time.Duration{1: time.Second, 0.5: 2 * time.Second, 4: 250 * time.Millisecond,
		0.001: 1000 * time.Second} {
		expect.Is(t, perSecond(rate), want, "%v a second", rate)
	}
}
