package upstream

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// send sends the request. It ends when it is answered, when the time of the caller with the most time is up, or when no caller waits.
func (b *Batch[Q, V]) send(s *pendingRequest) {
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(s.ctx))
	defer cancel(nil)
	ctx = context.WithValue(ctx, answeredKey{}, &s.answered)
	lookups, deadline := b.claim(s, cancel)
	if len(lookups) == 0 {
		return
	}
	if !deadline.IsZero() {
		var end context.CancelFunc
		ctx, end = context.WithDeadline(ctx, deadline)
		defer end()
	}
	if b.Client != nil {
		unused := new(atomic.Bool)
		unused.Store(true)
		ctx = context.WithValue(ctx, turnKey{}, unused)
	}
	ctx = context.WithValue(ctx, callersKey{}, func() int { return blocked(lookups) })
	b.fetch(ctx, lookups, maxHalvings)
}

// maxHalvings limits how often a request whose answer is too large is split into two requests with half of the questions.
const maxHalvings = 3

// fetch requests lookups in one request and answers them. If the answer is too large, it requests each half separately, so that a huge
// record fails few other lookups.
func (b *Batch[Q, V]) fetch(ctx context.Context, lookups []*lookup[Q, V], halvings int) {
	questions := make([]Q, len(lookups))
	for i, l := range lookups {
		questions[i] = l.question
	}
	if b.Observe != nil {
		b.Observe(len(questions))
	}
	found, err := b.Fetch(ctx, questions)
	if half := len(lookups) / 2; half > 0 && halvings > 0 && errors.Is(err, entity.ErrTooLarge) {
		b.fetch(ctx, lookups[:half], halvings-1)
		b.fetch(ctx, lookups[half:], halvings-1)
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, l := range lookups {
		l.value, l.found = found[l.key]
		b.answer(l, err)
	}
}

// claim removes the lookups of a request from those that wait. It returns them with the deadline of the caller with the most time.
// onAbandoned is called when no caller needs any of them.
func (b *Batch[Q, V]) claim(s *pendingRequest, onAbandoned func(why error)) (lookups []*lookup[Q, V], deadline time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.Index(b.pending, s)
	if i < 0 {
		return nil, time.Time{}
	}
	lookups = slices.Clone(b.lookupsOf(s))
	b.waiting = slices.Delete(b.waiting, i*b.Max, i*b.Max+len(lookups))
	b.pending = slices.Delete(b.pending, i, i+1)
	active, bounded := len(lookups), true
	for _, l := range lookups {
		l.sent, l.answered = true, &s.answered
		l.abandon = func(why error) { // the lock is held
			if active--; active == 0 {
				onAbandoned(why)
			}
		}
		bounded = bounded && !l.deadline.IsZero()
		if l.deadline.After(deadline) {
			deadline = l.deadline
		}
	}
	if !bounded {
		deadline = time.Time{}
	}
	return lookups, deadline
}

// answer ends a lookup. The caller holds the lock.
func (b *Batch[Q, V]) answer(l *lookup[Q, V], err error) {
	l.err = l.late(err)
	if b.lookups[l.key] == l {
		delete(b.lookups, l.key)
	}
	if l.abandon != nil { // other lookups of the request may still be open
		l.abandon(nil)
		l.abandon = nil
	}
	close(l.done)
}
