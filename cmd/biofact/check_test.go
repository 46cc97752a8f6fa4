package main

import (
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestCheckRows: the lines and columns of findings, and the exit code of a text.
func TestCheckRows(t *testing.T) {
	t.Parallel()
	const text = "äb PMID 1\n\nNCT1\n"
	for _, tt := range []struct {
		item      entity.CheckedItem
		different bool
		want      string
		code      exitError
	}{
		{entity.CheckedItem{Text: "PMID 1", Start: 3, Exists: "true"}, false, "1:4 exists true", 0},
		{entity.CheckedItem{Text: "PMID 1", Start: 3, Exists: "true"}, true, "", 0},
		{entity.CheckedItem{Text: "NCT1", Start: 11, Exists: "false"}, true, "3:1 exists false", exitFailed},
		{entity.CheckedItem{Text: "NCT1", Start: 11, Exists: "unknown"}, true, "", exitGaps},
		{entity.CheckedItem{Text: "PMID 1", Start: 3, Exists: "true",
			Statements: []entity.Statement{{What: "year", Claim: "1", Result: "not_found"}}},
			false, "1:4 exists true, 1:4 year not_found", exitGaps},
		{entity.CheckedItem{Text: "PMID 1", Start: 3, Exists: "true", Notices: []entity.CheckNotice{{Kind: "retracted", Text: "x"}}}, true,
			"1:4 retracted", exitFailed},
		{entity.CheckedItem{Text: "PMID 1", Start: 3, Exists: "true", Notices: []entity.CheckNotice{{Kind: "corrected", Text: "x"}}}, false,
			"1:4 exists true, 1:4 corrected", 0},
	} {
		rows, code := checkRows(text, []entity.CheckedItem{tt.item}, tt.different)
		var got []string
		for _, row := range rows {
			got = append(got, strings.TrimSpace(row[0]+" "+row[2]+" "+row[4]))
		}
		expect.Is(t, strings.Join(got, ", "), tt.want, "rows of %+v", tt.item)
		expect.Is(t, code, tt.code, "code of %+v", tt.item)
	}
	long := strings.Repeat("a", 39_990) + "\n\n" + strings.Repeat("b", 40_000)
	expect.Is(t, strings.Join(parts(long), ""), long, "parts")
	expect.Is(t, len(parts(long)), 2, "parts")
}
