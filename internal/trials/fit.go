package trials

import (
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
)

// fitTrial shortens a trial, the least important parts first. If the answer has several sections, the notice also names the call that reads
// a cut section alone.
func fitTrial(t *entity.Trial, requested []string, maxAnswer int) []string {
	cut := envelope.Fit(t, maxAnswer)
	notices := envelope.CutRecord(cut, t.CrossReferences.ClinicalTrialsGov)
	var sections []string
	for _, part := range cut {
		if !slices.Contains(sections, part.Section) {
			sections = append(sections, part.Section)
		}
	}
	if len(sections) > 0 && len(requested) != 1 {
		more := fmt.Sprintf("A section alone has more room: %s with {\"nct_id\":%q,\"sections\":%q}", tools.GetTrial, t.ID, sections[0])
		if len(sections) > 1 {
			more += ", likewise " + strings.Join(sections[1:], ", ")
		}
		notices[0] = strings.Replace(notices[0], envelope.CompleteRecord, more+". "+envelope.CompleteRecord, 1)
	}
	return notices
}
