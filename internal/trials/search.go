package trials

import (
	"cmp"
	"context"
	"fmt"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/ranges"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/trials/filters"
)

// SearchTrials serves search_trials.
func (s *Trials) SearchTrials(ctx context.Context, args tools.SearchTrialsArgs) (answer SearchAnswer, err error) {
	if len(args.Queries) > 0 {
		return s.searchQueries(ctx, args)
	}
	order, badOrder := readSorting(args)
	columns, badField := readFields(args.Fields, args.Near != "")
	if err = cmp.Or(filters.CheckGiven(args.Given(), args.Cursor), badOrder, badField); err != nil {
		return answer, filters.ForTool(tools.SearchTrials, err)
	}
	today := ranges.CalendarOf(envelope.CursorDay(args.Cursor))
	w, err := filters.Read(tools.SearchTrials, args.TrialFilters, today)
	if err != nil {
		return answer, err
	}
	search, notices, err := s.search(ctx, w, &answer.Notes)
	if err != nil {
		return answer, err
	}
	chooseFields(search, columns, order.distance)
	order.apply(search)
	at, err := envelope.PageAt(tools.SearchTrials, cursorKey(search, args), args, args.Cursor)
	if err != nil {
		return answer, err
	}
	at.Day = today.Day()
	loose, more, err := s.finish(ctx, w, search)
	if err != nil {
		return answer, err
	}
	notices = append(notices, more...)
	answer.Value.Pagination.PageSize = args.PageSize
	notices = append(notices, order.notices...)
	if notice, none := noTrial(w, search); none {
		answer.Value.Pagination.TotalCount = new(int)
		answer.Notices = append(notices, notice)
		return answer, showFields(&answer, columns)
	}
	if args.Cursor == "" {
		answer.Notices = notices
	}
	page, err := order.page(ctx, &trialWalk{trials: s.sources.Trials, wishes: w, search: search, filter: search.Filter,
		notes: &answer.Notes, at: at}, args.PageSize)
	if err = cmp.Or(err, loose.setMatched(ctx, page.candidates)); err != nil {
		return answer, err
	}
	if args.Cursor == "" {
		answer.Add(firstPageNotices(w, search.Query, page)...)
	}
	if err = s.addPage(&answer, search, page, at.Seen); err != nil {
		return answer, err
	}
	if loose == nil && args.Cursor == "" {
		s.addRelaxed(ctx, &answer, w, search, page)
	}
	return answer, showFields(&answer, columns)
}

// cursorKey returns the part of a call that its cursors belong to: they stay valid if the list of fields changes, if a place is found at
// another point, and if other words may be missing, which depend on the data.
func cursorKey(search *ctgov.Search, args tools.SearchTrialsArgs) []any {
	keyed, params := *search, search.Written()
	keyed.Query, params.Fields, params.Sort = &params, nil, search.Sort
	keyed.Columns = nil
	keyed.Near, params.FilterGeo = nil, nil
	key := []any{keyed, args.Near, args.Within}
	if args.ResultsDue != "" { // the ids that it adds depend on the data
		params.FilterIds = nil
		key = append(key, args.ResultsDue, args.NCTIDs)
	}
	if args.Words == anyWord {
		key = append(key, args.Words)
	}
	return key
}

// addPage adds a page to an answer, as much as fits. seen is the number of trials on the pages before.
func (s *Trials) addPage(answer *SearchAnswer, search *ctgov.Search, page candidatePage, seen int) error {
	if page.bad > 0 {
		answer.Add(fmt.Sprintf("%d records without NCT id, title or status were left out.", page.bad))
	}
	if fits := envelope.FitCount(page.candidates, s.maxAnswer); fits < len(page.candidates) {
		page.cut(fits)
		answer.Add(envelope.CutNotice(fits, "candidates"))
	}
	answer.Value.Items = page.candidates
	answer.Add(lastKnown(page.candidates)...)
	if err := envelope.FinishPage(&answer.Value.Pagination, page.next, page.more); err != nil {
		return err
	}
	examined := page.next.Seen - seen
	if page.complete {
		examined = 0 // a notice about the whole list names the rest
	}
	answer.Add(criteriaNotices(search, page.candidates, examined, page.bad)...)
	if search.RecruitsNear && examined > 0 {
		answer.Add(recruitingNotice(search, len(page.candidates), examined, page.next.Total))
		answer.Value.Pagination.TotalCount = nil
	}
	return nil
}
