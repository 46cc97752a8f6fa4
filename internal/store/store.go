// Package store keeps the data that outlives one call: answers of the sources, and the pace of requests. All processes of the user on a
// machine share both through one SQLite file, and all replicas through Redis. Without either, both are kept in memory, and no call fails
// for it.
//
// The package knows no source: the caller chooses keys, values and hosts.
package store

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// Entry is a stored answer.
type Entry struct {
	// Value is the answer in the caller's encoding.
	Value []byte
	// Fetched is when the source made the answer, by the source's clock.
	Fetched time.Time
	// Stored is when it was stored, by this machine's clock.
	Stored time.Time
}

// A backend stores entries and paces: the file, Redis, or memory.
type backend interface {
	get(ctx context.Context, key string) (Entry, bool, error)
	put(ctx context.Context, key string, e Entry) error
	// begin claims the start of a request. If a start was claimed less than an interval ago, it claims none and returns the time to wait.
	begin(ctx context.Context, host string, now time.Time, interval time.Duration) (wait time.Duration, err error)
	// spend counts one request to a host on the day of now, in UTC, if less than most were counted. It returns the number of requests of
	// the day, which is above most if this one was not counted.
	spend(ctx context.Context, host string, now time.Time, most int) (used int, err error)
	info(ctx context.Context) (Info, error)
	close() error
}

// Info has statistics about the stored entries.
type Info struct {
	Path    string // of the file; empty: no file
	Redis   string // its address, without user and password; empty: no Redis
	Partial bool   // too many entries to count: the numbers cover only a part
	Entries int
	Bytes   int64
	Oldest  time.Time
	Newest  time.Time
}

// Options configure where and how much is stored.
type Options struct {
	// Path of the file; empty: memory only.
	Path string
	// PaceShare limits this process to a fraction of the request rate when it has neither file nor Redis: other processes may run without
	// them, too.
	PaceShare bool
	// MaxBytes limits the size of the file or of the memory; the oldest entries are removed first. Redis is limited by its own
	// configuration.
	MaxBytes int64
	// RedisURL is the URL of the server that all replicas share; CheckRedisURL must accept it. With it the file is not used. Empty: no
	// Redis.
	RedisURL string
	// Replicas is the number of replicas that share Redis. Each uses its fraction of the request rate while Redis cannot be used. Less than
	// one counts as one.
	Replicas int
	// Log gets one warning for each loss of the file or of Redis, and one line for each return.
	Log *slog.Logger
}

// A Store keeps entries and the pace. It is safe for concurrent use. No method fails: if the file or Redis cannot be used, memory replaces
// it, with one warning, until it can be used again. No method waits for Redis longer than about a second.
type Store struct {
	o Options

	life       context.Context // until Close
	end        context.CancelFunc
	recoveries sync.WaitGroup // attempts to return to the file or to Redis: one at a time

	mu         sync.Mutex
	current    backend       // nil before the first use: the start of the program does not wait for opening
	lost       error         // why the backend of the options is not in use
	recovering bool          // an attempt is running
	next       time.Time     // of the next attempt
	delay      time.Duration // between two attempts
	recovered  time.Time     // the newest attempt that succeeded
}

// New returns a store. The first use opens the file, and creates it if it does not exist, or connects to Redis.
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

// Health returns the backend in use: "redis", "file" or "memory". If that is not the backend of the options, or only a part of it works,
// the error says why, for an operator; it shows neither user nor password. Health sends a request to Redis, and starts an attempt to return
// in a process without other calls. That takes about a second at most, even if ctx ends.
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

// Degraded reports whether memory replaces the file or Redis, completely or for entries only. It returns the last known state.
func (s *Store) Degraded() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lost != nil
}

// Get returns the entry of a key.
func (s *Store) Get(ctx context.Context, key string) (Entry, bool) {
	b := s.backend()
	// It takes microseconds; watching the caller's context would double them.
	e, ok, err := b.get(context.WithoutCancel(ctx), key)
	if err != nil {
		s.degrade(b, err)
		return Entry{}, false
	}
	return e, ok
}

// Put stores an entry under a key.
func (s *Store) Put(ctx context.Context, key string, e Entry) {
	// The entry is worth storing even if its caller has gone.
	ctx = context.WithoutCancel(ctx)
	b := s.backend()
	if err := b.put(ctx, key, e); err != nil {
		_ = s.degradeEntries(ctx, b, err).put(ctx, key, e) // memory does not fail
	}
}

// Start claims the start of a request and returns its time, which is now. If less than an interval has passed since the newest start, it
// returns how long to wait before another try.
func (s *Store) Start(ctx context.Context, host string, interval time.Duration) (start time.Time, wait time.Duration) {
	ctx = context.WithoutCancel(ctx)
	b := s.backend()
	now := time.Now()
	wait, err := b.begin(ctx, host, now, interval)
	if err != nil {
		now = time.Now()
		wait, _ = s.degrade(b, err).begin(ctx, host, now, interval)
	}
	return now, wait
}

// Spend counts one request to a host on this day, in UTC, of at most most. It returns how many are left; negative: the request is one too
// many, and is not counted.
func (s *Store) Spend(ctx context.Context, host string, most int) (left int) {
	ctx = context.WithoutCancel(ctx)
	b := s.backend()
	used, err := b.spend(ctx, host, time.Now(), most)
	if err != nil {
		used, _ = s.degrade(b, err).spend(ctx, host, time.Now(), most)
	}
	return most - used
}

// Info returns statistics about the stored entries.
func (s *Store) Info(ctx context.Context) (Info, error) { return s.backend().info(ctx) }

// Close closes the file, or the connections to Redis, and ends an attempt to return to them.
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
