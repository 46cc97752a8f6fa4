package trials

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/tool"
	"github.com/biofact-mcp/biofact/internal/trials/filters"
	"github.com/biofact-mcp/biofact/internal/wording"
)

const (
	// anyWord is the value of the argument words for trials that may lack some of the words.
	anyWord = "any"
	// maxAnyListed is the largest number of such trials that are listed to the end.
	maxAnyListed = 2000
	// maxRelaxed is the number of trials with all words from which on no others are shown beside them.
	maxRelaxed = 10
	// maxChosen limits the words of which a trial must have one, and maxChosenLength the characters that they have together.
	maxChosen, maxChosenLength = 24, 1500
	// minChosen is the number of words that are chosen even if many trials have them. Beyond it the rarest words are chosen until the
	// shares of the trials that have them add up to maxShare: more common ones decide little and cost most of the time.
	minChosen, maxShare = 2, 0.3
)

// A relaxable argument is one whose words a trial may lack. The words are looked for in an area of the registry.
type relaxable struct {
	argument, area string
	parameter      func(*ctgov.Query) **string
}

var relaxables = []relaxable{
	{"query", "BasicSearch", func(q *ctgov.Query) **string { return &q.QueryTerm }},
	{"condition", "ConditionSearch", func(q *ctgov.Query) **string { return &q.QueryCond }},
	{"intervention", "InterventionSearch", func(q *ctgov.Query) **string { return &q.QueryIntr }},
}

// A chosenWord is a word of a search that a trial may lack.
type chosenWord struct {
	area, text string
	share      float64 // of the trials that have it, if the mirror knows
}

// A relaxedSearch finds the trials that have some of the words of another search.
type relaxedSearch struct {
	*ctgov.Search // nil: no word may be missing
	trials        *ctgov.Registry
	words         []chosenWord
	unknown       []string // words that no trial has; only a mirror knows them
}

// newRelaxed returns the search for the trials that have some of the words of each argument of several words.
func newRelaxed(ctx context.Context, trials *ctgov.Registry, search *ctgov.Search, w *filters.Wishes) (*relaxedSearch, error) {
	s := &relaxedSearch{trials: trials}
	loose := *search.Query
	for _, a := range relaxables {
		text, parameter := w.Read(a.argument), a.parameter(&loose)
		if text == nil || *parameter == nil || **parameter != text.Expression || len(text.BareWords()) < 2 {
			continue
		}
		chosen, err := s.choose(ctx, a.area, text.BareWords())
		if err != nil {
			return nil, err
		}
		if len(chosen) == 0 {
			continue
		}
		strict, some := text.Expression, []string{}
		if chosen[0].share > 0 || len(strict) > maxChosenLength { // a trial with all words has the chosen ones
			strict = ""
		}
		for _, word := range chosen {
			some = append(some, word.text)
		}
		s.words = append(s.words, chosen...)
		*parameter = new(query.OrAny(strict, some).String())
	}
	if len(s.words) > 0 && ctgov.QuerySize(&loose, search.Filter) <= ctgov.MaxQuery {
		any := *search
		any.Query, s.Search = &loose, &any
	}
	return s, nil
}

// choose returns the words that select trials, each once: without those that are in texts about any person or trial, and without the
// most common ones if the mirror knows the numbers of trials.
func (s *relaxedSearch) choose(ctx context.Context, area string, text []string) (words []chosenWord, err error) {
	for _, generic := range []bool{false, true} { // a text of generic words alone keeps them
		for _, part := range text {
			w := chosenWord{area: area, text: wording.Bare(part)}
			same := func(o chosenWord) bool { return strings.EqualFold(o.text, w.text) }
			if len(query.Words(w.text)) > 0 && wording.Generic(strings.ToLower(w.text)) == generic && !slices.ContainsFunc(words, same) {
				words = append(words, w)
			}
		}
		if len(words) > 0 {
			break
		}
	}
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.text
	}
	shares, known, err := s.trials.WordShares(ctx, area, texts)
	if err != nil || !known {
		return first(words), err
	}
	for i, share := range shares {
		if words[i].share = share; share == 0 {
			s.unknown = append(s.unknown, texts[i])
		}
	}
	return rarest(words), nil
}

