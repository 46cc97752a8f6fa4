package trials

import (
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// sponsorAdvice says how else the lead sponsor of a search without hits can be written.
func sponsorAdvice(caller string, names []string) string {
	for _, name := range names {
		switch parts := severalSponsors.Split(name, -1); {
		case isExactName("lead_sponsor", name):
			words := strings.TrimSpace(strings.NewReplacer(`"`, "", "“", "", "”", "").Replace(name))
			return "lead_sponsor in quotation marks is the whole name. To find words of the name call " + caller + " with " +
				tool.Object("lead_sponsor", words) + "."
		case len(parts) > 1 && !slices.ContainsFunc(parts, companyForm.MatchString):
			return "lead_sponsor is one name with all of these words. For several sponsors call " + caller + " with a list, " +
				tool.Object("lead_sponsor", parts) + "."
		}
	}
	return ""
}

// sponsorNotices says how to find the trials of a lead sponsor that was counted, or how else the lead sponsor of a count of zero can be
// written.
func sponsorNotices(args tools.CountTrialsArgs, counts entity.TrialCounts) []string {
	example := ""
	switch groups := counts.Groups; {
	case counts.TotalCount == 0:
		return slices.DeleteFunc([]string{sponsorAdvice(tools.CountTrials, args.LeadSponsor)}, func(s string) bool { return s == "" })
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

var (
	// severalSponsors splits a text that may list several names.
	severalSponsors = lazyregexp.New(`\s*,\s*|\s+and\s+`)
	companyForm     = lazyregexp.New(`(?i)^(?:inc|incorporated|llc|ltd|limited|co|company|corp|gmbh|ag|kg|sas?|plc|[bn]\.?v)\.?$`)
)
