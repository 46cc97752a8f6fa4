// Package relax finds trials that have some of the words of a search, where few trials have all of them. It chooses the words that a trial
// may lack, and never changes the search for all words.
package relax

import (
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
)

const (
	// Any is the value of the argument words for trials that may lack some of the words.
	Any = "any"
	// maxListed is the largest number of such trials that are listed to the end.
	maxListed = 2000
	// MaxTrials is the number of trials with all words from which on no others are shown beside them.
	MaxTrials = 10
	// maxNamed is the largest number of words that may be one name.
	maxNamed = 3
)

// An area is an argument whose words a trial may lack, and where the registry looks for them.
type area struct {
	argument, name string
	parameter      func(*ctgov.Query) **string
}

var areas = []area{
	{"query", "BasicSearch", func(q *ctgov.Query) **string { return &q.QueryTerm }},
	{"condition", "ConditionSearch", func(q *ctgov.Query) **string { return &q.QueryCond }},
	{"intervention", "InterventionSearch", func(q *ctgov.Query) **string { return &q.QueryIntr }},
}

// A Search finds the trials that have at least one word of each text of another search.
type Search struct {
	*ctgov.Search // nil: no word may be missing
	trials        *ctgov.Registry
	args          tools.TrialFilters
	words         []word
	first         string   // text whose other names may help: the first short argument, or its first word
	unknown       []string // words that no trial has
}

// New returns the search for the trials that have some of the words of a search. read returns an argument as it was read. Arguments of one
// word each are relaxed together, to the trials that have one of these words, if args has words: any.
func New(ctx context.Context, trials *ctgov.Registry, search *ctgov.Search, args tools.TrialFilters,
	read func(argument string) *query.Text) (*Search, error) {
	s := &Search{trials: trials, args: args}
	loose := *search.Query
	var relaxed []area
	most := 0
	for _, a := range areas {
		if text, parameter := read(a.argument), *a.parameter(&loose); text != nil && parameter != nil && *parameter == text.Expression {
			if n := len(text.BareWords()); n > 0 {
				relaxed, most = append(relaxed, a), max(most, n)
			}
		}
	}
	var err error
	if most == 1 && len(relaxed) > 1 && args.Words == Any {
		err = s.together(ctx, relaxed, &loose, read)
	} else {
		err = s.apart(ctx, relaxed, &loose, read)
	}
	if err != nil {
		return nil, err
	}
	if len(s.words) > 0 && ctgov.QuerySize(&loose, search.Filter) <= ctgov.MaxQuery {
		any := *search
		any.Query, s.Search = &loose, &any
	}
	return s, nil
}

// apart relaxes each argument within itself.
func (s *Search) apart(ctx context.Context, relaxed []area, loose *ctgov.Query, read func(argument string) *query.Text) error {
	for _, a := range relaxed {
		text := read(a.argument)
		words, err := s.wordsOf(ctx, a, text)
		if err != nil {
			return err
		}
		if len(words) == 0 || len(text.BareWords()) == 1 && len(words[0].spellings) == 1 {
			continue
		}
		strict, some := text.Expression, []query.AnySpelling{}
		for _, w := range words {
			some = append(some, query.AnySpelling{Of: w.spellings})
		}
		if len(strict) > maxLength { // no trial has all words of such a text
			strict = ""
		}
		s.words = append(s.words, words...)
		*a.parameter(loose) = new(query.SomeOf(strict, some).String())
	}
	return nil
}

// together relaxes arguments of one word each to one search, where each word keeps its area.
func (s *Search) together(ctx context.Context, relaxed []area, loose *ctgov.Query, read func(argument string) *query.Text) error {
	var all []string
	var some []query.AnySpelling
	for _, a := range relaxed {
		text := read(a.argument)
		words, err := s.wordsOf(ctx, a, text)
		if err != nil {
			return err
		}
		all = append(all, query.Named(a.name, text.BareWords()[0]).String())
		for _, w := range words {
			some = append(some, query.AnySpelling{Area: a.name, Of: w.spellings})
		}
		s.words = append(s.words, words...)
		*a.parameter(loose) = nil
	}
	if len(some) > 0 {
		loose.QueryTerm = new(query.SomeOf(strings.Join(all, " AND "), some).String())
	}
	return nil
}

// wordsOf returns the words of an argument of which a trial may lack some.
func (s *Search) wordsOf(ctx context.Context, a area, text *query.Text) ([]word, error) {
	bare := text.BareWords()
	words := wordsOf(a.name, bare)
	if s.first == "" && len(words) > 0 {
		if s.first = strings.Join(bare, " "); len(bare) > maxNamed {
			s.first = words[0].spellings[0]
		}
	}
	return s.choose(ctx, words)
}

// Several reports whether several words exist of which a trial may lack some. read returns an argument as it was read.
func Several(read func(argument string) *query.Text) bool {
	words := 0
	for _, a := range areas {
		if text := read(a.argument); text != nil {
			words += len(text.BareWords())
		}
	}
	return words > 1
}

// choose leaves out the words that say least: the most common ones if the numbers of trials are known, else the last ones.
func (s *Search) choose(ctx context.Context, words []word) ([]word, error) {
	shares := map[string]float64{}
	for _, w := range words {
		uses, err := s.trials.WordUses(ctx, w.area, w.spellings, nil)
		if err != nil || len(uses) == 0 {
			return first(words), err
		}
		text := w.spellings[0]
		for _, use := range uses {
			shares[text] += use.Share
		}
		if shares[text] == 0 {
			s.unknown = append(s.unknown, text)
		}
	}
	return rare(words, shares), nil
}

