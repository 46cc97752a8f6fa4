package filters

import (
	"slices"

	"github.com/biofact-mcp/biofact/gen/tools"
)

// checkStatus returns the error for a call with recruiting_site whose status does not allow it: the sites of trials with another status
// than RECRUITING do not recruit.
func checkStatus(args tools.TrialFilters, status []string) error {
	if !args.RecruitingSite || len(status) == 0 || slices.Contains(status, string(Recruiting)) {
		return nil
	}
	return Misread{Argument: "recruiting_site", Text: "true", Again: "with status RECRUITING, or without recruiting_site",
		Reason: "a trial has a recruiting site only while its status is RECRUITING, and status is another one"}
}

// statusNotice says that only recruiting trials were searched. The sites of a trial with status UNKNOWN have their last known status.
func statusNotice(status []string) []string {
	switch len(status) {
	case 0:
		return []string{"recruiting_site: trials with status RECRUITING were searched. Where the status of a trial is UNKNOWN, " +
			"a site may still have the status RECRUITING, which is its last known one."}
	case 1:
		return nil
	}
	return []string{"status: trials with status RECRUITING were searched. Others have no recruiting site."}
}
