package trials

import (
	"context"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/trials/filters"
	"github.com/biofact-mcp/biofact/internal/trials/relax"
)

// finish changes a search into that for the trials that have some of the words, or whose results are due, if the call asks for them. It
// returns the search for some of the words, else nil, and notices.
func (s *Trials) finish(ctx context.Context, w *filters.Wishes, search *ctgov.Search) (loose *relax.Search, notices []string, err error) {
	if w.Args.Words == relax.Any {
		if loose, err = relax.New(ctx, s.sources.Trials, search, w.Args, w.Read); err != nil {
			return nil, nil, err
		}
		if loose.Search != nil {
			*search = *loose.Search
		} else {
			loose, notices = nil, []string{"words: any changes nothing here. It applies to several words of query, condition or " +
				"intervention without quotation marks, AND, OR and NOT."}
		}
	}
	due, err := s.onlyDue(ctx, w, search)
	return loose, append(notices, due...), err
}

// addRelaxed adds the best trials that have some of the words, if few trials have all. To rows with requested fields it adds the call.
func (s *Trials) addRelaxed(ctx context.Context, answer *SearchAnswer, w *filters.Wishes, search *ctgov.Search, page candidatePage) {
	if page.more || len(page.candidates) >= relax.MaxTrials || search.FilterIds != nil {
		return
	}
	args := w.Args
	if search.Columns != nil {
		if len(page.candidates) == 0 && relax.Several(w.Read) {
			answer.Add(relax.SomeWords(tools.SearchTrials))
		}
		return
	}
	// A trial without one of two single words is worth showing only where no trial has both.
	if len(page.candidates) == 0 {
		args.Words = relax.Any
	}
	loose, err := relax.New(ctx, s.sources.Trials, search, args, w.Read)
	if err != nil {
		answer.Add(relax.Failed)
		return
	}
	answer.Value.Beside.Relaxed = loose.Beside(ctx, page.candidates, page.next.Total, &answer.Notes, s.maxAnswer-entity.Size(answer))
}
