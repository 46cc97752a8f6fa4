// Code generated from tools.yaml. DO NOT EDIT.

// Package fields lists the fields that each tool reads from the records of an
// upstream whose document describes them. The mapper of the tool's entity has
// the list: a mapper without a list does not compile.
package fields

import "github.com/biofact-mcp/biofact/internal/mapping"

// Of returns the fields that a tool reads, or nil if no document describes
// the records.
func Of(tool string) []string {
	switch tool {
	case "search_trials":
		return mapping.TrialSearchCandidateFields()
	case "count_trials":
		return mapping.TrialCountsFields()
	case "get_trial":
		return mapping.TrialFields()
	case "compare_trials":
		return mapping.TrialComparisonFields()
	case "get_trial_locations":
		return mapping.TrialLocationFields()
	case "get_trial_results":
		return mapping.TrialResultsFields()
	case "get_gene_orthologs":
		return mapping.GeneOrthologFields()
	case "get_gene_transcripts":
		return mapping.GeneTranscriptFields()
	}
	return nil
}
