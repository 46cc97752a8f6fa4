package entity

// TrialSites is what stands beside a page of sites.
type TrialSites struct {
	// Of all sites of the trial, whatever was asked for. On the first page.
	Summary *SitesSummary `json:"summary,omitempty"`
	// What all sites of a long page have in common.
	Shared *SharedSite `json:"shared,omitempty"`
	// Contacts and investigators of the sites of a long page.
	Teams []SiteTeam `json:"teams,omitempty" jsonschema:"minItems=1"`
}

// Whole gives each site what the page has once, and takes it from the page.
func (s *TrialSites) Whole(sites []TrialLocation) {
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

// SitesSummary counts the sites of a trial.
type SitesSummary struct {
	// Number of all sites of the trial.
	Sites int `json:"sites" jsonschema:"minimum=0"`
	// Number of countries of all sites.
	Countries int `json:"countries" jsonschema:"minimum=0"`
	// Countries, the one with the most sites first. Only without filters.
	ByCountry []CountrySites `json:"by_country,omitempty" jsonschema:"minItems=1"`
	// Statuses, the most frequent first. Sites without a status are not in it.
	ByStatus []StatusSites `json:"by_status,omitempty" jsonschema:"minItems=1"`
}

// StatusSites counts the sites of one recruitment status.
type StatusSites struct {
	// Recruitment status. Source: locations.status.
	RecruitmentStatus RecruitmentStatus `json:"recruitment_status"`
	// Number of sites.
	Sites int `json:"sites" jsonschema:"minimum=1"`
}

// SharedSite is what all sites of a page have in common.
type SharedSite struct {
	// State or province.
	State string `json:"state,omitempty" jsonschema:"minLength=1"`
	// Country.
	Country string `json:"country,omitempty" jsonschema:"minLength=1"`
	// Recruitment status.
	RecruitmentStatus RecruitmentStatus `json:"recruitment_status,omitempty"`
}

// SiteTeam is the people of one site or several.
type SiteTeam struct {
	// Its number.
	Team int `json:"team" jsonschema:"minimum=1"`
	// Who answers questions.
	Contacts []Contact `json:"contacts,omitempty" jsonschema:"minItems=1"`
	// Investigators.
	Investigators []Investigator `json:"investigators,omitempty" jsonschema:"minItems=1"`
}

// Investigator leads or helps to lead a trial at a site.
type Investigator struct {
	// Name. Source: locations.contacts.name.
	Name string `json:"name" jsonschema:"minLength=1"`
	// Part in the trial. Source: locations.contacts.role.
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
	// From near, computed along a great circle to the city.
	DistanceKM *float64 `json:"distance_km,omitempty" jsonschema:"minimum=0"`
	// First contact. Source: locations.contacts[0].name.
	ContactName string `json:"contact_name,omitempty" jsonschema:"minLength=1"`
	// An extension follows as x123. Source: locations.contacts[0].phone, phoneExt.
	ContactPhone string `json:"contact_phone,omitempty" jsonschema:"minLength=1"`
	// First contact. Source: locations.contacts[0].email.
	ContactEmail string `json:"contact_email,omitempty" jsonschema:"minLength=1"`
	// Absent where not stated. Source: locations.status.
	RecruitmentStatus RecruitmentStatus `json:"recruitment_status,omitempty"`
	// All, with their role. Source: locations.contacts.
	Contacts []Contact `json:"contacts,omitempty" jsonschema:"minItems=1"`
	// Principal and subinvestigators. Source: locations.contacts.
	Investigators []Investigator `json:"investigators,omitempty" jsonschema:"minItems=1"`
	// Of the city. Source: locations.geoPoint.lat.
	Latitude *float64 `json:"latitude,omitempty"`
	// Of the city. Source: locations.geoPoint.lon.
	Longitude *float64 `json:"longitude,omitempty"`
	// Its number in teams.
	Team int `json:"team,omitempty" jsonschema:"minimum=1"`
}

// NearSite is the site of a trial that is nearest to a place.
type NearSite struct {
	// Name of the facility. Source: locations.facility.
	FacilityName string `json:"facility_name,omitempty" jsonschema:"minLength=1"`
	// City. Source: locations.city.
	City string `json:"city,omitempty" jsonschema:"minLength=1"`
	// State or province, of nearest_recruiting_site. Source: locations.state.
	State string `json:"state,omitempty" jsonschema:"minLength=1"`
	// Country, of nearest_recruiting_site. Source: locations.country.
	Country string `json:"country,omitempty" jsonschema:"minLength=1"`
	// From near, computed along a great circle to the city.
	DistanceKM float64 `json:"distance_km" jsonschema:"minimum=0"`
	// Absent where not stated. Source: locations.status.
	RecruitmentStatus RecruitmentStatus `json:"recruitment_status,omitempty"`
}
