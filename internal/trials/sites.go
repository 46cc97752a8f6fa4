package trials

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/place"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
)

// A siteTrial has the parts of a record that get_trial_locations reads.
type siteTrial struct {
	Status          entity.Status    `json:"status"`
	CentralContacts []entity.Contact `json:"central_contacts"`
	sites           []entity.TrialLocation
}

func readSites(record *ctgov.Record) (t siteTrial, err error) {
	if err = json.Unmarshal(record.Trial, &t); err == nil {
		err = json.Unmarshal(record.Sites, &t.sites)
	}
	return t, err
}

// A sitesPage is the answer of get_trial_locations.
type sitesPage = entity.PageWith[entity.TrialLocation, entity.TrialSites]

// GetTrialLocations serves get_trial_locations.
func (s *Trials) GetTrialLocations(ctx context.Context, args tools.GetTrialLocationsArgs) (entity.Answer[sitesPage], error) {
	var answer entity.Answer[sitesPage]
	q, err := readSiteQuery(args)
	if err != nil {
		return answer, err
	}
	at, err := envelope.PageAt(tools.GetTrialLocations, q.args, args, args.Cursor)
	if err != nil {
		return answer, err
	}
	record, err := s.trial(ctx, tools.GetTrialLocations, q.args.NCTID, &answer.Notes)
	if err != nil {
		return answer, err
	}
	trial, err := readSites(record)
	if err != nil {
		return answer, err
	}
	var from place.Spot
	if q.near.text != "" {
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
	if q.narrows() {
		answer.Add(compact(&answer.Value.Items, &answer.Value.Beside)...)
	}
	answer.Value.Pagination.PageSize = args.PageSize
	next, more := list.Next(len(page))
	return answer, envelope.FinishPage(&answer.Value.Pagination, next, more)
}

// summaryOf counts sites by country and by status.
func summaryOf(sites []entity.TrialLocation) *entity.SitesSummary {
	s := &entity.SitesSummary{Sites: len(sites)}
	known := slices.ContainsFunc(sites, func(l entity.TrialLocation) bool { return l.RecruitmentStatus != "" })
	countries, statuses := map[string]int{}, map[entity.RecruitmentStatus]int{} // indexes in the lists
	for i := range sites {
		if country := sites[i].Country; country != "" {
			at, listed := countries[country]
			if !listed {
				at = len(s.ByCountry)
				countries[country] = at
				s.ByCountry = append(s.ByCountry, entity.CountrySites{Country: country})
				if known {
					s.ByCountry[at].Recruiting = new(int)
				}
			}
			if s.ByCountry[at].Sites++; sites[i].RecruitmentStatus == recruiting {
				*s.ByCountry[at].Recruiting++
			}
		}
		if status := sites[i].RecruitmentStatus; status != "" {
			at, listed := statuses[status]
			if !listed {
				at = len(s.ByStatus)
				statuses[status] = at
				s.ByStatus = append(s.ByStatus, entity.StatusSites{RecruitmentStatus: status})
			}
			s.ByStatus[at].Sites++
		}
	}
	s.Countries = len(s.ByCountry)
	slices.SortStableFunc(s.ByCountry, func(a, b entity.CountrySites) int { return b.Sites - a.Sites })
	slices.SortStableFunc(s.ByStatus, func(a, b entity.StatusSites) int { return b.Sites - a.Sites })
	return s
}
