package service

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
)

// A sectionPart is a part of a trial with the section that it belongs to.
type sectionPart struct {
	section string
	part
}

// fitTrial shortens a trial, the least important parts first. If the answer has several sections, the notice also names the call that reads
// a cut section alone.
func fitTrial(t *entity.Trial, requested []string, maxAnswer int) []string {
	parts := slices.Concat(longParts(t), shortParts(t))
	var all []part
	for _, p := range parts {
		all = append(all, p.part)
	}
	cut := fit(t, maxAnswer, all)
	notices := cutRecord(cut, t.CrossReferences.ClinicalTrialsGov)
	var sections []string
	for _, p := range parts {
		if slices.Contains(cut, p.name) && !slices.Contains(sections, p.section) {
			sections = append(sections, p.section)
		}
	}
	if len(sections) > 0 && len(requested) != 1 {
		more := fmt.Sprintf("A section alone has more room: %s with {\"nct_id\":%q,\"sections\":%q}", tools.GetTrial, t.ID, sections[0])
		if len(sections) > 1 {
			more += ", likewise " + strings.Join(sections[1:], ", ")
		}
		notices[0] = strings.Replace(notices[0], completeRecord, more+". "+completeRecord, 1)
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
		{"eligibility", cutBy("inclusion and exclusion, which criteria_text has too", criteria(func(e *entity.EligibilityCriteria, _ int) {
			e.Inclusion, e.Exclusion = nil, nil
		}))},
		{"design", cutText("detailed_description", &t.DetailedDescription)},
		{"references", cutBy("citations of references that have a pmid", func(int) {
			for i := range t.References {
				if t.References[i].PMID != "" {
					t.References[i].Citation = ""
				}
			}
		})},
		{"outcomes", cutBy("descriptions of other_outcomes", dropDescriptions(t.OtherOutcomes))},
		{"outcomes", cutBy("descriptions of secondary_outcomes", dropDescriptions(t.SecondaryOutcomes))},
		{"outcomes", cutBy("descriptions of primary_outcomes", dropDescriptions(t.PrimaryOutcomes))},
		{"arms", cutBy("descriptions of arms and intervention_details", func(int) { dropArmDescriptions(t) })},
		{"outcomes", cutList("other_outcomes", &t.OtherOutcomes)},
		{"outcomes", cutList("secondary_outcomes", &t.SecondaryOutcomes)},
		{"references", cutList("references", &t.References)},
		{"design", cutBy("descriptions of protocol", func(int) {
			if p := t.Protocol; p != nil {
				p.InterventionModelDescription, p.MaskingDescription, p.BiospecimenDescription = "", "", ""
				if reflect.ValueOf(*p).IsZero() {
					t.Protocol = nil
				}
			}
		})},
		{"references", cutBy("ipd_sharing", func(int) { t.IPDSharing = nil })},
		{"references", cutList("available_ipd", &t.AvailableIPD)},
		{"arms", cutList("arms", &t.Arms)},
		{"arms", cutList("intervention_details", &t.InterventionDetails)},
		{"outcomes", cutList("primary_outcomes", &t.PrimaryOutcomes)},
		{"eligibility", cutBy("criteria_text", criteria(func(e *entity.EligibilityCriteria, over int) {
			e.CriteriaText = shortened(e.CriteriaText, over)
		}))},
		{"eligibility", cutText("study_population", &t.StudyPopulation)},
	}
}

// shortParts returns the other parts of a trial whose length has no limit.
func shortParts(t *entity.Trial) []sectionPart {
	refs := &t.CrossReferences
	return []sectionPart{
		{"administrative", cutList("violations", &t.Violations)},
		{"administrative", cutBy("unposted_results", func(int) { t.UnpostedResults = nil })},
		{"administrative", cutBy("results_submission", func(int) { t.ResultsSubmission = nil })},
		{"administrative", cutList("secondary_ids", &t.SecondaryIDs)},
		{"administrative", cutList("removed_countries", &t.RemovedCountries)},
		{"references", cutList("links", &t.Links)},
		{"references", cutList("documents", &t.Documents)},
		{"contacts", cutList("officials", &t.Officials)},
		{"summary", cutList("keywords", &t.Keywords)},
		{"summary", cutBy("mesh", func(int) { t.MeSH = nil })},
		{"summary", cutBy("locations_summary", func(int) { t.LocationsSummary = nil })},
		{"summary", cutText("brief_summary", &t.BriefSummary)},
		{"references", cutList("pubmed_background", &refs.PubMedBackground)},
		{"references", cutList("pubmed", &refs.PubMed)},
		{"summary", cutList("mesh_interventions", &refs.MeSHInterventions)},
		{"summary", cutList("mesh_conditions", &refs.MeSHConditions)},
		{"contacts", cutList("central_contacts", &t.CentralContacts)},
		{"summary", cutList("sponsors", &t.Sponsors)},
		{"summary", cutList("interventions", &t.Interventions)},
		{"summary", cutList("conditions", &t.Conditions)},
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