// first returns the first words, as many as a search of the registry takes.
func first(words []chosenWord) []chosenWord {
	length := 0
	for i, w := range words {
		if length += len(w.text + " OR "); i == maxChosen || length > maxChosenLength {
			return words[:i]
		}
	}
	return words
}

// rarest returns the words that few trials have, the rarest first.
func rarest(words []chosenWord) []chosenWord {
	words = slices.DeleteFunc(words, func(w chosenWord) bool { return w.share == 0 })
	slices.SortStableFunc(words, func(a, b chosenWord) int { return cmp.Compare(a.share, b.share) })
	sum := 0.0
	for i, w := range words {
		if sum += w.share; i >= minChosen && sum > maxShare {
			return first(words[:i])
		}
	}
	return first(words)
}

// setMatched sets the words that each trial has: in a local mirror of its record, else of the fields that its row shows. A nil search sets
// none.
func (s *relaxedSearch) setMatched(ctx context.Context, rows []entity.TrialSearchCandidate) error {
	if s == nil || len(rows) == 0 {
		return nil
	}
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = strings.Replace(row.ID, ":", "", 1)
	}
	for _, w := range s.words {
		having, known, err := s.trials.WordIn(ctx, w.area, w.text, ids)
		if err != nil {
			return err
		}
		for i, row := range rows {
			if !known {
				texts := slices.Concat([]string{row.Title, row.BriefSummary}, row.Conditions, row.Interventions)
				shown := query.Words(strings.Join(texts, " "))
				having[i] = !slices.ContainsFunc(query.Words(w.text), func(part string) bool { return !slices.Contains(shown, part) })
			}
			if having[i] && !slices.Contains(row.MatchedWords, w.text) {
				rows[i].MatchedWords = append(rows[i].MatchedWords, w.text)
			}
		}
	}
	return nil
}

