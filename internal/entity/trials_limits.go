package entity

// CriteriaLimit is a number of an eligibility text with its measure. An exclusion "HbA1c > 10 %" keeps low 10.
type CriteriaLimit struct {
	// Such as age, ecog, hemoglobin, window (time before or after an event), duration; other: see name.
	What string `json:"what" jsonschema:"minLength=1"`
	// With other: the words before the number.
	Name string `json:"name,omitempty" jsonschema:"minLength=1"`
	// unclear: before any heading, or below one of neither list.
	List string `json:"list" jsonschema:"enum=inclusion,enum=exclusion,enum=unclear"`
	// Lower end, in the unit as written.
	Low *float64 `json:"low,omitempty"`
	// true: low itself is inside. Absent: it is outside.
	LowInclusive bool `json:"low_inclusive,omitempty"`
	// Upper end.
	High *float64 `json:"high,omitempty"`
	// true: high itself is inside. Absent: it is outside.
	HighInclusive bool `json:"high_inclusive,omitempty"`
	// Classes, each written out: II, III, IV for "II thru IV".
	Values []string `json:"values,omitempty" jsonschema:"minItems=1"`
	// In one spelling, such as g/dl, 10^9/l, cells/ul, uln (times the upper limit of normal), year.
	Unit string `json:"unit,omitempty"`
	// First Unicode character of the words of the limit in criteria_text, from 0.
	Start int `json:"start" jsonschema:"minimum=0"`
	// Behind their last character.
	End int `json:"end" jsonschema:"minimum=1"`
}
