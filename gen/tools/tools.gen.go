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
	CheckText               = "check_text"
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
	// CheckText serves check_text: Check a text.
	CheckText(ctx context.Context, args CheckTextArgs) (entity.Answer[entity.PageWith[entity.CheckedItem, entity.CheckCounts]], error)
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
	// Words of most fields of a record. AND, OR, NOT and "quotes" act.
	Query string `json:"query,omitempty"`
	// any: trials with only some of the words are found too.
	Words string `json:"words,omitempty"`
	// Search among these trials only: up to 100 NCT ids.
	NCTIDs []string `json:"nct_ids,omitempty"`
	// Disease or condition. A OR B is possible.
	Condition string `json:"condition,omitempty"`
	// Drug, device or other intervention. A OR B is possible.
	Intervention string `json:"intervention,omitempty"`
	// Status of the trial: RECRUITING, NOT_YET_RECRUITING, ENROLLING_BY_INVITATION, ACTIVE_NOT_RECRUITING, COMPLETED, TERMINATED, SUSPENDED, WITHDRAWN or UNKNOWN. Several: A,B.
	Status []string `json:"status,omitempty"`
	// City; City, State; City, Country; State; or Country of a site.
	Location string `json:"location,omitempty"`
	// Country of a site, in English. Several: A,B.
	Country []string `json:"country,omitempty"`
	// Words of the name of a facility, which is at the place.
	Facility string `json:"facility,omitempty"`
	// Place from which distances count: city, ZIP code or latitude,longitude.
	Near string `json:"near,omitempty"`
	// Distance from near: 80 km, 50 mi. A bare number is miles. Default 50 mi.
	Within string `json:"within,omitempty"`
	// true: a site at the place recruits.
	RecruitingSite bool `json:"recruiting_site,omitempty"`
	// PHASE1, PHASE2, PHASE3, PHASE4, EARLY_PHASE1 or NA (none). Several: A,B. 2/3 is the combined phase.
	Phase []string `json:"phase,omitempty"`
	// INTERVENTIONAL, OBSERVATIONAL or EXPANDED_ACCESS. Several: A,B.
	StudyType []string `json:"study_type,omitempty"`
	// Lead sponsor or collaborator.
	Sponsor string `json:"sponsor,omitempty"`
	// Lead sponsor. In "quotes": its exact name.
	LeadSponsor []string `json:"lead_sponsor,omitempty"`
	// Words of a title, or the acronym.
	Title string `json:"title,omitempty"`
	// Words of any outcome.
	Outcome string `json:"outcome,omitempty"`
	// Words of a primary outcome.
	PrimaryOutcome string `json:"primary_outcome,omitempty"`
	// Words of a keyword of the record.
	Keyword string `json:"keyword,omitempty"`
	// Words of the eligibility criteria.
	Criteria string `json:"criteria,omitempty"`
	// inclusion: the words of criteria are not in the exclusion criteria alone.
	CriteriaIn string `json:"criteria_in,omitempty"`
	// Age of a person that the trial accepts: 58 (years), 6 months.
	Age string `json:"age,omitempty"`
	// Sex of a person that the trial accepts.
	Sex string `json:"sex,omitempty"`
	// true: accepts healthy volunteers.
	HealthyVolunteers *bool `json:"healthy_volunteers,omitempty"`
	// Class of the lead sponsor: INDUSTRY, NIH, FED, OTHER_GOV, NETWORK, INDIV or OTHER (universities, hospitals).
	SponsorClass []string `json:"sponsor_class,omitempty"`
	// DRUG, DEVICE, BIOLOGICAL, PROCEDURE, RADIATION, BEHAVIORAL, GENETIC, DIETARY_SUPPLEMENT, COMBINATION_PRODUCT, DIAGNOSTIC_TEST or OTHER.
	InterventionType []string `json:"intervention_type,omitempty"`
	// Name of an official of the trial.
	Investigator string `json:"investigator,omitempty"`
	// MeSH term of a condition, by its exact name or id.
	Mesh string `json:"mesh,omitempty"`
	// NONE, SINGLE, DOUBLE, TRIPLE or QUADRUPLE.
	Masking []string `json:"masking,omitempty"`
	// RANDOMIZED or NON_RANDOMIZED.
	Allocation []string `json:"allocation,omitempty"`
	// TREATMENT, PREVENTION, DIAGNOSTIC, SUPPORTIVE_CARE, SCREENING, HEALTH_SERVICES_RESEARCH, BASIC_SCIENCE or OTHER.
	PrimaryPurpose []string `json:"primary_purpose,omitempty"`
	// Number of participants: 100..500, >=100 or <=50.
	Enrollment string `json:"enrollment,omitempty"`
	// Start of the trial: 2022, 2022-03..2023-12, since 2023, last 12 months.
	StartDate string `json:"start_date,omitempty"`
	// Primary completion, written as start_date.
	PrimaryCompletionDate string `json:"primary_completion_date,omitempty"`
	// Completion, written as start_date.
	CompletionDate string `json:"completion_date,omitempty"`
	// Day on which the registry first posted the trial, written as start_date.
	FirstPosted string `json:"first_posted,omitempty"`
	// Day on which results were first posted, written as start_date.
	ResultsPosted string `json:"results_posted,omitempty"`
	// Day of the last posted update, written as start_date.
	LastUpdated string `json:"last_updated,omitempty"`
	// true: results are posted.
	HasResults *bool `json:"has_results,omitempty"`
	// due or overdue by 42 CFR 11. Needs a local mirror.
	ResultsDue string `json:"results_due,omitempty"`
	// Document that is posted: protocol, sap (analysis plan) or icf (consent form).
	Documents []string `json:"documents,omitempty"`
	// Filter in the registry's own syntax, such as AREA[ArmGroupType]SHAM_COMPARATOR.
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

// PieceTexts returns the filters that look for words in one piece of a record.
func (f *TrialFilters) PieceTexts() []tool.Text {
	return []tool.Text{
		{Name: "facility", Value: &f.Facility},
		{Name: "primary_outcome", Value: &f.PrimaryOutcome},
		{Name: "keyword", Value: &f.Keyword},
		{Name: "criteria", Value: &f.Criteria},
		{Name: "investigator", Value: &f.Investigator},
		{Name: "mesh", Value: &f.Mesh},
	}
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
	// Wordings of one question, in place of query.
	Queries []string `json:"queries,omitempty"`
	// Default relevance with words, else distance with near, else first_posted.
	Sort string `json:"sort,omitempty"`
	// Default desc: newest or largest first; distance: nearest first.
	Order string `json:"order,omitempty"`
	// Return rows of these fields, such as title, status, phases, start_date, enrollment, sites, lead_sponsor. A wrong one lists all.
	Fields []string `json:"fields,omitempty"`
	// Rows on a page.
	PageSize int `json:"page_size,omitempty"`
	// pagination.cursor of the last page, with the same arguments.
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
	// What the groups are. Absent: only the total.
	By string `json:"by,omitempty"`
	// Groups within each group; the values of by.
	ThenBy string `json:"then_by,omitempty"`
	// The largest groups; of years the latest.
	Top int `json:"top,omitempty"`
}

// GetTrialArgs are the arguments of get_trial.
type GetTrialArgs struct {
	// NCT id of the trial.
	NCTID string `json:"nct_id,omitempty"`
	// Instead of nct_id: 1 to 20 NCT ids.
	NCTIDs []string `json:"nct_ids,omitempty"`
	// Instead of ids: arguments of search_trials as JSON. The first 100 trials.
	Of string `json:"of,omitempty"`
	// Parts of the record. Default all but publications, the papers of the trial with the reason of each, which asks PubMed and Europe PMC.
	Sections []string `json:"sections,omitempty"`
	// Trials on a page, with nct_ids or of.
	PageSize int `json:"page_size,omitempty"`
	// pagination.cursor of the last page, with the same arguments.
	Cursor string `json:"cursor,omitempty"`
}

// TrialChangesArgs are the arguments of trial_changes.
type TrialChangesArgs struct {
	// 1 to 20 NCT ids.
	NCTIDs []string `json:"nct_ids,omitempty"`
	// Instead of ids: arguments of search_trials as JSON. It finds trials as they are now.
	Of string `json:"of,omitempty"`
	// Day of the state to compare with, such as 2026-05 or last 7 days. Default 30 days before the newest data.
	Since string `json:"since,omitempty"`
	// Last day. Default the day of the newest data.
	Until string `json:"until,omitempty"`
	// Only changes of these; new and removed trials stay.
	Fields []string `json:"fields,omitempty"`
	// Versions on a page; a page also ends at 8 kB.
	PageSize int `json:"page_size,omitempty"`
	// pagination.cursor of the last page, with the same arguments.
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
	// Treatments had, with time if known.
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
	// All lines of each trial, not those alone that touch a fact.
	AllLines *bool `json:"all_lines,omitempty"`
	// Trials per page, default 10, at most 25 (all_lines: 5).
	PageSize int `json:"page_size,omitempty"`
	// pagination.cursor of the last page, with the same arguments.
	Cursor string `json:"cursor,omitempty"`
}

// CompareTrialsArgs are the arguments of compare_trials.
type CompareTrialsArgs struct {
	// 2 to 12 NCT ids.
	NCTIDs []string `json:"nct_ids,omitempty"`
	// Aspects to compare. Default all but results.
	Aspects []string `json:"aspects,omitempty"`
}

