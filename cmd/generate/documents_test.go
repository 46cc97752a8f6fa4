package main

import (
	"os"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestConfigurationListsEachSettingOnce checks that every setting is listed exactly once.
func TestConfigurationListsEachSettingOnce(t *testing.T) {
	t.Parallel()
	document, err := configuration()
	expect.NoError(t, err)
	settings, err := config.Settings()
	expect.NoError(t, err)
	for _, s := range settings {
		start := "| `" + s.Variable + "` |"
		if s.Variable == "" {
			start = "|  | `--" + s.Flag
		}
		want := 1
		if s.Variable == "" && s.Flag == "sandbox" { // also the beginning of sandbox-fault
			want = 2
		}
		if got := strings.Count(string(document), "\n"+start); got != want {
			t.Errorf("%s %s stands %d times", s.Variable, s.Flag, got)
		}
	}
}

// TestToolPages checks that docs/tools.md lists every argument and every field of the schemas.
func TestToolPages(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/tools.md")
	expect.NoError(t, err)
	for _, want := range []string{
		"biofact --sandbox call search_trials condition=melanoma phase='Phase 3'",
		"biofact --sandbox call fetchArticleDetails pmids=26027431",
		"| `page_size` | integer, 1 to 200 | `50` |",
		"| `maxRelatedResults` | integer, 1 to 50 | `5` |",
		"| `dateRange.dateType` | string | `pdat` |",
		"| `queryTerm` | string, 3 characters or more, 20000 characters at most |  | Words or an Entrez query. Required.",
		"| `eligibility_criteria.minimum_age` | string |",
		"| `sponsors[].role` | string |",
		"| `cross_references.ensembl_gene` |",
		"| `articles[].authors[].lastName` | string |",
	} {
		expect.That(t, strings.Contains(string(page), want), "docs/tools.md does not list: %s", want)
	}
}
