package trials

import (
	"context"
	"slices"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/tool"
	"github.com/biofact-mcp/biofact/internal/trials/filters"
	"github.com/biofact-mcp/biofact/internal/trials/many"
	"github.com/biofact-mcp/biofact/internal/trials/results"
)

// A chosen reads the records of the trials that a call names, in one request.
type chosen[T any] struct {
	tool string
	read func(context.Context, []string, *entity.Notes) (map[string]*T, error)
	id   func(*T) string // CURIE
}

// records returns the distinct records of ids, in their order. single is the id that the call gives beside them.
func (c chosen[T]) records(ctx context.Context, single string, ids []string, notes *entity.Notes) ([]*T, error) {
	if single != "" {
		return nil, envelope.Refuse("nct_id", single, "was given together with nct_ids").
			Again(c.tool, "with %s", tool.Object("nct_id", nil))
	}
	request, err := many.Read(c.tool, ids)
	if err != nil {
		return nil, err
	}
	known := slices.DeleteFunc(slices.Clone(request.IDs), func(nct string) bool { return nct == filters.PlaceholderNCT })
	records, failure := c.read(ctx, known, notes)
	if request.IDs, err = source.LeaveOut(request.IDs, failure, notes); err != nil {
		return nil, err
	}
	return many.Found(request, records, c.id, notes)
}

// manyTrials serves get_trial for several trials.
func (s *Trials) manyTrials(ctx context.Context, args tools.GetTrialArgs) (answer entity.Answer[entity.Trial], err error) {
	from := chosen[ctgov.Record]{tools.GetTrial, s.sources.Trials.Records, func(r *ctgov.Record) string { return r.ID }}
	records, err := from.records(ctx, args.NCTID, args.NCTIDs, &answer.Notes)
	if err != nil {
		return answer, err
	}
	list := many.NewList(records, from.id, args.PageSize, s.maxAnswer)
	unpaged := args
	unpaged.PageSize, unpaged.Cursor = 0, ""
	if list.At, err = envelope.PageAt(tools.GetTrial, unpaged, args, args.Cursor); err != nil {
		return answer, err
	}
	page, err := list.Page(func(i int) (item many.Item, err error) {
		var notes entity.Notes
		item.JSON, err = s.trialJSON(records[i], args.Sections, &notes)
		item.Notices = notes.Notices
		return item, err
	}, &answer.Notes)
	if err == nil {
		answer.Encoded, err = entity.JSON(page)
	}
	return answer, err
}

// manyResults serves get_trial_results for several trials.
func (s *Trials) manyResults(ctx context.Context, args tools.GetTrialResultsArgs) (answer entity.Answer[entity.TrialResults], err error) {
	id := func(r *entity.TrialResults) string { return r.ID }
	from := chosen[entity.TrialResults]{tools.GetTrialResults, s.sources.Trials.ResultsOf, id}
	found, err := from.records(ctx, args.NCTID, args.NCTIDs, &answer.Notes)
	if err != nil {
		return answer, err
	}
	out, err := results.Many(args, found, s.maxAnswer, &answer.Notes, s.eventNames(ctx, &answer.Notes))
	if err == nil {
		answer.Encoded, err = entity.JSON(out)
	}
	return answer, err
}
