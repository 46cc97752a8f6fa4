package trials

import (
	"slices"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// longPage is the size in bytes above which a page of similar sites is written compactly.
const longPage = 6000

// compact writes values that several sites of a long page share only once, if that halves the page, and returns a notice. The sites of a
// network often have the same contact.
func compact(page *[]entity.TrialLocation, beside *entity.TrialSites) []string {
	full := entity.Size(*page)
	if full <= longPage {
		return nil
	}
	sites := slices.Clone(*page)
	shared := shareAddress(sites)
	teams := shareTeams(sites)
	for i := range sites {
		sites[i].Latitude, sites[i].Longitude = nil, nil
	}
	if 2*(entity.Size(sites)+entity.Size(teams)) > full {
		return nil
	}
	*page, beside.Shared, beside.Teams = sites, shared, teams
	return []string{"To stay short, the page gives once what its sites share (shared, teams), and no coordinates: " +
		"a smaller page_size gives whole sites."}
}

// shareAddress removes values that all sites have in common from the sites and returns them; nil if no value is common to all.
func shareAddress(sites []entity.TrialLocation) *entity.SharedSite {
	first := sites[0]
	shared := entity.SharedSite{State: first.State, Country: first.Country, RecruitmentStatus: first.RecruitmentStatus}
	for _, site := range sites {
		if site.State != shared.State {
			shared.State = ""
		}
		if site.Country != shared.Country {
			shared.Country = ""
		}
		if site.RecruitmentStatus != shared.RecruitmentStatus {
			shared.RecruitmentStatus = ""
		}
	}
	if shared == (entity.SharedSite{}) {
		return nil
	}
	for i := range sites {
		site := &sites[i]
		if shared.State != "" {
			site.State = ""
		}
		if shared.Country != "" {
			site.Country = ""
		}
		if shared.RecruitmentStatus != "" {
			site.RecruitmentStatus = ""
		}
	}
	return &shared
}

// shareTeams removes contacts and investigators from the sites and returns each team once.
func shareTeams(sites []entity.TrialLocation) (teams []entity.SiteTeam) {
	numbers := map[string]int{}
	for i := range sites {
		site := &sites[i]
		team := entity.SiteTeam{Contacts: site.Contacts, Investigators: site.Investigators}
		if len(team.Contacts)+len(team.Investigators) == 0 {
			continue
		}
		text, err := entity.JSON(team)
		if err != nil {
			panic(err) // a team is texts
		}
		if numbers[string(text)] == 0 {
			team.Team = len(teams) + 1
			numbers[string(text)] = team.Team
			teams = append(teams, team)
		}
		site.Contacts, site.Investigators, site.Team = nil, nil, numbers[string(text)]
		site.ContactName, site.ContactPhone, site.ContactEmail = "", "", ""
	}
	return teams
}
