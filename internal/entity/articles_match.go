package entity

// CitationMatches are the articles found for some citations.
type CitationMatches struct {
	// One for each citation, in the order given.
	Items []CitationMatch `json:"items"`
}

// CitationMatch is the article found for one citation, or its candidates.
type CitationMatch struct {
	// matched; ambiguous: see candidates; not_found; not_tried: the call reached its limit of searches.
	Status string `json:"status" jsonschema:"minLength=1"`
	// PubMed id of the match. Source: ECitMatch, ESearch.
	PMID string `json:"pmid,omitempty" jsonschema:"pattern=^[1-9][0-9]*$"`
	// The record as a citation in AMA style. Source: EFetch.
	Article string `json:"article,omitempty" jsonschema:"minLength=1"`
	// Fields of the citation that differ from the record. Source: EFetch.
	Differs []string `json:"differs,omitempty" jsonschema:"minItems=1,minLength=1"`
	// True: it was retracted. Source: EFetch.
	Retracted bool `json:"retracted,omitempty"`
	// Articles that the citation may mean, best first.
	Candidates []CitationCandidate `json:"candidates,omitempty" jsonschema:"minItems=1"`
}

// CitationCandidate is an article that a citation may mean.
type CitationCandidate struct {
	// PubMed id.
	PMID string `json:"pmid" jsonschema:"pattern=^[1-9][0-9]*$"`
	// As article of the item.
	Article string `json:"article,omitempty" jsonschema:"minLength=1"`
	// As differs of the item.
	Differs []string `json:"differs,omitempty" jsonschema:"minItems=1,minLength=1"`
	// True: it was retracted.
	Retracted bool `json:"retracted,omitempty"`
}
