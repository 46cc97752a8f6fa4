package entity

// TrialResults are the posted results of a trial: an overview, or one section.
// Values are texts, as the registry has them. Values are not summed over groups,
// which may overlap.
type TrialResults struct {
	// CURIE of the trial. Source: identificationModule.nctId.
	ID string `json:"id" jsonschema:"pattern=^NCT:[0-9]{8}$"`
	// Brief title. Source: identificationModule.briefTitle.
	BriefTitle string `json:"brief_title,omitempty" jsonschema:"minLength=1"`
	// Whether results are posted; absent where the record does not say. Source: hasResults.
	HasResults *bool `json:"has_results,omitempty"`
	// Section of this answer.
	Section string `json:"section,omitempty" jsonschema:"minLength=1"`
	// YYYY-MM-DD. Source: statusModule.resultsFirstPostDateStruct.
	ResultsFirstPosted string `json:"results_first_posted,omitempty" jsonschema:"minLength=4"`
	// State of results that are not posted.
	Unposted *UnpostedResults `json:"unposted,omitempty"`
	// Participants by period. Source: participantFlowModule.
	ParticipantFlow *ParticipantFlow `json:"participant_flow,omitempty"`
	// Baseline characteristics. Source: baselineCharacteristicsModule.
	Baseline *BaselineResults `json:"baseline,omitempty"`
	// Outcome measures. Source: outcomeMeasuresModule.outcomeMeasures.
	OutcomeMeasures []ResultMeasure `json:"outcome_measures,omitempty" jsonschema:"minItems=1"`
	// All outcome measures, with their numbers.
	OutcomeIndex []OutcomeIndexEntry `json:"outcome_index,omitempty" jsonschema:"minItems=1"`
	// Adverse events. Source: adverseEventsModule.
	AdverseEvents *AdverseEventResults `json:"adverse_events,omitempty"`
	// Limitations and caveats. Markdown. Source: moreInfoModule.limitationsAndCaveats.
	Limitations string `json:"limitations,omitempty" jsonschema:"minLength=1"`
	// Agreement on publication by investigators. Source: moreInfoModule.certainAgreement.
	Agreement *ResultsAgreement `json:"agreement,omitempty"`
	// Contact for questions about the results. Source: moreInfoModule.pointOfContact.
	PointOfContact *ResultsContact `json:"point_of_contact,omitempty"`
	// PMIDs of publications of the trial. Source: referencesModule.references.pmid of type RESULT or DERIVED.
	PubMed []string `json:"pubmed,omitempty" jsonschema:"minItems=1,minLength=1,pattern=^[0-9]+$"`
	// Of the sections comparisons and arms: a comparison-row or an arm-row each.
	Rows []FlatRow `json:"rows,omitzero"`
	// With format csv: the section, one row per cell.
	CSV string `json:"csv,omitempty" jsonschema:"minLength=1"`
	// Pages of this section.
	Pagination *Pagination `json:"pagination,omitempty"`
	// Arms are the registered arms, which give the groups of rows their role.
	Arms []Arm `json:"-"`
}

// Posted reports whether the record says that results are posted.
func (r *TrialResults) Posted() bool { return r.HasResults != nil && *r.HasResults }

// UnpostedResults is the state of the results of a trial without posted results.
type UnpostedResults struct {
	// Whether results were submitted. Source: annotationModule.unpostedAnnotation.
	Submitted bool `json:"submitted"`
	// First submission. Source: miscInfoModule.submissionTracking.estimatedResultsFirstSubmitDate.
	FirstSubmitted string `json:"first_submitted,omitempty" jsonschema:"minLength=4"`
	// Latest submission. Source: submissionTracking.submissionInfos.releaseDate, unpostedEvents.
	LastSubmitted string `json:"last_submitted,omitempty" jsonschema:"minLength=4"`
	// Steps of the submission. Source: unpostedAnnotation.unpostedEvents.
	Events []UnpostedEvent `json:"events,omitempty" jsonschema:"minItems=1"`
	// Submitter. Source: unpostedAnnotation.unpostedResponsibleParty.
	ResponsibleParty string `json:"responsible_party,omitempty" jsonschema:"minLength=1"`
	// Date of the request to post later. Source: statusModule.dispFirstSubmitDate.
	DelayCertified string `json:"delay_certified,omitempty" jsonschema:"minLength=4"`
	// Whether posting was waived. Source: statusModule.resultsWaived.
	Waived *bool `json:"waived,omitempty"`
	// Overall recruitment status. Source: statusModule.overallStatus.
	Status string `json:"status,omitempty" jsonschema:"minLength=1"`
	// Primary completion. Source: statusModule.primaryCompletionDateStruct.
	PrimaryCompletionDate string `json:"primary_completion_date,omitempty" jsonschema:"minLength=4"`
}

