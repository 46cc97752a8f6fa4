package entity

// ArticleCounts is the number of articles that match a query, by year or
// publication type, and in comparison with other queries.
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
	// Articles of other publication types only. A notice names the counted types.
	OtherValues *int `json:"otherValues,omitempty" jsonschema:"minimum=0"`
	// Sum of the buckets and otherValues, less totalCount: an article can have several types, or two years (electronic and
	// printed publication).
	Overlap *int `json:"overlap,omitempty"`
	// Spelling that NCBI suggests, where no article matches. Source: ESpell CorrectedQuery.
	DidYouMean string `json:"didYouMean,omitempty" jsonschema:"minLength=1"`
	// The other queries, in the order given.
	Compare []ArticleComparison `json:"compare,omitempty" jsonschema:"minItems=1"`
	// Articles that match any of the queries.
	AnyQuery *int `json:"anyQuery,omitempty" jsonschema:"minimum=0"`
}

// ArticleBucket is the articles of one year or publication type.
type ArticleBucket struct {
	// A year, "until 2008", "since 2027" (both with that year), or a publication type as in the records.
	Value string `json:"value" jsonschema:"minLength=1"`
	// Articles in the bucket.
	Count int `json:"count" jsonschema:"minimum=1"`
}

// ArticleComparison compares another query with the first.
type ArticleComparison struct {
	// Words as given.
	QueryTerm string `json:"queryTerm"`
	// Entrez query that was sent.
	EffectiveESearchTerm string `json:"effectiveESearchTerm" jsonschema:"minLength=1"`
	// The query as NCBI read it. Source: ESearch querytranslation.
	TranslatedQuery string `json:"translatedQuery,omitempty" jsonschema:"minLength=1"`
	// Articles that match this query. Source: ESearch count.
	TotalCount int `json:"totalCount" jsonschema:"minimum=0"`
	// Articles that match this query and the first. Source: ESearch count.
	Both int `json:"both" jsonschema:"minimum=0"`
	// Articles that match only the first query: its total less both.
	FirstOnlyComputed int `json:"firstOnlyComputed" jsonschema:"minimum=0"`
	// Articles that match only this query: its total less both.
	ThisOnlyComputed int `json:"thisOnlyComputed" jsonschema:"minimum=0"`
}
