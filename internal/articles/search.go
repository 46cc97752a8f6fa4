package articles

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// fewArticles is the number of articles below which the spelling is checked.
const fewArticles = 3

// SearchPubMedArticles serves searchPubMedArticles.
func (s *Articles) SearchPubMedArticles(
	ctx context.Context, args tools.SearchPubMedArticlesArgs,
) (entity.Answer[entity.ArticleSearch], error) {
	var answer entity.Answer[entity.ArticleSearch]
	q, err := readArticleQuery(args)
	if err != nil {
		return answer, err
	}
	if args.DateRange.MinDate+args.DateRange.MaxDate == "" { // the kind of no date
		args.DateRange = tools.SearchPubMedArticlesDateRange{}
	}
	at, err := startOf(q, args)
	if err != nil {
		return answer, err
	}
	at.Day = q.day
	answer.Add(q.notices...)
	page, err := s.articlePage(ctx, q, at, args, &answer.Notes)
	if err != nil {
		return answer, err
	}
	if page.walk != nil {
		q.params.SortBy = "entry_date"
	}
	answer.Add(page.found.Ignored()...)
	answer.Value = entity.ArticleSearch{
		SearchParameters: q.params, EffectiveESearchTerm: page.shown.Term, TranslatedQuery: entity.Clean(page.found.QueryTranslation),
		TotalFound: page.found.Count, PMIDs: nonNil(page.ids), BriefSummaries: nonNil(page.summaries),
		ESearchURL: ncbi.SearchURL(page.shown), Pagination: entity.Pagination{PageSize: args.MaxResults},
	}
	if summarised := page.ids[:min(q.search.Summaries, len(page.ids))]; len(summarised) > 0 {
		answer.Value.ESummaryURL = ncbi.SummaryURL(summarised)
		if lost := len(summarised) - len(page.summaries); lost > 0 {
			answer.Add(fmt.Sprintf("NCBI gave no summary of %d of these articles; fetchArticleDetails reads them.", lost))
		}
	}
	if args.Cursor == "" {
		if err := s.adviseSearch(ctx, &answer, q, args, page.found); err != nil {
			return answer, err
		}
	}
	if args.Preprints && args.Cursor == "" {
		if err := s.addPreprints(ctx, &answer, q); err != nil {
			return answer, err
		}
	}
	shown := s.fitSearch(&answer)
	next, more := page.next(shown)
	next.Query, next.Day = at.Query, at.Day
	if !more && page.walk != nil {
		answer.Add(lastPageNotice(next.Seen, *next.Total, page.walk.point.missing))
	}
	return answer, envelope.FinishPage(&answer.Value.Pagination, next, more)
}

// startOf returns where the page of a search starts, from a cursor or a number of articles to skip.
func startOf(q articleQuery, args tools.SearchPubMedArticlesArgs) (envelope.Cursor, error) {
	given := args.Cursor
	rows, skips := strings.CutPrefix(given, tool.Skip)
	if skips {
		given = ""
	}
	at, err := envelope.PageAt(tools.SearchPubMedArticles, q.search.Term, args, given)
	if n, _ := strconv.Atoi(rows); skips && n > 0 && n < maxListed {
		at.Seen, at.Total, at.Token = n, new(maxListed), sortedToken+args.SortBy
	}
	return at, err
}

// adviseSearch adds next steps to a first page.
func (s *Articles) adviseSearch(ctx context.Context, answer *entity.Answer[entity.ArticleSearch], q articleQuery,
	args tools.SearchPubMedArticlesArgs, found entrez.Search) error {
	if err := s.didYouMean(ctx, answer, q, found); err != nil {
		return err
	}
	fewer := ""
	if found.Count < fewArticles && !isCitation(args.QueryTerm) && !q.words.ids && isPlain(args.QueryTerm) {
		var err error
		if fewer, err = s.fewerWords(ctx, args, found, answer.Value.DidYouMean, &answer.Notes); err != nil {
			return err
		}
	}
	other := ""
	if found.Count == 0 {
		other = otherTool(args.QueryTerm)
	}
	switch {
	case other != "":
		answer.Add(other)
	case fewer != "":
		answer.Add(fewer)
	case found.Count == 0 && q.words.dois == nil:
		answer.Add("No article matches. Try fewer or other words" + narrowedBy(args) + "." + entrez.EnglishAdvice(args.QueryTerm) +
			otherNames(args.QueryTerm, found.PhrasesNotFound))
	case found.Count > maxListed:
		answer.Add(fmt.Sprintf("PubMed lists only the first %d of these %d articles in an order. pagination.cursor goes through all the "+
			"others by entry date, the latest first: "+
			"pass it as cursor with the other arguments unchanged, but leave sortBy out. maxResults may be up to 1000.", maxListed,
			found.Count))
	}
	if found.Count > 0 && args.FetchBriefSummaries == 0 {
		answer.Add(fmt.Sprintf(`For titles, authors and dates call searchPubMedArticles again with {"fetchBriefSummaries":%d}.`,
			min(len(answer.Value.PMIDs), maxBriefs)))
	}
	return nil
}

