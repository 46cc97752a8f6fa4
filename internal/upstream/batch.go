package upstream

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Batch joins questions that wait for their turn into one request, and equal
// questions into one. Q is the type of a question, V that of an answer. With
// nobody waiting a lookup leaves at once: batching never adds delay. The lookups that wait have as many places in the queue of
// the source as they need requests, so that each knows its wait when it joins.
// It is safe for concurrent use.
type Batch[Q, V any] struct {
	// Max bounds the questions of one request.
	Max int
	// Key identifies a question.
	Key func(Q) string
	// Client is the source's, whose turns the requests take; nil: they take
	// none.
	Client *Client
	// Host is the one that the requests go to.
	Host string
	// Fetch asks several questions in one request. A question whose key is not
	// among the answers has none.
	Fetch func(ctx context.Context, questions []Q) (map[string]V, error)
	// Observe is told how many questions a request asks; nil: nobody is.
	Observe func(questions int)

	mu      sync.Mutex
	lookups map[string]*lookup[Q, V] // not answered yet, waiting or under way
	waiting []*lookup[Q, V]          // in the order in which they came
	pending []*pendingRequest        // one for each Max lookups that wait, in their order
}

// A seat is the place in the queue of a request whose lookups still wait.
type pendingRequest struct {
	*place
	ctx    context.Context // of the wait
	cancel context.CancelFunc
}

// A lookup is one key and those who want it.
type lookup[Q, V any] struct {
	question Q
	key      string
	deadline time.Time       // of the most patient caller; zero: none
	callers  int             // that want it
	blocked  atomic.Int32    // callers that wait for it and not for another of theirs
	sent     bool            // the request is under way
	late     bool            // a caller has more time than the request under way
	abandon  func(why error) // tells the request under way that nobody wants this key
	done     chan struct{}

	value V
	found bool
	err   error
}

// Get returns the answer to a question; found tells whether there is one. A caller
// whose context ends gets its error and leaves the others alone. Where the queue
// is longer than the caller's time, the error is RATE_LIMITED at once.
func (b *Batch[Q, V]) Get(ctx context.Context, question Q) (value V, found bool, err error) {
	lookups, err := b.join(ctx, question)
	if err != nil {
		return value, false, err
	}
	return b.wait(ctx, lookups[0])
}

// GetAll returns the answers to several questions by key. They go together: in
// one request where they fit. A question without an answer has no entry.
func (b *Batch[Q, V]) GetAll(ctx context.Context, questions []Q) (map[string]V, error) {
	if len(questions) == 0 {
		return nil, nil
	}
	lookups, err := b.join(ctx, questions...)
	if err != nil {
		return nil, err
	}
	values := make(map[string]V, len(questions))
	for i, l := range lookups {
		value, found, err := b.wait(ctx, l)
		if err != nil {
			for _, rest := range lookups[i+1:] {
				_ = b.leave(rest, cmp.Or(ctx.Err(), context.Canceled))
			}
			return nil, err
		}
		if found {
			values[l.key] = value
		}
	}
	return values, nil
}

// wait returns the result of a lookup.
func (b *Batch[Q, V]) wait(ctx context.Context, l *lookup[Q, V]) (value V, found bool, err error) {
	for {
		value, found, retry, err := b.await(ctx, l)
		if !retry {
			return value, found, err
		}
		joined, err := b.join(ctx, l.question)
		if err != nil {
			return value, false, err
		}
		l = joined[0]
	}
}

// await waits for a lookup; again reports whether it ended only because the time
// of those who made the request was up. A caller whose own time is up as well does
// not ask again, even if its context has yet to end.
func (b *Batch[Q, V]) await(ctx context.Context, l *lookup[Q, V]) (value V, found, retry bool, err error) {
	l.blocked.Add(1)
	defer l.blocked.Add(-1)
	select {
	case <-l.done:
		retry = l.late && errors.Is(l.err, context.DeadlineExceeded) && ctx.Err() == nil && timeLeft(ctx) > 0
		return l.value, l.found, retry, l.err
	case <-ctx.Done():
		return value, false, false, b.leave(l, ctx.Err())
	}
}

// queue returns the queue that the requests wait in.
func (b *Batch[Q, V]) queue() *pace {
	if b.Client == nil {
		return &pace{} // without an interval nobody waits
	}
	return b.Client.pace
}

// join enters questions together, so that none of them leaves without the others. The
// error is RATE_LIMITED where the wait is too long for the caller.
func (b *Batch[Q, V]) join(ctx context.Context, questions ...Q) ([]*lookup[Q, V], error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	joined, added := b.find(ctx, questions)
	fresh := b.enqueue(ctx, len(b.waiting)+len(added))
	waiting, pending := append(b.waiting, added...), append(b.pending, fresh...)
	last := -1 // the last one that the caller waits for
	for _, l := range joined {
		last = max(last, slices.Index(waiting, l))
	}
	if queue := b.queue(); last >= 0 {
		if wait := pending[last/b.Max].wait(); queue.late(wait, timeLeft(ctx)) {
			for _, s := range slices.Backward(fresh) {
				s.cancel()
				s.dequeue()
			}
			return nil, queue.rateLimited(wait, nil)
		}
	}
	b.waiting, b.pending = waiting, pending
	deadline, bounded := ctx.Deadline()
	for _, l := range joined {
		b.lookups[l.key] = l
		l.callers++
		if !l.deadline.IsZero() && (!bounded || deadline.After(l.deadline)) {
			l.deadline = deadline
			l.late = l.sent
		}
	}
	for _, s := range fresh {
		go b.serve(s)
	}
	return joined, nil
}

