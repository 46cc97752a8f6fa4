package filters

import (
	"github.com/biofact-mcp/biofact/gen/tools"
	mapping "github.com/biofact-mcp/biofact/internal/mapping/trials"
)

// rowFields are the fields that a row shows only if the call sorts or filters by the argument. Every row has the other fields.
var rowFields = map[string][]string{
	"primary_completion_date": {"PrimaryCompletionDate"}, "completion_date": {"CompletionDate"}, "first_posted": {"StudyFirstPostDate"},
	"results_posted": {"ResultsFirstPostDate"}, "last_updated": {"LastUpdatePostDate"},
	"age": {"MinimumAge", "MaximumAge"}, "sex": {"Sex"}, "healthy_volunteers": {"HealthyVolunteers"}, "criteria": {"EligibilityCriteria"},
}

// chosenFields returns the fields that rows show for some arguments.
func chosenFields(arguments []string) (fields []string) {
	for _, name := range arguments {
		fields = append(fields, rowFields[name]...)
	}
	return fields
}

// checkCriteria returns the error for a criteria_in that has no meaning in the call.
func checkCriteria(args tools.TrialFilters, expression string) error {
	m := Misread{Argument: "criteria_in", Text: args.CriteriaIn}
	switch {
	case args.CriteriaIn == "":
		return nil
	case args.Criteria == "":
		m.Reason = "needs criteria, the words that are looked for"
		m.Again = `with criteria as well, or without criteria_in: {"criteria_in":null}`
	case mapping.NewCriteriaWords(expression) == nil:
		m.Reason, m.Again = "criteria has no word that is to be found, only words that are not", `with {"criteria_in":null}`
	default:
		return nil
	}
	return m
}
