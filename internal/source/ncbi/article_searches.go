package ncbi

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/biofact-mcp/biofact/gen/eutils"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/mapping/articles"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// An ArticleSearch requests the first Max articles that match a term, and the summaries of the first Summaries of them. Max is 0 for the
// number of articles alone.
type ArticleSearch struct {
	Term, Sort     string
	Max, Summaries int
}

func (s ArticleSearch) key() string {
	return fmt.Sprintf("%d %d %s %s", s.Max, s.Summaries, s.Sort, s.Term)
}

func (s ArticleSearch) params() *eutils.ESearchParams {
	params := &eutils.ESearchParams{Db: pubmedDatabase, Retmode: jsonMode, Term: s.Term, Sort: &s.Sort, Retmax: &s.Max}
	if s.Summaries > 0 {
		params.Usehistory = new("y")
	}
	return params
}

// ArticleHits is the cached result of a search.
type ArticleHits struct {
	Search    entrez.Search         `json:"search"`
	Summaries []entity.ArticleBrief `json:"summaries,omitempty"`
}

// fetchSearch sends a search. If summaries are requested, it reads them from the search's result on the history server, so that they match
// the ids.
func (c *client) fetchSearch(ctx context.Context, searches []ArticleSearch) (source.Reply[ArticleHits], error) {
	s := searches[0]
	found, retrieval, err := decodeWith(c, entrez.ReadSearch)(c.ESearch(ctx, s.params()))
	r := reply[ArticleHits](retrieval)
	if err != nil {
		return r, err
	}
	if found.Count > 0 && len(found.IDs) == 0 && s.Max > 0 {
		return r, c.Unreadable(errors.New("an ESearch with hits and without their ids"))
	}
	hits := &ArticleHits{Search: found}
	if first := found.IDs[:min(s.Summaries, len(found.IDs))]; len(first) > 0 {
		briefs, requests, err := c.summariesOf(ctx, found, first)
		if err != nil {
			return r, err
		}
		r.Requests += requests
		for _, pmid := range first {
			if brief, ok := briefs[pmid]; ok {
				hits.Summaries = append(hits.Summaries, brief)
			}
		}
	}
	hits.Search.WebEnv, hits.Search.QueryKey = "", 0 // NCBI's history expires before our cache entry
	r.Answers[s.key()] = hits
	return r, nil
}

// summariesOf reads the summaries of the first articles of a search from its history. If the search has no history or NCBI has dropped it,
// it reads them by PMID. It also returns the number of requests.
func (c *client) summariesOf(ctx context.Context, found entrez.Search, first []string) (map[string]entity.ArticleBrief, int, error) {
	lost := 0
	if found.WebEnv != "" && found.QueryKey > 0 {
		documents, err := c.documents(ctx, &eutils.ESummaryParams{
			Db: pubmedDatabase, Retmode: jsonMode, Version: new(version),
			WebEnv: &found.WebEnv, QueryKey: new(strconv.Itoa(found.QueryKey)), Retstart: new(0), Retmax: new(len(first)),
		})
		if !source.Refused(err) {
			return documents.briefs, documents.retrieval.Requests, err
		}
		lost = documents.retrieval.Requests
	}
	documents, err := c.documents(ctx, summaryParams(first))
	return documents.briefs, lost + documents.retrieval.Requests, err
}

// summaryParams returns the parameters for the document summaries of some articles.
func summaryParams(pmids []string) *eutils.ESummaryParams {
	return &eutils.ESummaryParams{Db: pubmedDatabase, Retmode: jsonMode, Version: new(version), Id: &pmids}
}

// documents are the document summaries of one response. A document that cannot be read is neither in briefs nor in missing.
type documents struct {
	briefs    map[string]entity.ArticleBrief
	missing   map[string]bool // ids that NCBI does not have
	retrieval source.Retrieval
}

func (c *client) documents(ctx context.Context, params *eutils.ESummaryParams) (documents, error) {
	body, retrieval, err := c.read(c.ESummary(ctx, params))
	d := documents{briefs: map[string]entity.ArticleBrief{}, retrieval: retrieval}
	if err != nil {
		return d, err
	}
	texts, missing, err := entrez.ReadSummaries(body)
	if err == nil && len(texts)+len(missing) == 0 {
		err = errors.New("an ESummary without documents")
	}
	if err != nil {
		return d, c.Unreadable(err)
	}
	d.missing = setOf(missing)
	for pmid, text := range texts {
		if err := upstream.Working(ctx); err != nil {
			return d, err
		}
		if summary, err := entrez.ReadArticleSummary(text); err == nil {
			d.briefs[pmid] = articles.ArticleBrief(summary)
		}
	}
	return d, nil
}

func (c *client) fetchSummaries(ctx context.Context, pmids []string) (source.Reply[entity.ArticleBrief], error) {
	found, err := c.documents(ctx, summaryParams(pmids))
	r := reply[entity.ArticleBrief](found.retrieval)
	if err != nil {
		return r, ignoreRefusal(err)
	}
	for _, pmid := range pmids {
		if brief, ok := found.briefs[pmid]; ok {
			r.Answers[pmid] = &brief
		} else if !found.missing[pmid] {
			r.Answers[pmid] = nil // not in the response
		}
	}
	return r, nil
}
