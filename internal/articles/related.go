package articles

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"
	"github.com/biofact-mcp/biofact/internal/tool"
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
func (s *Articles) GetArticleRelationships(ctx context.Context,
	args tools.GetArticleRelationshipsArgs) (entity.Answer[entity.ArticleRelationships], error) {
	var answer entity.Answer[entity.ArticleRelationships]
	pmids, err := readSourcePMIDs(args, &answer.Notes)
	if err != nil {
		return answer, err
	}
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
		answer.Suggest("citationStyles was ignored, because relationshipType is "+args.RelationshipType+".",
			entity.Again(tools.GetArticleRelationships, map[string]any{"relationshipType": citationFormats}))
	}
	at, err := envelope.PageAt(tools.GetArticleRelationships, []any{pmid, args.RelationshipType}, args, args.Cursor)
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
		known, err := s.sources.Articles.Briefs.GetAll(ctx, []string{pmid}, &answer.Notes)
		if err != nil {
			return answer, err
		}
		if known[pmid] == nil {
			return answer, envelope.NoArticle(tools.GetArticleRelationships, pmid)
		}
		answer.Add(relation.none)
		if pmc := known[pmid].PMCID; pmc != "" && kind == ncbi.References {
			answer.Add("For the list of references in its full text call " + tools.GetArticleFullText + " with " +
				tool.Show(map[string]any{"id": pmc, "include": []string{"references"}}) + ".")
		}
		return answer, nil
	}
	list := envelope.Listing[ncbi.ArticleLink]{At: at, Rows: links.Links, Key: func(l ncbi.ArticleLink) string { return l.PMID }}
	if !kind.Ranked() {
		list.Past = func(l ncbi.ArticleLink, last string) bool { return entrez.CompareIDs(l.PMID, last) < 0 }
	}
	return answer, s.relatedPage(ctx, &answer, &list, args)
}

// relatedPage adds a page of related articles to an answer, with the cursor of the next page.
func (s *Articles) relatedPage(
	ctx context.Context, answer *entity.Answer[entity.ArticleRelationships], list *envelope.Listing[ncbi.ArticleLink],
	args tools.GetArticleRelationshipsArgs,
) error {
	total := len(list.Rows)
	page := list.Page(args.MaxRelatedResults, &answer.Notes)
	next, more := list.Next(len(page))
	if list.Start == 0 && more {
		answer.Add(
			fmt.Sprintf("These are the first %d of %d articles; pagination.cursor leads to the next.", len(page), total))
	}
	pagination := &entity.ArticlePagination{TotalCount: total}
	answer.Value.Pagination = pagination
	s.describe(ctx, answer, page)
	if !more {
		return nil
	}
	var err error
	pagination.Cursor, err = next.Encode()
	return err
}

// related reads links. NCBI computes scores of similarity at the request, which may take long. If that takes half of the remaining time,
// related reads the same links without scores and sets kind to their kind.
func (s *Articles) related(ctx context.Context, kind *ncbi.LinkKind, pmid string, notes *entity.Notes) (*ncbi.ArticleLinks, error) {
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
func (s *Articles) describe(ctx context.Context, answer *entity.Answer[entity.ArticleRelationships], links []ncbi.ArticleLink) {
	var pmids []string
	for _, link := range links {
		pmids = append(pmids, link.PMID)
	}
	briefs, err := s.sources.Articles.Briefs.GetAll(ctx, pmids, &answer.Notes)
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
