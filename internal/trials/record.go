package trials

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	jsonv1 "github.com/go-json-experiment/json/v1"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/trials/filters"
	"github.com/biofact-mcp/biofact/internal/trials/many"
)

// GetTrial serves get_trial.
func (s *Trials) GetTrial(ctx context.Context, args tools.GetTrialArgs) (entity.Answer[entity.Trial], error) {
	var answer entity.Answer[entity.Trial]
	if len(args.NCTIDs) > 0 || args.Of != "" {
		return s.manyTrials(ctx, args)
	}
	if args.Cursor != "" {
		return answer, envelope.Refuse("cursor", args.Cursor, "is for several trials, and nct_id names one").
			Again(tools.GetTrial, "with %s", `{"cursor":null}`)
	}
	record, err := s.trial(ctx, tools.GetTrial, args.NCTID, &answer.Notes)
	if err != nil {
		return answer, err
	}
	if slices.Contains(args.Sections, Publications) {
		if record, err = s.withPublications(ctx, record, &answer.Notes); err != nil {
			return answer, err
		}
	}
	answer.Encoded, err = s.trialJSON(record, args.Sections, &answer.Notes)
	return answer, err
}

// trialJSON returns the requested sections of a record, as much as fits into an answer. A text that fits is passed on as it was stored.
func (s *Trials) trialJSON(record *ctgov.Record, sections []string, notes *entity.Notes) ([]byte, error) {
	text := envelope.Pick(trialSections(), record.Trial, sections, notes)
	if len(sections) != 1 && record.Limits > maxLimits {
		text = cutLimits(text, record.ID, notes)
	}
	if len(text)+envelope.ReservedBytes <= s.maxAnswer {
		return text, nil
	}
	var trial entity.Trial
	if err := json.Unmarshal(text, &trial); err != nil {
		return nil, err
	}
	notes.Add(fitTrial(&trial, sections, s.maxAnswer)...)
	return entity.JSON(trial)
}

// maxLimits limits the bytes of the limits of criteria beside other sections.
const maxLimits = 8 << 10

// cutLimits leaves out the last limits of a record that has more than maxLimits bytes of them, with a notice.
func cutLimits(record []byte, nct string, notes *entity.Notes) []byte {
	var part struct {
		Criteria struct {
			Limits []json.RawMessage `json:"limits"`
		} `json:"eligibility_criteria"`
	}
	if jsonv1.Unmarshal(record, &part) != nil {
		return record
	}
	limits, size := part.Criteria.Limits, 0
	for i := range limits {
		if size += len(limits[i]) + 1; size <= maxLimits {
			continue
		}
		notes.Add(fmt.Sprintf("eligibility_criteria.limits: the last %d are left out. "+
			`All: %s with {"nct_id":%q,"sections":"eligibility"}`, len(limits)-i, tools.GetTrial, nct))
		all, _ := entity.JSON(limits) // it was decoded from JSON
		fitting, _ := entity.JSON(limits[:i])
		return bytes.Replace(record, all, fitting, 1)
	}
	return record
}

// trial returns the record of an NCT id. A text that is not an id, and an id without a record, are errors.
func (s *Trials) trial(ctx context.Context, tool, text string, notes *entity.Notes) (*ctgov.Record, error) {
	nct, err := filters.ReadNCT(tool, text)
	if err != nil {
		return nil, err
	}
	return s.recordOf(ctx, tool, nct, notes)
}

// recordOf returns the record of a trial. A trial that the registry does not have is an error.
func (s *Trials) recordOf(ctx context.Context, tool, nct string, notes *entity.Notes) (*ctgov.Record, error) {
	if nct == filters.PlaceholderNCT {
		return nil, filters.TrialNotFound(tool, nct)
	}
	record, err := s.sources.Trials.Record(ctx, nct, notes)
	if err != nil {
		return nil, err
	}
	if record == nil {
		return nil, filters.TrialNotFound(tool, nct)
	}
	if record.ID != id.NCT.CURIE(nct) {
		notes.Add(id.NCT.CURIE(nct) + " is an obsolete id of this trial, which is " + record.ID + ".")
	}
	return record, nil
}

// trialSections returns the sections of get_trial.
var trialSections = sync.OnceValue(envelope.SectionsOf[entity.Trial])

// manyTrials serves get_trial for several trials.
func (s *Trials) manyTrials(ctx context.Context, args tools.GetTrialArgs) (answer entity.Answer[entity.Trial], err error) {
	from := chosen[ctgov.Record]{tools.GetTrial, s.sources.Trials.Records, func(r *ctgov.Record) string { return r.ID },
		args.NCTID, args.NCTIDs, args.Of, args.Cursor == ""}
	trials, err := from.readAll(ctx, s, &answer.Notes)
	if err != nil {
		return answer, err
	}
	list := many.NewList(trials.IDs, args.PageSize, s.maxAnswer)
	unpaged := args
	unpaged.PageSize, unpaged.Cursor = 0, ""
	if list.At, err = envelope.PageAt(tools.GetTrial, unpaged, args, args.Cursor); err != nil {
		return answer, err
	}
	if slices.Contains(args.Sections, Publications) && args.Of != "" {
		return answer, envelope.Refuse("of", args.Of, "section %s takes ids, not a search", Publications).
			Again(tools.GetTrial, "with nct_ids, such as ids of search_trials")
	}
	var late []string
	page, err := list.Page(func(i int) (item many.Item, err error) {
		record, err := trials.Record(i)
		if err != nil || record == nil {
			return many.Item{Notices: []string{many.Gone}}, err
		}
		var notes entity.Notes
		if slices.Contains(args.Sections, Publications) {
			if !hasTime(ctx) {
				late = append(late, record.ID)
				return many.Item{}, nil
			}
			if record, err = s.withPublications(ctx, record, &notes); err != nil {
				return item, err
			}
			answer.Count(entity.Notes{Provenance: notes.Provenance})
		}
		item.JSON, err = s.trialJSON(record, args.Sections, &notes)
		item.Notices = notes.Notices
		return item, err
	}, &answer.Notes)
	if err == nil {
		trials.Count(&page.Pagination)
		if late != nil {
			answer.Suggest(unreached(late))
		}
		answer.Encoded, err = entity.JSON(page)
	}
	return answer, err
}