// SetMatched sets the words that each trial has: in a local mirror of its record, else of the fields that its row shows. A nil search sets
// none.
func (s *Search) SetMatched(ctx context.Context, rows []entity.TrialSearchCandidate) error {
	if s == nil || len(rows) == 0 {
		return nil
	}
	ids, shown := make([]string, len(rows)), make([]map[string]bool, len(rows))
	for i, row := range rows {
		ids[i], shown[i] = strings.Replace(row.ID, ":", "", 1), map[string]bool{}
		for _, text := range slices.Concat([]string{row.Title, row.BriefSummary}, row.Conditions, row.Interventions) {
			for _, w := range query.Words(text) {
				shown[i][w] = true
			}
		}
	}
	for _, w := range s.words {
		uses, err := s.trials.WordUses(ctx, w.area, w.spellings, ids)
		if err != nil {
			return err
		}
		for i := range rows {
			has := slices.ContainsFunc(uses, func(use ctgov.WordUse) bool { return use.Has[i] })
			if len(uses) == 0 {
				has = slices.ContainsFunc(w.spellings, func(spelling string) bool {
					return !slices.ContainsFunc(query.Words(spelling), func(part string) bool { return !shown[i][part] })
				})
			}
			if text := w.spellings[0]; has && !slices.Contains(rows[i].MatchedWords, text) {
				rows[i].MatchedWords = append(rows[i].MatchedWords, text)
			}
		}
	}
	return nil
}

// Beside returns the best trials that are not among the strict ones, of which it has the rows and the number, and adds notices. The answer
// has at most size bytes. If the trials cannot be read, a notice says so.
func (s *Search) Beside(ctx context.Context, strict []entity.TrialSearchCandidate, total *int, notes *entity.Notes, size int) (
	beside *entity.RelaxedTrials) {
	beside = &entity.RelaxedTrials{UnknownWords: s.unknown}
	if s.Search != nil {
		var own entity.Notes
		s.Sort, s.PageToken, s.CountTotal, s.PageSize = &[]string{"@relevance"}, nil, new(true), new(int32(MaxTrials))
		page, err := s.trials.Page(ctx, s.Search, &own)
		notes.Provenance.UpstreamRequests += own.Provenance.UpstreamRequests
		if err == nil {
			beside.Items = slices.DeleteFunc(page.Candidates, func(c entity.TrialSearchCandidate) bool {
				return slices.ContainsFunc(strict, func(row entity.TrialSearchCandidate) bool { return row.ID == c.ID })
			})
			beside.Items = beside.Items[:min(MaxTrials-len(strict), len(beside.Items))]
			if page.Total != nil && total != nil && !s.RecruitsNear && !s.OnlyIncluded {
				beside.SomeWords = new(max(*page.Total-*total, len(beside.Items)))
			}
			err = s.SetMatched(ctx, beside.Items)
		}
		if err != nil {
			notes.Add(Failed)
			return nil
		}
	}
	beside.Items = beside.Items[:envelope.FitCount(beside.Items, size)]
	s.notices(len(strict), beside, notes)
	if len(beside.Items) == 0 && len(beside.UnknownWords) == 0 {
		return nil
	}
	return beside
}

// Failed is the notice of a search for some words that was not answered.
const Failed = "Trials that have some of the words could not be searched: this answer has only those that have all. For the others make " +
	"the same call again in a minute."

// notices adds how many trials have all words, how many some, and which words none has.
func (s *Search) notices(strict int, beside *entity.RelaxedTrials, notes *entity.Notes) {
	if n := len(beside.Items); n > 0 {
		others := "Others have"
		if beside.SomeWords != nil {
			others = have(*beside.SomeWords, "other has", "others have")
		}
		notes.Add(fmt.Sprintf("%s all words. %s some of them; the best %s in relaxed.items; all of them: %s.",
			have(strict, "trial has", "trials have"), others, have(n, "is", "are"), Call(tools.SearchTrials, s.args, Any)))
	}
	var missing []string
	if len(s.unknown) > 0 {
		missing = append(missing, "No trial has: "+tool.Listed(s.unknown)+".")
	}
	kind, _ := id.Recognise(s.first)
	words := s.first != "" && kind == nil && envelope.MayFind(s.first)
	if strict+len(beside.Items) == 0 && words && !slices.ContainsFunc(s.args.Given(), filtersRows) {
		missing = append(missing, "For other names call "+tools.LookupMesh+" with "+tool.Object("query", s.first)+".")
	}
	if len(missing) > 0 {
		notes.Add(strings.Join(missing, " "))
	}
}

// filtersRows reports whether an argument other than the words may be the reason that no trial is found.
func filtersRows(argument string) bool {
	return argument != "words" && !slices.ContainsFunc(areas, func(a area) bool { return a.argument == argument })
}

// Call returns the call of a tool for the trials with some of the words (Any), or with all ("").
func Call(called string, args tools.TrialFilters, words string) string {
	args.Words = words
	call, err := envelope.FirstPage(called, args)
	if err != nil {
		return called
	}
	return call
}

// SomeWords returns the notice of a tool that found no trial with all words.
func SomeWords(called string) string {
	return "For the trials that have some of the words call " + called + " again with " + tool.Object("words", Any) + "."
}

// CheckListed returns the error for a list of all trials that have some of the words, if they are too many. words is that argument, and
// strict the call for the trials with all words.
func CheckListed(strict, words string, total int) error {
	if words != Any || total <= maxListed {
		return nil
	}
	return envelope.Refuse("words", Any, "%d trials have some of the words, and at most %d such trials are listed to the end", total,
		maxListed).Hint("Call %s, which lists the trials with all words, or give further filters.", strict)
}

// have writes a number with a verb.
func have(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, several)
}
