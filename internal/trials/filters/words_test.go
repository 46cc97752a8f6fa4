package filters

import (
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestStatusWords: the registry's own labels and common words are values. A word with several meanings is an error with the choices, and
// never a guess.
func TestStatusWords(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		texts  string // parted by " + "
		values string // parted by spaces
		notice string
	}{
		{"recruiting", "RECRUITING", ""},
		{"Active, not recruiting", "ACTIVE_NOT_RECRUITING", ""},
		{"Active, not recruiting, completed", "ACTIVE_NOT_RECRUITING COMPLETED", ""},
		{"Completed or recruiting", "COMPLETED RECRUITING", ""},
		{"Recruiting + RECRUITING + recruiting trials", "RECRUITING", ""},
		{"Enrolling by invitation", "ENROLLING_BY_INVITATION", ""},
		{"invitation only", "ENROLLING_BY_INVITATION", ""},
		{"Unknown status", "UNKNOWN", ""},
		{"unknown", "UNKNOWN", ""},
		{"Temporarily not available", "TEMPORARILY_NOT_AVAILABLE", ""},
		{"Approved for marketing", "APPROVED_FOR_MARKETING", ""},
		{"not yet recruiting", "NOT_YET_RECRUITING", ""},
		{"upcoming", "NOT_YET_RECRUITING", ""},
		{"completed studies", "COMPLETED", ""},
		{"stopped early", "TERMINATED", ""},
		{"on hold", "SUSPENDED", ""},
		{"enrolling", "RECRUITING", `status: "enrolling" was read as RECRUITING; trials that take participants by invitation only are ENROLLING_BY_INVITATION.`},
		{"open", "RECRUITING", `status: "open" was read as RECRUITING; trials that are to open are NOT_YET_RECRUITING.`},
	} {
		values, notices, err := wordsFor("status", "OverallStatus").Read(strings.Split(tt.texts, " + "))
		if got := strings.Join(values, " "); err != nil || got != tt.values || strings.Join(notices, " ") != tt.notice {
			t.Errorf("%q: %s %v %v", tt.texts, got, notices, err)
		}
	}
	for text, several := range map[string]string{
		"active": "RECRUITING, ACTIVE_NOT_RECRUITING or ENROLLING_BY_INVITATION", "ongoing": "RECRUITING, ACTIVE",
		"active trials":  "RECRUITING, ACTIVE",
		"closed":         "ACTIVE_NOT_RECRUITING, COMPLETED",
		"not recruiting": "NOT_YET_RECRUITING, UNKNOWN, ACTIVE_NOT_RECRUITING, COMPLETED",
		"non-recruiting": "NOT_YET_RECRUITING, UNKNOWN, ACTIVE", "finished": "COMPLETED or TERMINATED",
		"stopped": "TERMINATED, WITHDRAWN", "recruiting or active": "RECRUITING, ACTIVE_NOT_RECRUITING",
		"cancelled": "TERMINATED, WITHDRAWN",
	} {
		_, _, err := wordsFor("status", "OverallStatus").Read([]string{text})
		e := entity.AsError(ForTool(tools.SearchTrials, err))
		expect.That(t, e != nil && e.Code == entity.InvalidInput && strings.HasPrefix(e.Message, `status: "`) &&
			strings.Contains(e.Message, "may mean "+several) && e.Next != nil,
			"%q: %+v", text, e)
	}
	for text, want := range map[string]string{
		"recuiting": `status "RECRUITING".`, "melanoma": "again with status as one or several of",
		"recruiting, foo, bar": "again with status as one or several of",
		"recuiting, completed": `status ["COMPLETED","RECRUITING"].`,
	} {
		_, _, err := wordsFor("status", "OverallStatus").Read([]string{text})
		e := entity.AsError(ForTool(tools.SearchTrials, err))
		expect.That(t, e != nil && e.Code == entity.InvalidInput && strings.Contains(e.Envelope().Error.RecoveryHint, want),
			"%q: %+v", text, e)
	}
}

// TestExcludedWords: a value that a text excludes is never read as included.
func TestExcludedWords(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"-recruiting", "!completed", "\u2212completed", "not completed", "recruiting, -completed", "all", "any", "null"} {
		values, _, err := wordsFor("status", "OverallStatus").Read([]string{text})
		e := entity.AsError(ForTool(tools.SearchTrials, err))
		expect.That(t, e != nil && e.Code == entity.InvalidInput, "%q: %v %+v", text, values, e)
	}
}

func TestStudyTypeWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"interventional": "INTERVENTIONAL", "Interventional (Clinical Trial)": "INTERVENTIONAL",
		"Observational [Patient Registry]": "OBSERVATIONAL +", "interventional study": "INTERVENTIONAL", "clinical trial": "INTERVENTIONAL",
		"observational study": "OBSERVATIONAL", "expanded access": "EXPANDED_ACCESS", "compassionate use": "EXPANDED_ACCESS",
		"RCT": "INTERVENTIONAL +", "randomized controlled trial": "INTERVENTIONAL +", "cohort study": "OBSERVATIONAL +",
		"patient registry": "OBSERVATIONAL +",
		"phase 3":          "",
	} {
		values, notices, err := wordsFor("study_type", "StudyType").Read([]string{text})
		got := strings.Join(values, " ")
		if len(notices) > 0 {
			got += " +"
		}
		expect.That(t, got == want && (err != nil) == (want == ""), "%q: %q %v %v", text, got, notices, err)
	}
}

// TestWordsAreTheValuesOfTheContract: words are read for each value that tools.yaml takes from the registry's document.
func TestWordsAreTheValuesOfTheContract(t *testing.T) {
	t.Parallel()
	for _, tool := range tools.Table(struct{ tools.Handlers }{}) {
		for _, a := range tool.Arguments {
			for _, w := range []wordValues{wordsFor("status", "OverallStatus"), wordsFor("study_type", "StudyType")} {
				ofSites := tool.Name == tools.GetTrialLocations || tool.Name == tools.MatchTrials // others, or as in search_trials
				expect.That(t, a.Name != w.Argument || ofSites || slices.Equal(a.Words, w.Known()),
					"%s: %s are %v, not %v", tool.Name, a.Name, w.Known(), a.Words)
			}
		}
	}
}
