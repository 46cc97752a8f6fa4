package results

import (
	"bytes"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/csvtable"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/trials/rows"
)

// Header returns the columns of a section of rows.
func Header(section string) []string {
	if section == comparisons {
		return rows.Columns[entity.ComparisonRow]()
	}
	return rows.Columns[entity.ArmRow]()
}

// Lines returns the rows of one trial, each as one line of JSON or, with the format csv, as a row of CSV. The section of the arguments
// is one
// of rows. The result is empty for a trial without such rows.
func Lines(args tools.GetTrialResultsArgs, r *entity.TrialResults) ([]byte, error) {
	c := &Call{GetTrialResultsArgs: args, Notes: &entity.Notes{}}
	if err := c.chooseSection(); err != nil {
		return nil, err
	}
	if c.Section == comparisons {
		return linesOf(c, r, (*Call).comparisonRows)
	}
	return linesOf(c, r, (*Call).armRows)
}

func linesOf[T entity.FlatRow](c *Call, r *entity.TrialResults, read func(*Call, *entity.TrialResults) ([]T, error)) ([]byte, error) {
	if !r.Posted() {
		return nil, nil
	}
	found, err := read(c, r)
	if err != nil { // this trial has no outcome with the number
		return nil, nil //nolint:nilerr // it has no such rows
	}
	var t csvtable.Table
	var lines bytes.Buffer
	for _, row := range found {
		if c.Format == "csv" {
			t.Row(rows.Cells(row)...)
			continue
		}
		text, err := entity.JSON(row)
		if err != nil {
			return nil, err
		}
		lines.Write(bytes.Replace(text, []byte(`"nct_id":"NCT:`), []byte(`"nct_id":"NCT`), 1))
		lines.WriteByte('\n')
	}
	lines.WriteString(t.String())
	return lines.Bytes(), nil
}
