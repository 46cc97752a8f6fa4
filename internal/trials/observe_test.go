package trials

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
	over := func(t *testing.T, entries *store.Store) (*sourcetest.Recorder, *faulty, *Trials) {
		w, f := &sourcetest.Recorder{}, newFaulty(t)
		o := sourcetest.Policy(f)
		o.Interval = time.Second
		return w, f, setup{Setup: sourcetest.Setup{CTGovURL: sourcetest.RegistryURL, CTGov: upstream.NewClient(o), Store: entries,
			Observe: w.Observer()}}.open(t)
	}
	synctest.Test(t, func(t *testing.T) {
		w, f, s := over(t, sourcetest.InMemory())
		getTrial(t, s, known)
		w.Want(t, "cold", "ctgov/trial/asked/1", "ctgov/trial/miss/1")
		getTrial(t, s, known)
		w.Want(t, "again", "ctgov/trial/hit/1")
		searchTrials(t, s, 5, "")
		w.Want(t, "a search", "ctgov/search/asked/1", "ctgov/search/miss/1")

		absent := func() { s.GetTrial(t.Context(), tools.GetTrialArgs{NCTID: missing}) }
		absent()
		w.Want(t, "no record", "ctgov/trial/asked/1", "ctgov/trial/miss/1")
		absent()
		w.Want(t, "known to have no record", "ctgov/trial/hit/1")

		f.set(sandbox.AllFaults()[0])
		s.GetTrial(t.Context(), tools.GetTrialArgs{NCTID: "NCT:00567567"})
		w.Want(t, "down, and nothing kept", "ctgov/trial/asked/1", "ctgov/trial/miss/1")
		time.Sleep(time.Hour)
		getTrial(t, s, known)
		w.Want(t, "down, and the version unknown", "ctgov/trial/stale/1")
		f.registry.publish()
		time.Sleep(10 * time.Minute)
		f.only = "/studies"
		getTrial(t, s, known)
		w.Want(t, "down, and out of date", "ctgov/trial/asked/1", "ctgov/trial/stale/1")
		f.set(sandbox.NoFault)

		time.Sleep(time.Minute) // the rate limit allows a request
		f.registry.takes = time.Minute
		gone, leave := context.WithTimeout(t.Context(), time.Hour)
		time.AfterFunc(time.Second, leave)
		s.GetTrial(gone, tools.GetTrialArgs{NCTID: "NCT:00567567"})
		w.Want(t, "a caller who went away", "ctgov/trial/asked/1")
	})
	synctest.Test(t, func(t *testing.T) {
		w, _, s := over(t, nil)
		getTrial(t, s, known)
		var callers sync.WaitGroup
		for _, id := range []string{known, known, "NCT:00567567"} {
			callers.Go(func() { getTrial(t, s, id) })
		}
		callers.Wait()
		w.Want(t, "without a store", "ctgov/trial/asked/1", "ctgov/trial/asked/2")
	})
}
