package results

import (
	"fmt"
	"slices"

	"github.com/biofact-mcp/biofact/internal/csvtable"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/trials/rows"
)

// differing explains a check.
const differing = "check differs: the posted estimate is not the one that the posted cells give (recomputed). This is no error, often a " +
	"model or an adjustment; do not rebuild such an estimate from these cells."

// comparisonRows returns the analyses of a record that the arguments select.
func (c *Call) comparisonRows(r *entity.TrialResults) ([]entity.ComparisonRow, error) {
	chosen, err := c.chooseOutcomes(r.OutcomeMeasures)
	found := rows.Comparisons(r.ID, chosen, r.Arms)
	if err == nil && found == nil {
		c.rowless = "These outcomes have no posted analyses"
	}
	return found, err
}

// armRows returns the cells of a record that the arguments select: of outcomes, of events, or the totals of each group.
func (c *Call) armRows(r *entity.TrialResults) (found []entity.ArmRow, err error) {
	a := r.AdverseEvents
	switch {
	case c.Outcome != "":
		var chosen []entity.ResultMeasure
		chosen, err = c.chooseOutcomes(r.OutcomeMeasures)
		if found = rows.Outcomes(r.ID, chosen, r.Arms); found == nil {
			c.rowless = "No cells of these outcomes are posted"
		}
	case a == nil:
		c.rowless = "The record has no adverse events module. This is not a zero"
	case c.searched():
		if found = rows.Events(r.ID, a, c.chooseEvents(a), r.Arms); found == nil {
			c.rowless = "No such event is listed. This is not a zero: events below the threshold of a record are not listed"
		}
	default:
		found = rows.Totals(r.ID, a, r.Arms)
		if !slices.ContainsFunc(found, func(row entity.ArmRow) bool { return row.Title == "deaths" }) {
			c.rowless = "Deaths per group are not posted. This is not a zero"
		}
	}
	return found, err
}

// rows answers a section of rows.
func (c *Call) rows(r *entity.TrialResults, out *entity.TrialResults) (err error) {
	if c.Section == comparisons {
		var found []entity.ComparisonRow
		if found, err = c.comparisonRows(r); err == nil {
			_, err = setRows(c, out, found)
		}
	} else {
		var found []entity.ArmRow
		if found, err = c.armRows(r); err == nil {
			_, err = setRows(c, out, found)
		}
	}
	if c.rowless != "" {
		c.Notes.Add(c.rowless + ".")
	}
	return err
}

// setRows adds a page of rows to an answer, as a list or as CSV, and returns its rows.
func setRows[T entity.FlatRow](c *Call, out *entity.TrialResults, found []T) ([]T, error) {
	size := jsonSize[T]
	if c.Format == "csv" {
		size = func(row T) int { return entity.Size(line(row).String()) }
	}
	p, err := page(c, found, out, size)
	if err != nil {
		return nil, err
	}
	out.Pagination = p.pagination
	if slices.ContainsFunc(p.items, func(row T) bool {
		comparison, ok := any(row).(entity.ComparisonRow)
		return ok && comparison.Check == "differs"
	}) {
		c.Notes.Add(differing)
	}
	if c.Format != "csv" {
		out.Rows = []entity.FlatRow{}
		for _, row := range p.items {
			out.Rows = append(out.Rows, row)
		}
		return p.items, nil
	}
	var t csvtable.Table
	t.Row(rows.Columns[T]()...)
	for _, row := range p.items {
		t.Row(rows.Cells(row)...)
	}
	if t.Changed > 0 {
		c.Notes.Add(fmt.Sprintf("Cells of csv that got an apostrophe before them, so that no spreadsheet runs them as formulas: %d.",
			t.Changed))
	}
	out.CSV = t.String()
	return p.items, nil
}

// line returns a row as a table of its own.
func line[T any](row T) *csvtable.Table {
	var t csvtable.Table
	t.Row(rows.Cells(row)...)
	return &t
}
