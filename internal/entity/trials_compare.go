package entity

// TrialComparison is several trials side by side, aspect by aspect.
type TrialComparison struct {
	// The trials, in the order given.
	Trials []ComparedTrial `json:"trials" jsonschema:"minItems=2"`
	// Aspects in which the trials differ first.
	Aspects []ComparedAspect `json:"aspects" jsonschema:"minItems=1"`
}

// ComparedTrial names one of the trials.
type ComparedTrial struct {
	// CURIE of the trial. Source: identificationModule.nctId.
	ID string `json:"id" jsonschema:"pattern=^NCT:[0-9]{8}$"`
	// Brief title, else the official one. Source: identificationModule.briefTitle, officialTitle.
	Title string `json:"title" jsonschema:"minLength=1"`
}

// ComparedAspect is one aspect of all the trials.
type ComparedAspect struct {
	// Name of the aspect.
	Aspect string `json:"aspect" jsonschema:"minLength=1"`
	// Whether the values differ; case and order do not count.
	Differs bool `json:"differs"`
	// Values by trial. A trial without a value is not listed.
	Values []ComparedValue `json:"values,omitempty" jsonschema:"minItems=1"`
}

// ComparedValue holds the values of one trial for an aspect.
type ComparedValue struct {
	// CURIE of the trial.
	ID string `json:"id" jsonschema:"pattern=^NCT:[0-9]{8}$"`
	// Values, in the registry's words.
	Items []string `json:"items" jsonschema:"minItems=1,minLength=1"`
	// Number of items left out to limit the size of the answer.
	Cut int `json:"cut,omitempty" jsonschema:"minimum=1"`
}
