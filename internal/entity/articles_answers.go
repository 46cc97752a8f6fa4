package entity

// ArticleSearch is the result of a search of PubMed. Its lists are always
// present, and may be empty.
type ArticleSearch struct {
	// Arguments of the search.
	SearchParameters ArticleSearchParameters `json:"searchParameters"`
	// Entrez query that was sent.
	EffectiveESearchTerm string `json:"effectiveESearchTerm" jsonschema:"minLength=1"`
	// The query as NCBI read it. A MeSH term in it also finds the terms below it. Source: ESearch querytranslation.
	TranslatedQuery string `json:"translatedQuery,omitempty" jsonschema:"minLength=1"`
	// Spelling that NCBI suggests, where few articles match. Source: ESpell CorrectedQuery.
	DidYouMean string `json:"didYouMean,omitempty" jsonschema:"minLength=1"`
	// Number of articles that match. Source: ESearch count.
	TotalFound int `json:"totalFound" jsonschema:"minimum=0"`
	// Number of pmids.
	RetrievedPMIDCount int `json:"retrievedPmidCount" jsonschema:"minimum=0"`
	// PMIDs in the order of sortBy, for fetchArticleDetails; past 9,999 articles by entry date. Source: ESearch idlist.
	PMIDs []string `json:"pmids"`
	// Summaries of the first pmids. Source: ESummary 2.0.
	BriefSummaries []ArticleBrief `json:"briefSummaries"`
	// With preprints, on the first page: the first preprints in Europe PMC that match, by relevance. They are not reviewed.
	Preprints []Preprint `json:"preprints,omitempty" jsonschema:"minItems=1"`
	// The search at NCBI, for people.
	ESearchURL string `json:"eSearchUrl" jsonschema:"minLength=1"`
	// The summaries at NCBI, for people.
	ESummaryURL string `json:"eSummaryUrl,omitempty" jsonschema:"minLength=1"`
	// How to get the next page.
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
	// Range of dates, with both ends.
	DateRange *ArticleDateRange `json:"dateRange,omitempty"`
	// Publication types, ORed.
	FilterByPublicationTypes []string `json:"filterByPublicationTypes,omitempty" jsonschema:"minItems=1,minLength=1"`
	// Only articles with open access in PMC.
	OpenAccess bool `json:"openAccess,omitempty"`
	// Also preprints.
	Preprints bool `json:"preprints,omitempty"`
	// Number of summaries.
	FetchBriefSummaries int `json:"fetchBriefSummaries"`
}

// Preprint is an article that its authors published before a journal reviewed it.
type Preprint struct {
	// DOI. Source: Europe PMC doi.
	DOI string `json:"doi,omitempty" jsonschema:"minLength=1"`
	// PubMed id of the preprint, if PubMed has it. Source: Europe PMC pmid.
	PMID string `json:"pmid,omitempty" jsonschema:"pattern=^[0-9]+$"`
	// Title. Source: Europe PMC title.
	Title string `json:"title,omitempty" jsonschema:"minLength=1"`
	// Authors. Source: Europe PMC authorString.
	Authors string `json:"authors,omitempty" jsonschema:"minLength=1"`
	// Server, such as medRxiv. Source: Europe PMC bookOrReportDetails.publisher.
	Server string `json:"server,omitempty" jsonschema:"minLength=1"`
	// YYYY-MM-DD or less. Source: Europe PMC firstPublicationDate.
	Date string `json:"date,omitempty" jsonschema:"minLength=4"`
	// PMID of the version that a journal published. Absent: Europe PMC names none. Source: Europe PMC commentCorrectionList, Preprint of.
	PublishedPMID string `json:"publishedPmid,omitempty" jsonschema:"pattern=^[0-9]+$"`
}

// ArticleDateRange is a range of dates.
type ArticleDateRange struct {
	// First date.
	MinDate string `json:"minDate" jsonschema:"minLength=4"`
	// Last date.
	MaxDate string `json:"maxDate" jsonschema:"minLength=4"`
	// pdat, mdat or edat.
	DateType string `json:"dateType"`
}

// ArticleDetails are the records of some articles: parsed, in articles, or as
// PubMed writes them, in content. Its lists are always present, and may be empty.
type ArticleDetails struct {
	// PMIDs given, without duplicates.
	RequestedPMIDs []string `json:"requestedPmids"`
	// In the order given; empty with content.
	Articles []Article `json:"articles,omitzero"`
	// Type of content: application/xml or text/plain.
	MediaType string `json:"mediaType,omitempty" jsonschema:"minLength=1"`
	// Records as PubMed writes them, for full_xml and medline_text. Source: EFetch.
	Content *string `json:"content,omitempty"`
	// PMIDs without a record.
	NotFoundPMIDs []string `json:"notFoundPmids"`
	// The request to NCBI.
	EFetchDetails EFetchDetails `json:"eFetchDetails"`
}

// EFetchDetails describe the EFetch request for some records.
type EFetchDetails struct {
	// The records at NCBI, for people.
	URLs []string `json:"urls"`
	// GET, or POST for a long list.
	RequestMethod string `json:"requestMethod"`
}

// ArticleRelationships are the articles that one article is related to, or its
// citation. Lists and citations are always present, and may be empty.
type ArticleRelationships struct {
	// PMID given; the first of several.
	SourcePMID string `json:"sourcePmid" jsonschema:"pattern=^[0-9]+$"`
	// With several PMIDs: those in citations, in its order.
	SourcePMIDs []string `json:"sourcePmids,omitempty" jsonschema:"minItems=1,pattern=^[0-9]+$"`
	// With several PMIDs: those without a record.
	NotFoundPMIDs []string `json:"notFoundPmids,omitempty" jsonschema:"minItems=1,pattern=^[0-9]+$"`
	// The relationshipType given.
	RelationshipType string `json:"relationshipType"`
	// Most similar first, else newest PMID first. Source: ELink.
	RelatedArticles []RelatedArticle `json:"relatedArticles"`
	// By style, such as ris: one citation, or a file of several; styles for people have a line each. csl_json is always a list.
	Citations map[string]string `json:"citations"`
	// Number of relatedArticles.
	RetrievedCount int `json:"retrievedCount" jsonschema:"minimum=0"`
	// The links at NCBI, for people.
	ELinkURL string `json:"eLinkUrl,omitempty" jsonschema:"minLength=1"`
	// Of related articles: total, and how to get the next page.
	Pagination *ArticlePagination `json:"pagination,omitempty"`
}

// ArticlePagination says how to get the next page of a list of articles.
type ArticlePagination struct {
	// Pass it as cursor, with the same arguments, to get the next page. Absent on the last page.
	Cursor string `json:"cursor,omitempty" jsonschema:"minLength=1"`
	// Number of articles on all pages.
	TotalCount int `json:"total_count" jsonschema:"minimum=0"`
}

// RelatedArticle is an article that is related to another.
type RelatedArticle struct {
	// PubMed id. Source: ELink.
	PMID string `json:"pmid" jsonschema:"pattern=^[0-9]+$"`
	// Title. Source: ESummary title.
	Title string `json:"title,omitempty" jsonschema:"minLength=1"`
	// First authors. Source: ESummary authors.
	Authors string `json:"authors,omitempty" jsonschema:"minLength=1"`
	// Similarity from 0 to 1 (1: the article itself). Source: ELink neighbor_score.
	Score *float64 `json:"score,omitempty" jsonschema:"minimum=0,maximum=1"`
	// Page at PubMed.
	LinkURL string `json:"linkUrl" jsonschema:"minLength=1"`
}
