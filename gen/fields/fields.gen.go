// Code generated from tools.yaml. DO NOT EDIT.

// Package fields lists what each tool reads of the records of an upstream whose
// document says what they hold. The list is that of the mapper of the tool's
// entity: a mapper without one does not compile.
package fields

import "github.com/biofact-mcp/biofact/internal/mapping"

// Of returns the fields that a tool reads. There are none where no document says
// what the records hold.
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
