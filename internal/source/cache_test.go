package source

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestWithin: an entry from the future counts for nothing, but for the difference
// between the clocks of replicas.
func TestWithin(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for ago, want := range map[time.Duration]bool{
			0: true, time.Minute: true, 10*time.Minute - 1: true, 10 * time.Minute: false,
			-time.Second: true, -clockSkew: true, -clockSkew - 1: false, -time.Hour: false, -1000 * time.Hour: false,
		} {
			expect.Is(t, Within(time.Now().Add(-ago), 10*time.Minute), want, "stored %v ago", ago)
		}
		expect.Is(t, age(-time.Hour), "an unknown time", "the age of an entry from the future")
	})
}
