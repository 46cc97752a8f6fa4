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
		{"II/III", twoThree, nil},
		{"3/2", twoThree, nil},
		{"PHASE2_PHASE3", twoThree, nil},
		{"1/2", oneTwo, nil},
		{"Phase I/II", oneTwo, nil},
		{"P3", three, []string{no23}},
		{"Ph 3", three, []string{no23}},
		{"Ph. III", three, []string{no23}},
		{"Phase II / Phase III", twoThree, nil},
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
	} {
		var given []string
		if tt.given != "" {
			given = strings.Split(tt.given, "; ")
		}
		read, err := readPhases(given)
		filter, notices := phaseFilter(read), phaseNotices(read)
		expect.That(t, err == nil && (filter == nil && tt.filter == "" || filter != nil && filter.String() == tt.filter), "%q\n got %s %v\nwant %s", tt.given, filter, err, tt.filter)
		expect.Equal(t, fmt.Sprintf("%q: notices", tt.given), tt.notices, notices)
	}
}

func TestInvalidPhases(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"5", "phase", "melanoma", "3c", "1/3", "1/2/3", "3/4", "NA/2", "early 2", "early 1/1", "2 3", "23", "-",
		",", "x, 2", "2, x", "phase 3 trial", "三", "I II", "Phase I Phase II", "I/V", "I V", "III/IV", "-3", "not 3", "2+", "1-3", "late", "any", "1b"} {
		filter, err := readPhases([]string{text})
		if err == nil {
			t.Errorf("%q: %v", text, filter)
			continue
		}
		e := entity.AsError(ForTool(tools.SearchTrials, err))
		expect.That(t, e.Code == entity.InvalidInput && e.Message == `phase: "`+text+`" is not a phase of ClinicalTrials.gov.` &&
			e.Input == text,
			"%q: %+v", text, e)
	}
}
