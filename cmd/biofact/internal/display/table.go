package display

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/biofact-mcp/biofact/gen/tools"
)

// A column shows the first non-empty field of a row, out of some fields.
type column struct {
	head   string
	fields []string
}

// columnsOf returns the columns for the rows of a tool; nil: the columns that all rows have.
func columnsOf(tool string) []column {
	switch tool {
	case tools.SearchTrials:
		return []column{{"ID", []string{"id"}}, {"STATUS", []string{"status"}}, {"PHASE", []string{"phases", "phase"}},
			{"TITLE", []string{"title"}}, {"CONDITIONS", []string{"conditions"}}}
	case tools.GetTrialLocations:
		return []column{
			{"KM", []string{"distance_km"}}, {"FACILITY", []string{"facility_name"}}, {"CITY", []string{"city"}},
			{"STATE", []string{"state"}}, {"COUNTRY", []string{"country"}},
			{"STATUS", []string{"recruitment_status"}}, {"CONTACT", []string{"contact_name"}},
			{"REACHED BY", []string{"contact_phone", "contact_email"}},
		}
	case tools.SearchGenes:
		return []column{{"ID", []string{"id"}}, {"SYMBOL", []string{"symbol"}}, {"NAME", []string{"name"}},
			{"ORGANISM", []string{"organism"}}, {"SCORE", []string{"score"}}}
	case tools.SearchPubMedArticles:
		return []column{{"PMID", []string{"pmid"}}, {"DATE", []string{"pubDate", "epubDate"}}, {"TITLE", []string{"title"}},
			{"AUTHORS", []string{"authors"}}, {"SOURCE", []string{"source"}}}
	case tools.GetArticleRelationships:
		return []column{{"PMID", []string{"pmid"}}, {"SCORE", []string{"score"}}, {"TITLE", []string{"title"}},
			{"AUTHORS", []string{"authors"}}}
	case tools.FetchArticleDetails:
		return []column{
			{"PMID", []string{"pmid"}}, {"YEAR", []string{"journalInfo.publicationDate.year", "book.publicationDate.year"}},
			{"TITLE", []string{"title"}},
			{"JOURNAL", []string{"journalInfo.isoAbbreviation", "journalInfo.title", "book.title"}},
		}
	}
	return nil
}

// listMembers are the members of an answer that are lists of rows.
var listMembers = []string{"items", "relatedArticles", "articles"}

// rowsOf returns the rows of an answer that is a list.
func rowsOf(answer object) (rows []object, ok bool) {
	for _, name := range listMembers {
		list, found := answer.get(name).([]any)
		ok = ok || found
		for _, item := range list {
			if row, isObject := item.(object); isObject {
				rows = append(rows, row)
			}
		}
	}
	pmids, found := answer.get("pmids").([]any)
	if !found {
		return rows, ok
	}
	briefs, _ := answer.get("briefSummaries").([]any)
	for _, pmid := range pmids { // with its summary, if any
		row := object{{"pmid", pmid}}
		for _, b := range briefs {
			if brief, isObject := b.(object); isObject && brief.get("pmid") == pmid {
				row = brief
			}
		}
		rows = append(rows, row)
	}
	return rows, true
}

// scalars returns the columns of rows of an unknown kind.
func scalars(rows []object) []column {
	var columns []column
	for _, row := range rows {
		for _, m := range row {
			_, isObject := m.value.(object)
			known := slices.ContainsFunc(columns, func(c column) bool { return c.fields[0] == m.name })
			if !isObject && !known {
				columns = append(columns, column{strings.ToUpper(strings.ReplaceAll(m.name, "_", " ")), []string{m.name}})
			}
		}
	}
	return columns
}

// gap separates two columns.
const gap = "  "

// table prints rows under their columns. Empty columns are left out.
func (p *Printer) table(columns []column, rows []object) {
	if len(rows) == 0 {
		return
	}
	lines := make([][]string, len(rows)+1)
	var widths []int
	for _, c := range columns {
		cells, widest := make([]string, len(rows)), 0
		for i, row := range rows {
			cells[i] = c.cell(row)
			widest = max(widest, uniseg.StringWidth(cells[i]))
		}
		if widest == 0 {
			continue
		}
		widths = append(widths, max(widest, len(c.head)))
		for i, cell := range append([]string{c.head}, cells...) {
			lines[i] = append(lines[i], cell)
		}
	}
	p.fit(widths)
	for _, line := range lines {
		var text strings.Builder
		for i, cell := range line {
			cell = cut(cell, widths[i])
			text.WriteString(cell)
			text.WriteString(strings.Repeat(" ", widths[i]-uniseg.StringWidth(cell)))
			text.WriteString(gap)
		}
		fmt.Fprintln(p.Out, strings.TrimRight(text.String(), " "))
	}
}

// fit reduces the widths of the widest columns until a line fits. The first column identifies the row and keeps its width; no column
// becomes too narrow to read.
func (p *Printer) fit(widths []int) {
	const narrow = 6
	if p.Width == 0 {
		return
	}
	for {
		total, widest := len(gap)*(len(widths)-1), 0
		for i, w := range widths {
			total += w
			if i > 0 && (widest == 0 || w > widths[widest]) {
				widest = i
			}
		}
		if total <= p.Width || widest == 0 || widths[widest] <= narrow {
			return
		}
		widths[widest]--
	}
}

// cell returns the value of a column in a row.
func (c column) cell(row object) string {
	for _, field := range c.fields {
		if text := oneLine(row.get(field)); text != "" {
			return text
		}
	}
	return ""
}

// cut shortens a text to a number of terminal columns.
func cut(text string, width int) string {
	if uniseg.StringWidth(text) <= width {
		return text
	}
	room, length := width-1, 0
	for rest, state := text, -1; rest != ""; {
		var cluster string
		var w int
		cluster, rest, w, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if w > room {
			break
		}
		room -= w
		length += len(cluster)
	}
	return strings.TrimRight(text[:length], " ") + "…"
}
