package store

import (
	"context"
	"maps"
	"math/rand/v2"
	"time"
)

// alone is the backend of a replica that has lost Redis: memory, at this
// replica's share of the pace. What the others do it cannot know; together they
// keep the pace in the mean.
type alone struct {
	*memory
	replicas int
	since    time.Time // nothing is known of the starts before
}

func newAlone(maxBytes int64, replicas int) *alone {
	return &alone{memory: newMemory(maxBytes), replicas: max(1, replicas), since: time.Now()}
}

// share is the interval that this replica keeps.
func (a *alone) share(interval time.Duration) time.Duration {
	return interval * time.Duration(a.replicas)
}

func (a *alone) reserve(ctx context.Context, host string, now time.Time, interval, limit time.Duration) (time.Time, bool, error) {
	return a.memory.reserve(ctx, host, now, a.share(interval), limit)
}

func (a *alone) begin(ctx context.Context, host string, now, mine time.Time, interval time.Duration) (time.Duration, error) {
	a.await(host, interval)
	return a.memory.begin(ctx, host, now, mine, a.share(interval))
}

// await lets the first start towards a host be an interval after the loss, as
// somebody may have started just before it, and at a time drawn by lot after
// that: all replicas lose Redis at once.
func (a *alone) await(host string, interval time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, known := a.last[host]; !known {
		others := a.share(interval) - interval
		a.last[host] = a.since.Add(rand.N(others+1) - others)
	}
}

func (a *alone) release(ctx context.Context, host string, turn time.Time, interval time.Duration) error {
	return a.memory.release(ctx, host, turn, a.share(interval))
}

// starts are the newest ones by host.
func (a *alone) starts() map[string]time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	return maps.Clone(a.last)
}
