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
	publishing = 5 * time.Minute
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
	asked  upstream.Batch[struct{}, stamp]
}

// A stamp is the time stamp as the registry writes it.
type stamp struct {
	source.Exchange
	value []byte
}

func newStamps(c *client) *stamps {
	s := &stamps{client: c}
	s.asked.Max = 1 // without turns: the request takes one, if there is a request
	s.asked.Key = func(struct{}) string { return "" }
	s.asked.Fetch = func(ctx context.Context, _ []struct{}) (map[string]stamp, error) {
		answer, err := s.fetch(ctx)
		return map[string]stamp{"": answer}, err
	}
	return s
}

// exact reports whether a kept answer is what the registry would answer now. The
// error is of a registry that cannot be asked.
func (s *stamps) exact(ctx context.Context, kept store.Entry, notes *entity.Notes) (bool, error) {
	newest, known := s.known(ctx)
	if !known && source.Within(kept.Stored, source.KnownFor) {
		return true, nil // it tells as much as a stamp of its age would
	}
	if !known {
		var err error
		if newest, err = s.ask(ctx, notes); err != nil {
			return false, err
		}
	}
	published, err := time.Parse("2006-01-02T15:04:05", string(newest.Value)) // UTC, without saying so
	// A stamp that cannot be read keeps nothing exact, nor does a clock of the
	// source, or of a proxy, that was ahead when the answer was fetched.
	ahead := !newest.Fetched.IsZero() && kept.Fetched.After(newest.Fetched.Add(2*source.KnownFor))
	return err == nil && !ahead && kept.Fetched.After(published.Add(publishing)), nil
}

// ask asks the registry for its stamp.
func (s *stamps) ask(ctx context.Context, notes *entity.Notes) (store.Entry, error) {
	answer, _, err := s.asked.Get(ctx, struct{}{})
	if err != nil {
		return store.Entry{}, upstream.Failure(s.Title, err)
	}
	notes.Provenance.UpstreamRequests += answer.Requests
	return store.Entry{Value: answer.value, Fetched: answer.Fetched}, nil
}

// known returns the stamp that was asked for not long ago.
func (s *stamps) known(ctx context.Context) (store.Entry, bool) {
	if last := s.newest.Load(); last != nil && source.Within(last.Stored, source.KnownFor) {
		return *last, true
	}
	kept, known := s.Get(ctx, kindStamp, "")
	if !known || !source.Within(kept.Stored, source.KnownFor) {
		return store.Entry{}, false
	}
	s.newest.Store(&kept)
	return kept, true
}

// fetch asks for the stamp and keeps it. Of the processes that find it old one
// asks; the others wait for its answer.
func (s *stamps) fetch(ctx context.Context) (answer stamp, err error) {
	if asked, ok := s.Get(ctx, kindLease, ""); ok && len(asked.Value) > 0 && source.Within(asked.Stored, leaseTime) {
		if kept, ok := s.await(ctx); ok {
			return stamp{source.Exchange{Fetched: kept.Fetched}, kept.Value}, nil
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
	answer = stamp{resp.Exchange, []byte(version.DataTimestamp)}
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
		if kept, ok := s.known(ctx); ok {
			return kept, true
		}
		select {
		case <-poll.C:
		case <-ctx.Done():
			return store.Entry{}, false
		}
	}
}
