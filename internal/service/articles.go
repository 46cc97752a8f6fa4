package service

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/eutils"
	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/mapping"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// wall is how many articles of one search PubMed lists.
const wall = 9999

// SearchPubMedArticles serves searchPubMedArticles.
func (s *Service) SearchPubMedArticles(ctx context.Context, args tools.SearchPubMedArticlesArgs) (entity.Answer[entity.ArticleSearch], error) {
	var answer entity.Answer[entity.ArticleSearch]
	q, asked, notices, err := readArticleQuery(args)
	if err != nil {
		return answer, err
	}
	hits, aged, err := s.articles.search(ctx, q, &answer.Provenance)
	if err != nil {
		return answer, err
	}
	found := hits.Search
	ids := found.IDs[:min(args.MaxResults, len(found.IDs))]
	answer.Notices = slices.Concat(notices, aged, ignored{&found}.notices())
	answer.Value = entity.ArticleSearch{
		SearchParameters: asked, EffectiveESearchTerm: q.Params.Term,
		TotalFound: found.Count, RetrievedPMIDCount: len(ids),
		PMIDs: there(ids), BriefSummaries: there(hits.Summaries),
		ESearchURL: searchURL(&q.Params),
	}
	if summarised := ids[:min(q.Summaries, len(ids))]; len(summarised) > 0 {
		answer.Value.ESummaryURL = summaryURL(summaryParams(summarised))
		if lost := len(summarised) - len(hits.Summaries); lost > 0 {
			answer.Notices = append(answer.Notices, fmt.Sprintf("NCBI gave no summary of %d of these articles; fetchArticleDetails reads them.", lost))
		}
	}
	switch {
	case found.Count == 0:
		answer.Notices = append(answer.Notices, "No article matches. Try fewer or other words"+narrowedBy(args)+".")
	case found.Count > wall:
		answer.Notices = append(answer.Notices, fmt.Sprintf("PubMed lists only the first %d of these %d articles, whatever is asked for. "+
			`To reach others cut the search into slices by date, such as {"dateRange":{"minDate":"2024/01","maxDate":"2024/06"}}.`, wall, found.Count))
	}
	if kept := fitting(answer.Value.BriefSummaries, s.maxAnswer-entity.Size(ids)); kept < len(hits.Summaries) {
		answer.Value.BriefSummaries = answer.Value.BriefSummaries[:kept]
		answer.Notices = append(answer.Notices, cutNotice(kept, "briefSummaries"))
	}
	return answer, nil
}

