// Package ctgov reads ClinicalTrials.gov through its API v2: from the store if its entry is still exact, else from the registry, with few
// requests. Its client is private.
package ctgov

import (
	"context"
	"slices"

	api "github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mapping/trials"
	"github.com/biofact-mcp/biofact/internal/place"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/store"
)

// Registry reads ClinicalTrials.gov. It is safe for concurrent use.
type Registry struct {
	client  *client
	stamps  *stamps
	records *source.Cache[string, Record]  // by NCT id
	results *source.Cache[string, Results] // by NCT id
	pages   *source.Cache[Search, Page]
	places  *source.Cache[place.Place, Spots]
	tallies *source.Cache[Tally, TallyPage]
	mirror  *local
	// mirrored is the registry as the mirror alone answers.
	mirrored *Registry
}

// Options configure a Registry.
type Options struct {
	source.Access
	// Mirror is a local copy of the registry; nil: none.
	Mirror *Mirror
}

// New returns a registry. An invalid base URL is an error.
func New(o Options) (*Registry, error) {
	access := o.Access
	if o.Mirror != nil && o.Mirror.Only {
		access.Store = nil // stored answers are not those of the mirror
	}
	requests, err := api.NewClient(access.URL, api.WithHTTPClient(access.Requests()))
	if err != nil {
		return nil, err
	}
	keeper, err := access.Keeper(format, "")
	if err != nil {
		return nil, err
	}
	r := &Registry{client: &client{requests, keeper, keeper.Title}}
	r.stamps = newStamps(r.client)
	if o.Mirror != nil {
		if r.mirror, err = newLocal(o.Mirror, r.stamps, keeper, access.URL); err != nil {
			return nil, err
		}
		if r.mirrored = r; !o.Mirror.Only {
			only := *o.Mirror
			only.Only = true
			if r.mirrored, err = New(Options{Access: o.Access, Mirror: &only}); err != nil {
				return nil, err
			}
		}
	}
	r.records = source.NewCache(keeper, source.Kind[string, Record]{
		Name: "trial", Max: MaxIDs, Key: func(id string) string { return id }, Current: r.stamps.exact,
		Fetch: live(r, fetchRecords), Local: fromMirror(r, nil, fetchRecords),
	})
	r.results = source.NewCache(keeper, source.Kind[string, Results]{
		Name: "trial results", Max: maxResults, Key: func(id string) string { return id }, Current: r.stamps.exact,
		Fetch: live(r, fetchResults), Local: fromMirror(r, nil, fetchResults),
	})
	r.pages = source.NewCache(keeper, source.Kind[Search, Page]{
		Name: "search", Max: 1, Key: searchKey, Current: r.stamps.exact,
		Fetch: live(r, fetchPage), Local: fromMirror(r, func(s Search) *Query { return s.Query }, fetchPage),
	})
	r.tallies = source.NewCache(keeper, source.Kind[Tally, TallyPage]{
		Name: "count", Max: 1, Key: tallyKey, Current: r.stamps.exact,
		Fetch: live(r, fetchTally), Local: fromMirror(r, func(t Tally) *Query { return t.Query }, fetchTally),
	})
	r.places = source.NewCache(keeper, source.Kind[place.Place, Spots]{
		Name: "place", Max: 1, Key: place.Place.String,
		Current: func(context.Context, store.Entry, *entity.Notes) (bool, error) { return true, nil },
		Fetch:   live(r, fetchPlace), Local: fromMirror(r, nil, fetchPlace),
	})
	return r, nil
}

// Page returns one page of a search.
func (r *Registry) Page(ctx context.Context, search *Search, notes *entity.Notes) (*Page, error) {
	mine, params := *search, search.Written()
	mine.Query = &params
	page, err := r.pages.Get(ctx, mine, notes)
	if page != nil && page.Version != "" {
		notes.Provenance.DataVersion = page.Version
	}
	return page, err
}

// Places returns the coordinates of a postal code or a city; nil: it has no site. Places do not move, so the entries are always current.
func (r *Registry) Places(ctx context.Context, at place.Place, notes *entity.Notes) (*Spots, error) {
	return r.places.Get(ctx, at, notes)
}

// Record returns the record of a study by its id, NCT00461032, or by an alias; nil: no such study.
func (r *Registry) Record(ctx context.Context, id string, notes *entity.Notes) (*Record, error) {
	record, err := r.records.Get(ctx, id, notes)
	if record != nil {
		notes.Provenance.DataVersion = record.Version
	}
	return record, err
}

// Records returns the records of several studies in one request, by the requested id.
func (r *Registry) Records(ctx context.Context, ids []string, notes *entity.Notes) (map[string]*Record, error) {
	records, err := r.records.GetAll(ctx, ids, notes)
	for _, record := range records {
		if record != nil {
			notes.Provenance.DataVersion = record.Version
		}
	}
	return records, err
}

// Results returns the posted results of a study by its id, or by an alias; nil: no such study.
func (r *Registry) Results(ctx context.Context, id string, notes *entity.Notes) (*entity.TrialResults, error) {
	results, err := r.results.Get(ctx, id, notes)
	if results == nil {
		return nil, err
	}
	notes.Provenance.DataVersion = results.Version
	return results.withArms(), err
}

// ResultsOf returns the posted results of several studies, by the requested id.
func (r *Registry) ResultsOf(ctx context.Context, ids []string, notes *entity.Notes) (map[string]*entity.TrialResults, error) {
	stored, err := r.results.GetAll(ctx, ids, notes)
	all := map[string]*entity.TrialResults{}
	for id, results := range stored {
		if results != nil {
			all[id], notes.Provenance.DataVersion = results.withArms(), results.Version
		}
	}
	return all, err
}

// Tally returns one page of trials to count.
func (r *Registry) Tally(ctx context.Context, tally Tally, notes *entity.Notes) (*TallyPage, error) {
	params, fields := Written(tally.Query, tally.Filter), trials.TrialRowFields(tally.Dimensions)
	params.Fields = &fields
	page, err := r.tallies.Get(ctx, Tally{Query: &params, Dimensions: slices.Clone(tally.Dimensions)}, notes)
	if page != nil && page.Version != "" {
		notes.Provenance.DataVersion = page.Version
	}
	return page, err
}