// GetTrialLocationsArgs are the arguments of get_trial_locations.
type GetTrialLocationsArgs struct {
	// NCT id of the trial.
	NCTID string `json:"nct_id,omitempty"`
	// Place from which distances count: city, ZIP code or latitude,longitude.
	Near string `json:"near,omitempty"`
	// Distance from near: 80 km, 50 mi. A bare number is miles. Default 50 mi.
	Within string `json:"within,omitempty"`
	// Country of the site, in English.
	Country []string `json:"country,omitempty"`
	// State or province of the site.
	State []string `json:"state,omitempty"`
	// City of the site.
	City []string `json:"city,omitempty"`
	// Words of the name of the facility.
	Facility string `json:"facility,omitempty"`
	// Status of the site: RECRUITING, NOT_YET_RECRUITING, ACTIVE_NOT_RECRUITING, COMPLETED, WITHDRAWN, SUSPENDED or TERMINATED.
	Status []string `json:"status,omitempty"`
	// Default record, with near distance.
	Order string `json:"order,omitempty"`
	// Rows on a page.
	PageSize int `json:"page_size,omitempty"`
	// pagination.cursor of the last page, with the same arguments.
	Cursor string `json:"cursor,omitempty"`
}

// GetTrialResultsArgs are the arguments of get_trial_results.
type GetTrialResultsArgs struct {
	// NCT id of the trial.
	NCTID string `json:"nct_id,omitempty"`
	// Instead of nct_id: 1 to 20 NCT ids.
	NCTIDs []string `json:"nct_ids,omitempty"`
	// Instead of ids: arguments of search_trials as JSON. The first 100 trials.
	Of string `json:"of,omitempty"`
	// Default overview. comparisons: posted effects, rechecked. arms: one row per cell; needs outcome or event.
	Section string `json:"section,omitempty"`
	// Numbers of outcomes (1, 3 or 1-3), primary, secondary, all, or words of their titles.
	Outcome string `json:"outcome,omitempty"`
	// Words of an adverse event or organ system.
	Event []string `json:"event,omitempty"`
	// true: only serious events. false: only others.
	Serious *bool `json:"serious,omitempty"`
	// Events in at least this percentage of a group.
	MinPercent int `json:"min_percent,omitempty"`
	// csv: one row per cell; not for overview.
	Format string `json:"format,omitempty"`
	// Default 20 outcomes or events, 200 rows.
	PageSize int `json:"page_size,omitempty"`
	// pagination.cursor of the last page, with the same arguments.
	Cursor string `json:"cursor,omitempty"`
}

// SearchGenesArgs are the arguments of search_genes.
type SearchGenesArgs struct {
	// Words, symbol or id of one gene; or several symbols or ids: TP53,EGFR.
	Query []string `json:"query,omitempty"`
	// Name or taxonomy id. Default all; of several symbols human.
	Organism string `json:"organism,omitempty"`
	// Instead of query: genes that NCBI links to this PMID.
	Pmid string `json:"pmid,omitempty"`
	// Rows on a page.
	PageSize int `json:"page_size,omitempty"`
	// pagination.cursor of the last page, with the same arguments.
	Cursor string `json:"cursor,omitempty"`
}

// GetGeneArgs are the arguments of get_gene.
type GetGeneArgs struct {
	// Id of the gene at NCBI, which search_genes returns.
	EntrezID string `json:"entrez_id,omitempty"`
	// Parts of the record. Default the first four.
	Sections []string `json:"sections,omitempty"`
}

// GetPubMedLinksArgs are the arguments of get_pubmed_links.
type GetPubMedLinksArgs struct {
	// Id of the gene at NCBI, which search_genes returns.
	EntrezID string `json:"entrez_id,omitempty"`
	// PMIDs on a page.
	Limit int `json:"limit,omitempty"`
	// true: only articles of GeneRIFs.
	Generif bool `json:"generif,omitempty"`
	// pagination.cursor of the last page, with the same arguments.
	Cursor string `json:"cursor,omitempty"`
}

// GetGeneOrthologsArgs are the arguments of get_gene_orthologs.
type GetGeneOrthologsArgs struct {
	// Id of the gene at NCBI, which search_genes returns.
	EntrezID string `json:"entrez_id,omitempty"`
	// Names or taxonomy ids, also of groups such as mammals. Default all.
	Organism []string `json:"organism,omitempty"`
	// Rows on a page.
	PageSize int `json:"page_size,omitempty"`
	// pagination.cursor of the last page, with the same arguments.
	Cursor string `json:"cursor,omitempty"`
}

// GetGeneTranscriptsArgs are the arguments of get_gene_transcripts.
type GetGeneTranscriptsArgs struct {
	// Id of the gene at NCBI, which search_genes returns.
	EntrezID string `json:"entrez_id,omitempty"`
	// Rows on a page.
	PageSize int `json:"page_size,omitempty"`
	// pagination.cursor of the last page, with the same arguments.
	Cursor string `json:"cursor,omitempty"`
}

// GetGeneVariantsArgs are the arguments of get_gene_variants.
type GetGeneVariantsArgs struct {
	// Id of the gene at NCBI, which search_genes returns.
	EntrezID string `json:"entrez_id,omitempty"`
	// Germline classification.
	Significance []string `json:"significance,omitempty"`
	// Change of the protein or of the gene: R175H, p.Arg175His or c.524G>A.
	Variant string `json:"variant,omitempty"`
	// Rows on a page.
	PageSize int `json:"page_size,omitempty"`
	// pagination.cursor of the last page, with the same arguments.
	Cursor string `json:"cursor,omitempty"`
}

// SearchPubMedArticlesArgs are the arguments of searchPubMedArticles.
type SearchPubMedArticlesArgs struct {
	// Words or an Entrez query.
	QueryTerm string `json:"queryTerm,omitempty"`
	// PMIDs on a page.
	MaxResults int `json:"maxResults,omitempty"`
	// Order. pub_date: the newest first.
	SortBy string `json:"sortBy,omitempty"`
	// Dates of the articles.
	DateRange SearchPubMedArticlesDateRange `json:"dateRange,omitzero"`
	// Publication types, such as Review or Randomized Controlled Trial.
	FilterByPublicationTypes []string `json:"filterByPublicationTypes,omitempty"`
	// true: only articles with open access in PMC.
	OpenAccess bool `json:"openAccess,omitempty"`
	// pagination.cursor of the last page. Leave out sortBy to go past 9,999.
	Cursor string `json:"cursor,omitempty"`
	// Number of summaries.
	FetchBriefSummaries int `json:"fetchBriefSummaries,omitempty"`
	// true: preprints too (not reviewed).
	Preprints bool `json:"preprints,omitempty"`
}

// SearchPubMedArticlesDateRange is an argument: Dates of the articles.
type SearchPubMedArticlesDateRange struct {
	// From: YYYY or YYYY/MM/DD.
	MinDate string `json:"minDate,omitempty"`
	// To: YYYY or YYYY/MM/DD.
	MaxDate string `json:"maxDate,omitempty"`
	// pdat: publication. mdat: change. edat: entry.
	DateType string `json:"dateType,omitempty"`
}

// CountArticlesArgs are the arguments of countArticles.
type CountArticlesArgs struct {
	// Words or an Entrez query.
	QueryTerm string `json:"queryTerm,omitempty"`
	// Groups. Absent: only the total.
	By string `json:"by,omitempty"`
	// Dates of the articles.
	DateRange CountArticlesDateRange `json:"dateRange,omitzero"`
	// Other queries, at most 5.
	Compare []string `json:"compare,omitempty"`
}

// CountArticlesDateRange is an argument: Dates of the articles.
type CountArticlesDateRange struct {
	// From: YYYY or YYYY/MM/DD.
	MinDate string `json:"minDate,omitempty"`
	// To: YYYY or YYYY/MM/DD.
	MaxDate string `json:"maxDate,omitempty"`
	// pdat: publication. mdat: change. edat: entry.
	DateType string `json:"dateType,omitempty"`
}

// FetchArticleDetailsArgs are the arguments of fetchArticleDetails.
type FetchArticleDetailsArgs struct {
	// PMIDs, at most 200.
	Pmids []string `json:"pmids,omitempty"`
	// abstract_plus: complete. abstract: short. full_xml, medline_text: as NCBI writes them. citation_data: to cite.
	DetailLevel string `json:"detailLevel,omitempty"`
	// With MeSH terms; not with abstract.
	IncludeMeshTerms bool `json:"includeMeshTerms,omitempty"`
	// With grants; only with abstract_plus.
	IncludeGrantInfo bool `json:"includeGrantInfo,omitempty"`
	// true: with numbers of citing articles.
	CitedBy bool `json:"citedBy,omitempty"`
}

// GetArticleFullTextArgs are the arguments of getArticleFullText.
type GetArticleFullTextArgs struct {
	// PMID, PMCID or DOI.
	Id string `json:"id,omitempty"`
	// Ids of the outline, kinds such as methods, or words of titles.
	Sections []string `json:"sections,omitempty"`
	// Default all; with sections no references.
	Include []string `json:"include,omitempty"`
	// Default json.
	TableFormat string `json:"tableFormat,omitempty"`
	// true: only ids, license and outline.
	OutlineOnly bool `json:"outlineOnly,omitempty"`
	// Bytes of the answer.
	MaxBytes int `json:"maxBytes,omitempty"`
	// pagination.cursor of the last page, with the same arguments.
	Cursor string `json:"cursor,omitempty"`
}

// ConvertArticleIdsArgs are the arguments of convertArticleIds.
type ConvertArticleIdsArgs struct {
	// PMIDs, PMCIDs, DOIs or manuscript ids, mixed, at most 200.
	Ids []string `json:"ids,omitempty"`
}