// finish changes a search into that for the trials that have some of the words, or whose results are due, if the call asks for them. It
// returns the search for some of the words, else nil, and notices.
func (s *Trials) finish(ctx context.Context, w *filters.Wishes, search *ctgov.Search) (loose *relaxedSearch, notices []string, err error) {
	if w.Args.Words == anyWord {
		if loose, err = newRelaxed(ctx, s.sources.Trials, search, w); err != nil {
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

// relaxedFailed is the notice of a search for some words that was not answered.
const relaxedFailed = "Trials that have some of the words could not be searched: this answer has only those that have all. For the " +
	"others make the same call again in a minute."

// addRelaxed adds the best trials that have some of the words, if few trials have all. To rows with requested fields it adds the call.
func (s *Trials) addRelaxed(ctx context.Context, answer *SearchAnswer, w *filters.Wishes, search *ctgov.Search, page candidatePage) {
	strict := page.candidates
	if page.more || len(strict) >= maxRelaxed || search.FilterIds != nil {
		return
	}
	if search.Columns != nil {
		if len(strict) == 0 && severalWords(w) {
			answer.Add(someWords(tools.SearchTrials))
		}
		return
	}
	loose, err := newRelaxed(ctx, s.sources.Trials, search, w)
	if err != nil {
		answer.Add(relaxedFailed)
		return
	}
	beside := &entity.RelaxedTrials{UnknownWords: loose.unknown}
	if loose.Search != nil {
		if err := loose.best(ctx, strict, page.next.Total, beside, &answer.Notes); err != nil {
			answer.Add(relaxedFailed)
			return
		}
	}
	beside.Items = beside.Items[:envelope.FitCount(beside.Items, s.maxAnswer-entity.Size(answer))]
	addRelaxedNotices(w, len(strict), beside, &answer.Notes)
	if len(beside.Items) > 0 || len(beside.UnknownWords) > 0 {
		answer.Value.Beside.Relaxed = beside
	}
}

// best reads the best trials that are not among the strict ones, of which total is the number.
func (s *relaxedSearch) best(ctx context.Context, strict []entity.TrialSearchCandidate, total *int, beside *entity.RelaxedTrials,
	notes *entity.Notes) error {
	var own entity.Notes
	s.Sort, s.PageToken, s.CountTotal, s.PageSize = &[]string{relevanceOrder}, nil, new(true), new(int32(maxRelaxed))
	page, err := s.trials.Page(ctx, s.Search, &own)
	notes.Provenance.UpstreamRequests += own.Provenance.UpstreamRequests
	if err != nil {
		return err
	}
	beside.Items = slices.DeleteFunc(page.Candidates, func(c entity.TrialSearchCandidate) bool {
		return slices.ContainsFunc(strict, func(row entity.TrialSearchCandidate) bool { return row.ID == c.ID })
	})
	beside.Items = beside.Items[:min(maxRelaxed-len(strict), len(beside.Items))]
	if page.Total != nil && total != nil && !s.RecruitsNear && !s.OnlyIncluded {
		beside.SomeWords = new(max(*page.Total-*total, len(beside.Items)))
	}
	return s.setMatched(ctx, beside.Items)
}

// addRelaxedNotices adds how many trials have all words, how many some, and which words none has.
func addRelaxedNotices(w *filters.Wishes, strict int, beside *entity.RelaxedTrials, notes *entity.Notes) {
	if n := len(beside.Items); n > 0 {
		others := "Others have"
		if beside.SomeWords != nil {
			others = have(*beside.SomeWords, "other has", "others have")
		}
		notes.Add(fmt.Sprintf("%s all words. %s some of them; the best %s in relaxed.items; all of them: %s.",
			have(strict, "trial has", "trials have"), others, have(n, "is", "are"), callWith(tools.SearchTrials, w.Args, anyWord)))
	}
	var missing []string
	if len(beside.UnknownWords) > 0 {
		missing = append(missing, "No trial has: "+tool.Listed(beside.UnknownWords)+".")
	}
	if name := onlyName(w); strict+len(beside.Items) == 0 && name != "" {
		missing = append(missing, "For other names call "+tools.LookupMesh+" with "+tool.Object("query", name)+".")
	}
	if len(missing) > 0 {
		notes.Add(strings.Join(missing, " "))
	}
}

// onlyName returns the first text of a few words that may have other names, if nothing but words may be the reason that no trial is found.
func onlyName(w *filters.Wishes) (name string) {
	const most = 3
	for _, argument := range w.Args.Given() {
		text := w.Read(argument)
		if argument == "words" {
			continue
		}
		if !slices.ContainsFunc(relaxables, func(a relaxable) bool { return a.argument == argument }) {
			return ""
		}
		if words := text.BareWords(); name == "" && len(words) <= most {
			name = strings.Join(words, " ")
		}
	}
	if kind, _ := id.Recognise(name); kind != nil || !envelope.MayFind(name) {
		return ""
	}
	return name
}

// severalWords reports whether an argument has several words of which a trial may lack some.
func severalWords(w *filters.Wishes) bool {
	for _, a := range relaxables {
		if text := w.Read(a.argument); text != nil && len(text.BareWords()) > 1 {
			return true
		}
	}
	return false
}

// callWith returns the call of a tool for the trials with some of the words (anyWord), or with all ("").
func callWith(called string, args tools.TrialFilters, words string) string {
	args.Words = words
	call, err := envelope.FirstPage(called, args)
	if err != nil {
		return called
	}
	return call
}

// someWords returns the notice of a tool that found no trial with all words.
func someWords(called string) string {
	return "For the trials that have some of the words call " + called + " again with " + tool.Object("words", anyWord) + "."
}

// CheckListed returns the error for a list of all trials that have some of the words, if they are too many. words is that argument, and
// strict the call for the trials with all words.
func CheckListed(strict, words string, total int) error {
	if words != anyWord || total <= maxAnyListed {
		return nil
	}
	return envelope.Refuse("words", anyWord, "%d trials have some of the words, and at most %d such trials are listed to the end", total,
		maxAnyListed).Hint("Call %s, which lists the trials with all words, or give further filters.", strict)
}

// have writes a number with a verb.
func have(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, several)
}
