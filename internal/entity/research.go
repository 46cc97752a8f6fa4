package entity

// ResearchResults are the results of a search over all sources, in the form that research modes of hosts expect.
type ResearchResults struct {
	// The best of each source in turn.
	Results []ResearchResult `json:"results"`
}

// ResearchResult is a trial, an article, a gene, a variant or a MeSH term.
type ResearchResult struct {
	// The id for fetch.
	ID string `json:"id" jsonschema:"minLength=1"`
	// Title of a trial or an article, symbol and name of a gene, name of a variant or a MeSH term.
	Title string `json:"title" jsonschema:"minLength=1"`
	// Page of the record at its source, to be cited.
	URL string `json:"url" jsonschema:"minLength=1"`
}

// ResearchDocument is a record as plain text.
type ResearchDocument struct {
	// The id of the record.
	ID string `json:"id" jsonschema:"minLength=1"`
	// As in a result of search.
	Title string `json:"title" jsonschema:"minLength=1"`
	// Every field of the record under its name, and the full text of an article.
	Text string `json:"text" jsonschema:"minLength=1"`
	// Page of the record at its source, to be cited.
	URL string `json:"url" jsonschema:"minLength=1"`
	// Kind and origin of the document.
	Metadata ResearchMetadata `json:"metadata"`
}

// ResearchMetadata has the kind and the origin of a document.
type ResearchMetadata struct {
	// Kind of the document: trial, article, gene, variant or MeSH term.
	Kind string `json:"kind" jsonschema:"minLength=1"`
	// Database that has the record.
	Source string `json:"source" jsonschema:"minLength=1"`
}
