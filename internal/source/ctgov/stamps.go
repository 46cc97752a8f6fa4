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
)

// stamps know the time stamp of the registry's data, which says which answers
// are exact: those that were fetched after the newest data were published.
type stamps struct {
	*source.Keeper
	client *api.Client
	newest atomic.Pointer[store.Entry] // that was read last
	asked  upstream.Batch[struct{}, stamp]
}

// A stamp is the time stamp as the registry writes it.
type stamp struct {
	value    []byte
	requests int
	fetched  time.Time // by the registry's clock
}

func newStamps(keeper *source.Keeper, client *api.Client) *stamps {
	s := &stamps{Keeper: keeper, client: client}
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
		answer, _, err := s.asked.Get(ctx, struct{}{})
		if err != nil {
			return false, upstream.Failure(s.Title, err)
		}
		notes.Provenance.UpstreamRequests += answer.requests
		newest.Value, newest.Fetched = answer.value, answer.fetched
	}
	published, err := time.Parse("2006-01-02T15:04:05", string(newest.Value)) // UTC, without saying so
	// A stamp that cannot be read keeps nothing exact, nor does a clock of the
	// source, or of a proxy, that was ahead when the answer was fetched.
	ahead := !newest.Fetched.IsZero() && kept.Fetched.After(newest.Fetched.Add(2*source.KnownFor))
	return err == nil && !ahead && kept.Fetched.After(published.Add(publishing)), nil
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
	turn, first := s.Store.Reserve(ctx, s.Key(kindStamp, ""), leaseTime, 0)
	if !first {
		if kept, ok := s.await(ctx); ok {
			return stamp{value: kept.Value, fetched: kept.Fetched}, nil
		}
	}
	defer func() {
		if err != nil && first {
			s.Store.Release(ctx, s.Key(kindStamp, ""), turn, leaseTime) // nobody need wait for an answer
		}
	}()
	resp, err := s.client.Version(ctx)
	if err != nil {
		return stamp{}, err
	}
	defer resp.Body.Close()
	var version api.Version
	made, err := readJSON(resp, s.Title, &version)
	if err != nil {
		return stamp{}, err
	}
	answer = stamp{value: []byte(version.DataTimestamp), requests: made.requests, fetched: made.fetched}
	s.Put(ctx, kindStamp, "", answer.value, made.fetched)
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
