package entity

// ArticleSearch is the result of a search of PubMed. Its lists are always
// there, empty or not.
type ArticleSearch struct {
	// What was asked for.
	SearchParameters ArticleSearchParameters `json:"searchParameters"`
	// Entrez query that was sent.
	EffectiveESearchTerm string `json:"effectiveESearchTerm" jsonschema:"minLength=1"`
	// The query as NCBI read it. A MeSH term in it also finds the terms below it. Source: ESearch querytranslation.
	TranslatedQuery string `json:"translatedQuery,omitempty" jsonschema:"minLength=1"`
	// Spelling that NCBI suggests, where few articles match. Source: ESpell CorrectedQuery.
	DidYouMean string `json:"didYouMean,omitempty" jsonschema:"minLength=1"`
	// Number of all articles that match. Source: ESearch count.
	TotalFound int `json:"totalFound" jsonschema:"minimum=0"`
	// Number of pmids.
	RetrievedPMIDCount int `json:"retrievedPmidCount" jsonschema:"minimum=0"`
	// PMIDs in the order of sortBy, for fetchArticleDetails; with a cursor past 9,999 articles by entry date. Source: ESearch idlist.
	PMIDs []string `json:"pmids"`
	// Summaries of the first pmids. Source: ESummary 2.0.
	BriefSummaries []ArticleBrief `json:"briefSummaries"`
	// The search at NCBI, for people.
	ESearchURL string `json:"eSearchUrl" jsonschema:"minLength=1"`
	// The summaries at NCBI, for people.
	ESummaryURL string `json:"eSummaryUrl,omitempty" jsonschema:"minLength=1"`
	// Where the page stands in the whole.
	Pagination Pagination `json:"pagination"`
}

// ArticleSearchParameters are the arguments of a search of PubMed.
type ArticleSearchParameters struct {
	// Words as given.
	QueryTerm string `json:"queryTerm"`
	// Largest number of pmids.
	MaxResults int `json:"maxResults"`
	// Order of pmids.
	SortBy string `json:"sortBy"`
	// Bounds of a date, completed.
	DateRange *ArticleDateRange `json:"dateRange,omitempty"`
	// Publication types, ORed.
	FilterByPublicationTypes []string `json:"filterByPublicationTypes,omitempty" jsonschema:"minItems=1,minLength=1"`
	// Only articles with open access in PMC.
	OpenAccess bool `json:"openAccess,omitempty"`
	// Number of summaries.
	FetchBriefSummaries int `json:"fetchBriefSummaries"`
}

// ArticleDateRange bounds a date of an article.
type ArticleDateRange struct {
	// First date.
	MinDate string `json:"minDate" jsonschema:"minLength=4"`
	// Last date.
	MaxDate string `json:"maxDate" jsonschema:"minLength=4"`
	// pdat, mdat or edat.
	DateType string `json:"dateType"`
}

// ArticleDetails are the records of some articles: read, in articles, or as
// PubMed writes them, in content. Its lists are always there, empty or not.
type ArticleDetails struct {
	// PMIDs asked for, each once.
	RequestedPMIDs []string `json:"requestedPmids"`
	// In the order asked for; not with content.
	Articles []Article `json:"articles,omitzero"`
	// Of content: application/xml or text/plain.
	MediaType string `json:"mediaType,omitempty" jsonschema:"minLength=1"`
	// Records as PubMed writes them, for full_xml and medline_text. Source: EFetch.
	Content *string `json:"content,omitempty"`
	// PMIDs without a record.
	NotFoundPMIDs []string `json:"notFoundPmids"`
	// How NCBI is asked for them.
	EFetchDetails EFetchDetails `json:"eFetchDetails"`
}

// EFetchDetails tell how EFetch is asked for some records.
type EFetchDetails struct {
	// The records at NCBI, for people.
	URLs []string `json:"urls"`
	// GET, or POST for a long list.
	RequestMethod string `json:"requestMethod"`
}

// ArticleRelationships are the articles that one article is related to, or its
// citation. Lists and citations are always there, empty or not.
type ArticleRelationships struct {
	// PMID asked for, the first of several.
	SourcePMID string `json:"sourcePmid" jsonschema:"pattern=^[0-9]+$"`
	// Of several PMIDs those that citations has, in its order.
	SourcePMIDs []string `json:"sourcePmids,omitempty" jsonschema:"minItems=1,pattern=^[0-9]+$"`
	// Of several PMIDs those without a record.
	NotFoundPMIDs []string `json:"notFoundPmids,omitempty" jsonschema:"minItems=1,pattern=^[0-9]+$"`
	// What was asked for.
	RelationshipType string `json:"relationshipType"`
	// Most similar first, else newest PMID first. Source: ELink.
	RelatedArticles []RelatedArticle `json:"relatedArticles"`
	// By style, such as ris: the citation, or a file of several; lines in styles for people. csl_json is always a list.
	Citations map[string]string `json:"citations"`
	// Number of relatedArticles.
	RetrievedCount int `json:"retrievedCount" jsonschema:"minimum=0"`
	// The links at NCBI, for people.
	ELinkURL string `json:"eLinkUrl,omitempty" jsonschema:"minLength=1"`
	// Of related articles: how the next ones are read, and how many all are.
	Pagination *ArticlePagination `json:"pagination,omitempty"`
}

// ArticlePagination leads through a list of articles.
type ArticlePagination struct {
	// For the argument cursor of the next call, the other arguments unchanged. Absent on the last page.
	Cursor string `json:"cursor,omitempty" jsonschema:"minLength=1"`
	// Number of articles on all pages.
	TotalCount int `json:"total_count" jsonschema:"minimum=0"`
}

// RelatedArticle is one article that another is related to.
type RelatedArticle struct {
	// PubMed id. Source: ELink.
	PMID string `json:"pmid" jsonschema:"pattern=^[0-9]+$"`
	// Title. Source: ESummary title.
	Title string `json:"title,omitempty" jsonschema:"minLength=1"`
	// First authors. Source: ESummary authors.
	Authors string `json:"authors,omitempty" jsonschema:"minLength=1"`
	// Likeness from 0 to 1, that of the article to itself. Source: ELink neighbor_score.
	Score *float64 `json:"score,omitempty" jsonschema:"minimum=0,maximum=1"`
	// Page at PubMed.
	LinkURL string `json:"linkUrl" jsonschema:"minLength=1"`
}
