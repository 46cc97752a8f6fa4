package service

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// SearchTrials serves search_trials.
func (s *Service) SearchTrials(
	ctx context.Context, args tools.SearchTrialsArgs,
) (entity.Answer[entity.Page[entity.TrialSearchCandidate]], error) {
	var answer entity.Answer[entity.Page[entity.TrialSearchCandidate]]
	if args.Cursor != "" && len(args.Given()) == 0 {
		return answer, cursorWithoutQuery(args.Cursor)
	}
	search, notices, err := s.sortedSearch(ctx, args, &answer.Notes)
	if err != nil {
		return answer, err
	}
	keyed, query := *search, *search.Query
	keyed.Query, query.Fields = &query, nil // a cursor stays valid if the list of fields changes
	at, err := pageAt(tools.SearchTrials, keyed, args, args.Cursor)
	if err != nil {
		return answer, err
	}
	answer.Value.Pagination.PageSize = args.PageSize
	if search.FilterIds != nil && !dropPlaceholder(search.Query) {
		answer.Value.Pagination.TotalCount = new(int)
		answer.Notices = append(notices, "No trial has any of these ids.")
		return answer, nil
	}
	if args.Cursor == "" {
		search.CountTotal = new(true)
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
		answer.Notices = append(answer.Notices, fmt.Sprintf("%d records without NCT id, title or status were left out.", page.bad))
	}
	candidates := page.candidates
	if fits := fitCount(candidates, s.maxAnswer); fits < len(candidates) {
		candidates = candidates[:fits]
		page.more, page.next.Token = true, page.at.Token
		page.next.Skip, page.next.Seen = page.rows[fits], page.at.Seen+page.rows[fits]-page.at.Skip
		answer.Notices = append(answer.Notices, cutNotice(fits, "candidates"))
	}
	answer.Value.Items = candidates
	answer.Add(lastKnown(candidates)...)
	if err := finishPage(&answer.Value.Pagination, page.next, page.more); err != nil {
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

// A candidatePage has the candidates of an upstream page from the position of its cursor.
type candidatePage struct {
	candidates []entity.TrialSearchCandidate
	rows       []int  // position of each candidate in the upstream page
	bad        int    // rows that are not valid candidates
	at, next   cursor // of this page and of the next one
	more       bool   // a next page exists
}

// searchPage reads the upstream page of a cursor. Upstream may return an empty page before the last one, or a page whose trials are all
// left out. searchPage skips up to three such pages.
func (s *Service) searchPage(ctx context.Context, search *ctgov.Search, at cursor, args tools.SearchTrialsArgs,
	notes *entity.Notes) (candidatePage, error) {
	const maxEmpty = 3
	for empty := 0; ; empty++ {
		search.PageToken = tool.Value(at.Token)
		search.PageSize = new(int32(min(args.PageSize+at.Skip, ctgov.MaxPage)))
		page, err := s.sources.Trials.Page(ctx, search, notes)
		if e := refusedSearch(tools.SearchTrials, err, args); e != nil {
			return candidatePage{}, e
		}
		if err != nil {
			return candidatePage{}, err
		}
		skip := min(at.Skip, page.Count)
		next := cursor{Query: at.Query, Token: page.Token, Total: page.Total, Seen: at.Seen + page.Count - skip}
		if next.Total == nil {
			next.Total = at.Total
		}
		// Upstream also returns a token after the last row.
		more := next.Token != "" && (next.Total == nil || next.Seen < *next.Total)
		first, _ := slices.BinarySearch(page.Rows, skip)
		before, _ := slices.BinarySearch(page.LeftOut, skip)
		leftOut := len(page.LeftOut) - before
		if page.Count > skip+leftOut || !more || empty == maxEmpty {
			return candidatePage{
				candidates: page.Candidates[first:], rows: page.Rows[first:],
				bad: page.Count - skip - leftOut - len(page.Rows[first:]), at: at, next: next, more: more,
			}, nil
		}
		at = next
	}
}

// GetTrial serves get_trial.
func (s *Service) GetTrial(ctx context.Context, args tools.GetTrialArgs) (entity.Answer[entity.Trial], error) {
	var answer entity.Answer[entity.Trial]
	record, err := s.trial(ctx, tools.GetTrial, args.NCTID, &answer.Notes)
	if err != nil {
		return answer, err
	}
	answer.Encoded = pick(trialSections(), record.Trial, args.Sections, &answer.Notes)
	if len(answer.Encoded)+envelopeBytes <= s.maxAnswer {
		return answer, nil
	}
	var trial entity.Trial
	if err := json.Unmarshal(answer.Encoded, &trial); err != nil {
		return answer, err
	}
	cut := fitTrial(&trial, args.Sections, s.maxAnswer)
	answer.Notices = append(answer.Notices, cut...)
	answer.Encoded, err = entity.JSON(trial)
	return answer, err
}

// trial returns the record of an NCT id. A text that is not an id, and an id without a record, are errors.
func (s *Service) trial(ctx context.Context, tool, text string, notes *entity.Notes) (*ctgov.Record, error) {
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

func cutNotice(fits int, what string) string {
	return fmt.Sprintf("The answer was cut to %d %s to stay within its size; the next page continues from there.", fits, what)
}
