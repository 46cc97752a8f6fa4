package trials

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/id"
	mapping "github.com/biofact-mcp/biofact/internal/mapping/trials"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/tool"
	"github.com/biofact-mcp/biofact/internal/trials/filters"
)

const (
	minCompared, maxCompared = 2, 12
	// maxComparison limits the bytes of the answer: a comparison has no pages.
	maxComparison = 24_000
	// resultsAspect reads the posted results, which takes further requests.
	resultsAspect = "results"
)

// CompareTrials serves compare_trials.
func (s *Trials) CompareTrials(ctx context.Context, args tools.CompareTrialsArgs) (entity.Answer[entity.TrialComparison], error) {
	var answer entity.Answer[entity.TrialComparison]
	ids, err := comparedIDs(args.NCTIDs, &answer.Notes)
	if err != nil {
		return answer, err
	}
	trials, err := s.comparedTrials(ctx, ids, &answer.Notes)
	if err != nil {
		return answer, err
	}
	for i := range trials {
		answer.Value.Trials = append(answer.Value.Trials,
			entity.ComparedTrial{ID: trials[i].ID, Title: cmp.Or(trials[i].BriefTitle, trials[i].Title)})
	}
	for _, a := range mapping.TrialAspects() {
		if len(args.Aspects) == 0 || slices.Contains(args.Aspects, a.Name) {
			values := func(i int) []string { return a.Values(&trials[i]) }
			answer.Value.Aspects = append(answer.Value.Aspects, compared(a.Name, answer.Value.Trials, values))
		}
	}
	if slices.Contains(args.Aspects, resultsAspect) {
		headlines, err := s.headlines(ctx, trials, &answer.Notes)
		if err != nil {
			return answer, err
		}
		answer.Value.Aspects = append(answer.Value.Aspects,
			compared(resultsAspect, answer.Value.Trials, func(i int) []string { return headlines[i] }))
	} else if slices.ContainsFunc(trials, func(t entity.Trial) bool { return t.HasResults != nil && *t.HasResults }) {
		answer.Add(`Some of these trials have posted results. For their first primary outcome call compare_trials with ` +
			`{"aspects":["results"],"nct_ids":["` + strings.Join(ids, `","`) + `"]}.`)
	}
	slices.SortStableFunc(answer.Value.Aspects, func(a, b entity.ComparedAspect) int {
		switch {
		case a.Differs == b.Differs:
			return 0
		case a.Differs:
			return -1
		}
		return 1
	})
	s.fitComparison(&answer)
	return answer, nil
}

// comparedIDs returns the ids of the trials to compare. A notice names the texts without a valid id.
func comparedIDs(texts []string, notes *entity.Notes) ([]string, error) {
	ids, notices := filters.TrialIDs(texts)
	if len(ids) == 0 && len(texts) > 0 {
		if _, bad := id.NCT.Find(texts[0]); len(bad) > 0 {
			return nil, envelope.MalformedNCT(entity.InvalidInput, "nct_ids", texts[0], bad)
		}
		return nil, envelope.Refuse("", entity.Cut(texts[0], 200),
			"compare_trials takes resolved NCT ids in the form NCT:00461032, not words or another kind of id").
			As(entity.UnresolvedEntity).Hint("%s", findTrialsHint(texts))
	}
	if len(ids) < minCompared || len(ids) > maxCompared {
		return nil, &entity.Error{
			Code: entity.InvalidInput,
			Message: fmt.Sprintf("nct_ids: compares %d to %d trials, got %d.", minCompared, maxCompared, len(ids)) +
				strings.Join(append([]string{""}, notices...), " "),
			Hint:  comparableHint(ids),
			Input: strings.Join(texts, ", "),
		}
	}
	notes.Add(notices...)
	return ids, nil
}

// findTrialsHint returns a hint with the calls that find the trials of texts without an NCT id.
func findTrialsHint(texts []string) string {
	if kind, _ := id.Recognise(texts[0]); len(texts) == 1 || kind != nil || !envelope.MayFind(texts[0]) {
		return filters.FindTrialHint(tools.CompareTrials, texts[0])
	}
	return tool.OnceForEach(tools.SearchTrials, "query", texts) + " Then call compare_trials with the ids of results."
}

// comparableHint returns the hint for too few or too many ids.
func comparableHint(ids []string) string {
	if len(ids) == 1 {
		return "Call " + tools.GetTrial + " with " + tool.Object("nct_id", id.NCT.CURIE(ids[0])) +
			", or compare_trials with another id, too."
	}
	return fmt.Sprintf("Call compare_trials once for each part of the list, with at most %d ids.", maxCompared)
}

