package rows

import (
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// Outcomes returns the cells of some outcomes of a trial, one per row.
func Outcomes(nct string, measures []entity.ResultMeasure, arms []entity.Arm) []entity.ArmRow {
	byLabel := rolesOf(arms)
	var rows []entity.ArmRow
	for i := range measures {
		m := &measures[i]
		for j := range m.Rows {
			row := &m.Rows[j]
			for k := range row.Cells {
				cell := &row.Cells[k]
				numbers, title := readCell(m, cell.Group, cell), m.Groups[cell.Group-1].Title
				out := entity.ArmRow{
					NCTID: nct, Kind: "outcome", Outcome: m.Number, OutcomeType: m.Type, Title: m.Title, TimeFrame: m.TimeFrame,
					Class: row.Class, Category: row.Category, Group: title, Role: byLabel.of(title), Unit: m.Unit, Parameter: m.Parameter,
					Value: cell.Value, Dispersion: m.Dispersion, Spread: cell.Spread, Lower: cell.Lower, Upper: cell.Upper,
					NI: numbers.n, XI: numbers.count, MI: numbers.mean, SDI: numbers.sd, SEI: numbers.se, SDIComputed: numbers.derived,
					Comment: cell.Comment,
				}
				if !strings.EqualFold(m.AnalyzedUnits, "participants") {
					out.NIUnits = m.AnalyzedUnits
				}
				rows = append(rows, out)
			}
		}
	}
	return rows
}

// Events returns the numbers of some adverse events of a trial, one row per group.
func Events(nct string, a *entity.AdverseEventResults, events []entity.AdverseEvent, arms []entity.Arm) []entity.ArmRow {
	byLabel := rolesOf(arms)
	var rows []entity.ArmRow
	for i := range events {
		e := &events[i]
		for _, cell := range e.Cells {
			title := a.Groups[cell.Group-1].Title
			rows = append(rows, entity.ArmRow{
				NCTID: nct, Kind: "event", Title: e.Term, Serious: new(e.Serious), OrganSystem: e.OrganSystem, TimeFrame: a.TimeFrame,
				Group: title, Role: byLabel.of(title), NI: cell.AtRisk, XI: cell.Affected, Events: cell.Events,
			})
		}
	}
	return rows
}

// Totals returns the deaths and the people with serious and with other events of each group, where the record states them.
func Totals(nct string, a *entity.AdverseEventResults, arms []entity.Arm) []entity.ArmRow {
	byLabel := rolesOf(arms)
	var rows []entity.ArmRow
	for i := range a.Groups {
		g := &a.Groups[i]
		for _, total := range []struct {
			title  string
			xi, ni *int
		}{
			{"deaths", g.Deaths, g.DeathsAtRisk}, {"serious", g.SeriousAffected, g.SeriousAtRisk},
			{"other", g.OtherAffected, g.OtherAtRisk},
		} {
			if total.xi != nil || total.ni != nil {
				rows = append(rows, entity.ArmRow{
					NCTID: nct, Kind: "total", Title: total.title, TimeFrame: a.TimeFrame, Group: g.Title, Role: byLabel.of(g.Title),
					NI: total.ni, XI: total.xi,
				})
			}
		}
	}
	return rows
}
