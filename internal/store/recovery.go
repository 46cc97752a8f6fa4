package store

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// shared is a backend that several processes use: the file or Redis.
type shared interface {
	backend
	// report records a start that was made without this backend, for the other processes.
	report(ctx context.Context, host string, start time.Time) error
	// probe returns an error unless both entries and pace can be written.
	probe(ctx context.Context) error
}

// open returns the backend of the options, or its fallback.
func (s *Store) open() backend {
	switch {
	case s.o.RedisURL != "" || s.o.Path != "":
	case s.o.PaceShare:
		return newFallback(newMemory(s.o.MaxBytes), assumedProcesses)
	default:
		return newMemory(s.o.MaxBytes)
	}
	b, err := s.openShared()
	if err != nil {
		return s.fallback(newMemory(s.o.MaxBytes), err)
	}
	return b
}

func (s *Store) openShared() (b shared, err error) {
	if s.o.RedisURL != "" {
		b, err = openRedis(s.life, s.o.RedisURL)
	} else {
		b, err = openFile(s.life, s.o.Path, s.o.MaxBytes)
	}
	return b, err
}

// degrade replaces a backend that failed with its fallback, and returns the backend in use.
func (s *Store) degrade(failed backend, err error) backend {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == failed {
		entries := newMemory(s.o.MaxBytes)
		if p, ok := failed.(*paceFile); ok {
			entries = p.entries
		}
		s.current = s.fallback(entries, err)
		_ = failed.close() // it has already failed
	}
	return s.current
}

// degradeEntries replaces a backend that could not store an entry. A file that can still keep the pace continues to do so.
func (s *Store) degradeEntries(ctx context.Context, failed backend, err error) backend {
	f, ok := failed.(*file)
	if !ok || isDamaged(err) || f.ready(ctx) != nil {
		return s.degrade(failed, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == failed {
		s.current = &paceFile{file: f, entries: newMemory(s.o.MaxBytes)}
		s.setLost(err)
		s.o.Log.Warn("the cache file takes no answers; until it does, new ones are kept in memory; the pace is still shared",
			"path", s.o.Path, "cause", err, "remedy", "make room on the disk, or set BIOFACT_CACHE_DIR")
	}
	return s.current
}

// fallback returns the backend that replaces the file or Redis, with its entries in memory, and logs the reason.
func (s *Store) fallback(entries *memory, err error) backend {
	s.setLost(err)
	switch {
	case s.life.Err() != nil: // no warning for an error after Close
	case s.o.RedisURL != "":
		s.o.Log.Warn("Redis cannot be used; until it can, answers are kept in memory, and the pace is this replica's share",
			"redis", publicAddress(s.o.RedisURL), "replicas", s.o.Replicas, "cause", err)
	case errors.Is(err, errNoLocks):
		s.o.Log.Warn(fmt.Sprintf("the cache file cannot be used: its file system has no locks; "+
			"this process keeps answers in memory, and 1/%d of the pace", assumedProcesses),
			"path", s.o.Path, "remedy", "set BIOFACT_CACHE_DIR to a local folder")
	default:
		s.o.Log.Warn(fmt.Sprintf("the cache file cannot be used; until it can, answers are kept in memory, "+
			"and this process keeps 1/%d of the pace", assumedProcesses),
			"path", s.o.Path, "cause", err, "remedy", "make room on the disk, run biofact cache clear, or set BIOFACT_CACHE_DIR")
	}
	if s.o.RedisURL == "" {
		return newFallback(entries, assumedProcesses)
	}
	f := newFallback(entries, s.o.Replicas)
	f.since = f.since.Add(time.Second) // the replicas may have used the whole rate of the last second
	return f
}

const (
	// retryInterval is the time between two attempts to return to the file or to Redis. It doubles, up to maxRetryInterval, if a loss
	// follows a return within stableTime: a disk that is nearly full must not fill the log.
	retryInterval    = time.Second
	maxRetryInterval = time.Minute
	stableTime       = time.Minute
)

// setLost records why the backend of the options is not in use. The caller holds the lock.
func (s *Store) setLost(err error) {
	if s.lost == nil {
		if s.recovered.IsZero() || time.Since(s.recovered) > stableTime {
			s.delay = retryInterval
		} else {
			s.delay = min(2*s.delay, maxRetryInterval)
		}
	}
	s.lost = err
	s.next = time.Now().Add(s.delay)
}

// startRecovery starts an attempt to return to the file or to Redis if one is due. No caller waits for it. The caller holds the lock.
func (s *Store) startRecovery() {
	if s.lost == nil || errors.Is(s.lost, errNoLocks) || s.recovering || s.life.Err() != nil || time.Now().Before(s.next) {
		return
	}
	s.recovering = true
	old, lost := s.current, s.lost
	s.recoveries.Go(func() { s.recover(old, lost) })
}

// recover makes one attempt to return to the file or to Redis.
func (s *Store) recover(old backend, lost error) {
	b, err := s.reopen(old, lost)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.recovering = false
	s.next = time.Now().Add(s.delay)
	switch {
	case err != nil:
		s.lost = err
	case s.current != old:
		_ = b.close() // the backend has changed meanwhile: the next attempt reports its starts
	default:
		s.current, s.lost, s.recovered = b, nil, time.Now()
		if r, ok := b.(*redisServer); ok {
			r.keepShare(old, s.recovered.Add(3*s.delay))
		}
		_ = old.close() // its failure is already known
		if s.o.RedisURL != "" {
			s.o.Log.Info("Redis can be used again; answers and pace are shared", "redis", publicAddress(s.o.RedisURL))
		} else {
			s.o.Log.Info("the cache file can be used again; answers and pace are shared", "path", s.o.Path)
		}
	}
}

// reopen opens the file or Redis again, and reports the starts that were made without it to the other processes.
func (s *Store) reopen(old backend, lost error) (shared, error) {
	if isDamaged(lost) {
		if err := repairFile(s.life, s.o.Path); err != nil {
			return nil, err
		}
	}
	b, err := s.openShared()
	if err != nil {
		return nil, err
	}
	if err := b.probe(s.life); err != nil {
		return nil, errors.Join(err, b.close())
	}
	if f, ok := old.(*fallback); ok {
		for host, start := range f.starts() {
			if err := b.report(s.life, host, start); err != nil {
				return nil, errors.Join(err, b.close())
			}
		}
	}
	return b, nil
}
