package source

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestWithin: an entry from the future counts as old, except for the difference between the clocks of replicas.
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

// TestOwnValues checks that callers that share a request may change their values: none sees the changes of another.
func TestOwnValues(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		requests := 0
		cache := NewCache(&Keeper{}, Kind[string, []string]{
			Max: 10, Key: func(q string) string { return q },
			Fetch: func(_ context.Context, questions []string) (Reply[[]string], error) {
				requests++
				time.Sleep(time.Second)
				value := []string{"as fetched"}
				answers := map[string]*[]string{}
				for _, q := range questions { // an id and its alias
					answers[q] = &value
				}
				return Reply[[]string]{Answers: answers}, nil
			},
		})
		var values [4]*[]string
		for i := range 2 {
			go func() {
				both, err := cache.GetAll(t.Context(), []string{"a", "b"}, &entity.Notes{})
				expect.NoError(t, err)
				for j, question := range []string{"a", "b"} {
					value := both[question]
					expect.That(t, value != nil && (*value)[0] == "as fetched", "caller %d: %v", i, value)
					(*value)[0] = "changed"
					values[2*i+j] = value
				}
			}()
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		expect.Is(t, requests, 1, "requests")
		for i, value := range values {
			expect.That(t, !slices.Contains(values[:i], value), "callers share a value: %v", values)
		}
	})
}
