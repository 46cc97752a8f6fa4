package source

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestWithin: an entry from the future counts as old, except for the difference
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

// TestOwnValues checks that two callers that share a request may change their
// values: neither sees the changes of the other.
func TestOwnValues(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		requests := 0
		cache := NewCache(&Keeper{}, Kind[string, []string]{
			Max: 10, Key: func(q string) string { return q },
			Fetch: func(_ context.Context, questions []string) (Reply[[]string], error) {
				requests++
				time.Sleep(time.Second)
				return Reply[[]string]{Answers: map[string]*[]string{questions[0]: {"as fetched"}}}, nil
			},
		})
		var values [3]*[]string
		for i := range values {
			go func() {
				value, err := cache.Get(t.Context(), "a", &entity.Notes{})
				expect.That(t, err == nil && value != nil && (*value)[0] == "as fetched", "caller %d: %v %v", i, value, err)
				(*value)[0] = "changed"
				values[i] = value
			}()
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		expect.Is(t, requests, 1, "requests")
		expect.That(t, values[0] != values[1] && values[1] != values[2] && values[0] != values[2], "callers share a value: %v", values)
	})
}
