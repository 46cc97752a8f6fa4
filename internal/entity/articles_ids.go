package entity

// ArticleIdentifiers are the ids of some articles.
type ArticleIdentifiers struct {
	// In the order given.
	Items []ArticleIdentifier `json:"items"`
}

// ArticleIdentifier is the ids of one article.
type ArticleIdentifier struct {
	// The id as given.
	Input string `json:"input"`
	// found: the article is in PMC. not_in_pmc: only in PubMed. unknown: in neither. malformed: not an id.
	Status string `json:"status" jsonschema:"minLength=1"`
	// PubMed id. Source: pmid.
	PMID string `json:"pmid,omitempty" jsonschema:"pattern=^[1-9][0-9]*$"`
	// PubMed Central id. Source: pmcid.
	PMCID string `json:"pmcid,omitempty" jsonschema:"pattern=^PMC[1-9][0-9]*$"`
	// DOI. Source: doi.
	DOI string `json:"doi,omitempty" jsonschema:"minLength=1"`
	// Id of the author's manuscript, such as NIHMS265402. Source: mid.
	ManuscriptID string `json:"manuscriptId,omitempty" jsonschema:"minLength=1"`
}
