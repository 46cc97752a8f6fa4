// Package trials serves the tools for clinical trials: it turns their arguments into queries of the registry, and its records into
// answers. It uses the registry through its package alone, and knows neither genes nor articles.
package trials

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/ranges"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/sources"
)

// Trials serves the tools for clinical trials. It is safe for concurrent use.
type Trials struct {
	sources   sources.Sources
	maxAnswer int
}

// New returns the tools for clinical trials. maxAnswer limits an answer in bytes.
func New(from sources.Sources, maxAnswer int) *Trials { return &Trials{from, maxAnswer} }

// A SearchAnswer is the answer of search_trials.
type SearchAnswer = entity.Answer[entity.Page[entity.TrialSearchCandidate]]

// SearchTrials serves search_trials.
func (s *Trials) SearchTrials(ctx context.Context, args tools.SearchTrialsArgs) (answer SearchAnswer, err error) {
	if len(args.Given()) == 0 {
		return answer, withoutCriterion(tools.SearchTrials, args.Cursor)
	}
	today := ranges.CalendarOf(envelope.CursorDay(args.Cursor))
	order, err := readSorting(args)
	if err != nil {
		return answer, err
	}
	w, err := readWishes(tools.SearchTrials, args.TrialFilters, today)
	if err != nil {
		return answer, err
	}
	search, notices, err := s.search(ctx, w, &answer.Notes)
	if err != nil {
		return answer, err
	}
	order.apply(search)
	at, err := envelope.PageAt(tools.SearchTrials, []any{cursorKey(search), args.Near, args.Within}, args, args.Cursor)
	if err != nil {
		return answer, err
	}
	at.Day = today.Day()
	answer.Value.Pagination.PageSize = args.PageSize
	notices = append(notices, order.notices...)
	if search.FilterIds != nil && !dropPlaceholder(search.Query) {
		answer.Value.Pagination.TotalCount = new(int)
		answer.Notices = append(notices, "No trial has any of these ids.")
		return answer, nil
	}
	walk := trialWalk{trials: s.sources.Trials, wishes: w, search: search, filter: search.FilterAdvanced, notes: &answer.Notes,
		at: at, size: args.PageSize, cursor: args.Cursor}
	if args.Cursor == "" {
		answer.Notices = notices
	}
	page, err := walk.page(ctx)
	if err != nil {
		return answer, err
	}
	if args.Cursor == "" {
		answer.Add(w.firstPageNotices(search.Query, page)...)
	}
	return answer, s.addPage(&answer, search, page, at.Seen)
}

// cursorKey returns the part of a search that its cursors belong to: they stay valid if the list of fields changes, and if a place is
// found at another point.
func cursorKey(search *ctgov.Search) ctgov.Search {
	keyed, query := *search, *cmp.Or(search.Given, search.Query)
	keyed.Query, query.Fields, query.Sort = &query, nil, search.Sort
	keyed.Near, query.FilterGeo = nil, nil
	return keyed
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
	answer.Add(criteriaNotices(search, page.candidates, examined, page.bad)...)
	if search.RecruitsNear && examined > 0 {
		answer.Add(recruitingNotice(search, len(page.candidates), examined, page.next.Total))
		answer.Value.Pagination.TotalCount = nil
	}
	return nil
}

// withoutCriterion returns the error for a call without any criterion. cursor is that of the call.
func withoutCriterion(caller, cursor string) *entity.Error {
	if cursor != "" {
		return envelope.Refuse("cursor", cursor, "was given without the other arguments of the call that it came from").
			Hint("Make that call again with cursor added. For the first page call search_trials with the other arguments alone.")
	}
	return envelope.Refuse("", "", "%s was called without any criterion", caller).
		Hint("For all trials call %s again with %s, or with at least one of %s.", caller,
			`{"study_type":["INTERVENTIONAL","OBSERVATIONAL","EXPANDED_ACCESS"]}`, alternatives(new(tools.TrialFilters).Names()))
}

// GetTrial serves get_trial.
func (s *Trials) GetTrial(ctx context.Context, args tools.GetTrialArgs) (entity.Answer[entity.Trial], error) {
	var answer entity.Answer[entity.Trial]
	record, err := s.trial(ctx, tools.GetTrial, args.NCTID, &answer.Notes)
	if err != nil {
		return answer, err
	}
	answer.Encoded = envelope.Pick(trialSections(), record.Trial, args.Sections, &answer.Notes)
	if len(answer.Encoded)+envelope.ReservedBytes <= s.maxAnswer {
		return answer, nil
	}
	var trial entity.Trial
	if err := json.Unmarshal(answer.Encoded, &trial); err != nil {
		return answer, err
	}
	cut := fitTrial(&trial, args.Sections, s.maxAnswer)
	answer.Add(cut...)
	answer.Encoded, err = entity.JSON(trial)
	return answer, err
}

// trial returns the record of an NCT id. A text that is not an id, and an id without a record, are errors.
func (s *Trials) trial(ctx context.Context, tool, text string, notes *entity.Notes) (*ctgov.Record, error) {
	nct, err := readNCT(tool, text)
	if err != nil {
		return nil, err
	}
	if nct == placeholderNCT {
		return nil, trialNotFound(tool, nct)
	}
	record, err := s.sources.Trials.Record(ctx, nct, notes)
	if err != nil {
		return nil, err
	}
	if record == nil {
		return nil, trialNotFound(tool, nct)
	}
	if record.ID != id.NCT.CURIE(nct) {
		notes.Add(id.NCT.CURIE(nct) + " is an obsolete id of this trial, which is " + record.ID + ".")
	}
	return record, nil
}

// dropPlaceholder removes placeholderNCT from a lookup, and reports whether any id remains.
func dropPlaceholder(params *ctgov.Query) bool {
	ids := slices.DeleteFunc(slices.Clone(*params.FilterIds), func(nct string) bool { return nct == placeholderNCT })
	params.FilterIds = &ids
	return len(ids) > 0
}

// trialSections returns the sections of get_trial.
var trialSections = sync.OnceValue(envelope.SectionsOf[entity.Trial])
