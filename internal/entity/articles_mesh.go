package entity

// MeshHeadings are the MeSH terms that a query means.
type MeshHeadings struct {
	// Best match first: the term that is the query, then those that hold its words.
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
	// Places in the tree. Source: ds_idxlinks, treenum.
	TreeNumbers []string `json:"treeNumbers,omitempty" jsonschema:"minItems=1,minLength=1"`
	// Meaning. Source: ds_scopenote.
	ScopeNote string `json:"scopeNote,omitempty" jsonschema:"minLength=1"`
	// Other names. Source: ds_meshterms.
	EntryTerms []string `json:"entryTerms,omitempty" jsonschema:"minItems=1,minLength=1"`
	// Terms one step above it. Source: ds_idxlinks, parent.
	Broader []MeshName `json:"broader,omitempty" jsonschema:"minItems=1"`
	// Terms one step below it, of all its places. Source: ds_idxlinks, children.
	Narrower []MeshName `json:"narrower,omitempty" jsonschema:"minItems=1"`
	// Number of all terms one step below it. The source lists at most 100 of a place.
	NarrowerCount int `json:"narrowerCount,omitempty" jsonschema:"minimum=1"`
	// Of a supplementary term: the headings under which its articles are. Source: ds_headingmappedtolist.
	MappedTo []MeshName `json:"mappedTo,omitempty" jsonschema:"minItems=1"`
	// Year in which it came into MeSH. Source: ds_yearintroduced.
	YearIntroduced int `json:"yearIntroduced,omitempty" jsonschema:"minimum=1900"`
	// Articles in PubMed, of the first item. Source: ESearch of PubMed.
	ArticleCounts *MeshCounts `json:"articleCounts,omitempty"`
	// For queryTerm of searchPubMedArticles.
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
	// Of the term and all terms below it, which is what its query finds.
	Exploded int `json:"exploded" jsonschema:"minimum=0"`
	// Of the term alone; absent where nothing stands below it in the tree.
	ThisHeading *int `json:"thisHeading,omitempty" jsonschema:"minimum=0"`
}
