package service

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/sandbox"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
	"github.com/biofact-mcp/biofact/internal/store"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// TestCacheUseIsReported: each cache lookup is reported once, as a hit, a miss or stale, and each request once, with its size.
func TestCacheUseIsReported(t *testing.T) {
	t.Parallel()
	over := func(t *testing.T, entries *store.Store) (*recorder, *faulty, *Trials) {
		w, f := &recorder{}, newFaulty(t)
		o := policy(f)
		o.Interval = time.Second
		return w, f, setup{Setup: sourcetest.Setup{CTGovURL: registryURL, CTGov: upstream.NewClient(o), Store: entries,
			Observe: w.observer()}}.open(t)
	}
	synctest.Test(t, func(t *testing.T) {
		w, f, s := over(t, inMemory())
		getTrial(t, s, known)
		w.want(t, "cold", "ctgov/trial/asked/1", "ctgov/trial/miss/1")
		getTrial(t, s, known)
		w.want(t, "again", "ctgov/trial/hit/1")
		searchTrials(t, s, 5, "")
		w.want(t, "a search", "ctgov/search/asked/1", "ctgov/search/miss/1")

		absent := func() { s.GetTrial(t.Context(), tools.GetTrialArgs{NCTID: missing}) }
		absent()
		w.want(t, "no record", "ctgov/trial/asked/1", "ctgov/trial/miss/1")
		absent()
		w.want(t, "known to have no record", "ctgov/trial/hit/1")

		f.set(sandbox.AllFaults()[0])
		s.GetTrial(t.Context(), tools.GetTrialArgs{NCTID: "NCT:00567567"})
		w.want(t, "down, and nothing kept", "ctgov/trial/asked/1", "ctgov/trial/miss/1")
		time.Sleep(time.Hour)
		getTrial(t, s, known)
		w.want(t, "down, and the version unknown", "ctgov/trial/stale/1")
		f.registry.publish()
		time.Sleep(10 * time.Minute)
		f.only = "/studies"
		getTrial(t, s, known)
		w.want(t, "down, and out of date", "ctgov/trial/asked/1", "ctgov/trial/stale/1")
		f.set(sandbox.NoFault)

		time.Sleep(time.Minute) // the rate limit allows a request
		f.registry.takes = time.Minute
		gone, leave := context.WithTimeout(t.Context(), time.Hour)
		time.AfterFunc(time.Second, leave)
		s.GetTrial(gone, tools.GetTrialArgs{NCTID: "NCT:00567567"})
		w.want(t, "a caller who went away", "ctgov/trial/asked/1")
	})
	synctest.Test(t, func(t *testing.T) {
		w, _, s := over(t, nil)
		getTrial(t, s, known)
		var callers sync.WaitGroup
		for _, id := range []string{known, known, "NCT:00567567"} {
			callers.Go(func() { getTrial(t, s, id) })
		}
		callers.Wait()
		w.want(t, "without a store", "ctgov/trial/asked/1", "ctgov/trial/asked/2")
	})
}
