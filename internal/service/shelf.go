package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/mapping"
	"github.com/biofact-mcp/biofact/internal/store"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// A shelf holds the kept answers of one source.
type shelf struct {
	source string       // as messages call it
	prefix string       // of its keys: the format of what is kept, and the base URL
	store  *store.Store // nil: nothing is kept
	// exact tells whether a kept answer may be taken for what the source would
	// answer now. The error is of a source that cannot tell.
	exact func(ctx context.Context, kind string, kept store.Entry, p *entity.Provenance) (bool, error)

	observe Observer
	name    string // as the observer knows the source
}

// told tells the observer what the store had to some questions.
func (s *shelf) told(kind string, use entity.CacheUse, questions int) {
	if s.store != nil && s.observe.Cache != nil && questions > 0 {
		s.observe.Cache(s.name, kind, string(use), questions)
	}
}

// batch joins questions of one kind that wait for their turn.
func (s *shelf) batch(most int, kind string, turn func(context.Context) (context.Context, error), ask fetch) *upstream.Batch[exchange] {
	b := &upstream.Batch[exchange]{Max: most, Turn: turn, Fetch: s.keeping(kind, ask)}
	if observe := s.observe.Batch; observe != nil {
		b.Observe = func(questions int) { observe(s.name, kind, questions) }
	}
	return b
}

// An exchange is the answer of a request, in the form in which it is kept.
type exchange struct {
	value    []byte
	requests int
	fetched  time.Time // by the upstream's clock
}

// absent is what is kept for a question without an answer: an id without a
// record.
var absent = []byte("null")

// knownFor is how long it counts as known what the version of the data is, and
// so that an answer is exact by itself, and that an id has no record.
const knownFor = 10 * time.Minute

func (s *shelf) key(kind, question string) string { return s.prefix + " " + kind + " " + question }

func (s *shelf) get(ctx context.Context, kind, question string) (store.Entry, bool) {
	if s.store == nil {
		return store.Entry{}, false
	}
	return s.store.Get(ctx, s.key(kind, question))
}

func (s *shelf) put(ctx context.Context, kind, question string, e exchange) {
	s.store.Put(ctx, s.key(kind, question), store.Entry{Value: e.value, Fetched: e.fetched, Stored: time.Now()})
}

// fetch asks for several questions in one request. A question that is not among
// the answers has none.
type fetch = func(ctx context.Context, questions []string) (map[string]exchange, error)

// keeping returns a fetch that keeps what it finds, and that there is nothing to
// be found, before anybody can ask again.
func (s *shelf) keeping(kind string, ask fetch) fetch {
	if s.store == nil {
		return ask
	}
	return func(ctx context.Context, questions []string) (map[string]exchange, error) {
		answers, err := ask(ctx, questions)
		if err != nil {
			return nil, err
		}
		for _, q := range questions {
			answer, found := answers[q]
			if !found {
				answer.value = absent
			}
			if answer.value != nil {
				s.put(ctx, kind, q, answer)
			}
		}
		return answers, nil
	}
}

// read reads one answer, from the shelf or by a batch, and says what the caller
// should know of its age. An id without a record has no answer, nil.
func read[T any](ctx context.Context, s *shelf, batch *upstream.Batch[exchange], kind, question string, p *entity.Provenance) (*T, []string, error) {
	values, notices, err := readAll[T](ctx, s, batch, kind, []string{question}, p)
	return values[question], notices, err
}

