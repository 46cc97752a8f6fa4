package service

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/citation"
	"github.com/biofact-mcp/biofact/internal/entity"
)

// relations are the kinds of links of getArticleRelationships.
var relations = map[string]struct {
	links linkKind
	none  string // what an article without links is told
}{
	"pubmed_similar_articles": {similarScored, "NCBI has computed no similar articles of this one."},
	"pubmed_citedin":          {citedIn, "NCBI knows no article in PubMed that cites this one. Only articles with full text in PubMed Central are read for that."},
	"pubmed_references":       {references, "NCBI knows no references of this article that are in PubMed."},
}

// styles are the citation styles of getArticleRelationships.
var styles = map[string]func(entity.Article) string{
	"ris": citation.RIS, "bibtex": citation.BibTeX, "apa_string": citation.APA, "mla_string": citation.MLA,
}

const defaultStyle = "ris"

// GetArticleRelationships serves getArticleRelationships.
func (s *Service) GetArticleRelationships(ctx context.Context, args tools.GetArticleRelationshipsArgs) (entity.Answer[entity.ArticleRelationships], error) {
	var answer entity.Answer[entity.ArticleRelationships]
	pmid, err := readPMID(tools.GetArticleRelationships, args.SourcePmid)
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
	links, aged, err := s.related(ctx, &kind, pmid, &answer.Provenance)
	if err != nil {
		return answer, err
	}
	answer.Value.ELinkURL = linkURL(linkParams(kind, pmid))
	answer.Notices = append(answer.Notices, aged...)
	if links.Total == 0 {
		known, aged, err := s.articles.briefs(ctx, []string{pmid}, &answer.Provenance)
		if err != nil {
			return answer, err
		}
		if known[pmid] == nil {
			return answer, noArticle(tools.GetArticleRelationships, pmid)
		}
		answer.Notices = append(withAge(answer.Notices, aged), relation.none)
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
func (s *Service) related(ctx context.Context, kind *linkKind, pmid string, p *entity.Provenance) (*articleLinks, []string, error) {
	if *kind != similarScored {
		return s.articles.linked(ctx, *kind, pmid, p)
	}
	scored := ctx
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		scored, cancel = context.WithTimeout(ctx, time.Until(deadline)/2)
		defer cancel()
	}
	links, notices, err := s.articles.linked(scored, similarScored, pmid, p)
	if err == nil || ctx.Err() != nil {
		return links, notices, err
	}
	*kind = similar
	links, notices, err = s.articles.linked(ctx, similar, pmid, p)
	return links, append(notices, "NCBI gave no scores in time: the articles are in its order of similarity, without score."), err
}

// describe puts the related articles into an answer, with titles and authors
// where NCBI gives them.
func (s *Service) describe(ctx context.Context, answer *entity.Answer[entity.ArticleRelationships], links []articleLink) {
	var pmids []string
	for _, link := range links {
		pmids = append(pmids, link.PMID)
	}
	briefs, aged, err := s.articles.briefs(ctx, pmids, &answer.Provenance)
	if err != nil {
		aged = []string{"Titles and authors could not be read: " + entity.AsError(err).Message + " fetchArticleDetails reads them by PMID."}
	}
	answer.Notices = withAge(answer.Notices, aged)
	for _, link := range links {
		related := entity.RelatedArticle{PMID: link.PMID, Score: link.Score, LinkURL: articleURL(link.PMID)}
		if brief := briefs[link.PMID]; brief != nil {
			related.Title, related.Authors = brief.Title, brief.Authors
		}
		answer.Value.RelatedArticles = append(answer.Value.RelatedArticles, related)
	}
	answer.Value.RetrievedCount = len(links)
}

// withAge adds notices that are not there yet: links and titles may be of one age.
func withAge(notices, aged []string) []string {
	return append(notices, slices.DeleteFunc(aged, func(n string) bool { return slices.Contains(notices, n) })...)
}

// cite puts the citations of the source article into an answer.
func (s *Service) cite(ctx context.Context, answer *entity.Answer[entity.ArticleRelationships], asked []string) error {
	pmid := answer.Value.SourcePMID
	texts, aged, err := s.articles.texts(ctx, []string{pmid}, &answer.Provenance)
	if err != nil {
		return err
	}
	if texts[pmid] == nil {
		return noArticle(tools.GetArticleRelationships, pmid)
	}
	article, err := readArticle(texts[pmid])
	if err != nil {
		return err
	}
	answer.Notices = append(answer.Notices, aged...)
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