// ResultGroup is a group of participants. Its number is valid only in its own
// table.
type ResultGroup struct {
	// Number of the group in this table only.
	Number int `json:"number" jsonschema:"minimum=1"`
	// Title of the group. Source: groups.title.
	Title string `json:"title,omitempty" jsonschema:"minLength=1"`
	// Text. Source: groups.description.
	Description string `json:"description,omitempty" jsonschema:"minLength=1"`
	// Number of participants or units analyzed. Source: denoms.counts.
	Analyzed string `json:"analyzed,omitempty" jsonschema:"minLength=1"`
	// Numbers analyzed in other units. Source: denoms.
	AnalyzedOther []UnitCount `json:"analyzed_other,omitempty" jsonschema:"minItems=1"`
}

// UnitCount is a number of units.
type UnitCount struct {
	// Name of the units. Source: denoms.units.
	Units string `json:"units,omitempty" jsonschema:"minLength=1"`
	// Number of units. Source: denoms.counts.value.
	Count string `json:"count" jsonschema:"minLength=1"`
}

// ResultMeasure is an outcome measure or a baseline measure with its values.
type ResultMeasure struct {
	// Number in the record, from 1.
	Number int `json:"number" jsonschema:"minimum=1"`
	// PRIMARY, SECONDARY, OTHER_PRE_SPECIFIED or POST_HOC. Source: type.
	Type string `json:"type,omitempty" jsonschema:"minLength=1"`
	// Title of the measure. Source: title.
	Title string `json:"title,omitempty" jsonschema:"minLength=1"`
	// When it was measured. Source: timeFrame.
	TimeFrame string `json:"time_frame,omitempty" jsonschema:"minLength=1"`
	// Text. Source: description.
	Description string `json:"description,omitempty" jsonschema:"minLength=1"`
	// Population analyzed. Markdown. Source: populationDescription.
	Population string `json:"population,omitempty" jsonschema:"minLength=1"`
	// POSTED or NOT_POSTED. Source: reportingStatus.
	ReportingStatus string `json:"reporting_status,omitempty" jsonschema:"minLength=1"`
	// Expected posting date of a measure without values. Source: anticipatedPostingDate.
	ExpectedPosting string `json:"expected_posting,omitempty" jsonschema:"minLength=4"`
	// Such as MEAN, or COUNT_OF_PARTICIPANTS. Source: paramType.
	Parameter string `json:"parameter,omitempty" jsonschema:"minLength=1"`
	// Meaning of spread, or of lower and upper. Source: dispersionType.
	Dispersion string `json:"dispersion,omitempty" jsonschema:"minLength=1"`
	// Unit of the values. Source: unitOfMeasure.
	Unit string `json:"unit,omitempty" jsonschema:"minLength=1"`
	// Units of analyzed. Source: denomUnitsSelected, denoms.units.
	AnalyzedUnits string `json:"analyzed_units,omitempty" jsonschema:"minLength=1"`
	// Groups of this measure. Source: groups.
	Groups []ResultGroup `json:"groups,omitempty" jsonschema:"minItems=1"`
	// Values. Source: classes.categories.
	Rows []ResultRow `json:"rows,omitempty" jsonschema:"minItems=1"`
	// Comparisons and estimates. Source: analyses.
	Analyses []ResultAnalysis `json:"analyses,omitempty" jsonschema:"minItems=1"`
	// Number of values left out: their fields have no meaning for this dispersion.
	UnusedValues int `json:"unused_values,omitempty" jsonschema:"minimum=1"`
}

// ResultRow is a row of a measure: one value for each group.
type ResultRow struct {
	// Such as a time point. Source: classes.title.
	Class string `json:"class,omitempty" jsonschema:"minLength=1"`
	// Such as a response or a sex. Source: categories.title.
	Category string `json:"category,omitempty" jsonschema:"minLength=1"`
	// One per group with a value.
	Cells []ResultCell `json:"cells,omitempty" jsonschema:"minItems=1"`
}

// ResultCell is the value of one group in a row.
type ResultCell struct {
	// Number of the group.
	Group int `json:"group" jsonschema:"minimum=1"`
	// As written; NA is explained in comment. Source: measurements.value.
	Value string `json:"value,omitempty" jsonschema:"minLength=1"`
	// The value as a number, where it is one.
	Number *float64 `json:"number,omitempty"`
	// Value of dispersion. Source: measurements.spread.
	Spread string `json:"spread,omitempty" jsonschema:"minLength=1"`
	// Lower limit. Source: measurements.lowerLimit.
	Lower string `json:"lower,omitempty" jsonschema:"minLength=1"`
	// Upper limit. Source: measurements.upperLimit.
	Upper string `json:"upper,omitempty" jsonschema:"minLength=1"`
	// Remark, or the reason for NA. Source: measurements.comment.
	Comment string `json:"comment,omitempty" jsonschema:"minLength=1"`
	// Number analyzed, where it differs from the group's. Source: classes.denoms.
	Analyzed string `json:"analyzed,omitempty" jsonschema:"minLength=1"`
	// Numbers analyzed in other units. Source: classes.denoms.
	AnalyzedOther []UnitCount `json:"analyzed_other,omitempty" jsonschema:"minItems=1"`
}

