// Code generated from tools.yaml. DO NOT EDIT.

// Package tools has the arguments of every tool, the Handlers that serve
// them and the table that binds both. It has no behaviour, which is in
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
	CountTrials             = "count_trials"
	GetTrial                = "get_trial"
	TrialChanges            = "trial_changes"
	MatchTrials             = "match_trials"
	CompareTrials           = "compare_trials"
	GetTrialLocations       = "get_trial_locations"
	GetTrialResults         = "get_trial_results"
	SearchGenes             = "search_genes"
	GetGene                 = "get_gene"
	GetPubMedLinks          = "get_pubmed_links"
	GetGeneOrthologs        = "get_gene_orthologs"
	GetGeneTranscripts      = "get_gene_transcripts"
	GetGeneVariants         = "get_gene_variants"
	SearchPubMedArticles    = "searchPubMedArticles"
	CountArticles           = "countArticles"
	FetchArticleDetails     = "fetchArticleDetails"
	GetArticleFullText      = "getArticleFullText"
	ConvertArticleIds       = "convertArticleIds"
	LookupMesh              = "lookupMesh"
	MatchCitations          = "matchCitations"
	GetArticleRelationships = "getArticleRelationships"
	SearchDrugs             = "search_drugs"
	GetDrug                 = "get_drug"
	CountDrugEvents         = "count_drug_events"
	Search                  = "search"
	Fetch                   = "fetch"
	QueryRegistry           = "query_registry"
	DescribeRegistry        = "describe_registry"
)

// Handlers serve the tools, one method each.
type Handlers interface {
	TrialsHandlers
	GenesHandlers
	ArticlesHandlers
	DrugsHandlers
	ResearchHandlers
	SqlHandlers
}

// TrialsHandlers serve the toolset trials.
type TrialsHandlers interface {
	// SearchTrials serves search_trials: Search clinical trials.
	SearchTrials(ctx context.Context, args SearchTrialsArgs) (entity.Answer[entity.PageWith[entity.TrialSearchCandidate, entity.TrialSearch]], error)
	// CountTrials serves count_trials: Count trials.
	CountTrials(ctx context.Context, args CountTrialsArgs) (entity.Answer[entity.TrialCounts], error)
	// GetTrial serves get_trial: Read a trial.
	GetTrial(ctx context.Context, args GetTrialArgs) (entity.Answer[entity.Trial], error)
	// TrialChanges serves trial_changes: Changes of trials.
	TrialChanges(ctx context.Context, args TrialChangesArgs) (entity.Answer[entity.PageWith[entity.TrialChange, entity.ChangesCompared]], error)
	// MatchTrials serves match_trials: A person beside trials.
	MatchTrials(ctx context.Context, args MatchTrialsArgs) (entity.Answer[entity.Page[entity.TrialMatch]], error)
	// CompareTrials serves compare_trials: Compare trials.
	CompareTrials(ctx context.Context, args CompareTrialsArgs) (entity.Answer[entity.TrialComparison], error)
	// GetTrialLocations serves get_trial_locations: Sites of a trial.
	GetTrialLocations(ctx context.Context, args GetTrialLocationsArgs) (entity.Answer[entity.PageWith[entity.TrialLocation, entity.TrialSites]], error)
	// GetTrialResults serves get_trial_results: Results of a trial.
	GetTrialResults(ctx context.Context, args GetTrialResultsArgs) (entity.Answer[entity.TrialResults], error)
}

// GenesHandlers serve the toolset genes.
type GenesHandlers interface {
	// SearchGenes serves search_genes: Search genes.
	SearchGenes(ctx context.Context, args SearchGenesArgs) (entity.Answer[entity.Page[entity.GeneSearchCandidate]], error)
	// GetGene serves get_gene: Read a gene.
	GetGene(ctx context.Context, args GetGeneArgs) (entity.Answer[entity.Gene], error)
	// GetPubMedLinks serves get_pubmed_links: Articles of a gene.
	GetPubMedLinks(ctx context.Context, args GetPubMedLinksArgs) (entity.Answer[entity.Page[entity.PubMedLink]], error)
	// GetGeneOrthologs serves get_gene_orthologs: Orthologs of a gene.
	GetGeneOrthologs(ctx context.Context, args GetGeneOrthologsArgs) (entity.Answer[entity.Page[entity.GeneOrtholog]], error)
	// GetGeneTranscripts serves get_gene_transcripts: Transcripts of a gene.
	GetGeneTranscripts(ctx context.Context, args GetGeneTranscriptsArgs) (entity.Answer[entity.Page[entity.GeneTranscript]], error)
	// GetGeneVariants serves get_gene_variants: Variants of a gene.
	GetGeneVariants(ctx context.Context, args GetGeneVariantsArgs) (entity.Answer[entity.PageWith[entity.GeneVariant, entity.GeneVariants]], error)
}

// ArticlesHandlers serve the toolset articles.
type ArticlesHandlers interface {
	// SearchPubMedArticles serves searchPubMedArticles: Search PubMed.
	SearchPubMedArticles(ctx context.Context, args SearchPubMedArticlesArgs) (entity.Answer[entity.ArticleSearch], error)
	// CountArticles serves countArticles: Count articles.
	CountArticles(ctx context.Context, args CountArticlesArgs) (entity.Answer[entity.ArticleCounts], error)
	// FetchArticleDetails serves fetchArticleDetails: Read articles.
	FetchArticleDetails(ctx context.Context, args FetchArticleDetailsArgs) (entity.Answer[entity.ArticleDetails], error)
	// GetArticleFullText serves getArticleFullText: Read a full text.
	GetArticleFullText(ctx context.Context, args GetArticleFullTextArgs) (entity.Answer[entity.ArticleFullText], error)
	// ConvertArticleIds serves convertArticleIds: Convert article ids.
	ConvertArticleIds(ctx context.Context, args ConvertArticleIdsArgs) (entity.Answer[entity.ArticleIdentifiers], error)
	// LookupMesh serves lookupMesh: Look up MeSH.
	LookupMesh(ctx context.Context, args LookupMeshArgs) (entity.Answer[entity.MeshHeadings], error)
	// MatchCitations serves matchCitations: Match citations.
	MatchCitations(ctx context.Context, args MatchCitationsArgs) (entity.Answer[entity.CitationMatches], error)
	// GetArticleRelationships serves getArticleRelationships: Related articles, citations.
	GetArticleRelationships(ctx context.Context, args GetArticleRelationshipsArgs) (entity.Answer[entity.ArticleRelationships], error)
}

// DrugsHandlers serve the toolset drugs.
type DrugsHandlers interface {
	// SearchDrugs serves search_drugs: Search drugs.
	SearchDrugs(ctx context.Context, args SearchDrugsArgs) (entity.Answer[entity.PageWith[entity.DrugSearchCandidate, entity.DrugsRead]], error)
	// GetDrug serves get_drug: Read a drug.
	GetDrug(ctx context.Context, args GetDrugArgs) (entity.Answer[entity.Drug], error)
	// CountDrugEvents serves count_drug_events: Count reports of side effects.
	CountDrugEvents(ctx context.Context, args CountDrugEventsArgs) (entity.Answer[entity.DrugEventCounts], error)
}

// ResearchHandlers serve the toolset research.
type ResearchHandlers interface {
	// Search serves search: Search for research.
	Search(ctx context.Context, args SearchArgs) (entity.Answer[entity.ResearchResults], error)
	// Fetch serves fetch: Read a document.
	Fetch(ctx context.Context, args FetchArgs) (entity.Answer[entity.ResearchDocument], error)
}

// SqlHandlers serve the toolset sql.
type SqlHandlers interface {
	// QueryRegistry serves query_registry: Query the registry's tables.
	QueryRegistry(ctx context.Context, args QueryRegistryArgs) (entity.Answer[entity.RegistryRows], error)
	// DescribeRegistry serves describe_registry: Describe the registry's tables.
	DescribeRegistry(ctx context.Context, args DescribeRegistryArgs) (entity.Answer[entity.RegistryTables], error)
}

// TrialFilters are arguments that several tools share. Each narrows a search.
type TrialFilters struct {
	// Words of most fields.
	Query string `json:"query,omitempty"`
	// any: not all needed.
	Words string `json:"words,omitempty"`
	// Only these trials.
	NCTIDs []string `json:"nct_ids,omitempty"`
	// Disease, also A OR B.
	Condition string `json:"condition,omitempty"`
	// Drug, device; also A OR B.
	Intervention string `json:"intervention,omitempty"`
	// Recruiting, completed.
	Status []string `json:"status,omitempty"`
	// City, State or City, Country.
	Location string `json:"location,omitempty"`
	// Of a site.
	Country []string `json:"country,omitempty"`
	// A site there, at the place.
	Facility string `json:"facility,omitempty"`
	// City, ZIP or lat,lon.
	Near string `json:"near,omitempty"`
	// Default 50 mi.
	Within string `json:"within,omitempty"`
	// A site there recruits.
	RecruitingSite bool `json:"recruiting_site,omitempty"`
	// 1 to 4, early 1, NA, 2/3.
	Phase []string `json:"phase,omitempty"`
	// Interventional, observational.
	StudyType []string `json:"study_type,omitempty"`
	// Lead or collaborator.
	Sponsor string `json:"sponsor,omitempty"`
	// Exact name in quotes.
	LeadSponsor []string `json:"lead_sponsor,omitempty"`
	// Title, acronym.
	Title string `json:"title,omitempty"`
	// An outcome.
	Outcome string `json:"outcome,omitempty"`
	// As outcome.
	PrimaryOutcome string `json:"primary_outcome,omitempty"`
	// Keywords.
	Keyword string `json:"keyword,omitempty"`
	// Eligibility text.
	Criteria string `json:"criteria,omitempty"`
	// Not in exclusions alone.
	CriteriaIn string `json:"criteria_in,omitempty"`
	// Of a person: 58, 6 months.
	Age string `json:"age,omitempty"`
	// Of a person.
	Sex string `json:"sex,omitempty"`
	// Accepts them.
	HealthyVolunteers *bool `json:"healthy_volunteers,omitempty"`
	// Of the lead: industry, NIH.
	SponsorClass []string `json:"sponsor_class,omitempty"`
	// drug, device.
	InterventionType []string `json:"intervention_type,omitempty"`
	// Name of an official.
	Investigator string `json:"investigator,omitempty"`
	// A MeSH term.
	Mesh string `json:"mesh,omitempty"`
	// Double, none.
	Masking []string `json:"masking,omitempty"`
	// Randomized or not.
	Allocation []string `json:"allocation,omitempty"`
	// Treatment, prevention.
	PrimaryPurpose []string `json:"primary_purpose,omitempty"`
	// 100..500, >=100.
	Enrollment string `json:"enrollment,omitempty"`
	// 2022, 2022-03..2023, last 12 months.
	StartDate string `json:"start_date,omitempty"`
	// As start_date.
	PrimaryCompletionDate string `json:"primary_completion_date,omitempty"`
	// As start_date.
	CompletionDate string `json:"completion_date,omitempty"`
	// As start_date.
	FirstPosted string `json:"first_posted,omitempty"`
	// As start_date.
	ResultsPosted string `json:"results_posted,omitempty"`
	// As start_date.
	LastUpdated string `json:"last_updated,omitempty"`
	// Posted; also: results_due.
	HasResults *bool `json:"has_results,omitempty"`
	// By 42 CFR 11.
	ResultsDue string `json:"results_due,omitempty"`
	// Has posted it.
	Documents []string `json:"documents,omitempty"`
	// Registry's syntax; also: masking, allocation, primary_purpose, mesh, facility.
	Expression string `json:"expression,omitempty"`
}

// Names returns the names of the filters.
func (*TrialFilters) Names() []string {
	return []string{"query", "words", "nct_ids", "condition", "intervention", "status", "location", "country", "facility", "near", "within", "recruiting_site", "phase", "study_type", "sponsor", "lead_sponsor", "title", "outcome", "primary_outcome", "keyword", "criteria", "criteria_in", "age", "sex", "healthy_volunteers", "sponsor_class", "intervention_type", "investigator", "mesh", "masking", "allocation", "primary_purpose", "enrollment", "start_date", "primary_completion_date", "completion_date", "first_posted", "results_posted", "last_updated", "has_results", "results_due", "documents", "expression"}
}

