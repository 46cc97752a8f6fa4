package articles_test

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestArticlesAreTrue compares the articles of the sandbox with PubMed's records, where they are at hand: a fact is equal or absent, and a
// list is whole or absent. Abstracts are ours, and addresses of people are left out.
func TestArticlesAreTrue(t *testing.T) {
	t.Parallel()
	real := articlesOf(t, expect.Corpus(t, "pubmed/efetch", "it compares embedded articles with PubMed's records")+"/*.xml")
	compared, facts, single := 0, 0, 0
	for pmid, article := range articlesOf(t, "../../sandbox/data/ncbi/pubmed*.xml.gz") {
		if real[pmid] == nil {
			single++
			continue
		}
		compared++
		facts += expect.SameFacts(t, pmid, article, real[pmid], "abstractText", "abstractSections", "otherAbstracts", "affiliation",
			"affiliations", "orcid")
	}
	t.Logf("%d articles compared, %d facts; %d have no record at hand", compared, facts, single)
	expect.That(t, compared > 0, "no article was compared")
}

// articlesOf returns the entities of the articles in some files by their PMIDs.
func articlesOf(t *testing.T, pattern string) map[string]map[string]any {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	expect.NoError(t, err)
	all := map[string]map[string]any{}
	for _, path := range paths {
		mapped, _ := mapArticles(expect.Read(t, path)) // some files of the corpus are no set of articles
		for _, article := range mapped {
			text, _ := json.Marshal(article)
			var fields map[string]any
			expect.NoError(t, json.Unmarshal(text, &fields))
			all[article.PMID] = fields
		}
	}
	return all
}
