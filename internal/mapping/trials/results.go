package trials

import (
	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
)

// TrialResultsFields returns the fields that TrialResults reads: the five modules
// of posted results, the registered arms, and the state of results that are not
// posted.
func TrialResultsFields() []string {
	return []string{
		"NCTId", "NCTIdAlias", "BriefTitle", "OverallStatus", "PrimaryCompletionDate",
		"HasResults", "ResultsFirstPostDate", "ResultsWaived", "DispFirstSubmitDate",
		"UnpostedAnnotation", "EstimatedResultsFirstSubmitDate", "SubmissionInfo", "ReferencePMID", "ReferenceType",
		"ArmGroupLabel", "ArmGroupType",
		"ParticipantFlowModule", "BaselineCharacteristicsModule", "OutcomeMeasuresModule", "AdverseEventsModule", "MoreInfoModule",
		"VersionHolder",
	}
}

// TrialResults maps all sections of the posted results of a study. The error is ErrIncomplete, or entity.ErrTooLarge for a hostile record.
func TrialResults(s *ctgov.Study) (entity.TrialResults, error) {
	p := &s.ProtocolSection
	r := entity.TrialResults{
		ID:         text.CURIE(id.NCT, p.IdentificationModule.NctId),
		BriefTitle: text.Clean(p.IdentificationModule.BriefTitle),
		HasResults: s.HasResults,
	}
	if r.ID == "" {
		return entity.TrialResults{}, text.ErrIncomplete
	}
	r.PubMed, _ = publications(p.ReferencesModule.References)
	if !r.Posted() {
		if r.HasResults != nil {
			r.Unposted = unposted(s)
		}
		return r, nil
	}
	r.Arms = text.MapNonZero(p.ArmsInterventionsModule.ArmGroups, armType)
	results := &s.ResultsSection
	r.ResultsFirstPosted = text.Date(p.StatusModule.ResultsFirstPostDateStruct.Date)
	r.ParticipantFlow = participantFlow(&results.ParticipantFlowModule)
	compared := 0
	r.Baseline = baseline(&results.BaselineCharacteristicsModule, &compared)
	r.OutcomeMeasures = outcomeMeasures(results.OutcomeMeasuresModule.OutcomeMeasures, &compared)
	if compared > maxCompared {
		return entity.TrialResults{}, entity.ErrTooLarge
	}
	r.AdverseEvents = adverseEvents(&results.AdverseEventsModule)
	more := &results.MoreInfoModule
	r.Limitations = text.CleanMarkup(more.LimitationsAndCaveats.Description)
	r.Agreement = text.NonZero(entity.ResultsAgreement{
		InvestigatorsEmployed: more.CertainAgreement.PiSponsorEmployee,
		Restrictive:           more.CertainAgreement.RestrictiveAgreement,
		Restriction:           text.Clean(string(more.CertainAgreement.RestrictionType)),
		Details:               text.CleanMarkup(more.CertainAgreement.OtherDetails),
	})
	pointOfContact := contact(&ctgov.Contact{
		Name: more.PointOfContact.Title, Phone: more.PointOfContact.Phone,
		PhoneExt: more.PointOfContact.PhoneExt, Email: more.PointOfContact.Email,
	})
	r.PointOfContact = text.NonZero(entity.ResultsContact{
		Name: pointOfContact.Name, Organization: text.Clean(more.PointOfContact.Organization), Phone: pointOfContact.Phone,
		Email: pointOfContact.Email,
	})
	return r, nil
}

// armType returns the label and the type of an arm: rows of the results need no more.
func armType(a *ctgov.ArmGroup) entity.Arm {
	full := arm(a)
	return entity.Arm{Label: full.Label, Type: full.Type}
}

// unposted returns the state of the results of a study that has not posted any.
func unposted(s *ctgov.Study) *entity.UnpostedResults {
	status, annotation := &s.ProtocolSection.StatusModule, &s.AnnotationSection.AnnotationModule.UnpostedAnnotation
	u := &entity.UnpostedResults{
		FirstSubmitted:        text.Date(s.DerivedSection.MiscInfoModule.SubmissionTracking.EstimatedResultsFirstSubmitDate),
		ResponsibleParty:      text.Clean(annotation.UnpostedResponsibleParty),
		DelayCertified:        text.Date(status.DispFirstSubmitDate),
		Waived:                status.ResultsWaived,
		Status:                text.Clean(string(status.OverallStatus)),
		PrimaryCompletionDate: text.Date(status.PrimaryCompletionDateStruct.Date),
	}
	u.Events = text.MapNonZero(annotation.UnpostedEvents, unpostedEvent)
	for _, e := range u.Events {
		u.Submitted = e.Type != string(ctgov.UNRELEASE)
		if e.Type == string(ctgov.RELEASE) {
			u.LastSubmitted = max(u.LastSubmitted, e.Date)
		}
	}
	for _, info := range s.DerivedSection.MiscInfoModule.SubmissionTracking.SubmissionInfos {
		released, withdrawn := text.Date(info.ReleaseDate), info.UnreleaseDate != "" || info.UnreleaseDateUnknown != nil
		if released > u.LastSubmitted && !withdrawn {
			u.LastSubmitted, u.Submitted = released, true
		}
	}
	return u
}

