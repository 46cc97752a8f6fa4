package trials

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/tool"
)

const (
	// maxRanked is the number of rows of each text, and of the joined list.
	maxRanked = 100
	// flatness is added to each rank, so that the first rows of one text do not outweigh what several texts find.
	flatness = 20
)

// A joinedTrial is a trial that some of the texts found.
type joinedTrial struct {
	entity.TrialSearchCandidate
	score float64
	best  int // rank
}

// searchQueries serves search_trials for several wordings of one question: each is searched with the same filters, and the ranks of a
// trial are joined.
func (s *Trials) searchQueries(ctx context.Context, args tools.SearchTrialsArgs) (answer SearchAnswer, err error) {
	if err := checkQueries(args); err != nil {
		return answer, err
	}
	texts := distinctTexts(args.Queries)
	if len(texts) < len(args.Queries) {
		answer.Add("queries: equal texts were searched once.")
	}
	one := args
	one.Queries, one.Sort, one.Words = nil, "", anyWord
	if len(texts) == 1 {
		one.Query = texts[0]
		single, err := s.SearchTrials(ctx, one)
		single.Notices = slices.Concat(answer.Notices, single.Notices)
		return single, err
	}
	one.PageSize = maxRanked
	found, failures := make([]SearchAnswer, len(texts)), make([]error, len(texts))
	var searches sync.WaitGroup
	for i, text := range texts {
		with := one
		with.Query = text
		searches.Go(func() { found[i], failures[i] = s.SearchTrials(ctx, with) })
	}
	searches.Wait()
	rows, shared, err := joinRanks(texts, found, failures, &answer.Notes)
	if err != nil {
		return answer, err
	}
	answer.Add(shared...)
	answer.Add(fmt.Sprintf("%d different trials among the first %d rows of %d texts.", len(rows), maxRanked, len(texts)))
	answer.Value.Pagination.TotalCount, answer.Value.Pagination.PageSize = new(len(rows)), min(args.PageSize, maxRanked)
	rows = rows[:min(len(rows), answer.Value.Pagination.PageSize)]
	if fits := envelope.FitCount(rows, s.maxAnswer); fits < len(rows) {
		rows = rows[:fits]
		answer.Add(envelope.CutNotice(fits, "candidates"))
	}
	answer.Value.Items = append([]entity.TrialSearchCandidate{}, rows...)
	columns, err := readFields(args.Fields, args.Near != "")
	if err != nil {
		return answer, err
	}
	return answer, showFields(&answer, columns)
}

// checkQueries returns the error for arguments that have no meaning beside several texts.
func checkQueries(args tools.SearchTrialsArgs) error {
	sort := strings.TrimPrefix(args.Sort, "relevance")
	for _, other := range []struct{ name, given string }{{"query", args.Query}, {"cursor", args.Cursor}, {"sort", sort}} {
		if other.given != "" {
			e := envelope.Refuse("queries", strings.Join(args.Queries, "; "), "was given together with %s", other.name).
				Hint("The ranks of all texts are joined in one page.")
			e.Next = entity.Again(tools.SearchTrials, map[string]any{other.name: nil})
			return e
		}
	}
	return nil
}

// distinctTexts returns the texts without those that equal an earlier one but for case and space.
func distinctTexts(given []string) (texts []string) {
	for _, text := range given {
		text = strings.TrimSpace(text)
		if text != "" && !slices.ContainsFunc(texts, func(known string) bool { return strings.EqualFold(known, text) }) {
			texts = append(texts, text)
		}
	}
	return texts
}

// joinRanks returns the trials that some texts found, the best first, and the notices that all texts have. A text that found nothing, or
// that was refused, is named in the notes. The error is that of the first text, if all were refused.
func joinRanks(texts []string, found []SearchAnswer, failures []error, notes *entity.Notes) (
	rows []entity.TrialSearchCandidate, shared []string, err error) {
	trials := map[string]*joinedTrial{}
	answered := 0
	var silent []string
	for i := range texts {
		notes.Count(found[i].Notes)
		if failures[i] != nil {
			notes.Add(fmt.Sprintf("Text %d was not searched: %s", i+1, entity.AsError(failures[i]).Message))
			continue
		}
		if notes.Provenance.DataVersion = found[i].Provenance.DataVersion; answered == 0 {
			shared = found[i].Notices
		}
		answered++
		shared = slices.DeleteFunc(slices.Clone(shared), func(notice string) bool {
			return !slices.Contains(found[i].Notices, notice) || strings.HasPrefix(notice, "words: ")
		})
		if len(found[i].Value.Items) == 0 {
			silent = append(silent, texts[i])
		}
		for at, row := range found[i].Value.Items {
			t := trials[row.ID]
			if t == nil {
				t = &joinedTrial{TrialSearchCandidate: row, best: at}
				t.MatchedWords = nil
				trials[row.ID] = t
			}
			t.score, t.best, t.FoundBy = t.score+1/float64(flatness+at+1), min(t.best, at), append(t.FoundBy, i+1)
		}
	}
	if answered == 0 {
		return nil, nil, failures[0]
	}
	if silent != nil {
		notes.Add("These texts found nothing: " + tool.Listed(silent) + ".")
	}
	ranked := make([]*joinedTrial, 0, len(trials))
	for _, t := range trials {
		ranked = append(ranked, t)
	}
	slices.SortFunc(ranked, func(a, b *joinedTrial) int {
		return cmp.Or(cmp.Compare(b.score, a.score), a.best-b.best, strings.Compare(a.ID, b.ID))
	})
	for _, t := range ranked {
		if t.Row != nil {
			t.Row.FoundBy = t.FoundBy
		}
		rows = append(rows, t.TrialSearchCandidate)
	}
	return rows, shared, nil
}
