package ctgov

import (
	"context"
	"fmt"

	api "github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mapping/trials"
	"github.com/biofact-mcp/biofact/internal/source"
)

// maxResults limits the ids of a request for results. The largest records have about 4 MB: if a body is too large for the memory, the batch
// requests each half of the ids.
const maxResults = 20

// Results are the posted results of a study in their stored form, separate from its record.
type Results struct {
	Results entity.TrialResults `json:"results"`
	Arms    []entity.Arm        `json:"arms,omitempty"`
	Version string              `json:"version,omitempty"`
}

// withArms returns the results with the registered arms, which are no part of their JSON.
func (r *Results) withArms() *entity.TrialResults {
	results := r.Results
	results.Arms = r.Arms
	return &results
}

// Valid reports whether the results are those of a study.
func (r *Results) Valid() bool { return r.Results.ID != "" }

func fetchResults(ctx context.Context, c *client, ids []string) (source.Reply[Results], error) {
	return fetchStudies(ctx, c, ids, trials.TrialResultsFields(), resultsOf)
}

func resultsOf(study *api.Study) (*Results, error) {
	results, err := trials.TrialResults(study)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errIncomplete, err)
	}
	return &Results{Results: results, Arms: results.Arms, Version: trials.DataVersion(study)}, nil
}
