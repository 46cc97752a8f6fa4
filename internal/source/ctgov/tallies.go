package ctgov

import (
	"cmp"
	"context"

	"github.com/biofact-mcp/biofact/internal/mapping/trials"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// A Tally requests a page of trials to count: its query, and the dimensions whose values are counted.
type Tally struct {
	Query      *Query
	Filter     query.Node `json:"-"` // nil: none
	Dimensions []string
}

// TallyPage is a page of counted trials in its stored form.
type TallyPage struct {
	Rows    []trials.TrialRow `json:"rows"`
	Token   string            `json:"token,omitempty"`
	Total   *int              `json:"total,omitempty"`
	Version string            `json:"version,omitempty"`
	// Revision identifies the data of the page: the version, or the state of the mirror; empty: unknown.
	Revision string `json:"revision,omitempty"`
}

func fetchTally(ctx context.Context, c *client, tallies []Tally) (source.Reply[TallyPage], error) {
	found, retrieval, err := c.listStudies(ctx, tallies[0].Query)
	if err != nil {
		return source.Reply[TallyPage]{}, err
	}
	page := &TallyPage{Token: found.NextPageToken}
	if found.TotalCount != nil {
		page.Total = new(int(*found.TotalCount))
	}
	for i := range found.Studies {
		if err := upstream.Working(ctx); err != nil {
			return source.Reply[TallyPage]{}, err
		}
		page.Rows = append(page.Rows, trials.TrialRowOf(&found.Studies[i], tallies[0].Dimensions))
	}
	page.Version = sharedVersion(found.Studies)
	page.Revision = cmp.Or(retrieval.Revision, page.Version)
	return source.Reply[TallyPage]{Answers: map[string]*TallyPage{tallyKey(tallies[0]): page}, Retrieval: retrieval}, nil
}

// tallyKey ignores the dimensions: the fields of the query determine them.
func tallyKey(t Tally) string { return key(t.Query) }
