package service

import (
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// TestNamesOfTools: the name of a tool of another server leads to the tool with the same function, or to the reason why that tool is not
// served.
func TestNamesOfTools(t *testing.T) {
	t.Parallel()
	all := tools.Table(&Service{})
	for name, meant := range map[string]string{
		"search_pubmed": tools.SearchPubMedArticles, "search_articles": tools.SearchPubMedArticles,
		"get_article": tools.FetchArticleDetails, "get_publications": tools.FetchArticleDetails,
		"get_study_results": tools.GetTrialResults, "search_studies": tools.SearchTrials,
	} {
		served := tool.Missing(name, nil, all, func(*tool.Tool) string { return "" })
		expect.That(t, strings.Contains(served, ". Use "+meant+" ("), "%s: %s", name, served)
		off := tool.Missing(name, nil, all, func(t *tool.Tool) string {
			if t.Name == meant {
				return tool.NotServed(t)
			}
			return ""
		})
		expect.That(t, strings.Contains(off, ". "+meant+" would do it, but its toolset ") && strings.Contains(off, " is not served"),
			"%s, not served: %s", name, off)
	}
	nearest := tool.Missing("find_eligible", nil, all, func(*tool.Tool) string { return "" })
	expect.That(t, strings.Contains(nearest, ", and no tool does the same. The nearest is "+tools.MatchTrials+" ("), "%v", nearest)
}

// TestNamesOfArguments: the name of an argument of another server leads to the argument with the same meaning, or to a message that no
// argument has it.
func TestNamesOfArguments(t *testing.T) {
	t.Parallel()
	all := tools.Table(&Service{})
	for _, tt := range []struct{ tool, name, want string }{
		{tools.SearchTrials, "page_token", "cursor instead of page_token"},
		{tools.SearchTrials, "page", "For page use cursor: "},
		{tools.SearchTrials, "limit", "page_size instead of limit"},
		{tools.SearchTrials, "max_results", "page_size instead of max_results"},
		{tools.SearchTrials, "disease", "condition instead of disease"},
		{tools.SearchTrials, "drug", "intervention instead of drug"},
		{tools.SearchTrials, "city", "location instead of city"},
		{tools.SearchTrials, "gestation", "No argument means the same as colour and gestation."},
		{tools.SearchTrials, "funding", "No argument means the same as colour and funding."},
		{tools.SearchTrials, "pmid", "pmid in expression"},
		{tools.CountTrials, "hospital", "facility instead of hospital"},
		{tools.SearchTrials, "gene", "query instead of gene"},
		{tools.SearchTrials, "design", "For design give expression as one of "},
		{tools.GetTrialLocations, "page_token", "cursor instead of page_token"},
		{tools.SearchGenes, "species", "organism instead of species"},
		{tools.SearchGenes, "page", "For page use cursor: "},
		{tools.GetPubMedLinks, "max_results", "limit instead of max_results"},
		{tools.SearchPubMedArticles, "limit", "maxResults instead of limit"},
		{tools.SearchPubMedArticles, "species", "species as words of queryTerm"},
		{tools.FetchArticleDetails, "pmid", "pmids instead of pmid"},
		{tools.GetArticleRelationships, "pmid", "sourcePmid instead of pmid"},
		{tools.GetArticleRelationships, "limit", "maxRelatedResults instead of limit"},
	} {
		called := all[slices.IndexFunc(all, func(c *tool.Tool) bool { return c.Name == tt.tool })]
		result := called.Call(t.Context(), slog.New(slog.DiscardHandler), json.RawMessage(`{"`+tt.name+`":"3","colour":"x"}`))
		var refused entity.ErrorEnvelope
		if err := json.Unmarshal(result.JSON, &refused); err != nil || !strings.Contains(refused.Error.InvalidInput, tt.name) ||
			!strings.Contains(refused.Error.RecoveryHint, tt.want) {
			t.Errorf("%s, %s: %s", tt.tool, tt.name, result.JSON)
		}
	}
}
