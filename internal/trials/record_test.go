package trials

import (
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestCutLimits: beside other sections the limits of criteria have a bound, and a notice names the call with all of them.
func TestCutLimits(t *testing.T) {
	t.Parallel()
	one := entity.CriteriaLimit{What: "age", List: "inclusion", Value: ">= 18", Text: strings.Repeat("Age >= 18 ", 20), End: 5}
	for limits, left := range map[int]bool{3: false, 100: true} {
		trial := entity.Trial{ID: "NCT:00461032", EligibilityCriteria: &entity.EligibilityCriteria{}}
		for range limits {
			trial.EligibilityCriteria.Limits = append(trial.EligibilityCriteria.Limits, one)
		}
		var notes entity.Notes
		expect.That(t, cutLimits(&trial, &notes) == left, "%d limits", limits)
		size := entity.Size(trial.EligibilityCriteria.Limits)
		expect.That(t, size <= maxLimits+2, "%d bytes", size)
		text := strings.Join(notes.Notices, "")
		expect.That(t, strings.Contains(text, `get_trial with {"nct_id":"NCT:00461032","sections":"eligibility"}`) == left, "%s", text)
	}
	expect.That(t, !cutLimits(&entity.Trial{}, &entity.Notes{}), "a record without criteria is cut")
}
