// Package display prints answers for people: a list as a table, a record as lines, and the web pages of the records in an answer. It
// knows tools by name and answers as JSON, and imports no package of the project.
package display

import (
	"fmt"
	"io"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
)

// A Printer prints answers for people.
type Printer struct {
	// Out is the output. Write errors are ignored.
	Out io.Writer
	// Width is the maximum number of columns of a line; 0: nothing is cut or wrapped.
	Width int
}

// Answer prints the answer of a tool: a list as a table and a record as lines, followed by the other members of the answer.
func (p *Printer) Answer(tool string, answered Answer) {
	answer := answered.envelope
	rows, list := rowsOf(answer)
	citations, _ := answer.get("citations").(object)
	switch content := answer.text("content"); {
	case len(citations) > 0:
		p.record(citations, "")
	case content != "": // as PubMed writes it
		fmt.Fprintln(p.Out, strings.TrimRight(content, "\n"))
	case list && tool == tools.FetchArticleDetails && len(rows) == 1:
		p.record(rows[0], "")
	case list:
		columns := columnsOf(tool)
		if columns == nil {
			columns = scalars(rows)
		}
		p.table(columns, rows)
	default:
		p.record(answer, "", "notices")
	}
	lines := below(answer, len(rows), list)
	if len(lines) > 0 && (len(rows) > 0 || !list) {
		fmt.Fprintln(p.Out)
	}
	for _, line := range lines {
		fmt.Fprintln(p.Out, line)
	}
}

// below returns the members of an answer other than its rows, as lines.
func below(answer object, shown int, list bool) (lines []string) {
	if list {
		lines = counted(answer, shown)
	}
	if cursor := answer.text("pagination.cursor"); cursor != "" {
		lines = append(lines, "next page: cursor="+cursor+"; or all of them: --all")
	}
	if missing := oneLine(answer.get("notFoundPmids")); missing != "" {
		lines = append(lines, "not found: "+missing)
	}
	notices, _ := answer.get("notices").([]any)
	for _, notice := range notices {
		lines = append(lines, "notice: "+oneLine(notice))
	}
	return lines
}

// counted returns the line with the number of items shown, if the list needs one.
func counted(answer object, shown int) []string {
	var total any
	for _, path := range []string{"pagination.total_count", "totalFound"} {
		if n := answer.get(path); n != nil {
			total = n
		}
	}
	switch {
	case total != nil:
		return []string{fmt.Sprintf("%d of %s", shown, oneLine(total))}
	case answer.text("content") == "" && (shown != 1 || answer.get("articles") == nil):
		return []string{Items(shown)}
	}
	return nil
}

// Items formats a number of items.
func Items(n int) string {
	if n == 1 {
		return "1 item"
	}
	return fmt.Sprintf("%d items", n)
}
