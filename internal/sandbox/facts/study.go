package facts

import (
	"cmp"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"
)

// study is one entry of the facts file. A zero value is an absent fact.
type study struct {
	line                                                int
	id, title, officialTitle, acronym, orgID            string
	aliases, phases, whoMasked, accessTypes             []string
	secondaryIDs                                        []secondary
	status, lastKnownStatus, whyStopped                 string
	studyType, allocation, model, perspective           string
	purpose, masking, sampling, sex                     string
	verified                                            string
	start, primaryCompletion, completion                day
	firstPosted, resultsPosted, updated                 day
	enrollment                                          headcount
	registry, healthy, results                          *bool
	sponsor                                             agency
	collaborators                                       []agency
	conditions, keywords, inclusion, exclusion, without []string
	interventions                                       []item
	arms                                                []arm
	meshConditions, meshInterventions                   []mesh
	references                                          []reference
	ages                                                ages
	summary, description                                string
	primaryOutcomes, secondaryOutcomes                  []outcome
	flow                                                []flow
	centralContacts                                     []string
	sites                                               []site
}

// keys are all the keys of an entry, in the order in which they are written.
func (s *study) keys() keys {
	nct := matching(`^NCT\d{8}$`, "an NCT number")
	return keys{
		"id":                 one(&s.id, nct),
		"title":              one(&s.title, text),
		"official_title":     one(&s.officialTitle, text),
		"acronym":            one(&s.acronym, text),
		"aliases":            list(&s.aliases, nct),
		"org_id":             one(&s.orgID, text),
		"secondary_ids":      list(&s.secondaryIDs, parseSecondary),
		"status":             one(&s.status, word(statuses)),
		"last_known_status":  one(&s.lastKnownStatus, word(statuses)),
		"why_stopped":        one(&s.whyStopped, text),
		"type":               one(&s.studyType, word(studyTypes)),
		"access":             list(&s.accessTypes, word(accessTypes)),
		"phases":             list(&s.phases, word(phases)),
		"allocation":         one(&s.allocation, word(allocations)),
		"model":              one(&s.model, text),
		"time_perspective":   one(&s.perspective, word(perspectives)),
		"purpose":            one(&s.purpose, word(purposes)),
		"masking":            one(&s.masking, word(maskings)),
		"who_masked":         list(&s.whoMasked, word(whoMasked)),
		"registry":           one(&s.registry, flag),
		"start":              one(&s.start, parseDay),
		"primary_completion": one(&s.primaryCompletion, parseDay),
		"completion":         one(&s.completion, parseDay),
		"verified":           one(&s.verified, date(`^\d{4}(-\d{2}){0,2}$`)),
		"first_posted":       one(&s.firstPosted, parseDay),
		"results_posted":     one(&s.resultsPosted, parseDay),
		"updated":            one(&s.updated, parseDay),
		"enrollment":         one(&s.enrollment, parseHeadcount),
		"sponsor":            one(&s.sponsor, parseAgency),
		"collaborators":      list(&s.collaborators, parseAgency),
		"conditions":         list(&s.conditions, text),
		"keywords":           list(&s.keywords, text),
		"interventions":      list(&s.interventions, parseItem),
		"arms":               list(&s.arms, parseArm),
		"mesh_conditions":    list(&s.meshConditions, parseMesh),
		"mesh_interventions": list(&s.meshInterventions, parseMesh),
		"pmids":              list(&s.references, parseReference),
		"ages":               one(&s.ages, parseAges),
		"sex":                one(&s.sex, word(sexes)),
		"healthy":            one(&s.healthy, flag),
		"sampling":           one(&s.sampling, word(samplings)),
		"summary":            one(&s.summary, text),
		"description":        one(&s.description, text),
		"inclusion":          list(&s.inclusion, text),
		"exclusion":          list(&s.exclusion, text),
		"primary_outcomes":   list(&s.primaryOutcomes, parseOutcome),
		"secondary_outcomes": list(&s.secondaryOutcomes, parseOutcome),
		"without":            list(&s.without, word(leftOut)),
		"results":            one(&s.results, flag),
		"flow":               list(&s.flow, parseFlow),
		"central_contacts":   one(&s.centralContacts, parseContacts),
		"sites":              list(&s.sites, parseSite),
	}
}