// otherTool returns the call of the tool that reads what a query is: a citation or ids of records; "": it is neither.
func otherTool(query string) string {
	switch kind, ids := id.Recognise(query); {
	case isCitation(query):
		return "queryTerm looks like a citation: " + matchCall(query) + "."
	case kind == id.PMID && len(ids) > 1:
		return "For the articles of these PMIDs " + envelope.CallWith(kind, ids) + "."
	case kind == id.NCT || kind == id.Gene:
		return "No article has this " + kind.Name + ". To read its record " + envelope.CallWith(kind, ids) + "."
	}
	return ""
}

// maxBriefs is the number of summaries that a hint suggests.
const maxBriefs = 20

// didYouMean adds a spelling suggestion if a search has few or unknown words.
func (s *Articles) didYouMean(ctx context.Context, answer *entity.Answer[entity.ArticleSearch], q articleQuery,
	found entrez.Search) (err error) {
	if found.Count < fewArticles || len(found.PhrasesNotFound) > 0 {
		answer.Value.DidYouMean, err = s.spelling(ctx, tools.SearchPubMedArticles, q.words, &answer.Notes)
	}
	return err
}

// spelling returns NCBI's spelling suggestion for plain words, or "". An error of the spelling does not fail the call.
func (s *Articles) spelling(ctx context.Context, toolName string, words articleTerm, notes *entity.Notes) (string, error) {
	trials, _ := id.NCT.Find(words.text)
	if words.ids || trials != nil || id.Bare(words.text) || !envelope.MayFind(words.text) || strings.ContainsAny(words.text, `"[]:*`) {
		return "", nil
	}
	spelling, err := s.sources.Articles.Spellings.Get(ctx, words.text, notes)
	if err != nil && ctx.Err() != nil {
		return "", err
	}
	if err != nil {
		notes.Add("The spelling could not be checked: " + entity.AsError(err).Message)
		return "", nil
	}
	corrected := entity.Clean(spelling.Corrected)
	if corrected != "" {
		notes.Add("To search in the spelling that NCBI suggests call " + toolName + " again with " +
			tool.Object("queryTerm", corrected) + ".")
	}
	return corrected, nil
}

// fitSearch removes the last PMIDs and summaries until the answer fits its limit. It returns the number of remaining PMIDs.
func (s *Articles) fitSearch(answer *entity.Answer[entity.ArticleSearch]) int {
	v := &answer.Value
	ids, summaries := v.PMIDs, v.BriefSummaries
	v.PMIDs, v.BriefSummaries = []string{}, []entity.ArticleBrief{}
	room := s.maxAnswer - entity.Size(answer)
	v.PMIDs = ids[:envelope.FitCount(ids, room)]
	if v.RetrievedPMIDCount = len(v.PMIDs); len(v.PMIDs) < len(ids) {
		answer.Add(envelope.CutNotice(len(v.PMIDs), "PMIDs"))
	}
	room -= entity.Size(v.PMIDs)
	v.BriefSummaries = summaries[:envelope.FitCount(summaries, room)]
	if entity.Size(v.BriefSummaries)+envelope.ReservedBytes/2 > room { // no summary fits
		v.BriefSummaries = v.BriefSummaries[:0]
	}
	if len(v.BriefSummaries) < len(summaries) {
		answer.Add(
			fmt.Sprintf("Only %d briefSummaries fit into an answer; fetchArticleDetails reads the others by PMID.", len(v.BriefSummaries)))
	}
	return len(v.PMIDs)
}

// narrowedBy suggests removing filters from a search without hits.
func narrowedBy(args tools.SearchPubMedArticlesArgs) string {
	var filters []string
	if args.DateRange.MinDate != "" || args.DateRange.MaxDate != "" {
		filters = append(filters, "dateRange")
	}
	if len(args.FilterByPublicationTypes) > 0 {
		filters = append(filters, "filterByPublicationTypes")
	}
	if args.OpenAccess {
		filters = append(filters, "openAccess")
	}
	if len(filters) == 0 {
		return ""
	}
	return ", or leave out " + strings.Join(filters, " and ")
}
