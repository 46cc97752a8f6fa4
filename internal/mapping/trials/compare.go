package trials

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// TrialComparisonFields returns the fields that a comparison reads: those of the complete record.
func TrialComparisonFields() []string { return TrialFields() }

// A TrialAspect is a part of a comparison of trials.
type TrialAspect struct {
	Name    string
	Section string // section of get_trial that has all of it
	Values  func(*entity.Trial) []string
}

// TrialAspects returns the aspects in their order.
func TrialAspects() []TrialAspect {
	return []TrialAspect{
		{"status", "summary", func(t *entity.Trial) []string { return listOf(string(t.Status)) }},
		{"phase", "summary", func(t *entity.Trial) []string {
			if len(t.Phases) > 0 {
				return nonEmptyTexts(t.Phases)
			}
			return listOf(string(t.Phase))
		}},
		{"design", "design", design},
		{"population", "eligibility", population},
		{"conditions", "summary", func(t *entity.Trial) []string { return t.Conditions }},
		{"arms", "arms", arms},
		{"enrollment", "summary", enrolled},
		{"primary_outcomes", "outcomes", primaryOutcomes},
		{"dates", "summary", comparedDates},
		{"sponsors", "summary", sponsorNames},
		{"sites", "summary", comparedSites},
		{"why_stopped", "summary", func(t *entity.Trial) []string { return listOf(t.WhyStopped) }},
		{"has_results", "summary", func(t *entity.Trial) []string { return labelledBool("has results", t.HasResults) }},
	}
}

func design(t *entity.Trial) []string {
	if t.Protocol == nil {
		return nil
	}
	p := t.Protocol
	return nonEmptyTexts([]string{
		string(p.StudyType), string(p.Allocation), string(p.InterventionModel), string(p.ObservationalModel), string(p.TimePerspective),
		labelled("masking ", string(p.Masking)), labelled("purpose ", string(p.PrimaryPurpose)),
	})
}

func population(t *entity.Trial) []string {
	if t.EligibilityCriteria == nil {
		return nil
	}
	e := t.EligibilityCriteria
	return append(nonEmptyTexts([]string{labelled("from ", e.MinimumAge), labelled("to ", e.MaximumAge), labelled("sex ", string(e.Sex))}),
		labelledBool("healthy volunteers", e.AcceptsHealthyVolunteers)...)
}

func arms(t *entity.Trial) (out []string) {
	for _, a := range t.Arms {
		text := a.Label + labelled(" (", string(a.Type)+")")
		if len(a.Interventions) > 0 {
			text += ": " + strings.Join(a.Interventions, ", ")
		}
		out = append(out, listOf(strings.TrimSpace(text))...)
	}
	if out == nil {
		return t.Interventions
	}
	return out
}

func enrolled(t *entity.Trial) []string {
	if t.Enrollment == nil {
		return nil
	}
	return []string{strconv.Itoa(*t.Enrollment) + labelled(" ", string(t.EnrollmentType))}
}

func primaryOutcomes(t *entity.Trial) (out []string) {
	for _, o := range t.PrimaryOutcomes {
		out = append(out, listOf(o.Measure+labelled(" | ", o.TimeFrame))...)
	}
	return out
}

func comparedDates(t *entity.Trial) []string {
	return nonEmptyTexts([]string{
		labelled("start ", dateAndType(t.StartDate, t.StartDateType)),
		labelled("primary completion ", dateAndType(t.PrimaryCompletionDate, t.PrimaryCompletionDateType)),
		labelled("completion ", dateAndType(t.CompletionDate, t.CompletionDateType)),
	})
}

func dateAndType(date string, kind entity.DateType) string {
	if date == "" {
		return ""
	}
	return date + labelled(" ", string(kind))
}

func sponsorNames(t *entity.Trial) (out []string) {
	for _, s := range t.Sponsors {
		out = append(out, s.Name+labelled(" (", string(s.Class)+")"))
	}
	return out
}

func comparedSites(t *entity.Trial) (out []string) {
	if t.LocationsSummary == nil {
		return nil
	}
	for _, c := range t.LocationsSummary.Countries {
		text := fmt.Sprintf("%s %d", c.Country, c.Sites)
		if c.Recruiting != nil {
			text += fmt.Sprintf(" (%d recruiting)", *c.Recruiting)
		}
		out = append(out, text)
	}
	return out
}

// labelled returns a label and a text, or "" for an empty text.
func labelled(label, text string) string {
	if strings.Trim(text, ")") == "" {
		return ""
	}
	return label + text
}

func labelledBool(of string, value *bool) []string {
	if value == nil {
		return nil
	}
	return []string{of + " " + strconv.FormatBool(*value)}
}

// ResultsHeadline returns the first primary outcome of posted results: its title, the values of its
// first row by group, and its first analysis.
func ResultsHeadline(r *entity.TrialResults) (out []string) {
	if !r.Posted() {
		return []string{"no results posted"}
	}
	for _, m := range r.OutcomeMeasures {
		if m.Type != "PRIMARY" || len(m.Rows) == 0 {
			continue
		}
		out = append(out, m.Title)
		titles := map[int]string{} // of groups
		for _, g := range m.Groups {
			titles[g.Number] = g.Title
		}
		for _, c := range m.Rows[0].Cells {
			out = append(out, headlineCell(&m, titles[c.Group], c))
		}
		if len(m.Analyses) > 0 {
			a := m.Analyses[0]
			out = append(out, nonEmptyTexts([]string{
				labelled(a.EstimateType+" ", a.Estimate) + interval(a.Lower, a.Upper), labelled("p ", a.PValue),
			})...)
		}
		return out
	}
	return []string{"results posted without values of a primary outcome"}
}

func headlineCell(m *entity.ResultMeasure, title string, c entity.ResultCell) string {
	row := strings.TrimSpace(m.Rows[0].Class + " " + m.Rows[0].Category)
	return strings.TrimSpace(title + labelled(", ", row) + ": " +
		c.Value + labelled(" ", m.Unit) + labelled(" ± ", c.Spread) + interval(c.Lower, c.Upper) + labelled(" | ", c.Comment))
}

func interval(lower, upper string) string {
	if lower == "" && upper == "" {
		return ""
	}
	return " [" + lower + " to " + upper + "]"
}