// parseStudy reads one entry and checks that its facts agree with each other.
func parseStudy(node *yaml.Node) (*study, error) {
	s := &study{line: node.Line}
	if err := s.keys().decode(node); err != nil {
		return nil, s.named(err)
	}
	if reason := s.disagreement(); reason != "" {
		return nil, s.named(at(s.line, "%s", reason))
	}
	return s, nil
}

// named says which study an error is about, as far as its id is known by then.
func (s *study) named(err error) error {
	if s.id == "" {
		return fmt.Errorf("study without id: %w", err)
	}
	return fmt.Errorf("study %s: %w", s.id, err)
}

// disagreement tells what is impossible in the registry, or nothing.
func (s *study) disagreement() string {
	return cmp.Or(s.statusDisagreement(), s.designDisagreement(), s.resultsDisagreement())
}

// statusDisagreement returns what is impossible in the status of a study.
func (s *study) statusDisagreement() string {
	switch {
	case s.id == "" || s.title == "" || s.status == "" || s.sponsor.name == "":
		return "id, title, status and sponsor are needed"
	case s.studyType == "" && s.status != "WITHHELD":
		return "only a withheld study has no type"
	case (s.status == "UNKNOWN") != (s.lastKnownStatus != ""):
		return "last_known_status belongs to the status UNKNOWN"
	case slices.Contains(accessStatuses, s.status) && s.studyType != "EXPANDED_ACCESS":
		return "the status " + s.status + " belongs to expanded access"
	case len(s.accessTypes) > 0 && s.studyType != "EXPANDED_ACCESS":
		return "access belongs to expanded access"
	}
	return ""
}

// designDisagreement returns what is impossible in the design of a study.
func (s *study) designDisagreement() string {
	interventional := s.studyType == "INTERVENTIONAL"
	switch {
	case interventional != (len(s.phases) > 0):
		return "phases belong to interventional studies, which all have them"
	case len(s.phases) > 1 && !combined(s.phases):
		return "the only combined phases are PHASE1 with PHASE2 and PHASE2 with PHASE3"
	case interventional && s.model != "" && !slices.Contains(interventionalModels, s.model):
		return "model " + s.model + " is not one of an interventional study"
	case s.studyType == "OBSERVATIONAL" && s.model != "" && !slices.Contains(observationalModels, s.model):
		return "model " + s.model + " is not one of an observational study"
	case !interventional && (s.allocation != "" || s.masking != "" || s.purpose != "" || len(s.whoMasked) > 0):
		return "allocation, masking and purpose belong to interventional studies"
	}
	return ""
}

// resultsDisagreement returns what is impossible in the arms and the results.
func (s *study) resultsDisagreement() string {
	switch {
	case isTrue(s.results) && s.enrollment.count == nil && len(s.flow) == 0:
		return "results need an enrollment or a flow"
	case s.armWithout() != "":
		return "the arm " + s.armWithout() + " names an intervention that the study does not have"
	case !isTrue(s.results) && (s.resultsPosted.date != "" || len(s.flow) > 0):
		return "results_posted and flow belong to studies with results"
	}
	return ""
}

func combined(phases []string) bool {
	return slices.Equal(phases, []string{"PHASE1", "PHASE2"}) || slices.Equal(phases, []string{"PHASE2", "PHASE3"})
}

func (s *study) has(part string) bool { return !slices.Contains(s.without, part) }

// armWithout is the label of an arm that counts past the interventions, if any.
func (s *study) armWithout() string {
	for _, a := range s.arms {
		for _, n := range a.interventions {
			if n < 1 || n > len(s.interventions) {
				return a.label
			}
		}
	}
	return ""
}
