package entity

// CriteriaLimit is a limit that one line of an eligibility text sets for a measure. An exclusion "HbA1c > 10 %" keeps low 10.
type CriteriaLimit struct {
	// Such as age, ecog, hemoglobin, window (time before or after of), duration, biomarker; other: see name.
	What string `json:"what" jsonschema:"minLength=1"`
	// With other: the words before the comparator.
	Name string `json:"name,omitempty"`
	// unclear: the headings of the text are unclear.
	List string `json:"list" jsonschema:"enum=inclusion,enum=exclusion,enum=unclear"`
	// Lower end, in the unit as written.
	Low *float64 `json:"low,omitempty"`
	// With low.
	LowInclusive *bool `json:"low_inclusive,omitempty"`
	// Upper end.
	High *float64 `json:"high,omitempty"`
	// With high.
	HighInclusive *bool `json:"high_inclusive,omitempty"`
	// Classes, such as 0 and 1 of ECOG, or sexes.
	Values []string `json:"values,omitempty" jsonschema:"minItems=1"`
	// In one spelling, such as g/dl, 10^9/l, cells/ul, uln (times the upper limit of normal), year.
	Unit string `json:"unit,omitempty"`
	// Of a window or a duration: the words before it.
	Of string `json:"of,omitempty"`
	// Condition of the limit, such as "if liver metastases".
	AppliesTo string `json:"applies_to,omitempty"`
	// Symbol of a gene, such as ERBB2 for HER2.
	Gene string `json:"gene,omitempty"`
	// Such as L858R or exon 19 deletion.
	Variant string `json:"variant,omitempty"`
	// Such as positive, mutated or wild_type.
	State string `json:"state,omitempty"`
	// The limit follows a word such as no or without.
	Negated bool `json:"negated,omitempty"`
	// The limit follows a word such as except.
	Exception bool `json:"exception,omitempty"`
	// The line that announces this one, such as "Any of the following:".
	Under string `json:"under,omitempty"`
	// The words of the limit: criteria_text from start to end.
	Value string `json:"value" jsonschema:"minLength=1"`
	// The line of criteria_text.
	Text string `json:"text" jsonschema:"minLength=1"`
	// First Unicode character of value in criteria_text, from 0.
	Start int `json:"start" jsonschema:"minimum=0"`
	// Behind the last character of value.
	End int `json:"end" jsonschema:"minimum=1"`
}
