package mapping

import (
	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/entity"
)

// setAdministrative sets the organization of a record, its other ids, and the state of its results.
func setAdministrative(t *entity.Trial, s *ctgov.Study) {
	ident, o, misc := &s.ProtocolSection.IdentificationModule, &s.ProtocolSection.OversightModule, &s.DerivedSection.MiscInfoModule
	t.Organization = clean(ident.Organization.FullName)
	t.OrganizationClass = enumValue[entity.AgencyClass](ident.Organization.Class)
	t.OrgStudyID = clean(ident.OrgStudyIdInfo.Id)
	t.OrgStudyIDType = enumValue[entity.OrgStudyIDType](ident.OrgStudyIdInfo.Type)
	t.OrgStudyIDLink = clean(ident.OrgStudyIdInfo.Link)
	t.SecondaryIDs = mapNonZero(ident.SecondaryIdInfos, func(i *ctgov.SecondaryIdInfo) entity.SecondaryID {
		return entity.SecondaryID{ID: clean(i.Id), Type: enumValue[entity.SecondaryIDType](i.Type), Domain: clean(i.Domain),
			Link: clean(i.Link)}
	})
	t.Oversight = nonZero(entity.Oversight{
		HasDMC:                          o.OversightHasDmc,
		FDARegulatedDrug:                o.IsFdaRegulatedDrug,
		FDARegulatedDevice:              o.IsFdaRegulatedDevice,
		UnapprovedDevice:                o.IsUnapprovedDevice,
		PediatricPostmarketSurveillance: o.IsPpsd,
		USExport:                        o.IsUsExport,
		FDAAA801Violation:               o.Fdaaa801Violation,
	})
	t.RemovedCountries = cleanAll(misc.RemovedCountries)
	t.ResultsSubmission = resultsSubmission(&misc.SubmissionTracking)
	annotation := &s.AnnotationSection.AnnotationModule
	t.UnpostedResults = nonZero(entity.UnpostedSubmission{
		ResponsibleParty: clean(annotation.UnpostedAnnotation.UnpostedResponsibleParty),
		Events:           mapNonZero(annotation.UnpostedAnnotation.UnpostedEvents, unpostedEvent),
	})
	t.Violations = mapNonZero(annotation.ViolationAnnotation.ViolationEvents, violation)
}

func unpostedEvent(e *ctgov.UnpostedEvent) entity.UnpostedEvent {
	return entity.UnpostedEvent{Type: clean(string(e.Type)), Date: date(e.Date), DateUnknown: e.DateUnknown}
}

func resultsSubmission(s *ctgov.SubmissionTracking) *entity.ResultsSubmission {
	return nonZero(entity.ResultsSubmission{
		EstimatedFirstSubmittedDate: date(s.EstimatedResultsFirstSubmitDate),
		FirstMCPPostedDate:          date(s.FirstMcpInfo.PostDateStruct.Date),
		FirstMCPPostedDateType:      enumValue[entity.DateType](s.FirstMcpInfo.PostDateStruct.Type),
		Cycles: mapNonZero(s.SubmissionInfos, func(i *ctgov.SubmissionInfo) entity.SubmissionCycle {
			return entity.SubmissionCycle{
				Released: date(i.ReleaseDate), Unreleased: date(i.UnreleaseDate), UnreleasedUnknown: i.UnreleaseDateUnknown,
				Reset: date(i.ResetDate), MCPRelease: i.McpReleaseN,
			}
		}),
	})
}

func violation(v *ctgov.ViolationEvent) entity.Violation {
	return entity.Violation{
		Type: clean(string(v.Type)), Description: clean(v.Description), CreatedDate: date(v.CreationDate),
		IssuedDate: date(v.IssuedDate), ReleasedDate: date(v.ReleaseDate), PostedDate: date(v.PostedDate),
	}
}

// setDates sets the dates of a study and of its record.
func setDates(t *entity.Trial, m *ctgov.StatusModule) {
	t.StartDate, t.StartDateType = partial(&m.StartDateStruct)
	t.PrimaryCompletionDate, t.PrimaryCompletionDateType = partial(&m.PrimaryCompletionDateStruct)
	t.CompletionDate, t.CompletionDateType = partial(&m.CompletionDateStruct)
	t.FirstPostedDate, t.FirstPostedDateType = posted(&m.StudyFirstPostDateStruct)
	t.ResultsFirstPostedDate, t.ResultsFirstPostedDateType = posted(&m.ResultsFirstPostDateStruct)
	t.DelayFirstPostedDate, t.DelayFirstPostedDateType = posted(&m.DispFirstPostDateStruct)
	t.LastUpdateDate, t.LastUpdateDateType = posted(&m.LastUpdatePostDateStruct)
	t.VerifiedDate = date(m.StatusVerifiedDate)
	t.FirstSubmittedDate, t.FirstSubmittedQCDate = date(m.StudyFirstSubmitDate), date(m.StudyFirstSubmitQcDate)
	t.ResultsFirstSubmittedDate, t.ResultsFirstSubmittedQCDate = date(m.ResultsFirstSubmitDate), date(m.ResultsFirstSubmitQcDate)
	t.DelayFirstSubmittedDate, t.DelayFirstSubmittedQCDate = date(m.DispFirstSubmitDate), date(m.DispFirstSubmitQcDate)
	t.LastUpdateSubmittedDate = date(m.LastUpdateSubmitDate)
	t.ResultsWaived, t.DelayedPosting = m.ResultsWaived, m.DelayedPosting
}

// partial returns a date, which may be a month or a year, and its type. Without a date it returns no type.
func partial(d *ctgov.PartialDateStruct) (string, entity.DateType) { return dated(d.Date, d.Type) }

func posted(d *ctgov.DateStruct) (string, entity.DateType) { return dated(d.Date, d.Type) }

func dated(text string, kind ctgov.DateType) (string, entity.DateType) {
	if text = date(text); text == "" {
		return "", ""
	}
	return text, enumValue[entity.DateType](kind)
}
