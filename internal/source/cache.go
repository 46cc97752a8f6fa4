package source

import (
	"bytes"
	"context"
	"encoding"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/store"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// A Keeper has the settings that the caches of one source share.
type Keeper struct {
	// Name and Title are those of the source.
	Name, Title string
	// Prefix of the keys in the store: the format of the values, the base URL, and the database if the source has several.
	Prefix string
	// Store stores the answers; nil: no answer is stored.
	Store *store.Store
	// Observe receives metrics about the cache and the batches.
	Observe Observer

	client *upstream.Client // requests wait in its queue
	host   string           // of the base URL
}

// An Observer receives metrics about the cache and the batches. source is the name of a source, and kind the kind of question, such as
// trial or gene_search. Both have few values, which do not depend on the arguments of callers. A nil function is not called. The functions
// are called concurrently and must not block.
type Observer struct {
	// Batch receives the number of questions of each request.
	Batch func(source, kind string, questions int)
	// Cache receives the outcome of lookups: hit, miss, stale or mirror. It is not called for cancelled calls. Without a store it is called
	// for mirror only.
	Cache func(source, kind, use string, questions int)
}

// Key returns the key of a question of a kind in the store.
func (k *Keeper) Key(kind, question string) string { return k.Prefix + " " + kind + " " + question }

// Get returns the entry of a question of a kind. A call that was cancelled gets none.
func (k *Keeper) Get(ctx context.Context, kind, question string) (store.Entry, bool) {
	if k.Store == nil || errors.Is(ctx.Err(), context.Canceled) {
		return store.Entry{}, false
	}
	return k.Store.Get(ctx, k.Key(kind, question))
}

// Put stores the answer to a question of a kind. fetched is when the source answered, by its own clock.
func (k *Keeper) Put(ctx context.Context, kind, question string, value []byte, fetched time.Time) {
	if k.Store != nil {
		k.Store.Put(ctx, k.Key(kind, question), store.Entry{Value: value, Fetched: fetched, Stored: time.Now()})
	}
}

func (k *Keeper) observe(kind string, use entity.CacheUse, questions int) {
	if k.Store != nil && k.Observe.Cache != nil && questions > 0 {
		k.Observe.Cache(k.Name, kind, string(use), questions)
	}
}

// A Kind configures how questions of one kind are sent and how their answers are cached.
type Kind[Q, T any] struct {
	// Name of the kind, in keys and metrics.
	Name string
	// Max is the largest number of questions in one request.
	Max int
	// Key returns the key that identifies a question.
	Key func(Q) string
	// Current reports whether a stored answer equals the current answer of the source. It returns an error if the check needs a request
	// that fails.
	Current func(ctx context.Context, entry store.Entry, notes *entity.Notes) (bool, error)
	// Fetch sends several questions in one request.
	Fetch func(ctx context.Context, questions []Q) (Reply[T], error)
	// Local answers up to Max questions from a copy of the source on this machine, and adds a note about it. False: the source must be
	// queried. Nil: no such copy.
	Local func(ctx context.Context, questions []Q, notes *entity.Notes) (Reply[T], bool, error)
}

// A Reply has the answers of one request.
type Reply[T any] struct {
	// Answers by key of the question. A question without an entry has no answer: an id without a record. An entry that is nil could not be
	// read.
	Answers map[string]*T
	Retrieval
}

// A Cache answers questions of one kind: from the store if its entry is current, else from the source, with few requests. It is safe for
// concurrent use, and each caller gets its own values.
type Cache[Q, T any] struct {
	*Keeper
	kind  Kind[Q, T]
	batch upstream.Batch[Q, answer[T]]
}

// An answer is one answer of the source in its stored form; the text null means that the source has no answer. A value that is nil could
// not be read.
type answer[T any] struct {
	value []byte
	// fresh is the value before it was encoded. One caller takes it; the others decode values of their own.
	fresh    *atomic.Pointer[T]
	requests int
	fetched  time.Time
}

// absent is the stored value of a question without an answer.
var absent = []byte("null")

// NewCache returns the cache of one kind of questions.
func NewCache[Q, T any](keeper *Keeper, kind Kind[Q, T]) *Cache[Q, T] {
	c := &Cache[Q, T]{Keeper: keeper, kind: kind}
	c.batch.Max, c.batch.Key, c.batch.Client, c.batch.Host, c.batch.Fetch = kind.Max, kind.Key, keeper.client, keeper.host, c.fetch
	if keeper.Observe.Batch != nil {
		c.batch.Observe = func(questions int) { keeper.Observe.Batch(keeper.Name, kind.Name, questions) }
	}
	return c
}

// fetch sends several questions in one request, and stores the answers before the next lookup.
func (c *Cache[Q, T]) fetch(ctx context.Context, questions []Q) (map[string]answer[T], error) {
	reply, err := c.kind.Fetch(ctx, questions)
	if err != nil {
		return nil, err
	}
	answers := map[string]answer[T]{}
	seen := map[*T]bool{} // an alias has the value of its study
	for _, q := range questions {
		if err := upstream.Working(ctx); err != nil {
			return nil, err
		}
		key := c.kind.Key(q)
		value, answered := reply.Answers[key]
		a := answer[T]{requests: reply.Requests, fetched: reply.Fetched, fresh: &atomic.Pointer[T]{}}
		switch {
		case !answered:
			a.value = absent // stored as well, with the time of the request
			c.Put(ctx, c.kind.Name, key, absent, reply.Fetched)
		case value != nil:
			if a.value, err = encoded(value); err != nil {
				return nil, err
			}
			if !seen[value] {
				a.fresh.Store(value)
			}
			seen[value] = true
			c.Put(ctx, c.kind.Name, key, a.value, reply.Fetched)
		}
		answers[key] = a
	}
	return answers, nil
}

// Get returns the answer to one question; nil: no answer.
func (c *Cache[Q, T]) Get(ctx context.Context, question Q, notes *entity.Notes) (*T, error) {
	values, err := c.GetAll(ctx, []Q{question}, notes)
	return values[c.kind.Key(question)], err
}

// GetAll returns the answers to several questions by key; the questions share requests. A question without an answer has no entry. If the
// source does not answer, GetAll returns stored answers and a notice with their age. If some answers cannot be read, it returns the others
// and a PartialError.
func (c *Cache[Q, T]) GetAll(ctx context.Context, questions []Q, notes *entity.Notes) (map[string]*T, error) {
	if values, served, err := c.local(ctx, questions, notes); served || err != nil {
		return values, err
	}
	values := map[string]*T{}
	var old staleAnswers[T]
	var missing []Q
	for _, q := range questions {
		entry, known := c.lookup(ctx, q)
		if !known {
			missing = append(missing, q)
			continue
		}
		isCurrent, err := c.isCurrent(ctx, entry, notes)
		switch {
		case isCurrent:
			c.observe(c.kind.Name, entity.CacheHit, 1)
			notes.Used(entity.CacheHit, entry.entry.Fetched)
			if entry.value != nil {
				values[c.kind.Key(q)] = entry.value
			}
			continue
		case entry.value != nil: // an old record is better than an error
			old.add(c.kind.Key(q), entry)
			if err != nil && len(questions) == 1 {
				return c.stale(ctx, values, &old, notes, err)
			}
		case err != nil: // an old "no record" is not
			return nil, err
		}
		missing = append(missing, q)
	}
	if len(missing) == 0 {
		return values, nil
	}
	return c.fetchMissing(ctx, missing, values, &old, notes)
}

// local returns the answers of a copy on this machine, which are not stored. served is false if the copy does not answer.
func (c *Cache[Q, T]) local(ctx context.Context, questions []Q, notes *entity.Notes) (values map[string]*T, served bool, err error) {
	if c.kind.Local == nil || len(questions) == 0 {
		return nil, false, nil
	}
	values = map[string]*T{}
	var unread []string
	for some := range slices.Chunk(questions, c.kind.Max) {
		reply, served, err := c.kind.Local(ctx, some, notes)
		if err != nil || !served {
			return nil, false, err
		}
		for key, value := range reply.Answers {
			if value == nil {
				unread = append(unread, key)
				continue
			}
			values[key] = value
		}
	}
	if c.Observe.Cache != nil {
		c.Observe.Cache(c.Name, c.kind.Name, string(entity.CacheMirror), len(questions))
	}
	return values, true, c.partial(unread)
}

// fetchMissing adds the answers of the source to values. If the source fails, and all questions have old answers in the store, it uses
// these.
func (c *Cache[Q, T]) fetchMissing(
	ctx context.Context, questions []Q, values map[string]*T, old *staleAnswers[T], notes *entity.Notes,
) (map[string]*T, error) {
	answers, err := c.batch.GetAll(ctx, questions)
	var unread []string
	if err == nil {
		unread, err = c.decode(answers, values, notes)
	}
	if err == nil && len(unread) == len(questions) {
		err = c.partial(unread)
	}
	if err != nil {
		if _, partial := errors.AsType[*PartialError](err); !partial {
			err = upstream.Failure(c.Title, err)
		}
		if len(old.values) == len(questions) && !Refused(err) && !errors.Is(err, ErrOff) {
			return c.stale(ctx, values, old, notes, err)
		}
		if !errors.Is(ctx.Err(), context.Canceled) {
			c.observe(c.kind.Name, entity.CacheMiss, len(questions))
		}
		return nil, err
	}
	c.observe(c.kind.Name, entity.CacheMiss, len(questions))
	requests := 1
	for _, a := range answers {
		requests = max(requests, a.requests)
	}
	notes.Provenance.UpstreamRequests += requests * ((len(questions) + c.kind.Max - 1) / c.kind.Max)
	if c.Store != nil {
		notes.Used(entity.CacheMiss, time.Time{})
	}
	return values, c.partial(unread)
}

// partial returns the PartialError for the keys of answers that could not be read; nil: all could be.
func (c *Cache[Q, T]) partial(unread []string) error {
	if len(unread) == 0 {
		return nil
	}
	slices.Sort(unread)
	failure := c.Unreadable(errors.New("the record lacks a required field, or is another one"))
	return &PartialError{failure: failure, title: c.Title, keys: unread}
}

// decode adds answers to values, and returns the keys of those that could not be read. All callers of a request share its answers, so each
// call decodes its own values.
func (c *Cache[Q, T]) decode(answers map[string]answer[T], values map[string]*T, notes *entity.Notes) (unread []string, err error) {
	for key, a := range answers {
		if a.value == nil {
			unread = append(unread, key)
			continue
		}
		value := a.fresh.Swap(nil)
		if value == nil {
			var found bool
			if value, found, err = decoded[T](a.value); err != nil {
				return nil, err
			} else if !found {
				notes.Used("", a.fetched)
				continue
			}
		}
		values[key] = value
		notes.Used("", a.fetched)
	}
	return unread, nil
}

// A storedAnswer is an answer of the store. Its value is nil for a question without an answer.
type storedAnswer[T any] struct {
	entry store.Entry
	value *T
}

// lookup returns the stored answer to a question. An entry that cannot be read counts as missing.
func (c *Cache[Q, T]) lookup(ctx context.Context, question Q) (storedAnswer[T], bool) {
	entry, known := c.Keeper.Get(ctx, c.kind.Name, c.kind.Key(question))
	if !known {
		return storedAnswer[T]{}, false
	}
	value, _, err := decoded[T](entry.Value)
	return storedAnswer[T]{entry, value}, err == nil
}

func (c *Cache[Q, T]) isCurrent(ctx context.Context, stored storedAnswer[T], notes *entity.Notes) (bool, error) {
	if stored.value == nil {
		return Within(stored.entry.Stored, FreshFor), nil
	}
	return c.kind.Current(ctx, stored.entry, notes)
}

// staleAnswers are stored answers that may not be current.
type staleAnswers[T any] struct {
	values map[string]*T
	oldest store.Entry
}

func (o *staleAnswers[T]) add(key string, stored storedAnswer[T]) {
	if o.values == nil {
		o.values = map[string]*T{}
	}
	o.values[key] = stored.value
	if o.oldest.Stored.IsZero() || stored.entry.Stored.Before(o.oldest.Stored) {
		o.oldest = stored.entry
	}
}

// stale adds old answers to values, because the source does not answer, and a notice with their age. A cancelled call gets the cause.
func (c *Cache[Q, T]) stale(
	ctx context.Context, values map[string]*T, old *staleAnswers[T], notes *entity.Notes, cause error,
) (map[string]*T, error) {
	if errors.Is(ctx.Err(), context.Canceled) {
		return nil, cause
	}
	maps.Copy(values, old.values)
	c.observe(c.kind.Name, entity.CacheStale, len(old.values))
	notes.Used(entity.CacheStale, old.oldest.Fetched)
	notes.Add(fmt.Sprintf("%s cannot be queried at the moment. This answer was stored %s ago and may be out of date.", c.Title,
		age(time.Since(old.oldest.Stored))))
	return values, nil
}

// encoded returns the stored form of a value: JSON, unless its type chooses a form of its own by MarshalBinary.
func encoded(value any) ([]byte, error) {
	if v, ok := value.(encoding.BinaryMarshaler); ok {
		return v.MarshalBinary()
	}
	return entity.JSON(value)
}

// decoded decodes a stored value; false for a question without an answer.
func decoded[T any](text []byte) (value *T, found bool, err error) {
	if bytes.Equal(text, absent) {
		return nil, false, nil
	}
	value = new(T)
	if v, ok := any(value).(encoding.BinaryUnmarshaler); ok {
		err = v.UnmarshalBinary(text)
	} else {
		err = unmarshal(text, value)
	}
	if err != nil {
		return nil, false, err
	}
	if record, ok := any(value).(interface{ Valid() bool }); ok && !record.Valid() {
		return nil, false, errors.New("the stored value is not a valid record")
	}
	return value, true, nil
}
