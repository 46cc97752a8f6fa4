package upstream

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// Batch joins questions that wait for their turn into one request, and equal
// questions into one. Q is the type of a question, V that of an answer. With nobody waiting a lookup leaves at once: batching
// never adds delay. It is safe for concurrent use.
type Batch[Q, V any] struct {
	// Max bounds the questions of one request.
	Max int
	// Key identifies a question.
	Key func(Q) string
	// Turn waits for the turn of a request; see Client.Turn.
	Turn func(ctx context.Context) (context.Context, error)
	// Fetch asks several questions in one request. A question whose key is not
	// among the answers has none.
	Fetch func(ctx context.Context, questions []Q) (map[string]V, error)
	// Observe is told how many questions a request asks; nil: nobody is.
	Observe func(questions int)

	mu      sync.Mutex
	lookups map[string]*lookup[Q, V] // not answered yet, waiting or under way
	waiting []*lookup[Q, V]          // in the order in which they came
	led     bool                     // somebody takes the turns
	stop    context.CancelFunc       // ends the wait for the turn
	until   time.Time                // the patience that it waits with; zero: all
}

// A lookup is one key and those who want it.
type lookup[Q, V any] struct {
	question Q
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

// Get returns the answer to a question; found tells whether there is one. A caller
// whose context ends gets its error and leaves the others alone.
func (b *Batch[Q, V]) Get(ctx context.Context, question Q) (value V, found bool, err error) {
	return b.wait(ctx, b.join(ctx, question)[0])
}

// GetAll returns the answers to several questions by key. They go together: in
// one request where they fit. A question without an answer has no entry.
func (b *Batch[Q, V]) GetAll(ctx context.Context, questions []Q) (map[string]V, error) {
	if len(questions) == 0 {
		return nil, nil
	}
	lookups := b.join(ctx, questions...)
	values := make(map[string]V, len(questions))
	for i, l := range lookups {
		value, found, err := b.wait(ctx, l)
		if err != nil {
			for _, rest := range lookups[i+1:] {
				b.leave(rest, cmp.Or(ctx.Err(), context.Canceled))
			}
			return nil, err
		}
		if found {
			values[l.key] = value
		}
	}
	return values, nil
}

// wait returns what a lookup comes to.
func (b *Batch[Q, V]) wait(ctx context.Context, l *lookup[Q, V]) (value V, found bool, err error) {
	for {
		select {
		case <-l.done:
			if l.late && errors.Is(l.err, context.DeadlineExceeded) && ctx.Err() == nil {
				l = b.join(ctx, l.question)[0] // the time of those who made the request was up, not ours
				continue
			}
			return l.value, l.found, l.err
		case <-ctx.Done():
			b.leave(l, ctx.Err())
			return value, false, ctx.Err()
		}
	}
}

// join enters questions together, so that none of them leaves without the others.
func (b *Batch[Q, V]) join(ctx context.Context, questions ...Q) (joined []*lookup[Q, V]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	deadline, bounded := ctx.Deadline()
	for _, q := range questions {
		key := b.Key(q)
		l, ok := b.lookups[key]
		if !ok {
			l = &lookup[Q, V]{question: q, key: key, deadline: deadline, done: make(chan struct{})}
			if b.lookups == nil {
				b.lookups = map[string]*lookup[Q, V]{}
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
func (b *Batch[Q, V]) leave(l *lookup[Q, V], why error) {
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
func (b *Batch[Q, V]) lead(ctx context.Context) {
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
func (b *Batch[Q, V]) next(ctx context.Context) (context.Context, context.CancelFunc, *lookup[Q, V]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stop = nil
	if len(b.waiting) == 0 {
		b.led = false
		return nil, nil, nil
	}
	first := slices.MinFunc(b.waiting, func(a, c *lookup[Q, V]) int {
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
func (b *Batch[Q, V]) refuse(l *lookup[Q, V], err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if i := slices.Index(b.waiting, l); i >= 0 {
		b.waiting = slices.Delete(b.waiting, i, i+1)
		b.answer(l, err)
	}
}

// take takes the lookups of the next request out of the queue.
func (b *Batch[Q, V]) take() []*lookup[Q, V] {
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
func (b *Batch[Q, V]) send(ctx context.Context, lookups []*lookup[Q, V]) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	questions, deadline := b.depart(lookups, cancel)
	if !deadline.IsZero() {
		var end context.CancelFunc
		ctx, end = context.WithDeadline(ctx, deadline)
		defer end()
	}
	if b.Observe != nil {
		b.Observe(len(questions))
	}
	found, err := b.Fetch(ctx, questions)
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, l := range lookups {
		l.value, l.found = found[l.key]
		b.answer(l, err)
	}
}

// depart returns the questions of a request and the deadline of its most patient
// caller. When all of its lookups are abandoned it calls nobody.
func (b *Batch[Q, V]) depart(lookups []*lookup[Q, V], nobody func(why error)) (questions []Q, deadline time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	wanted, bounded := 0, true
	for _, l := range lookups {
		questions = append(questions, l.question)
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
	return questions, deadline
}

// answer ends a lookup. The lock is held.
func (b *Batch[Q, V]) answer(l *lookup[Q, V], err error) {
	l.err = err
	if b.lookups[l.key] == l {
		delete(b.lookups, l.key)
	}
	close(l.done)
}
