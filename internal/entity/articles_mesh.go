package entity

// MeshHeadings are the MeSH terms found for a query.
type MeshHeadings struct {
	// Best match first: the term equal to the query, then terms with its words.
	Items []MeshHeading `json:"items"`
}

// MeshHeading is a term of MeSH.
type MeshHeading struct {
	// MeSH id. Source: ds_meshui.
	ID string `json:"id" jsonschema:"pattern=^MESH:[A-Z][0-9]+$"`
	// Preferred name. Source: ds_meshterms.
	Name string `json:"name" jsonschema:"minLength=1"`
	// descriptor, qualifier, supplementary or publication_type; others as the source has them. Source: ds_recordtype.
	Kind string `json:"kind" jsonschema:"minLength=1"`
	// Positions in the tree. Source: ds_idxlinks, treenum.
	TreeNumbers []string `json:"treeNumbers,omitempty" jsonschema:"minItems=1,minLength=1"`
	// Meaning. Source: ds_scopenote.
	ScopeNote string `json:"scopeNote,omitempty" jsonschema:"minLength=1"`
	// Other names. Source: ds_meshterms.
	EntryTerms []string `json:"entryTerms,omitempty" jsonschema:"minItems=1,minLength=1"`
	// Terms one level above. Source: ds_idxlinks, parent.
	Broader []MeshName `json:"broader,omitempty" jsonschema:"minItems=1"`
	// Terms one level below, of all positions. Source: ds_idxlinks, children.
	Narrower []MeshName `json:"narrower,omitempty" jsonschema:"minItems=1"`
	// Number of all terms one level below. The source lists at most 100 per position.
	NarrowerCount int `json:"narrowerCount,omitempty" jsonschema:"minimum=1"`
	// Of a supplementary term: headings of its articles. Source: ds_headingmappedtolist.
	MappedTo []MeshName `json:"mappedTo,omitempty" jsonschema:"minItems=1"`
	// Year in which it was added to MeSH. Source: ds_yearintroduced.
	YearIntroduced int `json:"yearIntroduced,omitempty" jsonschema:"minimum=1900"`
	// Numbers of articles in PubMed; first item only. Source: ESearch of PubMed.
	ArticleCounts *MeshCounts `json:"articleCounts,omitempty"`
	// Pass it as queryTerm to searchPubMedArticles.
	Query string `json:"query,omitempty" jsonschema:"minLength=1"`
}

// MeshName is the id and name of a term of MeSH.
type MeshName struct {
	// MeSH id.
	ID string `json:"id" jsonschema:"pattern=^MESH:[A-Z][0-9]+$"`
	// Preferred name.
	Name string `json:"name" jsonschema:"minLength=1"`
}

// MeshCounts are numbers of articles under a term.
type MeshCounts struct {
	// Articles of the term and all terms below it, as its query finds them.
	Exploded int `json:"exploded" jsonschema:"minimum=0"`
	// Articles of the term only. Absent where no term is below it.
	ThisHeading *int `json:"thisHeading,omitempty" jsonschema:"minimum=0"`
}
