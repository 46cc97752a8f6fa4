package e2e

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/app"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestCoverageOfResults: docs/coverage.md says which field of an answer has each field of posted results. Some call of the tool returns
// each value there, and whole.
func TestCoverageOfResults(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	t.Run("embedded", func(t *testing.T) {
		record := decodeNumbers(t, mustRead(t, "../internal/mapping/trials/testdata/results/figures.json"))
		more := inside(record, "resultsSection", "moreInfoModule").(map[string]any)
		long := strings.Repeat("The participants came from one town only. ", 300)
		more["limitationsAndCaveats"] = map[string]any{"description": long + "End."}
		more["certainAgreement"].(map[string]any)["otherDetails"] = long + "End of the agreement."
		text, err := json.Marshal(record)
		expect.NoError(t, err)
		path := filepath.Join(t.TempDir(), "record.jsonl")
		expect.NoError(t, os.WriteFile(path, append(text, '\n'), 0o600))
		seen := checkPosted(t, path, []map[string]any{record})
		for field, row := range coverageList(t) {
			if strings.HasPrefix(field, "resultsSection.moreInfoModule.") && len(row.fields) > 0 {
				expect.That(t, seen[field], "the record lacks %s", field)
			}
		}
	})
	t.Run("real", func(t *testing.T) {
		path := filepath.Join(filepath.Dir(corpus), "results.jsonl.gz")
		checkPosted(t, path, corpusRecords(t, path))
	})
}

// checkPosted compares the posted results of the records of a file with the answers. It returns the fields that the records have.
func checkPosted(t *testing.T, path string, records []map[string]any) (seen map[string]bool) {
	t.Helper()
	a, list := corpusApp(t, path), coverageList(t)
	seen = map[string]bool{}
	for _, raw := range records {
		nct := inside(raw, "protocolSection", "identificationModule", "nctId").(string)
		answers := newPosted(t, a, nct)
		dispersed := []string{"spread", "lowerLimit", "upperLimit"} // only where the dispersion uses them, as the page says
		for _, l := range leavesOf(nil, raw["resultsSection"], "resultsSection", -1) {
			row, last := list[l.path], lastOf(l.path)
			seen[l.path] = true
			if len(row.fields) == 0 || last == "id" || strings.HasPrefix(last, "groupId") || slices.Contains(dispersed, last) ||
				strings.Contains(l.path, ".classes.denoms.") || strings.Contains(l.path, ".measures.denoms.") {
				continue // left out, numbered anew, or only where it differs from the number of its group or table
			}
			want := unescaped(plainText(l.text))
			expect.That(t, want == "" || slices.ContainsFunc(row.fields, func(f string) bool {
				return answers[f][want] || slices.ContainsFunc(slices.Collect(maps.Keys(answers[f])), func(got string) bool {
					return last == "phone" && same(l.path, want, got) || last == "phoneExt" && same(l.path, want, got)
				})
			}), "%s: no call returns %s whole: %.60q", nct, l.path, want)
		}
	}
	return seen
}

func lastOf(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// newPosted returns the values of all sections of the posted results of a trial, by field.
func newPosted(t *testing.T, a *app.App, nct string) map[string]map[string]bool {
	t.Helper()
	values := map[string]map[string]bool{}
	for _, section := range []string{"outcomes", "adverse_events", "participant_flow", "baseline", "more_info"} {
		arguments := map[string]any{"nct_id": nct, "section": section, "page_size": 500}
		for more := true; more; {
			page := decodeNumbers(t, called(t, a, "get_trial_results", arguments))
			for _, l := range leavesOf(nil, page, "results", -1) {
				if values[l.path] == nil {
					values[l.path] = map[string]bool{}
				}
				values[l.path][unescaped(plainText(l.text))] = true
			}
			arguments["cursor"], more = inside(page, "pagination", "cursor").(string)
		}
	}
	return values
}
