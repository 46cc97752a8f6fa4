package entity

// ParticipantFlow says how many participants of each group started, completed
// and left each period.
type ParticipantFlow struct {
	// Text. Source: recruitmentDetails.
	Recruitment string `json:"recruitment,omitempty" jsonschema:"minLength=1"`
	// Text. Source: preAssignmentDetails.
	PreAssignment string `json:"pre_assignment,omitempty" jsonschema:"minLength=1"`
	// Name of the units. Source: typeUnitsAnalyzed.
	Units string `json:"units,omitempty" jsonschema:"minLength=1"`
	// Groups of all periods. Source: groups.
	Groups []ResultGroup `json:"groups,omitempty" jsonschema:"minItems=1"`
	// In the order of the record. Source: periods.
	Periods []FlowPeriod `json:"periods,omitempty" jsonschema:"minItems=1"`
}

// FlowPeriod is a period of a trial.
type FlowPeriod struct {
	// Title of the period. Source: title.
	Title string `json:"title,omitempty" jsonschema:"minLength=1"`
	// STARTED, COMPLETED, NOT COMPLETED and others. Source: milestones.
	Milestones []FlowRow `json:"milestones,omitempty" jsonschema:"minItems=1"`
	// Reasons for not completing. Source: dropWithdraws.
	Withdrawals []FlowRow `json:"withdrawals,omitempty" jsonschema:"minItems=1"`
}

// FlowRow is a milestone, or a reason for withdrawal, with its numbers.
type FlowRow struct {
	// Milestone or reason. Source: type.
	Type string `json:"type,omitempty" jsonschema:"minLength=1"`
	// Text. Source: comment.
	Comment string `json:"comment,omitempty" jsonschema:"minLength=1"`
	// Numbers by group. Source: achievements, reasons.
	Cells []FlowCell `json:"cells,omitempty" jsonschema:"minItems=1"`
}

// FlowCell is the number of one group.
type FlowCell struct {
	// Number of the group.
	Group int `json:"group" jsonschema:"minimum=1"`
	// Number of participants. Source: numSubjects.
	Participants string `json:"participants,omitempty" jsonschema:"minLength=1"`
	// Number of units. Source: numUnits.
	Units string `json:"units,omitempty" jsonschema:"minLength=1"`
	// Text. Source: comment.
	Comment string `json:"comment,omitempty" jsonschema:"minLength=1"`
}

// BaselineResults are the characteristics of the participants at the start.
type BaselineResults struct {
	// Text. Source: populationDescription.
	Population string `json:"population,omitempty" jsonschema:"minLength=1"`
	// Units of analyzed. Source: denoms.units.
	AnalyzedUnits string `json:"analyzed_units,omitempty" jsonschema:"minLength=1"`
	// Groups of all baseline measures. Source: groups.
	Groups []ResultGroup `json:"groups,omitempty" jsonschema:"minItems=1"`
	// In the order of the record. Source: measures.
	Measures []ResultMeasure `json:"measures,omitempty" jsonschema:"minItems=1"`
}

// AdverseEventResults are the adverse events of a trial. Groups may overlap:
// their numbers must not be summed.
type AdverseEventResults struct {
	// When events were collected. Source: timeFrame.
	TimeFrame string `json:"time_frame,omitempty" jsonschema:"minLength=1"`
	// Text. Source: description.
	Description string `json:"description,omitempty" jsonschema:"minLength=1"`
	// Other events at or below this percentage are not listed. Source: frequencyThreshold.
	FrequencyThreshold string `json:"frequency_threshold,omitempty" jsonschema:"minLength=1"`
	// Text. Source: allCauseMortalityComment.
	MortalityComment string `json:"mortality_comment,omitempty" jsonschema:"minLength=1"`
	// Groups, with participants who had any event. Source: eventGroups.
	Groups []EventGroup `json:"groups,omitempty" jsonschema:"minItems=1"`
	// Serious events first. Source: seriousEvents, otherEvents.
	Events []AdverseEvent `json:"events,omitempty" jsonschema:"minItems=1"`
}

// EventGroup is a group of participants in the adverse events.
type EventGroup struct {
	// Number of the group in the adverse events only.
	Number int `json:"number" jsonschema:"minimum=1"`
	// Title of the group. Source: title.
	Title string `json:"title,omitempty" jsonschema:"minLength=1"`
	// Text. Source: description.
	Description string `json:"description,omitempty" jsonschema:"minLength=1"`
	// Participants with a serious event. Source: seriousNumAffected.
	SeriousAffected *int `json:"serious_affected,omitempty"`
	// Participants at risk of one. Source: seriousNumAtRisk.
	SeriousAtRisk *int `json:"serious_at_risk,omitempty"`
	// Participants with another event. Source: otherNumAffected.
	OtherAffected *int `json:"other_affected,omitempty"`
	// Participants at risk of one. Source: otherNumAtRisk.
	OtherAtRisk *int `json:"other_at_risk,omitempty"`
	// Deaths of any cause. Source: deathsNumAffected.
	Deaths *int `json:"deaths,omitempty"`
	// Participants at risk. Source: deathsNumAtRisk.
	DeathsAtRisk *int `json:"deaths_at_risk,omitempty"`
}

// AdverseEvent is one row of the serious or the other adverse events.
type AdverseEvent struct {
	// Name of the event. Source: term.
	Term string `json:"term,omitempty" jsonschema:"minLength=1"`
	// Organ system. Source: organSystem.
	OrganSystem string `json:"organ_system,omitempty" jsonschema:"minLength=1"`
	// Whether the record lists it as serious.
	Serious bool `json:"serious"`
	// Such as MedDRA. Source: sourceVocabulary.
	Vocabulary string `json:"vocabulary,omitempty" jsonschema:"minLength=1"`
	// Method of assessment. Source: assessmentType.
	Assessment string `json:"assessment,omitempty" jsonschema:"minLength=1"`
	// Text. Source: notes.
	Notes string `json:"notes,omitempty" jsonschema:"minLength=1"`
	// Numbers by group. Source: stats.
	Cells []EventCell `json:"cells,omitempty" jsonschema:"minItems=1"`
}

// EventCell holds the numbers of one event in one group.
type EventCell struct {
	// Number of the group.
	Group int `json:"group" jsonschema:"minimum=1"`
	// Participants with the event. Absent is not zero. Source: numAffected.
	Affected *int `json:"affected,omitempty"`
	// Participants at risk; in an overview only where they differ from the group's. Source: numAtRisk.
	AtRisk *int `json:"at_risk,omitempty"`
	// Number of events. Source: numEvents.
	Events *int `json:"events,omitempty"`
	// 100 × affected / at_risk, computed by Biofact.
	PercentComputed *float64 `json:"percent_computed,omitempty"`
}
