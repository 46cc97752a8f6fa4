package trials

import (
	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
)

// DataVersion returns the date of the registry's data that a record is from, or "" if the record does not state it.
func DataVersion(s *ctgov.Study) string {
	return text.Clean(s.DerivedSection.MiscInfoModule.VersionHolder)
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

// ReportingStatus returns the status of Reporting for a study that has the pieces of due_date_computed; "" for a trial without status.
func ReportingStatus(s *ctgov.Study) string {
	t := trialOf(s)
	if r := Reporting(&t, DataVersion(s)); r != nil {
		return r.Status
	}
	return ""
}
