// Package ctgov reads ClinicalTrials.gov through its API v2: from the store where
// what it keeps is still exact, else from the registry, in as few requests as
// will do. Its client is private.
package ctgov

import (
	"context"
	"errors"

	api "github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

const (
	// format changes with what Record and Page hold, and so with the mapping.
	format = 2
	// MaxIDs bounds the ids of one request by the length that a URL may have.
	MaxIDs = 100
	// MaxPage is the largest page that the registry gives.
	MaxPage = 1000
	// MaxQuery bounds the query of a URL. The registry's proxy answers 414 to a
	// request line above 8 kB, and a page token has to fit beside.
	MaxQuery = 7500
)

// ErrTooLong is in the chain of the error of a request that the registry found
// too long.
var ErrTooLong = upstream.ErrTooLong

// Registry reads ClinicalTrials.gov. It is safe for concurrent use.
type Registry struct {
	keeper  *source.Keeper
	client  *api.Client
	stamps  *stamps
	records *source.Cache[string, Record] // by NCT id
	pages   *source.Cache[*Query, Page]
}

// New returns a registry. A base URL that cannot be one is an error.
func New(access source.Access) (*Registry, error) {
	client, err := api.NewClient(access.URL, api.WithHTTPClient(access.Requests()))
	if err != nil {
		return nil, err
	}
	keeper, err := access.Keeper(format, "")
	if err != nil {
		return nil, err
	}
	r := &Registry{keeper: keeper, client: client}
	r.stamps = newStamps(keeper, client)
	r.records = source.NewCache(keeper, source.Kind[string, Record]{
		Name: "trial", Max: MaxIDs, Key: func(id string) string { return id }, Current: r.stamps.exact, Fetch: r.fetchRecords,
	})
	r.pages = source.NewCache(keeper, source.Kind[*Query, Page]{
		Name: "search", Max: 1, Key: queryKey, Current: r.stamps.exact, Fetch: r.fetchPage,
	})
	return r, nil
}

// listStudies makes the one request that all trial tools stand on.
func (r *Registry) listStudies(ctx context.Context, query *Query) (*api.PagedStudies, exchange, error) {
	resp, err := r.client.ListStudies(ctx, query)
	if err != nil {
		return nil, exchange{}, err
	}
	defer resp.Body.Close()
	var page api.PagedStudies
	made, err := readJSON(resp, r.keeper.Title, &page)
	if err != nil {
		return nil, made, err
	}
	if page.Studies == nil {
		return nil, made, source.Unreadable(r.keeper.Title, errors.New("an answer without a list of studies"))
	}
	return &page, made, nil
}
