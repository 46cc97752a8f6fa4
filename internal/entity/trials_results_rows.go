package entity

// FlatRow is a ComparisonRow or an ArmRow, which have schemas of their own.
type FlatRow interface {
	// Trial returns the CURIE of the trial.
	Trial() string
}

// Trial returns the CURIE of the trial.
func (r ComparisonRow) Trial() string { return r.NCTID }

// Trial returns the CURIE of the trial.
func (r ArmRow) Trial() string { return r.NCTID }

// ComparisonRow is one posted analysis of an outcome measure. Numbers are those of
// the record, where the record has a plain number; computed ones have six
// significant digits.
type ComparisonRow struct {
	// CURIE of the trial; in CSV the plain NCT id. Source: identificationModule.nctId.
	NCTID string `json:"nct_id" jsonschema:"pattern=^NCT:?[0-9]{8}$"`
	// Number of the outcome in the record, from 1.
	Outcome int `json:"outcome" jsonschema:"minimum=1"`
	// Number of the analysis within the outcome, from 1.
	Analysis int `json:"analysis" jsonschema:"minimum=1"`
	// Such as PRIMARY. Source: outcomeMeasures.type.
	OutcomeType string `json:"outcome_type,omitempty"`
	// Title of the outcome. Source: outcomeMeasures.title.
	OutcomeTitle string `json:"outcome_title,omitempty"`
	// When it was measured. Source: outcomeMeasures.timeFrame.
	TimeFrame string `json:"time_frame,omitempty"`
	// Unit of the cells. Source: outcomeMeasures.unitOfMeasure.
	Unit string `json:"unit,omitempty"`
	// Kind of the cells, such as MEAN. Source: outcomeMeasures.paramType.
	Parameter string `json:"parameter,omitempty"`
	// Number of groups in the analysis. Source: analyses.groupIds.
	GroupCount int `json:"group_count" jsonschema:"minimum=0"`
	// Title of the first group, in the order of the record, which says nothing about the direction.
	Group1 string `json:"group_1,omitempty"`
	// Type of the registered arm whose label has the same letters and digits. Source: armGroups.type.
	Role1 ArmGroupType `json:"role_1,omitempty"`
	// Title of the second group.
	Group2 string `json:"group_2,omitempty"`
	// Type of the registered arm whose label has the same letters and digits. Source: armGroups.type.
	Role2 ArmGroupType `json:"role_2,omitempty"`
	// Titles of the further groups.
	OtherGroups []string `json:"other_groups,omitempty" jsonschema:"minItems=1"`
	// The estimate in one vocabulary: mean_difference, odds_ratio and others, or other. Absent without estimate_type.
	Measure string `json:"measure,omitempty"`
	// As posted. Source: analyses.paramType.
	EstimateType string `json:"estimate_type,omitempty"`
	// Estimate. Source: analyses.paramValue.
	Estimate *float64 `json:"estimate,omitempty"`
	// Lower limit. Source: analyses.ciLowerLimit.
	Lower *float64 `json:"lower,omitempty"`
	// Upper limit. Source: analyses.ciUpperLimit.
	Upper *float64 `json:"upper,omitempty"`
	// Level of the interval. Source: analyses.ciPctValue.
	CIPercent *float64 `json:"ci_percent,omitempty"`
	// 1 or 2. Source: analyses.ciNumSides.
	CISides int `json:"ci_sides,omitempty"`
	// Standard error of the estimate. Source: analyses.dispersionValue.
	SEI *float64 `json:"sei,omitempty"`
	// Operator of the p value: =, <, >, <= or >=.
	POperator string `json:"p_operator,omitempty"`
	// p value. Source: analyses.pValue.
	PValue *float64 `json:"p_value,omitempty"`
	// Statistical method. Source: analyses.statisticalMethod.
	Method string `json:"method,omitempty"`
	// Such as SUPERIORITY. Source: analyses.nonInferiorityType.
	Hypothesis string `json:"hypothesis,omitempty"`
	// Cut to 200 characters. Source: analyses.groupDescription.
	Description string `json:"description,omitempty"`
	// Why class and category have the cells of this analysis: only (row), or position (as many analyses of the pair as rows).
	RowBy string `json:"row_by,omitempty"`
	// Title of the row. Source: classes.title.
	Class string `json:"class,omitempty"`
	// Title of the row. Source: categories.title.
	Category string `json:"category,omitempty"`
	// Count of the first group.
	AI *int `json:"ai,omitempty"`
	// Number analyzed in the first group.
	N1I *int `json:"n1i,omitempty"`
	// Count of the second group.
	CI *int `json:"ci,omitempty"`
	// Number analyzed in the second group.
	N2I *int `json:"n2i,omitempty"`
	// Mean of the first group.
	M1I *float64 `json:"m1i,omitempty"`
	// Standard deviation of the first group.
	SD1I *float64 `json:"sd1i,omitempty"`
	// Standard deviation of the first group, computed from its standard error or interval.
	SD1IComputed *float64 `json:"sd1i_computed,omitempty"`
	// Mean of the second group.
	M2I *float64 `json:"m2i,omitempty"`
	// Standard deviation of the second group.
	SD2I *float64 `json:"sd2i,omitempty"`
	// Standard deviation of the second group, computed from its standard error or interval.
	SD2IComputed *float64 `json:"sd2i_computed,omitempty"`
	// Whether the estimate follows from the cells: agrees, differs or not_checkable.
	Check string `json:"check"`
	// Why it is not checkable.
	CheckReason string `json:"check_reason,omitempty"`
	// The estimate, computed from the cells.
	Recomputed *float64 `json:"recomputed,omitempty"`
	// 1-2, 2-1, 1/2 or 2/1: the order of the groups that gives the estimate.
	DirectionComputed string `json:"direction_computed,omitempty"`
	// Values that are no plain number, as field: text.
	AsPosted []string `json:"as_posted,omitempty" jsonschema:"minItems=1"`
}

