package trials

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/biofact-mcp/biofact/internal/contract"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// bigTrial returns an invented record with a text in each of its long parts.
func bigTrial(text string) entity.Trial {
	var outcomes []entity.Outcome
	var pmids []string
	for i := range 40 {
		outcomes = append(outcomes, entity.Outcome{Measure: fmt.Sprintf("Measure %d", i), TimeFrame: "4 weeks", Description: text})
		pmids = append(pmids, fmt.Sprint(10_000_000+i))
	}
	outcomes = append(outcomes, entity.Outcome{Description: "a description alone"})
	return entity.Trial{
		ID: "NCT:90000001", Title: "A Trial", Status: "COMPLETED",
		BriefSummary: text, DetailedDescription: text,
		EligibilityCriteria: &entity.EligibilityCriteria{CriteriaText: text, AcceptsHealthyVolunteers: new(false)},
		PrimaryOutcomes:     outcomes, SecondaryOutcomes: slices.Clone(outcomes), OtherOutcomes: slices.Clone(outcomes[:2]),
		Arms:                []entity.Arm{{Label: "A", Description: text}, {Description: text}},
		InterventionDetails: []entity.Intervention{{Name: "B", Description: text, OtherNames: []string{text}}},
		References:          []entity.Reference{{PMID: "1", Citation: text}, {Citation: text}},
		Links:               []entity.Link{{Label: text, URL: "https://example.org/"}},
		Documents:           []entity.TrialDocument{{Label: text}},
		IPDSharing:          &entity.IPDSharingPlan{Description: text},
		AvailableIPD:        []entity.AvailableIPD{{Comment: text}},
		StudyPopulation:     text,
		Protocol:            &entity.TrialProtocol{MaskingDescription: text, ArmsCounted: 2},
		Keywords:            []string{text},
		Violations:          []entity.Violation{{Description: text}},
		Sponsors:            []entity.Sponsor{{Name: "Example University", Role: entity.LeadSponsor}},
		CrossReferences:     entity.TrialCrossReferences{ClinicalTrialsGov: "https://clinicaltrials.gov/study/NCT90000001", PubMed: pmids},
	}
}

func TestFitTrial(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	contracts := contract.New()
	for name, text := range map[string]string{
		"words":   strings.Repeat("word and <b> & \"c\"\n", 300),
		"letters": strings.Repeat("x", 6000),
		"signs":   strings.Repeat("🧬", 1500),
		"Chinese": strings.Repeat("東京都 ", 600),
	} {
		complete := bigTrial(text)
		size := len(encodeAnswer(t, complete, nil))
		for _, budget := range []int{2800, 3000, 4000, 7000, 10_000, 20_000, 60_000, 200_000, size + envelope.ReservedBytes - 1, 2 * size,
			10 * size} {
			trial := bigTrial(text)
			notices := fitTrial(&trial, nil, budget)
			answer := encodeAnswer(t, trial, notices)
			expect.That(t, len(answer) <= budget, "%s within %d: %d bytes", name, budget, len(answer))
			problems, err := contracts.Validate("get_trial.output", answer)
			expect.That(t, err == nil && len(problems) == 0, "%s within %d: %q %v", name, budget, problems, err)
			expect.That(t, utf8.Valid(answer) && !strings.Contains(string(answer), "\\ufffd"),
				"%s within %d: a character was cut through", name, budget)
			expect.That(t, trial.ID == complete.ID && trial.Title == complete.Title && trial.Status == complete.Status &&
				trial.CrossReferences.ClinicalTrialsGov != "",
				"%s within %d: a required field was cut", name, budget)
			untouched := string(encodeAnswer(t, trial, nil)) == string(encodeAnswer(t, complete, nil))
			expect.That(t, untouched == (len(notices) == 0), "%s within %d: notices %q, untouched %t", name, budget, notices, untouched)
			for _, n := range notices {
				expect.That(t, strings.Contains(n, "detailed_description") &&
					strings.Contains(n, complete.CrossReferences.ClinicalTrialsGov),
					"%s within %d: %s", name, budget, n)
			}
		}
	}
}

// TestFitTrialCutsOnlyWhatIsNeeded: if one part is long enough to be cut, no other part is cut.
func TestFitTrialCutsOnlyWhatIsNeeded(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	for name, text := range map[string]string{
		"words":   strings.Repeat("word ", 1000),
		"letters": strings.Repeat("x", 5000),
		"signs":   strings.Repeat("🧬", 1250),
		"Chinese": strings.Repeat("東京都 ", 500),
	} {
		for over := 1; over < 2000; over += 7 {
			trial := bigTrial("short")
			trial.DetailedDescription = text
			raw, err := json.Marshal(trial)
			expect.NoError(t, err)
			notices := fitTrial(&trial, nil, len(raw)+envelope.ReservedBytes-over)
			if len(notices) != 1 || !strings.Contains(notices[0], "cut were detailed_description. ") {
				t.Errorf("%s, %d too much: %q", name, over, notices)
				break
			}
		}
	}
}

func encodeAnswer(t *testing.T, trial entity.Trial, notices []string) []byte {
	t.Helper()
	text, err := entity.JSON(entity.Answer[entity.Trial]{Value: trial, Notes: entity.Notes{Notices: notices}})
	expect.NoError(t, err)
	return text
}

func TestFitting(t *testing.T) {
	t.Parallel()
	var sites []entity.TrialLocation
	for i := range 500 {
		sites = append(sites, entity.TrialLocation{FacilityName: fmt.Sprintf("Clinic <%d> & \"Sons\"", i), Country: "Norway"})
	}
	last := 0
	for _, budget := range []int{1, 2048, 2100, 2500, 10_000, 20_000, 100_000} {
		fits := envelope.FitCount(sites, budget)
		expect.Must(t, fits >= 1 && fits >= last, "%d of %d within %d", fits, len(sites), budget)
		last = fits
		text, err := entity.JSON(entity.Page[entity.TrialLocation]{Items: sites[:fits]})
		expect.NoError(t, err)
		expect.That(t, len(text) <= budget || fits <= 1, "%d of %d within %d: %d bytes", fits, len(sites), budget, len(text))
	}
	expect.That(t, last == len(sites), "%d of %d although all fit", last, len(sites))
	if fits := envelope.FitCount([]entity.TrialLocation(nil), 1); fits != 0 {
		t.Errorf("%d of none", fits)
	}
}
