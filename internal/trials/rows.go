package trials

import (
	"fmt"
	"slices"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	mapping "github.com/biofact-mcp/biofact/internal/mapping/trials"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
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

// checkCriteria returns the error for a criteria_in that has no meaning in the call. counts reports whether trials are only counted.
func checkCriteria(args tools.TrialFilters, expression string, counts bool) error {
	m := misread{argument: "criteria_in", text: args.CriteriaIn}
	switch {
	case args.CriteriaIn == "":
		return nil
	case args.Criteria == "":
		m.reason = "needs criteria, the words that are looked for"
		m.again = `with criteria as well, or without criteria_in: {"criteria_in":null}`
	case counts: // other tools read the text of each trial
		m.reason = "ClinicalTrials.gov does not count inclusion and exclusion criteria apart"
		m.hint = "For an upper bound, which counts exclusions too, call " + theTool + ` again with {"criteria_in":null}. ` +
			"search_trials with the same filters lists the trials without those that only exclude."
	case mapping.NewCriteriaWords(expression) == nil:
		m.reason, m.again = "criteria has no word that is to be found, only words that are not", `with {"criteria_in":null}`
	default:
		return nil
	}
	return m
}

// criteriaNotices says how many trials of a page were left out because of their exclusions, and how many match although no
// line has the words of criteria.
func criteriaNotices(search *ctgov.Search, candidates []entity.TrialSearchCandidate, examined, bad int) (notices []string) {
	if left := examined - bad - len(candidates); search.OnlyIncluded && examined > 0 && !search.RecruitsNear {
		notices = append(notices, fmt.Sprintf("criteria_in: of %d trials that were checked for this page %d have the words of "+
			"criteria among their exclusions alone and were left out. total_count counts such trials too: it is an upper bound.",
			examined, max(0, left)))
	} else if search.OnlyIncluded && examined > 0 {
		notices = append(notices, "criteria_in: trials that have the words of criteria among their exclusions alone were left out.")
	}
	has := func(list string) func(entity.TrialSearchCandidate) bool {
		return func(c entity.TrialSearchCandidate) bool {
			return slices.ContainsFunc(c.CriteriaMatch, func(m entity.CriteriaMatch) bool { return m.List == list })
		}
	}
	if search.OnlyIncluded && slices.ContainsFunc(candidates, has("unclear")) {
		notices = append(notices, "Lines of the list unclear may be exclusions: the headings of those texts leave doubt.")
	}
	unseen := 0
	for _, c := range candidates {
		if c.CriteriaMatch == nil {
			unseen++
		}
	}
	if mapping.NewCriteriaWords(search.Criteria) != nil && unseen > 0 {
		notices = append(notices, fmt.Sprintf("criteria: %d of these trials show no line. ClinicalTrials.gov found them by other names "+
			"of the same thing; get_trial with section eligibility has the text.", unseen))
	}
	return notices
}
