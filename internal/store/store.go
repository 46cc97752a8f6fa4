// Package store keeps what outlives one call: answers of the upstreams, and the
// pace at which they are asked. Both are shared by all of the user's processes
// on a machine through one SQLite file, or by all replicas of a fleet through
// Redis; without either they are kept in memory, and nothing fails for it.
//
// The package knows no source: keys, values and hosts are the caller's.
package store

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"os"
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
	// reserve takes the next turn towards a host, unless it is more than limit
	// away.
	reserve(ctx context.Context, host string, now time.Time, interval, limit time.Duration) (turn time.Time, taken bool, err error)
	// begin claims the start of a request, unless one other than mine was claimed
	// less than an interval ago: then it returns how long to wait.
	begin(ctx context.Context, host string, now, mine time.Time, interval time.Duration) (wait time.Duration, err error)
	// release gives a turn back that was not used, if it was the last one taken.
	release(ctx context.Context, host string, turn time.Time, interval time.Duration) error
	info(ctx context.Context) (Info, error)
	close() error
}

// Info tells what is stored.
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
	// MaxBytes bounds what is stored, in the file or in memory; the oldest goes
	// first. What Redis holds is bounded by its own configuration.
	MaxBytes int64
	// RedisURL of the server that all replicas share, for which CheckRedisURL has
	// no error; empty: none. With it the file is not used.
	RedisURL string
	// Replicas are those who share Redis. Each keeps its share of the pace while
	// Redis cannot be used. Less than one counts as one.
	Replicas int
	// Log gets one warning where the file cannot be used, and one for each time
	// that Redis is lost.
	Log *slog.Logger
}

// Store is the shared memory of Biofact. It is safe for concurrent use. No
// method fails: a file that breaks is given up for memory, with one warning, and
// so is Redis, until it answers again. No method waits for Redis for longer than
// about a second.
type Store struct {
	o Options

	life  context.Context // until Close
	end   context.CancelFunc
	tries sync.WaitGroup // to return to Redis: one at a time

	mu      sync.Mutex
	current backend   // nil before the first use: a start does not pay for the opening
	lost    error     // why it is not the one that the options ask for
	trying  bool      // to return to Redis
	next    time.Time // when to try again
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
	s.tryAgain()
	return s.current
}

// open returns the backend that the options ask for, or what replaces it.
func (s *Store) open() backend {
	var b backend
	var err error
	switch {
	case s.o.RedisURL != "":
		b, err = openFleet(s.life, s.o.RedisURL)
	case s.o.Path != "":
		b, err = openFile(s.o.Path, s.o.MaxBytes)
	default:
		return newMemory(s.o.MaxBytes)
	}
	if err != nil {
		return s.without(err)
	}
	return b
}

// giveUp replaces a backend that broke by memory.
func (s *Store) giveUp(broken backend, err error) backend {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == broken {
		s.current = s.without(err)
		_ = broken.close() // it is broken already
	}
	return s.current
}

// without returns what is used instead of the file or of Redis, and says why.
func (s *Store) without(err error) backend {
	s.lost = err
	if s.o.RedisURL == "" {
		s.o.Log.Warn("the cache file cannot be used; answers and pace are kept in memory, for this process alone",
			"path", s.o.Path, "cause", err, "remedy", "biofact cache clear, or set BIOFACT_CACHE_DIR")
		return newMemory(s.o.MaxBytes)
	}
	if s.life.Err() == nil { // what comes after Close is worth no warning
		s.o.Log.Warn("Redis cannot be used; until it can, answers are kept in memory, and the pace is this replica's share",
			"redis", shownAddress(s.o.RedisURL), "replicas", s.o.Replicas, "cause", err)
	}
	s.next = time.Now().Add(again)
	return newAlone(s.o.MaxBytes, s.o.Replicas)
}

// again is the time between two attempts to return to Redis.
const again = time.Second

// tryAgain lets a replica that has lost Redis try to return to it. No caller
// waits for that.
func (s *Store) tryAgain() {
	left, ok := s.current.(*alone)
	if !ok || s.trying || s.life.Err() != nil || time.Now().Before(s.next) {
		return
	}
	s.trying = true
	s.tries.Go(func() {
		f, err := s.reconnect(left)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.trying = false
		s.next = time.Now().Add(again)
		if err != nil {
			s.lost = err
			return
		}
		s.current, s.lost = f, nil
		s.o.Log.Info("Redis can be used again; answers and pace are shared", "redis", f.address)
	})
}

