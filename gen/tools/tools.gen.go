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

// The names of the tools.
const (
	SearchTrials            = "search_trials"
	GetTrial                = "get_trial"
	GetTrialLocations       = "get_trial_locations"
	SearchGenes             = "search_genes"
	GetGene                 = "get_gene"
	GetPubMedLinks          = "get_pubmed_links"
	SearchPubMedArticles    = "searchPubMedArticles"
	FetchArticleDetails     = "fetchArticleDetails"
	GetArticleRelationships = "getArticleRelationships"
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

// TrialFilters are arguments that several tools share: each narrows a search.
type TrialFilters struct {
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
	// Lead sponsor alone.
	LeadSponsor string `json:"lead_sponsor,omitempty"`
	// Words of title or acronym.
	Title string `json:"title,omitempty"`
	// Outcome measure.
	Outcome string `json:"outcome,omitempty"`
}

// Names returns the names of the filters.
func (*TrialFilters) Names() []string {
	return []string{"query", "condition", "intervention", "status", "location", "phase", "study_type", "sponsor", "lead_sponsor", "title", "outcome"}
}

// Given returns the names of the filters that the caller gave.
func (f *TrialFilters) Given() []string {
	var names []string
	if f.Query != "" {
		names = append(names, "query")
	}
	if f.Condition != "" {
		names = append(names, "condition")
	}
	if f.Intervention != "" {
		names = append(names, "intervention")
	}
	if len(f.Status) > 0 {
		names = append(names, "status")
	}
	if f.Location != "" {
		names = append(names, "location")
	}
	if len(f.Phase) > 0 {
		names = append(names, "phase")
	}
	if len(f.StudyType) > 0 {
		names = append(names, "study_type")
	}
	if f.Sponsor != "" {
		names = append(names, "sponsor")
	}
	if f.LeadSponsor != "" {
		names = append(names, "lead_sponsor")
	}
	if f.Title != "" {
		names = append(names, "title")
	}
	if f.Outcome != "" {
		names = append(names, "outcome")
	}
	return names
}

// Texts returns the filters that the upstream reads as words.
func (f *TrialFilters) Texts() []tool.Text {
	return []tool.Text{
		{Name: "query", Param: "query.term", Value: &f.Query},
		{Name: "condition", Param: "query.cond", Value: &f.Condition},
		{Name: "intervention", Param: "query.intr", Value: &f.Intervention},
		{Name: "location", Param: "query.locn", Value: &f.Location},
		{Name: "sponsor", Param: "query.spons", Value: &f.Sponsor},
		{Name: "lead_sponsor", Param: "query.lead", Value: &f.LeadSponsor},
		{Name: "title", Param: "query.titles", Value: &f.Title},
		{Name: "outcome", Param: "query.outc", Value: &f.Outcome},
	}
}

// ListStudiesParams returns the filters that are parameters of the upstream as
// they are.
func (a TrialFilters) ListStudiesParams() *ctgov.ListStudiesParams {
	return &ctgov.ListStudiesParams{
		QueryTerm:           tool.Value(a.Query),
		QueryCond:           tool.Value(a.Condition),
		QueryIntr:           tool.Value(a.Intervention),
		FilterOverallStatus: tool.Values[ctgov.Status](a.Status),
		QueryLocn:           tool.Value(a.Location),
		QuerySpons:          tool.Value(a.Sponsor),
		QueryLead:           tool.Value(a.LeadSponsor),
		QueryTitles:         tool.Value(a.Title),
		QueryOutc:           tool.Value(a.Outcome),
	}
}

// SearchTrialsArgs are the arguments of search_trials.
type SearchTrialsArgs struct {
	TrialFilters
	// Candidates per page.
	PageSize int `json:"page_size,omitempty"`
	// pagination.cursor of the page before; the other arguments unchanged.
	Cursor string `json:"cursor,omitempty"`
}

// ListStudiesParams returns the arguments that are parameters of the
// upstream as they are.
func (a SearchTrialsArgs) ListStudiesParams() *ctgov.ListStudiesParams {
	params := a.TrialFilters.ListStudiesParams()
	params.PageSize = tool.Value(int32(a.PageSize))
	return params
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
			Name:         "search_trials",
			Title:        "Search clinical trials",
			Toolset:      "trials",
			Description:  "Find clinical trials at ClinicalTrials.gov by words. Returns candidates ranked by relevance; read one with get_trial(nct_id=its id), its sites with get_trial_locations. Arguments are ANDed, values of a list are ORed.",
			Input:        schemas.Get("search_trials.input"),
			ListedInput:  schemas.Listed("search_trials.input"),
			ListedOutput: schemas.Listed("search_trials.output"),
			Also:         []string{"trials", "search_studies", "search_clinical_trials", "find_trials", "find_studies", "list_studies", "query_trials", "trial_searcher", "clinicaltrials_search_studies", "clinicaltrials_search_trials", "clinicaltrials_search_datatable"},
			InsteadOf:    []string{"find_eligible", "clinicaltrials_find_eligible", "get_study_count", "clinicaltrials_get_study_count"},
			Arguments: []tool.Argument{
				{Name: "query", Type: "string", MaxLength: 2000, Example: "immunotherapy", Also: []string{"q", "term", "terms", "text", "search", "search_term", "search_query", "query_term", "keyword", "keywords", "other_terms", "id", "nct_id", "nct_ids"}},
				{Name: "condition", Type: "string", MaxLength: 2000, Example: "breast cancer", Also: []string{"query_cond", "conditions", "cond", "disease", "diseases", "disorder", "indication", "diagnosis", "condition_query"}},
				{Name: "intervention", Type: "string", MaxLength: 2000, Example: "insulin", Also: []string{"query_intr", "interventions", "intr", "drug", "drugs", "drug_name", "treatment", "therapy", "medication", "intervention_query"}},
				{Name: "status", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "recruiting", Words: []string{"ACTIVE_NOT_RECRUITING", "COMPLETED", "ENROLLING_BY_INVITATION", "NOT_YET_RECRUITING", "RECRUITING", "SUSPENDED", "TERMINATED", "WITHDRAWN", "AVAILABLE", "NO_LONGER_AVAILABLE", "TEMPORARILY_NOT_AVAILABLE", "APPROVED_FOR_MARKETING", "WITHHELD", "UNKNOWN"}, AnyWords: true, Also: []string{"statuses", "filter_overall_status", "overall_status", "recruitment_status", "trial_status", "study_status", "status_filter"}},
				{Name: "location", Type: "string", MaxLength: 2000, Example: "Boston, MA", Also: []string{"query_locn", "locations", "locn", "place", "city", "state", "country", "region", "location_query"}},
				{Name: "phase", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "Phase 3", Also: []string{"phases", "trial_phase", "study_phase", "phase_filter"}},
				{Name: "study_type", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "interventional", Words: []string{"EXPANDED_ACCESS", "INTERVENTIONAL", "OBSERVATIONAL"}, AnyWords: true, Also: []string{"study_types", "type", "trial_type"}},
				{Name: "sponsor", Type: "string", MaxLength: 2000, Example: "Pfizer", Also: []string{"query_spons", "sponsors", "spons", "company", "organization", "collaborator", "sponsor_query"}},
				{Name: "lead_sponsor", Type: "string", MaxLength: 2000, Example: "Pfizer", Also: []string{"query_lead", "lead", "lead_sponsors", "lead_sponsor_name"}},
				{Name: "title", Type: "string", MaxLength: 2000, Example: "KEYNOTE-024", Also: []string{"query_titles", "titles", "acronym", "study_title", "trial_name", "title_query"}},
				{Name: "outcome", Type: "string", MaxLength: 2000, Example: "overall survival", Also: []string{"query_outc", "outcomes", "endpoint", "endpoints", "outcome_measure", "outcome_query"}},
				{Name: "page_size", Type: "integer", Also: []string{"limit", "max", "max_results", "max_records", "count", "size", "n", "num_results", "per_page", "results_per_page", "retmax", "rows", "top", "top_k"}},
				{Name: "cursor", Type: "string", MaxLength: 4000, Also: []string{"page_token", "next_page_token", "next_cursor", "next"}, InsteadOf: []string{"page", "page_number", "page_no", "offset", "skip", "start", "retstart"}},
			},
		}, func() SearchTrialsArgs {
			return SearchTrialsArgs{PageSize: 50}
		}, h.SearchTrials),
		tool.New(tool.Definition{
			Name:         "get_trial",
			Title:        "Read one clinical trial",
			Toolset:      "trials",
			Description:  "Complete record of one trial by NCT id, obsolete ones too: design, eligibility, outcomes, sponsors, dates, enrollment, contacts. cross_references.pubmed holds PMIDs of its publications, pubmed_background those it cites. Takes ids only; for words use search_trials.",
			Input:        schemas.Get("get_trial.input"),
			ListedInput:  schemas.Listed("get_trial.input"),
			ListedOutput: schemas.Listed("get_trial.output"),
			Also:         []string{"get_study", "get_study_record", "get_study_details", "get_trial_details", "get_clinical_trial", "fetch_trial", "fetch_study", "trial_getter", "clinicaltrials_get_study", "clinicaltrials_get_study_record", "clinicaltrials_get_trial"},
			InsteadOf:    []string{"get_trial_results", "get_study_results", "clinicaltrials_get_study_results"},
			Elsewhere: []tool.Elsewhere{
				{Tool: "fetchArticleDetails", Argument: "pmids", Needs: "pmids", Names: []string{"pmid", "pmids"}},
				{Tool: "search_trials", Argument: "condition", Needs: "", Names: []string{"condition", "disease"}},
				{Tool: "search_trials", Argument: "query", Needs: "", Names: []string{"query", "term", "q", "search", "keywords", "acronym"}},
			},
			Arguments: []tool.Argument{
				{Name: "nct_id", Type: "string", MaxLength: 500, Required: true, Example: "NCT:00461032", Also: []string{"nct", "nct_ids", "nct_number", "id", "ids", "identifier", "curie", "trial", "trial_id", "study", "study_id"}},
			},
		}, func() GetTrialArgs {
			return GetTrialArgs{}
		}, h.GetTrial),
		tool.New(tool.Definition{
			Name:         "get_trial_locations",
			Title:        "List the sites of a clinical trial",
			Toolset:      "trials",
			Description:  "Sites of one trial by NCT id, in the order of the record: facility, address, first contact, recruitment status. Contacts for the whole study are in get_trial's central_contacts.",
			Input:        schemas.Get("get_trial_locations.input"),
			ListedInput:  schemas.Listed("get_trial_locations.input"),
			ListedOutput: schemas.Listed("get_trial_locations.output"),
			Also:         []string{"get_locations", "get_sites", "get_trial_sites", "get_study_locations", "get_study_sites", "clinicaltrials_get_trial_locations"},
			InsteadOf:    []string{"analyze_study_locations", "clinicaltrials_analyze_study_locations"},
			Arguments: []tool.Argument{
				{Name: "nct_id", Type: "string", MaxLength: 500, Required: true, Example: "NCT:00461032", Also: []string{"nct", "nct_ids", "nct_number", "id", "ids", "identifier", "curie", "trial", "trial_id", "study", "study_id"}},
				{Name: "page_size", Type: "integer", Also: []string{"limit", "max", "max_results", "max_records", "count", "size", "n", "num_results", "per_page", "results_per_page", "retmax", "rows", "top", "top_k"}},
				{Name: "cursor", Type: "string", MaxLength: 4000, Also: []string{"page_token", "next_page_token", "next_cursor", "next"}, InsteadOf: []string{"page", "page_number", "page_no", "offset", "skip", "start", "retstart"}},
			},
		}, func() GetTrialLocationsArgs {
			return GetTrialLocationsArgs{PageSize: 100}
		}, h.GetTrialLocations),
		tool.New(tool.Definition{
			Name:         "search_genes",
			Title:        "Search genes",
			Toolset:      "genes",
			Description:  "Find genes at NCBI Gene by symbol, alias, name or other words, of any organism. Returns candidates ranked by exact symbol, alias, relevance; read one with get_gene(entrez_id=its id), its literature with get_pubmed_links. Field tags such as BRCA1[sym] work.",
			Input:        schemas.Get("search_genes.input"),
			ListedInput:  schemas.Listed("search_genes.input"),
			ListedOutput: schemas.Listed("search_genes.output"),
			Also:         []string{"ncbi_gene", "search_gene", "find_gene", "find_genes", "query_genes", "gene_searcher", "entrez_search_genes"},
			Arguments: []tool.Argument{
				{Name: "query", Type: "string", MaxLength: 20000, Required: true, Example: "BRCA1", Also: []string{"q", "term", "terms", "text", "search", "search_term", "search_query", "query_term", "keyword", "keywords", "gene", "genes", "gene_name", "gene_symbol", "symbol", "symbols", "name", "id", "gene_id", "entrez_id"}},
				{Name: "organism", Type: "string", MaxLength: 2000, Example: "human", Also: []string{"organisms", "organism_name", "species", "taxon", "taxon_id", "tax_id", "taxonomy"}},
				{Name: "page_size", Type: "integer", Also: []string{"limit", "max", "max_results", "max_records", "count", "size", "n", "num_results", "per_page", "results_per_page", "retmax", "rows", "top", "top_k"}},
				{Name: "cursor", Type: "string", MaxLength: 4000, Also: []string{"page_token", "next_page_token", "next_cursor", "next"}, InsteadOf: []string{"page", "page_number", "page_no", "offset", "skip", "start", "retstart"}},
			},
		}, func() SearchGenesArgs {
			return SearchGenesArgs{PageSize: 50}
		}, h.SearchGenes),
		tool.New(tool.Definition{
			Name:         "get_gene",
			Title:        "Read one gene",
			Toolset:      "genes",
			Description:  "Complete record of one gene by NCBI Gene id: symbol, name, summary, location, aliases, type and cross-references (HGNC, Ensembl, UniProt, RefSeq, OMIM, model organism databases). Takes ids only; for symbols and words use search_genes.",
			Input:        schemas.Get("get_gene.input"),
			ListedInput:  schemas.Listed("get_gene.input"),
			ListedOutput: schemas.Listed("get_gene.output"),
			Also:         []string{"get_gene_details", "get_gene_info", "get_gene_summary", "get_gene_record", "fetch_gene", "gene_getter", "entrez_get_gene"},
			Elsewhere: []tool.Elsewhere{
				{Tool: "fetchArticleDetails", Argument: "pmids", Needs: "pmids", Names: []string{"pmid", "pmids", "pubmed_id"}},
				{Tool: "get_trial", Argument: "nct_id", Needs: "nct_id", Names: []string{"nct_id", "nct"}},
				{Tool: "search_genes", Argument: "organism", Needs: "query", Names: []string{"organism", "species", "taxon", "tax_id"}},
				{Tool: "search_genes", Argument: "query", Needs: "query", Names: []string{"symbol", "gene_symbol", "gene_name", "name", "query", "term", "q", "search", "gene", "id"}},
			},
			Arguments: []tool.Argument{
				{Name: "entrez_id", Type: "string", MaxLength: 500, Required: true, Example: "NCBIGene:7157", Also: []string{"entrez", "entrez_ids", "gene", "gene_id", "gene_ids", "ncbi_gene_id", "id", "ids", "identifier", "curie", "uid"}},
			},
		}, func() GetGeneArgs {
			return GetGeneArgs{}
		}, h.GetGene),
		tool.New(tool.Definition{
			Name:         "get_pubmed_links",
			Title:        "List the articles of a gene",
			Toolset:      "genes",
			Description:  "PMIDs of the articles that NCBI links to one gene, newest ids first, with their total. Takes an NCBI Gene id; for symbols use search_genes, for a subject among its articles searchPubMedArticles.",
			Input:        schemas.Get("get_pubmed_links.input"),
			ListedInput:  schemas.Listed("get_pubmed_links.input"),
			ListedOutput: schemas.Listed("get_pubmed_links.output"),
			Also:         []string{"get_gene_articles", "get_gene_literature", "get_gene_publications", "get_gene_pmids", "entrez_get_pubmed_links"},
			Elsewhere: []tool.Elsewhere{
				{Tool: "getArticleRelationships", Argument: "sourcePmid", Needs: "sourcePmid", Names: []string{"pmid", "pubmed_id"}},
				{Tool: "searchPubMedArticles", Argument: "queryTerm", Needs: "queryTerm", Names: []string{"nct_id", "nct"}},
				{Tool: "search_genes", Argument: "organism", Needs: "query", Names: []string{"organism", "species", "taxon", "tax_id"}},
				{Tool: "search_genes", Argument: "query", Needs: "query", Names: []string{"symbol", "gene_symbol", "gene_name", "name", "query", "term", "q", "search", "gene", "id"}},
			},
			Arguments: []tool.Argument{
				{Name: "entrez_id", Type: "string", MaxLength: 500, Required: true, Example: "NCBIGene:7157", Also: []string{"entrez", "entrez_ids", "gene", "gene_id", "gene_ids", "ncbi_gene_id", "id", "ids", "identifier", "curie", "uid"}},
				{Name: "limit", Type: "integer", Also: []string{"page_size", "max", "max_results", "count", "size", "n", "num_results", "per_page", "retmax", "rows", "top"}},
				{Name: "cursor", Type: "string", MaxLength: 4000, Also: []string{"page_token", "next_page_token", "next_cursor", "next"}, InsteadOf: []string{"page", "page_number", "page_no", "offset", "skip", "start", "retstart"}},
			},
		}, func() GetPubMedLinksArgs {
			return GetPubMedLinksArgs{Limit: 20}
		}, h.GetPubMedLinks),
		tool.New(tool.Definition{
			Name:         "searchPubMedArticles",
			Title:        "Search PubMed articles",
			Toolset:      "articles",
			Description:  "Find articles in PubMed. Returns PMIDs in the order asked for, their total and, on request, brief summaries; read records with fetchArticleDetails. Entrez syntax works: AND, OR, NOT, \"phrases\", field tags such as asthma[mh]; NCT:00461032[si] finds a trial's articles, a DOI or PMC id its article.",
			Input:        schemas.Get("searchPubMedArticles.input"),
			ListedInput:  schemas.Listed("searchPubMedArticles.input"),
			ListedOutput: schemas.Listed("searchPubMedArticles.output"),
			Also:         []string{"search_pubmed", "search_articles", "search_publications", "search_papers", "search_literature", "pubmed_search", "pubmed_search_articles", "article_searcher", "advanced_search", "esearch"},
			InsteadOf:    []string{"search", "pubmed_europepmc_search", "lookup_citation", "pubmed_lookup_citation", "lookup_article_by_citation"},
			Elsewhere: []tool.Elsewhere{
				{Tool: "fetchArticleDetails", Argument: "pmids", Needs: "pmids", Names: []string{"pmid", "pmids", "pubmed_id", "id", "ids", "uid"}},
			},
			Arguments: []tool.Argument{
				{Name: "queryTerm", Type: "string", MaxLength: 20000, Required: true, Example: "nivolumab melanoma", Also: []string{"query", "q", "term", "terms", "text", "search", "search_term", "search_query", "keyword", "keywords", "topic", "doi", "pmcid", "title"}, Tags: []tool.Tag{{Tag: "au", Names: []string{"author", "authors"}}, {Tag: "dp", Names: []string{"year"}}, {Tag: "la", Names: []string{"language"}}, {Tag: "mh", Names: []string{"mesh", "mesh_terms"}}, {Tag: "ta", Names: []string{"journal"}}, {Tag: "words", Names: []string{"disease", "condition", "drug", "gene", "species", "organism"}}}},
				{Name: "maxResults", Type: "integer", Also: []string{"limit", "max", "max_records", "count", "size", "n", "num_results", "page_size", "per_page", "retmax", "rows", "top", "top_k"}},
				{Name: "sortBy", Type: "string", Words: []string{"relevance", "pub_date", "author", "journal_name"}, Also: []string{"sort", "sort_order", "order", "order_by"}},
				{Name: "dateRange", Type: "object", Example: "{\"maxDate\":\"2024/06\",\"minDate\":\"2020\"}", Also: []string{"dates", "date_filter"}, InsteadOf: []string{"date", "years"}, Fields: []tool.Argument{
					{Name: "minDate", Type: "string", MaxLength: 2000, Also: []string{"min", "from", "from_date", "date_from", "start", "start_date", "published_after"}},
					{Name: "maxDate", Type: "string", MaxLength: 2000, Also: []string{"max", "to", "to_date", "date_to", "until", "end", "end_date", "published_before"}},
					{Name: "dateType", Type: "string", Words: []string{"pdat", "mdat", "edat"}, Also: []string{"type", "kind"}},
				}},
				{Name: "filterByPublicationTypes", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "Review", Also: []string{"publication_types", "publication_type", "pub_types", "pub_type", "article_types", "article_type"}},
				{Name: "fetchBriefSummaries", Type: "integer", Also: []string{"brief_summaries", "summaries", "summary_count"}},
			},
		}, func() SearchPubMedArticlesArgs {
			return SearchPubMedArticlesArgs{MaxResults: 20, SortBy: "relevance", DateRange: SearchPubMedArticlesDateRange{DateType: "pdat"}, FetchBriefSummaries: 0}
		}, h.SearchPubMedArticles),
		tool.New(tool.Definition{
			Name:         "fetchArticleDetails",
			Title:        "Read PubMed articles",
			Toolset:      "articles",
			Description:  "Complete records of articles by PMID: abstract, authors, journal, MeSH, DOI; corrections name retractions and errata. nctIds lead to get_trial. Takes ids only, such as a trial's cross_references.pubmed or get_pubmed_links give; for words use searchPubMedArticles.",
			Input:        schemas.Get("fetchArticleDetails.input"),
			ListedInput:  schemas.Listed("fetchArticleDetails.input"),
			ListedOutput: schemas.Listed("fetchArticleDetails.output"),
			Also:         []string{"get_article", "get_articles", "get_article_details", "get_publication", "get_publications", "get_paper", "get_abstract", "fetch_article", "fetch_articles", "read_article", "pubmed_fetch_articles", "pubmed_fetch_contents", "get_article_metadata", "article_getter", "efetch"},
			InsteadOf:    []string{"fetch", "get_full_text", "get_full_text_article", "fetch_fulltext", "pubmed_fetch_fulltext"},
			Elsewhere: []tool.Elsewhere{
				{Tool: "searchPubMedArticles", Argument: "queryTerm", Needs: "queryTerm", Names: []string{"doi", "pmcid", "pmc", "nct_id", "query", "term", "q", "search", "title"}},
			},
			Arguments: []tool.Argument{
				{Name: "pmids", Type: "string", List: true, MaxItems: 200, MaxLength: 4000, Required: true, Example: "26027431", Also: []string{"pmid", "pubmed_id", "pubmed_ids", "id", "ids", "uid", "uids", "article_id", "article_ids", "source_pmid"}},
				{Name: "detailLevel", Type: "string", Words: []string{"abstract_plus", "full_xml", "medline_text", "citation_data"}, Also: []string{"detail", "details", "level", "format", "rettype"}},
				{Name: "includeMeshTerms", Type: "boolean", Also: []string{"include_mesh", "mesh"}},
				{Name: "includeGrantInfo", Type: "boolean", Also: []string{"include_grants", "grants"}},
			},
		}, func() FetchArticleDetailsArgs {
			return FetchArticleDetailsArgs{DetailLevel: "abstract_plus", IncludeMeshTerms: true, IncludeGrantInfo: false}
		}, h.FetchArticleDetails),
		tool.New(tool.Definition{
			Name:         "getArticleRelationships",
			Title:        "Find related articles, or cite one",
			Toolset:      "articles",
			Description:  "From one PMID to similar articles (scored), articles that cite it (citedin), its references, or its citation as RIS, BibTeX, APA or MLA. Takes an id only; for words use searchPubMedArticles. Read the related articles with fetchArticleDetails.",
			Input:        schemas.Get("getArticleRelationships.input"),
			ListedInput:  schemas.Listed("getArticleRelationships.input"),
			ListedOutput: schemas.Listed("getArticleRelationships.output"),
			Also:         []string{"get_related_articles", "find_related", "find_related_articles", "get_similar_articles", "get_citations", "get_cited_by", "get_references", "get_citing_articles", "format_citation", "format_citations", "pubmed_find_related", "pubmed_format_citations"},
			Elsewhere: []tool.Elsewhere{
				{Tool: "searchPubMedArticles", Argument: "queryTerm", Needs: "queryTerm", Names: []string{"doi", "pmcid", "pmc", "nct_id", "query", "term", "q", "search", "title"}},
			},
			Arguments: []tool.Argument{
				{Name: "sourcePmid", Type: "string", MaxLength: 500, Required: true, Example: "26027431", Also: []string{"pmid", "pmids", "pubmed_id", "id", "ids", "uid", "article_id"}},
				{Name: "relationshipType", Type: "string", Words: []string{"pubmed_similar_articles", "pubmed_citedin", "pubmed_references", "citation_formats"}, Also: []string{"relationship", "relation", "link_type", "type"}},
				{Name: "maxRelatedResults", Type: "integer", Also: []string{"limit", "max", "max_results", "maxRelated", "count", "n", "num_results", "page_size", "retmax", "top"}},
				{Name: "citationStyles", Type: "string", List: true, Words: []string{"ris", "bibtex", "apa_string", "mla_string"}, Also: []string{"citation_style", "style", "styles", "format", "formats"}},
			},
		}, func() GetArticleRelationshipsArgs {
			return GetArticleRelationshipsArgs{RelationshipType: "pubmed_similar_articles", MaxRelatedResults: 5, CitationStyles: []string{"ris"}}
		}, h.GetArticleRelationships),
	}
}
