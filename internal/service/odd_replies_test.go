package service_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/service"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
)

// rewritten answers from the embedded records, and rewrites the replies to requests whose address has a part.
func rewritten(t *testing.T, part string, rewrite *strings.Replacer) sourcetest.Network {
	t.Helper()
	records := sourcetest.Sandboxed(t)
	return sourcetest.Network{func(req *http.Request) *http.Response {
		resp := records(req)
		if !strings.Contains(req.URL.String(), part) {
			return resp
		}
		body, err := io.ReadAll(resp.Body)
		expect.NoError(t, err)
		return sourcetest.Reply(resp.StatusCode, resp.Header.Get("Content-Type"), rewrite.Replace(string(body)))
	}}
}

// shown returns an answer with its notices as JSON, or the code and text of its error.
func shown[T any](answer entity.Answer[T], err error) string {
	if err != nil {
		e := entity.AsError(err)
		return string(e.Code) + " " + e.Message + " " + e.Hint
	}
	text, err := entity.JSON(answer)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// TestOddReplies: a record that cannot be read, or is another one than requested, is left out with a notice. It never fails the other
// records of a call, and never means that the source has no record.
func TestOddReplies(t *testing.T) {
	t.Parallel()
	converted := func(ids ...string) func(context.Context, *service.Service) string {
		return func(ctx context.Context, s *service.Service) string {
			return shown(s.ConvertArticleIds(ctx, tools.ConvertArticleIdsArgs{Ids: ids}))
		}
	}
	details := func(level string, pmids ...string) func(context.Context, *service.Service) string {
		return func(ctx context.Context, s *service.Service) string {
			args := tools.FetchArticleDetailsArgs{Pmids: pmids, DetailLevel: level, IncludeMeshTerms: true}
			return shown(s.FetchArticleDetails(ctx, args))
		}
	}
	transcripts := func(gene string) func(context.Context, *service.Service) string {
		return func(ctx context.Context, s *service.Service) string {
			return shown(s.GetGeneTranscripts(ctx, tools.GetGeneTranscriptsArgs{EntrezID: gene, PageSize: 5}))
		}
	}
	related := func(ctx context.Context, s *service.Service) string {
		return shown(s.GetArticleRelationships(ctx, tools.GetArticleRelationshipsArgs{SourcePmid: "32678530",
			RelationshipType: "pubmed_similar_articles", MaxRelatedResults: 5, CitationStyles: []string{"ris"}}))
	}
	links := func(ctx context.Context, s *service.Service) string {
		return shown(s.GetPubMedLinks(ctx, tools.GetPubMedLinksArgs{EntrezID: "NCBIGene:348", Limit: 5}))
	}
	orthologs := func(ctx context.Context, s *service.Service) string {
		return shown(s.GetGeneOrthologs(ctx, tools.GetGeneOrthologsArgs{EntrezID: "NCBIGene:7157", PageSize: 5}))
	}
	genes := func(ctx context.Context, s *service.Service) string {
		return shown(s.SearchGenes(ctx, tools.SearchGenesArgs{Query: []string{"NCBIGene:7157, NCBIGene:348"}, PageSize: 5}))
	}
	text := func(ctx context.Context, s *service.Service) string {
		return shown(s.GetArticleFullText(ctx, tools.GetArticleFullTextArgs{Id: "10.1056/NEJMoa2021436", MaxBytes: 60_000}))
	}
	pmcid := func(ctx context.Context, s *service.Service) string {
		return shown(s.GetArticleFullText(ctx, tools.GetArticleFullTextArgs{Id: "PMC7383595", MaxBytes: 60_000}))
	}
	const none = `"notFoundPmids":[]`
	for _, tt := range []struct {
		name, part string
		rewrite    []string
		call       func(context.Context, *service.Service) string
		want       []string
		without    string
	}{
		{"a manuscript without its id", "idconv", []string{`"mid":"NIHMS90001",`, ``}, converted("PMC7383595", "NIHMS90001", "32678530"),
			[]string{`"input":"NIHMS90001","status":"found"`, `"manuscriptId":"NIHMS90001"`, `"pmcid":"PMC4689591"`}, "notices"},
		{"another manuscript", "idconv", []string{`"mid":"NIHMS90001"`, `"mid":"NIHMS90002"`}, converted("PMC7383595", "NIHMS90001"),
			[]string{`"input":"PMC7383595","status":"found"`, "No source sent a readable record of NIHMS90001"}, `"unknown"`},
		{"another manuscript alone", "idconv", []string{`"mid":"NIHMS90001"`, `"mid":"NIHMS90002"`}, converted("NIHMS90001"),
			[]string{"UPSTREAM_ERROR"}, ""},
		{"one record of another article", "idconv", []string{`"pmid":32678530`, `"pmid":5`}, converted("32678530", "33031652"),
			[]string{`"input":"32678530","status":"found"`, `"input":"33031652","status":"found","pmid":"33031652","pmcid":"PMC7556338"`},
			"could not be queried"},
		{"one record of no form", "idconv", []string{`"pmcid":"PMC7556338"`, `"pmcid":7`}, converted("32678530", "33031652"),
			[]string{`"pmcid":"PMC7383595"`, `"input":"33031652","status":"found"`}, "could not be queried"},
		{"one link of no form", "elink", []string{`"id":"33031652"`, `"id":"x"`}, related,
			[]string{`"pmid":"33933206"`, "without a readable id were left out: 1."}, `"pmid":"33031652"`},
		{"one link of a gene of no form", "elink", []string{`"25872266"`, `null`}, links,
			[]string{`"pmid":"25688603"`, "without a readable id were left out: 1."}, "25872266"},
		{"an article in place of another", "efetch", []string{`>32678530</PMID>`, `>5</PMID>`}, details("abstract", "32678530"),
			[]string{"UPSTREAM_ERROR"}, ""},
		{"an article in place of another, of two", "efetch", []string{`>32678530</PMID>`, `>5</PMID>`}, details("abstract", "32678530", "33031652"),
			[]string{`"pmid":"33031652"`, none, "no readable record of 32678530"}, ""},
		{"an article without a PMID, of two", "efetch", []string{`>32678530</PMID>`, `></PMID>`}, details("full_xml", "32678530", "33031652"),
			[]string{`33031652</PMID>`, none, "no readable record of 32678530"}, ""},
		{"a MEDLINE record in place of another", "efetch", []string{`PMID- 32678530`, `PMID- 5`},
			details("medline_text", "32678530", "33031652"), []string{`PMID- 33031652`, none, "no readable record of 32678530"}, ""},
		{"the orthologs of another gene", "orthologs", []string{`"query":["7157"]`, `"query":["672"]`}, orthologs, []string{"UPSTREAM_ERROR"}, ""},
		{"the transcripts of another gene", "product_report", []string{`7157`, `672`}, transcripts("NCBIGene:7157"),
			[]string{"UPSTREAM_ERROR"}, ""},
		{"an unknown gene as an error in its document", "product_report", []string{`{"total_count":0}`,
			`{"reports":[{"query":["999999999"],"errors":[{"message":"no such gene","reason":"x","invalid_identifiers":["999999999"]}]}]}`, `{}`,
			`{"reports":[{"query":["999999999"],"errors":[{"message":"no such gene","reason":"x","invalid_identifiers":["999999999"]}]}]}`},
			transcripts("NCBIGene:999999999"), []string{"ENTITY_NOT_FOUND", "NCBI has no gene NCBIGene:999999999"}, ""},
		{"one summary of no form", "esummary", []string{`"348":{`, `"348":null,"x":{`}, genes,
			[]string{`"id":"NCBIGene:7157"`, "no readable record of 348"}, "NCBI has no gene"},
		{"a PMCID that PubMed lists and PMC does not give out", "db=pmc", []string{`<pmc-articleset>`,
			`<pmc-articleset><error id="7383595">x</error><!--`, `</pmc-articleset>`, `--></pmc-articleset>`}, pmcid,
			[]string{`"availability":"not_in_pmc"`, `"pmid":"32678530"`, "PubMed Central does not give it out"}, "ENTITY_NOT_FOUND"},
		{"a PMCID that the converter does not know", "idconv", []string{`"pmcid":"PMC7383595","pmid":32678530,`,
			`"status":"error","errmsg":"Identifier not found in PMC",`}, converted("PMC7383595"),
			[]string{`"status":"found","pmid":"32678530"`}, "unknown"},
		{"a DOI whose record is gone", "efetch", []string{`<PubmedArticle>`, `<!--`, `</PubmedArticle>`, `-->`}, text,
			[]string{`"pmcid":"PMC7383595"`}, "panic"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := tt.call(t.Context(), overAll(t, rewritten(t, tt.part, strings.NewReplacer(tt.rewrite...))))
			for _, want := range tt.want {
				expect.That(t, strings.Contains(got, want), "no %q in %.3000s", want, got)
			}
			expect.That(t, tt.without == "" || !strings.Contains(got, tt.without), "%q in %.3000s", tt.without, got)
		})
	}
}

func overAll(t *testing.T, n sourcetest.Network) *service.Service {
	t.Helper()
	return service.New(service.Options{Sources: sourcetest.All(t, n), MaxAnswerBytes: 400_000})
}
