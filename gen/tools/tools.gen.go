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
			Description: "Complete record of one trial by NCT id: design, eligibility, outcomes, sponsors, dates, enrollment, contacts. cross_references.pubmed holds PMIDs of its publications. Takes ids only; for words use search_trials.",
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
			Description: "PMIDs of the articles that NCBI links to one gene, newest ids first, with their total. Takes an NCBI Gene id; for symbols use search_genes.",
			Input:       schemas.Get("get_pubmed_links.input"),
			Output:      schemas.Get("get_pubmed_links.output"),
			Arguments: []tool.Argument{
				{Name: "entrez_id", Type: "string", Required: true, Example: "NCBIGene:7157"},
				{Name: "limit", Type: "integer"},
				{Name: "cursor", Type: "string"},
			},
		}, GetPubMedLinksArgs{Limit: 20}, h.GetPubMedLinks),
	}
}
