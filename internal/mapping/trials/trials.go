// Package trials converts studies of ClinicalTrials.gov to entities. Its functions are pure. Each has a list of the fields that it reads,
// so that only these fields are requested. The list of entity X is called XFields, the name that generated code uses.
package trials

import (
	"slices"
	"strconv"

	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
)

// TrialSearchCandidateFields returns the fields that a candidate may have.
func TrialSearchCandidateFields() []string {
	return slices.Concat(CandidateFields(), NearSiteFields(), []string{
		"PrimaryCompletionDate", "CompletionDate", "StudyFirstPostDate", "ResultsFirstPostDate", "LastUpdatePostDate",
		"MinimumAge", "MaximumAge", "Sex", "HealthyVolunteers", "EligibilityCriteria",
	}, RowPieces(RowFieldNames()))
}

// SetChosen sets the fields of a candidate that only some searches request. The study may lack them.
func SetChosen(c *entity.TrialSearchCandidate, s *ctgov.Study) {
	status, eligible := &s.ProtocolSection.StatusModule, &s.ProtocolSection.EligibilityModule
	c.PrimaryCompletionDate = text.Date(status.PrimaryCompletionDateStruct.Date)
	c.CompletionDate = text.Date(status.CompletionDateStruct.Date)
	c.FirstPostedDate = text.Date(status.StudyFirstPostDateStruct.Date)
	c.ResultsFirstPostedDate = text.Date(status.ResultsFirstPostDateStruct.Date)
	c.LastUpdateDate = text.Date(status.LastUpdatePostDateStruct.Date)
	c.MinimumAge, c.MaximumAge = text.Clean(eligible.MinimumAge), text.Clean(eligible.MaximumAge)
	c.Sex, c.AcceptsHealthyVolunteers = text.Enum[entity.Sex](eligible.Sex), eligible.HealthyVolunteers
}

// SortValue returns the value of the piece by which a search is sorted: a whole date, or a number; "" if the study lacks it.
func SortValue(s *ctgov.Study, piece string) string {
	status, count := &s.ProtocolSection.StatusModule, s.ProtocolSection.DesignModule.EnrollmentInfo.Count
	if piece == "EnrollmentCount" && count != nil {
		return strconv.Itoa(*count)
	}
	text := text.Date(map[string]string{
		"StudyFirstPostDate": status.StudyFirstPostDateStruct.Date, "LastUpdatePostDate": status.LastUpdatePostDateStruct.Date,
		"StartDate": status.StartDateStruct.Date, "CompletionDate": status.CompletionDateStruct.Date,
		"ResultsFirstPostDate": status.ResultsFirstPostDateStruct.Date,
	}[piece])
	if text != "" && len(text) < len("2026-01-01") {
		text += "-01-01"[len(text)-len("2026"):]
	}
	return text
}

// CandidateFields returns the fields that TrialCandidate reads.
func CandidateFields() []string {
	return []string{
		"NCTId", "OfficialTitle", "BriefTitle", "BriefSummary", "OverallStatus", "WhyStopped", "Phase",
		"Condition", "InterventionName", "LeadSponsorName", "StartDate", "EnrollmentCount", "HasResults", "VersionHolder",
	}
}

// unknownEnrollment is the registry's number of participants for an unknown number.
const unknownEnrollment = 99999999

// summaryLimit limits the characters of a summary, so that a candidate has at most 200 tokens.
const summaryLimit = 300

// TrialCandidate maps a study to a search candidate. The only error is
// ErrIncomplete.
func TrialCandidate(s *ctgov.Study) (entity.TrialSearchCandidate, error) {
	p := &s.ProtocolSection
	c := entity.TrialSearchCandidate{
		ID:            text.CURIE(id.NCT, p.IdentificationModule.NctId),
		Title:         trialTitle(&p.IdentificationModule),
		BriefSummary:  entity.Cut(text.CleanMarkup(p.DescriptionModule.BriefSummary), summaryLimit),
		Status:        text.Enum[entity.Status](p.StatusModule.OverallStatus),
		Conditions:    text.CleanAll(p.ConditionsModule.Conditions),
		Interventions: interventionNames(p),
		LeadSponsor:   text.Clean(p.SponsorCollaboratorsModule.LeadSponsor.Name),
		StartDate:     text.Date(p.StatusModule.StartDateStruct.Date),
		HasResults:    s.HasResults,
		WhyStopped:    entity.Cut(text.CleanMarkup(p.StatusModule.WhyStopped), summaryLimit),
	}
	c.Phase, c.Phases = phases(p.DesignModule.Phases)
	c.Enrollment, _ = enrollment(&p.DesignModule.EnrollmentInfo)
	if c.ID == "" || c.Title == "" || c.Status == "" {
		return entity.TrialSearchCandidate{}, text.ErrIncomplete
	}
	return c, nil
}

func trialTitle(id *ctgov.IdentificationModule) string {
	if title := text.Clean(id.OfficialTitle); title != "" {
		return title
	}
	return text.Clean(id.BriefTitle)
}

// interventionNames returns the names of the interventions, each once.
func interventionNames(p *ctgov.ProtocolSection) []string {
	var names []string
	for i := range p.ArmsInterventionsModule.Interventions {
		names = append(names, p.ArmsInterventionsModule.Interventions[i].Name)
	}
	return text.Distinct(names)
}

// phases returns the first phase, and all phases of a trial with several.
func phases(given []ctgov.Phase) (entity.Phase, []entity.Phase) {
	all := text.Enums[entity.Phase](given)
	switch len(all) {
	case 0:
		return "", nil
	case 1:
		return all[0], nil
	}
	return all[0], all
}

func outcome(o *ctgov.Outcome) entity.Outcome {
	return entity.Outcome{Measure: text.Clean(o.Measure), TimeFrame: text.Clean(o.TimeFrame), Description: text.CleanMarkup(o.Description)}
}

func sponsors(m *ctgov.SponsorCollaboratorsModule) []entity.Sponsor {
	var out []entity.Sponsor
	add := func(s *ctgov.Sponsor, role entity.SponsorRole) {
		if name := text.Clean(s.Name); name != "" {
			out = append(out, entity.Sponsor{Name: name, Role: role, Class: text.Enum[entity.AgencyClass](s.Class)})
		}
	}
	add(&m.LeadSponsor, entity.LeadSponsor)
	for i := range m.Collaborators {
		add(&m.Collaborators[i], entity.Collaborator)
	}
	return out
}

func enrollment(e *ctgov.EnrollmentInfo) (*int, entity.EnrollmentType) {
	if e.Count == nil || *e.Count == unknownEnrollment || *e.Count < 0 {
		return nil, ""
	}
	return e.Count, text.Enum[entity.EnrollmentType](e.Type)
}

func contact(c *ctgov.Contact) entity.Contact {
	phone := text.Clean(c.Phone)
	if extension := text.Clean(c.PhoneExt); phone != "" && extension != "" {
		phone += " x" + extension
	}
	return entity.Contact{Name: text.Clean(c.Name), Phone: phone, Email: text.Clean(c.Email), Role: text.Enum[entity.ContactRole](c.Role)}
}

// NearSiteFields returns the fields of the sites of a trial that is near a place.
func NearSiteFields() []string {
	return []string{"LocationFacility", "LocationStatus", "LocationCity", "LocationState", "LocationCountry", "LocationGeoPoint"}
}
