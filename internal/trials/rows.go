package trials

import (
	"fmt"
	"slices"

	"github.com/biofact-mcp/biofact/internal/entity"
	mapping "github.com/biofact-mcp/biofact/internal/mapping/trials"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
)

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
	if search.Columns == nil && mapping.NewCriteriaWords(search.Criteria) != nil && unseen > 0 {
		notices = append(notices, fmt.Sprintf("criteria: %d of these trials show no line. ClinicalTrials.gov found them by other names "+
			"of the same thing; get_trial with section eligibility has the text.", unseen))
	}
	return notices
}
