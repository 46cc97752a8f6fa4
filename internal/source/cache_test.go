package source

import (
	"testing"
	"testing/synctest"
	"time"
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
			if got := Within(time.Now().Add(-ago), 10*time.Minute); got != want {
				t.Errorf("stored %v ago: %v", ago, got)
			}
		}
		if got := age(-time.Hour); got != "an unknown time" {
			t.Errorf("the age of an entry from the future is %s", got)
		}
	})
}
