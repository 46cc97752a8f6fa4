package ctgov

import (
	"context"
	"sync/atomic"
	"time"

	api "github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/store"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

const (
	// publishing is how long a new version may take to reach every answer: what
	// was fetched so soon after its stamp may be of the version before.
	publishDelay = 5 * time.Minute
	// leaseTime is how long other processes leave it to the one that asks for the
	// stamp. Where its answer does not come they ask themselves.
	leaseTime = 2 * time.Second
	// pollInterval is the time between two looks for that answer.
	pollInterval = 50 * time.Millisecond
	// kindStamp is the kind of the stamp among what is kept.
	kindStamp = "stamp"
	// kindLease is that of the note that a process asks for it.
	kindLease = "stamp lease"
)

// stamps know the time stamp of the registry's data, which says which answers
// are exact: those that were fetched after the newest data were published.
type stamps struct {
	*client
	newest atomic.Pointer[store.Entry] // that was read last
	batch  upstream.Batch[struct{}, stamp]
}

// A stamp is the time stamp as the registry writes it.
type stamp struct {
	source.Retrieval
	value []byte
}

func newStamps(c *client) *stamps {
	s := &stamps{client: c}
	s.batch.Max = 1 // without turns: the request takes one, if there is a request
	s.batch.Key = func(struct{}) string { return "" }
	s.batch.Fetch = func(ctx context.Context, _ []struct{}) (map[string]stamp, error) {
		answer, err := s.fetch(ctx)
		return map[string]stamp{"": answer}, err
	}
	return s
}

// exact reports whether a kept answer is what the registry would answer now. The
// error is of a registry that cannot be asked.
func (s *stamps) exact(ctx context.Context, entry store.Entry, notes *entity.Notes) (bool, error) {
	newest, recent := s.recent(ctx)
	if !recent && source.Within(entry.Stored, source.FreshFor) {
		return true, nil // it tells as much as a stamp of its age would
	}
	if !recent {
		var err error
		if newest, err = s.ask(ctx, notes); err != nil {
			return false, err
		}
	}
	published, err := time.Parse("2006-01-02T15:04:05", string(newest.Value)) // UTC, without saying so
	// A stamp that cannot be read keeps nothing exact, nor does a clock of the
	// source, or of a proxy, that was ahead when the answer was fetched.
	ahead := !newest.Fetched.IsZero() && entry.Fetched.After(newest.Fetched.Add(2*source.FreshFor))
	return err == nil && !ahead && entry.Fetched.After(published.Add(publishDelay)), nil
}

// ask asks the registry for its stamp.
func (s *stamps) ask(ctx context.Context, notes *entity.Notes) (store.Entry, error) {
	answer, _, err := s.batch.Get(ctx, struct{}{})
	if err != nil {
		return store.Entry{}, upstream.Failure(s.Title, err)
	}
	notes.Provenance.UpstreamRequests += answer.Requests
	return store.Entry{Value: answer.value, Fetched: answer.Fetched}, nil
}

// known returns the stamp that was asked for not long ago.
func (s *stamps) recent(ctx context.Context) (store.Entry, bool) {
	if last := s.newest.Load(); last != nil && source.Within(last.Stored, source.FreshFor) {
		return *last, true
	}
	stored, recent := s.Get(ctx, kindStamp, "")
	if !recent || !source.Within(stored.Stored, source.FreshFor) {
		return store.Entry{}, false
	}
	s.newest.Store(&stored)
	return stored, true
}

// fetch asks for the stamp and keeps it. Of the processes that find it old one
// asks; the others wait for its answer.
func (s *stamps) fetch(ctx context.Context) (answer stamp, err error) {
	if lease, ok := s.Get(ctx, kindLease, ""); ok && len(lease.Value) > 0 && source.Within(lease.Stored, leaseTime) {
		if stored, ok := s.await(ctx); ok {
			return stamp{source.Retrieval{Fetched: stored.Fetched}, stored.Value}, nil
		}
	}
	s.Put(ctx, kindLease, "", []byte("asked"), time.Now())
	resp, err := s.read(s.Version(ctx))
	var version api.Version
	if err == nil {
		err = resp.Decode(&version)
	}
	if err != nil {
		s.Put(context.WithoutCancel(ctx), kindLease, "", nil, time.Now()) // nobody need wait for an answer
		return stamp{}, err
	}
	answer = stamp{resp.Retrieval, []byte(version.DataTimestamp)}
	s.Put(ctx, kindStamp, "", answer.value, answer.Fetched)
	return answer, nil
}

// await waits for the stamp that another process asks for.
func (s *stamps) await(ctx context.Context) (store.Entry, bool) {
	ctx, cancel := context.WithTimeout(ctx, leaseTime)
	defer cancel()
	poll := time.NewTicker(pollInterval)
	defer poll.Stop()
	for {
		if stored, ok := s.recent(ctx); ok {
			return stored, true
		}
		select {
		case <-poll.C:
		case <-ctx.Done():
			return store.Entry{}, false
		}
	}
}