func outcomeMeasures(given []ctgov.OutcomeMeasure, compared *int) []entity.ResultMeasure {
	var out []entity.ResultMeasure
	for i := range given {
		o := &given[i]
		groups := measureGroups(o.Groups)
		analyzed := readDenominators(o.Denoms, o.DenomUnitsSelected, nil)
		setAnalyzed(groups, o.Groups, analyzed)
		m := entity.ResultMeasure{
			Number:          i + 1,
			Type:            text.Clean(string(o.Type)),
			Title:           text.Clean(o.Title),
			TimeFrame:       text.Clean(o.TimeFrame),
			Description:     text.CleanMarkup(o.Description),
			Population:      text.CleanMarkup(o.PopulationDescription),
			ReportingStatus: text.Clean(string(o.ReportingStatus)),
			ExpectedPosting: text.Date(o.AnticipatedPostingDate),
			Parameter:       text.Clean(string(o.ParamType)),
			Dispersion:      text.Clean(o.DispersionType),
			Unit:            text.Clean(o.UnitOfMeasure),
			AnalyzedUnits:   analyzed.units,
		}
		t := table{groups, analyzed, compared}
		t.readRows(&m, o.Classes, analyzed)
		for j := range o.Analyses {
			m.Analyses = append(m.Analyses, analysis(&o.Analyses[j], groups))
		}
		m.Groups = groups.groups
		out = append(out, m)
	}
	return out
}

func baseline(b *ctgov.BaselineCharacteristicsModule, compared *int) *entity.BaselineResults {
	groups := measureGroups(b.Groups)
	analyzed := readDenominators(b.Denoms, "", nil)
	setAnalyzed(groups, b.Groups, analyzed)
	out := entity.BaselineResults{Population: text.CleanMarkup(b.PopulationDescription), AnalyzedUnits: analyzed.units}
	for i := range b.Measures {
		o := &b.Measures[i]
		m := entity.ResultMeasure{
			Number:      i + 1,
			Title:       text.Clean(o.Title),
			Description: text.CleanMarkup(o.Description),
			Population:  text.CleanMarkup(o.PopulationDescription),
			Parameter:   text.Clean(string(o.ParamType)),
			Dispersion:  text.Clean(string(o.DispersionType)),
			Unit:        text.Clean(o.UnitOfMeasure),
		}
		own := readDenominators(o.Denoms, o.DenomUnitsSelected, analyzed)
		if own.units != analyzed.units {
			m.AnalyzedUnits = own.units
		}
		t := table{groups, analyzed, compared}
		t.readRows(&m, o.Classes, own)
		out.Measures = append(out.Measures, m)
	}
	out.Groups = groups.groups
	if out.Groups == nil && out.Measures == nil && out.Population == "" {
		return nil
	}
	return &out
}

// pValue matches a p-value with its operator.
var pValue = lazyregexp.New(`^(<=|>=|[<>=≤≥])?[ ]*([0-9]*\.?[0-9]*)$`)

func analysis(a *ctgov.MeasureAnalysis, groups *groupTable) entity.ResultAnalysis {
	out := entity.ResultAnalysis{
		Groups:               groups.numbersOf(a.GroupIds),
		Description:          text.CleanMarkup(a.GroupDescription),
		Method:               text.Clean(a.StatisticalMethod),
		MethodComment:        text.CleanMarkup(a.StatisticalComment),
		PValue:               text.Clean(a.PValue),
		PComment:             text.CleanMarkup(a.PValueComment),
		EstimateType:         text.Clean(a.ParamType),
		Estimate:             text.Clean(a.ParamValue),
		Dispersion:           text.Clean(string(a.DispersionType)),
		Spread:               text.Clean(a.DispersionValue),
		CIPercent:            text.Clean(a.CiPctValue),
		CISides:              text.Clean(string(a.CiNumSides)),
		Lower:                text.Clean(a.CiLowerLimit),
		Upper:                text.Clean(a.CiUpperLimit),
		LowerComment:         text.CleanMarkup(a.CiLowerLimitComment),
		UpperComment:         text.CleanMarkup(a.CiUpperLimitComment),
		Hypothesis:           text.Clean(string(a.NonInferiorityType)),
		HypothesisComment:    text.CleanMarkup(a.NonInferiorityComment),
		TestedNonInferiority: a.TestedNonInferiority,
		Comment:              text.CleanMarkup(a.EstimateComment),
		OtherAnalysis:        text.CleanMarkup(a.OtherAnalysisDescription),
	}
	if m := pValue.FindStringSubmatch(out.PValue); m != nil {
		if out.PNumber = readNumber(m[2]); out.PNumber != nil {
			out.POperator = m[1]
		}
	}
	return out
}
