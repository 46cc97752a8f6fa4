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

// A Batch combines the questions that wait for a turn into one request, and equal questions into one lookup. Q is the type of a question, V
// that of an answer. If no request waits, a lookup is sent at once: batching never adds delay. The waiting lookups hold as many places in
// the queue of the source as they need requests, so each caller knows its wait when it joins. A Batch is safe for concurrent use.
type Batch[Q, V any] struct {
	// Max is the largest number of questions in one request.
	Max int
	// Key returns the key that identifies a question.
	Key func(Q) string
	// Client is the client of the source; the requests take turns in its queue. With nil they take no turns.
	Client *Client
	// Host is the host that receives the requests.
	Host string
	// Fetch sends several questions in one request and returns the answers by key. A question without an answer has no entry.
	Fetch func(ctx context.Context, questions []Q) (map[string]V, error)
	// Observe, if not nil, is called with the number of questions of each request.
	Observe func(questions int)

	mu      sync.Mutex
	lookups map[string]*lookup[Q, V] // not answered yet: waiting or sent
	waiting []*lookup[Q, V]          // in order of arrival
	pending []*pendingRequest        // one for each Max waiting lookups, in their order
}

// A pendingRequest is a request whose lookups still wait, with its place in the queue.
type pendingRequest struct {
	*place
	ctx      context.Context // of the wait
	cancel   context.CancelFunc
	answered atomic.Bool // the source has answered, and the answer is read
}

// A lookup is one key and the callers that wait for it.
type lookup[Q, V any] struct {
	question Q
	key      string
	deadline time.Time       // of the caller with the most time; zero: none
	callers  int             // number of callers that need it
	blocked  atomic.Int32    // callers that block on this lookup and not on another one
	sent     bool            // the request has been sent
	answered *atomic.Bool    // of the request that was sent
	retry    bool            // a caller has more time than the request that was sent
	abandon  func(why error) // reports to the request that no caller needs this key
	done     chan struct{}

	value V
	found bool
	err   error
}

// Get returns the answer to a question; found reports whether the source has one. If the context of a caller ends, the caller gets its
// error and the other callers are not affected. If the wait is longer than the caller's time, Get returns RATE_LIMITED at once.
func (b *Batch[Q, V]) Get(ctx context.Context, question Q) (value V, found bool, err error) {
	lookups, err := b.join(ctx, question)
	if err != nil {
		return value, false, err
	}
	return b.wait(ctx, lookups[0])
}

// GetAll returns the answers to several questions by key. They are sent together, in one request if they fit. A question without an answer
// has no entry.
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

// wait returns the result of a lookup. It repeats a lookup that failed only because the time of its earlier callers was up.
func (b *Batch[Q, V]) wait(ctx context.Context, l *lookup[Q, V]) (value V, found bool, err error) {
	for {
		if err := b.await(ctx, l); err != nil {
			return value, false, err
		}
		// A caller whose own time is up does not repeat it, even if its context has not ended yet.
		if !l.retry || !errors.Is(l.err, context.DeadlineExceeded) || ctx.Err() != nil || timeLeft(ctx) <= 0 {
			return l.value, l.found, l.err
		}
		joined, err := b.join(ctx, l.question)
		if err != nil {
			return value, false, err
		}
		l = joined[0]
	}
}

// await waits until a lookup is done. It returns an error if the context of the caller ends before.
func (b *Batch[Q, V]) await(ctx context.Context, l *lookup[Q, V]) error {
	l.blocked.Add(1)
	defer l.blocked.Add(-1)
	select {
	case <-l.done:
		return nil
	case <-ctx.Done():
		return b.leave(l, ctx.Err())
	}
}

// queue returns the queue in which the requests wait.
func (b *Batch[Q, V]) queue() *pace {
	if b.Client == nil {
		return &pace{} // without an interval no request waits
	}
	return b.Client.pace
}

// join adds questions as one unit: none is sent without the others. If the wait is too long for the caller, the error is RATE_LIMITED. A
// call that was cancelled asks nothing.
func (b *Batch[Q, V]) join(ctx context.Context, questions ...Q) ([]*lookup[Q, V], error) {
	if err := ctx.Err(); errors.Is(err, context.Canceled) {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	joined, added := b.find(ctx, questions)
	fresh := b.enqueue(ctx, len(b.waiting)+len(added))
	waiting, pending := append(b.waiting, added...), append(b.pending, fresh...)
	last := lastIndex(waiting, joined) // that the caller waits for
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
			l.retry = l.sent
		}
	}
	for _, s := range fresh {
		go b.serve(s)
	}
	return joined, nil
}

