package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/biofact-mcp/biofact/internal/app"
	"github.com/biofact-mcp/biofact/internal/expect"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/entity"
)

// corpus is a file of complete real records, which is outside the repository.
const corpus = "../../shared/corpus/ctgov/studies.jsonl.gz"

// corpusApp serves a file of real records, wired as the command does.
func corpusApp(t *testing.T, path string) *app.App {
	t.Helper()
	if _, err := os.Stat(path); err != nil && path != config.SandboxEmbedded {
		t.Skipf("the real records are not here: %v", err)
	}
	cfg, err := config.Read(nil)
	expect.NoError(t, err)
	cfg.Sandbox = path
	a, err := app.New(t.Context(), cfg, "0", nil)
	expect.NoError(t, err)
	t.Cleanup(a.Close)
	return a
}

// TestCorpus pages through a search of all real records.
func TestCorpus(t *testing.T) {
	a := corpusApp(t, corpus)
	var ids []string
	search := map[string]any{"study_type": []string{"interventional", "observational"}, "page_size": 50}
	for more := true; more; {
		var page entity.Page[entity.TrialSearchCandidate]
		expect.NoError(t, json.Unmarshal(called(t, a, "search_trials", search), &page))
		for _, c := range page.Items {
			ids = append(ids, c.ID)
		}
		if *page.Pagination.TotalCount != 389 {
			t.Fatalf("total %d", *page.Pagination.TotalCount)
		}
		search["cursor"], more = page.Pagination.Cursor, page.Pagination.Cursor != ""
	}
	if got := len(unique(ids)); got != 389 || len(ids) != 389 {
		t.Fatalf("the pages have %d candidates, %d different", len(ids), got)
	}
}

// TestCorpusManySites pages through the 1,148 sites of one trial.
func TestCorpusManySites(t *testing.T) {
	a := corpusApp(t, corpus)
	arguments := map[string]any{"nct_id": "NCT04267848"}
	var sites []string
	pages := 0
	for more := true; more; pages++ {
		raw, err := json.Marshal(arguments)
		expect.NoError(t, err)
		var page entity.Page[entity.TrialLocation]
		expect.NoError(t, json.Unmarshal(a.Tool("get_trial_locations").Call(t.Context(), a.Log, raw).JSON, &page))
		for _, s := range page.Items {
			sites = append(sites, fmt.Sprint(s.FacilityName, s.City, s.State, s.Zip))
		}
		expect.Must(t, page.Pagination.TotalCount != nil && *page.Pagination.TotalCount == 1148,
			"page %d: total %v", pages, page.Pagination.TotalCount)
		arguments["cursor"], more = page.Pagination.Cursor, page.Pagination.Cursor != ""
	}
	if pages != 12 || len(sites) != 1148 || len(unique(sites)) != 1148 {
		t.Errorf("%d pages, %d sites, %d different", pages, len(sites), len(unique(sites)))
	}
}

func unique(texts []string) map[string]bool {
	set := map[string]bool{}
	for _, t := range texts {
		set[t] = true
	}
	return set
}
