package trials

import (
	"context"
	"fmt"

	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/trials/filters"
)

// onlyDue restricts a search to the trials whose results are due or overdue, if the call asks for them. It returns a notice about the rule.
func (s *Trials) onlyDue(ctx context.Context, w *filters.Wishes, search *ctgov.Search) ([]string, error) {
	status := w.Args.ResultsDue
	if status == "" || search.FilterIds != nil && !filters.DropPlaceholder(search.Query) {
		return nil, nil
	}
	due, ok, err := s.sources.Trials.Due(ctx, search, status)
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, envelope.Refuse("results_due", status, "it is computed from the local mirror of ClinicalTrials.gov, which does "+
			"not answer this search: the mirror is missing or not up to date, or it leaves words to the registry (BIOFACT_MIRROR=exact)").
			Again(w.Caller, `with {"results_due":null,"has_results":false}, for all trials without posted results. The operator of Biofact `+
				`can run biofact mirror sync`)
	case due.TooMany:
		return nil, envelope.Refuse("results_due", status, "more than %d trials may have results that are due", ctgov.MaxDue).
			Again(w.Caller, "with more filters, such as sponsor or condition")
	}
	if due.IDs == nil {
		due.IDs = []string{filters.PlaceholderNCT}
	}
	search.FilterIds = &due.IDs
	return []string{fmt.Sprintf("results_due: computed by 42 CFR 11 as of the data of %s (42 CFR 11.44: one year after the primary "+
		"completion date, with a certificate three). Results under review count as submitted. Waivers and extensions are in no record.",
		due.Day)}, nil
}

// noTrial reports whether the ids of a search exclude all trials, with a notice.
func noTrial(w *filters.Wishes, search *ctgov.Search) (notice string, none bool) {
	if search.FilterIds == nil || filters.DropPlaceholder(search.Query) {
		return "", false
	}
	if w.Args.ResultsDue != "" {
		return "No trial that matches the other filters has results that are " + w.Args.ResultsDue + ".", true
	}
	return "No trial has any of these ids.", true
}
