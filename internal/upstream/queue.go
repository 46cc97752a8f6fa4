package upstream

import (
	"context"
	"slices"
	"time"
)

// A place is that of one request in the queue for turns.
type place struct {
	pace    *pace
	host    string
	callers func() int // returns how many wait for the request
	entered time.Time
	first   chan struct{} // closed when it is the first in the queue
	turn    time.Time     // the turn that the first one has reserved; zero: none
}

// enter puts a request at the end of the queue.
func (p *pace) enter(host string, callers func() int) *place {
	p.mu.Lock()
	defer p.mu.Unlock()
	pl := &place{pace: p, host: host, callers: callers, entered: time.Now(), first: make(chan struct{})}
	if p.queue = append(p.queue, pl); len(p.queue) == 1 {
		close(pl.first)
	}
	return pl
}

// leave takes a request out of the queue, if it is still there.
func (pl *place) leave() {
	pl.pace.mu.Lock()
	defer pl.pace.mu.Unlock()
	pl.pace.remove(slices.Index(pl.pace.queue, pl))
}

// giveUp takes a request out of the queue that nobody wants any more. The first
// one may have reserved a turn; it leaves when take has given that back.
func (pl *place) giveUp() {
	pl.pace.mu.Lock()
	defer pl.pace.mu.Unlock()
	if i := slices.Index(pl.pace.queue, pl); i > 0 {
		pl.pace.remove(i)
	}
}

// remove removes what stands at an index of the queue, if there is one. The lock
// is held.
func (p *pace) remove(index int) {
	if index < 0 {
		return
	}
	p.queue = slices.Delete(p.queue, index, index+1)
	if index == 0 && len(p.queue) > 0 {
		close(p.queue[0].first)
	}
}

// wait returns how long the request waits yet if nobody gives up.
func (pl *place) wait() time.Duration {
	pl.pace.mu.Lock()
	defer pl.pace.mu.Unlock()
	i := slices.Index(pl.pace.queue, pl)
	if i < 0 {
		return 0 // its turn has come
	}
	return pl.pace.waitAt(i)
}

// waitAt returns how long the wait is at an index of the queue. The lock is
// held.
func (p *pace) waitAt(index int) time.Duration {
	next := p.free
	if len(p.queue) > 0 && p.queue[0].turn.After(next) {
		next = p.queue[0].turn
	}
	return max(0, time.Until(next)) + time.Duration(index)*p.Interval
}

// newcomer returns how long a request waits that enters the queue now.
func (p *pace) newcomer() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.waitAt(len(p.queue))
}

// replacement returns how long a request waits that enters the queue when this
// one has left it, where the first one waits for a time.
func (pl *place) replacement(wait time.Duration) time.Duration {
	pl.pace.mu.Lock()
	defer pl.pace.mu.Unlock()
	others := max(0, len(pl.pace.queue)-1)
	return max(wait+time.Duration(others)*pl.pace.Interval, pl.pace.waitAt(others))
}

// take waits for the turn of the request and returns its start; patience returns
// the time that is left. Where that is too short, or ctx ends, the start is zero
// and wait is that of the first in the queue. The request then keeps its place.
func (pl *place) take(ctx context.Context, patience func() time.Duration) (start time.Time, wait time.Duration) {
	p := pl.pace
	if p.Interval == 0 {
		pl.leave()
		return time.Now(), 0
	}
	waited, ok := pl.advance(ctx)
	if !ok {
		return time.Time{}, 0
	}
	turn, taken := p.Turns.Reserve(ctx, pl.host, p.Interval, max(0, patience()-p.Latency-1))
	wait = time.Until(turn)
	if !taken {
		return time.Time{}, wait
	}
	pl.reserved(turn)
	if wait <= 0 || sleep(ctx, wait) {
		// A turn that came late leaves less time than was foreseen.
		late := (waited || wait > 0) && patience() <= p.Latency
		if wait = 0; !late {
			// Another request may have started late: what is spaced is the start itself.
			if start, wait = p.claim(ctx, pl.host, time.Time{}, patience); wait == 0 {
				pl.started(start)
				return start, 0
			}
		}
	}
	p.Turns.Release(ctx, pl.host, turn, p.Interval)
	pl.reserved(time.Time{})
	return time.Time{}, wait
}

// advance waits until the request is the first in the queue. waited reports
// whether it was not at once, and ok is false where ctx ended before.
func (pl *place) advance(ctx context.Context) (waited, ok bool) {
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

// reserved notes the turn that the first in the queue has reserved.
func (pl *place) reserved(turn time.Time) {
	pl.pace.mu.Lock()
	defer pl.pace.mu.Unlock()
	pl.turn = turn
}

// started takes a request out of the queue that has its turn.
func (pl *place) started(start time.Time) {
	p := pl.pace
	p.mu.Lock()
	p.free = time.Now().Add(p.Interval)
	p.remove(slices.Index(p.queue, pl))
	p.mu.Unlock()
	if p.Observe.Turn != nil {
		p.Observe.Turn(start.Sub(pl.entered))
	}
}
