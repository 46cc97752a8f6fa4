package trials

import (
	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
)

// TrialLocationFields returns TrialFields, which include those of the sites.
func TrialLocationFields() []string { return TrialFields() }

// PlaceFields returns the fields with the positions of sites.
func PlaceFields() []string {
	return []string{"LocationCity", "LocationState", "LocationCountry", "LocationZip", "LocationGeoPoint"}
}

// TrialLocations maps the sites of a study, in the order of the record.
func TrialLocations(s *ctgov.Study) []entity.TrialLocation {
	var sites []entity.TrialLocation
	for i := range s.ProtocolSection.ContactsLocationsModule.Locations {
		sites = append(sites, location(&s.ProtocolSection.ContactsLocationsModule.Locations[i]))
	}
	return sites
}

func location(l *ctgov.Location) entity.TrialLocation {
	site := entity.TrialLocation{
		FacilityName:      text.Clean(l.Facility),
		City:              text.Clean(l.City),
		State:             text.Clean(l.State),
		Country:           text.Clean(l.Country),
		Zip:               text.Clean(l.Zip),
		RecruitmentStatus: text.Enum[entity.RecruitmentStatus](l.Status),
	}
	if at := l.GeoPoint; at != nil && at.Lat >= -90 && at.Lat <= 90 && at.Lon >= -180 && at.Lon <= 180 {
		site.Latitude, site.Longitude = &at.Lat, &at.Lon
	}
	if len(l.Contacts) > 0 {
		first := contact(&l.Contacts[0])
		site.ContactName, site.ContactPhone, site.ContactEmail = first.Name, first.Phone, first.Email
	}
	for i := range l.Contacts {
		c := contact(&l.Contacts[i])
		switch {
		case c == (entity.Contact{Role: c.Role}):
		case investigates(l.Contacts[i].Role) && c == (entity.Contact{Name: c.Name, Role: c.Role}):
			site.Investigators = append(site.Investigators, entity.Investigator{Name: c.Name, Role: c.Role})
		default:
			site.Contacts = append(site.Contacts, c)
		}
	}
	return site
}

// investigates reports whether a role is that of an investigator. One with a
// telephone number or an e-mail address is listed with the contacts.
func investigates(role ctgov.ContactRole) bool {
	return role == ctgov.ContactRolePRINCIPALINVESTIGATOR || role == ctgov.ContactRoleSUBINVESTIGATOR
}
