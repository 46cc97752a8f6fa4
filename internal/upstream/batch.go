package upstream

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// Batch joins lookups that wait for their turn into one request, and lookups
// of one key into one. With nobody waiting a lookup leaves at once: batching
// never adds delay. It is safe for concurrent use.
type Batch[V any] struct {
	// Max bounds the keys of one request.
	Max int
	// Turn waits for the turn of a request; see Client.Turn.
	Turn func(ctx context.Context) (context.Context, error)
	// Fetch asks for the keys in one request. A key that is not in the answer
	// has no record.
	Fetch func(ctx context.Context, keys []string) (map[string]V, error)
	// Observe is told how many keys a request asks for; nil: nobody is.
	Observe func(keys int)

	mu      sync.Mutex
	lookups map[string]*lookup[V] // not answered yet, waiting or under way
	waiting []*lookup[V]          // in the order in which they came
	led     bool                  // somebody takes the turns
	stop    context.CancelFunc    // ends the wait for the turn
	until   time.Time             // the patience that it waits with; zero: all
}

// A lookup is one key and those who want it.
type lookup[V any] struct {
	key      string
	deadline time.Time       // of the most patient caller; zero: none
	callers  int             // that still wait
	sent     bool            // the request is under way
	late     bool            // a caller has more time than the request under way
	abandon  func(why error) // tells the request under way that nobody wants this key
	done     chan struct{}

	value V
	found bool
	err   error
}

// Get returns the record of a key; found tells whether there is one. A caller
// whose context ends gets its error and leaves the others alone.
func (b *Batch[V]) Get(ctx context.Context, key string) (value V, found bool, err error) {
	return b.wait(ctx, b.join(ctx, key)[0])
}

// GetAll returns the records of several keys, which go together: in one request
// where they fit. A key without a record is not among them.
func (b *Batch[V]) GetAll(ctx context.Context, keys []string) (map[string]V, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	lookups := b.join(ctx, keys...)
	values := make(map[string]V, len(keys))
	for i, l := range lookups {
		value, found, err := b.wait(ctx, l)
		if err != nil {
			for _, rest := range lookups[i+1:] {
				b.leave(rest, cmp.Or(ctx.Err(), context.Canceled))
			}
			return nil, err
		}
		if found {
			values[keys[i]] = value
		}
	}
	return values, nil
}

// wait returns what a lookup comes to.
func (b *Batch[V]) wait(ctx context.Context, l *lookup[V]) (value V, found bool, err error) {
	for {
		select {
		case <-l.done:
			if l.late && errors.Is(l.err, context.DeadlineExceeded) && ctx.Err() == nil {
				l = b.join(ctx, l.key)[0] // the time of those who made the request was up, not ours
				continue
			}
			return l.value, l.found, l.err
		case <-ctx.Done():
			b.leave(l, ctx.Err())
			return value, false, ctx.Err()
		}
	}
}

// join enters keys together, so that none of them leaves without the others.
func (b *Batch[V]) join(ctx context.Context, keys ...string) (joined []*lookup[V]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	deadline, bounded := ctx.Deadline()
	for _, key := range keys {
		l, ok := b.lookups[key]
		if !ok {
			l = &lookup[V]{key: key, deadline: deadline, done: make(chan struct{})}
			if b.lookups == nil {
				b.lookups = map[string]*lookup[V]{}
			}
			b.lookups[key] = l
			b.waiting = append(b.waiting, l)
		}
		l.callers++
		if !l.deadline.IsZero() && (!bounded || deadline.After(l.deadline)) {
			l.deadline = deadline
			l.late = l.sent
		}
		joined = append(joined, l)
	}
	if !b.led {
		b.led = true
		go b.lead(context.WithoutCancel(ctx))
	} else if b.stop != nil && bounded && (b.until.IsZero() || deadline.Before(b.until)) {
		b.stop() // it waits with more patience than this caller has
	}
	return joined
}

