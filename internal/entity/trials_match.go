package entity

// TrialMatch is a trial beside the facts of a person. Each line of its criteria allows, blocks, or stays unknown.
type TrialMatch struct {
	TrialSearchCandidate
	// How many lines block, allow and stay unknown.
	Counts MatchCounts `json:"counts"`
	// Lines that keep the person out.
	Blocks []MatchLine `json:"blocks,omitempty" jsonschema:"minItems=1"`
	// Lines that do not keep the person out.
	Allows []MatchLine `json:"allows,omitempty" jsonschema:"minItems=1"`
	// Lines that the facts do not decide.
	Unknown []MatchLine `json:"unknown,omitempty" jsonschema:"minItems=1"`
}

// MatchCounts counts the lines of a trial, also those that are not shown.
type MatchCounts struct {
	// Lines that block.
	Blocks int `json:"blocks" jsonschema:"minimum=0"`
	// Lines that allow.
	Allows int `json:"allows" jsonschema:"minimum=0"`
	// Lines that stay unknown.
	Unknown int `json:"unknown" jsonschema:"minimum=0"`
}

// MatchLine is one line of the criteria, or a structured bound of the record.
type MatchLine struct {
	// unclear: the headings of the text are unclear. Absent with field.
	List string `json:"list,omitempty" jsonschema:"enum=inclusion,enum=exclusion,enum=unclear"`
	// The structured field, with its value in text.
	Field string `json:"field,omitempty" jsonschema:"enum=minimum_age,enum=maximum_age,enum=sex,enum=healthy_volunteers"`
	// The line, verbatim. Of several trials long lines end in … after a word.
	Text string `json:"text" jsonschema:"minLength=1"`
	// The line that announces this one, such as "Any of the following:".
	Under string `json:"under,omitempty"`
	// The fact of the person that decides.
	Person string `json:"person,omitempty"`
	// The words of the line that the fact was compared with.
	Limit string `json:"limit,omitempty"`
}
