package entity

// TrialMatch is a trial beside the facts of a person: bounds of the record, and lines of its criteria.
type TrialMatch struct {
	// CURIE, for get_trial. Source: identificationModule.nctId.
	ID string `json:"id" jsonschema:"pattern=^NCT:[0-9]{8}$"`
	// Official title, else the brief one. Source: identificationModule.officialTitle, briefTitle.
	Title string `json:"title" jsonschema:"minLength=1"`
	// Overall recruitment status. Source: statusModule.overallStatus.
	Status Status `json:"status"`
	// Absent for observational studies. Source: designModule.phases.
	Phase Phase `json:"phase,omitempty"`
	// All phases of a trial with several. Source: designModule.phases.
	Phases []Phase `json:"phases,omitempty" jsonschema:"minItems=2"`
	// Conditions or diseases studied. Source: conditionsModule.conditions.
	Conditions []string `json:"conditions,omitempty" jsonschema:"minItems=1,minLength=1"`
	// With near: the nearest site; of several in one city, one that recruits.
	NearestSite *NearSite `json:"nearest_site,omitempty"`
	// With near: the nearest site that recruits, if it is another; may be beyond within.
	NearestRecruitingSite *NearSite `json:"nearest_recruiting_site,omitempty"`
	// Fields of the record that keep people out, beside the person.
	Gates []MatchGate `json:"gates,omitempty" jsonschema:"minItems=1"`
	// How many lines the criteria have.
	Counts MatchCounts `json:"counts"`
	// Lines that touch a fact, and lines joined to them by and, or; all with all_lines. In the order of the record.
	Lines []MatchLine `json:"lines,omitempty" jsonschema:"minItems=1"`
}

// MatchGate is a field of the record beside the person.
type MatchGate struct {
	// The field.
	Field string `json:"field" jsonschema:"enum=minimum_age,enum=maximum_age,enum=sex,enum=healthy_volunteers"`
	// Its value: 18 Years, FEMALE, not accepted.
	Value string `json:"value" jsonschema:"minLength=1"`
	// The fact, in the words given.
	Person string `json:"person,omitempty" jsonschema:"minLength=1"`
	// Absent: the fact was not given, or does not settle it (1 year beside 18 Months).
	Met *bool `json:"met,omitempty"`
}

// MatchCounts counts the lines of a trial, also those that are not shown.
type MatchCounts struct {
	// All lines.
	Lines int `json:"lines" jsonschema:"minimum=0"`
	// Lines that touch a fact.
	Touched int `json:"touched" jsonschema:"minimum=0"`
	// Entries of lines.
	Shown int `json:"shown" jsonschema:"minimum=0"`
}

// MatchLine is one line of the criteria.
type MatchLine struct {
	// unclear: before any heading, or below one of neither list.
	List string `json:"list" jsonschema:"enum=inclusion,enum=exclusion,enum=unclear"`
	// Its number in the list.
	No int `json:"no" jsonschema:"minimum=1"`
	// Verbatim. Above 2,000 characters cut at a word, with …
	Text string `json:"text" jsonschema:"minLength=1"`
	// The line above it that it belongs to, verbatim.
	Under string `json:"under,omitempty" jsonschema:"minLength=1"`
	// Facts that it touches, as "argument: words given".
	Facts []string `json:"facts,omitempty" jsonschema:"minItems=1,minLength=1"`
	// Arithmetic on numbers of the line.
	Comparisons []MatchComparison `json:"comparisons,omitempty" jsonschema:"minItems=1"`
}

// MatchComparison says whether a number given lies inside a limit as it is written. It does not know the list, a negation, or whose number
// the line means.
type MatchComparison struct {
	// Such as age, hba1c, systolic_bp; of another measure its name in the line.
	Measure string `json:"measure" jsonschema:"minLength=1"`
	// The words of the limit, verbatim.
	Limit string `json:"limit" jsonschema:"minLength=1"`
	// The value, in the words given.
	Value string `json:"value" jsonschema:"minLength=1"`
	// The value in the unit of the limit, where it was converted.
	As string `json:"as,omitempty" jsonschema:"minLength=1"`
	// Whether the value lies inside the limit as written.
	Within bool `json:"within"`
}
