package trials

import (
	"context"
	"fmt"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/place"
	"github.com/biofact-mcp/biofact/internal/trials/filters"
)

// A sitesPage is the answer of get_trial_locations.
type sitesPage = entity.PageWith[entity.TrialLocation, entity.TrialSites]

// GetTrialLocations serves get_trial_locations.
func (s *Trials) GetTrialLocations(ctx context.Context, args tools.GetTrialLocationsArgs) (entity.Answer[sitesPage], error) {
	var answer entity.Answer[sitesPage]
	q, err := readSiteQuery(args)
	if err != nil {
		return answer, filters.ForTool(tools.GetTrialLocations, err)
	}
	at, err := envelope.PageAt(tools.GetTrialLocations, q.args, args, args.Cursor)
	if err != nil {
		return answer, err
	}
	record, err := s.recordOf(ctx, tools.GetTrialLocations, q.args.NCTID, &answer.Notes)
	if err != nil {
		return answer, err
	}
	trial, err := readSites(record)
	if err != nil {
		return answer, err
	}
	var from place.Spot
	if q.near.Text != "" {
		if from, err = s.spot(ctx, q.near, trial.sites, &answer.Notes); err != nil {
			return answer, err
		}
	}
	found := q.find(trial.sites, from)
	if args.Cursor == "" {
		answer.Value.Beside.Summary = summaryOf(found.sites)
		answer.Add(q.siteNotices(trial, found, from)...)
	}
	list := envelope.Listing[entity.TrialLocation]{At: at, Rows: found.sites, Key: func(site entity.TrialLocation) string {
		return envelope.Checksum(site.FacilityName, site.City, site.State, site.Zip, site.Country)
	}}
	page := list.Page(args.PageSize, &answer.Notes)
	if fits := envelope.FitCount(page, s.maxAnswer); fits < len(page) {
		page = page[:fits]
		answer.Add(envelope.CutNotice(fits, "sites"))
	}
	answer.Add(trial.pageNotices(page, id.NCT.CURIE(q.args.NCTID))...)
	answer.Value.Items = page
	if args.Cursor == "" && len(page) > 0 && len(found.sites) < len(trial.sites) {
		all, noun := summaryOf(trial.sites), "countries"
		if all.Countries == 1 {
			noun = "country"
		}
		answer.Add(fmt.Sprintf("The trial has %d sites in %d %s.", all.Sites, all.Countries, noun))
	}
	if q.narrows() {
		if answer.Value.Beside.Compact(&answer.Value.Items) {
			answer.Add("To stay short, the page gives once what its sites share (shared, teams), and no coordinates: " +
				"a smaller page_size gives whole sites.")
		}
	}
	answer.Value.Pagination.PageSize = args.PageSize
	next, more := list.Next(len(page))
	return answer, envelope.FinishPage(&answer.Value.Pagination, next, more)
}
