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
		{"eligibility", part{"inclusion and exclusion, which criteria_text has too", criteria(func(e *entity.EligibilityCriteria, _ int) {
			e.Inclusion, e.Exclusion = nil, nil
		})}},
		{"design", part{"detailed_description", shortenText(&t.DetailedDescription)}},
		{"references", part{"citations of references that have a pmid", func(int) {
			for i := range t.References {
				if t.References[i].PMID != "" {
					t.References[i].Citation = ""
				}
			}
		}}},
		{"outcomes", part{"descriptions of other_outcomes", dropDescriptions(t.OtherOutcomes)}},
		{"outcomes", part{"descriptions of secondary_outcomes", dropDescriptions(t.SecondaryOutcomes)}},
		{"outcomes", part{"descriptions of primary_outcomes", dropDescriptions(t.PrimaryOutcomes)}},
		{"arms", part{"descriptions of arms and intervention_details", func(int) { dropArmDescriptions(t) }}},
		{"outcomes", part{"other_outcomes", shortenList(&t.OtherOutcomes)}},
		{"outcomes", part{"secondary_outcomes", shortenList(&t.SecondaryOutcomes)}},
		{"references", part{"references", shortenList(&t.References)}},
		{"design", part{"descriptions of protocol", func(int) {
			if p := t.Protocol; p != nil {
				p.InterventionModelDescription, p.MaskingDescription, p.BiospecimenDescription = "", "", ""
				if reflect.ValueOf(*p).IsZero() {
					t.Protocol = nil
				}
			}
		}}},
		{"references", part{"ipd_sharing", func(int) { t.IPDSharing = nil }}},
		{"references", part{"available_ipd", shortenList(&t.AvailableIPD)}},
		{"arms", part{"arms", shortenList(&t.Arms)}},
		{"arms", part{"intervention_details", shortenList(&t.InterventionDetails)}},
		{"outcomes", part{"primary_outcomes", shortenList(&t.PrimaryOutcomes)}},
		{"eligibility", part{"criteria_text", criteria(func(e *entity.EligibilityCriteria, over int) {
			e.CriteriaText = shortened(e.CriteriaText, over)
		})}},
		{"eligibility", part{"study_population", shortenText(&t.StudyPopulation)}},
	}
}

// shortParts returns the other parts of a trial whose length has no limit.
func shortParts(t *entity.Trial) []sectionPart {
	refs := &t.CrossReferences
	return []sectionPart{
		{"administrative", part{"violations", shortenList(&t.Violations)}},
		{"administrative", part{"unposted_results", func(int) { t.UnpostedResults = nil }}},
		{"administrative", part{"results_submission", func(int) { t.ResultsSubmission = nil }}},
		{"administrative", part{"secondary_ids", shortenList(&t.SecondaryIDs)}},
		{"administrative", part{"removed_countries", shortenList(&t.RemovedCountries)}},
		{"references", part{"links", shortenList(&t.Links)}},
		{"references", part{"documents", shortenList(&t.Documents)}},
		{"contacts", part{"officials", shortenList(&t.Officials)}},
		{"summary", part{"keywords", shortenList(&t.Keywords)}},
		{"summary", part{"mesh", func(int) { t.MeSH = nil }}},
		{"summary", part{"locations_summary", func(int) { t.LocationsSummary = nil }}},
		{"summary", part{"brief_summary", shortenText(&t.BriefSummary)}},
		{"references", part{"pubmed_background", shortenList(&refs.PubMedBackground)}},
		{"references", part{"pubmed", shortenList(&refs.PubMed)}},
		{"summary", part{"mesh_interventions", shortenList(&refs.MeSHInterventions)}},
		{"summary", part{"mesh_conditions", shortenList(&refs.MeSHConditions)}},
		{"contacts", part{"central_contacts", shortenList(&t.CentralContacts)}},
		{"summary", part{"sponsors", shortenList(&t.Sponsors)}},
		{"summary", part{"interventions", shortenList(&t.Interventions)}},
		{"summary", part{"conditions", shortenList(&t.Conditions)}},
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
