package entity

// ArticleSearch is the result of a search of PubMed. Its lists are always
// there, empty or not.
type ArticleSearch struct {
	// The search as it was asked for.
	SearchParameters ArticleSearchParameters `json:"searchParameters"`
	// Entrez query that was sent: words, dates and publication types together.
	EffectiveESearchTerm string `json:"effectiveESearchTerm" jsonschema:"minLength=1"`
	// Number of all articles that match. Source: ESearch count.
	TotalFound int `json:"totalFound" jsonschema:"minimum=0"`
	// Number of pmids below.
	RetrievedPMIDCount int `json:"retrievedPmidCount" jsonschema:"minimum=0"`
	// PMIDs in the order of sortBy, for fetchArticleDetails. Source: ESearch idlist.
	PMIDs []string `json:"pmids"`
	// Summaries of the first pmids, as many as fetchBriefSummaries asks for. Source: ESummary 2.0.
	BriefSummaries []ArticleBrief `json:"briefSummaries"`
	// The search at NCBI, for people.
	ESearchURL string `json:"eSearchUrl" jsonschema:"minLength=1"`
	// The summaries at NCBI, for people. Absent where there are none.
	ESummaryURL string `json:"eSummaryUrl,omitempty" jsonschema:"minLength=1"`
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
	// Publication types, of which one must be the article's.
	FilterByPublicationTypes []string `json:"filterByPublicationTypes,omitempty" jsonschema:"minItems=1,minLength=1"`
	// Number of summaries asked for.
	FetchBriefSummaries int `json:"fetchBriefSummaries"`
}

// ArticleDateRange bounds a date of an article.
type ArticleDateRange struct {
	// First date, YYYY, YYYY/MM or YYYY/MM/DD.
	MinDate string `json:"minDate" jsonschema:"minLength=4"`
	// Last date, YYYY, YYYY/MM or YYYY/MM/DD.
	MaxDate string `json:"maxDate" jsonschema:"minLength=4"`
	// pdat: publication, mdat: last change, edat: entry into PubMed.
	DateType string `json:"dateType"`
}

// ArticleDetails are the records of some articles: read, in articles, or as
// PubMed writes them, in content. Its lists are always there, empty or not.
type ArticleDetails struct {
	// PMIDs that were asked for, bare, each once.
	RequestedPMIDs []string `json:"requestedPmids"`
	// Articles in the order of requestedPmids. Absent for full_xml and medline_text.
	Articles []Article `json:"articles,omitzero"`
	// Form of content: application/xml or text/plain. For full_xml and medline_text alone.
	MediaType string `json:"mediaType,omitempty" jsonschema:"minLength=1"`
	// Records as PubMed writes them, in the order of requestedPmids. For full_xml and medline_text alone. Source: EFetch.
	Content *string `json:"content,omitempty"`
	// PMIDs that PubMed has no record of.
	NotFoundPMIDs []string `json:"notFoundPmids"`
	// How to ask NCBI for the same records.
	EFetchDetails EFetchDetails `json:"eFetchDetails"`
}

// EFetchDetails tell how EFetch is asked for some records.
type EFetchDetails struct {
	// The records at NCBI, for people.
	URLs []string `json:"urls"`
	// GET, or POST for a long list of PMIDs.
	RequestMethod string `json:"requestMethod"`
}

// ArticleRelationships are the articles that one article is related to, or its
// citation. Lists and citations are always there, empty or not.
type ArticleRelationships struct {
	// PMID of the article, bare.
	SourcePMID string `json:"sourcePmid" jsonschema:"pattern=^[0-9]+$"`
	// What was asked for.
	RelationshipType string `json:"relationshipType"`
	// Related articles: the most similar first, or the newest PMID first. Source: ELink.
	RelatedArticles []RelatedArticle `json:"relatedArticles"`
	// The article's citation by style: ris, bibtex, apa_string, mla_string.
	Citations map[string]string `json:"citations"`
	// Number of relatedArticles.
	RetrievedCount int `json:"retrievedCount" jsonschema:"minimum=0"`
	// The links at NCBI, for people. Absent for citation_formats.
	ELinkURL string `json:"eLinkUrl,omitempty" jsonschema:"minLength=1"`
}

// RelatedArticle is one article that another is related to.
type RelatedArticle struct {
	// PubMed id. Source: ELink.
	PMID string `json:"pmid" jsonschema:"pattern=^[0-9]+$"`
	// Title. Source: ESummary title.
	Title string `json:"title,omitempty" jsonschema:"minLength=1"`
	// The first authors, such as Doe J, Smith A, et al. Source: ESummary authors.
	Authors string `json:"authors,omitempty" jsonschema:"minLength=1"`
	// Likeness in words, from 0 to 1, which is that of the article to itself. Source: ELink neighbor_score.
	Score *float64 `json:"score,omitempty" jsonschema:"minimum=0,maximum=1"`
	// The article at PubMed.
	LinkURL string `json:"linkUrl" jsonschema:"minLength=1"`
}
