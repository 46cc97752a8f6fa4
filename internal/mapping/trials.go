// Package mapping flattens upstream records into Biofact's entities. Its
// functions are pure; beside each stands the list of fields that it reads, so
// that nothing else is asked of the upstream. The list of entity X is called
// XFields: that is how generated code finds it.
package mapping

import (
	"errors"
	"slices"

	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/id"
)

// TrialSearchCandidateFields returns the fields that a candidate may have.
func TrialSearchCandidateFields() []string {
	return slices.Concat(CandidateFields(), NearSiteFields(), []string{
		"PrimaryCompletionDate", "CompletionDate", "StudyFirstPostDate", "ResultsFirstPostDate", "LastUpdatePostDate",
		"MinimumAge", "MaximumAge", "Sex", "HealthyVolunteers", "EligibilityCriteria",
	})
}

// SetChosen adds to a candidate what only some searches ask for, and its study therefore may lack.
func SetChosen(c *entity.TrialSearchCandidate, s *ctgov.Study) {
	status, eligible := &s.ProtocolSection.StatusModule, &s.ProtocolSection.EligibilityModule
	c.PrimaryCompletionDate, c.CompletionDate = date(status.PrimaryCompletionDateStruct.Date), date(status.CompletionDateStruct.Date)
	c.FirstPostedDate, c.ResultsFirstPostedDate = date(status.StudyFirstPostDateStruct.Date), date(status.ResultsFirstPostDateStruct.Date)
	c.LastUpdateDate = date(status.LastUpdatePostDateStruct.Date)
	c.MinimumAge, c.MaximumAge = plain(eligible.MinimumAge), plain(eligible.MaximumAge)
	c.Sex, c.AcceptsHealthyVolunteers = value[entity.Sex](eligible.Sex), eligible.HealthyVolunteers
}

// CandidateFields returns the fields that TrialCandidate reads.
func CandidateFields() []string {
	return []string{
		"NCTId", "OfficialTitle", "BriefTitle", "BriefSummary", "OverallStatus", "WhyStopped", "Phase",
		"Condition", "InterventionName", "LeadSponsorName", "StartDate", "EnrollmentCount", "HasResults", "VersionHolder",
	}
}

// TrialFields returns the fields that Trial and TrialLocations read together: a
// record is asked for once and serves both. A module has all that stands below it;
// trials.tsv says what becomes of each of its fields.
func TrialFields() []string {
	return []string{
		"IdentificationModule", "StatusModule", "SponsorCollaboratorsModule", "OversightModule", "DescriptionModule",
		"ConditionsModule", "DesignModule", "ArmsInterventionsModule", "OutcomesModule", "EligibilityModule",
		"ContactsLocationsModule", "ReferencesModule", "IPDSharingStatementModule",
		"AnnotationSection", "DocumentSection", "MiscInfoModule", "ConditionMesh", "InterventionMesh", "HasResults",
	}
}

// unknownEnrollment is what the registry writes where the number of
// participants is not known.
const unknownEnrollment = 99999999

// summaryLimit keeps a candidate within its budget of 200 tokens.
const summaryLimit = 300

// ErrIncomplete is the error of a record without the facts that its upstream
// promises for every one: an id, a title and a status, a symbol.
var ErrIncomplete = errors.New("the record lacks a fact that every record has")

// DataVersion returns the date of the registry's data that a record is from,
// or "" where it is not told.
func DataVersion(s *ctgov.Study) string { return plain(s.DerivedSection.MiscInfoModule.VersionHolder) }

// TrialCandidate maps a study to a search candidate. The only error is
// ErrIncomplete.
func TrialCandidate(s *ctgov.Study) (entity.TrialSearchCandidate, error) {
	p := &s.ProtocolSection
	c := entity.TrialSearchCandidate{
		ID:            curie(id.NCT, p.IdentificationModule.NctId),
		Title:         trialTitle(&p.IdentificationModule),
		BriefSummary:  entity.Cut(markup(p.DescriptionModule.BriefSummary), summaryLimit),
		Status:        value[entity.Status](p.StatusModule.OverallStatus),
		Conditions:    plains(p.ConditionsModule.Conditions),
		Interventions: interventionNames(p),
		LeadSponsor:   plain(p.SponsorCollaboratorsModule.LeadSponsor.Name),
		StartDate:     date(p.StatusModule.StartDateStruct.Date),
		HasResults:    s.HasResults,
		WhyStopped:    entity.Cut(markup(p.StatusModule.WhyStopped), summaryLimit),
	}
	c.Phase, c.Phases = phases(p.DesignModule.Phases)
	c.Enrollment, _ = enrollment(&p.DesignModule.EnrollmentInfo)
	if c.ID == "" || c.Title == "" || c.Status == "" {
		return entity.TrialSearchCandidate{}, ErrIncomplete
	}
	return c, nil
}

