package results

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mapping/trials"
)

// TestResultsSearch: outcomes are found by number and by words, events by words and rate. A notice names the next step if nothing is found.
func TestResultsSearch(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../mapping/trials/testdata/results/figures.json")
	expect.NoError(t, err)
	var study ctgov.Study
	expect.NoError(t, json.Unmarshal(text, &study))
	r, err := trials.TrialResults(&study)
	expect.NoError(t, err)
	for _, tt := range []struct {
		args          tools.GetTrialResultsArgs
		found, notice string
	}{
		{tools.GetTrialResultsArgs{Outcome: "3"}, "Responders", ""},
		{tools.GetTrialResultsArgs{Outcome: "outcome #3"}, "Responders", ""},
		{tools.GetTrialResultsArgs{Outcome: "5, 2, 9"}, "Later, Survival", "outcomes 1 to 5, not 9."},
		{tools.GetTrialResultsArgs{Outcome: "9"}, "INVALID_INPUT", ""},
		{tools.GetTrialResultsArgs{Outcome: "2-3"}, "Survival, Responders", ""},
		{tools.GetTrialResultsArgs{Outcome: "outcomes 2 to 3"}, "Survival, Responders", ""},
		{tools.GetTrialResultsArgs{Outcome: "5–9"}, "Later", "outcomes 1 to 5, not 9."},
		{tools.GetTrialResultsArgs{Outcome: "SURVIVALS"}, "Survival", ""},
		{tools.GetTrialResultsArgs{Outcome: "primary"}, "Change of a concentration", ""},
		{tools.GetTrialResultsArgs{Outcome: "Primary outcomes"}, "Change of a concentration", ""},
		{tools.GetTrialResultsArgs{Outcome: "hair OR survival OR Later"}, "Survival, Later", ""},
		{tools.GetTrialResultsArgs{Outcome: "post-hoc"}, "Responders", ""},
		{tools.GetTrialResultsArgs{Outcome: "stage 2"}, "Survival", ""},
		{tools.GetTrialResultsArgs{Outcome: "came back"}, "Nobody analysed", "description or population"},
		{tools.GetTrialResultsArgs{Outcome: "hair"}, "", `5 "Later"`},
		{tools.GetTrialResultsArgs{Event: []string{"nausea"}}, "Nausea, Nausea, Nausea",
			"no more than 64 participants started, and the groups have 702 at risk"},
		{tools.GetTrialResultsArgs{Event: []string{"gastrointestinal"}, MinPercent: 1}, "Nausea", ""},
		{tools.GetTrialResultsArgs{Serious: new(true)}, "Nausea", ""},
		{tools.GetTrialResultsArgs{Serious: new(false)}, "Nausea, Nausea", ""},
		{tools.GetTrialResultsArgs{MinPercent: 57}, "Nausea", ""},
		{tools.GetTrialResultsArgs{Event: []string{"nausea, headache"}}, "Nausea, Nausea, Nausea",
			`no term or organ system has "headache".`},
		{tools.GetTrialResultsArgs{Event: []string{"nausea", "headache"}}, "Nausea, Nausea, Nausea",
			`no term or organ system has "headache".`},
		{tools.GetTrialResultsArgs{Event: []string{"nausea and vomiting"}}, "Nausea, Nausea, Nausea", "these have a part of it"},
		{tools.GetTrialResultsArgs{Event: []string{"nawsea"}}, "", "Did you mean Nausea?"},
		{tools.GetTrialResultsArgs{Event: []string{"nausea"}, MinPercent: 99}, "",
			"Of the 3 adverse events with \"nausea\" none reaches 99 % in any group; the highest rate is"},
		{tools.GetTrialResultsArgs{Serious: new(true), MinPercent: 99}, "", "The only serious adverse event, Nausea, does not reach 99 %"},
		{tools.GetTrialResultsArgs{Event: []string{"headache"}}, "",
			"1 serious and 2 other events, the others only above 5 %; organ systems: Gastrointestinal disorders; General disorders."},
		{tools.GetTrialResultsArgs{Section: baseline, Outcome: "1"}, "", ""},
		{tools.GetTrialResultsArgs{Event: []string{"nausea"}, Outcome: "1"}, "INVALID_INPUT", ""},
		{tools.GetTrialResultsArgs{Format: "csv"}, "INVALID_INPUT", ""},
	} {
		tt.args.PageSize = 20
		call := Call{GetTrialResultsArgs: tt.args, budget: 400_000, Notes: &entity.Notes{}}
		call.NCTID = r.ID
		var found []string
		err := call.chooseSection()
		var answer entity.TrialResults
		if err == nil {
			answer, err = call.Answer(&r)
		}
		for _, m := range answer.OutcomeMeasures {
			found = append(found, m.Title)
		}
		if a := answer.AdverseEvents; a != nil {
			for _, e := range a.Events {
				found = append(found, e.Term)
			}
		}
		if err != nil {
			found = []string{string(entity.AsError(err).Code)}
		}
		expect.Equal(t, string(must(entity.JSON(tt.args))), tt.found, strings.Join(found, ", "))
		expect.Equal(t, tt.notice+" in "+strings.Join(call.Notes.Notices, " "), true,
			strings.Contains(strings.Join(call.Notes.Notices, " "), tt.notice))
	}
}

