package citation

import (
	"strings"
)

// issueParts are NLM's words for parts of a volume or issue.
var issueParts = []string{"Suppl", "Pt", "Spec No"}

// readIssue moves a part from the volume to the issue, if the issue is empty: 12 Suppl 1.
func readIssue(volume, issue string) (string, string) {
	for _, p := range issueParts {
		if at := strings.Index(volume, " "+p); at > 0 && issue == "" {
			return volume[:at], volume[at+1:]
		}
	}
	return volume, issue
}

// splitIssue splits an issue at its part: 3 Suppl 2 into 3, Suppl. and 2.
func splitIssue(issue string) (number, part, which string) {
	for _, p := range issueParts {
		if front, behind, found := strings.Cut(" "+issue+" ", " "+p+" "); found {
			return strings.TrimSpace(front), p + ".", strings.TrimSpace(behind)
		}
	}
	return issue, "", ""
}
