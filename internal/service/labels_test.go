package service

import (
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// TestLabelsAreBounded: for any arguments, sources and kinds are those of the lists below.
func TestLabelsAreBounded(t *testing.T) {
	expect.Long(t)
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
	next, err := sourcetest.Embedded()
	expect.NoError(t, err)
	w := &sourcetest.Recorder{}
	s := New(Options{MaxAnswerBytes: 400_000, Sources: sourcetest.Setup{
		CTGovURL: sourcetest.RegistryURL, CTGov: upstream.NewClient(sourcetest.Policy(next)),
		EUtilsURL: "https://eutils.test/entrez/eutils", EUtils: upstream.NewClient(sourcetest.Policy(next)),
		RecordAge: time.Hour, SearchAge: time.Hour, Store: sourcetest.InMemory(), Observe: w.Observer(),
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
			called := sourcetest.ToolNamed(tools.Table(s), name)
			called.Call(t.Context(), slog.New(slog.DiscardHandler), json.RawMessage(args))
		}
	}
	seen := map[string]bool{}
	for _, events := range w.Since() {
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
