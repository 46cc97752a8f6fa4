package entity

// TrialCounts is the number of trials that match, and how they divide into groups.
type TrialCounts struct {
	// Trials that match. Source: totalCount.
	TotalCount int `json:"total_count" jsonschema:"minimum=0"`
	// What the trials are grouped by, largest group first; years in their order.
	Groups []TrialGroup `json:"groups,omitempty" jsonschema:"minItems=1"`
	// Trials that lack the field.
	WithoutValue *int `json:"without_value,omitempty" jsonschema:"minimum=0"`
	// A trial can be in several groups, so that they add up to more than the trials.
	Overlapping bool `json:"overlapping,omitempty"`
	// Values that are not among the groups.
	Others *OtherGroups `json:"others,omitempty"`
	// False where the groups are counted in a sample.
	Exact bool `json:"exact"`
	// The sample: the newest registrations.
	Counted *CountedTrials `json:"counted,omitempty"`
}

// TrialGroup is the trials with one value of a field.
type TrialGroup struct {
	// As the registry writes it; PHASE1/PHASE2 is both phases.
	Value string `json:"value" jsonschema:"minLength=1"`
	// Trials in the group.
	Count int `json:"count" jsonschema:"minimum=1"`
	// The group, divided further.
	Groups []TrialSubgroup `json:"groups,omitempty" jsonschema:"minItems=1"`
}

// TrialSubgroup is the trials of a group with one value of another field.
type TrialSubgroup struct {
	// As the registry writes it.
	Value string `json:"value" jsonschema:"minLength=1"`
	// Trials in the group.
	Count int `json:"count" jsonschema:"minimum=1"`
}

// OtherGroups are the groups that are not shown.
type OtherGroups struct {
	// Number of values; absent where it is not known.
	Values int `json:"values,omitempty" jsonschema:"minimum=1"`
	// Sum of their counts.
	Count int `json:"count" jsonschema:"minimum=1"`
}

// CountedTrials are the trials that the groups were counted in.
type CountedTrials struct {
	// Number of trials.
	Trials int `json:"trials" jsonschema:"minimum=1"`
	// Of the oldest one. Source: statusModule.studyFirstPostDateStruct.
	FirstPostedFrom string `json:"first_posted_from,omitempty" jsonschema:"minLength=4"`
	// Of the newest one. Source: statusModule.studyFirstPostDateStruct.
	FirstPostedTo string `json:"first_posted_to,omitempty" jsonschema:"minLength=4"`
}