// LookupMeshArgs are the arguments of lookupMesh.
type LookupMeshArgs struct {
	// Words, id (D001249) or tree number.
	Query string `json:"query,omitempty"`
}

// MatchCitationsArgs are the arguments of matchCitations.
type MatchCitationsArgs struct {
	// Citations, at most 50, each as text or as fields.
	Citations []MatchCitationsCitations `json:"citations,omitempty"`
}

// MatchCitationsCitations is an item of an argument: Citations, at most 50, each as text or as fields.
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

// CheckTextArgs are the arguments of check_text.
type CheckTextArgs struct {
	// Text, Markdown, RIS, NBIB or BibTeX.
	Text string `json:"text,omitempty"`
	// Items on a page.
	PageSize int `json:"page_size,omitempty"`
	// pagination.cursor.
	Cursor string `json:"cursor,omitempty"`
}

// GetArticleRelationshipsArgs are the arguments of getArticleRelationships.
type GetArticleRelationshipsArgs struct {
	// PMID.
	SourcePmid string `json:"sourcePmid,omitempty"`
	// PMIDs to cite, at most 50.
	SourcePmids []string `json:"sourcePmids,omitempty"`
	// Default pubmed_similar_articles. citation_formats: citations of the articles themselves.
	RelationshipType string `json:"relationshipType,omitempty"`
	// Articles.
	MaxRelatedResults int `json:"maxRelatedResults,omitempty"`
	// Styles of citation_formats.
	CitationStyles []string `json:"citationStyles,omitempty"`
	// pagination.cursor of the last page, with the same arguments.
	Cursor string `json:"cursor,omitempty"`
}

// SearchDrugsArgs are the arguments of search_drugs.
type SearchDrugsArgs struct {
	// Brand, substance, code or former name.
	Query string `json:"query,omitempty"`
	// Instead of query: NCT id that labels cite.
	NCTID string `json:"nct_id,omitempty"`
	// Rows on a page.
	PageSize int `json:"page_size,omitempty"`
	// pagination.cursor of the last page, with the same arguments.
	Cursor string `json:"cursor,omitempty"`
}

// GetDrugArgs are the arguments of get_drug.
type GetDrugArgs struct {
	// Id that search_drugs returns: UNII, NDA, ANDA, BLA, set id, RXCUI or NDC.
	DrugID string `json:"drug_id,omitempty"`
	// Keys of the label, approvals, labels, shortages or recalls. Default warning, indications, applications.
	Sections []string `json:"sections,omitempty"`
}

