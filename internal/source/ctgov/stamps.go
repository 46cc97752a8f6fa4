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
	// publishDelay is how long a new version may take to reach every answer: an answer that was fetched so soon after its stamp may be of
	// the previous version.
	publishDelay = 5 * time.Minute
	// leaseTime is how long other processes wait for the process that requests the stamp. After that they request it themselves.
	leaseTime = 2 * time.Second
	// pollInterval is the time between two checks for that answer.
	pollInterval = 50 * time.Millisecond
	// kindStamp is the kind of the stamp in the store.
	kindStamp = "stamp"
	// kindLease is the kind of the lease of the process that requests the stamp.
	kindLease = "stamp lease"
)

// stamps reads the time stamp of the registry's data. Answers that were fetched after the newest data were published are exact.
type stamps struct {
	*client
	newest atomic.Pointer[store.Entry] // the stamp that was read last
	batch  upstream.Batch[struct{}, stamp]
}

// A stamp is the time stamp as the registry writes it.
type stamp struct {
	source.Retrieval
	value []byte
}

func newStamps(c *client) *stamps {
	s := &stamps{client: c}
	s.batch.Max = 1 // without a Client: only a request that is sent takes a turn
	s.batch.Key = func(struct{}) string { return "" }
	s.batch.Fetch = func(ctx context.Context, _ []struct{}) (map[string]stamp, error) {
		answer, err := s.fetch(ctx)
		return map[string]stamp{"": answer}, err
	}
	return s
}

// exact reports whether a stored answer equals the current answer of the registry. It returns an error if the registry does not return its
// stamp.
func (s *stamps) exact(ctx context.Context, entry store.Entry, notes *entity.Notes) (bool, error) {
	newest, recent := s.recent(ctx)
	if !recent && source.Within(entry.Stored, source.FreshFor) {
		return true, nil // a stamp of the same age would be used without a check, too
	}
	if !recent {
		var err error
		if newest, err = s.request(ctx, notes); err != nil {
			return false, err
		}
	}
	published, err := time.Parse("2006-01-02T15:04:05", string(newest.Value)) // in UTC, without a zone
	// With an unreadable stamp no answer is exact. Nor is an answer exact if the clock of the source, or of a proxy, was ahead when it was
	// fetched.
	ahead := !newest.Fetched.IsZero() && entry.Fetched.After(newest.Fetched.Add(2*source.FreshFor))
	return err == nil && !ahead && entry.Fetched.After(published.Add(publishDelay)), nil
}

func (s *stamps) request(ctx context.Context, notes *entity.Notes) (store.Entry, error) {
	answer, _, err := s.batch.Get(ctx, struct{}{})
	if err != nil {
		return store.Entry{}, upstream.Failure(s.Title, err)
	}
	notes.Provenance.UpstreamRequests += answer.Requests
	return store.Entry{Value: answer.value, Fetched: answer.Fetched}, nil
}

// recent returns a stamp that was requested within source.FreshFor.
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

// fetch requests the stamp and stores it. Only one of the processes with an old stamp requests it; the others wait for its answer.
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
		s.Put(context.WithoutCancel(ctx), kindLease, "", nil, time.Now()) // no process need wait for an answer
		return stamp{}, err
	}
	answer = stamp{resp.Retrieval, []byte(version.DataTimestamp)}
	s.Put(ctx, kindStamp, "", answer.value, answer.Fetched)
	return answer, nil
}

// await waits for the stamp that another process requests.
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