// comparedTrials reads the trials in one request. A notice names the ids without a trial.
func (s *Trials) comparedTrials(ctx context.Context, ids []string, notes *entity.Notes) ([]entity.Trial, error) {
	records, failure := s.sources.Trials.Records(ctx,
		slices.DeleteFunc(slices.Clone(ids), func(nct string) bool { return nct == filters.PlaceholderNCT }), notes)
	ids, err := source.LeaveOut(ids, failure, notes)
	if err != nil {
		return nil, err
	}
	var trials []entity.Trial
	var missing []string
	for _, nct := range ids {
		record := records[nct]
		if record == nil {
			missing = append(missing, id.NCT.CURIE(nct))
			continue
		}
		var t entity.Trial
		if err := json.Unmarshal(record.Trial, &t); err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(trials, func(other entity.Trial) bool { return other.ID == t.ID }) {
			trials = append(trials, t)
		}
	}
	switch {
	case len(trials) >= minCompared:
	case len(missing) == 0 && failure != nil:
		return nil, failure
	case len(missing) == 0:
		return nil, envelope.Refuse("nct_ids", strings.Join(ids, ", "), "all of them are ids of one trial, %s", trials[0].ID).
			Hint("Call %s with %s.", tools.GetTrial, tool.Object("nct_id", trials[0].ID))
	default:
		return nil, envelope.Refuse("", strings.Join(ids, ", "),
			"Only %d of these ids name different trials; ClinicalTrials.gov has no trial %s", len(trials), strings.Join(missing, ", ")).
			As(entity.EntityNotFound).
			Hint("Check the digits of the ids at their source, or call search_trials with words of the trials.")
	}
	if len(missing) > 0 {
		notes.Add("ClinicalTrials.gov has no trial " + strings.Join(missing, ", ") + ". The comparison is of the others.")
	}
	return trials, nil
}

// headlines returns the headline of each trial's posted results.
func (s *Trials) headlines(ctx context.Context, trials []entity.Trial, notes *entity.Notes) ([][]string, error) {
	var ids []string
	for _, t := range trials {
		nct, _ := id.NCT.Read(t.ID)
		ids = append(ids, nct)
	}
	posted := slices.Clone(ids)
	for i := len(trials) - 1; i >= 0; i-- {
		if t := trials[i]; t.HasResults == nil || !*t.HasResults {
			posted = slices.Delete(posted, i, i+1)
		}
	}
	results, err := s.sources.Trials.ResultsOf(ctx, posted, notes)
	if err != nil {
		return nil, err
	}
	out := make([][]string, len(trials))
	for i, nct := range ids {
		if trials[i].HasResults != nil {
			out[i] = []string{"no results posted"}
		}
		if r := results[nct]; r != nil {
			out[i] = mapping.ResultsHeadline(r)
		}
	}
	return out, nil
}

// compared returns one aspect of all trials.
func compared(name string, trials []entity.ComparedTrial, values func(int) []string) entity.ComparedAspect {
	aspect := entity.ComparedAspect{Aspect: name}
	first := ""
	for i := range trials {
		items := values(i)
		if len(items) > 0 {
			aspect.Values = append(aspect.Values, entity.ComparedValue{ID: trials[i].ID, Items: items})
		}
		folded := make([]string, len(items))
		for k, item := range items {
			folded[k] = entity.Fold(item)
		}
		slices.Sort(folded)
		if joined := strings.Join(folded, "\n"); i == 0 {
			first = joined
		} else if joined != first {
			aspect.Differs = true
		}
	}
	return aspect
}

// fitComparison cuts the longest cells until the answer fits. A notice has the call that returns the first of them whole.
func (s *Trials) fitComparison(answer *entity.Answer[entity.TrialComparison]) {
	budget := min(maxComparison, s.maxAnswer) - envelope.ReservedBytes
	first, firstID := "", "" // aspect and trial
	for most := 12; most > 0 && entity.Size(answer.Value) > budget; most -= max(1, most/3) {
		for _, aspect := range answer.Value.Aspects {
			for v := range aspect.Values {
				if cell := &aspect.Values[v]; cutCell(cell, most) && first == "" {
					first, firstID = aspect.Aspect, cell.ID
				}
			}
		}
	}
	if first == "" {
		return
	}
	call := tools.GetTrialResults + " with " + tool.Object("nct_id", firstID)
	for _, a := range mapping.TrialAspects() {
		if a.Name == first {
			call = tools.GetTrial + ` with {"nct_id":"` + firstID + `","sections":["` + a.Section + `"]}`
		}
	}
	answer.Add("Cells were cut to keep the size of the answer: cut has how many items are left out, and … ends or divides a text " +
		"that was cut. The first of them whole: call " + call + ", and so for the others.")
}

// cutCell cuts a cell to a number of items, and their texts. It reports whether it changed the cell.
func cutCell(cell *entity.ComparedValue, most int) bool {
	before := cell.Items
	if over := len(cell.Items) - most; over > 0 {
		cell.Items, cell.Cut = cell.Items[:most], cell.Cut+over
	}
	cell.Items = entity.CutApart(cell.Items, 100+20*most)
	return !slices.Equal(before, cell.Items)
}
