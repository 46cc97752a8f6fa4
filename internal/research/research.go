// Package research serves the two tools that research modes of hosts call, search and fetch, over the handlers of the other tools. It asks
// no source itself.
package research

import (
	"context"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// Handlers answer for Research.
type Handlers interface {
	tools.TrialsHandlers
	tools.GenesHandlers
	tools.ArticlesHandlers
	VariantsOf(ctx context.Context, ids []string, notes *entity.Notes) ([]entity.GeneVariant, error)
}

// Research serves search and fetch. It is safe for concurrent use.
type Research struct{ handlers Handlers }

// New returns the tools for research modes.
func New(handlers Handlers) *Research { return &Research{handlers} }

// perSource is the number of results that each source gives.
const perSource = 10

// A list asks one source for its best results.
type list func(context.Context, string, *entity.Notes) ([]entity.ResearchResult, error)

// Search serves search. An id finds its record. Words find trials and articles, and genes if they are one symbol; the best of each source
// come in turn.
func (r *Research) Search(ctx context.Context, args tools.SearchArgs) (entity.Answer[entity.ResearchResults], error) {
	answer := entity.Answer[entity.ResearchResults]{Value: entity.ResearchResults{Results: []entity.ResearchResult{}}}
	if read := r.reader(args.Query); read != nil {
		document, err := read(ctx)
		answer.Count(document.Notes)
		if failed := entity.AsError(err); err != nil && failed.Code == entity.EntityNotFound {
			answer.Add(failed.Message)
			return answer, nil
		}
		if found := document.Value; err == nil {
			answer.Value.Results = append(answer.Value.Results, entity.ResearchResult{ID: found.ID, Title: found.Title, URL: found.URL})
		}
		return answer, forResearch(err)
	}
	words := searchWords(args.Query)
	lists := []list{r.trials, r.articles}
	if looksLikeSymbol.MatchString(words) {
		lists = slices.Insert(lists, 0, r.genes)
	}
	found, failed := make([][]entity.ResearchResult, len(lists)), error(nil)
	for i, ask := range lists {
		var err error
		if found[i], err = ask(ctx, words, &answer.Notes); err != nil {
			failed = forResearch(err)
			answer.Add("A source is missing here: " + entity.AsError(err).Message)
		}
	}
	for i := range perSource {
		for _, results := range found {
			if i < len(results) {
				answer.Value.Results = append(answer.Value.Results, results[i])
			}
		}
	}
	if len(answer.Value.Results) == 0 && failed != nil {
		return answer, failed
	}
	if len(answer.Value.Results) == 0 {
		answer.Add("Nothing has all words of " + envelope.Quoted(words) + ". Search again with the two or three that matter most.")
	}
	return answer, nil
}

// forResearch returns an error with a hint that names only the tools for research.
func forResearch(err error) error {
	if err == nil {
		return nil
	}
	e := *entity.AsError(err)
	if e.Code != entity.RateLimited && e.Code != entity.UpstreamError {
		e.Hint = "Call search with the words that matter most, then fetch with the id of a result."
	}
	return &e
}

var (
	// questionWords are words of questions that no record needs to have. A text with operators, tags or phrases stays as it is.
	questionWords = lazyregexp.New(`(?i)\b(?:what|which|who|whom|when|where|why|how|is|are|was|were|do|does|did|can|could|should|has|have|had|be|been|` +
		`the|an?|of|in|on|at|for|from|to|with|by|about|and|or|any|there|that|this|these|between|latest|recent|current|clinical|trials?|stud(?:y|ies)|` +
		`evidence|research|tests?|testing|papers?|articles?|literature|information|tell|me|show|find|list|compare|versus|vs)\b|[?!.,;:](?:\s|$)`)
	queryLanguage   = lazyregexp.New(`["\[\]()]|\b(?:AND|OR|NOT)\b`)
	looksLikeSymbol = lazyregexp.New(`^[A-Za-z][A-Za-z0-9-]{1,14}$`)
)

// searchWords returns the words of a question that a record should have.
func searchWords(query string) string {
	words := strings.Join(strings.Fields(questionWords.ReplaceAllString(query, " ")), " ")
	if queryLanguage.MatchString(query) || words == "" {
		return query
	}
	return words
}

func (r *Research) trials(ctx context.Context, words string, notes *entity.Notes) (results []entity.ResearchResult, err error) {
	found, err := r.handlers.SearchTrials(ctx, tools.SearchTrialsArgs{TrialFilters: tools.TrialFilters{Query: words}, PageSize: perSource})
	notes.Count(found.Notes)
	for _, trial := range found.Value.Items {
		results = append(results, entity.ResearchResult{ID: trial.ID, Title: trial.Title, URL: id.Link(trial.ID)})
	}
	return results, err
}

func (r *Research) articles(ctx context.Context, words string, notes *entity.Notes) (results []entity.ResearchResult, err error) {
	found, err := r.handlers.SearchPubMedArticles(ctx, tools.SearchPubMedArticlesArgs{QueryTerm: words, MaxResults: perSource,
		SortBy: "relevance", FetchBriefSummaries: perSource})
	notes.Count(found.Notes)
	for _, article := range found.Value.BriefSummaries {
		results = append(results, articleResult(article.PMID, article.Title))
	}
	return results, err
}

func (r *Research) genes(ctx context.Context, words string, notes *entity.Notes) (results []entity.ResearchResult, err error) {
	found, err := r.handlers.SearchGenes(ctx, tools.SearchGenesArgs{Query: []string{words}, Organism: "human", PageSize: perSource})
	notes.Count(found.Notes)
	for _, gene := range found.Value.Items {
		results = append(results, geneResult(gene.ID, gene.Symbol, gene.Name))
	}
	return results, err
}
