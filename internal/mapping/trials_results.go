package mapping

import (
	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// TrialResultsFields returns the fields that TrialResults reads: the five modules
// of posted results, and the state of results that are not posted.
func TrialResultsFields() []string {
	return []string{
		"NCTId", "NCTIdAlias", "BriefTitle", "OverallStatus", "PrimaryCompletionDate",
		"HasResults", "ResultsFirstPostDate", "ResultsWaived", "DispFirstSubmitDate",
		"UnpostedAnnotation", "EstimatedResultsFirstSubmitDate", "SubmissionInfo", "ReferencePMID", "ReferenceType",
		"ParticipantFlowModule", "BaselineCharacteristicsModule", "OutcomeMeasuresModule", "AdverseEventsModule", "MoreInfoModule",
		"VersionHolder",
	}
}

// TrialResults maps the posted results of a study, all sections of them. The only
// error is ErrIncomplete.
func TrialResults(s *ctgov.Study) (entity.TrialResults, error) {
	p := &s.ProtocolSection
	r := entity.TrialResults{
		ID:         curie(id.NCT, p.IdentificationModule.NctId),
		BriefTitle: plain(p.IdentificationModule.BriefTitle),
		HasResults: s.HasResults != nil && *s.HasResults,
	}
	if r.ID == "" {
		return entity.TrialResults{}, ErrIncomplete
	}
	r.PubMed, _ = publications(p.ReferencesModule.References)
	if !r.HasResults {
		r.Unposted = unposted(s)
		return r, nil
	}
	results := &s.ResultsSection
	r.ResultsFirstPosted = date(p.StatusModule.ResultsFirstPostDateStruct.Date)
	r.ParticipantFlow = participantFlow(&results.ParticipantFlowModule)
	r.Baseline = baseline(&results.BaselineCharacteristicsModule)
	r.OutcomeMeasures = outcomeMeasures(results.OutcomeMeasuresModule.OutcomeMeasures)
	r.AdverseEvents = adverseEvents(&results.AdverseEventsModule)
	more := &results.MoreInfoModule
	r.Limitations = markup(more.LimitationsAndCaveats.Description)
	r.Agreement = filled(entity.ResultsAgreement{
		InvestigatorsEmployed: more.CertainAgreement.PiSponsorEmployee,
		Restrictive:           more.CertainAgreement.RestrictiveAgreement,
		Restriction:           plain(string(more.CertainAgreement.RestrictionType)),
		Details:               markup(more.CertainAgreement.OtherDetails),
	})
	asked := contact(&ctgov.Contact{
		Name: more.PointOfContact.Title, Phone: more.PointOfContact.Phone,
		PhoneExt: more.PointOfContact.PhoneExt, Email: more.PointOfContact.Email,
	})
	r.PointOfContact = filled(entity.ResultsContact{
		Name: asked.Name, Organization: plain(more.PointOfContact.Organization), Phone: asked.Phone, Email: asked.Email,
	})
	return r, nil
}

// unposted returns the state of the results of a study that has posted none.
func unposted(s *ctgov.Study) *entity.UnpostedResults {
	status, annotation := &s.ProtocolSection.StatusModule, &s.AnnotationSection.AnnotationModule.UnpostedAnnotation
	u := &entity.UnpostedResults{
		FirstSubmitted:        date(s.DerivedSection.MiscInfoModule.SubmissionTracking.EstimatedResultsFirstSubmitDate),
		ResponsibleParty:      plain(annotation.UnpostedResponsibleParty),
		DelayCertified:        date(status.DispFirstSubmitDate),
		Waived:                status.ResultsWaived,
		Status:                plain(string(status.OverallStatus)),
		PrimaryCompletionDate: date(status.PrimaryCompletionDateStruct.Date),
	}
	u.Events = each(annotation.UnpostedEvents, unpostedEvent)
	for _, e := range u.Events {
		u.Submitted = e.Type != string(ctgov.UNRELEASE)
		if e.Type == string(ctgov.RELEASE) {
			u.LastSubmitted = max(u.LastSubmitted, e.Date)
		}
	}
	for _, info := range s.DerivedSection.MiscInfoModule.SubmissionTracking.SubmissionInfos {
		if released := date(info.ReleaseDate); released > u.LastSubmitted && info.UnreleaseDate == "" && info.UnreleaseDateUnknown == nil {
			u.LastSubmitted, u.Submitted = released, true
		}
	}
	return u
}

// A roster numbers the groups of one table. Their ids have no meaning outside it.
type roster struct {
	groups  []entity.ResultGroup
	numbers map[string]int
}

// add adds a group. Of two groups with one id the first has the cells.
func (r *roster) add(id, title, description string) {
	if r.numbers == nil {
		r.numbers = map[string]int{}
	}
	number := len(r.groups) + 1
	if _, known := r.numbers[id]; !known {
		r.numbers[id] = number
	}
	r.groups = append(r.groups, entity.ResultGroup{Number: number, Title: plain(title), Description: markup(description)})
}

// number returns the number of a group. One that the table does not list is added
// under its id, so that its cells are not lost.
func (r *roster) number(id string) int {
	if _, known := r.numbers[id]; !known {
		r.add(id, id, "")
	}
	return r.numbers[id]
}

func (r *roster) numbersOf(ids []string) []int {
	var out []int
	for _, id := range ids {
		out = append(out, r.number(id))
	}
	return out
}

func measureRoster(groups []ctgov.MeasureGroup) *roster {
	r := &roster{}
	for i := range groups {
		r.add(groups[i].Id, groups[i].Title, groups[i].Description)
	}
	return r
}

func outcomeMeasures(given []ctgov.OutcomeMeasure) []entity.ResultMeasure {
	var out []entity.ResultMeasure
	for i := range given {
		o := &given[i]
		groups := measureRoster(o.Groups)
		analyzed := readDenominators(o.Denoms, o.DenomUnitsSelected, nil)
		setAnalyzed(groups, o.Groups, analyzed)
		m := entity.ResultMeasure{
			Number:          i + 1,
			Type:            plain(string(o.Type)),
			Title:           plain(o.Title),
			TimeFrame:       plain(o.TimeFrame),
			Description:     markup(o.Description),
			Population:      markup(o.PopulationDescription),
			ReportingStatus: plain(string(o.ReportingStatus)),
			ExpectedPosting: date(o.AnticipatedPostingDate),
			Parameter:       plain(string(o.ParamType)),
			Dispersion:      plain(o.DispersionType),
			Unit:            plain(o.UnitOfMeasure),
			AnalyzedUnits:   analyzed.units,
		}
		t := table{groups: groups, analyzed: analyzed}
		t.readRows(&m, o.Classes, analyzed)
		for j := range o.Analyses {
			m.Analyses = append(m.Analyses, analysis(&o.Analyses[j], groups))
		}
		m.Groups = groups.groups
		out = append(out, m)
	}
	return out
}

func baseline(b *ctgov.BaselineCharacteristicsModule) *entity.BaselineResults {
	groups := measureRoster(b.Groups)
	analyzed := readDenominators(b.Denoms, "", nil)
	setAnalyzed(groups, b.Groups, analyzed)
	out := entity.BaselineResults{Population: markup(b.PopulationDescription), AnalyzedUnits: analyzed.units}
	for i := range b.Measures {
		o := &b.Measures[i]
		m := entity.ResultMeasure{
			Number:      i + 1,
			Title:       plain(o.Title),
			Description: markup(o.Description),
			Population:  markup(o.PopulationDescription),
			Parameter:   plain(string(o.ParamType)),
			Dispersion:  plain(string(o.DispersionType)),
			Unit:        plain(o.UnitOfMeasure),
		}
		own := readDenominators(o.Denoms, o.DenomUnitsSelected, analyzed)
		if own.units != analyzed.units {
			m.AnalyzedUnits = own.units
		}
		t := table{groups: groups, analyzed: analyzed}
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

func analysis(a *ctgov.MeasureAnalysis, groups *roster) entity.ResultAnalysis {
	out := entity.ResultAnalysis{
		Groups:               groups.numbersOf(a.GroupIds),
		Description:          markup(a.GroupDescription),
		Method:               plain(a.StatisticalMethod),
		MethodComment:        markup(a.StatisticalComment),
		PValue:               plain(a.PValue),
		PComment:             markup(a.PValueComment),
		EstimateType:         plain(a.ParamType),
		Estimate:             plain(a.ParamValue),
		Dispersion:           plain(string(a.DispersionType)),
		Spread:               plain(a.DispersionValue),
		CIPercent:            plain(a.CiPctValue),
		CISides:              plain(string(a.CiNumSides)),
		Lower:                plain(a.CiLowerLimit),
		Upper:                plain(a.CiUpperLimit),
		LowerComment:         markup(a.CiLowerLimitComment),
		UpperComment:         markup(a.CiUpperLimitComment),
		Hypothesis:           plain(string(a.NonInferiorityType)),
		HypothesisComment:    markup(a.NonInferiorityComment),
		TestedNonInferiority: a.TestedNonInferiority,
		Comment:              markup(a.EstimateComment),
		OtherAnalysis:        markup(a.OtherAnalysisDescription),
	}
	if m := pValue.FindStringSubmatch(out.PValue); m != nil {
		if out.PNumber = plainNumber(m[2]); out.PNumber != nil {
			out.POperator = m[1]
		}
	}
	return out
}