// ResultAnalysis is a statistical analysis of an outcome measure.
type ResultAnalysis struct {
	// Numbers of the compared groups. Source: groupIds.
	Groups []int `json:"groups,omitempty" jsonschema:"minItems=1"`
	// Description of the comparison. Source: groupDescription.
	Description string `json:"description,omitempty" jsonschema:"minLength=1"`
	// Statistical method. Source: statisticalMethod.
	Method string `json:"method,omitempty" jsonschema:"minLength=1"`
	// Remarks. Source: statisticalComment.
	MethodComment string `json:"method_comment,omitempty" jsonschema:"minLength=1"`
	// p-value, as written. Source: pValue.
	PValue string `json:"p_value,omitempty" jsonschema:"minLength=1"`
	// Operator of the p-value.
	POperator string `json:"p_operator,omitempty" jsonschema:"minLength=1"`
	// The p-value as a number.
	PNumber *float64 `json:"p_number,omitempty"`
	// Remarks. Source: pValueComment.
	PComment string `json:"p_comment,omitempty" jsonschema:"minLength=1"`
	// Such as Hazard Ratio (HR). Source: paramType.
	EstimateType string `json:"estimate_type,omitempty" jsonschema:"minLength=1"`
	// Estimate, as written. Source: paramValue.
	Estimate string `json:"estimate,omitempty" jsonschema:"minLength=1"`
	// Meaning of spread. Source: dispersionType.
	Dispersion string `json:"dispersion,omitempty" jsonschema:"minLength=1"`
	// Value of dispersion. Source: dispersionValue.
	Spread string `json:"spread,omitempty" jsonschema:"minLength=1"`
	// Confidence level, as written. Source: ciPctValue.
	CIPercent string `json:"ci_percent,omitempty" jsonschema:"minLength=1"`
	// ONE_SIDED or TWO_SIDED. Source: ciNumSides.
	CISides string `json:"ci_sides,omitempty" jsonschema:"minLength=1"`
	// Lower limit. Source: ciLowerLimit.
	Lower string `json:"lower,omitempty" jsonschema:"minLength=1"`
	// Upper limit. Source: ciUpperLimit.
	Upper string `json:"upper,omitempty" jsonschema:"minLength=1"`
	// Remarks. Source: ciLowerLimitComment.
	LowerComment string `json:"lower_comment,omitempty" jsonschema:"minLength=1"`
	// Remarks. Source: ciUpperLimitComment.
	UpperComment string `json:"upper_comment,omitempty" jsonschema:"minLength=1"`
	// Such as SUPERIORITY or NON_INFERIORITY. Source: nonInferiorityType.
	Hypothesis string `json:"hypothesis,omitempty" jsonschema:"minLength=1"`
	// Margin, power. Source: nonInferiorityComment.
	HypothesisComment string `json:"hypothesis_comment,omitempty" jsonschema:"minLength=1"`
	// Whether non-inferiority was tested. Source: testedNonInferiority.
	TestedNonInferiority *bool `json:"tested_non_inferiority,omitempty"`
	// Remarks. Source: estimateComment.
	Comment string `json:"comment,omitempty" jsonschema:"minLength=1"`
	// Description of another kind of analysis. Source: otherAnalysisDescription.
	OtherAnalysis string `json:"other_analysis,omitempty" jsonschema:"minLength=1"`
}

// OutcomeIndexEntry names an outcome measure.
type OutcomeIndexEntry struct {
	// Pass it as outcome.
	Number int `json:"number" jsonschema:"minimum=1"`
	// Such as PRIMARY. Source: type.
	Type string `json:"type,omitempty" jsonschema:"minLength=1"`
	// Title, may be cut. Source: title.
	Title string `json:"title,omitempty" jsonschema:"minLength=1"`
	// Where another outcome has the same title; may be cut. Source: timeFrame.
	TimeFrame string `json:"time_frame,omitempty" jsonschema:"minLength=1"`
}

// ResultsAgreement says whether an agreement limits publication by investigators.
type ResultsAgreement struct {
	// Whether the sponsor employs all investigators. Source: piSponsorEmployee.
	InvestigatorsEmployed *bool `json:"investigators_employed,omitempty"`
	// Whether an agreement restricts publication. Source: restrictiveAgreement.
	Restrictive *bool `json:"restrictive,omitempty"`
	// LTE60, GT60: publication may be delayed by up to, or more than, 60 days. Source: restrictionType.
	Restriction string `json:"restriction,omitempty" jsonschema:"minLength=1"`
	// Text. Source: otherDetails.
	Details string `json:"details,omitempty" jsonschema:"minLength=1"`
}

// ResultsContact is the contact for questions about the results.
type ResultsContact struct {
	// Name of the person or office. Source: title.
	Name string `json:"name,omitempty" jsonschema:"minLength=1"`
	// Organization. Source: organization.
	Organization string `json:"organization,omitempty" jsonschema:"minLength=1"`
	// With extension as x123. Source: phone, phoneExt.
	Phone string `json:"phone,omitempty" jsonschema:"minLength=1"`
	// E-mail address. Source: email.
	Email string `json:"email,omitempty" jsonschema:"minLength=1"`
}
