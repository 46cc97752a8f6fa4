package sandbox

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/sandbox/records"
)

// ownIDs are the ids of invented trials: the registry gives out its numbers in order, and is far below them.
const ownIDs = "NCT9"

// ours are the fields whose values are our own: sentences, and the version of the embedded data.
var ours = []string{"briefSummary", "eligibilityCriteria", "versionHolder"}

// TestTrialsAreTrue compares each embedded trial with the record of the registry, where it is at hand: a fact is equal or absent, a list
// has all of its rows or is absent. An invented trial says that it is one.
func TestTrialsAreTrue(t *testing.T) {
	t.Parallel()
	real := map[string]map[string]any{}
	for _, part := range []string{"studies", "results", "more"} {
		path := expect.Corpus(t, "ctgov/"+part+".jsonl.gz", "it compares embedded trials with the registry's records")
		f, err := records.Open(t.Context(), path, records.DefaultLimits)
		expect.NoError(t, err)
		for _, file := range f.JSON("ctgov") {
			text, err := file.Read(t.Context())
			expect.NoError(t, err)
			for decoder := json.NewDecoder(strings.NewReader(string(text))); decoder.More(); {
				var study map[string]any
				expect.NoError(t, decoder.Decode(&study))
				real[query.First(study, "NCTId")] = study
			}
		}
	}
	compared, facts, unproven := 0, 0, 0
	for name, text := range texts(t, embeddedRecords(t)) {
		for _, study := range studiesOf(t, name, text) {
			id := query.First(study, "NCTId")
			if strings.HasPrefix(id, ownIDs) {
				title := query.First(study, "BriefTitle")
				says := strings.HasPrefix(title, "Sandbox example: ")
				expect.That(t, says, "%s: the title %q does not say that it is invented", id, title)
				continue
			}
			if real[id] == nil {
				unproven++
				continue
			}
			compared++
			facts += expect.SameFacts(t, id, study, real[id], ours...)
		}
	}
	t.Logf("%d trials compared, %d facts; %d trials have no record at hand", compared, facts, unproven)
	expect.That(t, compared > 100, "only %d trials were compared", compared)
}
