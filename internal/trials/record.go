package trials

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
)

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

// trialSections returns the sections of get_trial.
var trialSections = sync.OnceValue(envelope.SectionsOf[entity.Trial])
