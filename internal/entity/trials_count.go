package entity

// TrialCounts is the number of trials that match, with their groups.
type TrialCounts struct {
	// Trials that match. Source: totalCount.
	TotalCount int `json:"total_count" jsonschema:"minimum=0"`
	// Groups, largest first. Years in order: one that is not shown has no trials.
	Groups []TrialGroup `json:"groups,omitempty" jsonschema:"minItems=1"`
	// Trials without a value of the field.
	WithoutValue *int `json:"without_value,omitempty" jsonschema:"minimum=0"`
	// True: a trial can be in several groups; their sum can exceed total_count.
	Overlapping bool `json:"overlapping,omitempty"`
	// The groups that are not shown.
	Others *OtherGroups `json:"others,omitempty"`
	// False where the groups are counted in a sample.
	Exact bool `json:"exact"`
	// The sample: the trials registered last.
	Counted *CountedTrials `json:"counted,omitempty"`
}

// TrialGroup is the trials with one value of a field.
type TrialGroup struct {
	// As the registry writes it; PHASE1/PHASE2 is both phases. Many years: the first group can be "until 2009", the last one "since 2028".
	Value string `json:"value" jsonschema:"minLength=1"`
	// Trials in the group; 0 of a year between others.
	Count int `json:"count" jsonschema:"minimum=0"`
	// Groups within the group.
	Groups []TrialSubgroup `json:"groups,omitempty" jsonschema:"minItems=1"`
	// Trials of the group without a value of then_by. Absent: none.
	WithoutValue int `json:"without_value,omitempty" jsonschema:"minimum=1"`
	// Groups within the group that are not shown.
	Others *OtherGroups `json:"others,omitempty"`
}

// TrialSubgroup is the trials of a group with one value of another field.
type TrialSubgroup struct {
	// As the registry writes it, or a group of years.
	Value string `json:"value" jsonschema:"minLength=1"`
	// Trials in the group; 0 of a year between others.
	Count int `json:"count" jsonschema:"minimum=0"`
}

// OtherGroups are the groups that are not shown.
type OtherGroups struct {
	// Number of groups. Absent where unknown.
	Values int `json:"values,omitempty" jsonschema:"minimum=1"`
	// Sum of their counts.
	Count int `json:"count" jsonschema:"minimum=1"`
}

// CountedTrials describes the sample in which the groups were counted.
type CountedTrials struct {
	// Number of trials.
	Trials int `json:"trials" jsonschema:"minimum=1"`
	// First posted date of the oldest trial. Source: statusModule.studyFirstPostDateStruct.
	FirstPostedFrom string `json:"first_posted_from,omitempty" jsonschema:"minLength=4"`
	// First posted date of the newest trial. Source: statusModule.studyFirstPostDateStruct.
	FirstPostedTo string `json:"first_posted_to,omitempty" jsonschema:"minLength=4"`
}
