package results

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/csvtable"
	"github.com/biofact-mcp/biofact/internal/entity"
)

// Columns of the tables. Each row has one cell of the results, with all titles that apply to it.
var (
	measureColumns = []string{
		"nct_id", "measure", "type", "title", "time_frame", "reporting_status", "class", "category", "group", "group_title",
		"parameter", "value", "dispersion", "spread", "lower", "upper", "unit", "analyzed", "analyzed_units", "analyzed_other", "comment",
	}
	flowColumns = []string{
		"nct_id", "period", "kind", "type", "group", "group_title", "participants", "units", "comment", "type_comment",
	}
	eventColumns = []string{
		"nct_id", "serious", "organ_system", "term", "group", "group_title", "affected", "at_risk", "percent_computed", "events",
		"vocabulary", "assessment", "notes",
	}
)

// Columns returns the columns of the table of a section; nil: the section has no table.
func Columns(section string) []string {
	return map[string][]string{"outcomes": measureColumns, "baseline": measureColumns, "participant_flow": flowColumns,
		"adverse_events": eventColumns}[section]
}

// A csvTable is a table of results.
type csvTable struct{ csvtable.Table }

// csvPage answers a page of items as a table.
func csvPage[T any](c *Call, out *entity.TrialResults, columns []string, items []T, write func(*csvTable, T)) error {
	p, err := page(c, items, out, func(item T) int {
		var t csvTable
		write(&t, item)
		return entity.Size(t.String())
	})
	var t csvTable
	t.Row(columns...)
	for _, item := range p.items {
		write(&t, item)
	}
	out.CSV, out.Pagination = t.String(), p.pagination
	if t.Changed > 0 {
		c.Notes.Add(fmt.Sprintf("Cells of csv that got an apostrophe before them, so that no spreadsheet runs them as formulas: %d. "+
			"Unchanged: %s.", t.Changed, c.call(tools.GetTrialResultsArgs{Section: c.Section, Outcome: c.Outcome, Event: c.Event,
			Serious: c.Serious, MinPercent: c.MinPercent})))
	}
	if measures, ok := any(p.items).([]entity.ResultMeasure); ok {
		c.noteUnused(measures)
		c.noteAnalyses(measures)
	}
	return err
}

// noteAnalyses reports how many analyses a table leaves out.
func (c *Call) noteAnalyses(measures []entity.ResultMeasure) {
	n := 0
	for i := range measures {
		n += len(measures[i].Analyses)
	}
	if n > 0 {
		c.Notes.Add(fmt.Sprintf("The table has the values. Analyses (p-values, estimates) that it leaves out: %d. They and the "+
			"descriptions: %s.",
			n, c.call(tools.GetTrialResultsArgs{Section: c.Section, Outcome: c.Outcome})))
	}
}

// measure writes the cells of a measure, or one row for each group if the measure has no values.
func (t *csvTable) measure(nct string, m *entity.ResultMeasure, groups []entity.ResultGroup, units string) {
	if m.AnalyzedUnits != "" {
		units = m.AnalyzedUnits
	}
	write := func(row *entity.ResultRow, cell *entity.ResultCell) {
		var group entity.ResultGroup
		number := ""
		if cell.Group > 0 {
			group, number = groups[cell.Group-1], strconv.Itoa(cell.Group)
		}
		analyzed, others := group.Analyzed, group.AnalyzedOther
		if cell.Analyzed != "" {
			analyzed = cell.Analyzed
		}
		if cell.AnalyzedOther != nil {
			others = cell.AnalyzedOther
		}
		t.Row(nct, strconv.Itoa(m.Number), m.Type, m.Title, m.TimeFrame, m.ReportingStatus, row.Class, row.Category, number, group.Title,
			m.Parameter, cell.Value, m.Dispersion, cell.Spread, cell.Lower, cell.Upper, m.Unit, analyzed, units, unitCounts(others),
			cell.Comment)
	}
	for i := range m.Rows {
		row := &m.Rows[i]
		for j := range row.Cells {
			write(row, &row.Cells[j])
		}
		if len(row.Cells) == 0 {
			write(row, &entity.ResultCell{})
		}
	}
	for i := range m.Groups {
		if len(m.Rows) == 0 {
			write(&entity.ResultRow{}, &entity.ResultCell{Group: m.Groups[i].Number})
		}
	}
	if len(m.Rows) == 0 && len(m.Groups) == 0 {
		write(&entity.ResultRow{}, &entity.ResultCell{})
	}
}

func unitCounts(counts []entity.UnitCount) string {
	var all []string
	for _, c := range counts {
		all = append(all, strings.TrimSpace(c.Count+" "+c.Units))
	}
	return strings.Join(all, "; ")
}

func (t *csvTable) period(nct string, p *entity.FlowPeriod, groups []entity.ResultGroup) {
	for _, part := range []struct {
		kind string
		rows []entity.FlowRow
	}{{"milestone", p.Milestones}, {"withdrawal", p.Withdrawals}} {
		for i := range part.rows {
			row := &part.rows[i]
			for _, cell := range row.Cells {
				t.Row(nct, p.Title, part.kind, row.Type, strconv.Itoa(cell.Group), groups[cell.Group-1].Title,
					cell.Participants, cell.Units, cell.Comment, row.Comment)
			}
		}
	}
}

func (t *csvTable) event(nct string, e *entity.AdverseEvent, groups []entity.EventGroup) {
	for _, cell := range e.Cells {
		percent := ""
		if cell.PercentComputed != nil {
			percent = strconv.FormatFloat(*cell.PercentComputed, 'f', -1, 64)
		}
		t.Row(nct, strconv.FormatBool(e.Serious), e.OrganSystem, e.Term, strconv.Itoa(cell.Group), groups[cell.Group-1].Title,
			figure(cell.Affected), figure(cell.AtRisk), percent, figure(cell.Events), e.Vocabulary, e.Assessment, e.Notes)
	}
}

// figure returns a number as text; "" if it is not stated.
func figure(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}
