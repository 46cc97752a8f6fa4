// Package store keeps what outlives one call: answers of the upstreams, and the
// pace at which they are asked. Both are shared by all of the user's processes
// on a machine through one SQLite file, or by all replicas through Redis; without
// either they are kept in memory, and nothing fails for it.
//
// The package knows no source: keys, values and hosts are the caller's.
package store

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// Entry is a stored answer.
type Entry struct {
	// Value is the answer as the caller wrote it.
	Value []byte
	// Fetched is when the source gave it, by the source's own clock.
	Fetched time.Time
	// Stored is when it was put here, by this machine's clock.
	Stored time.Time
}

// A backend keeps entries and paces: the file, Redis, or memory.
type backend interface {
	get(ctx context.Context, key string) (Entry, bool, error)
	put(ctx context.Context, key string, e Entry) error
	// begin claims the start of a request, unless one other than mine was claimed
	// less than an interval ago: then it returns how long to wait.
	begin(ctx context.Context, host string, now, mine time.Time, interval time.Duration) (wait time.Duration, err error)
	info(ctx context.Context) (Info, error)
	close() error
}

// Info is what is stored.
type Info struct {
	Path    string // of the file; empty: there is none
	Redis   string // its address, without user and password; empty: there is none
	Partial bool   // there is too much to count: the rest is of a part
	Entries int
	Bytes   int64
	Oldest  time.Time
	Newest  time.Time
}

// Options say where and how much is stored.
type Options struct {
	// Path of the file; empty: memory only.
	Path string
	// PaceShare asks for a share of the pace without a file and without Redis:
	// other processes may run without them, too.
	PaceShare bool
	// MaxBytes bounds what is stored, in the file or in memory; the oldest goes
	// first. What Redis holds is bounded by its own configuration.
	MaxBytes int64
	// RedisURL of the server that all replicas share, for which CheckRedisURL has
	// no error; empty: none. With it the file is not used.
	RedisURL string
	// Replicas is the number of those who share Redis. Each keeps its share of the
	// pace while Redis cannot be used. Less than one counts as one.
	Replicas int
	// Log gets one warning for each loss of the file or of Redis, and one line for
	// each return.
	Log *slog.Logger
}

// Store is the shared memory of Biofact. It is safe for concurrent use. No
// method fails: memory replaces a file or a Redis that cannot be used, with one
// warning, until it can be used again. No method waits for Redis for longer than
// about a second.
type Store struct {
	o Options

	life       context.Context // until Close
	end        context.CancelFunc
	recoveries sync.WaitGroup // attempts to return to the file or to Redis: one at a time

	mu         sync.Mutex
	current    backend       // nil before the first use: a start does not pay for the opening
	lost       error         // why it is not the one that the options ask for
	recovering bool          // an attempt is under way
	next       time.Time     // of the next attempt
	delay      time.Duration // between two attempts
	recovered  time.Time     // the newest attempt that succeeded
}

// New returns a store. The file is opened, and made where it is missing, or
// Redis connected to, at the first use.
func New(o Options) *Store {
	s := &Store{o: o}
	s.life, s.end = context.WithCancel(context.Background())
	return s
}

func (s *Store) backend() backend {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == nil {
		s.current = s.open()
	}
	s.startRecovery()
	return s.current
}

// Health returns what is in use: "redis", "file" or "memory". The error is not
// nil where that is not, or not in full, what the options ask for, and says why,
// for an operator; it shows neither user nor password. It asks Redis, and starts
// the return to the file or to Redis in a process that nobody calls; that takes
// about a second at most, whatever becomes of ctx.
func (s *Store) Health(ctx context.Context) (kind string, err error) {
	b := s.backend()
	if r, ok := b.(*redisServer); ok {
		if err := r.ready(context.WithoutCancel(ctx)); err != nil {
			s.degrade(b, err)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch s.current.(type) {
	case *redisServer:
		return "redis", nil
	case *file, *paceFile:
		return "file", s.lost
	default:
		return "memory", s.lost
	}
}

// Degraded reports, from what is known, whether memory replaces the file or
// Redis, in full or for entries alone.
func (s *Store) Degraded() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lost != nil
}

// Get returns the entry of a key.
func (s *Store) Get(ctx context.Context, key string) (Entry, bool) {
	b := s.backend()
	// It takes microseconds; to watch the caller's context would double them.
	e, ok, err := b.get(context.WithoutCancel(ctx), key)
	if err != nil {
		s.degrade(b, err)
		return Entry{}, false
	}
	return e, ok
}

// Put stores an entry under a key.
func (s *Store) Put(ctx context.Context, key string, e Entry) {
	// What was fetched is worth keeping although its caller has gone.
	ctx = context.WithoutCancel(ctx)
	b := s.backend()
	if err := b.put(ctx, key, e); err != nil {
		_ = s.degradeEntries(ctx, b, err).put(ctx, key, e) // memory does not fail
	}
}

// Start claims the start of a request, and returns when that is: now. Where an
// interval has not passed since the newest start, it returns how long to wait and
// try again. A request that claimed a start before and has not left gives it as
// mine, zero for none: it moves to now if it is the newest.
func (s *Store) Start(ctx context.Context, host string, mine time.Time, interval time.Duration) (start time.Time, wait time.Duration) {
	ctx = context.WithoutCancel(ctx)
	b := s.backend()
	now := time.Now()
	wait, err := b.begin(ctx, host, now, mine, interval)
	if err != nil {
		now = time.Now()
		wait, _ = s.degrade(b, err).begin(ctx, host, now, mine, interval)
	}
	return now, wait
}

// Info returns what is stored.
func (s *Store) Info(ctx context.Context) (Info, error) { return s.backend().info(ctx) }

// Close closes the file, or the connections to Redis, and ends an attempt to
// return to them.
func (s *Store) Close() error {
	s.mu.Lock()
	s.end()
	s.mu.Unlock()
	s.recoveries.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == nil {
		return nil
	}
	return s.current.close()
}
