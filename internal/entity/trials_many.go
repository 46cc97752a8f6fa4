package entity

// TrialList is the answer for several trials.
type TrialList struct {
	// One record per trial, in the order of the ids.
	Items []Trial `json:"items"`
	// Pages of the trials.
	Pagination Pagination `json:"pagination"`
}

// TrialResultsList is the answer for the posted results of several trials.
type TrialResultsList struct {
	// The answer for each trial, in the order of the ids.
	Items []TrialResults `json:"items"`
	// Pages of the trials.
	Pagination Pagination `json:"pagination"`
}

// TrialResultsRows are the rows of several trials.
type TrialResultsRows struct {
	// comparisons or arms.
	Section string `json:"section" jsonschema:"minLength=1"`
	// Trials with rows on this page.
	NCTIDs []string `json:"nct_ids"`
	// A comparison-row or an arm-row each.
	Rows []FlatRow `json:"rows,omitzero"`
	// With format csv: the rows.
	CSV string `json:"csv,omitempty" jsonschema:"minLength=1"`
	// Pages of the rows.
	Pagination Pagination `json:"pagination"`
}
