package trials

import (
	"context"
	"fmt"
	"slices"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	mapping "github.com/biofact-mcp/biofact/internal/mapping/trials"
	"github.com/biofact-mcp/biofact/internal/ranges"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/trials/filters"
	"github.com/biofact-mcp/biofact/internal/trials/match"
)

// MatchTrials serves match_trials. It reads the first trials of one search, and puts the person beside them here: no fact but the words of
// the search, the age, the sex and the place leaves the process.
func (s *Trials) MatchTrials(ctx context.Context, args tools.MatchTrialsArgs) (
	answer entity.Answer[entity.Page[entity.TrialMatch]], err error) {
	person, err := match.Read(args)
	if err != nil {
		return answer, err
	}
	given, err := person.Filters()
	if err != nil {
		return answer, err
	}
	at, err := envelope.PageAt(tools.MatchTrials, []any{given, person.Digest()}, args, args.Cursor)
	if err != nil {
		return answer, err
	}
	trials, notices, err := s.matched(ctx, person, given, &answer.Notes)
	if err != nil {
		return answer, err
	}
	rows := &envelope.Listing[match.Trial]{At: at, Rows: trials, Key: func(t match.Trial) string { return t.Candidate.ID }}
	size, most := args.PageSize, min(s.maxAnswer, pageBytes)
	if args.AllLines != nil && *args.AllLines {
		size, most = min(size, wholeTrials), min(s.maxAnswer, wholeBytes)
	}
	page := person.Compare(rows.Page(size, &answer.Notes), len(trials) == 1)
	items, _ := envelope.FitPage(page.Rows, "trials", most, &answer.Notes)
	if len(items) == 1 && match.Shorten(&items[0], s.maxAnswer-envelope.ReservedBytes) {
		answer.Add("The last lines of the trial are left out, because they do not fit into an answer. " +
			"get_trial with the section eligibility has them.")
	}
	if args.Cursor == "" {
		answer.Add(slices.Concat(notices, person.PersonNotices())...)
	}
	answer.Add(page.Notices()...)
	answer.Value.Items, answer.Value.Pagination.PageSize = items, size
	next, more := rows.Next(len(items))
	return answer, envelope.FinishPage(&answer.Value.Pagination, next, more)
}

const (
	// pageBytes and wholeBytes limit a page, of touched lines and of all lines.
	pageBytes, wholeBytes = 30_000, 60_000
	// wholeTrials limits the trials of a page with all lines.
	wholeTrials = 5
)

// matched returns the trials to compare, and notices: those of the ids, or those of a search whose structured bounds admit the person. The
// search has neither age nor sex, so that one request shows how many trials these leave out. Only if they leave out most of the first
// trials of a longer list, a second request asks for the others.
func (s *Trials) matched(ctx context.Context, person *match.Person, given tools.TrialFilters, notes *entity.Notes) (
	trials []match.Trial, notices []string, err error) {
	first, err := s.firstTrials(ctx, given, notes)
	if err != nil {
		return nil, nil, err
	}
	all, total := match.Trials(first.Candidates, first.Criteria), *first.Total
	if len(given.NCTIDs) > 0 {
		ids, _ := filters.TrialIDs(given.NCTIDs)
		all, missing := match.InOrder(all, ids)
		if len(all) == 0 {
			return nil, nil, filters.TrialNotFound(tools.MatchTrials, missing[0])
		}
		return all, append(first.notices, match.NoTrial(missing)...), nil
	}
	trials = admitted(person, all)
	left, read := len(all)-len(trials), len(all)
	if total > len(all) && 2*left > len(all) {
		given.Age, given.Sex = person.Admission()
		second, err := s.firstTrials(ctx, given, notes)
		if err != nil {
			return nil, nil, err
		}
		left, total, read = total-*second.Total, *second.Total, len(second.Candidates)
		trials = admitted(person, match.Trials(second.Candidates, second.Criteria))
	}
	notices = append(first.notices, match.Searched(given, total, read, left))
	if total == 0 {
		first.wishes.Given = person.Given(first.wishes.Given)
		notices = append(notices, first.wishes.Advice()...)
	}
	return trials, append(notices, first.relaxed...), nil
}

// admitted returns the trials whose fields admit the age and the sex of the person, as far as they are known.
func admitted(person *match.Person, trials []match.Trial) []match.Trial {
	return slices.DeleteFunc(slices.Clone(trials), func(t match.Trial) bool { return !person.Admits(&t.Criteria) })
}

// A trialPool is the first page of a search.
type trialPool struct {
	*ctgov.Page
	wishes  *filters.Wishes
	notices []string
	relaxed []string // notices about trials that have some of the words
}

// firstTrials reads the first trials of a search.
func (s *Trials) firstTrials(ctx context.Context, given tools.TrialFilters, notes *entity.Notes) (pool trialPool, err error) {
	if pool.wishes, err = filters.Read(tools.MatchTrials, given, ranges.CalendarOf("")); err != nil {
		return pool, err
	}
	var search *ctgov.Search
	if search, pool.notices, err = s.search(ctx, pool.wishes, notes); err != nil {
		return pool, err
	}
	order, _ := readSorting(tools.SearchTrialsArgs{TrialFilters: given}) // its errors are about arguments that are not given
	order.apply(search)
	fields := slices.Concat(*search.Fields, mapping.EligibilityFields())
	search.Fields, search.Eligibility = &fields, true
	search.PageSize, search.CountTotal = new(int32(ctgov.MaxIDs)), new(true)
	if search.FilterIds != nil && !filters.DropPlaceholder(search.Query) {
		pool.Page = &ctgov.Page{Total: new(int)}
		return pool, nil
	}
	pool.Page, err = s.sources.Trials.Page(ctx, search, notes)
	if refused := pool.wishes.Refused(err); refused != nil {
		return pool, refused
	}
	if err == nil && pool.Total == nil {
		err = filters.MissingTotal()
	}
	if err == nil {
		s.addSome(ctx, &pool, search, notes)
	}
	return pool, err
}

// addSome adds the best trials that have some of the words, if few trials have all.
func (s *Trials) addSome(ctx context.Context, pool *trialPool, search *ctgov.Search, notes *entity.Notes) {
	strict := pool.Candidates
	if len(strict) >= maxRelaxed || search.FilterIds != nil {
		return
	}
	loose, err := newRelaxed(ctx, s.sources.Trials, search, pool.wishes)
	if err != nil || loose.Search == nil {
		return
	}
	loose.Sort, loose.PageSize = &[]string{relevanceOrder}, new(int32(2*maxRelaxed))
	page, err := s.sources.Trials.Page(ctx, loose.Search, notes)
	if err != nil {
		pool.relaxed = append(pool.relaxed, relaxedFailed)
		return
	}
	both := *pool.Page // the page may be stored
	for i, c := range page.Candidates {
		known := slices.ContainsFunc(strict, func(row entity.TrialSearchCandidate) bool { return row.ID == c.ID })
		if !known && len(both.Candidates) < maxRelaxed {
			both.Candidates, both.Criteria = append(both.Candidates, c), append(both.Criteria, page.Criteria[i])
		}
	}
	if some := len(both.Candidates) - len(strict); some > 0 {
		pool.relaxed = append(pool.relaxed, fmt.Sprintf("%s all words. %s some of them, behind the others.",
			have(len(strict), "trial has", "trials have"), have(some, "other has", "others have")))
	}
	pool.Page = &both
}
