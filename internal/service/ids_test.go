package service

import (
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
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
			_, _, err := trialQuery(tools.SearchTrials, args, calendarOf(""))
			if e := entity.AsError(err); err == nil || e.Code != entity.InvalidInput || e.Message != name+": "+count+tt.counted+"." ||
				!strings.Contains(e.Hint, "search_trials with words of its title") {
				t.Errorf("%s %q: %+v", name, tt.text, e)
			}
		}
		_, trial := readNCT(tools.GetTrial, tt.text)
		_, article := readPMID(tools.FetchArticleDetails, tt.text)
		_, gene := readGeneID(tools.GetGene, tt.text)
		_, search := readArticleTerm(tools.SearchPubMedArticles, "queryTerm", tt.text)
		for _, err := range []error{trial, article, gene, search} {
			if e := entity.AsError(err); err == nil || !strings.Contains(e.Message+e.Hint, count+tt.counted) {
				t.Errorf("%q: %+v", tt.text, e)
			}
		}
	}
}

// TestMixedNCTIDs: valid ids are looked up, and a notice names the malformed ones.
func TestMixedNCTIDs(t *testing.T) {
	t.Parallel()
	params, notices, err := trialQuery(tools.SearchTrials,
		tools.TrialFilters{Query: "NCT:00461032, nct909532; NCT 0046103, https://clinicaltrials.gov/study/NCT00909532"}, calendarOf(""))
	expect.Must(t, err == nil && slices.Equal(*params.FilterIds, []string{"NCT00461032", "NCT00909532"}), "%+v, %v", params, err)
	if want := []string{"Ids were left out: an NCT id has 8 digits, nct909532 has 6, NCT 0046103 has 7."}; !slices.Equal(notices, want) {
		t.Errorf("%q", notices)
	}
	texts, left := []string{"NCT00461032", "NCT0046103", "asthma", "NCT00909532"},
		`nct_ids: left out, as "asthma" is not an NCT id, an NCT id has 8 digits, NCT0046103 has 7.`
	params, notices, err = trialQuery(tools.CountTrials, tools.TrialFilters{NCTIDs: texts}, calendarOf(""))
	expect.Must(t, err == nil && len(*params.FilterIds) == 2 && slices.Equal(notices, []string{left}), "%q, %v", notices, err)
	var notes entity.Notes
	ids, err := comparedIDs(texts, &notes)
	expect.Must(t, err == nil && len(ids) == 2 && slices.Equal(notes.Notices, []string{left}), "%q, %v", notes.Notices, err)
	for _, text := range []string{"melanoma NCT0046103", "NCT0046103 melanoma (x)"} {
		_, notices, err := trialQuery(tools.SearchTrials, tools.TrialFilters{Query: text}, calendarOf(""))
		if want := []string{"In query, an NCT id has 8 digits, NCT0046103 has 7."}; err != nil || !slices.Equal(notices, want) {
			t.Errorf("%q: %q, %v", text, notices, err)
		}
	}
}
