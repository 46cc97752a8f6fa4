package citation

import "strings"

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

// apaIssue returns an issue such as 3, Suppl. 2.
func (w *work) apaIssue() string {
	number, part, which := splitIssue(w.issue)
	return joinNonEmpty(", ", number, joinNonEmpty(" ", part, which))
}

// mlaIssue returns an issue such as no. 3, suppl. 2. An issue with a name has no number.
func (w *work) mlaIssue() string {
	number, part, which := splitIssue(w.issue)
	if letters, _, _ := cutNumber(number); len(letters) < 3 {
		number = withLabel("no. ", number)
	}
	return joinNonEmpty(", ", number, joinNonEmpty(" ", strings.ToLower(part), which))
}
