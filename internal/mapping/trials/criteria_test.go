package trials_test

import (
	"testing"
	"unicode/utf8"

	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mapping/trials"
)

// eligibility maps a study with a text of criteria.
func eligibility(t testing.TB, text string) entity.EligibilityCriteria {
	t.Helper()
	var s ctgov.Study
	p := &s.ProtocolSection
	p.IdentificationModule.NctId, p.IdentificationModule.BriefTitle, p.StatusModule.OverallStatus = "NCT90000001", "t", "COMPLETED"
	p.EligibilityModule.EligibilityCriteria = text
	trial, err := trials.Trial(&s)
	expect.NoError(t, err)
	if trial.EligibilityCriteria == nil {
		return entity.EligibilityCriteria{}
	}
	return *trial.EligibilityCriteria
}

// TestSizeOfLimits: the limits have at most half the size of the text that they are of, and their places hold their words.
func TestSizeOfLimits(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	section, text := 0, 0
	for _, r := range allRecords(t) {
		given := textAt(r.raw, "protocolSection", "eligibilityModule", "eligibilityCriteria")
		e := eligibility(t, given)
		section, text = section+entity.Size(e), text+entity.Size(e.CriteriaText)
		_, words := trials.CriteriaLimits(given)
		characters := []rune(e.CriteriaText)
		for i, l := range e.Limits {
			expect.Is(t, string(characters[l.Start:l.End]), words[i], "%s", r.id)
		}
	}
	t.Logf("%.3f bytes for a byte of text", float64(section)/float64(text))
	if text < 1<<20 {
		return // the records of the sandbox have a few lines each
	}
	expect.That(t, float64(section) <= 1.55*float64(text), "%d bytes for %d bytes of text", section, text) // 1.49 of all records
}

// FuzzCriteria: the limits of any text are in it.
func FuzzCriteria(f *testing.F) {
	f.Add("Inclusion Criteria:\n* age ≥ 18 years\n  b\n\n  1. c\nd\nExclusion:\n\n\t(a) ECOG 2\n-\n")
	f.Fuzz(func(t *testing.T, text string) {
		e := eligibility(t, text)
		for _, l := range e.Limits {
			expect.That(t, l.Start < l.End && l.End <= utf8.RuneCountInString(e.CriteriaText), "%q: %+v", text, l)
		}
	})
}
