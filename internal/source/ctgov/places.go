package ctgov

import (
	"context"

	api "github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mapping"
	"github.com/biofact-mcp/biofact/internal/place"
	"github.com/biofact-mcp/biofact/internal/source"
)

// Spots are where a place was found by the sites of trials there.
type Spots struct {
	Spots []place.Spot `json:"spots"`
	// Code is the ZIP code that was taken because the place's own has no site.
	Code string `json:"code,omitempty"`
}

// Valid reports whether a place was found.
func (s *Spots) Valid() bool { return len(s.Spots) > 0 }

// Places returns where a postal code or a city is; nil: no site is there. Places
// do not move: they are kept for good.
func (r *Registry) Places(ctx context.Context, at place.Place, notes *entity.Notes) (*Spots, error) {
	return r.places.Get(ctx, at, notes)
}

// fetchPlace asks for sites at a place. Where a ZIP code has none it asks for
// those of the codes beside it, and takes the nearest number.
func fetchPlace(ctx context.Context, c *client, places []place.Place) (source.Reply[Spots], error) {
	at := places[0]
	reply := source.Reply[Spots]{Answers: map[string]*Spots{}}
	for _, candidates := range append([][]place.Place{{at}}, at.NearbyCodes()...) {
		sites, made, err := c.sitesAt(ctx, candidates)
		if err != nil {
			return reply, err
		}
		reply.Requests += made.Requests
		reply.Fetched = made.Fetched
		spots, near, err := place.FirstWithSites(ctx, candidates, sites)
		if err != nil {
			return reply, err
		}
		if len(spots) > 0 {
			answer := &Spots{Spots: spots}
			if near.Code != at.Code {
				answer.Code = near.Code
			}
			reply.Answers[at.String()] = answer
			break
		}
	}
	return reply, nil
}

// sitesAt returns the sites of some trials that have one at any of the places.
func (c *client) sitesAt(ctx context.Context, places []place.Place) ([]entity.TrialLocation, source.Retrieval, error) {
	const trials = 50 // whose sites come with all the others of the trial
	filter, fields := place.Filter(places), mapping.PlaceFields()
	page, made, err := c.listStudies(ctx, &Query{FilterAdvanced: &filter, Fields: &fields, PageSize: new(int32(trials))})
	if err != nil {
		return nil, made, err
	}
	return sitesOf(page.Studies), made, nil
}

func sitesOf(studies []api.Study) (sites []entity.TrialLocation) {
	for i := range studies {
		all := mapping.TrialLocations(&studies[i])
		sites = append(sites, all[:min(len(all), place.MaxSites)]...)
	}
	return sites
}
