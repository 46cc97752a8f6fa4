package trials

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
)

// A sectionPart is a part of a trial with the section that it belongs to.
type sectionPart struct {
	section string
	envelope.Part
}

// fitTrial shortens a trial, the least important parts first. If the answer has several sections, the notice also names the call that reads
// a cut section alone.
func fitTrial(t *entity.Trial, requested []string, maxAnswer int) []string {
	parts := slices.Concat(longParts(t), shortParts(t))
	var all []envelope.Part
	for _, p := range parts {
		all = append(all, p.Part)
	}
	cut := envelope.Fit(t, maxAnswer, all)
	notices := envelope.CutRecord(cut, t.CrossReferences.ClinicalTrialsGov)
	var sections []string
	for _, p := range parts {
		if slices.Contains(cut, p.Name) && !slices.Contains(sections, p.section) {
			sections = append(sections, p.section)
		}
	}
	if len(sections) > 0 && len(requested) != 1 {
		more := fmt.Sprintf("A section alone has more room: %s with {\"nct_id\":%q,\"sections\":%q}", tools.GetTrial, t.ID, sections[0])
		if len(sections) > 1 {
			more += ", likewise " + strings.Join(sections[1:], ", ")
		}
		notices[0] = strings.Replace(notices[0], envelope.CompleteRecord, more+". "+envelope.CompleteRecord, 1)
	}
	return notices
}

// longParts returns the long texts of a trial.
func longParts(t *entity.Trial) []sectionPart {
	criteria := func(shorten func(*entity.EligibilityCriteria, int)) func(int) {
		return func(over int) {
			if t.EligibilityCriteria == nil {
				return
			}
			shorten(t.EligibilityCriteria, over)
			if reflect.ValueOf(*t.EligibilityCriteria).IsZero() {
				t.EligibilityCriteria = nil
			}
		}
	}
	return []sectionPart{
		{"eligibility", envelope.CutBy("inclusion and exclusion, which criteria_text has too",
			criteria(func(e *entity.EligibilityCriteria, _ int) { e.Inclusion, e.Exclusion = nil, nil }))},
		{"design", envelope.CutText("detailed_description", &t.DetailedDescription)},
		{"references", envelope.CutBy("citations of references that have a pmid", func(int) {
			for i := range t.References {
				if t.References[i].PMID != "" {
					t.References[i].Citation = ""
				}
			}
		})},
		{"outcomes", envelope.CutBy("descriptions of other_outcomes", dropDescriptions(t.OtherOutcomes))},
		{"outcomes", envelope.CutBy("descriptions of secondary_outcomes", dropDescriptions(t.SecondaryOutcomes))},
		{"outcomes", envelope.CutBy("descriptions of primary_outcomes", dropDescriptions(t.PrimaryOutcomes))},
		{"arms", envelope.CutBy("descriptions of arms and intervention_details", func(int) { dropArmDescriptions(t) })},
		{"outcomes", envelope.CutList("other_outcomes", &t.OtherOutcomes)},
		{"outcomes", envelope.CutList("secondary_outcomes", &t.SecondaryOutcomes)},
		{"references", envelope.CutList("references", &t.References)},
		{"design", envelope.CutBy("descriptions of protocol", func(int) {
			if p := t.Protocol; p != nil {
				p.InterventionModelDescription, p.MaskingDescription, p.BiospecimenDescription = "", "", ""
				if reflect.ValueOf(*p).IsZero() {
					t.Protocol = nil
				}
			}
		})},
		{"references", envelope.CutBy("ipd_sharing", func(int) { t.IPDSharing = nil })},
		{"references", envelope.CutList("available_ipd", &t.AvailableIPD)},
		{"arms", envelope.CutList("arms", &t.Arms)},
		{"arms", envelope.CutList("intervention_details", &t.InterventionDetails)},
		{"outcomes", envelope.CutList("primary_outcomes", &t.PrimaryOutcomes)},
		{"eligibility", envelope.CutBy("criteria_text", criteria(func(e *entity.EligibilityCriteria, over int) {
			e.CriteriaText = envelope.Shortened(e.CriteriaText, over)
		}))},
		{"eligibility", envelope.CutText("study_population", &t.StudyPopulation)},
	}
}

// shortParts returns the other parts of a trial whose length has no limit.
func shortParts(t *entity.Trial) []sectionPart {
	refs := &t.CrossReferences
	return []sectionPart{
		{"administrative", envelope.CutList("violations", &t.Violations)},
		{"administrative", envelope.CutBy("unposted_results", func(int) { t.UnpostedResults = nil })},
		{"administrative", envelope.CutBy("results_submission", func(int) { t.ResultsSubmission = nil })},
		{"administrative", envelope.CutList("secondary_ids", &t.SecondaryIDs)},
		{"administrative", envelope.CutList("removed_countries", &t.RemovedCountries)},
		{"references", envelope.CutList("links", &t.Links)},
		{"references", envelope.CutList("documents", &t.Documents)},
		{"contacts", envelope.CutList("officials", &t.Officials)},
		{"summary", envelope.CutList("keywords", &t.Keywords)},
		{"summary", envelope.CutBy("mesh", func(int) { t.MeSH = nil })},
		{"summary", envelope.CutBy("locations_summary", func(int) { t.LocationsSummary = nil })},
		{"summary", envelope.CutText("brief_summary", &t.BriefSummary)},
		{"references", envelope.CutList("pubmed_background", &refs.PubMedBackground)},
		{"references", envelope.CutList("pubmed", &refs.PubMed)},
		{"summary", envelope.CutList("mesh_interventions", &refs.MeSHInterventions)},
		{"summary", envelope.CutList("mesh_conditions", &refs.MeSHConditions)},
		{"contacts", envelope.CutList("central_contacts", &t.CentralContacts)},
		{"summary", envelope.CutList("sponsors", &t.Sponsors)},
		{"summary", envelope.CutList("interventions", &t.Interventions)},
		{"summary", envelope.CutList("conditions", &t.Conditions)},
	}
}

func dropDescriptions(outcomes []entity.Outcome) func(int) {
	return func(int) {
		for i := range outcomes {
			if outcomes[i].Measure != "" || outcomes[i].TimeFrame != "" {
				outcomes[i].Description = ""
			}
		}
	}
}

func dropArmDescriptions(t *entity.Trial) {
	for i := range t.Arms {
		if t.Arms[i].Label != "" {
			t.Arms[i].Description = ""
		}
	}
	for i := range t.InterventionDetails {
		if t.InterventionDetails[i].Name != "" {
			t.InterventionDetails[i].Description = ""
		}
	}
}
