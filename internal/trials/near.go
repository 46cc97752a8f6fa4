package trials

import (
	"context"
	"fmt"
	"slices"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	mapping "github.com/biofact-mcp/biofact/internal/mapping/trials"
	"github.com/biofact-mcp/biofact/internal/place"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/tool"
	"github.com/biofact-mcp/biofact/internal/trials/filters"
)

// search returns the search for the filters of a call, without its page, and notices. The location of near is found from the sites of the
// registry, which may take further requests.
func (s *Trials) search(ctx context.Context, w *filters.Wishes, notes *entity.Notes) (*ctgov.Search, []string, error) {
	params := *w.Query
	search := &ctgov.Search{Query: &params, Filter: w.Filter, Criteria: w.WordsOf("criteria").Expression,
		OnlyIncluded: w.Args.CriteriaIn != "", RecruitsNear: w.Near.Text != "" && w.Args.RecruitingSite}
	if search.Number = w.Number(); search.Number != nil {
		fields := slices.Concat(*search.Fields, mapping.NumberPieces())
		search.Fields = &fields
	}
	notices := append(w.AsNearNotice(), w.Notices()...)
	if w.Near.Text == "" {
		return search, notices, nil
	}
	more, err := s.searchNear(ctx, w, search, notes)
	return search, append(notices, more...), err
}

// searchNear adds near, within and recruiting_site to a search.
func (s *Trials) searchNear(ctx context.Context, w *filters.Wishes, search *ctgov.Search, notes *entity.Notes) (
	notices []string, err error) {
	var found entity.Notes // its notices belong to the first page only
	at, err := s.spot(ctx, w.Near, nil, &found)
	notes.Provenance.UpstreamRequests += found.Provenance.UpstreamRequests
	if err != nil {
		return nil, err
	}
	notices = append(notices, found.Notices...)
	if w.Radius.Guessed {
		notices = append(notices, filters.GuessedUnit(w.Args.Within, w.Radius))
	}
	search.Near = &place.Circle{Center: at.Point, Radius: w.Radius, Misplaced: at.Misplaced}
	filter, fields := search.Near.Filter(), slices.Concat(*search.Fields, mapping.NearSiteFields())
	search.FilterGeo, search.Fields = &filter, &fields
	text := "near: trials with a site within " + w.Radius.Text + " of " + at.String() + " were searched. " +
		"A distance is that of the site's city."
	if len(at.Misplaced) > 0 { // filter.geo knows coordinates only
		search.FilterGeo = nil
		search.Filter = query.AllOf(search.Filter, query.Near(*search.Near))
		text += filters.MisplacedNotice
	}
	return append(notices, text), nil
}

// recruitingNotice says from how many trials a page was selected.
func recruitingNotice(search *ctgov.Search, remain, examined int, total *int) string {
	text := fmt.Sprintf("recruiting_site: %d trials were checked for this page. Those without a recruiting site within %s were left "+
		"out; %d remain.",
		examined, search.Near.Radius.Text, remain)
	if total != nil && *total > examined {
		text += fmt.Sprintf(" In all %d recruiting trials have a site there; at how many of them it recruits is not known.", *total)
	}
	return text
}

// lastKnown returns a notice if the statuses of sites are outdated.
func lastKnown(candidates []entity.TrialSearchCandidate) []string {
	if !slices.ContainsFunc(candidates, func(c entity.TrialSearchCandidate) bool {
		return c.Status == "UNKNOWN" && c.NearestSite != nil && c.NearestSite.RecruitmentStatus != ""
	}) {
		return nil
	}
	return []string{"The recruitment_status of a site is the last known one where the status of the trial is UNKNOWN."}
}

// spot returns the position of the place: from the given sites if they are enough, else from all sites of the registry.
func (s *Trials) spot(ctx context.Context, near filters.Near, sites []entity.TrialLocation, notes *entity.Notes) (place.Spot, error) {
	if near.At.Point != nil {
		return place.Spot{Point: *near.At.Point}, nil
	}
	spots, err := near.At.Spots(ctx, sites[:min(len(sites), place.MaxSites)])
	if err != nil {
		return place.Spot{}, err
	}
	code := ""
	if len(spots) != 1 || !near.IsCertain() { // other places may have the same name, and the coordinates may be wrong
		var used entity.Notes // the age of a place is not the age of the answer, so only the requests are added
		found, err := s.sources.Trials.Places(ctx, near.At, &used)
		notes.Provenance.UpstreamRequests += used.Provenance.UpstreamRequests
		switch {
		case found != nil:
			spots, code = found.Spots, found.Code
		case len(spots) == 1:
			return spots[0], nil
		case err != nil:
			return place.Spot{}, err
		case len(spots) == 0:
			return place.Spot{}, near.NotFoundError()
		}
	}
	if code != "" {
		notes.Add("near: no site has the ZIP code " + near.At.Postal + "; the nearest number with one, " + code + ", was taken.")
	}
	if near.At.Postal != "" {
		return spots[0], nil
	}
	meant, other, ok := place.Meant(spots)
	if !ok {
		return place.Spot{}, near.Ambiguous(spots)
	}
	if other.Name != "" {
		notes.Add(fmt.Sprintf("near: %s was taken, where most sites called %s are. %s has this name too; for it call %s again with %s.",
			envelope.Quoted(meant.Name), envelope.Quoted(near.City()), other.Name, near.Tool, tool.Object("near", other.Name)))
	}
	return meant, nil
}
