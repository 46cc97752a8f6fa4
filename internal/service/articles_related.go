package service

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"
)

// relations are the kinds of links of getArticleRelationships.
var relations = map[string]struct {
	links ncbi.LinkKind
	none  string // notice for an article without links
}{
	"pubmed_similar_articles": {ncbi.SimilarScored, "NCBI has computed no similar articles of this one."},
	"pubmed_citedin": {ncbi.CitedIn,
		"NCBI knows no article in PubMed that cites this one. Only articles with full text in PubMed Central are read for that."},
	"pubmed_references": {ncbi.References, "NCBI knows no references of this article that are in PubMed."},
}

// GetArticleRelationships serves getArticleRelationships.
func (s *Service) GetArticleRelationships(ctx context.Context,
	args tools.GetArticleRelationshipsArgs) (entity.Answer[entity.ArticleRelationships], error) {
	var answer entity.Answer[entity.ArticleRelationships]
	pmids, notices, err := readSourcePMIDs(args)
	if err != nil {
		return answer, err
	}
	answer.Add(notices...)
	answer.Value = entity.ArticleRelationships{
		SourcePMID: pmids[0], RelationshipType: args.RelationshipType, RelatedArticles: []entity.RelatedArticle{},
		Citations: map[string]string{},
	}
	relation, ok := relations[args.RelationshipType]
	if !ok {
		return answer, s.cite(ctx, &answer, pmids, args)
	}
	pmid := pmids[0]
	if !slices.Equal(args.CitationStyles, []string{defaultStyle}) {
		answer.Notices = append(answer.Notices, "citationStyles was ignored: it goes with relationshipType citation_formats.")
	}
	at, err := pageAt(tools.GetArticleRelationships, []any{pmid, args.RelationshipType}, args.Cursor)
	if err != nil {
		return answer, err
	}
	kind := relation.links
	links, err := s.related(ctx, &kind, pmid, &answer.Notes)
	if err != nil {
		return answer, err
	}
	answer.Value.ELinkURL = ncbi.LinkURL(kind, pmid)
	if len(links.Links) == 0 {
		known, err := s.sources.Articles.Briefs(ctx, []string{pmid}, &answer.Notes)
		if err != nil {
			return answer, err
		}
		if known[pmid] == nil {
			return answer, noArticle(tools.GetArticleRelationships, pmid)
		}
		answer.Add(relation.none)
		return answer, nil
	}
	return answer, s.relatedPage(ctx, &answer, links.Links[start(kind, links.Links, at):],
		cursor{Query: at.Query, Seen: at.Seen, Total: new(len(links.Links))}, args)
}

// start returns the index at which a page begins in a list of links: after the last article of the previous page, at its current position.
func start(kind ncbi.LinkKind, links []ncbi.ArticleLink, at cursor) int {
	if at.Token == "" {
		return 0
	}
	if i := slices.IndexFunc(links, func(l ncbi.ArticleLink) bool { return l.PMID == at.Token }); i >= 0 {
		return i + 1
	}
	if kind.Ranked() {
		return min(at.Seen, len(links))
	}
	i, _ := slices.BinarySearchFunc(links, at.Token, func(l ncbi.ArticleLink, last string) int { return entrez.CompareIDs(last, l.PMID) })
	return i
}

// relatedPage adds a page of related articles to an answer, with the cursor of the next page.
func (s *Service) relatedPage(ctx context.Context, answer *entity.Answer[entity.ArticleRelationships], rest []ncbi.ArticleLink, next cursor,
	args tools.GetArticleRelationshipsArgs) error {
	page := rest[:min(args.MaxRelatedResults, len(rest))]
	if next.Seen == 0 && len(page) < len(rest) {
		answer.Notices = append(answer.Notices,
			fmt.Sprintf("These are the first %d of %d articles; pagination.cursor leads to the next.", len(page), *next.Total))
	}
	pagination := &entity.ArticlePagination{TotalCount: *next.Total}
	answer.Value.Pagination = pagination
	s.describe(ctx, answer, page)
	if len(page) == len(rest) {
		return nil
	}
	next.Seen, next.Token = next.Seen+len(page), page[len(page)-1].PMID
	var err error
	pagination.Cursor, err = next.encode()
	return err
}

// related reads links. NCBI computes scores of similarity at the request, which may take long. If that takes half of the remaining time,
// related reads the same links without scores and sets kind to their kind.
func (s *Service) related(ctx context.Context, kind *ncbi.LinkKind, pmid string, notes *entity.Notes) (*ncbi.ArticleLinks, error) {
	if *kind != ncbi.SimilarScored {
		return s.sources.Articles.Linked(ctx, *kind, pmid, notes)
	}
	scored := ctx
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		scored, cancel = context.WithTimeout(ctx, time.Until(deadline)/2)
		defer cancel()
	}
	links, err := s.sources.Articles.Linked(scored, ncbi.SimilarScored, pmid, notes)
	if err == nil || ctx.Err() != nil {
		return links, err
	}
	*kind = ncbi.Similar
	links, err = s.sources.Articles.Linked(ctx, ncbi.Similar, pmid, notes)
	notes.Add("NCBI gave no scores in time: the articles are in its order of similarity, without score.")
	return links, err
}

// describe adds the related articles to an answer, with the titles and authors that NCBI returns.
func (s *Service) describe(ctx context.Context, answer *entity.Answer[entity.ArticleRelationships], links []ncbi.ArticleLink) {
	var pmids []string
	for _, link := range links {
		pmids = append(pmids, link.PMID)
	}
	briefs, err := s.sources.Articles.Briefs(ctx, pmids, &answer.Notes)
	if _, err = source.Unread(pmids, err); err != nil { // its row remains, without title
		answer.Add("Titles and authors could not be read: " + entity.AsError(err).Message + " fetchArticleDetails reads them by PMID.")
	}
	for _, link := range links {
		related := entity.RelatedArticle{PMID: link.PMID, Score: link.Score, LinkURL: id.PMID.URL(link.PMID)}
		if brief := briefs[link.PMID]; brief != nil {
			related.Title, related.Authors = brief.Title, brief.Authors
		}
		answer.Value.RelatedArticles = append(answer.Value.RelatedArticles, related)
	}
	answer.Value.RetrievedCount = len(links)
}
