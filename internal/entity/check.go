package entity

// CheckedItem is an id or a reference in a text, beside the record of its source.
type CheckedItem struct {
	// The item as the text has it.
	Text string `json:"text" jsonschema:"minLength=1"`
	// Place of its first character in the text, from 0.
	Start int `json:"start" jsonschema:"minimum=0"`
	// Place behind its last character.
	End int `json:"end" jsonschema:"minimum=1"`
	// trial, register, pmid, pmcid, doi, application, gene or reference.
	Kind string `json:"kind" jsonschema:"minLength=1"`
	// Id in the form of its source; of a reference the PMID of its record. Absent: none is known.
	ID string `json:"id,omitempty" jsonschema:"minLength=1"`
	// Name of the register, for kind register.
	Register string `json:"register,omitempty" jsonschema:"minLength=1"`
	// true; false: the source of the id does not have it; unknown: it was not found, or could not be asked, which proves nothing.
	Exists string `json:"exists" jsonschema:"enum=true,enum=false,enum=unknown"`
	// Facts of the source. Only where exists is true.
	Record *CheckedRecord `json:"record,omitempty"`
	// Claims of the text about the record, in its order.
	Statements []Statement `json:"said,omitempty" jsonschema:"minItems=1"`
	// Statements of the record about itself, such as a retraction.
	Notices []CheckNotice `json:"notices,omitempty" jsonschema:"minItems=1"`
}

// CheckedRecord names a record of a source.
type CheckedRecord struct {
	// Title of an article or a trial, symbol and name of a gene, brand names of an application.
	Title string `json:"title,omitempty" jsonschema:"minLength=1"`
	// First author of an article.
	FirstAuthor string `json:"first_author,omitempty" jsonschema:"minLength=1"`
	// Journal of an article.
	Journal string `json:"journal,omitempty" jsonschema:"minLength=1"`
	// Sponsor of a trial or an application.
	Sponsor string `json:"sponsor,omitempty" jsonschema:"minLength=1"`
	// Status of a trial.
	Status string `json:"status,omitempty" jsonschema:"minLength=1"`
	// Year of the issue of an article, or of the start of a trial.
	Year string `json:"year,omitempty" jsonschema:"minLength=4"`
	// Organism of a gene.
	Organism string `json:"organism,omitempty" jsonschema:"minLength=1"`
	// Page of the record, for people.
	Link string `json:"link,omitempty" jsonschema:"minLength=1"`
}

// Statement is one thing that a text says of a record.
type Statement struct {
	// title, author, journal, year, volume, issue, pages, pmid, pmcid, doi, pmid_for_pmcid, number, date, status, phase or enrollment.
	What string `json:"what" jsonschema:"minLength=1"`
	// As the text says it.
	Claim string `json:"said" jsonschema:"minLength=1"`
	// Place of its first character in the text; of numbers, dates, status, phase and enrollment.
	Start *int `json:"start,omitempty" jsonschema:"minimum=0"`
	// Place behind its last character.
	End *int `json:"end,omitempty" jsonschema:"minimum=1"`
	// Words of the record.
	Source string `json:"source,omitempty" jsonschema:"minLength=1"`
	// Where the record has them: outcome 1, analysis 2; abstract; section: Results; table 2.
	Place string `json:"place,omitempty" jsonschema:"minLength=1"`
	// same; different: source is the words of the record; not_found, which is not wrong; unknown: a source could not be asked.
	Result string `json:"result" jsonschema:"enum=same,enum=different,enum=not_found,enum=unknown"`
}

// CheckNotice is a statement of a record about itself, such as a retraction.
type CheckNotice struct {
	// retracted, partly_retracted, expression_of_concern, corrected, republished, withdrawn, preprint, notice_of, replaced, discontinued,
	// malformed or several_records.
	Kind string `json:"kind" jsonschema:"minLength=1"`
	// In the words of the record.
	Text string `json:"text" jsonschema:"minLength=1"`
	// Id of the notice, of the published version or of the record in its place.
	ID string `json:"id,omitempty" jsonschema:"minLength=1"`
}

// CheckCounts count the items of a page.
type CheckCounts struct {
	// Numbers of the page.
	Counts ItemCounts `json:"counts"`
}

// ItemCounts count items by their results.
type ItemCounts struct {
	// Number of items.
	Items int `json:"items" jsonschema:"minimum=0"`
	// Items by exists.
	Exists ExistsCounts `json:"exists"`
	// Statements by result.
	Statements SaidCounts `json:"said"`
}

// ExistsCounts count items by exists.
type ExistsCounts struct {
	// Number of those that a source has.
	True int `json:"true" jsonschema:"minimum=0"`
	// Number of those that their source does not have.
	False int `json:"false" jsonschema:"minimum=0"`
	// Number of the others.
	Unknown int `json:"unknown" jsonschema:"minimum=0"`
}

// SaidCounts count statements by result.
type SaidCounts struct {
	// As the record has it.
	Same int `json:"same" jsonschema:"minimum=0"`
	// Otherwise than the record has it.
	Different int `json:"different" jsonschema:"minimum=0"`
	// Not in the record.
	NotFound int `json:"not_found" jsonschema:"minimum=0"`
	// Without an answer.
	Unknown int `json:"unknown" jsonschema:"minimum=0"`
}
