package service_test

import (
	"context"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/service"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
)

// TestArticleMistakes: forms that people write instead of the expected ones are understood, or lead to the right call.
func TestArticleMistakes(t *testing.T) {
	t.Parallel()
	s := overAll(t, sourcetest.Network{sourcetest.Sandboxed(t)})
	search := func(query string, dates tools.SearchPubMedArticlesDateRange) func(context.Context, *service.Service) string {
		return func(ctx context.Context, s *service.Service) string {
			return shown(s.SearchPubMedArticles(ctx, tools.SearchPubMedArticlesArgs{QueryTerm: query, MaxResults: 5, SortBy: "relevance",
				DateRange: dates}))
		}
	}
	text := func(id string, sections ...string) func(context.Context, *service.Service) string {
		return func(ctx context.Context, s *service.Service) string {
			return shown(s.GetArticleFullText(ctx, tools.GetArticleFullTextArgs{Id: id, Sections: sections, MaxBytes: 60_000}))
		}
	}
	var none tools.SearchPubMedArticlesDateRange
	for _, tt := range []struct {
		name string
		call func(context.Context, *service.Service) string
		want []string
	}{
		{"one word", text("dexamethasone"), []string{"UNRESOLVED_ENTITY", `{"queryTerm":"dexamethasone"}`}},
		{"a table as a section", text("PMC7383595", "table 2"), []string{`{"id":"PMC7383595","include":["tables"]}`}},
		{"a figure as a section", text("PMC7383595", "Fig. 1"), []string{`{"id":"PMC7383595","include":["figures"]}`}},
		{"an NCT id", func(ctx context.Context, s *service.Service) string {
			return shown(s.ConvertArticleIds(ctx, tools.ConvertArticleIdsArgs{Ids: []string{"NCT04381936", "PMC7383595"}}))
		}, []string{`"pmid":"32678530"`, `{"queryTerm":"NCT04381936[si]"}`}},
		{"a citation", search("Bao Y, Gut 2017;66:1116", none), []string{`matchCitations with {"citations":[{"text":"Bao Y, Gut 2017;66:1116"}]}`}},
		{"a field before its value", search("author:Horby P AND (title:dexamethasone)", none),
			[]string{`"effectiveESearchTerm":"author:Horby P AND (title:dexamethasone)"`, `"totalFound":0`,
				"NCBI finds nothing for: author:Horby, title:dexamethasone."}},
		{"a tag without its bracket", search("dexamethasone[MeSH Terms", none),
			[]string{"UPSTREAM_ERROR NCBI cannot read the term.", "must be in pairs"}},
		{"dates in words", search("dexamethasone",
			tools.SearchPubMedArticlesDateRange{MinDate: "2019", MaxDate: "today", DateType: "pdat"}),
			[]string{`INVALID_INPUT dateRange.maxDate: "today" is not a date`, "2020, 2020/06 or 2020/06/30 in dateRange"}},
		{"a period", search("dexamethasone", tools.SearchPubMedArticlesDateRange{MinDate: "past 90 days", DateType: "pdat"}),
			[]string{`INVALID_INPUT dateRange.minDate: "past 90 days" is not a date`, "2020, 2020/06 or 2020/06/30 in dateRange"}},
		{"a gene without a number", func(ctx context.Context, s *service.Service) string {
			return shown(s.GetGene(ctx, tools.GetGeneArgs{EntrezID: "NCBIGene:0"}))
		}, []string{"UNRESOLVED_ENTITY", "search_genes"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := strings.ReplaceAll(tt.call(t.Context(), s), `\"`, `"`)
			for _, want := range tt.want {
				expect.That(t, strings.Contains(got, want) && !strings.Contains(got, "PMID of an article"), "no %q in %.1500s", want, got)
			}
		})
	}
}
