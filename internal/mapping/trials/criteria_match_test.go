package trials_test

import (
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mapping/trials"
)

// TestCriteriaMatch: a row shows the lines with the words, and the list of each line.
func TestCriteriaMatch(t *testing.T) {
	t.Parallel()
	filler := strings.Repeat("words that say nothing of it, ", 12)
	clear := "Inclusion Criteria:\n\n* Mutation in one of:\n\n  * EGFR\n  * ALK\n* Age \\>= 18\n\nExclusion Criteria:\n\n* Heart attack\n* " + filler + "EGFR inhibitors, " + filler + "\n* EGFR vaccine\n* EGFR antibody"
	doubtful := "Patients with an EGFR mutation\nNot: brain metastases"
	for _, tt := range []struct {
		text, words string
		want        string // list: text; ...
		more        int
		excluded    bool
	}{
		{clear, "egfr", "inclusion: EGFR; exclusion: …EGFR inhibitors,; exclusion: EGFR vaccine", 1, false},
		{clear, "EGFR mutations", "inclusion: Mutation in one of: EGFR", 0, false},
		{clear, "myocardial infarction", "exclusion: Heart attack", 0, true},
		{clear, "heart failure", "exclusion: Heart attack", 0, true},
		{clear, "ALK AND vaccine", "inclusion: ALK; exclusion: EGFR vaccine", 0, false},
		{clear, `"EGFR vaccine" OR antibody`, "exclusion: EGFR vaccine; exclusion: EGFR antibody", 0, true},
		{clear, "vaccine NOT ALK", "exclusion: EGFR vaccine", 0, true},
		{clear, "18", "inclusion: Age >= 18", 0, false},
		{clear, "leukemia", "", 0, false},
		{clear, "inclusion", "", 0, false},
		{doubtful, "EGFR", "unclear: Patients with an EGFR mutation", 0, false},
		{doubtful, "brain", "unclear: Not: brain metastases", 0, false},
		{"", "brain", "", 0, false},
	} {
		var s ctgov.Study
		s.ProtocolSection.EligibilityModule.EligibilityCriteria = tt.text
		m := trials.NewCriteriaWords(tt.words).Match(&s)
		var got []string
		for _, c := range m.Shown {
			expect.That(t, len([]rune(c.Text)) <= 200 && c.Text != "", "%q: %q", tt.words, c.Text)
			text := c.Text
			if strings.HasPrefix(text, "…") { // the text around the words in a long line
				expect.That(t, strings.Contains(text, "EGFR inhibitors,"), "%q: %q", tt.words, text)
				text = "…EGFR inhibitors,"
			}
			got = append(got, c.List+": "+text)
		}
		expect.Is(t, strings.Join(got, "; "), tt.want, "%q", tt.words)
		expect.That(t, m.More == tt.more && m.Excluded == tt.excluded, "%q: %d more, excluded %t", tt.words, m.More, m.Excluded)
	}
	for _, words := range []string{"", "NOT EGFR", "("} {
		expect.That(t, trials.NewCriteriaWords(words) == nil, "%q looks for something", words)
	}
}
