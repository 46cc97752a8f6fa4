package entity

import "slices"

// TrialSites has the fields that get_trial_locations adds to its page of sites.
type TrialSites struct {
	// Counts of the sites that match, on all pages together; first page only.
	Summary *SitesSummary `json:"summary,omitempty"`
	// Values that all sites of a long page share.
	Shared *SharedSite `json:"shared,omitempty"`
	// Contacts and investigators of a long page; team of a site is a number here.
	Teams []SiteTeam `json:"teams,omitempty" jsonschema:"minItems=1"`
}

// Expand copies the shared values and the teams into the sites, and clears Shared
// and Teams.
func (s *TrialSites) Expand(sites []TrialLocation) {
	for i := range sites {
		site := &sites[i]
		if s.Shared != nil {
			site.State += s.Shared.State
			site.Country += s.Shared.Country
			site.RecruitmentStatus += s.Shared.RecruitmentStatus
		}
		if site.Team < 1 || site.Team > len(s.Teams) {
			continue
		}
		team := s.Teams[site.Team-1]
		site.Contacts, site.Investigators, site.Team = team.Contacts, team.Investigators, 0
		if len(team.Contacts) > 0 {
			first := team.Contacts[0]
			site.ContactName, site.ContactPhone, site.ContactEmail = first.Name, first.Phone, first.Email
		} else if len(team.Investigators) > 0 {
			site.ContactName = team.Investigators[0].Name
		}
	}
	s.Shared, s.Teams = nil, nil
}

// longPage is the size in bytes above which a page of similar sites is written compactly.
const longPage = 6000

// Compact writes values that several sites of a long page share only once, if that halves the page, and reports whether it did. The sites
// of a network often have the same contact.
func (s *TrialSites) Compact(page *[]TrialLocation) bool {
	full := Size(*page)
	if full <= longPage {
		return false
	}
	sites := slices.Clone(*page)
	shared := shareAddress(sites)
	teams := shareTeams(sites)
	for i := range sites {
		sites[i].Latitude, sites[i].Longitude = nil, nil
	}
	if 2*(Size(sites)+Size(teams)) > full {
		return false
	}
	*page, s.Shared, s.Teams = sites, shared, teams
	return true
}

