package trials

import (
	"context"
	"slices"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/trials/filters"
)

// Raw returns the records of trials, one per line, in the order of their ids.
func (s *Trials) Raw(ctx context.Context, toolName string, ids []string, notes *entity.Notes) (lines []byte, err error) {
	if toolName == tools.CompareTrials {
		ids, err = comparedIDs(ids, notes)
	} else {
		ids = ids[:1]
		ids[0], err = filters.ReadNCT(toolName, ids[0])
	}
	if err != nil {
		return nil, err
	}
	if slices.Contains(ids, filters.PlaceholderNCT) { // the registry refuses a request with this id
		return nil, filters.TrialNotFound(toolName, filters.PlaceholderNCT)
	}
	trials, err := s.sources.Trials.RawTrials(ctx, ids, false)
	if err != nil {
		return nil, err
	}
	for _, nct := range ids {
		i := slices.IndexFunc(trials, func(t ctgov.RawTrial) bool { return t.ID == nct || slices.Contains(t.Aliases, nct) })
		if i < 0 {
			return nil, filters.TrialNotFound(toolName, nct)
		}
		if trials[i].ID != nct {
			notes.Add(id.NCT.CURIE(nct) + " is an obsolete id of this trial, which is " + id.NCT.CURIE(trials[i].ID) + ".")
		}
		line, err := compactLine(trials[i].Record)
		if err != nil {
			return nil, err
		}
		lines = append(append(lines, line...), '\n')
	}
	return lines, nil
}
