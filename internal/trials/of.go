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
	"github.com/biofact-mcp/biofact/internal/tool"
	"github.com/biofact-mcp/biofact/internal/trials/filters"
)

// maxSearched is the largest number of trials of a search that one tool answers.
const maxSearched = 100

// searched returns the ids of the first trials of a search, and the number of all. given has the filters, sort and order of
// search_trials as
// JSON. get_trial_results takes the trials with posted results.
func (s *Trials) searched(ctx context.Context, caller, given string, notes *entity.Notes) (ids []string, found int, err error) {
	args, err := readSearched(caller, given)
	if err != nil {
		return nil, 0, err
	}
	order, badOrder := readSorting(args)
	if err = cmp.Or(filters.CheckGiven(args.Given(), ""), badOrder); err != nil {
		return nil, 0, filters.ForTool(tools.SearchTrials, err)
	}
	w, err := filters.Read(tools.SearchTrials, args.TrialFilters, ranges.CalendarOf(""))
	if err != nil {
		return nil, 0, err
	}
	search, notices, err := s.search(ctx, w, notes)
	if err != nil {
		return nil, 0, err
	}
	order.apply(search)
	_, more, err := s.finish(ctx, w, search)
	if err != nil {
		return nil, 0, err
	}
	if search.FilterIds == nil || filters.DropPlaceholder(search.Query) {
		search.CountTotal, search.PageSize = new(true), new(int32(maxSearched))
		page, err := s.sources.Trials.Page(ctx, search, notes)
		if refused := w.Refused(err); refused != nil {
			return nil, 0, refused
		}
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
	}
	for _, notice := range append(notices, more...) {
		notes.Add("of: " + notice)
	}
	switch {
	case found == 0:
		notes.Add("of: no trial matches. To widen the search call " + tools.SearchTrials + " with " + given + ".")
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
	if args.Cursor != "" || args.Fields != nil || args.PageSize > 0 {
		args.Cursor, args.Fields, args.PageSize = "", nil, 0
		return args, refuse("takes the filters, sort and order of "+tools.SearchTrials+", not its fields, page_size or cursor").
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
