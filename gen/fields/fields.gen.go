// Code generated from tools.yaml. DO NOT EDIT.

// Package fields lists the fields that each tool reads from the records of an
// upstream whose document describes them. The mapper of the tool's entity has
// the list: a mapper without a list does not compile.
package fields

import "github.com/biofact-mcp/biofact/internal/mapping/trials"
import "github.com/biofact-mcp/biofact/internal/mapping/genes"
import "github.com/biofact-mcp/biofact/internal/mapping/articles"
import "github.com/biofact-mcp/biofact/internal/mapping/drugs"

// Of returns the fields that a tool reads, or nil if no document describes
// the records.
func Of(tool string) []string {
	switch tool {
	case "search_trials":
		return trials.TrialSearchCandidateFields()
	case "count_trials":
		return trials.TrialCountsFields()
	case "get_trial":
		return trials.TrialFields()
	case "trial_changes":
		return trials.TrialChangeFields()
	case "match_trials":
		return trials.TrialMatchFields()
	case "compare_trials":
		return trials.TrialComparisonFields()
	case "get_trial_locations":
		return trials.TrialLocationFields()
	case "get_trial_results":
		return trials.TrialResultsFields()
	case "get_gene":
		return genes.GeneFields()
	case "get_gene_orthologs":
		return genes.GeneOrthologFields()
	case "get_gene_transcripts":
		return genes.GeneTranscriptFields()
	case "searchPubMedArticles":
		return articles.ArticleSearchFields()
	case "fetchArticleDetails":
		return articles.ArticleDetailsFields()
	case "search_drugs":
		return drugs.DrugSearchCandidateFields()
	case "get_drug":
		return drugs.DrugFields()
	case "count_drug_events":
		return drugs.DrugEventCountsFields()
	}
	return nil
}
