package filters

import (
	"fmt"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
)

func TestPhaseFilter(t *testing.T) {
	t.Parallel()
	const (
		one      = "AREA[Phase]PHASE1 AND AREA[Phase:size]1"
		two      = "AREA[Phase]PHASE2 AND AREA[Phase:size]1"
		three    = "AREA[Phase]PHASE3 AND AREA[Phase:size]1"
		four     = "AREA[Phase]PHASE4 AND AREA[Phase:size]1"
		early    = "AREA[Phase]EARLY_PHASE1 AND AREA[Phase:size]1"
		na       = "AREA[Phase]NA AND AREA[Phase:size]1"
		oneTwo   = "AREA[Phase]PHASE1 AND AREA[Phase]PHASE2 AND AREA[Phase:size]2"
		twoThree = "AREA[Phase]PHASE2 AND AREA[Phase]PHASE3 AND AREA[Phase:size]2"

		no12 = `phase: the combined phase 1/2 was not searched; add "1/2" to phase to include it.`
		no23 = `phase: the combined phase 2/3 was not searched; add "2/3" to phase to include it.`
	)
	noLetter := func(text, phase string) string {
		return "The registry does not distinguish a and b of a phase: " + text + " was read as phase " + phase + "."
	}
	for _, tt := range []struct {
		given   string // parted by "; "
		filter  string
		notices []string
	}{
		{"", "", nil},
		{"Phase 3", three, []string{no23}},
		{"phase3", three, []string{no23}},
		{"PHASE3", three, []string{no23}},
		{"PHASE_3", three, []string{no23}},
		{"3", three, []string{no23}},
		{"III", three, []string{no23}},
		{"Phase III", three, []string{no23}},
		{"phase three", three, []string{no23}},
		{"Phase 1", one, []string{no12}},
		{"i", one, []string{no12}},
		{"Phase 2", two, []string{no12, no23}},
		{"IV", four, nil},
		{"Phase 4", four, nil},
		{"4", four, nil},
		{"Early Phase 1", early, nil},
		{"early 1", early, nil},
		{"EARLY_PHASE1", early, nil},
		{"early phase I", early, nil},
		{"Phase 0", early, nil},
		{"N/A", na, nil},
		{"NA", na, nil},
		{"n.a.", na, nil},
		{"Not Applicable", na, nil},

		{"2/3", twoThree, nil},
		{"Phase 2/3", twoThree, nil},
		{"Phase 2/Phase 3", twoThree, nil},
		{"PHASE2/PHASE3", twoThree, nil},
		{"II/III", twoThree, []string{combinedNotice("II/III", "2/3", `"2","2/3","3"`)}},
		{"phase 2-3", twoThree, []string{combinedNotice("phase 2-3", "2/3", `"2","2/3","3"`)}},
		{"3/2", twoThree, nil},
		{"PHASE2_PHASE3", twoThree, nil},
		{"phases 2 and 3", twoThree, []string{combinedNotice("phases 2 and 3", "2/3", `"2","2/3","3"`)}},
		{"1/2", oneTwo, nil},
		{"Phase I/II", oneTwo, []string{combinedNotice("Phase I/II", "1/2", `"1","1/2","2"`)}},
		{"i-ii", oneTwo, []string{combinedNotice("i-ii", "1/2", `"1","1/2","2"`)}},
		{"P3", three, []string{no23}},
		{"Ph 3", three, []string{no23}},
		{"Ph. III", three, []string{no23}},
		{"I + II", oneTwo, []string{combinedNotice("I + II", "1/2", `"1","1/2","2"`)}},
		{"PHASE_I_II", oneTwo, []string{combinedNotice("PHASE_I_II", "1/2", `"1","1/2","2"`)}},
		{"II/II/I", oneTwo, []string{combinedNotice("II/II/I", "1/2", `"1","1/2","2"`)}},
		{"Phase II / Phase III", twoThree, []string{combinedNotice("Phase II / Phase III", "2/3", `"2","2/3","3"`)}},
		{"I/I", one, []string{no12}},

		{"2; 3", "(" + two + ") OR (" + three + ")", []string{no12, no23}},
		{"Phase 2, Phase 3", "(" + two + ") OR (" + three + ")", []string{no12, no23}},
		{"2 or 3", "(" + two + ") OR (" + three + ")", []string{no12, no23}},
		{"2|3,", "(" + two + ") OR (" + three + ")", []string{no12, no23}},
		{"3; 2/3", "(" + three + ") OR (" + twoThree + ")", nil},
		{"2/3, 3", "(" + twoThree + ") OR (" + three + ")", nil},
		{"1; 2; 1/2; 2/3", "(" + one + ") OR (" + two + ") OR (" + oneTwo + ") OR (" + twoThree + ")", nil},
		{"3; Phase III; PHASE3", three, []string{no23}},
		{"3/3", three, []string{no23}},

		{"1b", one, []string{noLetter("1b", "1"), no12}},
		{"Phase IIa", two, []string{noLetter("Phase IIa", "2"), no12, no23}},
		{"Phase 1b/2a", oneTwo, []string{noLetter("Phase 1b/2a", "1/2")}},
		{"2b/3", twoThree, []string{noLetter("2b/3", "2/3")}},
		{"1b; 3b", "(" + one + ") OR (" + three + ")", []string{noLetter("1b", "1"), noLetter("3b", "3"), no12, no23}},
		{"1b, 3b", "(" + one + ") OR (" + three + ")", []string{noLetter("1b", "1"), noLetter("3b", "3"), no12, no23}},
	} {
		var given []string
		if tt.given != "" {
			given = strings.Split(tt.given, "; ")
		}
		read, err := readPhases(given)
		filter, notices := phaseFilter(read), phaseNotices(tools.SearchTrials, read)
		expect.That(t, err == nil && (filter == nil && tt.filter == "" || filter != nil && filter.String() == tt.filter), "%q\n got %s %v\nwant %s", tt.given, filter, err, tt.filter)
		expect.Equal(t, fmt.Sprintf("%q: notices", tt.given), tt.notices, notices)
	}
}

