package evidence

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/app"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/register"
)

// registryCorpus has records of the registry.
const registryCorpus = "../../../shared/corpus/ctgov/"

// over returns a function that calls a tool over the records at a path.
func over(t *testing.T, path string) func(t *testing.T, tool string, args map[string]any, answer any) {
	t.Helper()
	cfg, err := config.Read(append(os.Environ(), "NCBI_ADMIN_EMAIL=test@example.org", "BIOFACT_CACHE_DIR=off"))
	expect.NoError(t, err)
	cfg.Sandbox = path
	a, err := app.New(t.Context(), cfg, "0", nil)
	expect.NoError(t, err)
	t.Cleanup(func() { a.Close() })
	return func(t *testing.T, tool string, args map[string]any, answer any) {
		t.Helper()
		given, err := json.Marshal(args)
		expect.NoError(t, err)
		result := a.Tool(tool).Call(t.Context(), a.Log, given)
		expect.Must(t, !result.IsError, "%s %s: %.500s", tool, given, result.JSON)
		expect.NoError(t, json.Unmarshal(result.JSON, answer))
	}
}

// TestEvidenceRegisters prints how many numbers of other registers, as records of ClinicalTrials.gov hold them, find their trial in each
// spelling: all must.
func TestEvidenceRegisters(t *testing.T) {
	if _, err := os.Stat(registryCorpus); err != nil {
		t.Skip("numbers of registers are not measured: shared/corpus/ctgov is not beside the repository")
	}
	expect.Slow(t)
	call := over(t, registryCorpus)
	numbers, found := map[string]int{}, map[string]int{}
	for _, file := range []string{"studies", "results", "more"} {
		for _, record := range jsonLines[ctgov.Study](t, registryCorpus+file+".jsonl.gz") {
			ident := &record.ProtocolSection.IdentificationModule
			nct := "NCT:" + ident.NctId[3:]
			for _, info := range ident.SecondaryIdInfos {
				id := info.Id
				for _, n := range register.Find(id)[:min(1, len(register.Find(id)))] {
					numbers[n.Register]++
					missed := slices.IndexFunc(append(n.Spellings, n.Register+" "+n.ID, n.Register+": "+n.ID, id, spaced(n.ID, " "), spaced(n.ID, ": "),
						spaced(n.ID, "-")), func(spelled string) bool {
						if _, ok := register.Only(spelled); !ok { // such as 19572887 alone
							return false
						}
						var answer struct{ Items []struct{ ID string } }
						call(t, "search_trials", map[string]any{"query": spelled, "fields": []string{"status"}}, &answer)
						ok := slices.ContainsFunc(answer.Items, func(i struct{ ID string }) bool { return i.ID == nct })
						expect.That(t, ok, "%s (%s) does not find %s", spelled, id, nct)
						return !ok
					})
					if missed < 0 {
						found[n.Register]++
					}
				}
			}
		}
	}
	t.Logf("| register | numbers in records | found in each spelling |")
	for _, name := range slices.Sorted(maps.Keys(numbers)) {
		t.Logf("| %s | %d | %d |", name, numbers[name], found[name])
	}
}

// spaced returns a number with a mark between its letters and its digits.
func spaced(id, mark string) string {
	for i := range len(id) {
		if '0' <= id[i] && id[i] <= '9' && i > 2 {
			return id[:i] + mark + id[i:]
		}
	}
	return id
}
