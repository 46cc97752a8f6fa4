package ctgov

import (
	"context"
	"encoding/json"

	api "github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mapping"
	"github.com/biofact-mcp/biofact/internal/source"
)

// A Query is what one page of a search is asked with: the parameters of
// /studies.
type Query = api.ListStudiesParams

// A Page is a page of search candidates as it is kept.
type Page struct {
	Candidates []entity.TrialSearchCandidate `json:"candidates"`
	Rows       []int                         `json:"rows"`  // place of each candidate in the registry's page
	Count      int                           `json:"count"` // rows of the registry's page
	Token      string                        `json:"token,omitempty"`
	Total      *int                          `json:"total,omitempty"`
	Version    string                        `json:"version,omitempty"`
}

// Page returns one page of a search.
func (r *Registry) Page(ctx context.Context, query *Query, notes *entity.Notes) (*Page, error) {
	mine := *query // the request may outlast the call, and the caller goes on to the next page
	page, err := r.pages.Get(ctx, &mine, notes)
	if page != nil {
		notes.Provenance.DataVersion = page.Version
	}
	return page, err
}

// QuerySize returns how long the query of the URL is that asks for a page.
func QuerySize(query *Query) int {
	req, err := api.NewListStudiesRequest("https://clinicaltrials.gov", query)
	if err != nil {
		panic(err) // parameters are texts, numbers and lists of them
	}
	return len(req.URL.RawQuery)
}

func queryKey(query *Query) string {
	text, err := json.Marshal(query)
	if err != nil {
		panic(err) // parameters are texts, numbers and lists of them
	}
	return string(text)
}

func (r *Registry) fetchPage(ctx context.Context, queries []*Query) (source.Reply[Page], error) {
	found, made, err := r.client.listStudies(ctx, queries[0])
	if err != nil {
		return source.Reply[Page]{}, err
	}
	page := &Page{Count: len(found.Studies), Token: found.NextPageToken}
	page.Candidates, page.Rows = candidates(found.Studies)
	if found.TotalCount != nil {
		page.Total = new(int(*found.TotalCount))
	}
	if len(found.Studies) > 0 {
		page.Version = mapping.DataVersion(&found.Studies[0])
	}
	return source.Reply[Page]{Answers: map[string]*Page{queryKey(queries[0]): page}, Exchange: made}, nil
}

// candidates maps the studies that can be mapped; rows are the places of the
// candidates among the studies.
func candidates(studies []api.Study) (mapped []entity.TrialSearchCandidate, rows []int) {
	for i := range studies {
		candidate, err := mapping.TrialCandidate(&studies[i])
		if err != nil {
			continue
		}
		mapped, rows = append(mapped, candidate), append(rows, i)
	}
	return mapped, rows
}