// find returns the lookups of the questions, and those among them that are new. The caller holds the lock.
func (b *Batch[Q, V]) find(ctx context.Context, questions []Q) (joined, added []*lookup[Q, V]) {
	if b.lookups == nil {
		b.lookups = map[string]*lookup[Q, V]{}
	}
	deadline, _ := ctx.Deadline()
	fresh := map[string]*lookup[Q, V]{} // by key
	for _, q := range questions {
		key := b.Key(q)
		l := cmp.Or(fresh[key], b.lookups[key])
		if l == nil {
			l = &lookup[Q, V]{question: q, key: key, deadline: deadline, done: make(chan struct{})}
			fresh[key], added = l, append(added, l)
		}
		joined = append(joined, l)
	}
	return joined, added
}

// lastIndex returns the index of the last item that is also in another list, or -1.
func lastIndex[T comparable](items, others []T) int {
	known := map[T]bool{}
	for _, o := range others {
		known[o] = true
	}
	for i, item := range slices.Backward(items) {
		if known[item] {
			return i
		}
	}
	return -1
}

// enqueue adds requests to the queue until they suffice for the given number of lookups, and returns the new ones. The caller holds the
// lock.
func (b *Batch[Q, V]) enqueue(ctx context.Context, lookups int) (fresh []*pendingRequest) {
	for len(b.pending)+len(fresh) < b.requests(lookups) {
		s := &pendingRequest{}
		s.ctx, s.cancel = context.WithCancel(context.WithoutCancel(ctx))
		s.place = b.queue().enqueue(b.Host, func() int { return b.blocked(s) })
		fresh = append(fresh, s)
	}
	return fresh
}

// requests returns the number of requests that the given number of lookups needs.
func (b *Batch[Q, V]) requests(lookups int) int { return (lookups + b.Max - 1) / b.Max }

// lookupsOf returns the lookups that a request would carry now; none if it is no longer needed. The caller holds the lock.
func (b *Batch[Q, V]) lookupsOf(s *pendingRequest) []*lookup[Q, V] {
	i := slices.Index(b.pending, s)
	if i < 0 {
		return nil
	}
	return b.waiting[i*b.Max : min((i+1)*b.Max, len(b.waiting))]
}

// blocked returns the number of callers that wait for the turn of a request.
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

// leave removes a caller that stops waiting, and returns its error. A key without callers is not requested. A request without callers is
// cancelled with the error of its last caller, so that a timeout differs from a cancelled call.
func (b *Batch[Q, V]) leave(l *lookup[Q, V], why error) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.Index(b.waiting, l)
	if queue := b.queue(); i >= 0 && errors.Is(why, context.DeadlineExceeded) && queue.Interval > 0 {
		why = queue.rateLimited(queue.waitOfNext(), why)
	}
	why = l.late(why)
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

// late returns the error of a lookup, which does not blame a source that has answered.
func (l *lookup[Q, V]) late(err error) error {
	if l.answered != nil && l.answered.Load() {
		return working(err)
	}
	return err
}

// remove removes a lookup from those that wait, and abandons the requests that are no longer needed. The caller holds the lock.
func (b *Batch[Q, V]) remove(l *lookup[Q, V]) {
	i := slices.Index(b.waiting, l)
	b.waiting = slices.Delete(b.waiting, i, i+1)
	for n := len(b.pending); n > b.requests(len(b.waiting)); n-- {
		b.pending[n-1].abandon()
		b.pending[n-1].cancel()
		b.pending = b.pending[:n-1]
	}
}

// serve waits for the turn of a request and sends it. Lookups that join before the turn are part of the request.
func (b *Batch[Q, V]) serve(s *pendingRequest) {
	defer s.cancel()
	defer s.dequeue()
	for s.ctx.Err() == nil {
		wait, ok := s.takeTurn(s.ctx, func() time.Duration { return b.shortestTime(s) })
		if ok {
			b.send(s)
			return
		}
		if s.ctx.Err() == nil {
			b.refuse(s, wait)
		}
	}
}

// shortestTime returns the time that is left to the most urgent lookup of a request.
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

// refuse fails the lookups of a request that have no time for the wait.
func (b *Batch[Q, V]) refuse(s *pendingRequest, wait time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	queue := b.queue()
	retry := s.waitOfRetry(wait)
	for _, l := range slices.Clone(b.lookupsOf(s)) {
		if wait+queue.Latency >= l.timeLeft() {
			b.remove(l)
			b.answer(l, queue.rateLimited(retry, nil))
		}
	}
}
