package trials_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// answerFacts returns the facts of an answer that holds all sections, sorted.
func answerFacts(r *entity.TrialResults) []string {
	f := &facts{}
	f.flow(value(r.ParticipantFlow))
	baseline := value(r.Baseline)
	f.add("baseline", baseline.Population)
	f.groups("baseline", baseline.Groups, baseline.AnalyzedUnits)
	for i := range baseline.Measures {
		f.measure("baseline", &baseline.Measures[i], baseline.Groups, baseline.AnalyzedUnits)
	}
	for i := range r.OutcomeMeasures {
		m := &r.OutcomeMeasures[i]
		f.measure("outcome", m, m.Groups, m.AnalyzedUnits)
		f.groups(fmt.Sprint("outcome ", m.Number), m.Groups, m.AnalyzedUnits)
		for j := range m.Analyses {
			f.analysis(m.Number, &m.Analyses[j])
		}
	}
	f.events(value(r.AdverseEvents))
	agreement, contact := value(r.Agreement), value(r.PointOfContact)
	f.add("more", r.Limitations, optional(agreement.InvestigatorsEmployed), optional(agreement.Restrictive), agreement.Restriction,
		agreement.Details, contact.Name, contact.Organization, contact.Email)
	slices.Sort(f.lines)
	return f.lines
}

func (f *facts) flow(flow entity.ParticipantFlow) {
	f.add("flow", flow.Recruitment, flow.PreAssignment, flow.Units)
	for _, g := range flow.Groups {
		f.add("flow group", g.Number, g.Title, g.Description)
	}
	for _, p := range flow.Periods {
		f.add("flow period", p.Title)
		for kind, rows := range map[string][]entity.FlowRow{"milestones": p.Milestones, "dropWithdraws": p.Withdrawals} {
			for _, row := range rows {
				f.add("flow", p.Title, kind, row.Type, row.Comment)
				for _, c := range row.Cells {
					f.add("flow", p.Title, kind, row.Type, placed(flow.Groups, c.Group), c.Participants, c.Units, c.Comment)
				}
			}
		}
	}
}

func (f *facts) groups(of string, groups []entity.ResultGroup, units string) {
	for _, g := range groups {
		f.add(of, "group", g.Number, g.Title, g.Description, analyzed(units, g.Analyzed, g.AnalyzedOther))
	}
}

func (f *facts) measure(of string, m *entity.ResultMeasure, groups []entity.ResultGroup, units string) {
	of = fmt.Sprint(of, " ", m.Number)
	f.add(of, m.Type, m.Title, m.TimeFrame, m.Description, m.Population, m.ReportingStatus, m.ExpectedPosting, m.Parameter,
		m.Dispersion, m.Unit)
	if m.AnalyzedUnits != "" {
		units = m.AnalyzedUnits
	}
	for _, row := range m.Rows {
		for _, c := range row.Cells {
			group := &groups[c.Group-1]
			count, others := c.Analyzed, c.AnalyzedOther
			if count == "" {
				count = group.Analyzed
			}
			if others == nil {
				others = group.AnalyzedOther
			}
			if c.Value == "" && c.Comment == "" {
				f.add(of, row.Class, row.Category, placed(groups, c.Group), "only analyzed", analyzed(units, count, others))
				continue
			}
			f.add(of, row.Class, row.Category, placed(groups, c.Group), c.Value, c.Spread, c.Lower, c.Upper, c.Comment,
				analyzed(units, count, others))
		}
	}
}

func (f *facts) analysis(measure int, a *entity.ResultAnalysis) {
	f.add(fmt.Sprint("outcome ", measure), "analysis", a.Groups, a.Description, a.Method, a.MethodComment, a.PValue, a.PComment,
		a.EstimateType, a.Estimate, a.Dispersion, a.Spread, a.CIPercent, a.CISides, a.Lower, a.Upper, a.LowerComment, a.UpperComment,
		a.Hypothesis, a.HypothesisComment, optional(a.TestedNonInferiority), a.Comment, a.OtherAnalysis)
}

func (f *facts) events(a entity.AdverseEventResults) {
	f.add("events", a.TimeFrame, a.Description, a.FrequencyThreshold, a.MortalityComment)
	titles := make([]entity.ResultGroup, len(a.Groups))
	for i, g := range a.Groups {
		titles[i].Title = g.Title
		f.add("event group", g.Number, g.Title, g.Description, optional(g.SeriousAffected), optional(g.SeriousAtRisk),
			optional(g.OtherAffected), optional(g.OtherAtRisk), optional(g.Deaths), optional(g.DeathsAtRisk))
	}
	for _, e := range a.Events {
		f.add("event", e.Serious, e.Term, e.OrganSystem, e.Vocabulary, e.Assessment, e.Notes)
		for _, c := range e.Cells {
			f.add("event", e.Serious, e.Term, e.OrganSystem, placed(titles, c.Group), optional(c.Affected), optional(c.AtRisk),
				optional(c.Events))
		}
	}
}

func placed(groups []entity.ResultGroup, number int) string {
	return fmt.Sprint(number, " ", groups[number-1].Title)
}

func analyzed(units, count string, others []entity.UnitCount) string {
	var all []string
	if count != "" {
		all = append(all, units+" "+count)
	}
	for _, o := range others {
		all = append(all, o.Units+" "+o.Count)
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

func optional[T any](v *T) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprint(*v)
}

// value returns the value of a pointer, or the zero value.
func value[T any](v *T) (out T) {
	if v != nil {
		out = *v
	}
	return out
}