// readAll reads several answers, which share their requests. An id without a
// record is not among them.
func readAll[T any](ctx context.Context, s *shelf, batch *upstream.Batch[exchange], kind string, questions []string, p *entity.Provenance) (map[string]*T, []string, error) {
	values, old := map[string]*T{}, map[string]*T{}
	var left []string
	var oldest store.Entry
	for _, q := range questions {
		kept, known := s.get(ctx, kind, q)
		value, err := keptValue[T](kept.Value)
		if !known || err != nil { // what cannot be read is asked again
			left = append(left, q)
			continue
		}
		exact, err := s.exact(ctx, kind, kept, p)
		switch {
		case exact:
			p.Cache = worse(p.Cache, entity.CacheHit)
			s.told(kind, entity.CacheHit, 1)
			p.RetrievedAt = earlier(p.RetrievedAt, kept.Fetched)
			if value != nil {
				values[q] = value
			}
			continue
		case value == nil && err != nil:
			return nil, nil, err
		case value != nil:
			old[q] = value // a fact of known age is more than an error; that an id had no record is no such fact
			if oldest.Stored.IsZero() || kept.Stored.Before(oldest.Stored) {
				oldest = kept
			}
			if err != nil && len(questions) == 1 {
				return stale(ctx, s, kind, oldest, values, old, p, err)
			}
		}
		left = append(left, q)
	}
	if len(left) == 0 {
		return values, nil, nil
	}
	answers, err := batch.GetAll(ctx, left)
	if err == nil && slices.ContainsFunc(left, func(q string) bool { a, found := answers[q]; return found && a.value == nil }) {
		err = nonsense(s.source, mapping.ErrIncomplete)
	}
	if err != nil {
		err = upstream.Failure(s.source, err)
		if len(old) == len(left) && !wasRefused(err) {
			return stale(ctx, s, kind, oldest, values, old, p, err)
		}
		if !errors.Is(ctx.Err(), context.Canceled) {
			s.told(kind, entity.CacheMiss, len(left))
		}
		return nil, nil, err
	}
	s.told(kind, entity.CacheMiss, len(left))
	requests := 1
	for q, answer := range answers {
		requests = max(requests, answer.requests)
		p.RetrievedAt = earlier(p.RetrievedAt, answer.fetched)
		// All who asked share the answer: each decodes a value of its own, which it may change.
		if values[q], err = keptValue[T](answer.value); err != nil {
			return nil, nil, err
		}
	}
	p.UpstreamRequests += requests * ((len(left) + batch.Max - 1) / batch.Max)
	if s.store != nil {
		p.Cache = worse(p.Cache, entity.CacheMiss)
	}
	return values, nil, nil
}

// wasRefused tells that a source found the request itself wrong: it is there, and
// would say so again.
func wasRefused(err error) bool {
	_, byRegistry := errors.AsType[*refused](err)
	_, byNCBI := errors.AsType[*entrez.Refusal](err)
	return byRegistry || byNCBI
}

// worse tells what the store had to an answer of two parts: what is worse.
func worse(a, b entity.CacheUse) entity.CacheUse {
	order := []entity.CacheUse{"", entity.CacheHit, entity.CacheMiss, entity.CacheStale}
	if slices.Index(order, a) > slices.Index(order, b) {
		return a
	}
	return b
}

// earlier is when an answer of two parts was given: the time of the older one.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// keptValue reads what is kept; nil for absent.
func keptValue[T any](text []byte) (value *T, err error) {
	if err := json.Unmarshal(text, &value); err != nil {
		return nil, err
	}
	if record, ok := any(value).(interface{ whole() bool }); ok && value != nil && !record.whole() {
		return nil, errors.New("what is kept is no record")
	}
	return value, nil
}

// stale answers from the shelf although the upstream may know better.
func stale[T any](ctx context.Context, s *shelf, kind string, oldest store.Entry, values, old map[string]*T, p *entity.Provenance, cause error) (map[string]*T, []string, error) {
	if errors.Is(ctx.Err(), context.Canceled) {
		return nil, nil, cause
	}
	maps.Copy(values, old)
	s.told(kind, entity.CacheStale, len(old))
	p.Cache, p.RetrievedAt = entity.CacheStale, earlier(p.RetrievedAt, oldest.Fetched)
	notice := fmt.Sprintf("%s cannot be asked at the moment. This answer was stored %s ago and may be out of date.", s.source, age(time.Since(oldest.Stored)))
	return values, []string{notice}, nil
}

// age words a duration for a reader.
func age(d time.Duration) string {
	switch {
	case d < -clockSkew:
		return "an unknown time" // the clock was set back since
	case d < 2*time.Minute:
		return "a minute"
	case d < 2*time.Hour:
		return fmt.Sprintf("%d minutes", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d hours", int(d.Hours()))
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
}

// clockSkew is by how much the clocks of replicas may differ.
const clockSkew = 5 * time.Second

// within reports whether an entry that was stored then is younger than an age. One
// from the future is from a clock that was set back since: its age is unknown.
func within(stored time.Time, age time.Duration) bool {
	since := time.Since(stored)
	return since >= -clockSkew && since < age
}

// nonsense is the error of an answer that cannot be read.
func nonsense(source string, cause error) *entity.Error {
	return &entity.Error{
		Code:    entity.UpstreamError,
		Message: source + " answered something that cannot be read.",
		Hint:    "This is not an empty result. Make the same call again in a minute; the arguments need no change.",
		Cause:   cause,
	}
}
