package trials

import (
	"context"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"
	"github.com/biofact-mcp/biofact/internal/trials/filters"
	"github.com/biofact-mcp/biofact/internal/trials/results"
)

// GetTrialResults serves get_trial_results.
func (s *Trials) GetTrialResults(ctx context.Context, args tools.GetTrialResultsArgs) (entity.Answer[entity.TrialResults], error) {
	var answer entity.Answer[entity.TrialResults]
	nct, err := filters.ReadNCT(tools.GetTrialResults, args.NCTID)
	if err != nil {
		return answer, err
	}
	call, err := results.NewCall(args, nct, s.maxAnswer, &answer.Notes)
	if err != nil {
		return answer, err
	}
	record, err := s.results(ctx, nct, &answer.Notes)
	if err != nil {
		return answer, err
	}
	s.findEventNames(ctx, call, record)
	answer.Value, err = call.Answer(record)
	return answer, err
}

// results returns the posted results of a trial.
func (s *Trials) results(ctx context.Context, nct string, notes *entity.Notes) (*entity.TrialResults, error) {
	if nct == filters.PlaceholderNCT {
		return nil, filters.TrialNotFound(tools.GetTrialResults, nct)
	}
	posted, err := s.sources.Trials.Results(ctx, nct, notes)
	if err != nil {
		return nil, err
	}
	if posted == nil {
		return nil, filters.TrialNotFound(tools.GetTrialResults, nct)
	}
	if posted.ID != id.NCT.CURIE(nct) {
		notes.Add(id.NCT.CURIE(nct) + " is an obsolete id of this trial, which is " + posted.ID + ".")
	}
	return posted, nil
}

// findEventNames finds the MeSH terms of the requested events that the record does not have by the same words: events are recorded by the
// terms of MedDRA, such as "Acute myocardial infarction" for heart attack. If MeSH cannot be read, a notice says so.
func (s *Trials) findEventNames(ctx context.Context, call *results.Call, record *entity.TrialResults) {
	const maxTexts = 5
	missing := call.UnknownEvents(record)
	for _, text := range missing[:min(maxTexts, len(missing))] {
		found, err := s.sources.Mesh.Find(ctx, text, &entity.Notes{})
		if err != nil {
			call.Notes.Add("event: MeSH, which knows other names of events, could not be read.")
			return
		}
		if len(found) > 0 && ncbi.IsMeshName(found[0], text) {
			call.Names[text] = found[0]
		}
	}
}
