package service

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/sandbox"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
	"github.com/biofact-mcp/biofact/internal/store"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// A recorder records the events that an observer receives.
type recorder struct {
	mu     sync.Mutex
	events []string // since the last call of since
}

func (w *recorder) observer() source.Observer {
	return source.Observer{
		Batch: func(source, kind string, questions int) { w.note(source, kind, "asked", questions) },
		Cache: func(source, kind, use string, questions int) { w.note(source, kind, use, questions) },
	}
}

func (w *recorder) note(source, kind, what string, questions int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events = append(w.events, fmt.Sprintf("%s/%s/%s/%d", source, kind, what, questions))
}

// since returns the events since its last call, in alphabetical order.
func (w *recorder) since() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	events := w.events
	w.events = nil
	slices.Sort(events)
	return events
}

func (w *recorder) want(t *testing.T, when string, want ...string) {
	t.Helper()
	expect.Equal(t, fmt.Sprintf("%s: told", when), want, w.since())
}

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

// TestLabelsAreBounded: for any arguments, sources and kinds are those of the lists below.
func TestLabelsAreBounded(t *testing.T) {
	t.Parallel()
	kinds := map[string][]string{
		"ctgov": {"search", "trial"},
		"ncbi": {
			"article_genes", "article_medline", "article_record", "article_search", "article_summary", "database_info", "gene_links",
			"gene_record", "gene_rifs", "gene_search", "gene_summary",
			"pubmed_pubmed_citedin_neighbor", "pubmed_pubmed_neighbor", "pubmed_pubmed_neighbor_score", "pubmed_pubmed_refs_neighbor",
			"spelling", "variant_search", "variant_summary",
		},
	}
	next, err := embedded()
	expect.NoError(t, err)
	w := &recorder{}
	s := New(Options{MaxAnswerBytes: 400_000, Sources: sourcetest.Setup{
		CTGovURL: registryURL, CTGov: upstream.NewClient(policy(next)),
		EUtilsURL: "https://eutils.test/entrez/eutils", EUtils: upstream.NewClient(policy(next)),
		RecordAge: time.Hour, SearchAge: time.Hour, Store: inMemory(), Observe: w.observer(),
	}.Sources(t)})
	for name, calls := range map[string][]string{
		"search_trials":           {`{"query":"marker"}`, `{"condition":"marker/marker"}`},
		"get_trial":               {`{"nct_id":"NCT00461032"}`, `{"nct_id":"marker"}`},
		"search_genes":            {`{"query":"marker"}`, `{"query":"TP53","organism":"marker"}`},
		"get_gene":                {`{"entrez_id":"7157"}`, `{"entrez_id":"marker"}`},
		"get_pubmed_links":        {`{"entrez_id":"7157"}`},
		"searchPubMedArticles":    {`{"queryTerm":"marker"}`},
		"fetchArticleDetails":     {`{"pmids":["17079232"]}`, `{"pmids":["17079232"],"detailLevel":"medline_text"}`},
		"getArticleRelationships": {`{"sourcePmid":"17079232"}`, `{"sourcePmid":"17079232","relationshipType":"pubmed_references"}`},
	} {
		for _, args := range calls {
			called := toolNamed(tools.Table(s), name)
			called.Call(t.Context(), slog.New(slog.DiscardHandler), json.RawMessage(args))
		}
	}
	seen := map[string]bool{}
	for _, events := range w.since() {
		parts := strings.Split(events, "/")
		if len(parts) != 4 || !slices.Contains(kinds[parts[0]], parts[1]) {
			t.Errorf("told %q", events)
			continue
		}
		seen[parts[0]] = true
	}
	for source := range kinds {
		expect.That(t, seen[source], "%s was not observed", source)
	}
}