// TestSpellings: British and American spellings of a word match.
func TestSpellings(t *testing.T) {
	t.Parallel()
	for british, american := range map[string]string{
		"Diarrhoea": "diarrhea", "Anaemia": "anemia", "Haemorrhage": "hemorrhage", "Oedema peripheral": "peripheral edema",
		"Tumour pain": "tumor pain", "Gastrooesophageal reflux disease": "gastro-esophageal reflux", "Goitre": "goiter",
		"Skin discolouration": "discoloration", "Hospitalisation": "hospitalization", "Localised infection": "localized infections",
		"Leukopenia": "leucopenia", "Dyspnoea": "dyspnea", "Fibres": "fiber", "Paralysed": "paralyzed",
	} {
		expect.Equal(t, american+" of "+british, true, hasWords(british, words(american)))
		expect.Equal(t, american+" of itself", true, hasWords(american, words(american)))
	}
	expect.Equal(t, "hyperkalemia of hypokalemia", false, hasWords("Hypokalaemia", words("hyperkalemia")))
}

func must[T any](v T, _ error) T { return v }

// TestWithdrawnResults: for a trial without participants no results are due.
func TestWithdrawnResults(t *testing.T) {
	t.Parallel()
	notice := unpostedNotice(&entity.TrialResults{ID: "NCT:90000018",
		Unposted: &entity.UnpostedResults{Status: "WITHDRAWN", PrimaryCompletionDate: "2015-03"}})
	expect.Equal(t, "withdrawn, none due", []bool{true, false},
		[]bool{strings.Contains(notice, "was withdrawn before"), strings.Contains(notice, "2015-03")})
}

// TestOutcomeIndex: the entries of the index differ where the outcomes do, in a full and in a small overview.
func TestOutcomeIndex(t *testing.T) {
	t.Parallel()
	const shared = "Change from baseline in the forced expiratory volume in one second before the morning dose at week "
	r := entity.TrialResults{ID: "NCT:90000018", HasResults: new(true)}
	for i := range 8 {
		m := entity.ResultMeasure{Number: i + 1, Type: "SECONDARY", Title: shared + string(rune('1'+i)), TimeFrame: "Weeks"}
		if i > 5 {
			m.Title, m.TimeFrame = "Survival", m.Title
		}
		r.OutcomeMeasures = append(r.OutcomeMeasures, m)
	}
	for _, budget := range []int{400_000, 4000} {
		args := tools.GetTrialResultsArgs{NCTID: r.ID, Section: overview}
		call := Call{GetTrialResultsArgs: args, budget: budget, Notes: &entity.Notes{}}
		answer, err := call.Answer(&r)
		expect.NoError(t, err)
		expect.Equal(t, "equal entries", "", twins(answer.OutcomeIndex, r.OutcomeMeasures))
		expect.Equal(t, "title", "Change from baseline in the forced expiratory… week 1", answer.OutcomeIndex[0].Title)
	}
}

// TestResultsFormulas: a table has no cell that a spreadsheet runs as a formula, and a notice counts the changed cells.
func TestResultsFormulas(t *testing.T) {
	t.Parallel()
	r := entity.TrialResults{ID: "NCT:90000018", HasResults: new(true), OutcomeMeasures: []entity.ResultMeasure{{
		Number: 1, Title: `=HYPERLINK("https://example.org")`, Rows: []entity.ResultRow{{Cells: []entity.ResultCell{{Value: "-1.5"}}}},
	}}}
	call := Call{budget: 400_000, Notes: &entity.Notes{},
		GetTrialResultsArgs: tools.GetTrialResultsArgs{NCTID: r.ID, Section: outcomes, Format: "csv", PageSize: 20}}
	answer, err := call.Answer(&r)
	expect.NoError(t, err)
	expect.That(t, strings.Contains(answer.CSV, `,"'=HYPERLINK(`) && strings.Contains(answer.CSV, ",-1.5,"), "%s", answer.CSV)
	expect.That(t, strings.Contains(strings.Join(call.Notes.Notices, " "), "runs them as formulas: 1."), "%v", call.Notes.Notices)
}
