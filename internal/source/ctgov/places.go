package ctgov

import (
	"context"

	api "github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mapping/trials"
	"github.com/biofact-mcp/biofact/internal/place"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// Spots are the coordinates of a place, from the sites of trials at this place.
type Spots struct {
	Spots []place.Spot `json:"spots"`
	// Code is the ZIP code that was used instead if the place's own code has no site.
	Code string `json:"code,omitempty"`
}

// Valid reports whether the place was found.
func (s *Spots) Valid() bool { return len(s.Spots) > 0 }

// fetchPlace requests sites at a place. If a ZIP code has no site, it requests those of neighbouring codes, and uses the nearest number.
func fetchPlace(ctx context.Context, c *client, places []place.Place) (source.Reply[Spots], error) {
	at := places[0]
	reply := source.Reply[Spots]{Answers: map[string]*Spots{}}
	for _, candidates := range append([][]place.Place{{at}}, at.NearbyCodes()...) {
		sites, retrieval, err := c.sitesAt(ctx, candidates)
		if err != nil {
			return reply, err
		}
		reply.Requests += retrieval.Requests
		reply.Fetched = retrieval.Fetched
		spots, near, err := place.FirstWithSites(ctx, candidates, sites)
		if err != nil {
			return reply, err
		}
		if len(spots) > 0 {
			answer := &Spots{Spots: spots}
			if near.Postal != at.Postal {
				answer.Code = near.Postal
			}
			reply.Answers[at.String()] = answer
			break
		}
	}
	return reply, nil
}

// sitesAt returns the sites of trials that have a site at one of the places.
func (c *client) sitesAt(ctx context.Context, places []place.Place) ([]entity.TrialLocation, source.Retrieval, error) {
	const most = 200 // each trial has all of its sites in the answer; fewer give no reliable number of sites of a common name
	var readings []place.Reading
	for _, p := range places {
		readings = append(readings, p.Cities()...)
	}
	fields := trials.PlaceFields()
	params := Written(&Query{Fields: &fields, PageSize: new(int32(most))}, query.AtSite(readings))
	page, retrieval, err := c.listStudies(ctx, &params)
	if err != nil {
		return nil, retrieval, err
	}
	sites, err := sitesOf(ctx, page.Studies)
	return sites, retrieval, err
}

func sitesOf(ctx context.Context, studies []api.Study) (sites []entity.TrialLocation, err error) {
	for i := range studies {
		if err := upstream.Working(ctx); err != nil {
			return nil, err
		}
		all := trials.TrialLocations(&studies[i])
		sites = append(sites, all[:min(len(all), place.MaxSites)]...)
	}
	return sites, nil
}
