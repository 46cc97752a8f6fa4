package trials

import (
	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// sponsorNotices says how to find the trials of a lead sponsor that was counted.
func sponsorNotices(args tools.CountTrialsArgs, counts entity.TrialCounts) []string {
	example := ""
	switch groups := counts.Groups; {
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
