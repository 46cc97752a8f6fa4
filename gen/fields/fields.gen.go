// Code generated from tools.yaml. DO NOT EDIT.

// Package fields lists what each tool asks for of the records of an upstream
// that gives parts of them. The list is that of the mapper of the tool's
// entity: a mapper without one does not compile.
package fields

import "github.com/biofact-mcp/biofact/internal/mapping"

// Of returns the fields that a tool asks for. There are none where the upstream
// gives whole records.
func Of(tool string) []string {
	switch tool {
	case "search_trials":
		return mapping.TrialSearchCandidateFields()
	case "get_trial":
		return mapping.TrialFields()
	case "get_trial_locations":
		return mapping.TrialLocationFields()
	}
	return nil
}
