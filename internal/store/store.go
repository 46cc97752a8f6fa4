// Package store keeps what outlives one call: answers of the upstreams, and the
// pace at which they are asked. Both are shared by all of the user's processes
// on a machine through one SQLite file; without a usable file they are kept in
// memory, and nothing fails for it.
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

// A backend keeps entries and paces: the file, or memory.
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
	Path    string // of the file; empty: memory
	Entries int
	Bytes   int64
	Oldest  time.Time
	Newest  time.Time
}

// Options say where and how much is stored.
type Options struct {
	// Path of the file; empty: memory only.
	Path string
	// MaxBytes bounds what is stored; the oldest goes first.
	MaxBytes int64
	// Log gets one warning where the file cannot be used.
	Log *slog.Logger
}

// Store is the shared memory of Biofact. It is safe for concurrent use. No
// method fails: a file that breaks is given up for memory, with one warning.
type Store struct {
	o    Options
	open func() backend // opens the file at the first use: a start does not pay for it

	mu      sync.Mutex
	current backend
}

// New returns a store. The file is opened, and made where it is missing, at the
// first use.
func New(o Options) *Store {
	s := &Store{o: o}
	s.open = sync.OnceValue(func() backend {
		if o.Path == "" {
			return newMemory(o.MaxBytes)
		}
		f, err := openFile(o.Path, o.MaxBytes)
		if err != nil {
			s.warn(err)
			return newMemory(o.MaxBytes)
		}
		return f
	})
	return s
}

func (s *Store) warn(err error) {
	s.o.Log.Warn("the cache file cannot be used; answers and pace are kept in memory, for this process alone",
		"path", s.o.Path, "cause", err, "remedy", "biofact cache clear, or set BIOFACT_CACHE_DIR")
}

func (s *Store) backend() backend {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == nil {
		s.current = s.open()
	}
	return s.current
}

// giveUp replaces a backend that broke by memory.
func (s *Store) giveUp(broken backend, err error) backend {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == broken {
		s.warn(err)
		s.current = newMemory(s.o.MaxBytes)
		_ = broken.close() // it is broken already
	}
	return s.current
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
		// The pace holds whatever happens to the file.
		turn, taken, _ = s.giveUp(b, err).reserve(ctx, host, now, interval, limit)
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

// Close closes the file.
func (s *Store) Close() error {
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
