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

// SearchTrials serves search_trials.
func (s *Trials) SearchTrials(
	ctx context.Context, args tools.SearchTrialsArgs,
) (entity.Answer[entity.Page[entity.TrialSearchCandidate]], error) {
	var answer entity.Answer[entity.Page[entity.TrialSearchCandidate]]
	if args.Cursor != "" && len(args.Given()) == 0 {
		return answer, cursorWithoutQuery(args.Cursor)
	}
	today := ranges.CalendarOf(envelope.CursorDay(args.Cursor))
	search, notices, err := s.sortedSearch(ctx, args, today, &answer.Notes)
	if err != nil {
		return answer, err
	}
	keyed, query := *search, *cmp.Or(search.Given, search.Query)
	keyed.Query, query.Fields, query.Sort = &query, nil, search.Sort // a cursor stays valid if the list of fields changes
	keyed.Near, query.FilterGeo = nil, nil                           // and if a place is found at another point
	at, err := envelope.PageAt(tools.SearchTrials, []any{keyed, args.Near, args.Within}, args, args.Cursor)
	if err != nil {
		return answer, err
	}
	at.Day = today.Day()
	answer.Value.Pagination.PageSize = args.PageSize
	if search.FilterIds != nil && !dropPlaceholder(search.Query) {
		answer.Value.Pagination.TotalCount = new(int)
		answer.Notices = append(notices, "No trial has any of these ids.")
		return answer, nil
	}
	if args.Cursor == "" {
		answer.Notices = notices
	}
	page, err := s.searchPage(ctx, search, at, args, &answer.Notes)
	if err != nil {
		return answer, err
	}
	if args.Cursor == "" {
		answer.Add(firstPageNotices(args.TrialFilters, search.Query, page)...)
	}
	if page.bad > 0 {
		answer.Add(fmt.Sprintf("%d records without NCT id, title or status were left out.", page.bad))
	}
	if fits := envelope.FitCount(page.candidates, s.maxAnswer); fits < len(page.candidates) {
		page.cut(fits)
		answer.Add(envelope.CutNotice(fits, "candidates"))
	}
	candidates := page.candidates
	answer.Value.Items = candidates
	answer.Add(lastKnown(candidates)...)
	if err := envelope.FinishPage(&answer.Value.Pagination, page.next, page.more); err != nil {
		return answer, err
	}
	examined := page.next.Seen - at.Seen
	answer.Add(criteriaNotices(search, candidates, examined, page.bad)...)
	if search.RecruitsNear && examined > 0 {
		answer.Add(recruitingNotice(search, len(candidates), examined, page.next.Total))
		answer.Value.Pagination.TotalCount = nil
	}
	return answer, nil
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