// find returns the lookups of questions, and those of them that are not there yet.
// The lock is held.
func (b *Batch[Q, V]) find(ctx context.Context, questions []Q) (joined, added []*lookup[Q, V]) {
	if b.lookups == nil {
		b.lookups = map[string]*lookup[Q, V]{}
	}
	deadline, _ := ctx.Deadline()
	for _, q := range questions {
		key := b.Key(q)
		l, ok := b.lookups[key]
		if i := slices.IndexFunc(added, func(l *lookup[Q, V]) bool { return l.key == key }); i >= 0 {
			l = added[i]
		} else if !ok {
			l = &lookup[Q, V]{question: q, key: key, deadline: deadline, done: make(chan struct{})}
			added = append(added, l)
		}
		joined = append(joined, l)
	}
	return joined, added
}

// enter enters the queue with the requests that so many lookups need, beyond
// those that are there already. The lock is held.
func (b *Batch[Q, V]) enqueue(ctx context.Context, lookups int) (fresh []*pendingRequest) {
	for len(b.pending)+len(fresh) < b.requests(lookups) {
		s := &pendingRequest{}
		s.ctx, s.cancel = context.WithCancel(context.WithoutCancel(ctx))
		s.place = b.queue().enqueue(b.Host, func() int { return b.blocked(s) })
		fresh = append(fresh, s)
	}
	return fresh
}

// requests returns how many requests so many lookups need.
func (b *Batch[Q, V]) requests(lookups int) int { return (lookups + b.Max - 1) / b.Max }

// served returns the lookups that go with a request as things stand, none where
// it is not needed any more. The lock is held.
func (b *Batch[Q, V]) lookupsOf(s *pendingRequest) []*lookup[Q, V] {
	i := slices.Index(b.pending, s)
	if i < 0 {
		return nil
	}
	return b.waiting[i*b.Max : min((i+1)*b.Max, len(b.waiting))]
}

// blocked returns how many callers wait for the turn of a request.
func (b *Batch[Q, V]) blocked(s *pendingRequest) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return blocked(b.lookupsOf(s))
}

func blocked[Q, V any](lookups []*lookup[Q, V]) (callers int) {
	for _, l := range lookups {
		callers += int(l.blocked.Load())
	}
	return callers
}

// leave takes a caller out, who gives up for a reason, and returns its error.
// Nobody asks for a key that no caller wants, or waits for it: a request ends
// for the reason of the last caller, so that time that ran out differs from a
// caller who went away.
func (b *Batch[Q, V]) leave(l *lookup[Q, V], why error) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.Index(b.waiting, l)
	if queue := b.queue(); i >= 0 && errors.Is(why, context.DeadlineExceeded) && queue.Interval > 0 {
		why = queue.rateLimited(queue.waitOfNext(), why)
	}
	if l.callers--; l.callers > 0 {
		return why
	}
	if b.lookups[l.key] == l {
		delete(b.lookups, l.key)
	}
	if i >= 0 {
		b.remove(l)
	} else if l.abandon != nil {
		l.abandon(why)
	}
	return why
}

// remove takes a lookup out of those that wait, and gives up the requests that
// are not needed any more. The lock is held.
func (b *Batch[Q, V]) remove(l *lookup[Q, V]) {
	i := slices.Index(b.waiting, l)
	b.waiting = slices.Delete(b.waiting, i, i+1)
	for n := len(b.pending); n > b.requests(len(b.waiting)); n-- {
		b.pending[n-1].abandon()
		b.pending[n-1].cancel()
		b.pending = b.pending[:n-1]
	}
}

// serve waits for the turn of a request and makes it. The lookups that join
// before the turn has come go along.
func (b *Batch[Q, V]) serve(s *pendingRequest) {
	defer s.cancel()
	defer s.dequeue()
	for s.ctx.Err() == nil {
		start, wait := s.takeTurn(s.ctx, func() time.Duration { return b.shortestTime(s) })
		if !start.IsZero() {
			b.send(s, start)
			return
		}
		if s.ctx.Err() == nil {
			b.refuse(s, wait)
		}
	}
}

// patience returns the time of the least patient lookup of a request.
func (b *Batch[Q, V]) shortestTime(s *pendingRequest) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	least := longQueue
	for _, l := range b.lookupsOf(s) {
		least = min(least, l.timeLeft())
	}
	return least
}

func (l *lookup[Q, V]) timeLeft() time.Duration {
	if l.deadline.IsZero() {
		return longQueue
	}
	return time.Until(l.deadline)
}

// refuse answers the lookups of a request that have no time for a wait.
func (b *Batch[Q, V]) refuse(s *pendingRequest, wait time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	queue := b.queue()
	err := queue.rateLimited(s.waitOfRetry(wait), nil)
	for _, l := range slices.Clone(b.lookupsOf(s)) {
		if wait+queue.Latency >= l.timeLeft() {
			b.remove(l)
			b.answer(l, err)
		}
	}
}
