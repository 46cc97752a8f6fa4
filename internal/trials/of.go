package trials

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/ranges"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/tool"
	"github.com/biofact-mcp/biofact/internal/trials/filters"
)

// maxSearched is the largest number of trials of a search that one tool answers.
const maxSearched = 100

// A givenSearch is the search of a call that has the arguments of search_trials in the place of ids.
type givenSearch struct {
	*ctgov.Search
	wishes *filters.Wishes
}

// prepared returns the search of such arguments. Its notices name the argument.
func (s *Trials) prepared(ctx context.Context, args tools.SearchTrialsArgs, notes *entity.Notes) (g givenSearch, err error) {
	order, badOrder := readSorting(args)
	if err = cmp.Or(filters.CheckGiven(args.Given(), ""), badOrder); err != nil {
		return g, filters.ForTool(tools.SearchTrials, err)
	}
	if g.wishes, err = filters.Read(tools.SearchTrials, args.TrialFilters, ranges.CalendarOf("")); err != nil {
		return g, err
	}
	var notices, more []string
	if g.Search, notices, err = s.search(ctx, g.wishes, notes); err != nil {
		return g, err
	}
	order.apply(g.Search)
	_, more, err = s.finish(ctx, g.wishes, g.Search)
	for _, notice := range append(notices, more...) {
		notes.Add("of: " + notice)
	}
	return g, err
}

// page returns the first trials of the search; false: no trial has its ids.
func (g givenSearch) page(ctx context.Context, trials *ctgov.Registry, size int, notes *entity.Notes) (*ctgov.Page, bool, error) {
	if g.FilterIds != nil && !filters.DropPlaceholder(g.Query) {
		return &ctgov.Page{}, false, nil
	}
	g.CountTotal, g.PageSize = new(true), new(int32(size))
	page, err := trials.Page(ctx, g.Search, notes)
	if refused := g.wishes.Refused(err); refused != nil {
		return nil, false, refused
	}
	return page, err == nil, err
}

// noneOf is the notice about a search in the place of ids that no trial matches.
func noneOf(given string) string {
	return "of: no trial matches. To widen the search call " + tools.SearchTrials + " with " + given + "."
}

// searched returns the ids of the first trials of a search, and the number of all. given has the filters, sort and order of
// search_trials as
// JSON. get_trial_results takes the trials with posted results.
func (s *Trials) searched(ctx context.Context, caller, given string, notes *entity.Notes) (ids []string, found int, err error) {
	args, err := readSearched(caller, given)
	if err != nil {
		return nil, 0, err
	}
	search, err := s.prepared(ctx, args, notes)
	if err != nil {
		return nil, 0, err
	}
	page, _, err := search.page(ctx, s.sources.Trials, maxSearched, notes)
	if err != nil {
		return nil, 0, err
	}
	for _, c := range page.Candidates {
		ids = append(ids, strings.Replace(c.ID, ":", "", 1))
	}
	found = len(ids)
	if page.Total != nil {
		found = *page.Total
	}
	switch {
	case found == 0:
		notes.Add(noneOf(given))
	case found > len(ids):
		notes.Add(fmt.Sprintf("of: %d trials match, and the first %d are answered. On the command line biofact export trials writes all.",
			found, len(ids)))
	}
	return ids, found, nil
}

// readSearched reads the arguments of a search in the place of ids.
func readSearched(caller, given string) (args tools.SearchTrialsArgs, err error) {
	refuse := func(why string) envelope.Refusal { return envelope.Refuse("of", given, "%s", why) }
	if err := json.Unmarshal([]byte(given), &args); err != nil {
		return args, refuse("must be the arguments of "+tools.SearchTrials+" as one JSON object").
			Again(caller, "with %s", tool.Object("of", `{"condition":"melanoma"}`))
	}
	if args.Cursor != "" || args.Fields != nil || args.Queries != nil || args.PageSize > 0 {
		args.Cursor, args.Fields, args.Queries, args.PageSize = "", nil, nil, 0
		return args, refuse("takes the filters, sort and order of "+tools.SearchTrials+", not its fields, queries, page_size or cursor").
			Again(caller, "with %s", tool.Object("of", tool.Show(args)))
	}
	if caller == tools.TrialChanges && args.Sort+args.Order != "" {
		args.Sort, args.Order = "", ""
		return args, refuse("takes the filters of "+tools.SearchTrials+", not its sort or order: the newest changes come first").
			Again(caller, "with %s", tool.Object("of", tool.Show(args)))
	}
	if caller != tools.GetTrialResults {
		return args, nil
	}
	if args.HasResults != nil && !*args.HasResults {
		args.HasResults = nil
		return args, refuse("finds trials without posted results").Again(caller, "with %s", tool.Object("of", tool.Show(args)))
	}
	args.HasResults = new(true)
	return args, nil
}