// Trial maps a study to the complete entity. The only error is ErrIncomplete.
func Trial(s *ctgov.Study) (entity.Trial, error) {
	p := &s.ProtocolSection
	ident, status, arms := &p.IdentificationModule, &p.StatusModule, &p.ArmsInterventionsModule
	t := entity.Trial{
		ID:                  curie(id.NCT, ident.NctId),
		Title:               trialTitle(ident),
		Status:              value[entity.Status](status.OverallStatus),
		IDAliases:           trialCURIEs(ident.NctIdAliases),
		BriefTitle:          plain(ident.BriefTitle),
		Acronym:             plain(ident.Acronym),
		BriefSummary:        markup(p.DescriptionModule.BriefSummary),
		LastKnownStatus:     value[entity.Status](status.LastKnownStatus),
		WhyStopped:          markup(status.WhyStopped),
		Conditions:          plains(p.ConditionsModule.Conditions),
		Keywords:            plains(p.ConditionsModule.Keywords),
		Interventions:       interventionNames(p),
		MeSH:                trialMeSH(&s.DerivedSection),
		Sponsors:            sponsors(&p.SponsorCollaboratorsModule),
		HasResults:          s.HasResults,
		LocationsSummary:    locationsSummary(p.ContactsLocationsModule.Locations),
		DetailedDescription: markup(p.DescriptionModule.DetailedDescription),
		Protocol:            protocol(p),
		ExpandedAccess:      expandedAccess(&status.ExpandedAccessInfo, &p.DesignModule),
		PrimaryOutcomes:     each(p.OutcomesModule.PrimaryOutcomes, outcome),
		SecondaryOutcomes:   each(p.OutcomesModule.SecondaryOutcomes, outcome),
		OtherOutcomes:       each(p.OutcomesModule.OtherOutcomes, outcome),
		Arms:                each(arms.ArmGroups, arm),
		InterventionDetails: each(arms.Interventions, intervention),
		CentralContacts:     each(p.ContactsLocationsModule.CentralContacts, contact),
		Officials:           each(p.ContactsLocationsModule.OverallOfficials, official),
		ResponsibleParty:    responsibleParty(&p.SponsorCollaboratorsModule.ResponsibleParty),
		CrossReferences:     trialCrossReferences(s),
	}
	t.Phase, t.Phases = phases(p.DesignModule.Phases)
	t.Enrollment, t.EnrollmentType = enrollment(&p.DesignModule.EnrollmentInfo)
	setEligibility(&t, &p.EligibilityModule)
	setReferences(&t, s)
	setAdministrative(&t, s)
	setDates(&t, status)
	if t.ID == "" || t.Title == "" || t.Status == "" {
		return entity.Trial{}, ErrIncomplete
	}
	return t, nil
}

func trialCURIEs(given []string) []string {
	var out []string
	for _, nct := range given {
		if alias := curie(id.NCT, nct); alias != "" {
			out = append(out, alias)
		}
	}
	return out
}

func trialTitle(id *ctgov.IdentificationModule) string {
	if title := plain(id.OfficialTitle); title != "" {
		return title
	}
	return plain(id.BriefTitle)
}

func interventionNames(p *ctgov.ProtocolSection) []string {
	var out []string
	for i := range p.ArmsInterventionsModule.Interventions {
		if name := plain(p.ArmsInterventionsModule.Interventions[i].Name); name != "" {
			out = append(out, name)
		}
	}
	return out
}

// phases returns the first phase, and all of them where there are several.
func phases(given []ctgov.Phase) (entity.Phase, []entity.Phase) {
	var all []entity.Phase
	for _, g := range given {
		if p := value[entity.Phase](g); p != "" {
			all = append(all, p)
		}
	}
	switch len(all) {
	case 0:
		return "", nil
	case 1:
		return all[0], nil
	}
	return all[0], all
}

func eligibility(e *ctgov.EligibilityModule) *entity.EligibilityCriteria {
	text := markup(e.EligibilityCriteria)
	inclusion, exclusion := splitCriteria(text)
	return filled(entity.EligibilityCriteria{
		CriteriaText:             text,
		Inclusion:                inclusion,
		Exclusion:                exclusion,
		MinimumAge:               plain(e.MinimumAge),
		MaximumAge:               plain(e.MaximumAge),
		Sex:                      value[entity.Sex](e.Sex),
		AcceptsHealthyVolunteers: e.HealthyVolunteers,
	})
}

func outcome(o *ctgov.Outcome) entity.Outcome {
	return entity.Outcome{Measure: plain(o.Measure), TimeFrame: plain(o.TimeFrame), Description: markup(o.Description)}
}

func sponsors(m *ctgov.SponsorCollaboratorsModule) []entity.Sponsor {
	var out []entity.Sponsor
	add := func(s *ctgov.Sponsor, role entity.SponsorRole) {
		if name := plain(s.Name); name != "" {
			out = append(out, entity.Sponsor{Name: name, Role: role, Class: value[entity.AgencyClass](s.Class)})
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
	return e.Count, value[entity.EnrollmentType](e.Type)
}

func contact(c *ctgov.Contact) entity.Contact {
	phone := plain(c.Phone)
	if extension := plain(c.PhoneExt); phone != "" && extension != "" {
		phone += " x" + extension
	}
	return entity.Contact{Name: plain(c.Name), Phone: phone, Email: plain(c.Email), Role: value[entity.ContactRole](c.Role)}
}
