package service

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/citation"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"
)

// relations are the kinds of links of getArticleRelationships.
var relations = map[string]struct {
	links ncbi.LinkKind
	none  string // what an article without links is told
}{
	"pubmed_similar_articles": {ncbi.SimilarScored, "NCBI has computed no similar articles of this one."},
	"pubmed_citedin":          {ncbi.CitedIn, "NCBI knows no article in PubMed that cites this one. Only articles with full text in PubMed Central are read for that."},
	"pubmed_references":       {ncbi.References, "NCBI knows no references of this article that are in PubMed."},
}

// styles are the citation styles of getArticleRelationships.
var styles = map[string]func(entity.Article) string{
	"ris": citation.RIS, "bibtex": citation.BibTeX, "apa_string": citation.APA, "mla_string": citation.MLA,
}

const defaultStyle = "ris"

// GetArticleRelationships serves getArticleRelationships.
func (s *Service) GetArticleRelationships(ctx context.Context, args tools.GetArticleRelationshipsArgs) (entity.Answer[entity.ArticleRelationships], error) {
	var answer entity.Answer[entity.ArticleRelationships]
	pmid, err := readSourcePMID(args.SourcePmid)
	if err != nil {
		return answer, err
	}
	if pmid == "0" {
		return answer, noArticle(tools.GetArticleRelationships, pmid)
	}
	answer.Value = entity.ArticleRelationships{
		SourcePMID: pmid, RelationshipType: args.RelationshipType, RelatedArticles: []entity.RelatedArticle{}, Citations: map[string]string{},
	}
	relation, ok := relations[args.RelationshipType]
	if !ok {
		return answer, s.cite(ctx, &answer, args.CitationStyles)
	}
	if !slices.Equal(args.CitationStyles, []string{defaultStyle}) {
		answer.Notices = append(answer.Notices, "citationStyles was left out of account: it goes with relationshipType citation_formats.")
	}
	kind := relation.links
	links, err := s.related(ctx, &kind, pmid, &answer.Notes)
	if err != nil {
		return answer, err
	}
	answer.Value.ELinkURL = ncbi.LinkURL(kind, pmid)
	if links.Total == 0 {
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
	first := links.Links[:min(args.MaxRelatedResults, len(links.Links))]
	if links.Total > len(first) {
		answer.Notices = append(answer.Notices, fmt.Sprintf("These are the first %d of %d articles.", len(first), links.Total))
	}
	s.describe(ctx, &answer, first)
	return answer, nil
}

// related reads links. NCBI computes scores of similarity when they are asked
// for, which may take long: what is left of the call then goes to the same
// links without them, and kind is theirs.
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

// describe puts the related articles into an answer, with titles and authors
// where NCBI gives them.
func (s *Service) describe(ctx context.Context, answer *entity.Answer[entity.ArticleRelationships], links []ncbi.ArticleLink) {
	var pmids []string
	for _, link := range links {
		pmids = append(pmids, link.PMID)
	}
	briefs, err := s.sources.Articles.Briefs(ctx, pmids, &answer.Notes)
	if err != nil {
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

// cite puts the citations of the source article into an answer.
func (s *Service) cite(ctx context.Context, answer *entity.Answer[entity.ArticleRelationships], asked []string) error {
	pmid := answer.Value.SourcePMID
	texts, err := s.sources.Articles.Texts(ctx, []string{pmid}, &answer.Notes)
	if err != nil {
		return err
	}
	if texts[pmid] == nil {
		return noArticle(tools.GetArticleRelationships, pmid)
	}
	article, err := s.sources.Articles.Read(texts[pmid])
	if err != nil {
		return err
	}
	for _, style := range asked {
		if text := styles[style](article); text != "" {
			answer.Value.Citations[style] = text
		} else {
			answer.Notices = append(answer.Notices, "The record says too little for a citation in "+style+".")
		}
	}
	if article.Retracted {
		answer.Notices = append(answer.Notices, "This article was retracted.")
	}
	return nil
}
