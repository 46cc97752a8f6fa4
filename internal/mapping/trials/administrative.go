package trials

import (
	"slices"

	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
	"github.com/biofact-mcp/biofact/internal/register"
)

// setAdministrative sets the organization of a record, its other ids, and the state of its results.
func setAdministrative(t *entity.Trial, s *ctgov.Study) {
	ident, o, misc := &s.ProtocolSection.IdentificationModule, &s.ProtocolSection.OversightModule, &s.DerivedSection.MiscInfoModule
	t.Organization = text.Clean(ident.Organization.FullName)
	t.OrganizationClass = text.Enum[entity.AgencyClass](ident.Organization.Class)
	t.OrgStudyID = text.Clean(ident.OrgStudyIdInfo.Id)
	t.OrgStudyIDType = text.Enum[entity.OrgStudyIDType](ident.OrgStudyIdInfo.Type)
	t.OrgStudyIDLink = text.Clean(ident.OrgStudyIdInfo.Link)
	t.SecondaryIDs = text.MapNonZero(ident.SecondaryIdInfos, secondaryID)
	t.Oversight = text.NonZero(entity.Oversight{
		HasDMC:                          o.OversightHasDmc,
		FDARegulatedDrug:                o.IsFdaRegulatedDrug,
		FDARegulatedDevice:              o.IsFdaRegulatedDevice,
		UnapprovedDevice:                o.IsUnapprovedDevice,
		PediatricPostmarketSurveillance: o.IsPpsd,
		USExport:                        o.IsUsExport,
		FDAAA801Violation:               o.Fdaaa801Violation,
	})
	t.RemovedCountries = text.CleanAll(misc.RemovedCountries)
	t.ResultsSubmission = resultsSubmission(&misc.SubmissionTracking)
	annotation := &s.AnnotationSection.AnnotationModule
	t.UnpostedResults = text.NonZero(entity.UnpostedSubmission{
		ResponsibleParty: text.Clean(annotation.UnpostedAnnotation.UnpostedResponsibleParty),
		Events:           text.MapNonZero(annotation.UnpostedAnnotation.UnpostedEvents, unpostedEvent),
	})
	t.Violations = text.MapNonZero(annotation.ViolationAnnotation.ViolationEvents, violation)
}

func unpostedEvent(e *ctgov.UnpostedEvent) entity.UnpostedEvent {
	return entity.UnpostedEvent{Type: text.Clean(string(e.Type)), Date: text.Date(e.Date), DateUnknown: e.DateUnknown}
}

func resultsSubmission(s *ctgov.SubmissionTracking) *entity.ResultsSubmission {
	return text.NonZero(entity.ResultsSubmission{
		EstimatedFirstSubmittedDate: text.Date(s.EstimatedResultsFirstSubmitDate),
		FirstMCPPostedDate:          text.Date(s.FirstMcpInfo.PostDateStruct.Date),
		FirstMCPPostedDateType:      text.Enum[entity.DateType](s.FirstMcpInfo.PostDateStruct.Type),
		Cycles: text.MapNonZero(s.SubmissionInfos, func(i *ctgov.SubmissionInfo) entity.SubmissionCycle {
			return entity.SubmissionCycle{
				Released: text.Date(i.ReleaseDate), Unreleased: text.Date(i.UnreleaseDate), UnreleasedUnknown: i.UnreleaseDateUnknown,
				Reset: text.Date(i.ResetDate), MCPRelease: i.McpReleaseN,
			}
		}),
	})
}

func violation(v *ctgov.ViolationEvent) entity.Violation {
	return entity.Violation{
		Type: text.Clean(string(v.Type)), Description: text.Clean(v.Description), CreatedDate: text.Date(v.CreationDate),
		IssuedDate: text.Date(v.IssuedDate), ReleasedDate: text.Date(v.ReleaseDate), PostedDate: text.Date(v.PostedDate),
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
	t.VerifiedDate = text.Date(m.StatusVerifiedDate)
	t.FirstSubmittedDate, t.FirstSubmittedQCDate = text.Date(m.StudyFirstSubmitDate), text.Date(m.StudyFirstSubmitQcDate)
	t.ResultsFirstSubmittedDate, t.ResultsFirstSubmittedQCDate = text.Date(m.ResultsFirstSubmitDate), text.Date(m.ResultsFirstSubmitQcDate)
	t.DelayFirstSubmittedDate, t.DelayFirstSubmittedQCDate = text.Date(m.DispFirstSubmitDate), text.Date(m.DispFirstSubmitQcDate)
	t.LastUpdateSubmittedDate = text.Date(m.LastUpdateSubmitDate)
	t.ResultsWaived, t.DelayedPosting = m.ResultsWaived, m.DelayedPosting
}

// partial returns a date, which may be a month or a year, and its type. Without a date it returns no type.
func partial(d *ctgov.PartialDateStruct) (string, entity.DateType) { return dated(d.Date, d.Type) }

func posted(d *ctgov.DateStruct) (string, entity.DateType) { return dated(d.Date, d.Type) }

func dated(when string, kind ctgov.DateType) (string, entity.DateType) {
	if when = text.Date(when); when == "" {
		return "", ""
	}
	return when, text.Enum[entity.DateType](kind)
}

// NumberPieces are the pieces that HoldsNumber reads.
func NumberPieces() []string { return []string{"SecondaryId", "OrgStudyId"} }

// HoldsNumber reports whether the ids of a study have the number of a register.
func HoldsNumber(s *ctgov.Study, number *register.Number) bool {
	ident := &s.ProtocolSection.IdentificationModule
	return number.Holds(text.Clean(ident.OrgStudyIdInfo.Id)) ||
		slices.ContainsFunc(ident.SecondaryIdInfos, func(i ctgov.SecondaryIdInfo) bool { return number.Holds(text.Clean(i.Id)) })
}

func secondaryID(i *ctgov.SecondaryIdInfo) entity.SecondaryID {
	s := entity.SecondaryID{
		ID:     text.Clean(i.Id),
		Type:   text.Enum[entity.SecondaryIDType](i.Type),
		Domain: text.Clean(i.Domain),
		Link:   text.Clean(i.Link),
	}
	if numbers := register.Find(s.ID); numbers != nil {
		s.Register, s.RegisterID = numbers[0].Register, numbers[0].ID
		if s.Link == "" {
			s.RegisterURL = numbers[0].URL
		}
	}
	return s
}