// Given returns the names of the filters that the caller gave.
func (f *TrialFilters) Given() []string {
	var names []string
	if f.Query != "" {
		names = append(names, "query")
	}
	if f.Words != "" {
		names = append(names, "words")
	}
	if len(f.NCTIDs) > 0 {
		names = append(names, "nct_ids")
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
	if len(f.Country) > 0 {
		names = append(names, "country")
	}
	if f.Facility != "" {
		names = append(names, "facility")
	}
	if f.Near != "" {
		names = append(names, "near")
	}
	if f.Within != "" {
		names = append(names, "within")
	}
	if f.RecruitingSite {
		names = append(names, "recruiting_site")
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
	if len(f.LeadSponsor) > 0 {
		names = append(names, "lead_sponsor")
	}
	if f.Title != "" {
		names = append(names, "title")
	}
	if f.Outcome != "" {
		names = append(names, "outcome")
	}
	if f.PrimaryOutcome != "" {
		names = append(names, "primary_outcome")
	}
	if f.Keyword != "" {
		names = append(names, "keyword")
	}
	if f.Criteria != "" {
		names = append(names, "criteria")
	}
	if f.CriteriaIn != "" {
		names = append(names, "criteria_in")
	}
	if f.Age != "" {
		names = append(names, "age")
	}
	if f.Sex != "" {
		names = append(names, "sex")
	}
	if f.HealthyVolunteers != nil {
		names = append(names, "healthy_volunteers")
	}
	if len(f.SponsorClass) > 0 {
		names = append(names, "sponsor_class")
	}
	if len(f.InterventionType) > 0 {
		names = append(names, "intervention_type")
	}
	if f.Investigator != "" {
		names = append(names, "investigator")
	}
	if f.Mesh != "" {
		names = append(names, "mesh")
	}
	if len(f.Masking) > 0 {
		names = append(names, "masking")
	}
	if len(f.Allocation) > 0 {
		names = append(names, "allocation")
	}
	if len(f.PrimaryPurpose) > 0 {
		names = append(names, "primary_purpose")
	}
	if f.Enrollment != "" {
		names = append(names, "enrollment")
	}
	if f.StartDate != "" {
		names = append(names, "start_date")
	}
	if f.PrimaryCompletionDate != "" {
		names = append(names, "primary_completion_date")
	}
	if f.CompletionDate != "" {
		names = append(names, "completion_date")
	}
	if f.FirstPosted != "" {
		names = append(names, "first_posted")
	}
	if f.ResultsPosted != "" {
		names = append(names, "results_posted")
	}
	if f.LastUpdated != "" {
		names = append(names, "last_updated")
	}
	if f.HasResults != nil {
		names = append(names, "has_results")
	}
	if f.ResultsDue != "" {
		names = append(names, "results_due")
	}
	if len(f.Documents) > 0 {
		names = append(names, "documents")
	}
	if f.Expression != "" {
		names = append(names, "expression")
	}
	return names
}

// Texts returns the filters that the upstream reads as words.
func (f *TrialFilters) Texts() []tool.Text {
	texts := []tool.Text{
		{Name: "query", Param: "query.term", Value: &f.Query},
		{Name: "condition", Param: "query.cond", Value: &f.Condition},
		{Name: "intervention", Param: "query.intr", Value: &f.Intervention},
		{Name: "location", Param: "query.locn", Value: &f.Location},
		{Name: "sponsor", Param: "query.spons", Value: &f.Sponsor},
		{Name: "title", Param: "query.titles", Value: &f.Title},
		{Name: "outcome", Param: "query.outc", Value: &f.Outcome},
	}
	for i := range f.LeadSponsor {
		texts = append(texts, tool.Text{Name: "lead_sponsor", Param: "query.lead", Value: &f.LeadSponsor[i]})
	}
	return texts
}

// Pieces returns the filters that compare one piece of a record.
func (f *TrialFilters) Pieces() []tool.Piece {
	return []tool.Piece{
		{Name: "facility", Piece: "LocationFacility", Text: f.Facility},
		{Name: "primary_outcome", Piece: "PrimaryOutcomeMeasure", Text: f.PrimaryOutcome},
		{Name: "keyword", Piece: "Keyword", Text: f.Keyword},
		{Name: "criteria", Piece: "EligibilityCriteria", Text: f.Criteria},
		{Name: "healthy_volunteers", Piece: "HealthyVolunteers", Truth: f.HealthyVolunteers},
		{Name: "sponsor_class", Piece: "LeadSponsorClass", Values: f.SponsorClass},
		{Name: "intervention_type", Piece: "InterventionType", Values: f.InterventionType},
		{Name: "investigator", Piece: "OverallOfficialName", Text: f.Investigator},
		{Name: "mesh", Piece: "ConditionMeshTerm", Text: f.Mesh},
		{Name: "masking", Piece: "DesignMasking", Values: f.Masking},
		{Name: "allocation", Piece: "DesignAllocation", Values: f.Allocation},
		{Name: "primary_purpose", Piece: "DesignPrimaryPurpose", Values: f.PrimaryPurpose},
		{Name: "enrollment", Piece: "EnrollmentCount", Range: "numbers", Text: f.Enrollment},
		{Name: "start_date", Piece: "StartDate", Range: "dates", Text: f.StartDate},
		{Name: "primary_completion_date", Piece: "PrimaryCompletionDate", Range: "dates", Text: f.PrimaryCompletionDate},
		{Name: "completion_date", Piece: "CompletionDate", Range: "dates", Text: f.CompletionDate},
		{Name: "first_posted", Piece: "StudyFirstPostDate", Range: "dates", Text: f.FirstPosted},
		{Name: "results_posted", Piece: "ResultsFirstPostDate", Range: "dates", Text: f.ResultsPosted},
		{Name: "last_updated", Piece: "LastUpdatePostDate", Range: "dates", Text: f.LastUpdated},
		{Name: "has_results", Piece: "HasResults", Truth: f.HasResults},
	}
}

// ListStudiesParams returns the filters that are copied into parameters of the
// upstream.
func (a TrialFilters) ListStudiesParams() *ctgov.ListStudiesParams {
	return &ctgov.ListStudiesParams{
		QueryTerm:           tool.Value(a.Query),
		QueryCond:           tool.Value(a.Condition),
		QueryIntr:           tool.Value(a.Intervention),
		FilterOverallStatus: tool.Values[ctgov.Status](a.Status),
		QueryLocn:           tool.Value(a.Location),
		QuerySpons:          tool.Value(a.Sponsor),
		QueryLead:           tool.Either(a.LeadSponsor),
		QueryTitles:         tool.Value(a.Title),
		QueryOutc:           tool.Value(a.Outcome),
	}
}

// SearchTrialsArgs are the arguments of search_trials.
type SearchTrialsArgs struct {
	TrialFilters
	// Default relevance or first_posted.
	Sort string `json:"sort,omitempty"`
	// Default desc.
	Order string `json:"order,omitempty"`
	// Only these, as sites; a wrong one lists all.
	Fields []string `json:"fields,omitempty"`
	// Rows.
	PageSize int `json:"page_size,omitempty"`
	// pagination.cursor.
	Cursor string `json:"cursor,omitempty"`
}

// ListStudiesParams returns the arguments that are copied into parameters
// of the upstream.
func (a SearchTrialsArgs) ListStudiesParams() *ctgov.ListStudiesParams {
	params := a.TrialFilters.ListStudiesParams()
	params.PageSize = tool.Value(int32(a.PageSize))
	return params
}

// CountTrialsArgs are the arguments of count_trials.
type CountTrialsArgs struct {
	TrialFilters
	// Groups; without it the total.
	By string `json:"by,omitempty"`
	// As by, within each group.
	ThenBy string `json:"then_by,omitempty"`
	// Most groups; of years the latest.
	Top int `json:"top,omitempty"`
}

// GetTrialArgs are the arguments of get_trial.
type GetTrialArgs struct {
	// NCT id.
	NCTID string `json:"nct_id,omitempty"`
	// Or 1 to 20 ids: a list.
	NCTIDs []string `json:"nct_ids,omitempty"`
	// Or a search as JSON: 100 trials.
	Of string `json:"of,omitempty"`
	// Default all.
	Sections []string `json:"sections,omitempty"`
	// Of nct_ids.
	PageSize int `json:"page_size,omitempty"`
	// pagination.cursor.
	Cursor string `json:"cursor,omitempty"`
}

// TrialChangesArgs are the arguments of trial_changes.
type TrialChangesArgs struct {
	// 1 to 20 ids.
	NCTIDs []string `json:"nct_ids,omitempty"`
	// Or filters of search_trials as JSON, on the trials as they are now.
	Of string `json:"of,omitempty"`
	// Day of the state to compare with; default 30 days before the newest data.
	Since string `json:"since,omitempty"`
	// Last day; default the newest.
	Until string `json:"until,omitempty"`
	// Only changes of these.
	Fields []string `json:"fields,omitempty"`
	// Versions; 8 kB end a page.
	PageSize int `json:"page_size,omitempty"`
	// pagination.cursor.
	Cursor string `json:"cursor,omitempty"`
}

// MatchTrialsArgs are the arguments of match_trials.
type MatchTrialsArgs struct {
	// Age: 58, or 6 months.
	Age string `json:"age,omitempty"`
	// Sex.
	Sex string `json:"sex,omitempty"`
	// Conditions the person has, the main one first.
	Conditions []string `json:"conditions,omitempty"`
	// Conditions the person surely does not have.
	Without []string `json:"without,omitempty"`
	// Measured values with unit: ECOG 1, hemoglobin 9.8 g/dL, AST 1.2 x ULN.
	Measurements []string `json:"measurements,omitempty"`
	// Gene or marker with its state: EGFR L858R, HER2 negative.
	Biomarkers []string `json:"biomarkers,omitempty"`
	// Treatments had, with time if known: osimertinib, chemotherapy 6 weeks ago.
	Treatments []string `json:"treatments,omitempty"`
	// Lines of therapy had for the main condition.
	PriorLines string `json:"prior_lines,omitempty"`
	// Pregnant or not.
	Pregnant *bool `json:"pregnant,omitempty"`
	// Breast-feeding or not.
	BreastFeeding *bool `json:"breast_feeding,omitempty"`
	// A healthy volunteer.
	Healthy *bool `json:"healthy,omitempty"`
	// Trials to look at (at most 100); without it they are searched.
	NCTIDs []string `json:"nct_ids,omitempty"`
	// Disease to search; default: the first of conditions.
	Condition string `json:"condition,omitempty"`
	// Other words to search.
	Query string `json:"query,omitempty"`
	// As in search_trials.
	Near string `json:"near,omitempty"`
	// As in search_trials.
	Within string `json:"within,omitempty"`
	// As in search_trials.
	Country []string `json:"country,omitempty"`
	// Default recruiting and not yet recruiting.
	Status []string `json:"status,omitempty"`
	// As in search_trials.
	Phase []string `json:"phase,omitempty"`
	// Trials.
	PageSize int `json:"page_size,omitempty"`
	// pagination.cursor.
	Cursor string `json:"cursor,omitempty"`
}

// CompareTrialsArgs are the arguments of compare_trials.
type CompareTrialsArgs struct {
	// NCT ids.
	NCTIDs []string `json:"nct_ids,omitempty"`
	// Default all but results.
	Aspects []string `json:"aspects,omitempty"`
}

// GetTrialLocationsArgs are the arguments of get_trial_locations.
type GetTrialLocationsArgs struct {
	// NCT id.
	NCTID string `json:"nct_id,omitempty"`
	// City, ZIP or latitude,longitude.
	Near string `json:"near,omitempty"`
	// From near; default 50 mi.
	Within string `json:"within,omitempty"`
	// Country of the site.
	Country []string `json:"country,omitempty"`
	// State or province.
	State []string `json:"state,omitempty"`
	// City.
	City []string `json:"city,omitempty"`
	// Words of the facility's name.
	Facility string `json:"facility,omitempty"`
	// Such as recruiting.
	Status []string `json:"status,omitempty"`
	// Default record, with near distance.
	Order string `json:"order,omitempty"`
	// Rows.
	PageSize int `json:"page_size,omitempty"`
	// pagination.cursor.
	Cursor string `json:"cursor,omitempty"`
}

// GetTrialResultsArgs are the arguments of get_trial_results.
type GetTrialResultsArgs struct {
	// NCT id.
	NCTID string `json:"nct_id,omitempty"`
	// Or 1 to 20 ids: a list.
	NCTIDs []string `json:"nct_ids,omitempty"`
	// Or a search as JSON: 100 trials.
	Of string `json:"of,omitempty"`
	// Default overview. Rows: comparisons (posted effects, rechecked), arms (cells).
	Section string `json:"section,omitempty"`
	// Numbers of outcomes, or words of their titles.
	Outcome string `json:"outcome,omitempty"`
	// Words of an event or organ system.
	Event []string `json:"event,omitempty"`
	// true: only serious events, false: only others.
	Serious *bool `json:"serious,omitempty"`
	// Events in at least this percentage of a group.
	MinPercent int `json:"min_percent,omitempty"`
	// csv: one row per cell; not for overview.
	Format string `json:"format,omitempty"`
	// Default 20, rows 200.
	PageSize int `json:"page_size,omitempty"`
	// pagination.cursor.
	Cursor string `json:"cursor,omitempty"`
}

// SearchGenesArgs are the arguments of search_genes.
type SearchGenesArgs struct {
	// One: words, symbol, id; several: symbols and ids.
	Query []string `json:"query,omitempty"`
	// Name or taxid; default all.
	Organism string `json:"organism,omitempty"`
	// Genes of this PMID, instead of query.
	Pmid string `json:"pmid,omitempty"`
	// Rows.
	PageSize int `json:"page_size,omitempty"`
	// pagination.cursor.
	Cursor string `json:"cursor,omitempty"`
}

// GetGeneArgs are the arguments of get_gene.
type GetGeneArgs struct {
	// NCBI Gene id (search_genes).
	EntrezID string `json:"entrez_id,omitempty"`
	// Default: the first four.
	Sections []string `json:"sections,omitempty"`
}

// GetPubMedLinksArgs are the arguments of get_pubmed_links.
type GetPubMedLinksArgs struct {
	// NCBI Gene id (search_genes).
	EntrezID string `json:"entrez_id,omitempty"`
	// PMIDs per page.
	Limit int `json:"limit,omitempty"`
	// Only articles of GeneRIFs.
	Generif bool `json:"generif,omitempty"`
	// pagination.cursor.
	Cursor string `json:"cursor,omitempty"`
}

// GetGeneOrthologsArgs are the arguments of get_gene_orthologs.
type GetGeneOrthologsArgs struct {
	// NCBI Gene id (search_genes).
	EntrezID string `json:"entrez_id,omitempty"`
	// Names or taxids, also of groups: mammals.
	Organism []string `json:"organism,omitempty"`
	// Rows.
	PageSize int `json:"page_size,omitempty"`
	// pagination.cursor.
	Cursor string `json:"cursor,omitempty"`
}

// GetGeneTranscriptsArgs are the arguments of get_gene_transcripts.
type GetGeneTranscriptsArgs struct {
	// NCBI Gene id (search_genes).
	EntrezID string `json:"entrez_id,omitempty"`
	// Rows.
	PageSize int `json:"page_size,omitempty"`
	// pagination.cursor.
	Cursor string `json:"cursor,omitempty"`
}

// GetGeneVariantsArgs are the arguments of get_gene_variants.
type GetGeneVariantsArgs struct {
	// NCBI Gene id (search_genes).
	EntrezID string `json:"entrez_id,omitempty"`
	// Germline classification.
	Significance []string `json:"significance,omitempty"`
	// R175H, p.Arg175His or c.524G>A.
	Variant string `json:"variant,omitempty"`
	// Rows.
	PageSize int `json:"page_size,omitempty"`
	// pagination.cursor.
	Cursor string `json:"cursor,omitempty"`
}

// SearchPubMedArticlesArgs are the arguments of searchPubMedArticles.
type SearchPubMedArticlesArgs struct {
	// Words or an Entrez query.
	QueryTerm string `json:"queryTerm,omitempty"`
	// PMIDs per page.
	MaxResults int `json:"maxResults,omitempty"`
	// Order; pub_date is newest first.
	SortBy string `json:"sortBy,omitempty"`
	// Dates of the articles.
	DateRange SearchPubMedArticlesDateRange `json:"dateRange,omitzero"`
	// Such as Review, Randomized Controlled Trial.
	FilterByPublicationTypes []string `json:"filterByPublicationTypes,omitempty"`
	// Only articles with open access in PMC.
	OpenAccess bool `json:"openAccess,omitempty"`
	// pagination.cursor; past 9,999 omit sortBy.
	Cursor string `json:"cursor,omitempty"`
	// Number of summaries.
	FetchBriefSummaries int `json:"fetchBriefSummaries,omitempty"`
}

// SearchPubMedArticlesDateRange is an argument: Dates of the articles.
type SearchPubMedArticlesDateRange struct {
	// YYYY or YYYY/MM/DD.
	MinDate string `json:"minDate,omitempty"`
	// YYYY or YYYY/MM/DD.
	MaxDate string `json:"maxDate,omitempty"`
	// pdat: publication, mdat: change, edat: entry.
	DateType string `json:"dateType,omitempty"`
}

// CountArticlesArgs are the arguments of countArticles.
type CountArticlesArgs struct {
	// Words or an Entrez query.
	QueryTerm string `json:"queryTerm,omitempty"`
	// Groups; without it the total.
	By string `json:"by,omitempty"`
	// Dates of the articles.
	DateRange CountArticlesDateRange `json:"dateRange,omitzero"`
	// Other queries.
	Compare []string `json:"compare,omitempty"`
}

// CountArticlesDateRange is an argument: Dates of the articles.
type CountArticlesDateRange struct {
	// YYYY or YYYY/MM/DD.
	MinDate string `json:"minDate,omitempty"`
	// YYYY or YYYY/MM/DD.
	MaxDate string `json:"maxDate,omitempty"`
	// pdat: publication, mdat: change, edat: entry.
	DateType string `json:"dateType,omitempty"`
}

// FetchArticleDetailsArgs are the arguments of fetchArticleDetails.
type FetchArticleDetailsArgs struct {
	// PMIDs.
	Pmids []string `json:"pmids,omitempty"`
	// abstract_plus: complete; abstract: short; full_xml, medline_text: texts; citation_data: to cite.
	DetailLevel string `json:"detailLevel,omitempty"`
	// With MeSH terms; not with abstract.
	IncludeMeshTerms bool `json:"includeMeshTerms,omitempty"`
	// With grants (abstract_plus).
	IncludeGrantInfo bool `json:"includeGrantInfo,omitempty"`
}

// GetArticleFullTextArgs are the arguments of getArticleFullText.
type GetArticleFullTextArgs struct {
	// PMID, PMCID or DOI.
	Id string `json:"id,omitempty"`
	// Outline ids, kinds such as methods, or words of titles.
	Sections []string `json:"sections,omitempty"`
	// Default all, but no references with sections.
	Include []string `json:"include,omitempty"`
	// csv: tables as CSV.
	TableFormat string `json:"tableFormat,omitempty"`
	// Only ids, license and outline.
	OutlineOnly bool `json:"outlineOnly,omitempty"`
	// Bytes of the answer.
	MaxBytes int `json:"maxBytes,omitempty"`
	// pagination.cursor.
	Cursor string `json:"cursor,omitempty"`
}

// ConvertArticleIdsArgs are the arguments of convertArticleIds.
type ConvertArticleIdsArgs struct {
	// Ids, mixed.
	Ids []string `json:"ids,omitempty"`
}

// LookupMeshArgs are the arguments of lookupMesh.
type LookupMeshArgs struct {
	// Words, id or tree number.
	Query string `json:"query,omitempty"`
}

// MatchCitationsArgs are the arguments of matchCitations.
type MatchCitationsArgs struct {
	// Texts or fields.
	Citations []MatchCitationsCitations `json:"citations,omitempty"`
}

// MatchCitationsCitations is an item of an argument: Texts or fields.
type MatchCitationsCitations struct {
	// Complete, or a record of RIS, NBIB or BibTeX.
	Text string `json:"text,omitempty"`
	// Title or abbreviation.
	Journal string `json:"journal,omitempty"`
	// Year.
	Year string `json:"year,omitempty"`
	// Volume.
	Volume string `json:"volume,omitempty"`
	// First page or article number.
	FirstPage string `json:"firstPage,omitempty"`
	// First author.
	Author string `json:"author,omitempty"`
	// Title of the article.
	Title string `json:"title,omitempty"`
	// DOI.
	Doi string `json:"doi,omitempty"`
}

// GetArticleRelationshipsArgs are the arguments of getArticleRelationships.
type GetArticleRelationshipsArgs struct {
	// PMID.
	SourcePmid string `json:"sourcePmid,omitempty"`
	// PMIDs to cite.
	SourcePmids []string `json:"sourcePmids,omitempty"`
	// Default similar.
	RelationshipType string `json:"relationshipType,omitempty"`
	// Articles.
	MaxRelatedResults int `json:"maxRelatedResults,omitempty"`
	// To cite; default ris.
	CitationStyles []string `json:"citationStyles,omitempty"`
	// pagination.cursor.
	Cursor string `json:"cursor,omitempty"`
}

// SearchDrugsArgs are the arguments of search_drugs.
type SearchDrugsArgs struct {
	// Brand, substance, code.
	Query string `json:"query,omitempty"`
	// Labels that cite this trial.
	NCTID string `json:"nct_id,omitempty"`
	// Rows.
	PageSize int `json:"page_size,omitempty"`
	// pagination.cursor.
	Cursor string `json:"cursor,omitempty"`
}

// GetDrugArgs are the arguments of get_drug.
type GetDrugArgs struct {
	// UNII, NDA/ANDA/BLA, set id, RXCUI, NDC.
	DrugID string `json:"drug_id,omitempty"`
	// Default: warning, indications, applications.
	Sections []string `json:"sections,omitempty"`
}

// CountDrugEventsArgs are the arguments of count_drug_events.
type CountDrugEventsArgs struct {
	// UNII, NDA/ANDA/BLA, set id, RXCUI, NDC.
	DrugID string `json:"drug_id,omitempty"`
	// Groups.
	By string `json:"by,omitempty"`
	// MedDRA term.
	Reaction string `json:"reaction,omitempty"`
	// Only serious ones or others.
	Serious *bool `json:"serious,omitempty"`
	// Received.
	DateRange string `json:"date_range,omitempty"`
	// Most groups; years are complete.
	Top int `json:"top,omitempty"`
}

// SearchArgs are the arguments of search.
type SearchArgs struct {
	// Words, a symbol or an id.
	Query string `json:"query,omitempty"`
}

// FetchArgs are the arguments of fetch.
type FetchArgs struct {
	// Id of a result.
	Id string `json:"id,omitempty"`
}

// QueryRegistryArgs are the arguments of query_registry.
type QueryRegistryArgs struct {
	// One query that begins with SELECT or WITH.
	Sql string `json:"sql,omitempty"`
	// Most rows of the answer.
	Limit int `json:"limit,omitempty"`
}

// DescribeRegistryArgs are the arguments of describe_registry.
type DescribeRegistryArgs struct {
	// Names; absent: all.
	Tables []string `json:"tables,omitempty"`
}

// EUtilities returns the names of NCBI's E-utilities that Biofact calls.
func EUtilities() []string {
	return []string{"ECitMatch", "EFetch", "EInfo", "ELink", "ESearch", "ESpell", "ESummary"}
}

// Words returns the words that people write for the values of an argument, folded.
func Words(argument string) (words tool.Words) {
	switch argument {
	case "status":
		words.Means = map[string][]string{"activebutnotrecruiting": []string{"ACTIVE_NOT_RECRUITING"}, "activenotenrolling": []string{"ACTIVE_NOT_RECRUITING"}, "byinvitation": []string{"ENROLLING_BY_INVITATION"}, "byinvitationonly": []string{"ENROLLING_BY_INVITATION"}, "invitationonly": []string{"ENROLLING_BY_INVITATION"}, "notstarted": []string{"NOT_YET_RECRUITING"}, "notyetenrolling": []string{"NOT_YET_RECRUITING"}, "notyetopen": []string{"NOT_YET_RECRUITING"}, "notyetstarted": []string{"NOT_YET_RECRUITING"}, "onhold": []string{"SUSPENDED"}, "paused": []string{"SUSPENDED"}, "pending": []string{"NOT_YET_RECRUITING"}, "planned": []string{"NOT_YET_RECRUITING"}, "stoppedearly": []string{"TERMINATED"}, "terminatedearly": []string{"TERMINATED"}, "upcoming": []string{"NOT_YET_RECRUITING"}}
		words.Imprecise = map[string][]string{"accepting": []string{"RECRUITING", "trials that take participants by invitation only are ENROLLING_BY_INVITATION"}, "accruing": []string{"RECRUITING", "trials that take participants by invitation only are ENROLLING_BY_INVITATION"}, "enrolling": []string{"RECRUITING", "trials that take participants by invitation only are ENROLLING_BY_INVITATION"}, "open": []string{"RECRUITING", "trials that are to open are NOT_YET_RECRUITING"}, "openforenrollment": []string{"RECRUITING", "trials that are to open are NOT_YET_RECRUITING"}, "opentoenrollment": []string{"RECRUITING", "trials that are to open are NOT_YET_RECRUITING"}}
		words.Unclear = map[string][]string{"aborted": []string{"TERMINATED", "WITHDRAWN", "SUSPENDED"}, "active": []string{"RECRUITING", "ACTIVE_NOT_RECRUITING", "ENROLLING_BY_INVITATION"}, "canceled": []string{"TERMINATED", "WITHDRAWN", "SUSPENDED"}, "cancelled": []string{"TERMINATED", "WITHDRAWN", "SUSPENDED"}, "closed": []string{"ACTIVE_NOT_RECRUITING", "COMPLETED", "TERMINATED", "SUSPENDED", "WITHDRAWN"}, "closedtoaccrual": []string{"ACTIVE_NOT_RECRUITING", "COMPLETED", "TERMINATED", "SUSPENDED", "WITHDRAWN"}, "closedtoenrollment": []string{"ACTIVE_NOT_RECRUITING", "COMPLETED", "TERMINATED", "SUSPENDED", "WITHDRAWN"}, "closedtorecruitment": []string{"ACTIVE_NOT_RECRUITING", "COMPLETED", "TERMINATED", "SUSPENDED", "WITHDRAWN"}, "current": []string{"RECRUITING", "ACTIVE_NOT_RECRUITING", "ENROLLING_BY_INVITATION"}, "discontinued": []string{"TERMINATED", "WITHDRAWN", "SUSPENDED"}, "done": []string{"COMPLETED", "TERMINATED"}, "ended": []string{"COMPLETED", "TERMINATED"}, "finished": []string{"COMPLETED", "TERMINATED"}, "halted": []string{"TERMINATED", "WITHDRAWN", "SUSPENDED"}, "inactive": []string{"ACTIVE_NOT_RECRUITING", "COMPLETED", "TERMINATED", "SUSPENDED", "WITHDRAWN"}, "inprogress": []string{"RECRUITING", "ACTIVE_NOT_RECRUITING", "ENROLLING_BY_INVITATION"}, "nolongerrecruiting": []string{"ACTIVE_NOT_RECRUITING", "COMPLETED", "TERMINATED", "SUSPENDED", "WITHDRAWN"}, "nonrecruiting": []string{"NOT_YET_RECRUITING", "UNKNOWN", "ACTIVE_NOT_RECRUITING", "COMPLETED", "TERMINATED", "SUSPENDED", "WITHDRAWN"}, "notenrolling": []string{"NOT_YET_RECRUITING", "UNKNOWN", "ACTIVE_NOT_RECRUITING", "COMPLETED", "TERMINATED", "SUSPENDED", "WITHDRAWN"}, "notopen": []string{"NOT_YET_RECRUITING", "UNKNOWN", "ACTIVE_NOT_RECRUITING", "COMPLETED", "TERMINATED", "SUSPENDED", "WITHDRAWN"}, "notrecruiting": []string{"NOT_YET_RECRUITING", "UNKNOWN", "ACTIVE_NOT_RECRUITING", "COMPLETED", "TERMINATED", "SUSPENDED", "WITHDRAWN"}, "ongoing": []string{"RECRUITING", "ACTIVE_NOT_RECRUITING", "ENROLLING_BY_INVITATION"}, "over": []string{"COMPLETED", "TERMINATED"}, "running": []string{"RECRUITING", "ACTIVE_NOT_RECRUITING", "ENROLLING_BY_INVITATION"}, "stopped": []string{"TERMINATED", "WITHDRAWN", "SUSPENDED"}, "underway": []string{"RECRUITING", "ACTIVE_NOT_RECRUITING", "ENROLLING_BY_INVITATION"}}
	case "study_type":
		words.Means = map[string][]string{"clinical": []string{"INTERVENTIONAL"}, "compassionateuse": []string{"EXPANDED_ACCESS"}, "eap": []string{"EXPANDED_ACCESS"}, "expanded": []string{"EXPANDED_ACCESS"}, "expandedaccessprogram": []string{"EXPANDED_ACCESS"}, "intervention": []string{"INTERVENTIONAL"}, "interventionalclinical": []string{"INTERVENTIONAL"}, "noninterventional": []string{"OBSERVATIONAL"}, "observation": []string{"OBSERVATIONAL"}}
		words.Imprecise = map[string][]string{"casecontrol": []string{"OBSERVATIONAL", "that holds studies of other designs too"}, "cohort": []string{"OBSERVATIONAL", "that holds studies of other designs too"}, "crosssectional": []string{"OBSERVATIONAL", "that holds studies of other designs too"}, "naturalhistory": []string{"OBSERVATIONAL", "that holds studies of other designs too"}, "observationalpatientregistry": []string{"OBSERVATIONAL", "that holds studies of other designs too"}, "patientregistry": []string{"OBSERVATIONAL", "that holds studies of other designs too"}, "randomised": []string{"INTERVENTIONAL", "that holds trials without randomization too"}, "randomisedcontrolled": []string{"INTERVENTIONAL", "that holds trials without randomization too"}, "randomized": []string{"INTERVENTIONAL", "that holds trials without randomization too"}, "randomizedcontrolled": []string{"INTERVENTIONAL", "that holds trials without randomization too"}, "rct": []string{"INTERVENTIONAL", "that holds trials without randomization too"}, "registry": []string{"OBSERVATIONAL", "that holds studies of other designs too"}}
	case "sponsor_class":
		words.Means = map[string][]string{"biotech": []string{"INDUSTRY"}, "commercial": []string{"INDUSTRY"}, "companies": []string{"INDUSTRY"}, "company": []string{"INDUSTRY"}, "federal": []string{"FED"}, "individual": []string{"INDIV"}, "othergovernment": []string{"OTHER_GOV"}, "pharma": []string{"INDUSTRY"}, "pharmaceutical": []string{"INDUSTRY"}}
		words.Imprecise = map[string][]string{"academia": []string{"OTHER", "that holds all universities, hospitals, foundations and charities together"}, "academic": []string{"OTHER", "that holds all universities, hospitals, foundations and charities together"}, "foundation": []string{"OTHER", "that holds all universities, hospitals, foundations and charities together"}, "hospital": []string{"OTHER", "that holds all universities, hospitals, foundations and charities together"}, "nonprofit": []string{"OTHER", "that holds all universities, hospitals, foundations and charities together"}, "universities": []string{"OTHER", "that holds all universities, hospitals, foundations and charities together"}, "university": []string{"OTHER", "that holds all universities, hospitals, foundations and charities together"}}
		words.Unclear = map[string][]string{"government": []string{"NIH", "FED", "OTHER_GOV"}, "governmental": []string{"NIH", "FED", "OTHER_GOV"}, "public": []string{"NIH", "FED", "OTHER_GOV"}}
	case "intervention_type":
		words.Means = map[string][]string{"biologic": []string{"BIOLOGICAL"}, "diagnostic": []string{"DIAGNOSTIC_TEST"}, "drugs": []string{"DRUG"}, "medication": []string{"DRUG"}, "medicine": []string{"DRUG"}, "psychotherapy": []string{"BEHAVIORAL"}, "radiotherapy": []string{"RADIATION"}, "supplement": []string{"DIETARY_SUPPLEMENT"}, "surgery": []string{"PROCEDURE"}, "surgical": []string{"PROCEDURE"}}
		words.Imprecise = map[string][]string{"antibody": []string{"BIOLOGICAL", "that holds vaccines, antibodies and cells; the argument intervention takes the word itself"}, "celltherapy": []string{"BIOLOGICAL", "that holds vaccines, antibodies and cells; the argument intervention takes the word itself"}, "vaccine": []string{"BIOLOGICAL", "that holds vaccines, antibodies and cells; the argument intervention takes the word itself"}, "vaccines": []string{"BIOLOGICAL", "that holds vaccines, antibodies and cells; the argument intervention takes the word itself"}}
		words.Unclear = map[string][]string{"app": []string{"DEVICE", "BEHAVIORAL", "OTHER"}, "apps": []string{"DEVICE", "BEHAVIORAL", "OTHER"}, "digital": []string{"DEVICE", "BEHAVIORAL", "OTHER"}, "mobileapp": []string{"DEVICE", "BEHAVIORAL", "OTHER"}, "software": []string{"DEVICE", "BEHAVIORAL", "OTHER"}}
	case "masking":
		words.Means = map[string][]string{"open": []string{"NONE"}, "openlabel": []string{"NONE"}, "quadrupleblind": []string{"QUADRUPLE"}, "singleblind": []string{"SINGLE"}, "tripleblind": []string{"TRIPLE"}, "unblinded": []string{"NONE"}}
		words.Imprecise = map[string][]string{"doubleblind": []string{"DOUBLE", "add triple and quadruple: many trials called double-blind mask three or four parties"}, "doubleblinded": []string{"DOUBLE", "add triple and quadruple: many trials called double-blind mask three or four parties"}, "doublemasked": []string{"DOUBLE", "add triple and quadruple: many trials called double-blind mask three or four parties"}}
		words.Unclear = map[string][]string{"blind": []string{"SINGLE", "DOUBLE", "TRIPLE", "QUADRUPLE"}, "blinded": []string{"SINGLE", "DOUBLE", "TRIPLE", "QUADRUPLE"}, "masked": []string{"SINGLE", "DOUBLE", "TRIPLE", "QUADRUPLE"}}
	case "allocation":
		words.Means = map[string][]string{"false": []string{"NON_RANDOMIZED"}, "no": []string{"NON_RANDOMIZED"}, "nonrandomised": []string{"NON_RANDOMIZED"}, "randomised": []string{"RANDOMIZED"}, "true": []string{"RANDOMIZED"}, "yes": []string{"RANDOMIZED"}}
	case "primary_purpose":
		words.Means = map[string][]string{"diagnosis": []string{"DIAGNOSTIC"}, "preventive": []string{"PREVENTION"}, "supportive": []string{"SUPPORTIVE_CARE"}, "therapy": []string{"TREATMENT"}}
	case "filterByPublicationTypes":
		words.Means = map[string][]string{"casereport": []string{"Case Reports"}, "clinicaltrialphase1": []string{"Clinical Trial, Phase I"}, "clinicaltrialphase2": []string{"Clinical Trial, Phase II"}, "clinicaltrialphase3": []string{"Clinical Trial, Phase III"}, "clinicaltrialphase4": []string{"Clinical Trial, Phase IV"}, "guidelines": []string{"Guideline"}, "metaanalyses": []string{"Meta-Analysis"}, "phase1clinicaltrial": []string{"Clinical Trial, Phase I"}, "phase2clinicaltrial": []string{"Clinical Trial, Phase II"}, "phase3clinicaltrial": []string{"Clinical Trial, Phase III"}, "phase4clinicaltrial": []string{"Clinical Trial, Phase IV"}, "randomisedcontrolledtrial": []string{"Randomized Controlled Trial"}, "randomizedtrial": []string{"Randomized Controlled Trial"}, "rct": []string{"Randomized Controlled Trial"}, "rcts": []string{"Randomized Controlled Trial"}, "retracted": []string{"Retracted Publication"}, "reviewarticle": []string{"Review"}, "reviews": []string{"Review"}, "systematicreviews": []string{"Systematic Review"}}
	}
	return words
}

// Table returns every tool, in the order of tools.yaml.
func Table(h Handlers) []*tool.Tool {
	return tool.Together([]*tool.Tool{
		tool.New(tool.Definition{
			Name:         "search_trials",
			Title:        "Search clinical trials",
			Toolset:      "trials",
			Description:  "Find trials at ClinicalTrials.gov; read one with get_trial. Arguments and words are ANDed, values of a list ORed; in texts AND, OR, NOT and quotes act.",
			Schema:       schemas.ID("search_trials.output"),
			ListedInput:  schemas.Listed("search_trials.input"),
			ListedOutput: schemas.Listed("search_trials.output"),
			Page:         "search",
			Also:         []string{"trials", "search_studies", "search_clinical_trials", "find_trials", "find_studies", "list_studies", "query_trials", "trial_searcher", "clinicaltrials_search_studies", "clinicaltrials_search_trials", "clinicaltrials_search_datatable"},
			Arguments: []tool.Argument{
				{Name: "query", Description: "Words of most fields", Type: "string", MaxLength: 2000, Either: true, Example: "immunotherapy", Also: []string{"q", "term", "terms", "text", "search", "search_term", "search_query", "query_term", "keywords", "other_terms", "gene", "genes", "biomarker", "biomarkers", "mutation", "variant"}},
				{Name: "words", Description: "any: not all needed", Type: "string", Words: []string{"all", "any"}, Means: map[string][]string{"and": []string{"all"}, "every": []string{"all"}, "or": []string{"any"}, "some": []string{"any"}}, Also: []string{"match", "word_match", "match_words"}},
				{Name: "nct_ids", Description: "Only these trials", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "NCT:00461032", Also: []string{"nct_id", "nct", "id", "ids", "nct_numbers", "trial_ids", "study_ids"}},
				{Name: "condition", Description: "Disease, also A OR B", Type: "string", MaxLength: 2000, Either: true, Example: "breast cancer", Also: []string{"query_cond", "conditions", "cond", "disease", "diseases", "disorder", "indication", "diagnosis", "condition_query"}},
				{Name: "intervention", Description: "Drug, device; also A OR B", Type: "string", MaxLength: 2000, Either: true, Example: "insulin", Also: []string{"query_intr", "interventions", "intr", "drug", "drugs", "drug_name", "treatment", "therapy", "medication", "intervention_query"}},
				{Name: "status", Description: "Recruiting, completed", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "recruiting", Words: []string{"ACTIVE_NOT_RECRUITING", "COMPLETED", "ENROLLING_BY_INVITATION", "NOT_YET_RECRUITING", "RECRUITING", "SUSPENDED", "TERMINATED", "WITHDRAWN", "AVAILABLE", "NO_LONGER_AVAILABLE", "TEMPORARILY_NOT_AVAILABLE", "APPROVED_FOR_MARKETING", "WITHHELD", "UNKNOWN"}, AnyWords: true, Also: []string{"statuses", "filter_overall_status", "overall_status", "recruitment_status", "trial_status", "study_status", "status_filter"}, InsteadOf: []string{"recruiting", "is_recruiting", "open_only"}},
				{Name: "location", Description: "City, State or City, Country", Type: "string", MaxLength: 2000, Either: true, Example: "Boston, MA", Also: []string{"query_locn", "locations", "locn", "place", "city", "state", "region", "location_query"}, InsteadOf: []string{"exclude_country", "excluded_countries", "exclude_location"}},
				{Name: "country", Description: "Of a site", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "France", Also: []string{"countries", "location_country"}},
				{Name: "facility", Description: "A site there, at the place", Type: "string", MaxLength: 2000, Either: true, Example: "Mayo Clinic", Also: []string{"facility_name", "hospital", "site", "center", "institution"}},
				{Name: "near", Description: "City, ZIP or lat,lon", Type: "string", MaxLength: 2000, Point: true, Example: "Boston, MA", Also: []string{"near_to", "around", "zip", "zip_code", "postal_code", "coordinates", "point", "geo", "lat_lon", "filter_geo", "geo_location"}},
				{Name: "within", Description: "Default 50 mi", Type: "string", MaxLength: 2000, Example: "80 km", Also: []string{"radius", "distance", "max_distance", "range", "within_distance", "distance_km"}},
				{Name: "recruiting_site", Description: "A site there recruits", Type: "boolean", Also: []string{"site_recruiting", "recruiting_sites"}},
				{Name: "phase", Description: "1 to 4, early 1, NA, 2/3", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "Phase 3", Also: []string{"phases", "trial_phase", "study_phase", "phase_filter"}},
				{Name: "study_type", Description: "Interventional, observational", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "interventional", Words: []string{"EXPANDED_ACCESS", "INTERVENTIONAL", "OBSERVATIONAL"}, AnyWords: true, Also: []string{"study_types", "type", "trial_type"}},
				{Name: "sponsor", Description: "Lead or collaborator", Type: "string", MaxLength: 2000, Either: true, Example: "Pfizer", Also: []string{"query_spons", "sponsors", "spons", "company", "organization", "collaborator", "sponsor_query"}},
				{Name: "lead_sponsor", Description: "Exact name in quotes", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "Pfizer", Also: []string{"query_lead", "lead", "lead_sponsors", "lead_sponsor_name"}},
				{Name: "title", Description: "Title, acronym", Type: "string", MaxLength: 2000, Either: true, Example: "KEYNOTE-024", Also: []string{"query_titles", "titles", "acronym", "study_title", "trial_name", "title_query"}},
				{Name: "outcome", Description: "An outcome", Type: "string", MaxLength: 2000, Either: true, Example: "overall survival", Also: []string{"query_outc", "outcomes", "endpoint", "endpoints", "outcome_measure", "outcome_query"}},
				{Name: "primary_outcome", Description: "As outcome", Type: "string", MaxLength: 2000, Either: true, Example: "overall survival", Also: []string{"primary_outcomes", "primary_endpoint"}},
				{Name: "keyword", Description: "Keywords", Type: "string", MaxLength: 2000, Either: true, Example: "immunotherapy", Also: []string{"study_keyword"}},
				{Name: "criteria", Description: "Eligibility text", Type: "string", MaxLength: 2000, Either: true, Example: "brain metastases", Also: []string{"eligibility", "eligibility_criteria", "inclusion_criteria"}, InsteadOf: []string{"exclusion_criteria"}},
				{Name: "criteria_in", Description: "Not in exclusions alone", Type: "string", Words: []string{"inclusion"}, Means: map[string][]string{"include": []string{"inclusion"}, "included": []string{"inclusion"}, "inclusion criteria": []string{"inclusion"}}},
				{Name: "age", Description: "Of a person: 58, 6 months", Type: "string", MaxLength: 2000, Example: "58", Also: []string{"patient_age", "participant_age", "ages"}, InsteadOf: []string{"age_group", "min_age", "max_age", "minimum_age", "maximum_age"}},
				{Name: "sex", Description: "Of a person", Type: "string", Words: []string{"female", "male"}, Means: map[string][]string{"boy": []string{"male"}, "boys": []string{"male"}, "f": []string{"female"}, "females": []string{"female"}, "girl": []string{"female"}, "girls": []string{"female"}, "m": []string{"male"}, "males": []string{"male"}, "man": []string{"male"}, "men": []string{"male"}, "w": []string{"female"}, "woman": []string{"female"}, "women": []string{"female"}}, Also: []string{"gender", "patient_sex"}},
				{Name: "healthy_volunteers", Description: "Accepts them", Type: "boolean", Also: []string{"healthy", "accepts_healthy_volunteers"}},
				{Name: "sponsor_class", Description: "Of the lead: industry, NIH", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "industry", Words: []string{"NIH", "FED", "OTHER_GOV", "INDIV", "INDUSTRY", "NETWORK", "AMBIG", "OTHER", "UNKNOWN"}, AnyWords: true, Also: []string{"funder_type", "sponsor_type", "lead_sponsor_class", "funded_by"}},
				{Name: "intervention_type", Description: "drug, device", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "device", Words: []string{"BEHAVIORAL", "BIOLOGICAL", "COMBINATION_PRODUCT", "DEVICE", "DIAGNOSTIC_TEST", "DIETARY_SUPPLEMENT", "DRUG", "GENETIC", "PROCEDURE", "RADIATION", "OTHER"}, AnyWords: true, Also: []string{"intervention_types"}},
				{Name: "investigator", Description: "Name of an official", Type: "string", MaxLength: 2000, Either: true, Example: "Smith", Also: []string{"investigators", "principal_investigator", "pi"}},
				{Name: "mesh", Description: "A MeSH term", Type: "string", MaxLength: 2000, Either: true, Example: "Heart Failure", Also: []string{"mesh_term", "mesh_terms"}},
				{Name: "masking", Description: "Double, none", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "double", Words: []string{"NONE", "SINGLE", "DOUBLE", "TRIPLE", "QUADRUPLE"}, AnyWords: true, Also: []string{"blinding"}},
				{Name: "allocation", Description: "Randomized or not", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "randomized", Words: []string{"RANDOMIZED", "NON_RANDOMIZED", "NA"}, AnyWords: true, Also: []string{"randomized", "randomization"}},
				{Name: "primary_purpose", Description: "Treatment, prevention", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "prevention", Words: []string{"TREATMENT", "PREVENTION", "DIAGNOSTIC", "ECT", "SUPPORTIVE_CARE", "SCREENING", "HEALTH_SERVICES_RESEARCH", "BASIC_SCIENCE", "DEVICE_FEASIBILITY", "OTHER"}, AnyWords: true, Also: []string{"purpose"}},
				{Name: "enrollment", Description: "100..500, >=100", Type: "string", MaxLength: 2000, Range: true, Example: "100..500", Also: []string{"enrollment_count", "sample_size", "participants"}},
				{Name: "start_date", Description: "2022, 2022-03..2023, last 12 months", Type: "string", MaxLength: 2000, Range: true, Example: "since 2023", Also: []string{"start_year", "study_start", "study_start_date", "started", "year", "years", "date", "date_range"}},
				{Name: "primary_completion_date", Description: "As start_date", Type: "string", MaxLength: 2000, Range: true, Example: "2024", Also: []string{"primary_completion"}},
				{Name: "completion_date", Description: "As start_date", Type: "string", MaxLength: 2000, Range: true, Example: "until 2020-06", Also: []string{"study_completion_date", "end_date", "completed", "ended"}},
				{Name: "first_posted", Description: "As start_date", Type: "string", MaxLength: 2000, Range: true, Example: "since 2024", Also: []string{"first_posted_date", "registered", "registration_date", "study_first_posted", "posted"}},
				{Name: "results_posted", Description: "As start_date", Type: "string", MaxLength: 2000, Range: true, Example: "2023", Also: []string{"results_posted_date", "results_first_posted"}},
				{Name: "last_updated", Description: "As start_date", Type: "string", MaxLength: 2000, Range: true, Example: "since 2026", Also: []string{"last_update", "last_updated_date", "last_update_posted", "updated", "update_date"}},
				{Name: "has_results", Description: "Posted; also: results_due", Type: "boolean", Also: []string{"results", "with_results", "results_available"}},
				{Name: "results_due", Description: "By 42 CFR 11", Type: "string", Words: []string{"due", "overdue"}, Means: map[string][]string{"late": []string{"overdue"}, "missing": []string{"overdue"}}, Also: []string{"results_overdue", "reporting_status"}},
				{Name: "documents", Description: "Has posted it", Type: "string", List: true, Words: []string{"protocol", "sap", "icf"}, Means: map[string][]string{"analysis plan": []string{"sap"}, "consent": []string{"icf"}, "consent form": []string{"icf"}, "informed consent": []string{"icf"}, "informed consent form": []string{"icf"}, "informed consent form icf": []string{"icf"}, "prot": []string{"protocol"}, "prot_sap": []string{"protocol", "sap"}, "protocol and sap": []string{"protocol", "sap"}, "protocol and statistical analysis plan": []string{"protocol", "sap"}, "protocols": []string{"protocol"}, "statistical analysis plan": []string{"sap"}, "statistical analysis plan sap": []string{"sap"}, "statistical plan": []string{"sap"}, "statistics plan": []string{"sap"}, "study protocol": []string{"protocol"}, "study protocol and statistical analysis plan": []string{"protocol", "sap"}, "trial protocol": []string{"protocol"}}, Also: []string{"document", "has_documents"}},
				{Name: "expression", Description: "Registry's syntax; also: masking, allocation, primary_purpose, mesh, facility", Type: "string", MaxLength: 2000, Example: "AREA[ArmGroupType]SHAM_COMPARATOR", Means: map[string][]string{"active comparator": []string{"AREA[ArmGroupType]ACTIVE_COMPARATOR"}, "crossover": []string{"AREA[DesignInterventionModel]CROSSOVER"}, "experimental": []string{"AREA[ArmGroupType]EXPERIMENTAL"}, "factorial": []string{"AREA[DesignInterventionModel]FACTORIAL"}, "no intervention": []string{"AREA[ArmGroupType]NO_INTERVENTION"}, "parallel": []string{"AREA[DesignInterventionModel]PARALLEL"}, "placebo": []string{"AREA[ArmGroupType]PLACEBO_COMPARATOR"}, "placebo comparator": []string{"AREA[ArmGroupType]PLACEBO_COMPARATOR"}, "sequential": []string{"AREA[DesignInterventionModel]SEQUENTIAL"}, "sham": []string{"AREA[ArmGroupType]SHAM_COMPARATOR"}, "sham comparator": []string{"AREA[ArmGroupType]SHAM_COMPARATOR"}, "single arm": []string{"AREA[DesignInterventionModel]SINGLE_GROUP"}, "single group": []string{"AREA[DesignInterventionModel]SINGLE_GROUP"}}, Also: []string{"filter_advanced", "advanced", "advanced_filter"}, Tags: []tool.Tag{{Tag: "AREA[ArmGroupType]", Names: []string{"arm_type"}}, {Tag: "AREA[DesignInterventionModel]", Names: []string{"study_design", "intervention_model", "design"}}, {Tag: "AREA[ReferencePMID]\"", Names: []string{"pmid", "pmids", "pubmed_id"}}}},
				{Name: "sort", Description: "Default relevance or first_posted", Type: "string", Words: []string{"relevance", "first_posted", "last_updated", "start_date", "completion_date", "results_posted", "enrollment"}, Means: map[string][]string{"best match": []string{"relevance"}, "completion": []string{"completion_date"}, "date": []string{"first_posted"}, "end date": []string{"completion_date"}, "last update": []string{"last_updated"}, "latest": []string{"first_posted"}, "most recent": []string{"first_posted"}, "newest": []string{"first_posted"}, "participants": []string{"enrollment"}, "posted": []string{"first_posted"}, "results": []string{"results_posted"}, "sample size": []string{"enrollment"}, "score": []string{"relevance"}, "size": []string{"enrollment"}, "start": []string{"start_date"}, "updated": []string{"last_updated"}}, Also: []string{"sort_by", "order_by", "sorting"}, Direction: "order"},
				{Name: "order", Description: "Default desc", Type: "string", Words: []string{"desc", "asc"}, Means: map[string][]string{"ascending": []string{"asc"}, "descending": []string{"desc"}, "down": []string{"desc"}, "earliest": []string{"asc"}, "earliest first": []string{"asc"}, "highest": []string{"desc"}, "highest first": []string{"desc"}, "largest": []string{"desc"}, "largest first": []string{"desc"}, "latest": []string{"desc"}, "latest first": []string{"desc"}, "lowest": []string{"asc"}, "lowest first": []string{"asc"}, "most recent": []string{"desc"}, "most recent first": []string{"desc"}, "newest": []string{"desc"}, "newest first": []string{"desc"}, "oldest": []string{"asc"}, "oldest first": []string{"asc"}, "reverse": []string{"desc"}, "smallest": []string{"asc"}, "smallest first": []string{"asc"}, "up": []string{"asc"}}, Also: []string{"sort_order", "direction", "sort_direction"}},
				{Name: "fields", Description: "Only these, as sites; a wrong one lists all", Type: "string", List: true, MaxItems: 100, MaxLength: 1000, Example: "[\"title\",\"due_date_computed\"]", Also: []string{"columns", "field", "return_fields", "select"}},
				{Name: "page_size", Description: "Rows", Type: "integer", Minimum: 1, Maximum: 200, Also: []string{"limit", "max", "max_results", "max_records", "count", "size", "n", "num_results", "per_page", "results_per_page", "retmax", "rows", "top", "top_k"}},
				{Name: "cursor", Description: "pagination.cursor", Type: "string", MaxLength: 4000, Also: []string{"page_token", "next_page_token", "next_cursor", "next"}, InsteadOf: []string{"page", "page_number", "page_no", "offset", "skip", "start", "retstart"}},
			},
		}, func() SearchTrialsArgs {
			return SearchTrialsArgs{TrialFilters: TrialFilters{RecruitingSite: false}, PageSize: 50}
		}, h.SearchTrials),
		tool.New(tool.Definition{
			Name:         "count_trials",
			Title:        "Count trials",
			Toolset:      "trials",
			Description:  "Count trials, also in groups (by). The filters are those of search_trials, which lists trials. Groups are exact values; words match more. exact: false means that groups come from a sample.",
			Schema:       schemas.ID("count_trials.output"),
			ListedInput:  schemas.Listed("count_trials.input"),
			ListedOutput: schemas.Listed("count_trials.output"),
			Page:         "counts",
			Also:         []string{"count_studies", "get_study_count", "clinicaltrials_get_study_count", "trial_counts", "trial_statistics", "aggregate_trials", "clinicaltrials_get_field_values"},
			Arguments: []tool.Argument{
				{Name: "query", Description: "Words of most fields", Type: "string", MaxLength: 2000, Either: true, Example: "immunotherapy", Also: []string{"q", "term", "terms", "text", "search", "search_term", "search_query", "query_term", "keywords", "other_terms", "gene", "genes", "biomarker", "biomarkers", "mutation", "variant"}},
				{Name: "words", Description: "any: not all needed", Type: "string", Words: []string{"all", "any"}, Means: map[string][]string{"and": []string{"all"}, "every": []string{"all"}, "or": []string{"any"}, "some": []string{"any"}}, Also: []string{"match", "word_match", "match_words"}},
				{Name: "nct_ids", Description: "Only these trials", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "NCT:00461032", Also: []string{"nct_id", "nct", "id", "ids", "nct_numbers", "trial_ids", "study_ids"}},
				{Name: "condition", Description: "Disease, also A OR B", Type: "string", MaxLength: 2000, Either: true, Example: "breast cancer", Also: []string{"query_cond", "conditions", "cond", "disease", "diseases", "disorder", "indication", "diagnosis", "condition_query"}},
				{Name: "intervention", Description: "Drug, device; also A OR B", Type: "string", MaxLength: 2000, Either: true, Example: "insulin", Also: []string{"query_intr", "interventions", "intr", "drug", "drugs", "drug_name", "treatment", "therapy", "medication", "intervention_query"}},
				{Name: "status", Description: "Recruiting, completed", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "recruiting", Words: []string{"ACTIVE_NOT_RECRUITING", "COMPLETED", "ENROLLING_BY_INVITATION", "NOT_YET_RECRUITING", "RECRUITING", "SUSPENDED", "TERMINATED", "WITHDRAWN", "AVAILABLE", "NO_LONGER_AVAILABLE", "TEMPORARILY_NOT_AVAILABLE", "APPROVED_FOR_MARKETING", "WITHHELD", "UNKNOWN"}, AnyWords: true, Also: []string{"statuses", "filter_overall_status", "overall_status", "recruitment_status", "trial_status", "study_status", "status_filter"}, InsteadOf: []string{"recruiting", "is_recruiting", "open_only"}},
				{Name: "location", Description: "City, State or City, Country", Type: "string", MaxLength: 2000, Either: true, Example: "Boston, MA", Also: []string{"query_locn", "locations", "locn", "place", "city", "state", "region", "location_query"}, InsteadOf: []string{"exclude_country", "excluded_countries", "exclude_location"}},
				{Name: "country", Description: "Of a site", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "France", Also: []string{"countries", "location_country"}},
				{Name: "facility", Description: "A site there, at the place", Type: "string", MaxLength: 2000, Either: true, Example: "Mayo Clinic", Also: []string{"facility_name", "hospital", "site", "center", "institution"}},
				{Name: "near", Description: "City, ZIP or lat,lon", Type: "string", MaxLength: 2000, Point: true, Example: "Boston, MA", Also: []string{"near_to", "around", "zip", "zip_code", "postal_code", "coordinates", "point", "geo", "lat_lon", "filter_geo", "geo_location"}},
				{Name: "within", Description: "Default 50 mi", Type: "string", MaxLength: 2000, Example: "80 km", Also: []string{"radius", "distance", "max_distance", "range", "within_distance", "distance_km"}},
				{Name: "recruiting_site", Description: "A site there recruits", Type: "boolean", Also: []string{"site_recruiting", "recruiting_sites"}},
				{Name: "phase", Description: "1 to 4, early 1, NA, 2/3", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "Phase 3", Also: []string{"phases", "trial_phase", "study_phase", "phase_filter"}},
				{Name: "study_type", Description: "Interventional, observational", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "interventional", Words: []string{"EXPANDED_ACCESS", "INTERVENTIONAL", "OBSERVATIONAL"}, AnyWords: true, Also: []string{"study_types", "type", "trial_type"}},
				{Name: "sponsor", Description: "Lead or collaborator", Type: "string", MaxLength: 2000, Either: true, Example: "Pfizer", Also: []string{"query_spons", "sponsors", "spons", "company", "organization", "collaborator", "sponsor_query"}},
				{Name: "lead_sponsor", Description: "Exact name in quotes", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "Pfizer", Also: []string{"query_lead", "lead", "lead_sponsors", "lead_sponsor_name"}},
				{Name: "title", Description: "Title, acronym", Type: "string", MaxLength: 2000, Either: true, Example: "KEYNOTE-024", Also: []string{"query_titles", "titles", "acronym", "study_title", "trial_name", "title_query"}},
				{Name: "outcome", Description: "An outcome", Type: "string", MaxLength: 2000, Either: true, Example: "overall survival", Also: []string{"query_outc", "outcomes", "endpoint", "endpoints", "outcome_measure", "outcome_query"}},
				{Name: "primary_outcome", Description: "As outcome", Type: "string", MaxLength: 2000, Either: true, Example: "overall survival", Also: []string{"primary_outcomes", "primary_endpoint"}},
				{Name: "keyword", Description: "Keywords", Type: "string", MaxLength: 2000, Either: true, Example: "immunotherapy", Also: []string{"study_keyword"}},
				{Name: "criteria", Description: "Eligibility text", Type: "string", MaxLength: 2000, Either: true, Example: "brain metastases", Also: []string{"eligibility", "eligibility_criteria", "inclusion_criteria"}, InsteadOf: []string{"exclusion_criteria"}},
				{Name: "criteria_in", Description: "Not in exclusions alone", Type: "string", Words: []string{"inclusion"}, Means: map[string][]string{"include": []string{"inclusion"}, "included": []string{"inclusion"}, "inclusion criteria": []string{"inclusion"}}},
				{Name: "age", Description: "Of a person: 58, 6 months", Type: "string", MaxLength: 2000, Example: "58", Also: []string{"patient_age", "participant_age", "ages"}, InsteadOf: []string{"age_group", "min_age", "max_age", "minimum_age", "maximum_age"}},
				{Name: "sex", Description: "Of a person", Type: "string", Words: []string{"female", "male"}, Means: map[string][]string{"boy": []string{"male"}, "boys": []string{"male"}, "f": []string{"female"}, "females": []string{"female"}, "girl": []string{"female"}, "girls": []string{"female"}, "m": []string{"male"}, "males": []string{"male"}, "man": []string{"male"}, "men": []string{"male"}, "w": []string{"female"}, "woman": []string{"female"}, "women": []string{"female"}}, Also: []string{"gender", "patient_sex"}},
				{Name: "healthy_volunteers", Description: "Accepts them", Type: "boolean", Also: []string{"healthy", "accepts_healthy_volunteers"}},
				{Name: "sponsor_class", Description: "Of the lead: industry, NIH", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "industry", Words: []string{"NIH", "FED", "OTHER_GOV", "INDIV", "INDUSTRY", "NETWORK", "AMBIG", "OTHER", "UNKNOWN"}, AnyWords: true, Also: []string{"funder_type", "sponsor_type", "lead_sponsor_class", "funded_by"}},
				{Name: "intervention_type", Description: "drug, device", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "device", Words: []string{"BEHAVIORAL", "BIOLOGICAL", "COMBINATION_PRODUCT", "DEVICE", "DIAGNOSTIC_TEST", "DIETARY_SUPPLEMENT", "DRUG", "GENETIC", "PROCEDURE", "RADIATION", "OTHER"}, AnyWords: true, Also: []string{"intervention_types"}},
				{Name: "investigator", Description: "Name of an official", Type: "string", MaxLength: 2000, Either: true, Example: "Smith", Also: []string{"investigators", "principal_investigator", "pi"}},
				{Name: "mesh", Description: "A MeSH term", Type: "string", MaxLength: 2000, Either: true, Example: "Heart Failure", Also: []string{"mesh_term", "mesh_terms"}},
				{Name: "masking", Description: "Double, none", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "double", Words: []string{"NONE", "SINGLE", "DOUBLE", "TRIPLE", "QUADRUPLE"}, AnyWords: true, Also: []string{"blinding"}},
				{Name: "allocation", Description: "Randomized or not", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "randomized", Words: []string{"RANDOMIZED", "NON_RANDOMIZED", "NA"}, AnyWords: true, Also: []string{"randomized", "randomization"}},
				{Name: "primary_purpose", Description: "Treatment, prevention", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "prevention", Words: []string{"TREATMENT", "PREVENTION", "DIAGNOSTIC", "ECT", "SUPPORTIVE_CARE", "SCREENING", "HEALTH_SERVICES_RESEARCH", "BASIC_SCIENCE", "DEVICE_FEASIBILITY", "OTHER"}, AnyWords: true, Also: []string{"purpose"}},
				{Name: "enrollment", Description: "100..500, >=100", Type: "string", MaxLength: 2000, Range: true, Example: "100..500", Also: []string{"enrollment_count", "sample_size", "participants"}},
				{Name: "start_date", Description: "2022, 2022-03..2023, last 12 months", Type: "string", MaxLength: 2000, Range: true, Example: "since 2023", Also: []string{"start_year", "study_start", "study_start_date", "started", "year", "years", "date", "date_range"}},
				{Name: "primary_completion_date", Description: "As start_date", Type: "string", MaxLength: 2000, Range: true, Example: "2024", Also: []string{"primary_completion"}},
				{Name: "completion_date", Description: "As start_date", Type: "string", MaxLength: 2000, Range: true, Example: "until 2020-06", Also: []string{"study_completion_date", "end_date", "completed", "ended"}},
				{Name: "first_posted", Description: "As start_date", Type: "string", MaxLength: 2000, Range: true, Example: "since 2024", Also: []string{"first_posted_date", "registered", "registration_date", "study_first_posted", "posted"}},
				{Name: "results_posted", Description: "As start_date", Type: "string", MaxLength: 2000, Range: true, Example: "2023", Also: []string{"results_posted_date", "results_first_posted"}},
				{Name: "last_updated", Description: "As start_date", Type: "string", MaxLength: 2000, Range: true, Example: "since 2026", Also: []string{"last_update", "last_updated_date", "last_update_posted", "updated", "update_date"}},
				{Name: "has_results", Description: "Posted; also: results_due", Type: "boolean", Also: []string{"results", "with_results", "results_available"}},
				{Name: "results_due", Description: "By 42 CFR 11", Type: "string", Words: []string{"due", "overdue"}, Means: map[string][]string{"late": []string{"overdue"}, "missing": []string{"overdue"}}, Also: []string{"results_overdue", "reporting_status"}},
				{Name: "documents", Description: "Has posted it", Type: "string", List: true, Words: []string{"protocol", "sap", "icf"}, Means: map[string][]string{"analysis plan": []string{"sap"}, "consent": []string{"icf"}, "consent form": []string{"icf"}, "informed consent": []string{"icf"}, "informed consent form": []string{"icf"}, "informed consent form icf": []string{"icf"}, "prot": []string{"protocol"}, "prot_sap": []string{"protocol", "sap"}, "protocol and sap": []string{"protocol", "sap"}, "protocol and statistical analysis plan": []string{"protocol", "sap"}, "protocols": []string{"protocol"}, "statistical analysis plan": []string{"sap"}, "statistical analysis plan sap": []string{"sap"}, "statistical plan": []string{"sap"}, "statistics plan": []string{"sap"}, "study protocol": []string{"protocol"}, "study protocol and statistical analysis plan": []string{"protocol", "sap"}, "trial protocol": []string{"protocol"}}, Also: []string{"document", "has_documents"}},
				{Name: "expression", Description: "Registry's syntax; also: masking, allocation, primary_purpose, mesh, facility", Type: "string", MaxLength: 2000, Example: "AREA[ArmGroupType]SHAM_COMPARATOR", Means: map[string][]string{"active comparator": []string{"AREA[ArmGroupType]ACTIVE_COMPARATOR"}, "crossover": []string{"AREA[DesignInterventionModel]CROSSOVER"}, "experimental": []string{"AREA[ArmGroupType]EXPERIMENTAL"}, "factorial": []string{"AREA[DesignInterventionModel]FACTORIAL"}, "no intervention": []string{"AREA[ArmGroupType]NO_INTERVENTION"}, "parallel": []string{"AREA[DesignInterventionModel]PARALLEL"}, "placebo": []string{"AREA[ArmGroupType]PLACEBO_COMPARATOR"}, "placebo comparator": []string{"AREA[ArmGroupType]PLACEBO_COMPARATOR"}, "sequential": []string{"AREA[DesignInterventionModel]SEQUENTIAL"}, "sham": []string{"AREA[ArmGroupType]SHAM_COMPARATOR"}, "sham comparator": []string{"AREA[ArmGroupType]SHAM_COMPARATOR"}, "single arm": []string{"AREA[DesignInterventionModel]SINGLE_GROUP"}, "single group": []string{"AREA[DesignInterventionModel]SINGLE_GROUP"}}, Also: []string{"filter_advanced", "advanced", "advanced_filter"}, Tags: []tool.Tag{{Tag: "AREA[ArmGroupType]", Names: []string{"arm_type"}}, {Tag: "AREA[DesignInterventionModel]", Names: []string{"study_design", "intervention_model", "design"}}, {Tag: "AREA[ReferencePMID]\"", Names: []string{"pmid", "pmids", "pubmed_id"}}}},
				{Name: "by", Description: "Groups; without it the total", Type: "string", Words: []string{"phase", "status", "study_type", "country", "start_year", "first_posted_year", "completion_year", "sponsor_class", "lead_sponsor", "intervention_type", "condition", "sex", "age_group", "has_results", "primary_purpose", "intervention", "intervention_mesh", "condition_mesh", "facility", "city", "official", "arm_type", "allocation", "masking", "document"}, Means: map[string][]string{"age": []string{"age_group"}, "blinding": []string{"masking"}, "cities": []string{"city"}, "conditions": []string{"condition"}, "countries": []string{"country"}, "disease": []string{"condition"}, "documents": []string{"document"}, "drug": []string{"intervention"}, "drugs": []string{"intervention"}, "facilities": []string{"facility"}, "funder": []string{"sponsor_class"}, "gender": []string{"sex"}, "hospital": []string{"facility"}, "interventions": []string{"intervention"}, "investigator": []string{"official"}, "mesh": []string{"condition_mesh"}, "officials": []string{"official"}, "purpose": []string{"primary_purpose"}, "site": []string{"facility"}, "sponsor": []string{"lead_sponsor"}, "sponsors": []string{"lead_sponsor"}, "start date": []string{"start_year"}, "year": []string{"start_year"}, "years": []string{"start_year"}}, Also: []string{"group_by", "field", "facet", "breakdown", "count_by"}},
				{Name: "then_by", Description: "As by, within each group", Type: "string", Words: []string{"phase", "status", "study_type", "country", "start_year", "first_posted_year", "completion_year", "sponsor_class", "lead_sponsor", "intervention_type", "condition", "sex", "age_group", "has_results", "primary_purpose", "intervention", "intervention_mesh", "condition_mesh", "facility", "city", "official", "arm_type", "allocation", "masking", "document"}, Means: map[string][]string{"age": []string{"age_group"}, "blinding": []string{"masking"}, "cities": []string{"city"}, "conditions": []string{"condition"}, "countries": []string{"country"}, "disease": []string{"condition"}, "documents": []string{"document"}, "drug": []string{"intervention"}, "drugs": []string{"intervention"}, "facilities": []string{"facility"}, "funder": []string{"sponsor_class"}, "gender": []string{"sex"}, "hospital": []string{"facility"}, "interventions": []string{"intervention"}, "investigator": []string{"official"}, "mesh": []string{"condition_mesh"}, "officials": []string{"official"}, "purpose": []string{"primary_purpose"}, "site": []string{"facility"}, "sponsor": []string{"lead_sponsor"}, "sponsors": []string{"lead_sponsor"}, "start date": []string{"start_year"}, "year": []string{"start_year"}, "years": []string{"start_year"}}, Also: []string{"and_by", "second_by", "by2"}},
				{Name: "top", Description: "Most groups; of years the latest", Type: "integer", Minimum: 1, Maximum: 100, Also: []string{"limit", "max", "page_size", "max_groups"}},
			},
		}, func() CountTrialsArgs {
			return CountTrialsArgs{TrialFilters: TrialFilters{RecruitingSite: false}, Top: 15}
		}, h.CountTrials),
		tool.New(tool.Definition{
			Name:         "get_trial",
			Title:        "Read a trial",
			Toolset:      "trials",
			Description:  "Complete record of one trial; sections makes it cheaper. Sites are in get_trial_locations, results in get_trial_results, PMIDs of its publications in cross_references.pubmed.",
			Schema:       schemas.ID("get_trial.output"),
			ListedInput:  schemas.Listed("get_trial.input"),
			ListedOutput: schemas.Listed("get_trial.output"),
			Page:         "trial",
			Also:         []string{"get_study", "get_study_record", "get_study_details", "get_trial_details", "get_clinical_trial", "fetch_trial", "fetch_study", "trial_getter", "clinicaltrials_get_study", "clinicaltrials_get_study_record", "clinicaltrials_get_trial"},
			Elsewhere: []tool.Elsewhere{
				{Tool: "fetchArticleDetails", Argument: "pmids", Needs: "pmids", Names: []string{"pmid", "pmids"}},
				{Tool: "search_trials", Argument: "condition", Needs: "", Names: []string{"condition", "disease"}},
				{Tool: "search_trials", Argument: "query", Needs: "", Names: []string{"query", "term", "q", "search", "keywords", "acronym"}},
			},
			Arguments: []tool.Argument{
				{Name: "nct_id", Description: "NCT id", Type: "string", MaxLength: 500, Required: true, Or: []string{"nct_ids", "of"}, Example: "NCT:00461032", Also: []string{"nct", "nct_number", "id", "ids", "identifier", "curie", "trial", "trial_id", "study", "study_id"}},
				{Name: "nct_ids", Description: "Or 1 to 20 ids: a list", Type: "string", List: true, MaxItems: 100, MaxLength: 500, Example: "[\"NCT:00461032\",\"NCT:04123456\"]", Also: []string{"trials", "trial_ids", "study_ids", "nct_numbers"}},
				{Name: "of", Description: "Or a search as JSON: 100 trials", Type: "string", MaxLength: 4000, Example: "{\"condition\":\"melanoma\"}", Also: []string{"filters", "of_search"}, Search: "search_trials"},
				{Name: "sections", Description: "Default all", Type: "string", List: true, Example: "summary", Words: []string{"summary", "design", "eligibility", "outcomes", "arms", "contacts", "references", "administrative"}, Means: map[string][]string{"citations": []string{"references"}, "criteria": []string{"eligibility"}, "description": []string{"summary", "design"}, "eligibility criteria": []string{"eligibility"}, "exclusion criteria": []string{"eligibility"}, "identifiers": []string{"administrative"}, "inclusion criteria": []string{"eligibility"}, "publications": []string{"references"}, "sponsor": []string{"summary"}}, Answered: map[string]string{"adverse events": "get_trial_results {\"nct_id\":\"$nct_id\",\"section\":\"adverse_events\"}", "baseline": "get_trial_results {\"nct_id\":\"$nct_id\",\"section\":\"baseline\"}", "facilities": "get_trial_locations {\"nct_id\":\"$nct_id\"}", "locations": "get_trial_locations {\"nct_id\":\"$nct_id\"}", "outcome results": "get_trial_results {\"nct_id\":\"$nct_id\"}", "results": "get_trial_results {\"nct_id\":\"$nct_id\"}", "sites": "get_trial_locations {\"nct_id\":\"$nct_id\"}"}, Also: []string{"section", "parts", "part", "fields"}},
				{Name: "page_size", Description: "Of nct_ids", Type: "integer", Minimum: 1, Maximum: 20, Also: []string{"limit", "max", "max_results", "max_records", "count", "size", "n", "num_results", "per_page", "results_per_page", "retmax", "rows", "top", "top_k"}},
				{Name: "cursor", Description: "pagination.cursor", Type: "string", MaxLength: 4000, Also: []string{"page_token", "next_page_token", "next_cursor", "next"}, InsteadOf: []string{"page", "page_number", "page_no", "offset", "skip", "start", "retstart"}},
			},
		}, func() GetTrialArgs {
			return GetTrialArgs{}
		}, h.GetTrial),
		tool.New(tool.Definition{
			Name:         "trial_changes",
			Title:        "Changes of trials",
			Toolset:      "trials",
			Description:  "Changes of the records of trials: by ids, by a search (of), or all. Old and new value, day, whether after the start of the trial. From the history of the local mirror, the newest first.",
			Schema:       schemas.ID("trial_changes.output"),
			ListedInput:  schemas.Listed("trial_changes.input"),
			ListedOutput: schemas.Listed("trial_changes.output"),
			NeedsMirror:  true,
			Also:         []string{"get_trial_changes", "get_trial_history", "trial_history", "study_history", "get_study_history", "record_history", "what_changed", "track_trial", "trial_updates", "get_trial_versions"},
			Elsewhere: []tool.Elsewhere{
				{Tool: "search_trials", Argument: "condition", Needs: "", Names: []string{"condition", "disease"}},
				{Tool: "search_trials", Argument: "query", Needs: "", Names: []string{"query", "q", "search", "term"}},
			},
			Arguments: []tool.Argument{
				{Name: "nct_ids", Description: "1 to 20 ids", Type: "string", List: true, MaxItems: 100, MaxLength: 500, Example: "[\"NCT:00461032\",\"NCT:04123456\"]", Also: []string{"nct_id", "nct", "ids", "id", "trials", "trial", "trial_ids", "study_ids", "nct_numbers"}},
				{Name: "of", Description: "Or filters of search_trials as JSON, on the trials as they are now", Type: "string", MaxLength: 4000, Example: "{\"condition\":\"melanoma\"}", Also: []string{"filters", "of_search"}, Search: "search_trials"},
				{Name: "since", Description: "Day of the state to compare with; default 30 days before the newest data", Type: "string", MaxLength: 100, Example: "last 7 days", Also: []string{"from", "since_date", "after", "date_from", "changed_since"}},
				{Name: "until", Description: "Last day; default the newest", Type: "string", MaxLength: 100, Example: "yesterday", Also: []string{"to", "until_date", "before", "end", "date_to"}},
				{Name: "fields", Description: "Only changes of these", Type: "string", List: true, Example: "[\"primary_outcome\"]", Words: []string{"status", "why_stopped", "expanded_access", "start_date", "primary_completion_date", "completion_date", "first_posted", "results_posted", "certificate", "enrollment", "phase", "design", "title", "ids", "sponsor", "primary_outcome", "secondary_outcome", "other_outcome", "criteria", "eligibility", "sites", "contacts", "arms", "intervention", "condition", "description", "oversight", "references", "ipd_sharing", "results", "results_submission", "documents", "mesh", "removed_countries", "other"}, Means: map[string][]string{"conditions": []string{"condition"}, "dates": []string{"start_date", "primary_completion_date", "completion_date"}, "eligibility criteria": []string{"criteria"}, "endpoints": []string{"primary_outcome", "secondary_outcome", "other_outcome"}, "exclusion criteria": []string{"criteria"}, "facilities": []string{"sites"}, "inclusion criteria": []string{"criteria"}, "interventions": []string{"intervention"}, "locations": []string{"sites"}, "other outcomes": []string{"other_outcome"}, "outcome": []string{"primary_outcome", "secondary_outcome", "other_outcome"}, "outcomes": []string{"primary_outcome", "secondary_outcome", "other_outcome"}, "overall status": []string{"status"}, "phases": []string{"phase"}, "posted results": []string{"results", "results_posted"}, "primary endpoint": []string{"primary_outcome"}, "primary outcomes": []string{"primary_outcome"}, "publications": []string{"references"}, "recruitment status": []string{"status"}, "sample size": []string{"enrollment"}, "secondary outcomes": []string{"secondary_outcome"}, "sponsors": []string{"sponsor"}, "titles": []string{"title"}}, Also: []string{"field", "sections", "section", "aspects"}},
				{Name: "page_size", Description: "Versions; 8 kB end a page", Type: "integer", Minimum: 1, Maximum: 100, Also: []string{"limit", "max", "max_results", "max_records", "count", "size", "n", "num_results", "per_page", "results_per_page", "retmax", "rows", "top", "top_k"}},
				{Name: "cursor", Description: "pagination.cursor", Type: "string", MaxLength: 4000, Also: []string{"page_token", "next_page_token", "next_cursor", "next"}, InsteadOf: []string{"page", "page_number", "page_no", "offset", "skip", "start", "retstart"}},
			},
		}, func() TrialChangesArgs {
			return TrialChangesArgs{PageSize: 20}
		}, h.TrialChanges),
		tool.New(tool.Definition{
			Name:         "match_trials",
			Title:        "A person beside trials",
			Toolset:      "trials",
			Description:  "Facts of a person beside the criteria of trials, line by line: the line allows, blocks or leaves unknown. Shows facts, no advice. Nothing of the person is kept.",
			Schema:       schemas.ID("match_trials.output"),
			ListedInput:  schemas.Listed("match_trials.input"),
			ListedOutput: schemas.Listed("match_trials.output"),
			Page:         "match",
			Also:         []string{"match_patient", "match_person", "match_patient_to_trials", "clinicaltrials_find_eligible", "clinicaltrials_match_patient"},
			InsteadOf:    []string{"find_eligible", "find_eligible_studies", "find_eligible_trials", "check_eligibility", "screen_patient"},
			Elsewhere: []tool.Elsewhere{
				{Tool: "get_trial", Argument: "sections", Needs: "nct_id", Names: []string{"sections"}},
				{Tool: "search_trials", Argument: "intervention", Needs: "", Names: []string{"intervention"}},
			},
			Arguments: []tool.Argument{
				{Name: "age", Description: "Age: 58, or 6 months", Type: "string", MaxLength: 100, Example: "58", Also: []string{"patient_age", "years"}},
				{Name: "sex", Description: "Sex", Type: "string", Words: []string{"female", "male"}, Means: map[string][]string{"boy": []string{"male"}, "boys": []string{"male"}, "f": []string{"female"}, "females": []string{"female"}, "girl": []string{"female"}, "girls": []string{"female"}, "m": []string{"male"}, "males": []string{"male"}, "man": []string{"male"}, "men": []string{"male"}, "w": []string{"female"}, "woman": []string{"female"}, "women": []string{"female"}}, Also: []string{"gender", "patient_sex"}},
				{Name: "conditions", Description: "Conditions the person has, the main one first", Type: "string", List: true, MaxItems: 50, MaxLength: 300, Example: "[\"type 2 diabetes\"]", Also: []string{"diagnoses", "diagnosis", "comorbidities", "diseases"}},
				{Name: "without", Description: "Conditions the person surely does not have", Type: "string", List: true, MaxItems: 50, MaxLength: 300, Example: "[\"asthma\"]", Also: []string{"no_conditions", "absent", "absent_conditions"}},
				{Name: "measurements", Description: "Measured values with unit: ECOG 1, hemoglobin 9.8 g/dL, AST 1.2 x ULN", Type: "string", List: true, MaxItems: 50, MaxLength: 300, Example: "[\"HbA1c 8.1 %\"]", Also: []string{"labs", "lab_values", "vitals", "measures", "values"}},
				{Name: "biomarkers", Description: "Gene or marker with its state: EGFR L858R, HER2 negative", Type: "string", List: true, MaxItems: 50, MaxLength: 300, Example: "[\"HER2 negative\"]", Also: []string{"genes", "mutations", "markers", "variants"}},
				{Name: "treatments", Description: "Treatments had, with time if known: osimertinib, chemotherapy 6 weeks ago", Type: "string", List: true, MaxItems: 50, MaxLength: 300, Example: "[\"chemotherapy 6 weeks ago\"]", Also: []string{"medications", "drugs", "therapies", "prior_treatments", "treatment"}},
				{Name: "prior_lines", Description: "Lines of therapy had for the main condition", Type: "string", MaxLength: 100, Example: "2", Also: []string{"lines_of_therapy", "prior_therapies"}},
				{Name: "pregnant", Description: "Pregnant or not", Type: "boolean", Also: []string{"pregnancy"}},
				{Name: "breast_feeding", Description: "Breast-feeding or not", Type: "boolean", Also: []string{"lactating", "nursing"}},
				{Name: "healthy", Description: "A healthy volunteer", Type: "boolean", Also: []string{"healthy_volunteer", "healthy_volunteers"}},
				{Name: "nct_ids", Description: "Trials to look at (at most 100); without it they are searched", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "[\"NCT:00461032\"]", Also: []string{"ids", "trials", "trial_ids", "study_ids", "nct_id"}},
				{Name: "condition", Description: "Disease to search; default: the first of conditions", Type: "string", MaxLength: 2000, Example: "melanoma", Also: []string{"disease"}},
				{Name: "query", Description: "Other words to search", Type: "string", MaxLength: 2000, Example: "insulin", Also: []string{"q", "search", "keywords", "terms"}},
				{Name: "near", Description: "As in search_trials", Type: "string", MaxLength: 2000, Point: true, Example: "Boston, MA", Also: []string{"location", "place", "city", "zip", "coordinates"}},
				{Name: "within", Description: "As in search_trials", Type: "string", MaxLength: 2000, Example: "80 km", Also: []string{"radius", "distance"}},
				{Name: "country", Description: "As in search_trials", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "France", Also: []string{"countries"}},
				{Name: "status", Description: "Default recruiting and not yet recruiting", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "recruiting", Also: []string{"statuses", "overall_status"}},
				{Name: "phase", Description: "As in search_trials", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "Phase 3", Also: []string{"phases"}},
				{Name: "page_size", Description: "Trials", Type: "integer", Minimum: 1, Maximum: 25, Also: []string{"limit", "max", "max_results", "max_records", "count", "size", "n", "num_results", "per_page", "results_per_page", "retmax", "rows", "top", "top_k"}},
				{Name: "cursor", Description: "pagination.cursor", Type: "string", MaxLength: 4000, Also: []string{"page_token", "next_page_token", "next_cursor", "next"}, InsteadOf: []string{"page", "page_number", "page_no", "offset", "skip", "start", "retstart"}},
			},
		}, func() MatchTrialsArgs {
			return MatchTrialsArgs{PageSize: 10}
		}, h.MatchTrials),
		tool.New(tool.Definition{
			Name:         "compare_trials",
			Title:        "Compare trials",
			Toolset:      "trials",
			Description:  "Compare 2 to 12 trials, differing aspects first. Aspect results adds the first primary outcome of the posted results.",
			Schema:       schemas.ID("compare_trials.output"),
			ListedInput:  schemas.Listed("compare_trials.input"),
			ListedOutput: schemas.Listed("compare_trials.output"),
			Page:         "compare",
			Also:         []string{"compare_studies", "trial_comparison", "clinicaltrials_compare_studies"},
			Arguments: []tool.Argument{
				{Name: "nct_ids", Description: "NCT ids", Type: "string", List: true, MaxItems: 12, MaxLength: 500, Required: true, Example: "[\"NCT:00461032\",\"NCT:04123456\"]", Also: []string{"ids", "trials", "trial_ids", "study_ids", "nct_id"}},
				{Name: "aspects", Description: "Default all but results", Type: "string", List: true, Words: []string{"status", "phase", "design", "population", "conditions", "arms", "enrollment", "primary_outcomes", "dates", "sponsors", "sites", "why_stopped", "has_results", "results"}, Means: map[string][]string{"countries": []string{"sites"}, "criteria": []string{"population"}, "eligibility": []string{"population"}, "endpoints": []string{"primary_outcomes"}, "interventions": []string{"arms"}, "locations": []string{"sites"}, "outcomes": []string{"primary_outcomes"}, "sample size": []string{"enrollment"}, "sponsor": []string{"sponsors"}, "treatments": []string{"arms"}}, Answered: map[string]string{"adverse events": "get_trial_results {\"nct_id\":\"$nct_ids\",\"section\":\"adverse_events\"}", "baseline": "get_trial_results {\"nct_id\":\"$nct_ids\",\"section\":\"baseline\"}", "safety": "get_trial_results {\"nct_id\":\"$nct_ids\",\"section\":\"adverse_events\"}", "side effects": "get_trial_results {\"nct_id\":\"$nct_ids\",\"section\":\"adverse_events\"}"}, Also: []string{"fields", "aspect", "by", "compare"}},
			},
		}, func() CompareTrialsArgs {
			return CompareTrialsArgs{}
		}, h.CompareTrials),
		tool.New(tool.Definition{
			Name:         "get_trial_locations",
			Title:        "Sites of a trial",
			Toolset:      "trials",
			Description:  "Sites of one trial: facility, address, contacts, recruitment status, and counts of these sites by country. Filters are ANDed; near sorts by distance.",
			Schema:       schemas.ID("get_trial_locations.output"),
			ListedInput:  schemas.Listed("get_trial_locations.input"),
			ListedOutput: schemas.Listed("get_trial_locations.output"),
			Page:         "sites",
			Also:         []string{"get_locations", "get_sites", "get_trial_sites", "get_study_locations", "get_study_sites", "clinicaltrials_get_trial_locations"},
			InsteadOf:    []string{"analyze_study_locations", "clinicaltrials_analyze_study_locations"},
			Arguments: []tool.Argument{
				{Name: "nct_id", Description: "NCT id", Type: "string", MaxLength: 500, Required: true, Example: "NCT:00461032", Also: []string{"nct", "nct_ids", "nct_number", "id", "ids", "identifier", "curie", "trial", "trial_id", "study", "study_id"}},
				{Name: "near", Description: "City, ZIP or latitude,longitude", Type: "string", MaxLength: 2000, Point: true, Example: "Boston, MA", Also: []string{"location", "place", "around", "near_to", "zip", "zip_code", "postal_code", "coordinates", "point", "geo", "lat_lon"}},
				{Name: "within", Description: "From near; default 50 mi", Type: "string", MaxLength: 2000, Example: "80 km", Also: []string{"radius", "distance", "max_distance", "range", "within_distance", "distance_km"}},
				{Name: "country", Description: "Country of the site", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "United States", Also: []string{"countries"}},
				{Name: "state", Description: "State or province", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "Ohio", Also: []string{"states", "province", "region"}},
				{Name: "city", Description: "City", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "Cleveland", Also: []string{"cities", "town"}},
				{Name: "facility", Description: "Words of the facility's name", Type: "string", MaxLength: 2000, Example: "Mayo Clinic", Also: []string{"facility_name", "hospital", "site", "site_name", "center", "centre", "institution", "query", "q", "search"}},
				{Name: "status", Description: "Such as recruiting", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "recruiting", Words: []string{"ACTIVE_NOT_RECRUITING", "COMPLETED", "ENROLLING_BY_INVITATION", "NOT_YET_RECRUITING", "RECRUITING", "SUSPENDED", "TERMINATED", "WITHDRAWN", "AVAILABLE"}, Also: []string{"statuses", "recruitment_status", "site_status", "recruiting_site"}},
				{Name: "order", Description: "Default record, with near distance", Type: "string", Example: "distance", Words: []string{"record", "distance"}, Means: map[string][]string{"closest": []string{"distance"}, "near": []string{"distance"}, "nearest": []string{"distance"}}, Also: []string{"sort", "sort_by", "order_by"}},
				{Name: "page_size", Description: "Rows", Type: "integer", Minimum: 1, Maximum: 500, Also: []string{"limit", "max", "max_results", "max_records", "count", "size", "n", "num_results", "per_page", "results_per_page", "retmax", "rows", "top", "top_k"}},
				{Name: "cursor", Description: "pagination.cursor", Type: "string", MaxLength: 4000, Also: []string{"page_token", "next_page_token", "next_cursor", "next"}, InsteadOf: []string{"page", "page_number", "page_no", "offset", "skip", "start", "retstart"}},
			},
		}, func() GetTrialLocationsArgs {
			return GetTrialLocationsArgs{PageSize: 100}
		}, h.GetTrialLocations),
		tool.New(tool.Definition{
			Name:         "get_trial_results",
			Title:        "Results of a trial",
			Toolset:      "trials",
			Description:  "Posted results of one trial: an overview, or one section with every value, verbatim. Groups of adverse events may overlap: never add them up.",
			Schema:       schemas.ID("get_trial_results.output"),
			ListedInput:  schemas.Listed("get_trial_results.input"),
			ListedOutput: schemas.Listed("get_trial_results.output"),
			Page:         "results",
			Also:         []string{"get_results", "get_study_results", "get_outcomes", "get_adverse_events", "get_trial_outcomes", "get_trial_adverse_events", "trial_results", "clinicaltrials_get_study_results", "clinicaltrials_get_trial_results"},
			Elsewhere: []tool.Elsewhere{
				{Tool: "fetchArticleDetails", Argument: "pmids", Needs: "pmids", Names: []string{"pmid", "pmids"}},
				{Tool: "search_trials", Argument: "condition", Needs: "", Names: []string{"condition", "disease"}},
				{Tool: "search_trials", Argument: "query", Needs: "", Names: []string{"query", "q", "search", "keywords", "acronym"}},
			},
			Arguments: []tool.Argument{
				{Name: "nct_id", Description: "NCT id", Type: "string", MaxLength: 500, Required: true, Or: []string{"nct_ids", "of"}, Example: "NCT:02513394", Also: []string{"nct", "nct_number", "id", "ids", "identifier", "curie", "trial", "trial_id", "study", "study_id"}},
				{Name: "nct_ids", Description: "Or 1 to 20 ids: a list", Type: "string", List: true, MaxItems: 100, MaxLength: 500, Example: "[\"NCT:00461032\",\"NCT:04123456\"]", Also: []string{"trials", "trial_ids", "study_ids", "nct_numbers"}},
				{Name: "of", Description: "Or a search as JSON: 100 trials", Type: "string", MaxLength: 4000, Example: "{\"condition\":\"melanoma\"}", Also: []string{"filters", "of_search"}, Search: "search_trials"},
				{Name: "section", Description: "Default overview. Rows: comparisons (posted effects, rechecked), arms (cells)", Type: "string", Words: []string{"overview", "outcomes", "adverse_events", "participant_flow", "baseline", "more_info", "comparisons", "arms"}, Means: map[string][]string{"ae": []string{"adverse_events"}, "aes": []string{"adverse_events"}, "agreement": []string{"more_info"}, "analyses": []string{"comparisons"}, "arm": []string{"arms"}, "comparison": []string{"comparisons"}, "deaths": []string{"adverse_events"}, "demographics": []string{"baseline"}, "disposition": []string{"participant_flow"}, "effect sizes": []string{"comparisons"}, "effects": []string{"comparisons"}, "efficacy": []string{"outcomes"}, "endpoints": []string{"outcomes"}, "estimates": []string{"comparisons"}, "flow": []string{"participant_flow"}, "limitations": []string{"more_info"}, "mortality": []string{"adverse_events"}, "primary": []string{"outcomes"}, "primary outcomes": []string{"outcomes"}, "safety": []string{"adverse_events"}, "secondary": []string{"outcomes"}, "secondary outcomes": []string{"outcomes"}, "side effects": []string{"adverse_events"}, "totals": []string{"arms"}}, Also: []string{"sections", "part", "module", "view"}},
				{Name: "outcome", Description: "Numbers of outcomes, or words of their titles", Type: "string", MaxLength: 500, Either: true, Example: "overall survival", Also: []string{"outcomes", "outcome_number", "measure", "outcome_measure", "endpoint", "endpoints"}},
				{Name: "event", Description: "Words of an event or organ system", Type: "string", List: true, MaxItems: 100, MaxLength: 500, Example: "nausea", Also: []string{"events", "term", "adverse_event", "ae", "organ_system", "reaction"}},
				{Name: "serious", Description: "true: only serious events, false: only others", Type: "boolean", Also: []string{"serious_only", "sae"}},
				{Name: "min_percent", Description: "Events in at least this percentage of a group", Type: "integer", Minimum: 0, Maximum: 100, Also: []string{"minimum_percent", "min_percentage", "min_rate", "threshold", "frequency"}},
				{Name: "format", Description: "csv: one row per cell; not for overview", Type: "string", Words: []string{"json", "csv"}, Also: []string{"output", "output_format"}},
				{Name: "page_size", Description: "Default 20, rows 200", Type: "integer", Minimum: 1, Maximum: 500, Also: []string{"limit", "max", "max_results", "max_records", "count", "size", "n", "num_results", "per_page", "results_per_page", "retmax", "rows", "top", "top_k"}},
				{Name: "cursor", Description: "pagination.cursor", Type: "string", MaxLength: 4000, Also: []string{"page_token", "next_page_token", "next_cursor", "next"}, InsteadOf: []string{"page", "page_number", "page_no", "offset", "skip", "start", "retstart"}},
			},
		}, func() GetTrialResultsArgs {
			return GetTrialResultsArgs{MinPercent: 0, Format: "json"}
		}, h.GetTrialResults),
		tool.New(tool.Definition{
			Name:         "search_genes",
			Title:        "Search genes",
			Toolset:      "genes",
			Description:  "Find genes at NCBI Gene by symbol, name, words or id (Ensembl, HGNC, UniProt, OMIM), of any organism; read one with get_gene. Several symbols return one gene each, human by default.",
			Schema:       schemas.ID("search_genes.output"),
			ListedInput:  schemas.Listed("search_genes.input"),
			ListedOutput: schemas.Listed("search_genes.output"),
			Also:         []string{"ncbi_gene", "search_gene", "find_gene", "find_genes", "query_genes", "gene_searcher", "entrez_search_genes"},
			Elsewhere: []tool.Elsewhere{
				{Tool: "searchPubMedArticles", Argument: "queryTerm", Needs: "queryTerm", Names: []string{"variant", "variants", "mutation", "mutations", "variation", "allele", "hgvs", "rsid", "snp", "dbsnp", "protein_change", "amino_acid_change"}, Beside: []string{"query", "gene", "genes", "symbol", "symbols", "gene_symbol", "gene_name", "name", "organism", "species"}},
			},
			Arguments: []tool.Argument{
				{Name: "query", Description: "One: words, symbol, id; several: symbols and ids", Type: "string", List: true, MaxItems: 100, MaxLength: 20000, Example: "BRCA1", Also: []string{"q", "term", "terms", "text", "search", "search_term", "search_query", "query_term", "keyword", "keywords", "gene", "genes", "gene_name", "gene_symbol", "symbol", "symbols", "name", "id", "gene_id", "entrez_id", "ensembl", "ensembl_id", "uniprot", "uniprot_id", "refseq", "transcript", "transcript_id"}, Tags: []tool.Tag{{Tag: "chr", Names: []string{"chromosome", "chrom"}}, {Tag: "mim", Names: []string{"omim", "omim_id"}}, {Tag: "words", Names: []string{"disease", "condition", "phenotype", "function", "pathway", "go_term"}}}},
				{Name: "organism", Description: "Name or taxid; default all", Type: "string", MaxLength: 2000, Example: "human", Also: []string{"organisms", "organism_name", "species", "taxon", "taxon_id", "tax_id", "taxonomy"}},
				{Name: "pmid", Description: "Genes of this PMID, instead of query", Type: "string", MaxLength: 500, Example: "25842826", Also: []string{"pubmed_id", "pmids", "article"}},
				{Name: "page_size", Description: "Rows", Type: "integer", Minimum: 1, Maximum: 200, Also: []string{"limit", "max", "max_results", "max_records", "count", "size", "n", "num_results", "per_page", "results_per_page", "retmax", "rows", "top", "top_k"}},
				{Name: "cursor", Description: "pagination.cursor", Type: "string", MaxLength: 4000, Also: []string{"page_token", "next_page_token", "next_cursor", "next"}, InsteadOf: []string{"page", "page_number", "page_no", "offset", "skip", "start", "retstart"}},
			},
		}, func() SearchGenesArgs {
			return SearchGenesArgs{PageSize: 50}
		}, h.SearchGenes),
		tool.New(tool.Definition{
			Name:         "get_gene",
			Title:        "Read a gene",
			Toolset:      "genes",
			Description:  "Record of a gene: names, summary, locations, phenotypes, GO terms, ids; sections: cheaper, or with generifs, drugs.",
			Schema:       schemas.ID("get_gene.output"),
			ListedInput:  schemas.Listed("get_gene.input"),
			ListedOutput: schemas.Listed("get_gene.output"),
			Also:         []string{"get_gene_details", "get_gene_info", "get_gene_summary", "get_gene_record", "fetch_gene", "gene_getter", "entrez_get_gene"},
			Elsewhere: []tool.Elsewhere{
				{Tool: "fetchArticleDetails", Argument: "pmids", Needs: "pmids", Names: []string{"pmid", "pmids", "pubmed_id"}},
				{Tool: "get_trial", Argument: "nct_id", Needs: "nct_id", Names: []string{"nct_id", "nct"}},
				{Tool: "searchPubMedArticles", Argument: "queryTerm", Needs: "queryTerm", Names: []string{"variant", "variants", "mutation", "mutations", "variation", "allele", "hgvs", "rsid", "snp", "dbsnp", "protein_change", "amino_acid_change"}, Beside: []string{"query", "gene", "genes", "symbol", "symbols", "gene_symbol", "gene_name", "name", "organism", "species"}},
				{Tool: "search_genes", Argument: "organism", Needs: "query", Names: []string{"organism", "species", "taxon", "tax_id"}},
				{Tool: "search_genes", Argument: "query", Needs: "", Names: []string{"symbol", "gene_symbol", "gene_name", "name", "query", "term", "q", "search", "gene", "id", "ensembl_id", "uniprot_id", "transcript_id"}},
			},
			Arguments: []tool.Argument{
				{Name: "entrez_id", Description: "NCBI Gene id (search_genes)", Type: "string", MaxLength: 500, Required: true, Example: "NCBIGene:7157", Also: []string{"entrez", "entrez_ids", "gene", "gene_id", "gene_ids", "ncbi_gene_id", "id", "ids", "identifier", "curie", "uid"}},
				{Name: "sections", Description: "Default: the first four", Type: "string", List: true, Example: "summary", Words: []string{"summary", "locations", "phenotypes", "go_terms", "generifs", "drugs"}, Means: map[string][]string{"diseases": []string{"phenotypes"}, "drug": []string{"drugs"}, "drug labels": []string{"drugs"}, "function": []string{"summary", "go_terms"}, "gene ontology": []string{"go_terms"}, "gene rifs": []string{"generifs"}, "generif": []string{"generifs"}, "go": []string{"go_terms"}, "indications": []string{"drugs"}, "labels": []string{"drugs"}, "medications": []string{"drugs"}, "pharmacogenomics": []string{"drugs"}, "rifs": []string{"generifs"}, "therapies": []string{"drugs"}, "therapy": []string{"drugs"}, "treatments": []string{"drugs"}}, Answered: map[string]string{"articles": "get_pubmed_links {\"entrez_id\":\"$entrez_id\"}", "clinvar": "get_gene_variants {\"entrez_id\":\"$entrez_id\"}", "exons": "get_gene_transcripts {\"entrez_id\":\"$entrez_id\"}", "homologs": "get_gene_orthologs {\"entrez_id\":\"$entrez_id\"}", "isoforms": "get_gene_transcripts {\"entrez_id\":\"$entrez_id\"}", "literature": "get_pubmed_links {\"entrez_id\":\"$entrez_id\"}", "orthologs": "get_gene_orthologs {\"entrez_id\":\"$entrez_id\"}", "proteins": "get_gene_transcripts {\"entrez_id\":\"$entrez_id\"}", "publications": "get_pubmed_links {\"entrez_id\":\"$entrez_id\"}", "pubmed": "get_pubmed_links {\"entrez_id\":\"$entrez_id\"}", "transcripts": "get_gene_transcripts {\"entrez_id\":\"$entrez_id\"}", "variants": "get_gene_variants {\"entrez_id\":\"$entrez_id\"}"}, Also: []string{"section", "parts", "part", "fields"}},
			},
		}, func() GetGeneArgs {
			return GetGeneArgs{}
		}, h.GetGene),
		tool.New(tool.Definition{
			Name:         "get_pubmed_links",
			Title:        "Articles of a gene",
			Toolset:      "genes",
			Description:  "PMIDs of the articles that NCBI links to a gene, highest first, and their total. For its articles on a topic use searchPubMedArticles.",
			Schema:       schemas.ID("get_pubmed_links.output"),
			ListedInput:  schemas.Listed("get_pubmed_links.input"),
			ListedOutput: schemas.Listed("get_pubmed_links.output"),
			Also:         []string{"get_gene_articles", "get_gene_literature", "get_gene_publications", "get_gene_pmids", "entrez_get_pubmed_links"},
			Elsewhere: []tool.Elsewhere{
				{Tool: "getArticleRelationships", Argument: "sourcePmid", Needs: "", Names: []string{"pmid", "pubmed_id"}},
				{Tool: "searchPubMedArticles", Argument: "queryTerm", Needs: "queryTerm", Names: []string{"nct_id", "nct"}},
				{Tool: "search_genes", Argument: "organism", Needs: "query", Names: []string{"organism", "species", "taxon", "tax_id"}},
				{Tool: "search_genes", Argument: "query", Needs: "", Names: []string{"symbol", "gene_symbol", "gene_name", "name", "query", "term", "q", "search", "gene", "id", "ensembl_id", "uniprot_id", "transcript_id"}},
			},
			Arguments: []tool.Argument{
				{Name: "entrez_id", Description: "NCBI Gene id (search_genes)", Type: "string", MaxLength: 500, Required: true, Example: "NCBIGene:7157", Also: []string{"entrez", "entrez_ids", "gene", "gene_id", "gene_ids", "ncbi_gene_id", "id", "ids", "identifier", "curie", "uid"}},
				{Name: "limit", Description: "PMIDs per page", Type: "integer", Minimum: 1, Maximum: 1000, Also: []string{"page_size", "max", "max_results", "count", "size", "n", "num_results", "per_page", "retmax", "rows", "top"}},
				{Name: "generif", Description: "Only articles of GeneRIFs", Type: "boolean", Also: []string{"rif", "rifs", "generifs"}},
				{Name: "cursor", Description: "pagination.cursor", Type: "string", MaxLength: 4000, Also: []string{"page_token", "next_page_token", "next_cursor", "next"}, InsteadOf: []string{"page", "page_number", "page_no", "offset", "skip", "start", "retstart"}},
			},
		}, func() GetPubMedLinksArgs {
			return GetPubMedLinksArgs{Limit: 20, Generif: false}
		}, h.GetPubMedLinks),
		tool.New(tool.Definition{
			Name:         "get_gene_orthologs",
			Title:        "Orthologs of a gene",
			Toolset:      "genes",
			Description:  "Orthologs of one gene, from NCBI Datasets, with ids in Ensembl, UniProt, MGI and others.",
			Schema:       schemas.ID("get_gene_orthologs.output"),
			ListedInput:  schemas.Listed("get_gene_orthologs.input"),
			ListedOutput: schemas.Listed("get_gene_orthologs.output"),
			Also:         []string{"get_orthologs", "find_orthologs", "list_orthologs", "get_homologs", "get_gene_homologs", "gene_orthologs", "ncbi_orthologs"},
			Elsewhere: []tool.Elsewhere{
				{Tool: "search_genes", Argument: "query", Needs: "", Names: []string{"symbol", "gene_symbol", "gene_name", "name", "query", "term", "q", "search", "gene", "id", "ensembl_id", "uniprot_id", "transcript_id"}},
			},
			Arguments: []tool.Argument{
				{Name: "entrez_id", Description: "NCBI Gene id (search_genes)", Type: "string", MaxLength: 500, Required: true, Example: "NCBIGene:7157", Also: []string{"entrez", "entrez_ids", "gene", "gene_id", "gene_ids", "ncbi_gene_id", "id", "ids", "identifier", "curie", "uid"}},
				{Name: "organism", Description: "Names or taxids, also of groups: mammals", Type: "string", List: true, MaxItems: 20, MaxLength: 2000, Example: "mouse", Also: []string{"organisms", "organism_name", "species", "taxon", "taxa", "taxon_id", "tax_id", "taxonomy", "target_species", "target_organism", "to"}},
				{Name: "page_size", Description: "Rows", Type: "integer", Minimum: 1, Maximum: 200, Also: []string{"limit", "max", "max_results", "max_records", "count", "size", "n", "num_results", "per_page", "results_per_page", "retmax", "rows", "top", "top_k"}},
				{Name: "cursor", Description: "pagination.cursor", Type: "string", MaxLength: 4000, Also: []string{"page_token", "next_page_token", "next_cursor", "next"}, InsteadOf: []string{"page", "page_number", "page_no", "offset", "skip", "start", "retstart"}},
			},
		}, func() GetGeneOrthologsArgs {
			return GetGeneOrthologsArgs{PageSize: 50}
		}, h.GetGeneOrthologs),
		tool.New(tool.Definition{
			Name:         "get_gene_transcripts",
			Title:        "Transcripts of a gene",
			Toolset:      "genes",
			Description:  "RefSeq transcripts of one gene, with Ensembl transcripts, proteins, lengths, coding regions and exons; MANE Select first.",
			Schema:       schemas.ID("get_gene_transcripts.output"),
			ListedInput:  schemas.Listed("get_gene_transcripts.input"),
			ListedOutput: schemas.Listed("get_gene_transcripts.output"),
			Also:         []string{"get_transcripts", "list_transcripts", "get_isoforms", "get_gene_isoforms", "get_gene_products", "get_exons", "get_mane_select", "gene_transcripts"},
			Elsewhere: []tool.Elsewhere{
				{Tool: "search_genes", Argument: "organism", Needs: "query", Names: []string{"organism", "species", "taxon", "tax_id"}},
				{Tool: "search_genes", Argument: "query", Needs: "", Names: []string{"symbol", "gene_symbol", "gene_name", "name", "query", "term", "q", "search", "gene", "id", "ensembl_id", "uniprot_id", "transcript_id"}},
			},
			Arguments: []tool.Argument{
				{Name: "entrez_id", Description: "NCBI Gene id (search_genes)", Type: "string", MaxLength: 500, Required: true, Example: "NCBIGene:7157", Also: []string{"entrez", "entrez_ids", "gene", "gene_id", "gene_ids", "ncbi_gene_id", "id", "ids", "identifier", "curie", "uid"}},
				{Name: "page_size", Description: "Rows", Type: "integer", Minimum: 1, Maximum: 200, Also: []string{"limit", "max", "max_results", "max_records", "count", "size", "n", "num_results", "per_page", "results_per_page", "retmax", "rows", "top", "top_k"}},
				{Name: "cursor", Description: "pagination.cursor", Type: "string", MaxLength: 4000, Also: []string{"page_token", "next_page_token", "next_cursor", "next"}, InsteadOf: []string{"page", "page_number", "page_no", "offset", "skip", "start", "retstart"}},
			},
		}, func() GetGeneTranscriptsArgs {
			return GetGeneTranscriptsArgs{PageSize: 10}
		}, h.GetGeneTranscripts),
		tool.New(tool.Definition{
			Name:         "get_gene_variants",
			Title:        "Variants of a gene",
			Toolset:      "genes",
			Description:  "ClinVar variants of a human gene: counts by germline classification and review status, and records with conditions.",
			Schema:       schemas.ID("get_gene_variants.output"),
			ListedInput:  schemas.Listed("get_gene_variants.input"),
			ListedOutput: schemas.Listed("get_gene_variants.output"),
			Also:         []string{"get_variants", "list_gene_variants", "get_clinvar_variants", "search_clinvar", "clinvar_search", "clinvar", "get_gene_clinvar"},
			Elsewhere: []tool.Elsewhere{
				{Tool: "fetchArticleDetails", Argument: "pmids", Needs: "pmids", Names: []string{"pmid", "pmids", "pubmed_id"}},
				{Tool: "searchPubMedArticles", Argument: "queryTerm", Needs: "queryTerm", Names: []string{"rsid", "snp", "dbsnp"}},
				{Tool: "search_genes", Argument: "organism", Needs: "query", Names: []string{"organism", "species", "taxon", "tax_id"}},
				{Tool: "search_genes", Argument: "query", Needs: "", Names: []string{"symbol", "gene_symbol", "gene_name", "name", "query", "term", "q", "search", "gene", "id", "ensembl_id", "uniprot_id", "transcript_id"}},
			},
			Arguments: []tool.Argument{
				{Name: "entrez_id", Description: "NCBI Gene id (search_genes)", Type: "string", MaxLength: 500, Required: true, Example: "NCBIGene:7157", Also: []string{"entrez", "entrez_ids", "gene", "gene_id", "gene_ids", "ncbi_gene_id", "id", "ids", "identifier", "curie", "uid"}},
				{Name: "significance", Description: "Germline classification", Type: "string", List: true, Example: "pathogenic", Words: []string{"pathogenic", "likely_pathogenic", "uncertain_significance", "likely_benign", "benign", "conflicting"}, Means: map[string][]string{"b": []string{"benign"}, "b/lb": []string{"likely_benign", "benign"}, "benign/likely benign": []string{"likely_benign", "benign"}, "conflict": []string{"conflicting"}, "conflicting classifications": []string{"conflicting"}, "conflicting classifications of pathogenicity": []string{"conflicting"}, "conflicting interpretations": []string{"conflicting"}, "conflicting interpretations of pathogenicity": []string{"conflicting"}, "conflicts": []string{"conflicting"}, "lb": []string{"likely_benign"}, "lp": []string{"likely_pathogenic"}, "p": []string{"pathogenic"}, "p/lp": []string{"pathogenic", "likely_pathogenic"}, "pathogenic/likely pathogenic": []string{"pathogenic", "likely_pathogenic"}, "uncertain": []string{"uncertain_significance"}, "unknown significance": []string{"uncertain_significance"}, "variant of uncertain significance": []string{"uncertain_significance"}, "variants of uncertain significance": []string{"uncertain_significance"}, "vous": []string{"uncertain_significance"}, "vus": []string{"uncertain_significance"}}, Also: []string{"clinical_significance", "classification", "clinsig", "pathogenicity", "class"}},
				{Name: "variant", Description: "R175H, p.Arg175His or c.524G>A", Type: "string", MaxLength: 200, Example: "R175H", Also: []string{"variants", "change", "mutation", "mutations", "variation", "allele", "hgvs", "protein_change", "amino_acid_change", "variant_name"}},
				{Name: "page_size", Description: "Rows", Type: "integer", Minimum: 1, Maximum: 200, Also: []string{"limit", "max", "max_results", "max_records", "count", "size", "n", "num_results", "per_page", "results_per_page", "retmax", "rows", "top", "top_k"}},
				{Name: "cursor", Description: "pagination.cursor", Type: "string", MaxLength: 4000, Also: []string{"page_token", "next_page_token", "next_cursor", "next"}, InsteadOf: []string{"page", "page_number", "page_no", "offset", "skip", "start", "retstart"}},
			},
		}, func() GetGeneVariantsArgs {
			return GetGeneVariantsArgs{PageSize: 20}
		}, h.GetGeneVariants),
		tool.New(tool.Definition{
			Name:         "searchPubMedArticles",
			Title:        "Search PubMed",
			Toolset:      "articles",
			Description:  "Find articles in PubMed: PMIDs, their total and, on request, summaries; read them with fetchArticleDetails. Entrez syntax acts: OR, NOT, \"phrases\", asthma[mh], NCT00461032[si].",
			Schema:       schemas.ID("searchPubMedArticles.output"),
			ListedInput:  schemas.Listed("searchPubMedArticles.input"),
			ListedOutput: schemas.Listed("searchPubMedArticles.output"),
			Also:         []string{"search_pubmed", "search_articles", "search_publications", "search_papers", "search_literature", "pubmed_search", "pubmed_search_articles", "article_searcher", "advanced_search", "esearch"},
			InsteadOf:    []string{"search", "pubmed_europepmc_search"},
			Elsewhere: []tool.Elsewhere{
				{Tool: "fetchArticleDetails", Argument: "pmids", Needs: "pmids", Names: []string{"pmid", "pmids", "pubmed_id", "id", "ids", "uid"}},
			},
			Arguments: []tool.Argument{
				{Name: "queryTerm", Description: "Words or an Entrez query", Type: "string", MinLength: 3, MaxLength: 20000, Required: true, Either: true, Example: "nivolumab melanoma", Also: []string{"query", "q", "term", "terms", "text", "search", "search_term", "search_query", "keyword", "keywords", "topic", "doi", "pmcid", "title"}, Tags: []tool.Tag{{Tag: "1au", Names: []string{"first_author"}}, {Tag: "ad", Names: []string{"affiliation", "institution"}}, {Tag: "au", Names: []string{"author", "authors"}}, {Tag: "la", Names: []string{"language"}}, {Tag: "mh", Names: []string{"mesh", "mesh_terms"}}, {Tag: "si", Names: []string{"nct_id", "nct"}}, {Tag: "ta", Names: []string{"journal"}}, {Tag: "words", Names: []string{"disease", "condition", "drug", "gene", "variant", "mutation", "species", "organism"}}}},
				{Name: "maxResults", Description: "PMIDs per page", Type: "integer", Minimum: 1, Maximum: 1000, Also: []string{"limit", "max", "max_records", "count", "size", "n", "num_results", "page_size", "per_page", "retmax", "rows", "top", "top_k"}},
				{Name: "sortBy", Description: "Order; pub_date is newest first", Type: "string", Words: []string{"relevance", "pub_date", "author", "journal_name"}, Means: map[string][]string{"best match": []string{"relevance"}, "date": []string{"pub_date"}, "latest": []string{"pub_date"}, "most recent": []string{"pub_date"}, "newest": []string{"pub_date"}, "publication date": []string{"pub_date"}, "recent": []string{"pub_date"}}, Also: []string{"sort", "sort_order", "order", "order_by"}},
				{Name: "dateRange", Description: "Dates of the articles", Type: "object", Example: "{\"maxDate\":\"2024/06\",\"minDate\":\"2020\"}", Also: []string{"dates", "date_filter", "date", "year", "years"}, Fields: []tool.Argument{
					{Name: "minDate", Description: "YYYY or YYYY/MM/DD", Type: "string", MaxLength: 2000, Also: []string{"min", "from", "from_date", "date_from", "start", "start_date", "published_after"}},
					{Name: "maxDate", Description: "YYYY or YYYY/MM/DD", Type: "string", MaxLength: 2000, Also: []string{"max", "to", "to_date", "date_to", "until", "end", "end_date", "published_before"}},
					{Name: "dateType", Description: "pdat: publication, mdat: change, edat: entry", Type: "string", Words: []string{"pdat", "mdat", "edat"}, Means: map[string][]string{"entry": []string{"edat"}, "modification": []string{"mdat"}, "modified": []string{"mdat"}, "publication": []string{"pdat"}, "published": []string{"pdat"}}, Also: []string{"type", "kind"}},
				}},
				{Name: "filterByPublicationTypes", Description: "Such as Review, Randomized Controlled Trial", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "Review", Also: []string{"publication_types", "publication_type", "pub_types", "pub_type", "article_types", "article_type"}},
				{Name: "openAccess", Description: "Only articles with open access in PMC", Type: "boolean", Also: []string{"oa", "is_open_access", "open"}},
				{Name: "cursor", Description: "pagination.cursor; past 9,999 omit sortBy", Type: "string", MaxLength: 4000, Also: []string{"page_token", "next_page_token", "next_cursor", "next"}, InsteadOf: []string{"page", "page_number", "page_no", "offset", "skip", "start", "retstart"}, Skips: 9998},
				{Name: "fetchBriefSummaries", Description: "Number of summaries", Type: "integer", Minimum: 0, Maximum: 100, Also: []string{"brief_summaries", "summaries", "summary_count"}},
			},
		}, func() SearchPubMedArticlesArgs {
			return SearchPubMedArticlesArgs{MaxResults: 20, SortBy: "relevance", DateRange: SearchPubMedArticlesDateRange{DateType: "pdat"}, OpenAccess: false, FetchBriefSummaries: 0}
		}, h.SearchPubMedArticles),
		tool.New(tool.Definition{
			Name:         "countArticles",
			Title:        "Count articles",
			Toolset:      "articles",
			Description:  "Count PubMed articles of a query, also by year or type. compare counts other queries: alone, ANDed with queryTerm, all ORed.",
			Schema:       schemas.ID("countArticles.output"),
			ListedInput:  schemas.Listed("countArticles.input"),
			ListedOutput: schemas.Listed("countArticles.output"),
			Also:         []string{"count_publications", "get_article_count", "article_counts", "pubmed_count", "publications_by_year", "publication_trend", "compare_queries"},
			Arguments: []tool.Argument{
				{Name: "queryTerm", Description: "Words or an Entrez query", Type: "string", MinLength: 3, MaxLength: 20000, Required: true, Either: true, Example: "nivolumab melanoma", Also: []string{"query", "q", "term", "terms", "text", "search", "search_term", "search_query", "keyword", "keywords", "topic"}, Tags: []tool.Tag{{Tag: "au", Names: []string{"author", "authors"}}, {Tag: "la", Names: []string{"language"}}, {Tag: "mh", Names: []string{"mesh", "mesh_terms"}}, {Tag: "pt", Names: []string{"filterByPublicationTypes", "publication_types", "publication_type", "article_type"}}, {Tag: "ta", Names: []string{"journal"}}, {Tag: "words", Names: []string{"disease", "condition", "drug", "gene", "species", "organism"}}}},
				{Name: "by", Description: "Groups; without it the total", Type: "string", Words: []string{"year", "publicationType"}, Means: map[string][]string{"publication year": []string{"year"}, "type": []string{"publicationType"}, "types": []string{"publicationType"}, "years": []string{"year"}}, Also: []string{"group_by", "facet", "breakdown", "count_by", "dimension"}},
				{Name: "dateRange", Description: "Dates of the articles", Type: "object", Example: "{\"maxDate\":\"2024\",\"minDate\":\"2015\"}", Also: []string{"dates", "date_filter", "date", "year", "years"}, Fields: []tool.Argument{
					{Name: "minDate", Description: "YYYY or YYYY/MM/DD", Type: "string", MaxLength: 2000, Also: []string{"min", "from", "from_date", "date_from", "start", "start_date", "published_after"}},
					{Name: "maxDate", Description: "YYYY or YYYY/MM/DD", Type: "string", MaxLength: 2000, Also: []string{"max", "to", "to_date", "date_to", "until", "end", "end_date", "published_before"}},
					{Name: "dateType", Description: "pdat: publication, mdat: change, edat: entry", Type: "string", Words: []string{"pdat", "mdat", "edat"}, Means: map[string][]string{"entry": []string{"edat"}, "modification": []string{"mdat"}, "modified": []string{"mdat"}, "publication": []string{"pdat"}, "published": []string{"pdat"}}, Also: []string{"type", "kind"}},
				}},
				{Name: "compare", Description: "Other queries", Type: "string", List: true, MaxItems: 5, MinLength: 3, MaxLength: 20000, Example: "ipilimumab melanoma", Also: []string{"compare_with", "compare_to", "other_queries", "queries", "against", "versus", "vs"}},
			},
		}, func() CountArticlesArgs {
			return CountArticlesArgs{DateRange: CountArticlesDateRange{DateType: "pdat"}}
		}, h.CountArticles),
		tool.New(tool.Definition{
			Name:         "fetchArticleDetails",
			Title:        "Read articles",
			Toolset:      "articles",
			Description:  "Records of articles by PMID, such as a trial's cross_references.pubmed: abstract, authors, journal, MeSH, DOI, retractions, nctIds.",
			Schema:       schemas.ID("fetchArticleDetails.output"),
			ListedInput:  schemas.Listed("fetchArticleDetails.input"),
			ListedOutput: schemas.Listed("fetchArticleDetails.output"),
			Also:         []string{"get_article", "get_articles", "get_article_details", "get_publication", "get_publications", "get_paper", "get_abstract", "fetch_article", "fetch_articles", "read_article", "pubmed_fetch_articles", "pubmed_fetch_contents", "get_article_metadata", "article_getter", "efetch"},
			InsteadOf:    []string{"fetch"},
			Elsewhere: []tool.Elsewhere{
				{Tool: "convertArticleIds", Argument: "ids", Needs: "ids", Names: []string{"dois", "pmcids"}},
				{Tool: "searchPubMedArticles", Argument: "queryTerm", Needs: "queryTerm", Names: []string{"doi", "pmcid", "pmc", "nct_id", "query", "term", "q", "search", "title"}},
			},
			Arguments: []tool.Argument{
				{Name: "pmids", Description: "PMIDs", Type: "string", List: true, MaxItems: 200, MaxLength: 4000, Required: true, Example: "26027431", Also: []string{"pmid", "pubmed_id", "pubmed_ids", "id", "ids", "uid", "uids", "article_id", "article_ids", "source_pmid"}},
				{Name: "detailLevel", Description: "abstract_plus: complete; abstract: short; full_xml, medline_text: texts; citation_data: to cite", Type: "string", Words: []string{"abstract_plus", "abstract", "full_xml", "medline_text", "citation_data"}, Means: map[string][]string{"complete": []string{"abstract_plus"}, "summary": []string{"abstract"}}, Answered: map[string]string{"bibtex": "getArticleRelationships {\"sourcePmid\":\"$pmids\",\"relationshipType\":\"citation_formats\",\"citationStyles\":[\"bibtex\"]}", "full text": "getArticleFullText {\"id\":\"$pmids\"}", "references": "getArticleRelationships {\"sourcePmid\":\"$pmids\",\"relationshipType\":\"pubmed_references\"}", "ris": "getArticleRelationships {\"sourcePmid\":\"$pmids\",\"relationshipType\":\"citation_formats\",\"citationStyles\":[\"ris\"]}"}, Also: []string{"detail", "details", "level", "format", "rettype"}},
				{Name: "includeMeshTerms", Description: "With MeSH terms; not with abstract", Type: "boolean", Also: []string{"include_mesh", "mesh"}},
				{Name: "includeGrantInfo", Description: "With grants (abstract_plus)", Type: "boolean", Also: []string{"include_grants", "grants"}},
			},
		}, func() FetchArticleDetailsArgs {
			return FetchArticleDetailsArgs{DetailLevel: "abstract_plus", IncludeMeshTerms: true, IncludeGrantInfo: false}
		}, h.FetchArticleDetails),
		tool.New(tool.Definition{
			Name:         "getArticleFullText",
			Title:        "Read a full text",
			Toolset:      "articles",
			Description:  "Full text of an article: outline, sections, tables, references, license. Call long ones with outlineOnly, then sections. availability says if only the abstract may be read.",
			Schema:       schemas.ID("getArticleFullText.output"),
			ListedInput:  schemas.Listed("getArticleFullText.input"),
			ListedOutput: schemas.Listed("getArticleFullText.output"),
			Page:         "article",
			Also:         []string{"get_full_text", "get_full_text_article", "fetch_fulltext", "read_full_text", "pubmed_fetch_fulltext", "get_article_text", "get_pmc_article", "fetch_pmc_article", "get_paper_text", "download_paper"},
			Elsewhere: []tool.Elsewhere{
				{Tool: "searchPubMedArticles", Argument: "queryTerm", Needs: "queryTerm", Names: []string{"query", "term", "q", "search", "title"}},
			},
			Arguments: []tool.Argument{
				{Name: "id", Description: "PMID, PMCID or DOI", Type: "string", MaxLength: 500, Required: true, Example: "PMC7383595", Also: []string{"pmid", "pmids", "pmcid", "pmcids", "pmc", "doi", "ids", "uid", "article_id", "identifier", "paper_id"}},
				{Name: "sections", Description: "Outline ids, kinds such as methods, or words of titles", Type: "string", List: true, MaxItems: 50, MaxLength: 2000, Example: "methods", Also: []string{"section", "section_ids", "section_id", "headings"}},
				{Name: "include", Description: "Default all, but no references with sections", Type: "string", List: true, Words: []string{"text", "tables", "figures", "supplements", "references"}, Also: []string{"parts", "part", "includes", "fields"}},
				{Name: "tableFormat", Description: "csv: tables as CSV", Type: "string", Words: []string{"json", "csv"}, Also: []string{"tables_as"}},
				{Name: "outlineOnly", Description: "Only ids, license and outline", Type: "boolean", Also: []string{"outline", "toc", "headings_only"}},
				{Name: "maxBytes", Description: "Bytes of the answer", Type: "integer", Minimum: 4000, Maximum: 400000, Also: []string{"max_chars", "maxCharacters", "max_length", "limit", "budget"}},
				{Name: "cursor", Description: "pagination.cursor", Type: "string", MaxLength: 4000, Also: []string{"page_token", "next_page_token", "next_cursor", "next"}, InsteadOf: []string{"page", "page_number", "page_no", "offset", "skip", "start", "retstart"}},
			},
		}, func() GetArticleFullTextArgs {
			return GetArticleFullTextArgs{OutlineOnly: false, MaxBytes: 60000}
		}, h.GetArticleFullText),
		tool.New(tool.Definition{
			Name:         "convertArticleIds",
			Title:        "Convert article ids",
			Toolset:      "articles",
			Description:  "PMID, PMCID, DOI and manuscript id of up to 200 articles, found by any of these.",
			Schema:       schemas.ID("convertArticleIds.output"),
			ListedInput:  schemas.Listed("convertArticleIds.input"),
			ListedOutput: schemas.Listed("convertArticleIds.output"),
			Also:         []string{"convert_ids", "id_converter", "idconv", "pmc_id_converter", "pubmed_convert_ids", "convert_pmid", "pmid_to_pmcid", "doi_to_pmid", "pmcid_to_pmid"},
			Elsewhere: []tool.Elsewhere{
				{Tool: "searchPubMedArticles", Argument: "queryTerm", Needs: "queryTerm", Names: []string{"query", "term", "q", "search", "title", "nct_id"}},
			},
			Arguments: []tool.Argument{
				{Name: "ids", Description: "Ids, mixed", Type: "string", List: true, MaxItems: 200, MaxLength: 20000, Required: true, Example: "PMC7383595", Also: []string{"id", "pmid", "pmids", "pmcid", "pmcids", "doi", "dois", "identifiers", "article_ids"}},
			},
		}, func() ConvertArticleIdsArgs {
			return ConvertArticleIdsArgs{}
		}, h.ConvertArticleIds),
		tool.New(tool.Definition{
			Name:         "lookupMesh",
			Title:        "Look up MeSH",
			Toolset:      "articles",
			Description:  "MeSH terms by words or id: names, meaning, broader and narrower terms, number of articles, and the query for searchPubMedArticles.",
			Schema:       schemas.ID("lookupMesh.output"),
			ListedInput:  schemas.Listed("lookupMesh.input"),
			ListedOutput: schemas.Listed("lookupMesh.output"),
			Also:         []string{"mesh", "search_mesh", "mesh_lookup", "get_mesh", "get_mesh_terms", "pubmed_lookup_mesh", "find_mesh_term", "mesh_search"},
			Arguments: []tool.Argument{
				{Name: "query", Description: "Words, id or tree number", Type: "string", MinLength: 2, MaxLength: 300, Required: true, Example: "asthma", Also: []string{"term", "terms", "q", "text", "disease", "condition", "keyword", "word", "words", "name", "heading", "mesh_id", "mesh_term", "id", "tree_number", "descriptor"}},
			},
		}, func() LookupMeshArgs {
			return LookupMeshArgs{}
		}, h.LookupMesh),
		tool.New(tool.Definition{
			Name:         "matchCitations",
			Title:        "Match citations",
			Toolset:      "articles",
			Description:  "Find the PMIDs of up to 50 citations, each as text or fields, and check each against its record: differs names the fields that differ, retracted marks retracted articles.",
			Schema:       schemas.ID("matchCitations.output"),
			ListedInput:  schemas.Listed("matchCitations.input"),
			ListedOutput: schemas.Listed("matchCitations.output"),
			Also:         []string{"match_citation", "citation_matcher", "pubmed_citation_matcher", "ecitmatch", "lookup_citation", "lookup_citations", "pubmed_lookup_citation", "lookup_article_by_citation", "verify_citations", "check_citations", "check_references", "resolve_references"},
			Elsewhere: []tool.Elsewhere{
				{Tool: "convertArticleIds", Argument: "ids", Needs: "ids", Names: []string{"ids", "pmids", "dois"}},
				{Tool: "searchPubMedArticles", Argument: "queryTerm", Needs: "queryTerm", Names: []string{"query", "term", "q", "search"}},
			},
			Arguments: []tool.Argument{
				{Name: "citations", Description: "Texts or fields", Type: "object", List: true, MaxItems: 50, Required: true, Example: "[{\"text\":\"Husain, Lancet 394:121 (2019)\"}]", Also: []string{"citation", "references", "reference", "refs", "bibliography", "items"}, TextField: "text", Fields: []tool.Argument{
					{Name: "text", Description: "Complete, or a record of RIS, NBIB or BibTeX", Type: "string", MaxLength: 20000, Example: "Husain, Lancet 394:121 (2019)", Also: []string{"raw", "ref", "citation_text", "citation_string", "reference_text", "unstructured", "pmid", "pubmed_id"}},
					{Name: "journal", Description: "Title or abbreviation", Type: "string", MaxLength: 300, Example: "Lancet", Also: []string{"journal_title", "journal_name", "source", "container_title"}},
					{Name: "year", Description: "Year", Type: "string", MaxLength: 30, Example: "2019", Also: []string{"date", "pub_year", "publication_year", "pubdate"}},
					{Name: "volume", Description: "Volume", Type: "string", MaxLength: 30, Example: "394", Also: []string{"vol"}},
					{Name: "firstPage", Description: "First page or article number", Type: "string", MaxLength: 40, Example: "121", Also: []string{"page", "pages", "start_page", "page_first", "article_number"}},
					{Name: "author", Description: "First author", Type: "string", MaxLength: 500, Example: "Husain M", Also: []string{"authors", "author_name", "first_author"}},
					{Name: "title", Description: "Title of the article", Type: "string", MaxLength: 1000, Example: "Nivolumab in melanoma", Also: []string{"article_title"}},
					{Name: "doi", Description: "DOI", Type: "string", MaxLength: 500, Example: "10.1056/NEJMoa1504030"},
				}},
			},
		}, func() MatchCitationsArgs {
			return MatchCitationsArgs{}
		}, h.MatchCitations),
		tool.New(tool.Definition{
			Name:         "getArticleRelationships",
			Title:        "Related articles, citations",
			Toolset:      "articles",
			Description:  "Similar articles of one PMID, articles that cite it, or its references; or citations of up to 50 PMIDs as RIS, BibTeX, APA and others.",
			Schema:       schemas.ID("getArticleRelationships.output"),
			ListedInput:  schemas.Listed("getArticleRelationships.input"),
			ListedOutput: schemas.Listed("getArticleRelationships.output"),
			Also:         []string{"get_related_articles", "find_related", "find_related_articles", "get_similar_articles", "get_citations", "get_cited_by", "get_references", "get_citing_articles", "format_citation", "format_citations", "pubmed_find_related", "pubmed_format_citations"},
			Elsewhere: []tool.Elsewhere{
				{Tool: "searchPubMedArticles", Argument: "queryTerm", Needs: "queryTerm", Names: []string{"doi", "pmcid", "pmc", "nct_id", "query", "term", "q", "search", "title"}},
			},
			Arguments: []tool.Argument{
				{Name: "sourcePmid", Description: "PMID", Type: "string", MaxLength: 500, Example: "26027431", Also: []string{"pmid", "pubmed_id", "id", "uid", "article_id"}},
				{Name: "sourcePmids", Description: "PMIDs to cite", Type: "string", List: true, MaxItems: 50, MaxLength: 500, Example: "26027431", Also: []string{"pmids", "ids", "uids", "pubmed_ids", "article_ids"}},
				{Name: "relationshipType", Description: "Default similar", Type: "string", Words: []string{"pubmed_similar_articles", "pubmed_citedin", "pubmed_references", "citation_formats"}, Means: map[string][]string{"citations": []string{"pubmed_citedin"}, "cited by": []string{"pubmed_citedin"}, "citing": []string{"pubmed_citedin"}, "references": []string{"pubmed_references"}, "related": []string{"pubmed_similar_articles"}, "similar": []string{"pubmed_similar_articles"}}, Answered: map[string]string{"ama": "getArticleRelationships {\"sourcePmid\":\"$sourcePmid\",\"relationshipType\":\"citation_formats\",\"citationStyles\":[\"ama\"]}", "apa": "getArticleRelationships {\"sourcePmid\":\"$sourcePmid\",\"relationshipType\":\"citation_formats\",\"citationStyles\":[\"apa_string\"]}", "bibtex": "getArticleRelationships {\"sourcePmid\":\"$sourcePmid\",\"relationshipType\":\"citation_formats\",\"citationStyles\":[\"bibtex\"]}", "csl": "getArticleRelationships {\"sourcePmid\":\"$sourcePmid\",\"relationshipType\":\"citation_formats\",\"citationStyles\":[\"csl_json\"]}", "genes": "search_genes {\"pmid\":\"$sourcePmid\"}", "mla": "getArticleRelationships {\"sourcePmid\":\"$sourcePmid\",\"relationshipType\":\"citation_formats\",\"citationStyles\":[\"mla_string\"]}", "nbib": "getArticleRelationships {\"sourcePmid\":\"$sourcePmid\",\"relationshipType\":\"citation_formats\",\"citationStyles\":[\"nbib\"]}", "ris": "getArticleRelationships {\"sourcePmid\":\"$sourcePmid\",\"relationshipType\":\"citation_formats\",\"citationStyles\":[\"ris\"]}", "vancouver": "getArticleRelationships {\"sourcePmid\":\"$sourcePmid\",\"relationshipType\":\"citation_formats\",\"citationStyles\":[\"vancouver\"]}"}, Also: []string{"relationship", "relation", "link_type", "type"}},
				{Name: "maxRelatedResults", Description: "Articles", Type: "integer", Minimum: 1, Maximum: 50, Also: []string{"limit", "max", "max_results", "maxRelated", "count", "n", "num_results", "page_size", "retmax", "top"}},
				{Name: "citationStyles", Description: "To cite; default ris", Type: "string", List: true, Words: []string{"ris", "bibtex", "apa_string", "mla_string", "vancouver", "ama", "nbib", "csl_json"}, Means: map[string][]string{"apa": []string{"apa_string"}, "csl": []string{"csl_json"}, "endnote": []string{"ris"}, "mla": []string{"mla_string"}, "nlm": []string{"vancouver"}}, Also: []string{"citation_style", "style", "styles", "format", "formats"}},
				{Name: "cursor", Description: "pagination.cursor", Type: "string", MaxLength: 4000, Also: []string{"page_token", "next_page_token", "next_cursor", "next"}, InsteadOf: []string{"page", "page_number", "page_no", "offset", "skip", "start", "retstart"}},
			},
		}, func() GetArticleRelationshipsArgs {
			return GetArticleRelationshipsArgs{MaxRelatedResults: 5}
		}, h.GetArticleRelationships),
		tool.New(tool.Definition{
			Name:         "search_drugs",
			Title:        "Search drugs",
			Toolset:      "drugs",
			Description:  "Find drugs in the USA (openFDA) by brand, substance, code or former name, such as an intervention of get_trial; or drugs whose labels cite a trial (nct_id). Read one with get_drug.",
			Schema:       schemas.ID("search_drugs.output"),
			ListedInput:  schemas.Listed("search_drugs.input"),
			ListedOutput: schemas.Listed("search_drugs.output"),
			Also:         []string{"search_drug", "find_drug", "find_drugs", "drug_search", "lookup_drug", "search_fda", "openfda_search", "openfda_search_drug_approvals", "openfda_search_drug_labels", "search_labels", "drug_getter", "search_rxnorm"},
			Elsewhere: []tool.Elsewhere{
				{Tool: "get_drug", Argument: "drug_id", Needs: "drug_id", Names: []string{"unii", "rxcui", "ndc", "set_id", "spl_set_id", "application_number", "drug_id", "id"}},
				{Tool: "get_gene", Argument: "entrez_id", Needs: "entrez_id", Names: []string{"entrez_id", "gene_id"}},
				{Tool: "search_genes", Argument: "query", Needs: "", Names: []string{"gene", "gene_symbol", "symbol", "target", "biomarker"}},
				{Tool: "search_trials", Argument: "condition", Needs: "", Names: []string{"condition", "disease", "indication"}},
			},
			Arguments: []tool.Argument{
				{Name: "query", Description: "Brand, substance, code", Type: "string", MaxLength: 500, Required: true, Or: []string{"nct_id"}, Example: "MK-3475", Also: []string{"q", "term", "text", "search", "name", "drug", "drug_name", "intervention", "brand", "brand_name", "generic", "generic_name", "substance", "ingredient", "active_ingredient", "medication"}},
				{Name: "nct_id", Description: "Labels that cite this trial", Type: "string", MaxLength: 500, Example: "NCT:02142738", Also: []string{"nct", "nct_number", "trial", "trial_id"}},
				{Name: "page_size", Description: "Rows", Type: "integer", Minimum: 1, Maximum: 50, Also: []string{"limit", "max", "max_results", "max_records", "count", "size", "n", "num_results", "per_page", "results_per_page", "retmax", "rows", "top", "top_k"}},
				{Name: "cursor", Description: "pagination.cursor", Type: "string", MaxLength: 4000, Also: []string{"page_token", "next_page_token", "next_cursor", "next"}, InsteadOf: []string{"page", "page_number", "page_no", "offset", "skip", "start", "retstart"}},
			},
		}, func() SearchDrugsArgs {
			return SearchDrugsArgs{PageSize: 10}
		}, h.SearchDrugs),
		tool.New(tool.Definition{
			Name:         "get_drug",
			Title:        "Read a drug",
			Toolset:      "drugs",
			Description:  "One drug by id (search_drugs): label, approvals, NCT ids that the label cites (their results: get_trial_results with nct_ids). sections: keys of the label, approvals, labels, shortages, recalls.",
			Schema:       schemas.ID("get_drug.output"),
			ListedInput:  schemas.Listed("get_drug.input"),
			ListedOutput: schemas.Listed("get_drug.output"),
			Page:         "drug",
			Also:         []string{"get_drug_label", "get_label", "drug_label", "get_drug_info", "get_drug_details", "drug_profile", "get_drug_approvals", "get_approvals", "fetch_drug", "openfda_get_drug_label", "openfda_drug_profile", "get_drug_shortages", "get_drug_recalls"},
			Elsewhere: []tool.Elsewhere{
				{Tool: "search_drugs", Argument: "nct_id", Needs: "query", Names: []string{"nct_id", "nct"}},
				{Tool: "search_drugs", Argument: "query", Needs: "query", Names: []string{"query", "q", "term", "name", "drug_name", "brand", "brand_name", "generic_name", "substance"}},
			},
			Arguments: []tool.Argument{
				{Name: "drug_id", Description: "UNII, NDA/ANDA/BLA, set id, RXCUI, NDC", Type: "string", MaxLength: 500, Required: true, Example: "UNII:DPT0O3T46P", Also: []string{"id", "ids", "unii", "rxcui", "ndc", "set_id", "spl_set_id", "application_number", "application", "identifier", "curie", "drug"}},
				{Name: "sections", Description: "Default: warning, indications, applications", Type: "string", List: true, MaxItems: 30, MaxLength: 200, Example: "adverse_reactions", Also: []string{"section", "parts", "part", "fields"}},
			},
		}, func() GetDrugArgs {
			return GetDrugArgs{}
		}, h.GetDrug),
		tool.New(tool.Definition{
			Name:         "count_drug_events",
			Title:        "Count reports of side effects",
			Toolset:      "drugs",
			Description:  "Count reports of side effects of a drug (FAERS), by reaction, year or another field. Reports prove no cause and no frequency.",
			Schema:       schemas.ID("count_drug_events.output"),
			ListedInput:  schemas.Listed("count_drug_events.input"),
			ListedOutput: schemas.Listed("count_drug_events.output"),
			Page:         "reports",
			Also:         []string{"count_adverse_events", "search_adverse_events", "drug_adverse_events", "drug_side_effects", "get_drug_events", "count_faers", "faers", "openfda_search_adverse_events", "openfda_count_values"},
			Elsewhere: []tool.Elsewhere{
				{Tool: "search_drugs", Argument: "query", Needs: "query", Names: []string{"query", "q", "term", "name", "drug_name", "brand", "brand_name", "generic_name", "substance"}},
			},
			Arguments: []tool.Argument{
				{Name: "drug_id", Description: "UNII, NDA/ANDA/BLA, set id, RXCUI, NDC", Type: "string", MaxLength: 500, Required: true, Example: "UNII:DPT0O3T46P", Also: []string{"id", "ids", "unii", "rxcui", "ndc", "set_id", "spl_set_id", "application_number", "application", "identifier", "curie", "drug"}},
				{Name: "by", Description: "Groups", Type: "string", Words: []string{"reaction", "year", "sex", "age_group", "serious", "outcome", "country", "reporter"}, Means: map[string][]string{"adverse event": []string{"reaction"}, "age": []string{"age_group"}, "countries": []string{"country"}, "date": []string{"year"}, "event": []string{"reaction"}, "gender": []string{"sex"}, "outcomes": []string{"outcome"}, "qualification": []string{"reporter"}, "reactions": []string{"reaction"}, "reporters": []string{"reporter"}, "seriousness": []string{"serious"}, "time": []string{"year"}, "years": []string{"year"}}, Also: []string{"group_by", "field", "facet", "count_by", "breakdown", "count"}},
				{Name: "reaction", Description: "MedDRA term", Type: "string", MaxLength: 200, Example: "Hepatotoxicity", Also: []string{"event", "adverse_event", "side_effect", "symptom", "meddra", "meddra_term"}},
				{Name: "serious", Description: "Only serious ones or others", Type: "boolean", Also: []string{"is_serious", "seriousness", "serious_only"}},
				{Name: "date_range", Description: "Received", Type: "string", MaxLength: 200, Range: true, Example: "since 2018", Also: []string{"dates", "date", "years", "received", "received_date", "period"}},
				{Name: "top", Description: "Most groups; years are complete", Type: "integer", Minimum: 1, Maximum: 100, Also: []string{"limit", "max", "page_size", "max_groups"}},
			},
		}, func() CountDrugEventsArgs {
			return CountDrugEventsArgs{By: "reaction", Top: 15}
		}, h.CountDrugEvents),
		tool.New(tool.Definition{
			Name:         "search",
			Title:        "Search for research",
			Toolset:      "research",
			Description:  "Find trials, articles and genes by words, a gene symbol or an id. fetch reads a result by its id; url is the page to cite.",
			Schema:       schemas.ID("search.output"),
			ListedInput:  schemas.Listed("search.input"),
			ListedOutput: schemas.Listed("search.output"),
			Arguments: []tool.Argument{
				{Name: "query", Description: "Words, a symbol or an id", Type: "string", MinLength: 2, MaxLength: 2000, Required: true, Example: "nivolumab melanoma"},
			},
		}, func() SearchArgs {
			return SearchArgs{}
		}, h.Search),
		tool.New(tool.Definition{
			Name:         "fetch",
			Title:        "Read a document",
			Toolset:      "research",
			Description:  "The complete text of a result of search by its id, or of any NCT id, PMID, PMCID, DOI, gene id (NCBI, HGNC, Ensembl), ClinVar id (VCV) or MeSH id.",
			Schema:       schemas.ID("fetch.output"),
			ListedInput:  schemas.Listed("fetch.input"),
			ListedOutput: schemas.Listed("fetch.output"),
			Arguments: []tool.Argument{
				{Name: "id", Description: "Id of a result", Type: "string", MaxLength: 500, Required: true, Example: "NCT:01844505"},
			},
		}, func() FetchArgs {
			return FetchArgs{}
		}, h.Fetch),
		tool.New(tool.Definition{
			Name:         "query_registry",
			Title:        "Query the registry's tables",
			Toolset:      "sql",
			Description:  "Run one SELECT over AACT's tables of ClinicalTrials.gov, made of the local mirror, in the SQL of the engine that describe_registry names, which also lists the tables.",
			Schema:       schemas.ID("query_registry.output"),
			ListedInput:  schemas.Listed("query_registry.input"),
			ListedOutput: schemas.Listed("query_registry.output"),
			Arguments: []tool.Argument{
				{Name: "sql", Description: "One query that begins with SELECT or WITH", Type: "string", MinLength: 1, MaxLength: 65536, Required: true, Example: "SELECT phase FROM studies", Also: []string{"query", "statement", "q", "sql_query"}},
				{Name: "limit", Description: "Most rows of the answer", Type: "integer", Minimum: 1, Maximum: 1000, Also: []string{"max_rows", "rows", "page_size"}},
			},
		}, func() QueryRegistryArgs {
			return QueryRegistryArgs{Limit: 100}
		}, h.QueryRegistry),
		tool.New(tool.Definition{
			Name:         "describe_registry",
			Title:        "Describe the registry's tables",
			Toolset:      "sql",
			Description:  "The tables for query_registry with their rows, the engine and queries that run in it; or the columns of some tables: type, place in the record, share filled, values.",
			Schema:       schemas.ID("describe_registry.output"),
			ListedInput:  schemas.Listed("describe_registry.input"),
			ListedOutput: schemas.Listed("describe_registry.output"),
			Arguments: []tool.Argument{
				{Name: "tables", Description: "Names; absent: all", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "studies", Also: []string{"table", "names", "name"}},
			},
		}, func() DescribeRegistryArgs {
			return DescribeRegistryArgs{}
		}, h.DescribeRegistry),
	})
}

// Prompts returns every prompt, in the order of tools.yaml.
func Prompts() []*tool.Prompt {
	return []*tool.Prompt{
		{
			Name: "trials_for_a_person", Title: "Find trials for a person",
			Description: "Compare the facts of a person with the criteria of recruiting clinical trials, line by line.",
			Toolsets:    []string{"trials"},
			Arguments: []tool.PromptArgument{
				{Name: "condition", Description: "Condition or disease", Required: true, Example: "melanoma"},
				{Name: "age", Description: "Age of the person", Example: "58", Pattern: "^[0-9]{1,3} ?((year|month|week|day)s?( old)?)?$", Form: "an age in years or with its unit"},
				{Name: "sex", Description: "Sex of the person", Choices: []string{"female", "male"}},
				{Name: "measurements", Description: "Measured values with unit, separated by commas", Example: "ECOG 1, hemoglobin 9.8 g/dL"},
				{Name: "treatments", Description: "Treatments the person had, with time if known, separated by commas", Example: "chemotherapy 6 weeks ago"},
				{Name: "near", Description: "Where the person lives", Example: "Boston, MA"},
				{Name: "within", Description: "Distance that the person travels (with near)", Example: "50 mi", Pattern: "^[0-9]{1,4} ?[A-Za-z]+$", Form: "a distance with its unit", Needs: "near"},
			},
			Steps: []tool.PromptStep{
				{Say: "Compare the person with trials that recruit.", Tool: MatchTrials, With: []tool.PromptValue{
					{Name: "conditions", JSON: "[\"{condition}\"]"},
					{Name: "age", JSON: "\"{age}\""},
					{Name: "sex", JSON: "\"{sex}\""},
					{Name: "measurements", JSON: "\"{measurements}\""},
					{Name: "treatments", JSON: "\"{treatments}\""},
					{Name: "near", JSON: "\"{near}\""},
					{Name: "within", JSON: "\"{within}\""},
					{Name: "status", JSON: "[\"recruiting\"]"},
				}},
				{Say: "List the sites with their status and contacts. Repeat the call for the three trials with the fewest blocking lines.", Tool: GetTrialLocations, With: []tool.PromptValue{
					{Name: "nct_id", JSON: "\"<1.items[0].id>\""},
					{Name: "near", JSON: "\"{near}\""},
					{Name: "within", JSON: "\"{within}\""},
					{Name: "page_size", JSON: "5"},
				}},
			},
			Finally: "Then show for each trial its NCT id, title and phase, each blocking line with the fact beside it, the lines that stay unknown, and the nearest recruiting site with its contact. Ask for the facts that the notices name, and call match_trials again with the answers. Say that the staff of the trial decides on participation.",
		},
		{
			Name: "what_changed", Title: "Changes in a field",
			Description: "Report the changes of the trials of a condition since a day, those of primary outcomes apart. It needs a local mirror with a history.",
			Toolsets:    []string{"trials"},
			Arguments: []tool.PromptArgument{
				{Name: "condition", Description: "Condition or disease", Required: true, Example: "melanoma", Pattern: "^[^\"\\\\]+$", Form: "words without quotation marks"},
				{Name: "since", Description: "Day of the state to compare with", Example: "last 7 days", Default: "last 7 days"},
			},
			Steps: []tool.PromptStep{
				{Say: "List the changes of status, results, dates, enrollment and sites. Pass pagination.cursor until it is absent.", Tool: TrialChanges, With: []tool.PromptValue{
					{Name: "of", JSON: "\"{\\\"condition\\\":\\\"{condition}\\\"}\""},
					{Name: "since", JSON: "\"{since}\""},
					{Name: "fields", JSON: "[\"status\",\"why_stopped\",\"results_posted\",\"start_date\",\"primary_completion_date\",\"enrollment\",\"sites\"]"},
				}},
				{Say: "List the changes of primary outcomes.", Tool: TrialChanges, With: []tool.PromptValue{
					{Name: "of", JSON: "\"{\\\"condition\\\":\\\"{condition}\\\"}\""},
					{Name: "since", JSON: "\"{since}\""},
					{Name: "fields", JSON: "[\"primary_outcome\"]"},
				}},
				{Say: "List the trials that the registry posted first in these days, the newest first.", Tool: SearchTrials, With: []tool.PromptValue{
					{Name: "condition", JSON: "\"{condition}\""},
					{Name: "first_posted", JSON: "\"since {since}\""},
					{Name: "page_size", JSON: "20"},
				}},
			},
			Finally: "Then report by kind: new trials, trials that stopped with the reason in their own words, posted results, moved dates, sites. For each change of a primary outcome quote the old and the new text, with its kind, after_start and after_primary_completion, and leave the judgement to the reader. Name the two days of compared, and say from which day changes are known if a notice says so.",
		},
		{
			Name: "landscape_of_a_field", Title: "Landscape of a field",
			Description: "Describe the research on a condition, or on one intervention in it, by trials and reviews.",
			Toolsets:    []string{"trials", "articles"},
			Arguments: []tool.PromptArgument{
				{Name: "condition", Description: "Condition or disease", Required: true, Example: "melanoma"},
				{Name: "intervention", Description: "Drug, device or other intervention", Example: "nivolumab"},
			},
			Steps: []tool.PromptStep{
				{Say: "Count the trials by phase.", Tool: CountTrials, With: []tool.PromptValue{
					{Name: "condition", JSON: "\"{condition}\""},
					{Name: "intervention", JSON: "\"{intervention}\""},
					{Name: "by", JSON: "\"phase\""},
				}},
				{Say: "Count the trials by start year.", Tool: CountTrials, With: []tool.PromptValue{
					{Name: "condition", JSON: "\"{condition}\""},
					{Name: "intervention", JSON: "\"{intervention}\""},
					{Name: "by", JSON: "\"start_year\""},
				}},
				{Say: "Count the trials by lead sponsor.", Tool: CountTrials, With: []tool.PromptValue{
					{Name: "condition", JSON: "\"{condition}\""},
					{Name: "intervention", JSON: "\"{intervention}\""},
					{Name: "by", JSON: "\"lead_sponsor\""},
					{Name: "top", JSON: "10"},
				}},
				{Say: "List the trials of phase 3 that recruit.", Tool: SearchTrials, With: []tool.PromptValue{
					{Name: "condition", JSON: "\"{condition}\""},
					{Name: "intervention", JSON: "\"{intervention}\""},
					{Name: "phase", JSON: "[\"Phase 3\"]"},
					{Name: "status", JSON: "[\"recruiting\"]"},
					{Name: "page_size", JSON: "10"},
				}},
				{Say: "Find reviews, the newest first.", Tool: SearchPubMedArticles, With: []tool.PromptValue{
					{Name: "queryTerm", JSON: "\"{condition} {intervention}\""},
					{Name: "filterByPublicationTypes", JSON: "[\"Review\"]"},
					{Name: "sortBy", JSON: "\"pub_date\""},
					{Name: "maxResults", JSON: "10"},
					{Name: "fetchBriefSummaries", JSON: "10"},
				}},
			},
			Finally: "Then describe the field: the number of trials by phase, the change over the years, the main sponsors, the trials that recruit now, and the topics of the newest reviews. Name the call that each number comes from; counts with exact:false are samples.",
		},
		{
			Name: "findings_of_a_trial", Title: "Findings and publications of a trial",
			Description: "Report the results of a trial and its publications.",
			Toolsets:    []string{"trials", "articles"},
			Arguments: []tool.PromptArgument{
				{Name: "nct_id", Description: "NCT id of the trial", Required: true, Example: "NCT:01844505", Pattern: "(?i)^(NCT ?:? ?)?[0-9]{8}$", Form: "an NCT id"},
			},
			Steps: []tool.PromptStep{
				{Say: "Read the trial and its publications. If cross_references.pubmed is absent, leave out calls 3 to 5.", Tool: GetTrial, With: []tool.PromptValue{
					{Name: "nct_id", JSON: "\"{nct_id}\""},
					{Name: "sections", JSON: "[\"summary\",\"references\"]"},
				}},
				{Say: "Read the posted results.", Tool: GetTrialResults, With: []tool.PromptValue{
					{Name: "nct_id", JSON: "\"{nct_id}\""},
				}},
				{Say: "Read the abstracts of its publications, 20 at most.", Tool: FetchArticleDetails, With: []tool.PromptValue{
					{Name: "pmids", JSON: "\"<1.cross_references.pubmed[*]>\""},
					{Name: "detailLevel", JSON: "\"abstract\""},
				}},
				{Say: "Read the results in the full text of the main publication; availability abstract_only or not_in_pmc means that the text is not available.", Tool: GetArticleFullText, With: []tool.PromptValue{
					{Name: "id", JSON: "\"<3.articles[0].pmid>\""},
					{Name: "maxBytes", JSON: "20000"},
				}},
				{Say: "Cite the publications.", Tool: GetArticleRelationships, With: []tool.PromptValue{
					{Name: "sourcePmids", JSON: "\"<1.cross_references.pubmed[*]>\""},
					{Name: "relationshipType", JSON: "\"citation_formats\""},
					{Name: "citationStyles", JSON: "[\"vancouver\"]"},
				}},
			},
			Finally: "Then report the primary outcome with its numbers, the serious adverse events, and the publications with authors, dates and citations. Say where the registry and an article differ, and name retracted articles.",
		},
		{
			Name: "literature_of_a_gene", Title: "From a gene to its literature",
			Description: "Report the function of a gene and its literature, in general or on a topic.",
			Toolsets:    []string{"genes", "articles"},
			Arguments: []tool.PromptArgument{
				{Name: "gene", Description: "Symbol or name of the gene", Required: true, Example: "BRCA1"},
				{Name: "organism", Description: "Organism", Example: "human", Default: "human"},
				{Name: "topic", Description: "Subject of the articles", Example: "breast cancer"},
			},
			Steps: []tool.PromptStep{
				{Say: "Find the gene. If several fit, ask the user which one to use.", Tool: SearchGenes, With: []tool.PromptValue{
					{Name: "query", JSON: "\"{gene}\""},
					{Name: "organism", JSON: "\"{organism}\""},
					{Name: "page_size", JSON: "5"},
				}},
				{Say: "Read the function of the gene.", Tool: GetGene, With: []tool.PromptValue{
					{Name: "entrez_id", JSON: "\"<1.items[0].id>\""},
					{Name: "sections", JSON: "[\"summary\",\"phenotypes\"]"},
				}},
				{Say: "List articles that NCBI links to the gene.", Tool: GetPubMedLinks, With: []tool.PromptValue{
					{Name: "entrez_id", JSON: "\"<1.items[0].id>\""},
					{Name: "limit", JSON: "10"},
				}},
				{Say: "Read the abstracts of these articles.", Tool: FetchArticleDetails, With: []tool.PromptValue{
					{Name: "pmids", JSON: "\"<3.items[*].pmid>\""},
					{Name: "detailLevel", JSON: "\"abstract\""},
				}},
				{Say: "Find articles by words, the most relevant first.", Tool: SearchPubMedArticles, With: []tool.PromptValue{
					{Name: "queryTerm", JSON: "\"<1.items[0].symbol> {topic}\""},
					{Name: "maxResults", JSON: "10"},
					{Name: "fetchBriefSummaries", JSON: "10"},
				}},
			},
			Finally: "Then summarise the function and the phenotypes of the gene and the findings of the articles, with PMIDs. Linked articles are about the gene; articles found by words may be about something else with the same name.",
		},
		{
			Name: "drug_dossier", Title: "Dossier of a drug",
			Description: "Report the label, the approvals, the trials and the reports of side effects of a drug.",
			Toolsets:    []string{"drugs", "trials"},
			Arguments: []tool.PromptArgument{
				{Name: "drug", Description: "Brand, substance or code of the drug", Required: true, Example: "Kadcyla"},
			},
			Steps: []tool.PromptStep{
				{Say: "Find the drug. If several fit, ask the user which one to use.", Tool: SearchDrugs, With: []tool.PromptValue{
					{Name: "query", JSON: "\"{drug}\""},
					{Name: "page_size", JSON: "5"},
				}},
				{Say: "Read its label, its approvals and the trials that the label cites.", Tool: GetDrug, With: []tool.PromptValue{
					{Name: "drug_id", JSON: "\"<1.items[0].id>\""},
				}},
				{Say: "Read the posted results of these trials. If nct_ids is absent, leave out call 3.", Tool: GetTrialResults, With: []tool.PromptValue{
					{Name: "nct_ids", JSON: "\"<2.nct_ids[*].nct_id>\""},
				}},
				{Say: "Count the reports of side effects by reaction.", Tool: CountDrugEvents, With: []tool.PromptValue{
					{Name: "drug_id", JSON: "\"<1.items[0].id>\""},
					{Name: "top", JSON: "10"},
				}},
				{Say: "Count the reports by year.", Tool: CountDrugEvents, With: []tool.PromptValue{
					{Name: "drug_id", JSON: "\"<1.items[0].id>\""},
					{Name: "by", JSON: "\"year\""},
				}},
				{Say: "List trials of the drug that recruit.", Tool: SearchTrials, With: []tool.PromptValue{
					{Name: "intervention", JSON: "\"<1.items[0].name>\""},
					{Name: "status", JSON: "[\"recruiting\"]"},
					{Name: "page_size", JSON: "10"},
				}},
			},
			Finally: "Then report the boxed warning and the indications in the words of the label, the first approval with its application, the trials that the label cites with their results, and the reports with their disclaimer. Numbers of reports are no frequencies. Name the date of the label and of the data.",
		},
	}
}