// there makes a list that is always there of one that may be absent.
func there[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// narrowedBy names the filters that a search without hits could do without.
func narrowedBy(args tools.SearchPubMedArticlesArgs) string {
	var filters []string
	if args.DateRange.MinDate != "" || args.DateRange.MaxDate != "" {
		filters = append(filters, "dateRange")
	}
	if len(args.FilterByPublicationTypes) > 0 {
		filters = append(filters, "filterByPublicationTypes")
	}
	if len(filters) == 0 {
		return ""
	}
	return ", or leave out " + strings.Join(filters, " and ")
}

// The levels of detail of fetchArticleDetails.
const (
	abstractPlus = "abstract_plus"
	fullXML      = "full_xml"
	medlineText  = "medline_text"
	citationData = "citation_data"
)

// FetchArticleDetails serves fetchArticleDetails.
func (s *Service) FetchArticleDetails(ctx context.Context, args tools.FetchArticleDetailsArgs) (entity.Answer[entity.ArticleDetails], error) {
	var answer entity.Answer[entity.ArticleDetails]
	pmids, notices, err := readPMIDs("fetchArticleDetails", args.Pmids)
	if err != nil {
		return answer, err
	}
	mode, kind, read := xmlMode, "", s.articles.texts
	if args.DetailLevel == medlineText {
		mode, kind, read = "text", "medline", s.articles.medlineTexts
	}
	texts, aged, err := read(ctx, slices.DeleteFunc(slices.Clone(pmids), func(id string) bool { return id == "0" }), &answer.Provenance)
	if err != nil {
		return answer, err
	}
	answer.Notices = append(notices, aged...)
	answer.Value = entity.ArticleDetails{RequestedPMIDs: pmids, NotFoundPMIDs: []string{}, EFetchDetails: s.articles.details(fetchParams(mode, kind, pmids))}
	var found []string
	for _, pmid := range pmids {
		if texts[pmid] == nil {
			answer.Value.NotFoundPMIDs = append(answer.Value.NotFoundPMIDs, pmid)
			continue
		}
		found = append(found, pmid)
	}
	if len(found) == 0 {
		answer.Notices = append(answer.Notices, "PubMed has none of these. Check the digits, or search with searchPubMedArticles.")
	}
	var shown int
	switch args.DetailLevel {
	case fullXML:
		answer.Value.MediaType = "application/xml"
		shown = s.content(&answer, found, texts, xmlHead, "", xmlTail)
	case medlineText:
		answer.Value.MediaType = "text/plain"
		shown = s.content(&answer, found, texts, "", "\n\n", "\n")
	default:
		if shown, err = s.readArticles(&answer, found, texts, args); err != nil {
			return answer, err
		}
	}
	if left := found[shown:]; len(left) > 0 {
		answer.Notices = append(answer.Notices, fmt.Sprintf("These did not fit into one answer; to read them call fetchArticleDetails with %s.", pmidsObject(left)))
	}
	return answer, nil
}

// What stands around the records of a PubmedArticleSet.
const (
	xmlHead = "<?xml version=\"1.0\" ?>\n<PubmedArticleSet>"
	xmlTail = "</PubmedArticleSet>\n"
)

// content puts records into an answer as they are, and returns how many of
// those that were found are dealt with. A record cannot be cut: one that is too
// large by itself is told of.
func (s *Service) content(answer *entity.Answer[entity.ArticleDetails], found []string, texts map[string]*articleText, head, between, tail string) (shown int) {
	content := strings.Builder{}
	content.WriteString(head)
	size := envelopeBytes + len(found)*len("12345678,")*3
	for i, pmid := range found {
		text := texts[pmid].Text
		more := entity.Size(text)
		if more+envelopeBytes > s.maxAnswer {
			answer.Notices = append(answer.Notices, fmt.Sprintf("The record of %s is larger than an answer may be, by itself: read it as abstract_plus, or at %s.", pmid, articleURL(pmid)))
			shown = i + 1
			continue
		}
		if size += more; size > s.maxAnswer {
			break
		}
		if content.Len() > len(head) {
			content.WriteString(between)
		}
		content.WriteString(text)
		shown = i + 1
	}
	if content.Len() > len(head) || head != "" {
		content.WriteString(tail)
	}
	answer.Value.Content = new(content.String())
	return shown
}

// readArticles puts records into an answer as articles, and returns how many of
// those that were found are in it.
func (s *Service) readArticles(answer *entity.Answer[entity.ArticleDetails], found []string, texts map[string]*articleText, args tools.FetchArticleDetailsArgs) (shown int, err error) {
	answer.Value.Articles = []entity.Article{}
	size := envelopeBytes + len(found)*len("12345678,")*3
	var retracted, doubted []string
	for _, pmid := range found {
		article, err := readArticle(texts[pmid])
		if err != nil {
			return 0, err
		}
		leaveOut(&article, args)
		if entity.Size(article)+envelopeBytes > s.maxAnswer {
			answer.Notices = append(answer.Notices, fitArticle(&article, s.maxAnswer)...)
		}
		if size += entity.Size(article) + 1; size > s.maxAnswer && len(answer.Value.Articles) > 0 {
			break
		}
		answer.Value.Articles = append(answer.Value.Articles, article)
		if article.Retracted {
			retracted = append(retracted, pmid)
		}
		if article.ExpressionOfConcern {
			doubted = append(doubted, pmid)
		}
	}
	if len(retracted) > 0 {
		answer.Notices = append(answer.Notices, "Retracted: "+strings.Join(retracted, ", ")+". Do not rely on it; corrections names the notice.")
	}
	if len(doubted) > 0 {
		answer.Notices = append(answer.Notices, "The journal expressed concern about "+strings.Join(doubted, ", ")+"; corrections names the notice.")
	}
	return len(answer.Value.Articles), nil
}

// readArticle maps the XML of one article.
func readArticle(text *articleText) (article entity.Article, err error) {
	err = entrez.ReadArticles(strings.NewReader(xmlHead+text.Text+xmlTail), func(record *entrez.Article) error {
		article, err = mapping.Article(record)
		return err
	})
	if err == nil && article.PMID == "" {
		err = mapping.ErrIncomplete
	}
	if err != nil {
		return article, nonsense(ncbiName, err)
	}
	return article, nil
}

// leaveOut takes out what was not asked for.
func leaveOut(a *entity.Article, args tools.FetchArticleDetailsArgs) {
	if !args.IncludeMeshTerms {
		a.MeshTerms = nil
	}
	if args.DetailLevel == citationData {
		*a = entity.Article{
			PMID: a.PMID, Title: a.Title, VernacularTitle: a.VernacularTitle, Authors: a.Authors, AuthorsIncomplete: a.AuthorsIncomplete,
			JournalInfo: a.JournalInfo, Book: a.Book, ElectronicDate: a.ElectronicDate, PublicationStatus: a.PublicationStatus,
			Languages: a.Languages, PublicationTypes: a.PublicationTypes, Retracted: a.Retracted, ExpressionOfConcern: a.ExpressionOfConcern,
			Corrections: a.Corrections, MeshTerms: a.MeshTerms, DOI: a.DOI, PMCID: a.PMCID, PII: a.PII, NCTIDs: a.NCTIDs,
		}
		for i := range a.Authors {
			a.Authors[i].Affiliation, a.Authors[i].Affiliations = "", nil
		}
	} else if !args.IncludeGrantInfo {
		a.GrantList = nil
	}
}

// details tell how the caller could ask for the same.
func (s *articleSource) details(params *eutils.EFetchParams) entity.EFetchDetails {
	request, err := eutils.NewEFetchRequest(canonicalURL, params)
	method := "GET"
	if err == nil && s.identified.Posted(request) {
		method = "POST"
	}
	return entity.EFetchDetails{URLs: []string{shown(request, err)}, RequestMethod: method}
}

// pmidsObject is the argument of a call that reads some articles.
func pmidsObject(pmids []string) string {
	text, err := entity.JSON(map[string][]string{"pmids": pmids})
	if err != nil {
		return tool.Object("pmids", pmids[0])
	}
	return string(text)
}