// combinedNotice returns the notice about a combined phase that is not written in its usual form.
func combinedNotice(text, set, phases string) string {
	return fmt.Sprintf("phase: %q was read as the combined phase %s. For phases %s to %s call search_trials again with {\"phase\":[%s]}.",
		text, set, set[:1], set[2:], phases)
}

func TestInvalidPhases(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"5", "phase", "melanoma", "3c", "1/3", "1/2/3", "3/4", "NA/2", "early 2", "early 1/1", "2 3", "23", "-",
		",", "x, 2", "2, x", "phase 3 trial", "三", "I II", "Phase I Phase II", "I/V", "I V", "III/IV"} {
		filter, err := readPhases([]string{text})
		if err == nil {
			t.Errorf("%q: %v", text, filter)
			continue
		}
		e := entity.AsError(ForTool(tools.SearchTrials, err))
		expect.That(t, e.Code == entity.InvalidInput && e.Message == `phase: "`+text+`" is not a phase of ClinicalTrials.gov.` &&
			e.Input == text && !strings.Contains(e.Hint, "{"),
			"%q: %+v", text, e)
	}
}

// TestSeveralPhases: a text that excludes a phase, or means several, is refused with the list that it means.
func TestSeveralPhases(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"-3": `{"phase":["early 1","1","1/2","2","4","NA"]}`, "not 3": `{"phase":["early 1","1","1/2","2","4","NA"]}`,
		"!phase 3": `{"phase":["early 1","1","1/2","2","4","NA"]}`,
		"\u22123":  `{"phase":["early 1","1","1/2","2","4","NA"]}`, "2, -3": `{"phase":["early 1","1","1/2","2","4","NA"]}`,
		"2+": `{"phase":["2","2/3","3","4"]}`, ">=2": `{"phase":["2","2/3","3","4"]}`, "Phase 2 or higher": `{"phase":["2","2/3","3","4"]}`,
		">2":  `{"phase":["3","4"]}`,
		"<=2": `{"phase":["early 1","1","1/2","2"]}`, "<3": `{"phase":["early 1","1","1/2","2"]}`, "at least 3": `{"phase":["3","4"]}`,
		"above 2": `{"phase":["3","4"]}`,
		"1-3":     `{"phase":["1","1/2","2","2/3","3"]}`, "phase 1 to phase 3": `{"phase":["1","1/2","2","2/3","3"]}`,
		"III to IV": `{"phase":["3","4"]}`,
		"late":      `{"phase":["2/3","3","4"]}`, "late stage": `{"phase":["2/3","3","4"]}`, "early": `{"phase":["early 1","1","1/2"]}`,
		"early phase": `{"phase":["early 1","1","1/2"]}`,
		"any":         `{"phase":null}`, "all": `{"phase":null}`,
	} {
		filter, err := readPhases([]string{text})
		e := entity.AsError(ForTool(tools.SearchTrials, err))
		expect.That(t, e != nil && e.Code == entity.InvalidInput && strings.Contains(e.Hint, want), "%q: %v %+v", text, filter, e)
	}
}
