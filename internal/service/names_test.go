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
	// The arguments lead to another tool: the call is of that one.
	moved := tool.Missing("get_gene_info", json.RawMessage(`{"gene":"TP53"}`), tool.Together(all), func(*tool.Tool) string { return "" })
	expect.That(t, strings.Contains(moved, ` Call search_genes with {"query":"TP53"}.`), "%s", moved)
	nearest := tool.Missing("find_eligible", nil, all, func(*tool.Tool) string { return "" })
	expect.That(t, strings.Contains(nearest, ", and no tool does the same. The nearest is "+tools.MatchTrials+" ("), "%v", nearest)
}

// TestNamesOfArguments: the name of an argument of another server is read as the argument with the same meaning. A name without such an
// argument is an unknown one, and the arguments that take its values are among the nearest.
func TestNamesOfArguments(t *testing.T) {
	t.Parallel()
	all := tools.Table(&Service{})
	for _, tt := range []struct{ tool, name, unknown, nearest string }{
		{tools.SearchTrials, "page_token", "colour", ""},
		{tools.SearchTrials, "page", "colour, page", "cursor"},
		{tools.SearchTrials, "limit", "colour", ""},
		{tools.SearchTrials, "max_results", "colour", ""},
		{tools.SearchTrials, "disease", "colour", ""},
		{tools.SearchTrials, "drug", "colour", ""},
		{tools.SearchTrials, "city", "colour", ""},
		{tools.SearchTrials, "gestation", "colour, gestation", ""},
		{tools.SearchTrials, "funding", "colour, funding", ""},
		{tools.SearchTrials, "pmid", "colour", ""},
		{tools.CountTrials, "hospital", "colour", ""},
		{tools.SearchTrials, "gene", "colour", ""},
		{tools.GetTrialLocations, "page_token", "colour", ""},
		{tools.SearchGenes, "species", "colour", ""},
		{tools.SearchGenes, "page", "colour, page", "cursor"},
		{tools.GetPubMedLinks, "max_results", "colour", ""},
		{tools.SearchPubMedArticles, "limit", "colour", ""},
		{tools.SearchPubMedArticles, "species", "colour", ""},
		{tools.FetchArticleDetails, "pmid", "colour", ""},
		{tools.GetArticleRelationships, "pmid", "colour", ""},
		{tools.GetArticleRelationships, "limit", "colour", ""},
	} {
		called := all[slices.IndexFunc(all, func(c *tool.Tool) bool { return c.Name == tt.tool })]
		result := called.Call(t.Context(), slog.New(slog.DiscardHandler), json.RawMessage(`{"`+tt.name+`":"3","colour":"x"}`))
		var refused entity.ErrorEnvelope
		expect.NoError(t, json.Unmarshal(result.JSON, &refused))
		expect.Equal(t, tt.tool+" "+tt.name, tt.unknown, refused.Error.InvalidInput)
		expect.That(t, strings.Contains(refused.Error.RecoveryHint, tt.nearest), "%s, %s: %s", tt.tool, tt.name, result.JSON)
	}
}
