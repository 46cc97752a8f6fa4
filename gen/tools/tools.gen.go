// Code generated from tools.yaml. DO NOT EDIT.

// Package tools holds the arguments of every tool, the Handlers that serve
// them and the table that binds the two. It only names things: behaviour is in
// the packages tool and service.
package tools

import (
	"context"

	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/gen/schemas"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// Handlers serve the tools, one method each.
type Handlers interface {
	// SearchTrials serves search_trials: Search clinical trials.
	SearchTrials(ctx context.Context, args SearchTrialsArgs) (entity.Answer[entity.Page[entity.TrialSearchCandidate]], error)
	// GetTrial serves get_trial: Read one clinical trial.
	GetTrial(ctx context.Context, args GetTrialArgs) (entity.Answer[entity.Trial], error)
	// GetTrialLocations serves get_trial_locations: List the sites of a clinical trial.
	GetTrialLocations(ctx context.Context, args GetTrialLocationsArgs) (entity.Answer[entity.Page[entity.TrialLocation]], error)
	// SearchGenes serves search_genes: Search genes.
	SearchGenes(ctx context.Context, args SearchGenesArgs) (entity.Answer[entity.Page[entity.GeneSearchCandidate]], error)
	// GetGene serves get_gene: Read one gene.
	GetGene(ctx context.Context, args GetGeneArgs) (entity.Answer[entity.Gene], error)
	// GetPubMedLinks serves get_pubmed_links: List the articles of a gene.
	GetPubMedLinks(ctx context.Context, args GetPubMedLinksArgs) (entity.Answer[entity.Page[entity.PubMedLink]], error)
	// SearchPubMedArticles serves searchPubMedArticles: Search PubMed articles.
	SearchPubMedArticles(ctx context.Context, args SearchPubMedArticlesArgs) (entity.Answer[entity.ArticleSearch], error)
	// FetchArticleDetails serves fetchArticleDetails: Read PubMed articles.
	FetchArticleDetails(ctx context.Context, args FetchArticleDetailsArgs) (entity.Answer[entity.ArticleDetails], error)
	// GetArticleRelationships serves getArticleRelationships: Find related articles, or cite one.
	GetArticleRelationships(ctx context.Context, args GetArticleRelationshipsArgs) (entity.Answer[entity.ArticleRelationships], error)
}

// SearchTrialsArgs are the arguments of search_trials.
type SearchTrialsArgs struct {
	// Words anywhere in the record.
	Query string `json:"query,omitempty"`
	// Condition or disease.
	Condition string `json:"condition,omitempty"`
	// Drug, device, procedure or other intervention.
	Intervention string `json:"intervention,omitempty"`
	// Recruitment status.
	Status []string `json:"status,omitempty"`
	// A place. "City, State" or "City, Country" means one site there.
	Location string `json:"location,omitempty"`
	// Exactly this phase; 2/3 is the combination.
	Phase []string `json:"phase,omitempty"`
	// Kind of study.
	StudyType []string `json:"study_type,omitempty"`
	// Lead sponsor or collaborator.
	Sponsor string `json:"sponsor,omitempty"`
	// Words of title or acronym.
	Title string `json:"title,omitempty"`
	// Outcome measure.
	Outcome string `json:"outcome,omitempty"`
	// Candidates per page.
	PageSize int `json:"page_size,omitempty"`
	// pagination.cursor of the page before; the other arguments unchanged.
	Cursor string `json:"cursor,omitempty"`
}

// ListStudiesParams returns the arguments that are parameters of the
// upstream as they are.
func (a SearchTrialsArgs) ListStudiesParams() *ctgov.ListStudiesParams {
	return &ctgov.ListStudiesParams{
		QueryTerm:           tool.Value(a.Query),
		QueryCond:           tool.Value(a.Condition),
		QueryIntr:           tool.Value(a.Intervention),
		FilterOverallStatus: tool.Values[ctgov.Status](a.Status),
		QueryLocn:           tool.Value(a.Location),
		QuerySpons:          tool.Value(a.Sponsor),
		QueryTitles:         tool.Value(a.Title),
		QueryOutc:           tool.Value(a.Outcome),
		PageSize:            tool.Value(int32(a.PageSize)),
	}
}

// GetTrialArgs are the arguments of get_trial.
type GetTrialArgs struct {
	// NCT id.
	NCTID string `json:"nct_id,omitempty"`
}

// GetTrialLocationsArgs are the arguments of get_trial_locations.
type GetTrialLocationsArgs struct {
	// NCT id.
	NCTID string `json:"nct_id,omitempty"`
	// Sites per page.
	PageSize int `json:"page_size,omitempty"`
	// pagination.cursor of the page before; the same nct_id.
	Cursor string `json:"cursor,omitempty"`
}

// SearchGenesArgs are the arguments of search_genes.
type SearchGenesArgs struct {
	// Symbol, name or words.
	Query string `json:"query,omitempty"`
	// Common or scientific name or taxid; all organisms without it.
	Organism string `json:"organism,omitempty"`
	// Candidates per page.
	PageSize int `json:"page_size,omitempty"`
	// pagination.cursor of the page before; the other arguments unchanged.
	Cursor string `json:"cursor,omitempty"`
}

// GetGeneArgs are the arguments of get_gene.
type GetGeneArgs struct {
	// NCBI Gene id.
	EntrezID string `json:"entrez_id,omitempty"`
}

// GetPubMedLinksArgs are the arguments of get_pubmed_links.
type GetPubMedLinksArgs struct {
	// NCBI Gene id.
	EntrezID string `json:"entrez_id,omitempty"`
	// PMIDs per page.
	Limit int `json:"limit,omitempty"`
	// pagination.cursor of the page before; the same entrez_id.
	Cursor string `json:"cursor,omitempty"`
}

// SearchPubMedArticlesArgs are the arguments of searchPubMedArticles.
type SearchPubMedArticlesArgs struct {
	// Words or an Entrez query.
	QueryTerm string `json:"queryTerm,omitempty"`
	// PMIDs to return.
	MaxResults int `json:"maxResults,omitempty"`
	// Order; pub_date is newest first.
	SortBy string `json:"sortBy,omitempty"`
	// Only articles of these dates.
	DateRange SearchPubMedArticlesDateRange `json:"dateRange,omitzero"`
	// As PubMed names them, ORed: Review, Randomized Controlled Trial, Retracted Publication.
	FilterByPublicationTypes []string `json:"filterByPublicationTypes,omitempty"`
	// Summaries of the first PMIDs.
	FetchBriefSummaries int `json:"fetchBriefSummaries,omitempty"`
}

// SearchPubMedArticlesDateRange is an argument: Only articles of these dates.
type SearchPubMedArticlesDateRange struct {
	// YYYY, YYYY/MM or YYYY/MM/DD.
	MinDate string `json:"minDate,omitempty"`
	// YYYY, YYYY/MM or YYYY/MM/DD.
	MaxDate string `json:"maxDate,omitempty"`
	// pdat: publication, mdat: change, edat: entry.
	DateType string `json:"dateType,omitempty"`
}

// FetchArticleDetailsArgs are the arguments of fetchArticleDetails.
type FetchArticleDetailsArgs struct {
	// PMIDs.
	Pmids []string `json:"pmids,omitempty"`
	// The record read, as XML, as MEDLINE text, or what a citation needs.
	DetailLevel string `json:"detailLevel,omitempty"`
	// With MeSH terms.
	IncludeMeshTerms bool `json:"includeMeshTerms,omitempty"`
	// With grants (abstract_plus).
	IncludeGrantInfo bool `json:"includeGrantInfo,omitempty"`
}

// GetArticleRelationshipsArgs are the arguments of getArticleRelationships.
type GetArticleRelationshipsArgs struct {
	// PMID.
	SourcePmid string `json:"sourcePmid,omitempty"`
	// What to find.
	RelationshipType string `json:"relationshipType,omitempty"`
	// Related articles to return.
	MaxRelatedResults int `json:"maxRelatedResults,omitempty"`
	// Styles for citation_formats.
	CitationStyles []string `json:"citationStyles,omitempty"`
}

// Table returns every tool, in the order of tools.yaml.
func Table(h Handlers) []*tool.Tool {
	return []*tool.Tool{
		tool.New(tool.Definition{
			Name:        "search_trials",
			Title:       "Search clinical trials",
			Toolset:     "trials",
			Description: "Find clinical trials at ClinicalTrials.gov by words. Returns candidates ranked by relevance; read one with get_trial(nct_id=its id), its sites with get_trial_locations. Arguments are ANDed, values of a list are ORed.",
			Input:       schemas.Get("search_trials.input"),
			Output:      schemas.Get("search_trials.output"),
			Arguments: []tool.Argument{
				{Name: "query", Type: "string", Example: "immunotherapy"},
				{Name: "condition", Type: "string", Example: "breast cancer"},
				{Name: "intervention", Type: "string", Example: "insulin"},
				{Name: "status", Type: "string", List: true, Example: "recruiting", Words: []string{"ACTIVE_NOT_RECRUITING", "COMPLETED", "ENROLLING_BY_INVITATION", "NOT_YET_RECRUITING", "RECRUITING", "SUSPENDED", "TERMINATED", "WITHDRAWN", "AVAILABLE", "NO_LONGER_AVAILABLE", "TEMPORARILY_NOT_AVAILABLE", "APPROVED_FOR_MARKETING", "WITHHELD", "UNKNOWN"}},
				{Name: "location", Type: "string", Example: "Boston, MA"},
				{Name: "phase", Type: "string", List: true, Example: "Phase 3"},
				{Name: "study_type", Type: "string", List: true, Example: "interventional", Words: []string{"EXPANDED_ACCESS", "INTERVENTIONAL", "OBSERVATIONAL"}},
				{Name: "sponsor", Type: "string", Example: "Pfizer"},
				{Name: "title", Type: "string", Example: "KEYNOTE-024"},
				{Name: "outcome", Type: "string", Example: "overall survival"},
				{Name: "page_size", Type: "integer"},
				{Name: "cursor", Type: "string"},
			},
		}, SearchTrialsArgs{PageSize: 50}, h.SearchTrials),
		tool.New(tool.Definition{
			Name:        "get_trial",
			Title:       "Read one clinical trial",
			Toolset:     "trials",
			Description: "Complete record of one trial by NCT id, obsolete ones too: design, eligibility, outcomes, sponsors, dates, enrollment, contacts. cross_references.pubmed holds PMIDs of its publications. Takes ids only; for words use search_trials.",
			Input:       schemas.Get("get_trial.input"),
			Output:      schemas.Get("get_trial.output"),
			Arguments: []tool.Argument{
				{Name: "nct_id", Type: "string", Required: true, Example: "NCT:00461032"},
			},
		}, GetTrialArgs{}, h.GetTrial),
		tool.New(tool.Definition{
			Name:        "get_trial_locations",
			Title:       "List the sites of a clinical trial",
			Toolset:     "trials",
			Description: "Sites of one trial by NCT id, in the order of the record: facility, address, first contact, recruitment status. Contacts for the whole study are in get_trial's central_contacts.",
			Input:       schemas.Get("get_trial_locations.input"),
			Output:      schemas.Get("get_trial_locations.output"),
			Arguments: []tool.Argument{
				{Name: "nct_id", Type: "string", Required: true, Example: "NCT:00461032"},
				{Name: "page_size", Type: "integer"},
				{Name: "cursor", Type: "string"},
			},
		}, GetTrialLocationsArgs{PageSize: 100}, h.GetTrialLocations),
		tool.New(tool.Definition{
			Name:        "search_genes",
			Title:       "Search genes",
			Toolset:     "genes",
			Description: "Find genes at NCBI Gene by symbol, alias, name or other words, of any organism. Returns candidates ranked by exact symbol, alias, relevance; read one with get_gene(entrez_id=its id), its literature with get_pubmed_links. Field tags such as BRCA1[sym] work.",
			Input:       schemas.Get("search_genes.input"),
			Output:      schemas.Get("search_genes.output"),
			Arguments: []tool.Argument{
				{Name: "query", Type: "string", Required: true, Example: "BRCA1"},
				{Name: "organism", Type: "string", Example: "human"},
				{Name: "page_size", Type: "integer"},
				{Name: "cursor", Type: "string"},
			},
		}, SearchGenesArgs{PageSize: 50}, h.SearchGenes),
		tool.New(tool.Definition{
			Name:        "get_gene",
			Title:       "Read one gene",
			Toolset:     "genes",
			Description: "Complete record of one gene by NCBI Gene id: symbol, name, summary, location, aliases, type and cross-references (HGNC, Ensembl, UniProt, RefSeq, OMIM, model organism databases). Takes ids only; for symbols and words use search_genes.",
			Input:       schemas.Get("get_gene.input"),
			Output:      schemas.Get("get_gene.output"),
			Arguments: []tool.Argument{
				{Name: "entrez_id", Type: "string", Required: true, Example: "NCBIGene:7157"},
			},
		}, GetGeneArgs{}, h.GetGene),
		tool.New(tool.Definition{
			Name:        "get_pubmed_links",
			Title:       "List the articles of a gene",
			Toolset:     "genes",
			Description: "PMIDs of the articles that NCBI links to one gene, newest ids first, with their total. Takes an NCBI Gene id; for symbols use search_genes, for a subject among its articles searchPubMedArticles.",
			Input:       schemas.Get("get_pubmed_links.input"),
			Output:      schemas.Get("get_pubmed_links.output"),
			Arguments: []tool.Argument{
				{Name: "entrez_id", Type: "string", Required: true, Example: "NCBIGene:7157"},
				{Name: "limit", Type: "integer"},
				{Name: "cursor", Type: "string"},
			},
		}, GetPubMedLinksArgs{Limit: 20}, h.GetPubMedLinks),
		tool.New(tool.Definition{
			Name:        "searchPubMedArticles",
			Title:       "Search PubMed articles",
			Toolset:     "articles",
			Description: "Find articles in PubMed. Returns PMIDs in the order asked for, their total and, on request, brief summaries; read records with fetchArticleDetails. Entrez syntax works: AND, OR, NOT, \"phrases\", field tags such as asthma[mh]; NCT:00461032[si] finds a trial's articles, a DOI or PMC id its article.",
			Input:       schemas.Get("searchPubMedArticles.input"),
			Output:      schemas.Get("searchPubMedArticles.output"),
			Arguments: []tool.Argument{
				{Name: "queryTerm", Type: "string", Required: true, Example: "nivolumab melanoma"},
				{Name: "maxResults", Type: "integer"},
				{Name: "sortBy", Type: "string", Words: []string{"relevance", "pub_date", "author", "journal_name"}},
				{Name: "dateRange", Type: "object", Example: "{\"maxDate\":\"2024/06\",\"minDate\":\"2020\"}", Fields: []tool.Argument{
					{Name: "minDate", Type: "string"},
					{Name: "maxDate", Type: "string"},
					{Name: "dateType", Type: "string", Words: []string{"pdat", "mdat", "edat"}},
				}},
				{Name: "filterByPublicationTypes", Type: "string", List: true, Example: "Review"},
				{Name: "fetchBriefSummaries", Type: "integer"},
			},
		}, SearchPubMedArticlesArgs{MaxResults: 20, SortBy: "relevance", DateRange: SearchPubMedArticlesDateRange{DateType: "pdat"}, FetchBriefSummaries: 0}, h.SearchPubMedArticles),
		tool.New(tool.Definition{
			Name:        "fetchArticleDetails",
			Title:       "Read PubMed articles",
			Toolset:     "articles",
			Description: "Complete records of articles by PMID: abstract, authors, journal, MeSH, DOI; corrections name retractions and errata. nctIds lead to get_trial. Takes ids only, such as a trial's cross_references.pubmed or get_pubmed_links give; for words use searchPubMedArticles.",
			Input:       schemas.Get("fetchArticleDetails.input"),
			Output:      schemas.Get("fetchArticleDetails.output"),
			Arguments: []tool.Argument{
				{Name: "pmids", Type: "string", List: true, MaxItems: 200, Required: true, Example: "26027431"},
				{Name: "detailLevel", Type: "string", Words: []string{"abstract_plus", "full_xml", "medline_text", "citation_data"}},
				{Name: "includeMeshTerms", Type: "boolean"},
				{Name: "includeGrantInfo", Type: "boolean"},
			},
		}, FetchArticleDetailsArgs{DetailLevel: "abstract_plus", IncludeMeshTerms: true, IncludeGrantInfo: false}, h.FetchArticleDetails),
		tool.New(tool.Definition{
			Name:        "getArticleRelationships",
			Title:       "Find related articles, or cite one",
			Toolset:     "articles",
			Description: "From one PMID to similar articles (scored), articles that cite it (citedin), its references, or its citation as RIS, BibTeX, APA or MLA. Takes an id only; for words use searchPubMedArticles. Read the related articles with fetchArticleDetails.",
			Input:       schemas.Get("getArticleRelationships.input"),
			Output:      schemas.Get("getArticleRelationships.output"),
			Arguments: []tool.Argument{
				{Name: "sourcePmid", Type: "string", Required: true, Example: "26027431"},
				{Name: "relationshipType", Type: "string", Words: []string{"pubmed_similar_articles", "pubmed_citedin", "pubmed_references", "citation_formats"}},
				{Name: "maxRelatedResults", Type: "integer"},
				{Name: "citationStyles", Type: "string", List: true, Words: []string{"ris", "bibtex", "apa_string", "mla_string"}},
			},
		}, GetArticleRelationshipsArgs{RelationshipType: "pubmed_similar_articles", MaxRelatedResults: 5, CitationStyles: []string{"ris"}}, h.GetArticleRelationships),
	}
}