// CountDrugEventsArgs are the arguments of count_drug_events.
type CountDrugEventsArgs struct {
	// Id of search_drugs. Absent: any drug.
	DrugID string `json:"drug_id,omitempty"`
	// Groups.
	By string `json:"by,omitempty"`
	// A term of MedDRA. With drug_id: PRR and ROR.
	Reaction string `json:"reaction,omitempty"`
	// true: only serious ones. false: others.
	Serious *bool `json:"serious,omitempty"`
	// Values of sex, age_group, outcome, reporter.
	Only []string `json:"only,omitempty"`
	// Day of receipt: 2018..2020, since 2018.
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
	// Id of a result of search, or an NCT id, PMID, PMCID, DOI, gene id, VCV or MeSH id.
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

// Table returns every tool, in the order of tools.yaml.
func Table(h Handlers) []*tool.Tool {
	return tool.Together([]*tool.Tool{
		tool.New(tool.Definition{
			Name:         "search_trials",
			Title:        "Search clinical trials",
			Toolset:      "trials",
			Description:  "Find trials at ClinicalTrials.gov; read one with get_trial. Arguments are joined by AND, values of one argument by OR.",
			Schema:       schemas.ID("search_trials.output"),
			ListedInput:  schemas.Listed("search_trials.input"),
			ListedOutput: schemas.Listed("search_trials.output"),
			Page:         "search",
			Arguments: []tool.Argument{
				{Name: "query", Description: "Words of most fields of a record. AND, OR, NOT and \"quotes\" act.", Type: "string", MaxLength: 2000, Either: true, Example: "immunotherapy"},
				{Name: "words", Description: "any: trials with only some of the words are found too.", Type: "string", Words: []string{"all", "any"}},
				{Name: "nct_ids", Description: "Search among these trials only: up to 100 NCT ids.", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "NCT:02513394"},
				{Name: "condition", Description: "Disease or condition. A OR B is possible.", Type: "string", MaxLength: 2000, Either: true, Example: "breast cancer"},
				{Name: "intervention", Description: "Drug, device or other intervention. A OR B is possible.", Type: "string", MaxLength: 2000, Either: true, Example: "insulin"},
				{Name: "status", Description: "Status of the trial: RECRUITING, NOT_YET_RECRUITING, ENROLLING_BY_INVITATION, ACTIVE_NOT_RECRUITING, COMPLETED, TERMINATED, SUSPENDED, WITHDRAWN or UNKNOWN. Several: A,B.", Type: "string", List: true, Commas: true, MaxItems: 100, MaxLength: 2000, Example: "recruiting", Words: []string{"ACTIVE_NOT_RECRUITING", "COMPLETED", "ENROLLING_BY_INVITATION", "NOT_YET_RECRUITING", "RECRUITING", "SUSPENDED", "TERMINATED", "WITHDRAWN", "AVAILABLE", "NO_LONGER_AVAILABLE", "TEMPORARILY_NOT_AVAILABLE", "APPROVED_FOR_MARKETING", "WITHHELD", "UNKNOWN"}, AnyWords: true},
				{Name: "location", Description: "City; City, State; City, Country; State; or Country of a site.", Type: "string", MaxLength: 2000, Either: true, Example: "Boston, MA"},
				{Name: "country", Description: "Country of a site, in English. Several: A,B.", Type: "string", List: true, Commas: true, MaxItems: 100, MaxLength: 2000, Example: "France"},
				{Name: "facility", Description: "Words of the name of a facility, which is at the place.", Type: "string", MaxLength: 2000, Either: true, Example: "Mayo Clinic"},
				{Name: "near", Description: "Place from which distances count: city, ZIP code or latitude,longitude.", Type: "string", MaxLength: 2000, Point: true, Example: "Boston, MA"},
				{Name: "within", Description: "Distance from near: 80 km, 50 mi. A bare number is miles. Default 50 mi.", Type: "string", MaxLength: 2000, Example: "80 km"},
				{Name: "recruiting_site", Description: "true: a site at the place recruits.", Type: "boolean"},
				{Name: "phase", Description: "PHASE1, PHASE2, PHASE3, PHASE4, EARLY_PHASE1 or NA (none). Several: A,B. 2/3 is the combined phase.", Type: "string", List: true, Commas: true, MaxItems: 100, MaxLength: 2000, Example: "Phase 3"},
				{Name: "study_type", Description: "INTERVENTIONAL, OBSERVATIONAL or EXPANDED_ACCESS. Several: A,B.", Type: "string", List: true, Commas: true, MaxItems: 100, MaxLength: 2000, Example: "interventional", Words: []string{"EXPANDED_ACCESS", "INTERVENTIONAL", "OBSERVATIONAL"}, AnyWords: true},
				{Name: "sponsor", Description: "Lead sponsor or collaborator.", Type: "string", MaxLength: 2000, Either: true, Example: "Pfizer"},
				{Name: "lead_sponsor", Description: "Lead sponsor. In \"quotes\": its exact name.", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "Pfizer"},
				{Name: "title", Description: "Words of a title, or the acronym.", Type: "string", MaxLength: 2000, Either: true, Example: "KEYNOTE-024"},
				{Name: "outcome", Description: "Words of any outcome.", Type: "string", MaxLength: 2000, Either: true, Example: "overall survival"},
				{Name: "primary_outcome", Description: "Words of a primary outcome.", Type: "string", MaxLength: 2000, Either: true, Example: "overall survival"},
				{Name: "keyword", Description: "Words of a keyword of the record.", Type: "string", MaxLength: 2000, Either: true, Example: "immunotherapy"},
				{Name: "criteria", Description: "Words of the eligibility criteria.", Type: "string", MaxLength: 2000, Either: true, Example: "brain metastases"},
				{Name: "criteria_in", Description: "inclusion: the words of criteria are not in the exclusion criteria alone.", Type: "string", Words: []string{"inclusion"}},
				{Name: "age", Description: "Age of a person that the trial accepts: 58 (years), 6 months.", Type: "string", MaxLength: 2000, Example: "58"},
				{Name: "sex", Description: "Sex of a person that the trial accepts.", Type: "string", Words: []string{"female", "male"}},
				{Name: "healthy_volunteers", Description: "true: accepts healthy volunteers.", Type: "boolean"},
				{Name: "sponsor_class", Description: "Class of the lead sponsor: INDUSTRY, NIH, FED, OTHER_GOV, NETWORK, INDIV or OTHER (universities, hospitals).", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "industry", Words: []string{"NIH", "FED", "OTHER_GOV", "INDIV", "INDUSTRY", "NETWORK", "AMBIG", "OTHER", "UNKNOWN"}, AnyWords: true},
				{Name: "intervention_type", Description: "DRUG, DEVICE, BIOLOGICAL, PROCEDURE, RADIATION, BEHAVIORAL, GENETIC, DIETARY_SUPPLEMENT, COMBINATION_PRODUCT, DIAGNOSTIC_TEST or OTHER.", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "device", Words: []string{"BEHAVIORAL", "BIOLOGICAL", "COMBINATION_PRODUCT", "DEVICE", "DIAGNOSTIC_TEST", "DIETARY_SUPPLEMENT", "DRUG", "GENETIC", "PROCEDURE", "RADIATION", "OTHER"}, AnyWords: true},
				{Name: "investigator", Description: "Name of an official of the trial.", Type: "string", MaxLength: 2000, Either: true, Example: "Smith"},
				{Name: "mesh", Description: "MeSH term of a condition, by its exact name or id.", Type: "string", MaxLength: 2000, Either: true, Example: "Heart Failure"},
				{Name: "masking", Description: "NONE, SINGLE, DOUBLE, TRIPLE or QUADRUPLE.", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "double", Words: []string{"NONE", "SINGLE", "DOUBLE", "TRIPLE", "QUADRUPLE"}, AnyWords: true},
				{Name: "allocation", Description: "RANDOMIZED or NON_RANDOMIZED.", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "randomized", Words: []string{"RANDOMIZED", "NON_RANDOMIZED", "NA"}, AnyWords: true},
				{Name: "primary_purpose", Description: "TREATMENT, PREVENTION, DIAGNOSTIC, SUPPORTIVE_CARE, SCREENING, HEALTH_SERVICES_RESEARCH, BASIC_SCIENCE or OTHER.", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "prevention", Words: []string{"TREATMENT", "PREVENTION", "DIAGNOSTIC", "ECT", "SUPPORTIVE_CARE", "SCREENING", "HEALTH_SERVICES_RESEARCH", "BASIC_SCIENCE", "DEVICE_FEASIBILITY", "OTHER"}, AnyWords: true},
				{Name: "enrollment", Description: "Number of participants: 100..500, >=100 or <=50.", Type: "string", MaxLength: 2000, Range: true, Example: "100..500"},
				{Name: "start_date", Description: "Start of the trial: 2022, 2022-03..2023-12, since 2023, last 12 months.", Type: "string", MaxLength: 2000, Range: true, Example: "since 2023"},
				{Name: "primary_completion_date", Description: "Primary completion, written as start_date.", Type: "string", MaxLength: 2000, Range: true, Example: "2024"},
				{Name: "completion_date", Description: "Completion, written as start_date.", Type: "string", MaxLength: 2000, Range: true, Example: "until 2020-06"},
				{Name: "first_posted", Description: "Day on which the registry first posted the trial, written as start_date.", Type: "string", MaxLength: 2000, Range: true, Example: "since 2024"},
				{Name: "results_posted", Description: "Day on which results were first posted, written as start_date.", Type: "string", MaxLength: 2000, Range: true, Example: "2023"},
				{Name: "last_updated", Description: "Day of the last posted update, written as start_date.", Type: "string", MaxLength: 2000, Range: true, Example: "since 2026"},
				{Name: "has_results", Description: "true: results are posted.", Type: "boolean"},
				{Name: "results_due", Description: "due or overdue by 42 CFR 11. Needs a local mirror.", Type: "string", Words: []string{"due", "overdue"}},
				{Name: "documents", Description: "Document that is posted: protocol, sap (analysis plan) or icf (consent form).", Type: "string", List: true, Words: []string{"protocol", "sap", "icf"}},
				{Name: "expression", Description: "Filter in the registry's own syntax, such as AREA[ArmGroupType]SHAM_COMPARATOR.", Type: "string", MaxLength: 2000, Example: "AREA[ArmGroupType]SHAM_COMPARATOR"},
				{Name: "queries", Description: "Wordings of one question, in place of query.", Type: "string", List: true, MaxItems: 8, MaxLength: 2000, Example: "[\"heart attack\",\"MI\"]"},
				{Name: "sort", Description: "Default relevance with words, else distance with near, else first_posted.", Type: "string", Words: []string{"relevance", "distance", "first_posted", "last_updated", "start_date", "completion_date", "results_posted", "enrollment"}},
				{Name: "order", Description: "Default desc: newest or largest first; distance: nearest first.", Type: "string", Words: []string{"desc", "asc"}},
				{Name: "fields", Description: "Return rows of these fields, such as title, status, phases, start_date, enrollment, sites, lead_sponsor. A wrong one lists all.", Type: "string", List: true, MaxItems: 100, MaxLength: 1000, Example: "[\"title\",\"due_date_computed\"]"},
				{Name: "page_size", Description: "Rows on a page.", Type: "integer", Minimum: 1, Maximum: 200},
				{Name: "cursor", Description: "pagination.cursor of the last page, with the same arguments.", Type: "string", MaxLength: 4000},
			},
		}, func() SearchTrialsArgs {
			return SearchTrialsArgs{TrialFilters: TrialFilters{RecruitingSite: false}, PageSize: 50}
		}, h.SearchTrials),
		tool.New(tool.Definition{
			Name:         "count_trials",
			Title:        "Count trials",
			Toolset:      "trials",
			Description:  "Count trials, in all or in groups (by). The filters are those of search_trials, which lists trials. Groups are exact values; words match more. exact: false means that groups come from a sample.",
			Schema:       schemas.ID("count_trials.output"),
			ListedInput:  schemas.Listed("count_trials.input"),
			ListedOutput: schemas.Listed("count_trials.output"),
			Page:         "counts",
			Arguments: []tool.Argument{
				{Name: "query", Description: "Words of most fields of a record. AND, OR, NOT and \"quotes\" act.", Type: "string", MaxLength: 2000, Either: true, Example: "immunotherapy"},
				{Name: "words", Description: "any: trials with only some of the words are found too.", Type: "string", Words: []string{"all", "any"}},
				{Name: "nct_ids", Description: "Search among these trials only: up to 100 NCT ids.", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "NCT:02513394"},
				{Name: "condition", Description: "Disease or condition. A OR B is possible.", Type: "string", MaxLength: 2000, Either: true, Example: "breast cancer"},
				{Name: "intervention", Description: "Drug, device or other intervention. A OR B is possible.", Type: "string", MaxLength: 2000, Either: true, Example: "insulin"},
				{Name: "status", Description: "Status of the trial: RECRUITING, NOT_YET_RECRUITING, ENROLLING_BY_INVITATION, ACTIVE_NOT_RECRUITING, COMPLETED, TERMINATED, SUSPENDED, WITHDRAWN or UNKNOWN. Several: A,B.", Type: "string", List: true, Commas: true, MaxItems: 100, MaxLength: 2000, Example: "recruiting", Words: []string{"ACTIVE_NOT_RECRUITING", "COMPLETED", "ENROLLING_BY_INVITATION", "NOT_YET_RECRUITING", "RECRUITING", "SUSPENDED", "TERMINATED", "WITHDRAWN", "AVAILABLE", "NO_LONGER_AVAILABLE", "TEMPORARILY_NOT_AVAILABLE", "APPROVED_FOR_MARKETING", "WITHHELD", "UNKNOWN"}, AnyWords: true},
				{Name: "location", Description: "City; City, State; City, Country; State; or Country of a site.", Type: "string", MaxLength: 2000, Either: true, Example: "Boston, MA"},
				{Name: "country", Description: "Country of a site, in English. Several: A,B.", Type: "string", List: true, Commas: true, MaxItems: 100, MaxLength: 2000, Example: "France"},
				{Name: "facility", Description: "Words of the name of a facility, which is at the place.", Type: "string", MaxLength: 2000, Either: true, Example: "Mayo Clinic"},
				{Name: "near", Description: "Place from which distances count: city, ZIP code or latitude,longitude.", Type: "string", MaxLength: 2000, Point: true, Example: "Boston, MA"},
				{Name: "within", Description: "Distance from near: 80 km, 50 mi. A bare number is miles. Default 50 mi.", Type: "string", MaxLength: 2000, Example: "80 km"},
				{Name: "recruiting_site", Description: "true: a site at the place recruits.", Type: "boolean"},
				{Name: "phase", Description: "PHASE1, PHASE2, PHASE3, PHASE4, EARLY_PHASE1 or NA (none). Several: A,B. 2/3 is the combined phase.", Type: "string", List: true, Commas: true, MaxItems: 100, MaxLength: 2000, Example: "Phase 3"},
				{Name: "study_type", Description: "INTERVENTIONAL, OBSERVATIONAL or EXPANDED_ACCESS. Several: A,B.", Type: "string", List: true, Commas: true, MaxItems: 100, MaxLength: 2000, Example: "interventional", Words: []string{"EXPANDED_ACCESS", "INTERVENTIONAL", "OBSERVATIONAL"}, AnyWords: true},
				{Name: "sponsor", Description: "Lead sponsor or collaborator.", Type: "string", MaxLength: 2000, Either: true, Example: "Pfizer"},
				{Name: "lead_sponsor", Description: "Lead sponsor. In \"quotes\": its exact name.", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "Pfizer"},
				{Name: "title", Description: "Words of a title, or the acronym.", Type: "string", MaxLength: 2000, Either: true, Example: "KEYNOTE-024"},
				{Name: "outcome", Description: "Words of any outcome.", Type: "string", MaxLength: 2000, Either: true, Example: "overall survival"},
				{Name: "primary_outcome", Description: "Words of a primary outcome.", Type: "string", MaxLength: 2000, Either: true, Example: "overall survival"},
				{Name: "keyword", Description: "Words of a keyword of the record.", Type: "string", MaxLength: 2000, Either: true, Example: "immunotherapy"},
				{Name: "criteria", Description: "Words of the eligibility criteria.", Type: "string", MaxLength: 2000, Either: true, Example: "brain metastases"},
				{Name: "criteria_in", Description: "inclusion: the words of criteria are not in the exclusion criteria alone.", Type: "string", Words: []string{"inclusion"}},
				{Name: "age", Description: "Age of a person that the trial accepts: 58 (years), 6 months.", Type: "string", MaxLength: 2000, Example: "58"},
				{Name: "sex", Description: "Sex of a person that the trial accepts.", Type: "string", Words: []string{"female", "male"}},
				{Name: "healthy_volunteers", Description: "true: accepts healthy volunteers.", Type: "boolean"},
				{Name: "sponsor_class", Description: "Class of the lead sponsor: INDUSTRY, NIH, FED, OTHER_GOV, NETWORK, INDIV or OTHER (universities, hospitals).", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "industry", Words: []string{"NIH", "FED", "OTHER_GOV", "INDIV", "INDUSTRY", "NETWORK", "AMBIG", "OTHER", "UNKNOWN"}, AnyWords: true},
				{Name: "intervention_type", Description: "DRUG, DEVICE, BIOLOGICAL, PROCEDURE, RADIATION, BEHAVIORAL, GENETIC, DIETARY_SUPPLEMENT, COMBINATION_PRODUCT, DIAGNOSTIC_TEST or OTHER.", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "device", Words: []string{"BEHAVIORAL", "BIOLOGICAL", "COMBINATION_PRODUCT", "DEVICE", "DIAGNOSTIC_TEST", "DIETARY_SUPPLEMENT", "DRUG", "GENETIC", "PROCEDURE", "RADIATION", "OTHER"}, AnyWords: true},
				{Name: "investigator", Description: "Name of an official of the trial.", Type: "string", MaxLength: 2000, Either: true, Example: "Smith"},
				{Name: "mesh", Description: "MeSH term of a condition, by its exact name or id.", Type: "string", MaxLength: 2000, Either: true, Example: "Heart Failure"},
				{Name: "masking", Description: "NONE, SINGLE, DOUBLE, TRIPLE or QUADRUPLE.", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "double", Words: []string{"NONE", "SINGLE", "DOUBLE", "TRIPLE", "QUADRUPLE"}, AnyWords: true},
				{Name: "allocation", Description: "RANDOMIZED or NON_RANDOMIZED.", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "randomized", Words: []string{"RANDOMIZED", "NON_RANDOMIZED", "NA"}, AnyWords: true},
				{Name: "primary_purpose", Description: "TREATMENT, PREVENTION, DIAGNOSTIC, SUPPORTIVE_CARE, SCREENING, HEALTH_SERVICES_RESEARCH, BASIC_SCIENCE or OTHER.", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "prevention", Words: []string{"TREATMENT", "PREVENTION", "DIAGNOSTIC", "ECT", "SUPPORTIVE_CARE", "SCREENING", "HEALTH_SERVICES_RESEARCH", "BASIC_SCIENCE", "DEVICE_FEASIBILITY", "OTHER"}, AnyWords: true},
				{Name: "enrollment", Description: "Number of participants: 100..500, >=100 or <=50.", Type: "string", MaxLength: 2000, Range: true, Example: "100..500"},
				{Name: "start_date", Description: "Start of the trial: 2022, 2022-03..2023-12, since 2023, last 12 months.", Type: "string", MaxLength: 2000, Range: true, Example: "since 2023"},
				{Name: "primary_completion_date", Description: "Primary completion, written as start_date.", Type: "string", MaxLength: 2000, Range: true, Example: "2024"},
				{Name: "completion_date", Description: "Completion, written as start_date.", Type: "string", MaxLength: 2000, Range: true, Example: "until 2020-06"},
				{Name: "first_posted", Description: "Day on which the registry first posted the trial, written as start_date.", Type: "string", MaxLength: 2000, Range: true, Example: "since 2024"},
				{Name: "results_posted", Description: "Day on which results were first posted, written as start_date.", Type: "string", MaxLength: 2000, Range: true, Example: "2023"},
				{Name: "last_updated", Description: "Day of the last posted update, written as start_date.", Type: "string", MaxLength: 2000, Range: true, Example: "since 2026"},
				{Name: "has_results", Description: "true: results are posted.", Type: "boolean"},
				{Name: "results_due", Description: "due or overdue by 42 CFR 11. Needs a local mirror.", Type: "string", Words: []string{"due", "overdue"}},
				{Name: "documents", Description: "Document that is posted: protocol, sap (analysis plan) or icf (consent form).", Type: "string", List: true, Words: []string{"protocol", "sap", "icf"}},
				{Name: "expression", Description: "Filter in the registry's own syntax, such as AREA[ArmGroupType]SHAM_COMPARATOR.", Type: "string", MaxLength: 2000, Example: "AREA[ArmGroupType]SHAM_COMPARATOR"},
				{Name: "by", Description: "What the groups are. Absent: only the total.", Type: "string", Words: []string{"phase", "status", "study_type", "country", "start_year", "first_posted_year", "completion_year", "sponsor_class", "lead_sponsor", "intervention_type", "condition", "sex", "age_group", "has_results", "primary_purpose", "intervention", "intervention_mesh", "condition_mesh", "facility", "city", "official", "arm_type", "allocation", "masking", "document"}},
				{Name: "then_by", Description: "Groups within each group; the values of by.", Type: "string", Words: []string{"phase", "status", "study_type", "country", "start_year", "first_posted_year", "completion_year", "sponsor_class", "lead_sponsor", "intervention_type", "condition", "sex", "age_group", "has_results", "primary_purpose", "intervention", "intervention_mesh", "condition_mesh", "facility", "city", "official", "arm_type", "allocation", "masking", "document"}},
				{Name: "top", Description: "The largest groups; of years the latest.", Type: "integer", Minimum: 1, Maximum: 100},
			},
		}, func() CountTrialsArgs {
			return CountTrialsArgs{TrialFilters: TrialFilters{RecruitingSite: false}, Top: 15}
		}, h.CountTrials),
		tool.New(tool.Definition{
			Name:         "get_trial",
			Title:        "Read a trial",
			Toolset:      "trials",
			Description:  "Complete record of one trial; sections makes it cheaper. Sites are in get_trial_locations, results in get_trial_results, papers with reasons in section publications.",
			Schema:       schemas.ID("get_trial.output"),
			ListedInput:  schemas.Listed("get_trial.input"),
			ListedOutput: schemas.Listed("get_trial.output"),
			Page:         "trial",
			Arguments: []tool.Argument{
				{Name: "nct_id", Description: "NCT id of the trial.", Type: "string", MaxLength: 500, Required: true, Or: []string{"nct_ids", "of"}, Example: "NCT:02513394"},
				{Name: "nct_ids", Description: "Instead of nct_id: 1 to 20 NCT ids.", Type: "string", List: true, MaxItems: 100, MaxLength: 500, Example: "[\"NCT:02513394\",\"NCT:00567567\"]"},
				{Name: "of", Description: "Instead of ids: arguments of search_trials as JSON. The first 100 trials.", Type: "string", MaxLength: 4000, Example: "{\"condition\":\"melanoma\"}", Search: "search_trials"},
				{Name: "sections", Description: "Parts of the record. Default all but publications, the papers of the trial with the reason of each, which asks PubMed and Europe PMC.", Type: "string", List: true, Example: "summary", Words: []string{"summary", "design", "eligibility", "outcomes", "arms", "contacts", "references", "administrative", "publications"}},
				{Name: "page_size", Description: "Trials on a page, with nct_ids or of.", Type: "integer", Minimum: 1, Maximum: 20},
				{Name: "cursor", Description: "pagination.cursor of the last page, with the same arguments.", Type: "string", MaxLength: 4000},
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
			Arguments: []tool.Argument{
				{Name: "nct_ids", Description: "1 to 20 NCT ids.", Type: "string", List: true, MaxItems: 100, MaxLength: 500, Example: "[\"NCT:02513394\",\"NCT:00567567\"]"},
				{Name: "of", Description: "Instead of ids: arguments of search_trials as JSON. It finds trials as they are now.", Type: "string", MaxLength: 4000, Example: "{\"condition\":\"melanoma\"}", Search: "search_trials"},
				{Name: "since", Description: "Day of the state to compare with, such as 2026-05 or last 7 days. Default 30 days before the newest data.", Type: "string", MaxLength: 100, Example: "last 7 days"},
				{Name: "until", Description: "Last day. Default the day of the newest data.", Type: "string", MaxLength: 100, Example: "yesterday"},
				{Name: "fields", Description: "Only changes of these; new and removed trials stay.", Type: "string", List: true, Example: "[\"primary_outcome\"]", Words: []string{"status", "why_stopped", "expanded_access", "start_date", "primary_completion_date", "completion_date", "first_posted", "results_posted", "certificate", "enrollment", "phase", "design", "title", "ids", "sponsor", "primary_outcome", "secondary_outcome", "other_outcome", "criteria", "eligibility", "sites", "contacts", "arms", "intervention", "condition", "description", "oversight", "references", "ipd_sharing", "results", "results_submission", "documents", "mesh", "removed_countries", "other"}},
				{Name: "page_size", Description: "Versions on a page; a page also ends at 8 kB.", Type: "integer", Minimum: 1, Maximum: 100},
				{Name: "cursor", Description: "pagination.cursor of the last page, with the same arguments.", Type: "string", MaxLength: 4000},
			},
		}, func() TrialChangesArgs {
			return TrialChangesArgs{PageSize: 20}
		}, h.TrialChanges),
		tool.New(tool.Definition{
			Name:         "match_trials",
			Title:        "A person beside trials",
			Toolset:      "trials",
			Description:  "Facts of a person beside trials: the registry's own bounds, the lines of the criteria that touch a fact, verbatim, and arithmetic on their numbers. You read the meaning of a line. Nothing of the person is kept.",
			Schema:       schemas.ID("match_trials.output"),
			ListedInput:  schemas.Listed("match_trials.input"),
			ListedOutput: schemas.Listed("match_trials.output"),
			Page:         "match",
			Arguments: []tool.Argument{
				{Name: "age", Description: "Age: 58, or 6 months.", Type: "string", MaxLength: 100, Example: "58"},
				{Name: "sex", Description: "Sex.", Type: "string", Words: []string{"female", "male"}},
				{Name: "conditions", Description: "Conditions the person has, the main one first.", Type: "string", List: true, MaxItems: 50, MaxLength: 300, Example: "[\"type 2 diabetes\"]"},
				{Name: "without", Description: "Conditions the person surely does not have.", Type: "string", List: true, MaxItems: 50, MaxLength: 300, Example: "[\"asthma\"]"},
				{Name: "measurements", Description: "Measured values with unit: ECOG 1, hemoglobin 9.8 g/dL, AST 1.2 x ULN.", Type: "string", List: true, MaxItems: 50, MaxLength: 300, Example: "[\"HbA1c 8.1 %\"]"},
				{Name: "biomarkers", Description: "Gene or marker with its state: EGFR L858R, HER2 negative.", Type: "string", List: true, MaxItems: 50, MaxLength: 300, Example: "[\"HER2 negative\"]"},
				{Name: "treatments", Description: "Treatments had, with time if known.", Type: "string", List: true, MaxItems: 50, MaxLength: 300, Example: "[\"chemotherapy 6 weeks ago\"]"},
				{Name: "prior_lines", Description: "Lines of therapy had for the main condition.", Type: "string", MaxLength: 100, Example: "2"},
				{Name: "pregnant", Description: "Pregnant or not.", Type: "boolean"},
				{Name: "breast_feeding", Description: "Breast-feeding or not.", Type: "boolean"},
				{Name: "healthy", Description: "A healthy volunteer.", Type: "boolean"},
				{Name: "nct_ids", Description: "Trials to look at (at most 100); without it they are searched.", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "[\"NCT:02513394\"]"},
				{Name: "condition", Description: "Disease to search; default: the first of conditions.", Type: "string", MaxLength: 2000, Example: "melanoma"},
				{Name: "query", Description: "Other words to search.", Type: "string", MaxLength: 2000, Example: "insulin"},
				{Name: "near", Description: "As in search_trials.", Type: "string", MaxLength: 2000, Point: true, Example: "Boston, MA"},
				{Name: "within", Description: "As in search_trials.", Type: "string", MaxLength: 2000, Example: "80 km"},
				{Name: "country", Description: "As in search_trials.", Type: "string", List: true, Commas: true, MaxItems: 100, MaxLength: 2000, Example: "France"},
				{Name: "status", Description: "Default recruiting and not yet recruiting.", Type: "string", List: true, Commas: true, MaxItems: 100, MaxLength: 2000, Example: "recruiting"},
				{Name: "phase", Description: "As in search_trials.", Type: "string", List: true, Commas: true, MaxItems: 100, MaxLength: 2000, Example: "Phase 3"},
				{Name: "all_lines", Description: "All lines of each trial, not those alone that touch a fact.", Type: "boolean"},
				{Name: "page_size", Description: "Trials per page, default 10, at most 25 (all_lines: 5).", Type: "integer", Minimum: 1, Maximum: 25},
				{Name: "cursor", Description: "pagination.cursor of the last page, with the same arguments.", Type: "string", MaxLength: 4000},
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
			Arguments: []tool.Argument{
				{Name: "nct_ids", Description: "2 to 12 NCT ids.", Type: "string", List: true, MaxItems: 12, MaxLength: 500, Required: true, Example: "[\"NCT:02513394\",\"NCT:00567567\"]"},
				{Name: "aspects", Description: "Aspects to compare. Default all but results.", Type: "string", List: true, Words: []string{"status", "phase", "design", "population", "conditions", "arms", "enrollment", "primary_outcomes", "dates", "sponsors", "sites", "why_stopped", "has_results", "results"}},
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
			Arguments: []tool.Argument{
				{Name: "nct_id", Description: "NCT id of the trial.", Type: "string", MaxLength: 500, Required: true, Example: "NCT:02513394"},
				{Name: "near", Description: "Place from which distances count: city, ZIP code or latitude,longitude.", Type: "string", MaxLength: 2000, Point: true, Example: "Boston, MA"},
				{Name: "within", Description: "Distance from near: 80 km, 50 mi. A bare number is miles. Default 50 mi.", Type: "string", MaxLength: 2000, Example: "80 km"},
				{Name: "country", Description: "Country of the site, in English.", Type: "string", List: true, Commas: true, MaxItems: 100, MaxLength: 2000, Example: "United States"},
				{Name: "state", Description: "State or province of the site.", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "Ohio"},
				{Name: "city", Description: "City of the site.", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "Cleveland"},
				{Name: "facility", Description: "Words of the name of the facility.", Type: "string", MaxLength: 2000, Example: "Mayo Clinic"},
				{Name: "status", Description: "Status of the site: RECRUITING, NOT_YET_RECRUITING, ACTIVE_NOT_RECRUITING, COMPLETED, WITHDRAWN, SUSPENDED or TERMINATED.", Type: "string", List: true, Commas: true, MaxItems: 100, MaxLength: 2000, Example: "recruiting", Words: []string{"ACTIVE_NOT_RECRUITING", "COMPLETED", "ENROLLING_BY_INVITATION", "NOT_YET_RECRUITING", "RECRUITING", "SUSPENDED", "TERMINATED", "WITHDRAWN", "AVAILABLE"}},
				{Name: "order", Description: "Default record, with near distance.", Type: "string", Example: "distance", Words: []string{"record", "distance"}},
				{Name: "page_size", Description: "Rows on a page.", Type: "integer", Minimum: 1, Maximum: 500},
				{Name: "cursor", Description: "pagination.cursor of the last page, with the same arguments.", Type: "string", MaxLength: 4000},
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
			Arguments: []tool.Argument{
				{Name: "nct_id", Description: "NCT id of the trial.", Type: "string", MaxLength: 500, Required: true, Or: []string{"nct_ids", "of"}, Example: "NCT:02513394"},
				{Name: "nct_ids", Description: "Instead of nct_id: 1 to 20 NCT ids.", Type: "string", List: true, MaxItems: 100, MaxLength: 500, Example: "[\"NCT:02513394\",\"NCT:00567567\"]"},
				{Name: "of", Description: "Instead of ids: arguments of search_trials as JSON. The first 100 trials.", Type: "string", MaxLength: 4000, Example: "{\"condition\":\"melanoma\"}", Search: "search_trials"},
				{Name: "section", Description: "Default overview. comparisons: posted effects, rechecked. arms: one row per cell; needs outcome or event.", Type: "string", Words: []string{"overview", "outcomes", "adverse_events", "participant_flow", "baseline", "more_info", "comparisons", "arms"}},
				{Name: "outcome", Description: "Numbers of outcomes (1, 3 or 1-3), primary, secondary, all, or words of their titles.", Type: "string", MaxLength: 500, Either: true, Example: "overall survival"},
				{Name: "event", Description: "Words of an adverse event or organ system.", Type: "string", List: true, MaxItems: 100, MaxLength: 500, Example: "nausea"},
				{Name: "serious", Description: "true: only serious events. false: only others.", Type: "boolean"},
				{Name: "min_percent", Description: "Events in at least this percentage of a group.", Type: "integer", Minimum: 0, Maximum: 100},
				{Name: "format", Description: "csv: one row per cell; not for overview.", Type: "string", Words: []string{"json", "csv"}},
				{Name: "page_size", Description: "Default 20 outcomes or events, 200 rows.", Type: "integer", Minimum: 1, Maximum: 500},
				{Name: "cursor", Description: "pagination.cursor of the last page, with the same arguments.", Type: "string", MaxLength: 4000},
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
			Arguments: []tool.Argument{
				{Name: "query", Description: "Words, symbol or id of one gene; or several symbols or ids: TP53,EGFR.", Type: "string", List: true, Commas: true, MaxItems: 100, MaxLength: 20000, Example: "BRCA1"},
				{Name: "organism", Description: "Name or taxonomy id. Default all; of several symbols human.", Type: "string", MaxLength: 2000, Example: "human"},
				{Name: "pmid", Description: "Instead of query: genes that NCBI links to this PMID.", Type: "string", MaxLength: 500, Example: "25842826"},
				{Name: "page_size", Description: "Rows on a page.", Type: "integer", Minimum: 1, Maximum: 200},
				{Name: "cursor", Description: "pagination.cursor of the last page, with the same arguments.", Type: "string", MaxLength: 4000},
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
			Arguments: []tool.Argument{
				{Name: "entrez_id", Description: "Id of the gene at NCBI, which search_genes returns.", Type: "string", MaxLength: 500, Required: true, Example: "NCBIGene:7157"},
				{Name: "sections", Description: "Parts of the record. Default the first four.", Type: "string", List: true, Example: "summary", Words: []string{"summary", "locations", "phenotypes", "go_terms", "generifs", "drugs"}},
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
			Arguments: []tool.Argument{
				{Name: "entrez_id", Description: "Id of the gene at NCBI, which search_genes returns.", Type: "string", MaxLength: 500, Required: true, Example: "NCBIGene:7157"},
				{Name: "limit", Description: "PMIDs on a page.", Type: "integer", Minimum: 1, Maximum: 1000},
				{Name: "generif", Description: "true: only articles of GeneRIFs.", Type: "boolean"},
				{Name: "cursor", Description: "pagination.cursor of the last page, with the same arguments.", Type: "string", MaxLength: 4000},
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
			Arguments: []tool.Argument{
				{Name: "entrez_id", Description: "Id of the gene at NCBI, which search_genes returns.", Type: "string", MaxLength: 500, Required: true, Example: "NCBIGene:7157"},
				{Name: "organism", Description: "Names or taxonomy ids, also of groups such as mammals. Default all.", Type: "string", List: true, MaxItems: 20, MaxLength: 2000, Example: "mouse"},
				{Name: "page_size", Description: "Rows on a page.", Type: "integer", Minimum: 1, Maximum: 200},
				{Name: "cursor", Description: "pagination.cursor of the last page, with the same arguments.", Type: "string", MaxLength: 4000},
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
			Arguments: []tool.Argument{
				{Name: "entrez_id", Description: "Id of the gene at NCBI, which search_genes returns.", Type: "string", MaxLength: 500, Required: true, Example: "NCBIGene:7157"},
				{Name: "page_size", Description: "Rows on a page.", Type: "integer", Minimum: 1, Maximum: 200},
				{Name: "cursor", Description: "pagination.cursor of the last page, with the same arguments.", Type: "string", MaxLength: 4000},
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
			Arguments: []tool.Argument{
				{Name: "entrez_id", Description: "Id of the gene at NCBI, which search_genes returns.", Type: "string", MaxLength: 500, Required: true, Example: "NCBIGene:7157"},
				{Name: "significance", Description: "Germline classification.", Type: "string", List: true, Example: "pathogenic", Words: []string{"pathogenic", "likely_pathogenic", "uncertain_significance", "likely_benign", "benign", "conflicting"}},
				{Name: "variant", Description: "Change of the protein or of the gene: R175H, p.Arg175His or c.524G>A.", Type: "string", MaxLength: 200, Example: "R175H"},
				{Name: "page_size", Description: "Rows on a page.", Type: "integer", Minimum: 1, Maximum: 200},
				{Name: "cursor", Description: "pagination.cursor of the last page, with the same arguments.", Type: "string", MaxLength: 4000},
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
			Arguments: []tool.Argument{
				{Name: "queryTerm", Description: "Words or an Entrez query.", Type: "string", MinLength: 3, MaxLength: 20000, Required: true, Either: true, Example: "nivolumab melanoma"},
				{Name: "maxResults", Description: "PMIDs on a page.", Type: "integer", Minimum: 1, Maximum: 1000},
				{Name: "sortBy", Description: "Order. pub_date: the newest first.", Type: "string", Words: []string{"relevance", "pub_date", "author", "journal_name"}},
				{Name: "dateRange", Description: "Dates of the articles.", Type: "object", Example: "{\"maxDate\":\"2024/06\",\"minDate\":\"2020\"}", Fields: []tool.Argument{
					{Name: "minDate", Description: "From: YYYY or YYYY/MM/DD.", Type: "string", MaxLength: 2000},
					{Name: "maxDate", Description: "To: YYYY or YYYY/MM/DD.", Type: "string", MaxLength: 2000},
					{Name: "dateType", Description: "pdat: publication. mdat: change. edat: entry.", Type: "string", Words: []string{"pdat", "mdat", "edat"}},
				}},
				{Name: "filterByPublicationTypes", Description: "Publication types, such as Review or Randomized Controlled Trial.", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "Review"},
				{Name: "openAccess", Description: "true: only articles with open access in PMC.", Type: "boolean"},
				{Name: "cursor", Description: "pagination.cursor of the last page. Leave out sortBy to go past 9,999.", Type: "string", MaxLength: 4000, Skips: 9998},
				{Name: "fetchBriefSummaries", Description: "Number of summaries.", Type: "integer", Minimum: 0, Maximum: 100},
				{Name: "preprints", Description: "true: preprints too (not reviewed).", Type: "boolean"},
			},
		}, func() SearchPubMedArticlesArgs {
			return SearchPubMedArticlesArgs{MaxResults: 20, SortBy: "relevance", DateRange: SearchPubMedArticlesDateRange{DateType: "pdat"}, OpenAccess: false, FetchBriefSummaries: 0, Preprints: false}
		}, h.SearchPubMedArticles),
		tool.New(tool.Definition{
			Name:         "countArticles",
			Title:        "Count articles",
			Toolset:      "articles",
			Description:  "Count PubMed articles of a query, also by year or type. compare counts other queries: alone, ANDed with queryTerm, all ORed.",
			Schema:       schemas.ID("countArticles.output"),
			ListedInput:  schemas.Listed("countArticles.input"),
			ListedOutput: schemas.Listed("countArticles.output"),
			Arguments: []tool.Argument{
				{Name: "queryTerm", Description: "Words or an Entrez query.", Type: "string", MinLength: 3, MaxLength: 20000, Required: true, Either: true, Example: "nivolumab melanoma"},
				{Name: "by", Description: "Groups. Absent: only the total.", Type: "string", Words: []string{"year", "publicationType"}},
				{Name: "dateRange", Description: "Dates of the articles.", Type: "object", Example: "{\"maxDate\":\"2024\",\"minDate\":\"2015\"}", Fields: []tool.Argument{
					{Name: "minDate", Description: "From: YYYY or YYYY/MM/DD.", Type: "string", MaxLength: 2000},
					{Name: "maxDate", Description: "To: YYYY or YYYY/MM/DD.", Type: "string", MaxLength: 2000},
					{Name: "dateType", Description: "pdat: publication. mdat: change. edat: entry.", Type: "string", Words: []string{"pdat", "mdat", "edat"}},
				}},
				{Name: "compare", Description: "Other queries, at most 5.", Type: "string", List: true, MaxItems: 5, MinLength: 3, MaxLength: 20000, Example: "ipilimumab melanoma"},
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
			Arguments: []tool.Argument{
				{Name: "pmids", Description: "PMIDs, at most 200.", Type: "string", List: true, MaxItems: 200, MaxLength: 4000, Required: true, Example: "26027431"},
				{Name: "detailLevel", Description: "abstract_plus: complete. abstract: short. full_xml, medline_text: as NCBI writes them. citation_data: to cite.", Type: "string", Words: []string{"abstract_plus", "abstract", "full_xml", "medline_text", "citation_data"}},
				{Name: "includeMeshTerms", Description: "With MeSH terms; not with abstract.", Type: "boolean"},
				{Name: "includeGrantInfo", Description: "With grants; only with abstract_plus.", Type: "boolean"},
				{Name: "citedBy", Description: "true: with numbers of citing articles.", Type: "boolean"},
			},
		}, func() FetchArticleDetailsArgs {
			return FetchArticleDetailsArgs{DetailLevel: "abstract_plus", IncludeMeshTerms: true, IncludeGrantInfo: false, CitedBy: false}
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
			Arguments: []tool.Argument{
				{Name: "id", Description: "PMID, PMCID or DOI.", Type: "string", MaxLength: 500, Required: true, Example: "PMC7383595"},
				{Name: "sections", Description: "Ids of the outline, kinds such as methods, or words of titles.", Type: "string", List: true, MaxItems: 50, MaxLength: 2000, Example: "methods"},
				{Name: "include", Description: "Default all; with sections no references.", Type: "string", List: true, Words: []string{"text", "tables", "figures", "supplements", "references"}},
				{Name: "tableFormat", Description: "Default json.", Type: "string", Words: []string{"json", "csv"}},
				{Name: "outlineOnly", Description: "true: only ids, license and outline.", Type: "boolean"},
				{Name: "maxBytes", Description: "Bytes of the answer.", Type: "integer", Minimum: 4000, Maximum: 400000},
				{Name: "cursor", Description: "pagination.cursor of the last page, with the same arguments.", Type: "string", MaxLength: 4000},
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
			Arguments: []tool.Argument{
				{Name: "ids", Description: "PMIDs, PMCIDs, DOIs or manuscript ids, mixed, at most 200.", Type: "string", List: true, MaxItems: 200, MaxLength: 20000, Required: true, Example: "PMC7383595"},
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
			Arguments: []tool.Argument{
				{Name: "query", Description: "Words, id (D001249) or tree number.", Type: "string", MinLength: 2, MaxLength: 300, Required: true, Example: "asthma"},
			},
		}, func() LookupMeshArgs {
			return LookupMeshArgs{}
		}, h.LookupMesh),
		tool.New(tool.Definition{
			Name:         "matchCitations",
			Title:        "Match citations",
			Toolset:      "articles",
			Description:  "Find the PMIDs of up to 50 citations, each as text or fields, and check each against its record: differs names the fields that differ.",
			Schema:       schemas.ID("matchCitations.output"),
			ListedInput:  schemas.Listed("matchCitations.input"),
			ListedOutput: schemas.Listed("matchCitations.output"),
			Arguments: []tool.Argument{
				{Name: "citations", Description: "Citations, at most 50, each as text or as fields.", Type: "object", List: true, MaxItems: 50, Required: true, Example: "[{\"text\":\"Husain, Lancet 394:121 (2019)\"}]", TextField: "text", Fields: []tool.Argument{
					{Name: "text", Description: "Complete, or a record of RIS, NBIB or BibTeX.", Type: "string", MaxLength: 20000, Example: "Husain, Lancet 394:121 (2019)"},
					{Name: "journal", Description: "Title or abbreviation.", Type: "string", MaxLength: 300, Example: "Lancet"},
					{Name: "year", Description: "Year.", Type: "string", MaxLength: 30, Example: "2019"},
					{Name: "volume", Description: "Volume.", Type: "string", MaxLength: 30, Example: "394"},
					{Name: "firstPage", Description: "First page or article number.", Type: "string", MaxLength: 40, Example: "121"},
					{Name: "author", Description: "First author.", Type: "string", MaxLength: 500, Example: "Husain M"},
					{Name: "title", Description: "Title of the article.", Type: "string", MaxLength: 1000, Example: "Nivolumab in melanoma"},
					{Name: "doi", Description: "DOI.", Type: "string", MaxLength: 500, Example: "10.1056/NEJMoa1504030"},
				}},
			},
		}, func() MatchCitationsArgs {
			return MatchCitationsArgs{}
		}, h.MatchCitations),
		tool.New(tool.Definition{
			Name:         "check_text",
			Title:        "Check a text",
			Toolset:      "articles",
			Description:  "Check that the ids, references and numbers of a text are those of their records. not_found is not wrong.",
			Schema:       schemas.ID("check_text.output"),
			ListedInput:  schemas.Listed("check_text.input"),
			ListedOutput: schemas.Listed("check_text.output"),
			Arguments: []tool.Argument{
				{Name: "text", Description: "Text, Markdown, RIS, NBIB or BibTeX.", Type: "string", MaxLength: 40000, Required: true, Verbatim: true, Example: "PMID 26027431"},
				{Name: "page_size", Description: "Items on a page.", Type: "integer", Minimum: 1, Maximum: 100},
				{Name: "cursor", Description: "pagination.cursor.", Type: "string", MaxLength: 4000},
			},
		}, func() CheckTextArgs {
			return CheckTextArgs{PageSize: 50}
		}, h.CheckText),
		tool.New(tool.Definition{
			Name:         "getArticleRelationships",
			Title:        "Related articles, citations",
			Toolset:      "articles",
			Description:  "Similar articles of one PMID, articles that cite it, or its references; or citations of up to 50 PMIDs as RIS, BibTeX, APA and others.",
			Schema:       schemas.ID("getArticleRelationships.output"),
			ListedInput:  schemas.Listed("getArticleRelationships.input"),
			ListedOutput: schemas.Listed("getArticleRelationships.output"),
			Arguments: []tool.Argument{
				{Name: "sourcePmid", Description: "PMID.", Type: "string", MaxLength: 500, Example: "26027431"},
				{Name: "sourcePmids", Description: "PMIDs to cite, at most 50.", Type: "string", List: true, MaxItems: 50, MaxLength: 500, Example: "26027431"},
				{Name: "relationshipType", Description: "Default pubmed_similar_articles. citation_formats: citations of the articles themselves.", Type: "string", Words: []string{"pubmed_similar_articles", "pubmed_citedin", "pubmed_references", "citation_formats"}},
				{Name: "maxRelatedResults", Description: "Articles.", Type: "integer", Minimum: 1, Maximum: 50},
				{Name: "citationStyles", Description: "Styles of citation_formats.", Type: "string", List: true, Words: []string{"ris", "bibtex", "apa_string", "mla_string", "vancouver", "ama", "nbib", "csl_json"}},
				{Name: "cursor", Description: "pagination.cursor of the last page, with the same arguments.", Type: "string", MaxLength: 4000},
			},
		}, func() GetArticleRelationshipsArgs {
			return GetArticleRelationshipsArgs{RelationshipType: "pubmed_similar_articles", MaxRelatedResults: 5, CitationStyles: []string{"ris"}}
		}, h.GetArticleRelationships),
		tool.New(tool.Definition{
			Name:         "search_drugs",
			Title:        "Search drugs",
			Toolset:      "drugs",
			Description:  "Find drugs in the USA (openFDA) by brand, substance, code or former name, such as an intervention of get_trial; or drugs whose labels cite a trial (nct_id). Read one with get_drug.",
			Schema:       schemas.ID("search_drugs.output"),
			ListedInput:  schemas.Listed("search_drugs.input"),
			ListedOutput: schemas.Listed("search_drugs.output"),
			Arguments: []tool.Argument{
				{Name: "query", Description: "Brand, substance, code or former name.", Type: "string", MaxLength: 500, Required: true, Or: []string{"nct_id"}, Example: "MK-3475"},
				{Name: "nct_id", Description: "Instead of query: NCT id that labels cite.", Type: "string", MaxLength: 500, Example: "NCT:02142738"},
				{Name: "page_size", Description: "Rows on a page.", Type: "integer", Minimum: 1, Maximum: 50},
				{Name: "cursor", Description: "pagination.cursor of the last page, with the same arguments.", Type: "string", MaxLength: 4000},
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
			Arguments: []tool.Argument{
				{Name: "drug_id", Description: "Id that search_drugs returns: UNII, NDA, ANDA, BLA, set id, RXCUI or NDC.", Type: "string", MaxLength: 500, Required: true, Example: "UNII:DPT0O3T46P"},
				{Name: "sections", Description: "Keys of the label, approvals, labels, shortages or recalls. Default warning, indications, applications.", Type: "string", List: true, MaxItems: 30, MaxLength: 200, Example: "adverse_reactions"},
			},
		}, func() GetDrugArgs {
			return GetDrugArgs{}
		}, h.GetDrug),
		tool.New(tool.Definition{
			Name:         "count_drug_events",
			Title:        "Count reports of side effects",
			Toolset:      "drugs",
			Description:  "Count reports of side effects (FAERS) of a drug or of all, by a field. They prove no cause and no frequency.",
			Schema:       schemas.ID("count_drug_events.output"),
			ListedInput:  schemas.Listed("count_drug_events.input"),
			ListedOutput: schemas.Listed("count_drug_events.output"),
			Page:         "reports",
			Arguments: []tool.Argument{
				{Name: "drug_id", Description: "Id of search_drugs. Absent: any drug.", Type: "string", MaxLength: 500, Example: "UNII:DPT0O3T46P"},
				{Name: "by", Description: "Groups.", Type: "string", Words: []string{"reaction", "year", "sex", "age_group", "serious", "outcome", "country", "reporter"}},
				{Name: "reaction", Description: "A term of MedDRA. With drug_id: PRR and ROR.", Type: "string", MaxLength: 200, Example: "Hepatotoxicity"},
				{Name: "serious", Description: "true: only serious ones. false: others.", Type: "boolean"},
				{Name: "only", Description: "Values of sex, age_group, outcome, reporter.", Type: "string", List: true, MaxItems: 8, MaxLength: 100, Example: "female"},
				{Name: "date_range", Description: "Day of receipt: 2018..2020, since 2018.", Type: "string", MaxLength: 200, Range: true, Example: "since 2018"},
				{Name: "top", Description: "Most groups; years are complete.", Type: "integer", Minimum: 1, Maximum: 100},
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
				{Name: "query", Description: "Words, a symbol or an id.", Type: "string", MinLength: 2, MaxLength: 2000, Required: true, Example: "nivolumab melanoma"},
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
				{Name: "id", Description: "Id of a result of search, or an NCT id, PMID, PMCID, DOI, gene id, VCV or MeSH id.", Type: "string", MaxLength: 500, Required: true, Example: "NCT:01844505"},
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
				{Name: "sql", Description: "One query that begins with SELECT or WITH.", Type: "string", MinLength: 1, MaxLength: 65536, Required: true, Example: "SELECT phase FROM studies"},
				{Name: "limit", Description: "Most rows of the answer.", Type: "integer", Minimum: 1, Maximum: 1000},
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
				{Name: "tables", Description: "Names; absent: all.", Type: "string", List: true, MaxItems: 100, MaxLength: 2000, Example: "studies"},
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
			Description: "Put the facts of a person beside recruiting clinical trials, with the lines of the criteria that touch them.",
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
				{Say: "Put the person beside trials that recruit.", Tool: MatchTrials, With: []tool.PromptValue{
					{Name: "conditions", JSON: "[\"{condition}\"]"},
					{Name: "age", JSON: "\"{age}\""},
					{Name: "sex", JSON: "\"{sex}\""},
					{Name: "measurements", JSON: "\"{measurements}\""},
					{Name: "treatments", JSON: "\"{treatments}\""},
					{Name: "near", JSON: "\"{near}\""},
					{Name: "within", JSON: "\"{within}\""},
					{Name: "status", JSON: "\"recruiting\""},
				}},
				{Say: "List the sites with their status and contacts. Repeat the call for three of the trials.", Tool: GetTrialLocations, With: []tool.PromptValue{
					{Name: "nct_id", JSON: "\"<1.items[0].id>\""},
					{Name: "near", JSON: "\"{near}\""},
					{Name: "within", JSON: "\"{within}\""},
					{Name: "page_size", JSON: "5"},
				}},
			},
			Finally: "Then read each shown line against the facts, in its list and with the line above it: its demand, the person whose number it means, and the effect of an \"or\", a \"no\" or an \"unless\"; within says only whether a number lies inside a limit as written. Where counts.shown is less than counts.lines, call match_trials again with nct_ids of the trial and all_lines true, and read the other lines too. Show for each trial its NCT id, title and phase, the gates that are not met, the lines that matter, quoted, and the nearest recruiting site with its contact. Say which facts are missing, and ask for them. The staff of the trial decides.",
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
					{Name: "phase", JSON: "\"Phase 3\""},
					{Name: "status", JSON: "\"recruiting\""},
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
					{Name: "status", JSON: "\"recruiting\""},
					{Name: "page_size", JSON: "10"},
				}},
			},
			Finally: "Then report the boxed warning and the indications in the words of the label, the first approval with its application, the trials that the label cites with their results, and the reports with their disclaimer. Numbers of reports are no frequencies. Name the date of the label and of the data.",
		},
	}
}
