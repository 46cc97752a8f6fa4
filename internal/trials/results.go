package trials

import (
	"context"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"
	"github.com/biofact-mcp/biofact/internal/trials/filters"
	"github.com/biofact-mcp/biofact/internal/trials/results"
)

// GetTrialResults serves get_trial_results.
func (s *Trials) GetTrialResults(ctx context.Context, args tools.GetTrialResultsArgs) (entity.Answer[entity.TrialResults], error) {
	var answer entity.Answer[entity.TrialResults]
	if len(args.NCTIDs) > 0 || args.Of != "" {
		return s.manyResults(ctx, args)
	}
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
	s.eventNames(ctx, &answer.Notes)(call, record)
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

// eventNames returns a function that gives a call the MeSH terms of the requested events that a record does not have by the same words:
// events are recorded by the terms of MedDRA, such as "Acute myocardial infarction" for heart attack. It asks for each text once. If MeSH
// cannot be read, a notice says so.
func (s *Trials) eventNames(ctx context.Context, notes *entity.Notes) results.Asker {
	const maxTexts = 5
	searched := map[string]*entrez.MeshSummary{}
	return func(call *results.Call, record *entity.TrialResults) {
		for _, text := range call.UnknownEvents(record) {
			if _, known := searched[text]; !known && len(searched) < maxTexts {
				searched[text] = nil
				found, err := s.sources.Mesh.Find(ctx, text, &entity.Notes{})
				if err != nil {
					notes.Add("event: MeSH, which knows other names of events, could not be read.")
					return
				}
				if len(found) > 0 && ncbi.IsMeshName(found[0], text) {
					searched[text] = found[0]
				}
			}
			if searched[text] != nil {
				call.Names[text] = searched[text]
			}
		}
	}
}

// manyResults serves get_trial_results for several trials.
func (s *Trials) manyResults(ctx context.Context, args tools.GetTrialResultsArgs) (answer entity.Answer[entity.TrialResults], err error) {
	from := chosen[entity.TrialResults]{tools.GetTrialResults, s.sources.Trials.ResultsOf,
		func(r *entity.TrialResults) string { return r.ID },
		args.NCTID, args.NCTIDs, args.Of, args.Cursor == ""}
	trials, err := from.readAll(ctx, s, &answer.Notes)
	if err != nil {
		return answer, err
	}
	out, err := results.Many(args, trials, s.maxAnswer, &answer.Notes, s.eventNames(ctx, &answer.Notes))
	if err == nil {
		answer.Encoded, err = entity.JSON(out)
	}
	return answer, err
}
