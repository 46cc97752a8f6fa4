package upstream

import (
	"context"
	"slices"
	"time"
)

// A place is the place of one request in the queue for turns.
type place struct {
	pace    *pace
	host    string     // whose rate limit it counts against
	callers func() int // returns how many callers wait for the request
	entered time.Time
	first   chan struct{} // closed when it is the first in the queue
}

// enqueue puts a request at the end of the queue.
func (p *pace) enqueue(host string, callers func() int) *place {
	p.mu.Lock()
	defer p.mu.Unlock()
	pl := &place{pace: p, host: p.budget(host), callers: callers, entered: time.Now(), first: make(chan struct{})}
	if p.queue = append(p.queue, pl); len(p.queue) == 1 {
		close(pl.first)
	}
	return pl
}

// dequeue removes a request from the queue, if it is still in it.
func (pl *place) dequeue() {
	pl.pace.mu.Lock()
	defer pl.pace.mu.Unlock()
	pl.pace.remove(slices.Index(pl.pace.queue, pl))
}

// abandon removes a request that no caller needs from the queue. The first one stays until takeTurn has returned: it may be claiming a
// start.
func (pl *place) abandon() {
	pl.pace.mu.Lock()
	defer pl.pace.mu.Unlock()
	if i := slices.Index(pl.pace.queue, pl); i > 0 {
		pl.pace.remove(i)
	}
}

// remove removes the entry at an index of the queue; a negative index is ignored. The caller holds the lock.
func (p *pace) remove(index int) {
	if index < 0 {
		return
	}
	p.queue = slices.Delete(p.queue, index, index+1)
	if index == 0 && len(p.queue) > 0 {
		close(p.queue[0].first)
	}
}

// wait returns how long the request still waits if no other request is cancelled.
func (pl *place) wait() time.Duration {
	pl.pace.mu.Lock()
	defer pl.pace.mu.Unlock()
	i := slices.Index(pl.pace.queue, pl)
	if i < 0 {
		return 0 // its turn has come
	}
	return pl.pace.waitAt(i)
}

// waitAt returns the wait at an index of the queue. The caller holds the lock.
func (p *pace) waitAt(index int) time.Duration {
	return max(0, time.Until(p.free)) + time.Duration(index)*p.Interval
}

// waitOfNext returns the wait of a request that enters the queue now.
func (p *pace) waitOfNext() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.waitAt(len(p.queue))
}

// waitOfRetry returns the wait of a request that enters the queue after this one has left it. The argument is the wait of the first request
// in the queue.
func (pl *place) waitOfRetry(wait time.Duration) time.Duration {
	pl.pace.mu.Lock()
	defer pl.pace.mu.Unlock()
	others := max(0, len(pl.pace.queue)-1)
	return max(wait+time.Duration(others)*pl.pace.Interval, pl.pace.waitAt(others))
}

// takeTurn waits for the turn of the request; patience returns the time that is left. If that is too short, or ctx ends, ok is false and
// wait is that of the first request in the queue. The request then stays in the queue.
func (pl *place) takeTurn(ctx context.Context, patience func() time.Duration) (wait time.Duration, ok bool) {
	p := pl.pace
	if p.Interval == 0 {
		pl.dequeue()
		return 0, true
	}
	waited, goes := pl.awaitFirst(ctx)
	for goes {
		if waited && patience() <= p.Latency { // a late turn leaves less time than was expected
			return wait, false
		}
		var start time.Time
		if start, wait = p.Turns.Start(ctx, pl.host, p.Interval); wait == 0 {
			pl.started(start)
			return 0, true
		}
		p.freeAfter(wait)
		waited, goes = true, !p.late(wait, patience()) && sleep(ctx, wait)
	}
	return wait, false
}

// awaitFirst waits until the request is the first in the queue. waited reports whether it had to wait; ok is false if ctx ended before.
func (pl *place) awaitFirst(ctx context.Context) (waited, ok bool) {
	select {
	case <-pl.first:
		return false, true
	default:
	}
	select {
	case <-pl.first:
		return true, true
	case <-ctx.Done():
		return true, false
	}
}

// freeAfter records that the next request may start after a wait at the earliest.
func (p *pace) freeAfter(wait time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = time.Now().Add(wait)
}

// started removes a request that has its turn from the queue.
func (pl *place) started(start time.Time) {
	p := pl.pace
	p.freeAfter(p.Interval)
	pl.dequeue()
	if p.Observe.Turn != nil {
		p.Observe.Turn(start.Sub(pl.entered))
	}
}
