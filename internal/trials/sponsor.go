package trials

import (
	"slices"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/tool"
	"github.com/biofact-mcp/biofact/internal/trials/filters"
)

// sponsorNotices says how to find the trials of a lead sponsor that was counted, or how else the lead sponsor of a count of zero can be
// written.
func sponsorNotices(args tools.CountTrialsArgs, counts entity.TrialCounts) []string {
	example := ""
	switch groups := counts.Groups; {
	case counts.TotalCount == 0:
		return slices.DeleteFunc([]string{filters.SponsorAdvice(tools.CountTrials, args.LeadSponsor)}, func(s string) bool { return s == "" })
	case len(groups) == 0:
	case args.By == "lead_sponsor":
		example = groups[0].Value
	case args.ThenBy == "lead_sponsor" && len(groups[0].Groups) > 0:
		example = groups[0].Groups[0].Value
	}
	if example == "" {
		return nil
	}
	return []string{"For the trials of one lead sponsor call search_trials with the same filters and its exact name in quotation marks, " +
		"such as " +
		tool.Object("lead_sponsor", `"`+example+`"`) + "."}
}