// leave takes a caller out, who gives up for a reason. What nobody wants any
// more is not asked for, and not waited for: a request ends for the reason of
// the last one who wanted it, so that time that ran out is told from a caller
// who went away.
func (b *Batch[V]) leave(l *lookup[V], why error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if l.callers--; l.callers > 0 {
		return
	}
	if b.lookups[l.key] == l {
		delete(b.lookups, l.key)
	}
	if i := slices.Index(b.waiting, l); i >= 0 {
		b.waiting = slices.Delete(b.waiting, i, i+1)
		if len(b.waiting) == 0 && b.stop != nil {
			b.stop()
		}
	} else if l.abandon != nil {
		l.abandon(why)
	}
}

// lead takes turns for as long as anybody waits. What joins before the turn
// has come goes along.
func (b *Batch[V]) lead(ctx context.Context) {
	for {
		waiting, stop, first := b.next(ctx)
		if first == nil {
			return
		}
		turn, err := b.Turn(waiting)
		if err != nil {
			if !errors.Is(waiting.Err(), context.Canceled) {
				b.refuse(first, err)
			}
		} else if lookups := b.take(); len(lookups) > 0 {
			go b.send(context.WithoutCancel(turn), lookups)
		}
		stop()
	}
}

// next returns the context in which the next turn is waited for. Its deadline
// is that of the least patient who waits, so that a queue longer than that
// refuses it at once. Where nobody waits there is no first, and nobody leads
// any more.
func (b *Batch[V]) next(ctx context.Context) (context.Context, context.CancelFunc, *lookup[V]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stop = nil
	if len(b.waiting) == 0 {
		b.led = false
		return nil, nil, nil
	}
	first := slices.MinFunc(b.waiting, func(a, c *lookup[V]) int {
		switch {
		case a.deadline.IsZero():
			return 1
		case c.deadline.IsZero():
			return -1
		}
		return a.deadline.Compare(c.deadline)
	})
	if b.until = first.deadline; b.until.IsZero() {
		ctx, b.stop = context.WithCancel(ctx)
	} else {
		ctx, b.stop = context.WithDeadline(ctx, first.deadline)
	}
	return ctx, b.stop, first
}

// refuse answers a lookup that gets no turn in its time.
func (b *Batch[V]) refuse(l *lookup[V], err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if i := slices.Index(b.waiting, l); i >= 0 {
		b.waiting = slices.Delete(b.waiting, i, i+1)
		b.answer(l, err)
	}
}

// take takes the lookups of the next request out of the queue.
func (b *Batch[V]) take() []*lookup[V] {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stop = nil
	n := min(len(b.waiting), b.Max)
	taken := slices.Clone(b.waiting[:n])
	b.waiting = slices.Delete(b.waiting, 0, n)
	return taken
}

// send makes the request, which ends when it is answered, when the most patient
// caller's time is up, or when nobody waits any more.
func (b *Batch[V]) send(ctx context.Context, lookups []*lookup[V]) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	keys, deadline := b.depart(lookups, cancel)
	if !deadline.IsZero() {
		var end context.CancelFunc
		ctx, end = context.WithDeadline(ctx, deadline)
		defer end()
	}
	if b.Observe != nil {
		b.Observe(len(keys))
	}
	found, err := b.Fetch(ctx, keys)
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, l := range lookups {
		l.value, l.found = found[l.key]
		b.answer(l, err)
	}
}

// depart returns the keys of a request and the deadline of its most patient
// caller. When all of its lookups are abandoned it calls nobody.
func (b *Batch[V]) depart(lookups []*lookup[V], nobody func(why error)) (keys []string, deadline time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	wanted, bounded := 0, true
	for _, l := range lookups {
		keys = append(keys, l.key)
		l.sent = true
		if l.callers == 0 {
			continue // abandoned between the queue and here
		}
		wanted++
		l.abandon = func(why error) { // the lock is held
			if wanted--; wanted == 0 {
				nobody(why)
			}
		}
		bounded = bounded && !l.deadline.IsZero()
		if l.deadline.After(deadline) {
			deadline = l.deadline
		}
	}
	if wanted == 0 {
		nobody(context.Canceled)
	}
	if !bounded {
		deadline = time.Time{}
	}
	return keys, deadline
}

// answer ends a lookup. The lock is held.
func (b *Batch[V]) answer(l *lookup[V], err error) {
	l.err = err
	if b.lookups[l.key] == l {
		delete(b.lookups, l.key)
	}
	close(l.done)
}
