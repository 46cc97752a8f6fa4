package entity

// ArticleCounts is the number of articles that match a query, by year or
// publication type, and beside other queries.
type ArticleCounts struct {
	// Words as given.
	QueryTerm string `json:"queryTerm"`
	// Entrez query that was sent.
	EffectiveESearchTerm string `json:"effectiveESearchTerm" jsonschema:"minLength=1"`
	// The query as NCBI read it. Source: ESearch querytranslation.
	TranslatedQuery string `json:"translatedQuery,omitempty" jsonschema:"minLength=1"`
	// Articles that match. Source: ESearch count.
	TotalCount int `json:"totalCount" jsonschema:"minimum=0"`
	// Years in their order, or publication types, the most frequent first; those without an article are left out.
	Buckets []ArticleBucket `json:"buckets,omitempty" jsonschema:"minItems=1"`
	// Articles of none of the publication types that were counted: of other types alone. A notice names those that were counted.
	OtherValues *int `json:"otherValues,omitempty" jsonschema:"minimum=0"`
	// By how much the buckets and otherValues add up to more than totalCount: an article can have several types, and the years of its
	// electronic and its printed publication.
	Overlap *int `json:"overlap,omitempty"`
	// The query in the spelling that NCBI suggests, where nothing matches. Source: ESpell CorrectedQuery.
	DidYouMean string `json:"didYouMean,omitempty" jsonschema:"minLength=1"`
	// The other queries, in the order given.
	Compare []ArticleComparison `json:"compare,omitempty" jsonschema:"minItems=1"`
	// Articles that any of the queries finds.
	AnyQuery *int `json:"anyQuery,omitempty" jsonschema:"minimum=0"`
}

// ArticleBucket is the articles of one year or publication type.
type ArticleBucket struct {
	// A year, "until 2008" for the years up to it, "since 2027" for those from it on; or a publication type as records have it.
	Value string `json:"value" jsonschema:"minLength=1"`
	// Articles in the bucket.
	Count int `json:"count" jsonschema:"minimum=1"`
}

// ArticleComparison is another query beside the first.
type ArticleComparison struct {
	// Words as given.
	QueryTerm string `json:"queryTerm"`
	// Entrez query that was sent.
	EffectiveESearchTerm string `json:"effectiveESearchTerm" jsonschema:"minLength=1"`
	// The query as NCBI read it. Source: ESearch querytranslation.
	TranslatedQuery string `json:"translatedQuery,omitempty" jsonschema:"minLength=1"`
	// Articles that this query finds. Source: ESearch count.
	TotalCount int `json:"totalCount" jsonschema:"minimum=0"`
	// Articles that this query and the first both find. Source: ESearch count.
	Both int `json:"both" jsonschema:"minimum=0"`
	// Articles of the first query that this one does not find: its total less both.
	FirstOnlyComputed int `json:"firstOnlyComputed" jsonschema:"minimum=0"`
	// Articles of this query that the first does not find: its total less both.
	ThisOnlyComputed int `json:"thisOnlyComputed" jsonschema:"minimum=0"`
}
