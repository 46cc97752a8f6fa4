package trials

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestCutLimits: beside other sections the limits of criteria have a bound, and a notice names the call with all of them.
func TestCutLimits(t *testing.T) {
	t.Parallel()
	one := entity.CriteriaLimit{What: "other", List: "inclusion", Name: strings.Repeat("rowing ", 30), End: 5}
	for limits, left := range map[int]bool{3: false, 100: true} {
		trial := entity.Trial{ID: "NCT:00461032", EligibilityCriteria: &entity.EligibilityCriteria{}}
		for range limits {
			trial.EligibilityCriteria.Limits = append(trial.EligibilityCriteria.Limits, one)
		}
		record, err := entity.JSON(trial)
		expect.NoError(t, err)
		var notes entity.Notes
		cut := cutLimits(record, trial.ID, &notes)
		expect.That(t, (len(cut) < len(record)) == left, "%d limits", limits)
		var fitting entity.Trial
		expect.NoError(t, json.Unmarshal(cut, &fitting))
		fits := fitting.EligibilityCriteria.Limits
		expect.That(t, entity.Size(fits) <= maxLimits+2, "%d bytes", entity.Size(fits))
		trial.EligibilityCriteria.Limits = trial.EligibilityCriteria.Limits[:len(fits)]
		expect.Equal(t, "the record with fewer limits", fitting, trial)
		text := strings.Join(notes.Notices, "")
		expect.That(t, strings.Contains(text, `get_trial with {"nct_id":"NCT:00461032","sections":"eligibility"}`) == left, "%s", text)
	}
}
