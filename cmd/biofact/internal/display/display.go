// Package display prints answers for people: lists, counts, comparisons and results as tables, a record as lines, and the web pages of
// the records in an answer. It knows tools by name and answers as JSON.
package display

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
)

// Answer prints the answer of a tool: rows and groups as tables and a record as lines, followed by the other members of the answer. With
// fields, rows and records have only these.
func (p *Printer) Answer(tool string, answered Answer, fields []string) {
	answer := answered.envelope
	rows, list := rowsOf(answer)
	citations, _ := answer.Get("citations").(object)
	switch content := answer.Text("content"); {
	case len(citations) > 0:
		p.record(citations)
		rows, list = nil, false // a citation alone counts nothing
	case content != "": // as PubMed writes it
		fmt.Fprintln(p.Out, strings.TrimRight(content, "\n"))
	case groupsOf(answer) != nil:
		p.Plot(answered)
		return
	case answer.Get("aspects") != nil:
		p.comparison(answer)
	case list && len(rows) == 1 && len(fields) == 0 && tool == tools.FetchArticleDetails:
		p.card(rows[0])
	case list:
		p.rowLists(tool, answer, fields)
	case len(fields) > 0:
		var members []string
		for _, field := range fields {
			members = append(members, memberOf(answer, field))
		}
		p.record(selected(answer, append(members, disclaimer)))
	default:
		p.card(answer, "notices", "next", "pagination")
	}
	p.foot(answer, len(rows), list)
}

// foot prints what stands below an answer, apart from its rows.
func (p *Printer) foot(answer object, rows int, list bool) {
	lines := p.below(answer, rows, list)
	if len(lines) > 0 && (rows > 0 || !list || answer.Get(relaxedRows) != nil) {
		fmt.Fprintln(p.Out)
	}
	p.lines(lines)
}

// rowLists prints the lists of an answer, each under its own columns. A list beside the first gets a line of its own before it.
func (p *Printer) rowLists(tool string, answer object, fields []string) {
	if all, _ := rowsOf(answer); tool == tools.MatchTrials && len(all) == 1 && len(fields) == 0 {
		p.matched(all[0])
		return
	}
	columns := columnsOf(tool)
	if len(fields) > 0 {
		columns = nil
		for _, field := range fields {
			columns = append(columns, leaves(answer, field)...)
		}
	}
	for _, list := range listsOf(answer) {
		if columns == nil {
			columns = scalars(list.rows)
		}
		shown := columns
		if list.name == preprintRows {
			shown = preprintColumns
		}
		if list.name != "" {
			head := label(list.name)
			if list.name == relaxedRows {
				if head = "Further trials without all words"; len(fields) == 0 {
					head += ", each with those under WORDS"
				}
			}
			fmt.Fprintf(p.Out, "\n%s:\n", p.bold(head))
		}
		p.table(shown, list.rows)
	}
}

// below returns the members of an answer other than its rows, as lines.
func (p *Printer) below(answer object, shown int, list bool) (lines []string) {
	if list {
		lines = counted(answer, shown)
	}
	if answer.Get(relaxedRows) != nil {
		lines[0] += " with all words"
	}
	if cursor := answer.Text("pagination.cursor"); cursor != "" {
		lines = append(lines, More(cursor))
	}
	if missing := oneLine(answer.Get("notFoundPmids")); missing != "" {
		lines = append(lines, "not found: "+missing)
	}
	note, named := p.Note, false
	if note == nil {
		note = func(text string) string { return text }
	}
	notices, _ := answer.Get("notices").([]any)
	for _, notice := range notices {
		given := oneLine(notice)
		text := note(given)
		lines, named = append(lines, "notice: "+text), named || text != given
	}
	if next, ok := answer.Get("next").(object); ok && !named {
		call := "Call " + next.Text("tool") + " with " + asJSON(next.Get("arguments"))
		if command := note(call); command != call {
			lines = append(lines, "try: "+command)
		}
	}
	return lines
}

// asJSON returns a value of an answer as JSON.
func asJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(text)
}

// More returns the line for a list that continues.
func More(cursor string) string { return "more follow: add --all, or cursor=" + cursor }

// counted returns the line with the number of items shown, if the list needs one.
func counted(answer object, shown int) []string {
	var total any
	for _, path := range []string{"pagination.total_count", "totalFound"} {
		if n := answer.Get(path); n != nil {
			total = n
		}
	}
	switch {
	case total != nil:
		return []string{fmt.Sprintf("%d of %s", shown, oneLine(total))}
	case answer.Text("content") == "" && (shown != 1 || answer.Get("articles") == nil):
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
