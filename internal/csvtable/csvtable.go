// Package csvtable writes tables of RFC 4180 that a spreadsheet can open without running a cell as a formula. It knows nothing about what
// the cells mean.
package csvtable

import (
	"encoding/csv"
	"slices"
	"strconv"
	"strings"
)

// A Table is a table of RFC 4180. Changed is the number of cells that got an apostrophe before them because a spreadsheet would run them as
// a formula.
type Table struct {
	Changed int
	text    strings.Builder
}

// Row writes a row, which ends with CR LF. Line feeds inside a cell stay unchanged: csv.Writer with CR LF would change them too.
func (t *Table) Row(cells ...string) {
	cells = slices.Clone(cells)
	for i, cell := range cells {
		if IsFormula(cell) {
			cells[i] = "'" + cell
			t.Changed++
		}
	}
	var line strings.Builder
	w := csv.NewWriter(&line)
	_ = w.Write(cells) // neither the builder nor the separator can fail
	w.Flush()
	t.text.WriteString(strings.TrimSuffix(line.String(), "\n") + "\r\n")
}

// String returns the rows.
func (t *Table) String() string { return t.text.String() }

// IsFormula reports whether a spreadsheet may run a text as a formula. A number is never a formula, also with a sign.
func IsFormula(text string) bool {
	if text == "" || text == "=" || !strings.ContainsAny(text[:1], "=+-@\t\r") && !strings.HasPrefix(text, "＝") &&
		!strings.HasPrefix(text, "＋") && !strings.HasPrefix(text, "－") && !strings.HasPrefix(text, "＠") {
		return false
	}
	_, err := strconv.ParseFloat(text, 64)
	return err != nil
}
