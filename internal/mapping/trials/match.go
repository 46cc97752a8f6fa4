package trials

import (
	"slices"

	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
)

// EligibilityFields returns the fields that EligibilityOf reads.
func EligibilityFields() []string {
	return []string{"NCTIdAlias", "MinimumAge", "MaximumAge", "Sex", "HealthyVolunteers", "EligibilityCriteria"}
}

// TrialMatchFields returns the fields of a trial beside a person.
func TrialMatchFields() []string {
	return slices.Concat(CandidateFields(), NearSiteFields(), EligibilityFields())
}

// Eligibility holds the statements of a study about its participants, in their stored form.
type Eligibility struct {
	Aliases           []string `json:"aliases,omitempty"` // earlier ids, NCT:00461032
	Text              string   `json:"text,omitempty"`    // criteria_text of the record
	MinimumAge        string   `json:"minimumAge,omitempty"`
	MaximumAge        string   `json:"maximumAge,omitempty"`
	Sex               string   `json:"sex,omitempty"`
	HealthyVolunteers *bool    `json:"healthyVolunteers,omitempty"`
}

// EligibilityOf maps the statements of a study about its participants.
func EligibilityOf(s *ctgov.Study) Eligibility {
	m := &s.ProtocolSection.EligibilityModule
	e := Eligibility{Text: text.CleanMarkup(m.EligibilityCriteria), MinimumAge: text.Clean(m.MinimumAge),
		MaximumAge: text.Clean(m.MaximumAge), Sex: string(m.Sex), HealthyVolunteers: m.HealthyVolunteers}
	for _, alias := range s.ProtocolSection.IdentificationModule.NctIdAliases {
		e.Aliases = append(e.Aliases, id.NCT.CURIE(alias))
	}
	return e
}
