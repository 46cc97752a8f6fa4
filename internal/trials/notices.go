package trials

import (
	"slices"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/tool"
	"github.com/biofact-mcp/biofact/internal/trials/filters"
)

// firstPageNotices returns notices about the hits of a search, or about the cause of an empty result.
func firstPageNotices(w *filters.Wishes, query *ctgov.Query, page candidatePage) []string {
	if notice := missingIDs(w, query, page); notice != "" {
		return []string{notice}
	}
	if total := page.next.Total; total != nil && *total == 0 {
		return w.Advice()
	}
	if statusNotice := w.StatusOfTrial(); statusNotice != "" && len(page.candidates) > 0 {
		return []string{statusNotice + " recruitment_status of each site: call get_trial_locations with " +
			tool.Object("nct_id", page.candidates[0].ID) + "."}
	}
	return nil
}

// missingIDs returns a notice with the ids that no trial of a complete page has, if a search has no other filter. The registry also finds
// a trial by a former id; its row then has another id.
func missingIDs(w *filters.Wishes, query *ctgov.Query, page candidatePage) string {
	if w.Args.ResultsDue != "" || query.FilterIds == nil || page.more || page.bad > 0 || len(w.Given) > 1 {
		return ""
	}
	var missing []string
	for _, nct := range *query.FilterIds {
		curie := id.NCT.CURIE(nct)
		if !slices.ContainsFunc(page.candidates, func(c entity.TrialSearchCandidate) bool { return c.ID == curie }) {
			missing = append(missing, curie)
		}
	}
	if len(missing) == 0 {
		return ""
	}
	ids := "the id " + missing[0]
	if len(missing) > 1 {
		ids = "any of the ids " + tool.Listed(missing)
	}
	if len(page.candidates)+len(missing) > len(*query.FilterIds) {
		return "No row has " + ids + ". ClinicalTrials.gov has no such trial, or lists it under the id of another row."
	}
	return "No trial has " + ids + "."
}
