package entity

// TrialChange is a version of a trial's record that replaced another one. It is added, removed or merged, or has changes.
type TrialChange struct {
	// Id of the trial.
	ID string `json:"nct_id" jsonschema:"pattern=^NCT:[0-9]{8}$"`
	// Brief title. Source: identificationModule.briefTitle.
	Title string `json:"title,omitempty" jsonschema:"minLength=1"`
	// Day of the data before the change, with the time where a day has two publications. Absent: the trial was not there.
	From string `json:"from,omitempty" jsonschema:"minLength=10"`
	// Day of the data with the change.
	To string `json:"to" jsonschema:"minLength=10"`
	// Day on which the registry posted the version. Source: statusModule.lastUpdatePostDateStruct.
	Posted string `json:"posted,omitempty" jsonschema:"minLength=10"`
	// Day on which the sponsor submitted the version, where it is not after the start or the primary completion and to is. Source:
	// statusModule.lastUpdateSubmitDate.
	Submitted string `json:"submitted,omitempty" jsonschema:"minLength=4"`
	// Recruitment status in this version. Source: statusModule.overallStatus.
	Status Status `json:"status,omitempty"`
	// The trial is new in the registry.
	Added bool `json:"added,omitempty"`
	// The registry no longer has the trial.
	Removed bool `json:"removed,omitempty"`
	// The trial of which it is now a part.
	MergedInto string `json:"merged_into,omitempty" jsonschema:"pattern=^NCT:[0-9]{8}$"`
	// The differences, by field.
	Changes []FieldChange `json:"changes,omitempty" jsonschema:"minItems=1"`
	// Number of the changes, if some are left out here.
	ChangesTotal int `json:"changes_total,omitempty" jsonschema:"minimum=2"`
}

// FieldChange is a change of one field of a record. Texts are verbatim; … stands for omitted text.
type FieldChange struct {
	// As in the argument fields.
	Field string `json:"field" jsonschema:"minLength=1"`
	// Of an outcome: added, dropped, changed, to_secondary or from_secondary. Of any list: reordered. Of results: added, dropped, changed.
	Kind string `json:"kind,omitempty" jsonschema:"enum=added,enum=dropped,enum=changed,enum=to_secondary,enum=from_secondary,enum=reordered"`
	// Place in the record, where it is one value.
	Path string `json:"path,omitempty" jsonschema:"minLength=1"`
	// Old value. Absent: the record had no value.
	Before string `json:"before,omitempty" jsonschema:"minLength=1"`
	// New value. Absent: the record has no value.
	After string `json:"after,omitempty" jsonschema:"minLength=1"`
	// Items that a list did not have.
	Added []string `json:"added,omitempty" jsonschema:"minItems=1"`
	// Number of the added items, if not all are here.
	AddedTotal int `json:"added_total,omitempty" jsonschema:"minimum=1"`
	// Items that a list no longer has.
	Removed []string `json:"removed,omitempty" jsonschema:"minItems=1"`
	// Number of the removed items, if not all are here.
	RemovedTotal int `json:"removed_total,omitempty" jsonschema:"minimum=1"`
	// Items of a list that have other values now.
	Changed []ItemChange `json:"changed,omitempty" jsonschema:"minItems=1"`
	// Number of the changed items, if not all are here.
	ChangedTotal int `json:"changed_total,omitempty" jsonschema:"minimum=1"`
	// Whether the day of the data is after the start date in this version. Absent without a start date.
	AfterStart *bool `json:"after_start,omitempty"`
	// As after_start, for the primary completion date.
	AfterPrimaryCompletion *bool `json:"after_primary_completion,omitempty"`
}

// ItemChange is an item of a list whose values differ.
type ItemChange struct {
	// The item: the site, the name of the intervention, the label of the arm.
	Item string `json:"item" jsonschema:"minLength=1"`
	// Old values that differ, by name.
	Before string `json:"before,omitempty" jsonschema:"minLength=1"`
	// New values that differ, by name.
	After string `json:"after,omitempty" jsonschema:"minLength=1"`
}

// ChangesCompared are the two states of the registry between which changes are shown.
type ChangesCompared struct {
	// The states; the changes of from itself are not among the items.
	Compared ComparedStates `json:"compared"`
	// Versions in which nothing but dates of the update differs. They are no items.
	QuietVersions int `json:"quiet_versions,omitempty" jsonschema:"minimum=1"`
}

// ComparedStates are two states of the registry, by the day of their data.
type ComparedStates struct {
	// Day of the older state.
	From string `json:"from" jsonschema:"minLength=10"`
	// Day of the newer state.
	To string `json:"to" jsonschema:"minLength=10"`
}