// ArmRow is one cell of the posted results: a value of a group in an outcome, a
// group's number for an event, or a total of a group.
type ArmRow struct {
	// CURIE of the trial; in CSV the plain NCT id. Source: identificationModule.nctId.
	NCTID string `json:"nct_id" jsonschema:"pattern=^NCT:?[0-9]{8}$"`
	// outcome, event or total.
	Kind string `json:"kind"`
	// Number of the outcome in the record, from 1.
	Outcome int `json:"outcome,omitempty"`
	// Such as PRIMARY. Source: outcomeMeasures.type.
	OutcomeType string `json:"outcome_type,omitempty"`
	// Title of the outcome, term of the event, or deaths, serious, other. Source: outcomeMeasures.title, term.
	Title string `json:"title,omitempty"`
	// Of an event: whether the record lists it as serious.
	Serious *bool `json:"serious,omitempty"`
	// Of an event. Source: organSystem.
	OrganSystem string `json:"organ_system,omitempty"`
	// When it was measured or collected. Source: timeFrame.
	TimeFrame string `json:"time_frame,omitempty"`
	// Title of the row. Source: classes.title.
	Class string `json:"class,omitempty"`
	// Title of the row. Source: categories.title.
	Category string `json:"category,omitempty"`
	// Title of the group. Source: groups.title.
	Group string `json:"group,omitempty"`
	// Type of the registered arm whose label has the same letters and digits. Source: armGroups.type.
	Role ArmGroupType `json:"role,omitempty"`
	// Unit of the value. Source: unitOfMeasure.
	Unit string `json:"unit,omitempty"`
	// Kind of the value, such as MEAN. Source: paramType.
	Parameter string `json:"parameter,omitempty"`
	// As written. Source: measurements.value.
	Value string `json:"value,omitempty"`
	// Meaning of spread, or of lower and upper. Source: dispersionType.
	Dispersion string `json:"dispersion,omitempty"`
	// As written. Source: measurements.spread.
	Spread string `json:"spread,omitempty"`
	// As written. Source: measurements.lowerLimit.
	Lower string `json:"lower,omitempty"`
	// As written. Source: measurements.upperLimit.
	Upper string `json:"upper,omitempty"`
	// Number analyzed, or at risk. Source: denoms.counts.value, numAtRisk.
	NI *int `json:"ni,omitempty"`
	// Unit of ni, if it is not participants. Source: denoms.units.
	NIUnits string `json:"ni_units,omitempty"`
	// Number of people or units: a count, or those with the event. Source: measurements.value, numAffected.
	XI *int `json:"xi,omitempty"`
	// Number of events. Source: numEvents.
	Events *int `json:"events,omitempty"`
	// Mean. Source: measurements.value.
	MI *float64 `json:"mi,omitempty"`
	// Standard deviation. Source: measurements.spread.
	SDI *float64 `json:"sdi,omitempty"`
	// Standard error of the mean. Source: measurements.spread.
	SEI *float64 `json:"sei,omitempty"`
	// Standard deviation, computed from the standard error or the interval.
	SDIComputed *float64 `json:"sdi_computed,omitempty"`
	// Remark, or the reason for NA. Source: measurements.comment.
	Comment string `json:"comment,omitempty"`
}
