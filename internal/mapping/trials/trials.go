// Package trials converts studies of ClinicalTrials.gov to entities. Its functions are pure. Each has a list of the fields that it reads,
// so that only these fields are requested. The list of entity X is called XFields, the name that generated code uses.
package trials

import (
	"slices"
	"strconv"

	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/criteria"
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

// TrialFields returns the fields that Trial and TrialLocations read: one request serves both. A module includes all fields below it;
// trials.tsv says how each of them is used.
func TrialFields() []string {
	return []string{
		"IdentificationModule", "StatusModule", "SponsorCollaboratorsModule", "OversightModule", "DescriptionModule",
		"ConditionsModule", "DesignModule", "ArmsInterventionsModule", "OutcomesModule", "EligibilityModule",
		"ContactsLocationsModule", "ReferencesModule", "IPDSharingStatementModule",
		"AnnotationSection", "DocumentSection", "MiscInfoModule", "ConditionMesh", "InterventionMesh", "HasResults",
	}
}

// unknownEnrollment is the registry's number of participants for an unknown number.
const unknownEnrollment = 99999999

// summaryLimit limits the characters of a summary, so that a candidate has at most 200 tokens.
const summaryLimit = 300

// DataVersion returns the date of the registry's data that a record is from, or "" if the record does not state it.
func DataVersion(s *ctgov.Study) string {
	return text.Clean(s.DerivedSection.MiscInfoModule.VersionHolder)
}

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

// Trial maps a study to the complete entity. The only error is ErrIncomplete.
func Trial(s *ctgov.Study) (entity.Trial, error) {
	t := trialOf(s)
	if t.ID == "" || t.Title == "" || t.Status == "" {
		return entity.Trial{}, text.ErrIncomplete
	}
	t.Reporting = Reporting(&t, DataVersion(s))
	return t, nil
}

// trialOf maps what a study has.
func trialOf(s *ctgov.Study) entity.Trial {
	p := &s.ProtocolSection
	ident, status, arms := &p.IdentificationModule, &p.StatusModule, &p.ArmsInterventionsModule
	t := entity.Trial{
		ID:                  text.CURIE(id.NCT, ident.NctId),
		Title:               trialTitle(ident),
		Status:              text.Enum[entity.Status](status.OverallStatus),
		IDAliases:           text.MapNonZero(ident.NctIdAliases, func(nct *string) string { return text.CURIE(id.NCT, *nct) }),
		BriefTitle:          text.Clean(ident.BriefTitle),
		Acronym:             text.Clean(ident.Acronym),
		BriefSummary:        text.CleanMarkup(p.DescriptionModule.BriefSummary),
		LastKnownStatus:     text.Enum[entity.Status](status.LastKnownStatus),
		WhyStopped:          text.CleanMarkup(status.WhyStopped),
		Conditions:          text.CleanAll(p.ConditionsModule.Conditions),
		Keywords:            text.CleanAll(p.ConditionsModule.Keywords),
		Interventions:       interventionNames(p),
		MeSH:                trialMeSH(&s.DerivedSection),
		Sponsors:            sponsors(&p.SponsorCollaboratorsModule),
		HasResults:          s.HasResults,
		LocationsSummary:    locationsSummary(p.ContactsLocationsModule.Locations),
		DetailedDescription: text.CleanMarkup(p.DescriptionModule.DetailedDescription),
		Protocol:            protocol(p),
		ExpandedAccess:      expandedAccess(&status.ExpandedAccessInfo, &p.DesignModule),
		PrimaryOutcomes:     text.MapNonZero(p.OutcomesModule.PrimaryOutcomes, outcome),
		SecondaryOutcomes:   text.MapNonZero(p.OutcomesModule.SecondaryOutcomes, outcome),
		OtherOutcomes:       text.MapNonZero(p.OutcomesModule.OtherOutcomes, outcome),
		Arms:                text.MapNonZero(arms.ArmGroups, arm),
		InterventionDetails: text.MapNonZero(arms.Interventions, intervention),
		CentralContacts:     text.MapNonZero(p.ContactsLocationsModule.CentralContacts, contact),
		Officials:           text.MapNonZero(p.ContactsLocationsModule.OverallOfficials, official),
		ResponsibleParty:    responsibleParty(&p.SponsorCollaboratorsModule.ResponsibleParty),
		CrossReferences:     trialCrossReferences(s),
	}
	t.Phase, t.Phases = phases(p.DesignModule.Phases)
	t.Enrollment, t.EnrollmentType = enrollment(&p.DesignModule.EnrollmentInfo)
	setEligibility(&t, &p.EligibilityModule)
	setReferences(&t, s)
	setAdministrative(&t, s)
	setDates(&t, status)
	return t
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

func eligibility(e *ctgov.EligibilityModule) *entity.EligibilityCriteria {
	all := text.CleanMarkup(e.EligibilityCriteria)
	inclusion, exclusion := criteria.Split(all)
	return text.NonZero(entity.EligibilityCriteria{
		CriteriaText:             all,
		Inclusion:                inclusion,
		Exclusion:                exclusion,
		Limits:                   criteriaLimits(all),
		MinimumAge:               text.Clean(e.MinimumAge),
		MaximumAge:               text.Clean(e.MaximumAge),
		Sex:                      text.Enum[entity.Sex](e.Sex),
		AcceptsHealthyVolunteers: e.HealthyVolunteers,
	})
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