// shareAddress removes values that all sites have in common from the sites and returns them; nil if no value is common to all.
func shareAddress(sites []TrialLocation) *SharedSite {
	first := sites[0]
	shared := SharedSite{State: first.State, Country: first.Country, RecruitmentStatus: first.RecruitmentStatus}
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
	if shared == (SharedSite{}) {
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
func shareTeams(sites []TrialLocation) (teams []SiteTeam) {
	numbers := map[string]int{}
	for i := range sites {
		site := &sites[i]
		team := SiteTeam{Contacts: site.Contacts, Investigators: site.Investigators}
		if len(team.Contacts)+len(team.Investigators) == 0 {
			continue
		}
		text, err := JSON(team)
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

// SitesSummary counts the sites of a trial that match.
type SitesSummary struct {
	// Number of sites that match. Without filters: all sites of the trial.
	Sites int `json:"sites" jsonschema:"minimum=0"`
	// Number of their countries.
	Countries int `json:"countries" jsonschema:"minimum=0"`
	// Countries, most sites first. Sites without a country do not count.
	ByCountry []CountrySites `json:"by_country,omitempty" jsonschema:"minItems=1"`
	// Statuses, most frequent first. Sites without a status do not count.
	ByStatus []StatusSites `json:"by_status,omitempty" jsonschema:"minItems=1"`
}

// StatusSites counts the sites of one recruitment status.
type StatusSites struct {
	// Recruitment status. Source: locations.status.
	RecruitmentStatus RecruitmentStatus `json:"recruitment_status"`
	// Number of sites.
	Sites int `json:"sites" jsonschema:"minimum=1"`
}

// SharedSite holds the values that all sites of a page share.
type SharedSite struct {
	// State or province.
	State string `json:"state,omitempty" jsonschema:"minLength=1"`
	// Country.
	Country string `json:"country,omitempty" jsonschema:"minLength=1"`
	// Recruitment status.
	RecruitmentStatus RecruitmentStatus `json:"recruitment_status,omitempty"`
}

// SiteTeam holds the contacts and investigators of one site or several sites.
type SiteTeam struct {
	// Number of the team.
	Team int `json:"team" jsonschema:"minimum=1"`
	// Contacts.
	Contacts []Contact `json:"contacts,omitempty" jsonschema:"minItems=1"`
	// Investigators.
	Investigators []Investigator `json:"investigators,omitempty" jsonschema:"minItems=1"`
}

// Investigator leads or helps to lead a trial at a site.
type Investigator struct {
	// Name. Source: locations.contacts.name.
	Name string `json:"name" jsonschema:"minLength=1"`
	// Role in the trial. Source: locations.contacts.role.
	Role ContactRole `json:"role,omitempty"`
}

// TrialLocation is one site of a trial.
type TrialLocation struct {
	// Name of the facility. Source: locations.facility.
	FacilityName string `json:"facility_name,omitempty" jsonschema:"minLength=1"`
	// City. Source: locations.city.
	City string `json:"city,omitempty" jsonschema:"minLength=1"`
	// State or province. Source: locations.state.
	State string `json:"state,omitempty" jsonschema:"minLength=1"`
	// Country. Source: locations.country.
	Country string `json:"country,omitempty" jsonschema:"minLength=1"`
	// Postal code. Source: locations.zip.
	Zip string `json:"zip,omitempty" jsonschema:"minLength=1"`
	// Great-circle distance from near to the city, computed.
	DistanceKM *float64 `json:"distance_km,omitempty" jsonschema:"minimum=0"`
	// Name of the first contact. Source: locations.contacts[0].name.
	ContactName string `json:"contact_name,omitempty" jsonschema:"minLength=1"`
	// Of the first contact, with extension as x123. Source: locations.contacts[0].phone, phoneExt.
	ContactPhone string `json:"contact_phone,omitempty" jsonschema:"minLength=1"`
	// E-mail address of the first contact. Source: locations.contacts[0].email.
	ContactEmail string `json:"contact_email,omitempty" jsonschema:"minLength=1"`
	// Absent where not stated. Source: locations.status.
	RecruitmentStatus RecruitmentStatus `json:"recruitment_status,omitempty"`
	// All contacts, with their roles. Source: locations.contacts.
	Contacts []Contact `json:"contacts,omitempty" jsonschema:"minItems=1"`
	// Principal and subinvestigators. Source: locations.contacts.
	Investigators []Investigator `json:"investigators,omitempty" jsonschema:"minItems=1"`
	// Latitude of the city. Source: locations.geoPoint.lat.
	Latitude *float64 `json:"latitude,omitempty"`
	// Longitude of the city. Source: locations.geoPoint.lon.
	Longitude *float64 `json:"longitude,omitempty"`
	// Number in teams.
	Team int `json:"team,omitempty" jsonschema:"minimum=1"`
}

// NearSite is the site of a trial that is nearest to a place.
type NearSite struct {
	// Great-circle distance from near to the city, computed.
	DistanceKM float64 `json:"distance_km" jsonschema:"minimum=0"`
	// Name of the facility. Source: locations.facility.
	FacilityName string `json:"facility_name,omitempty" jsonschema:"minLength=1"`
	// City. Source: locations.city.
	City string `json:"city,omitempty" jsonschema:"minLength=1"`
	// State or province, of nearest_recruiting_site. Source: locations.state.
	State string `json:"state,omitempty" jsonschema:"minLength=1"`
	// Country, of nearest_recruiting_site. Source: locations.country.
	Country string `json:"country,omitempty" jsonschema:"minLength=1"`
	// Latitude of the city.
	Latitude float64 `json:"latitude"`
	// Longitude of the city.
	Longitude float64 `json:"longitude"`
	// Absent where not stated. Source: locations.status.
	RecruitmentStatus RecruitmentStatus `json:"recruitment_status,omitempty"`
}

// Contact is a person or office that answers questions about a trial.
type Contact struct {
	// Name of the person or office. Source: name.
	Name string `json:"name,omitempty" jsonschema:"minLength=1"`
	// With extension as x123. Source: phone, phoneExt.
	Phone string `json:"phone,omitempty" jsonschema:"minLength=1"`
	// E-mail address. Source: email.
	Email string `json:"email,omitempty" jsonschema:"minLength=1"`
	// Role in the study. Source: role.
	Role ContactRole `json:"role,omitempty"`
}