// reconnect connects to Redis, and tells the others what was started without it.
func (s *Store) reconnect(left *alone) (*fleet, error) {
	f, err := openFleet(s.life, s.o.RedisURL)
	if err != nil {
		return nil, err
	}
	for host, start := range left.starts() {
		if err := f.report(s.life, host, start); err != nil {
			return nil, errors.Join(err, f.close())
		}
	}
	return f, nil
}

// Health tells what is in use: "redis", "file" or "memory". The error is not nil
// where that is not what the options ask for, and says why, for an operator; it
// shows neither user nor password. Redis is asked for it, and is so found again
// by a replica that nobody calls; that takes about a second at most, whatever
// becomes of ctx.
func (s *Store) Health(ctx context.Context) (kind string, err error) {
	b := s.backend()
	if f, ok := b.(*fleet); ok {
		if err := f.ready(context.WithoutCancel(ctx)); err != nil {
			s.giveUp(b, err)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch s.current.(type) {
	case *fleet:
		return "redis", nil
	case *file:
		return "file", nil
	default:
		return "memory", s.lost
	}
}

// Degraded tells, from what is known, whether what is in use is not what the
// options ask for.
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
		s.giveUp(b, err)
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
		_ = s.giveUp(b, err).put(ctx, key, e) // memory does not fail
	}
}

// Reserve takes the next turn towards a host, of which there is one an
// interval, and returns when it is. A turn that is more than limit away is not
// taken.
func (s *Store) Reserve(ctx context.Context, host string, interval, limit time.Duration) (turn time.Time, taken bool) {
	ctx = context.WithoutCancel(ctx) // it takes microseconds, and a half-taken turn helps nobody
	b := s.backend()
	now := time.Now()
	turn, taken, err := b.reserve(ctx, host, now, interval, limit)
	if err != nil {
		// The pace holds whatever happens to the file or to Redis.
		turn, taken, _ = s.giveUp(b, err).reserve(ctx, host, time.Now(), interval, limit)
	}
	return turn, taken
}

// Start claims the start of a request at the turn that Reserve gave, and
// returns when that is: now. Where an interval has not passed since the newest
// start, it returns how long to wait and try again. A request that claimed a
// start before and has not left gives it as mine, zero for none: it moves to
// now if it is the newest.
func (s *Store) Start(ctx context.Context, host string, mine time.Time, interval time.Duration) (start time.Time, wait time.Duration) {
	ctx = context.WithoutCancel(ctx)
	b := s.backend()
	now := time.Now()
	wait, err := b.begin(ctx, host, now, mine, interval)
	if err != nil {
		now = time.Now()
		wait, _ = s.giveUp(b, err).begin(ctx, host, now, mine, interval)
	}
	return now, wait
}

// Release gives back a turn that Reserve gave and nobody used.
func (s *Store) Release(ctx context.Context, host string, turn time.Time, interval time.Duration) {
	b := s.backend()
	if err := b.release(context.WithoutCancel(ctx), host, turn, interval); err != nil {
		s.giveUp(b, err)
	}
}

// Info tells what is stored.
func (s *Store) Info(ctx context.Context) (Info, error) { return s.backend().info(ctx) }

// Close closes the file, or the connections to Redis, and ends what tries to
// make them.
func (s *Store) Close() error {
	s.mu.Lock()
	s.end()
	s.mu.Unlock()
	s.tries.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == nil {
		return nil
	}
	return s.current.close()
}

// Inspect tells what a file holds. Unlike a Store it does not make do with
// memory: a file that cannot be used is an error.
func Inspect(ctx context.Context, path string) (Info, error) {
	f, err := openFile(path, math.MaxInt64)
	if err != nil {
		return Info{}, err
	}
	info, err := f.info(ctx)
	return info, errors.Join(err, f.close())
}

// Clear removes all answers from a file. The pace stays. A file that cannot be
// used is removed.
func Clear(ctx context.Context, path string) error {
	f, err := openFile(path, math.MaxInt64)
	if err == nil {
		if err = errors.Join(f.clear(ctx), f.close()); err == nil {
			return nil
		}
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// InspectRedis tells what Redis holds. The errors show no password.
func InspectRedis(ctx context.Context, address string) (Info, error) {
	f, err := openFleet(ctx, address)
	if err != nil {
		return Info{}, err
	}
	info, err := f.info(ctx)
	return info, errors.Join(err, f.close())
}

// ClearRedis removes all answers from Redis, and nothing else. The pace stays.
// The errors show no password.
func ClearRedis(ctx context.Context, address string) error {
	f, err := openFleet(ctx, address)
	if err != nil {
		return err
	}
	return errors.Join(f.clear(ctx), f.close())
}
