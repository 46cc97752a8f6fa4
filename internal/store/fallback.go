package store

import (
	"context"
	"maps"
	"math/rand/v2"
	"time"
)

// assumedProcesses is the number of processes that are assumed to share a cache file; their real number is unknown. Without the file each
// process uses this fraction of the request rate.
const assumedProcesses = 4

// fallback is the backend while the file or Redis cannot be used: memory, and a fraction of the request rate. It does not see the requests
// of the other processes. If no more processes run than it assumes, their total rate stays below the limit on average.
type fallback struct {
	*memory
	processes int
	since     time.Time // starts of others until then are unknown
}

func newFallback(m *memory, processes int) *fallback {
	return &fallback{memory: m, processes: max(1, processes), since: time.Now()}
}

// share returns the interval between the requests of this process. Every second has a whole number of them, so that all processes together
// do not exceed the rate in any second, if it allows each of them one. Requests are sent a little earlier or later than planned: a tenth of
// the interval is room for that.
func (f *fallback) share(interval time.Duration) time.Duration {
	share := interval * time.Duration(f.processes)
	if count := time.Second / max(1, share); f.processes > 1 && count > 0 {
		share = max(share, time.Second/count+interval/10)
	}
	return share
}

func (f *fallback) begin(ctx context.Context, host string, now time.Time, interval time.Duration) (time.Duration, error) {
	f.delayFirst(host, interval)
	return f.memory.begin(ctx, host, now, f.share(interval))
}

// spend limits this process to its part of the requests of a day: those before the loss, and those of others, are not known.
func (f *fallback) spend(ctx context.Context, host string, now time.Time, most int) (int, error) {
	share := most / f.processes
	used, err := f.memory.spend(ctx, host, now, share)
	return most - share + used, err
}

// delayFirst delays the first start for a host until an interval after the loss, as another process may have started a request just before
// it, plus a random time: all processes lose the file or Redis at the same time.
func (f *fallback) delayFirst(host string, interval time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, known := f.last[host]; !known {
		others := f.share(interval) - interval
		f.last[host] = f.since.Add(rand.N(others+1) - others)
	}
}

// starts returns the newest start by host.
func (f *fallback) starts() map[string]time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return maps.Clone(f.last)
}

// paceFile is the backend while the file accepts no entries, as on a full disk, but can still keep the pace: new entries are stored in
// memory.
type paceFile struct {
	*file
	entries *memory
}

func (p *paceFile) get(ctx context.Context, key string) (Entry, bool, error) {
	if e, ok, err := p.entries.get(ctx, key); ok {
		return e, ok, err
	}
	return p.file.get(ctx, key)
}

func (p *paceFile) put(ctx context.Context, key string, e Entry) error {
	return p.entries.put(ctx, key, e)
}
