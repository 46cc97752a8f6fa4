package service

import (
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// TestKindsHaveTools: the table of ids names existing tools and arguments.
func TestKindsHaveTools(t *testing.T) {
	t.Parallel()
	all := tools.Table(struct{ tools.Handlers }{})
	for _, kind := range id.Kinds() {
		i := slices.IndexFunc(all, func(t *tool.Tool) bool { return t.Name == kind.Tool })
		expect.That(t, i >= 0 && slices.ContainsFunc(all[i].Arguments, func(a tool.Argument) bool { return a.Name == kind.Argument }),
			"%s: no tool %s with %s", kind.Name, kind.Tool, kind.Argument)
	}
}

// TestWrongDigits: an NCT id with a wrong number of digits is never padded, and every tool says how many digits it has.
func TestWrongDigits(t *testing.T) {
	t.Parallel()
	const count = "an NCT id has 8 digits, "
	s := New(Options{}) // without sources
	for _, tt := range []struct{ text, counted string }{
		{"NCT0046103", "NCT0046103 has 7"}, {"NCT 0046103", "NCT 0046103 has 7"}, {"nct004610321", "nct004610321 has 9"},
		{"NCT0046103, NCT:1", "NCT0046103 has 7, NCT:1 has 1"}, {"https://clinicaltrials.gov/study/NCT0046103", "NCT0046103 has 7"},
		{"NCT1234567890 AND", "NCT1234567890 has 10"}, {"(NCT0046103", "NCT0046103 has 7"},
	} {
		for _, name := range []string{"query", "condition", "location"} {
			var args tools.TrialFilters
			for _, a := range args.Texts() {
				if a.Name == name {
					*a.Value = tt.text
				}
			}
			_, err := s.SearchTrials(t.Context(), tools.SearchTrialsArgs{TrialFilters: args})
			if e := entity.AsError(err); err == nil || e.Code != entity.InvalidInput || e.Message != name+": "+count+tt.counted+"." ||
				!strings.Contains(e.Hint, "search_trials with words of its title") {
				t.Errorf("%s %q: %+v", name, tt.text, e)
			}
		}
		_, trial := s.GetTrial(t.Context(), tools.GetTrialArgs{NCTID: tt.text})
		_, article := envelope.ReadPMID(tools.FetchArticleDetails, tt.text)
		_, gene := s.GetGene(t.Context(), tools.GetGeneArgs{EntrezID: tt.text})
		for _, err := range []error{trial, article, gene} {
			if e := entity.AsError(err); err == nil || !strings.Contains(e.Message+e.Hint, count+tt.counted) {
				t.Errorf("%q: %+v", tt.text, e)
			}
		}
	}
}
