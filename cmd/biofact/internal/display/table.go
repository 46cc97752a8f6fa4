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
	case tools.MatchTrials:
		return []column{{"ID", []string{"id"}}, {"BLOCKS", []string{"counts.blocks"}}, {"ALLOWS", []string{"counts.allows"}},
			{"UNKNOWN", []string{"counts.unknown"}}, {"FIRST LINE THAT BLOCKS", []string{"blocks"}}, {"TITLE", []string{"title"}}}
	case tools.GetTrialLocations:
		return []column{
			{"KM", []string{"distance_km"}}, {"FACILITY", []string{"facility_name"}}, {"CITY", []string{"city"}},
			{"COUNTRY", []string{"country"}}, {"STATUS", []string{"recruitment_status"}},
			{"REACHED BY", []string{"contact_phone", "contact_email"}}, {"CONTACT", []string{"contact_name"}}, {"STATE", []string{"state"}},
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

// listMembers are the members of an answer that are lists of rows. relaxed are the rows that a search found with fewer conditions.
var listMembers = []string{"items", "relatedArticles", "articles", "relaxed"}

// A rowList is a list of rows in an answer. The name of the first list is empty.
type rowList struct {
	name string
	rows []object
}

// listsOf returns the lists of rows in an answer.
func listsOf(answer object) (lists []rowList) {
	for _, name := range listMembers {
		if list, found := answer.get(name).([]any); found {
			if len(lists) == 0 {
				name = ""
			}
			lists = append(lists, rowList{name, objects(list)})
		}
	}
	if pmids, found := answer.get("pmids").([]any); found {
		lists = append(lists, rowList{"", briefs(answer, pmids)})
	}
	return lists
}

// briefs returns a row for each PMID, with its summary, if any.
func briefs(answer object, pmids []any) (rows []object) {
	summaries := objects(answer.get("briefSummaries"))
	for _, pmid := range pmids {
		row := object{{"pmid", pmid}}
		for _, brief := range summaries {
			if brief.get("pmid") == pmid {
				row = brief
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// rowsOf returns the rows of an answer that is a list.
func rowsOf(answer object) (rows []object, ok bool) {
	for _, list := range listsOf(answer) {
		rows, ok = append(rows, list.rows...), true
	}
	return rows, ok
}

// scalars returns the columns of rows of an unknown kind.
func scalars(rows []object) []column {
	var columns []column
	for _, row := range rows {
		for _, m := range row {
			known := slices.ContainsFunc(columns, func(c column) bool { return c.fields[0] == m.name })
			if isInline(m.value) && !known {
				columns = append(columns, column{strings.ToUpper(label(m.name)), []string{m.name}})
			}
		}
	}
	return columns
}

// gap separates two columns.
const gap = "  "

// table prints rows under their columns. Empty columns are left out, and so are the last columns if they do not fit.
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
	shown := p.fit(widths)
	for i, line := range lines {
		var text strings.Builder
		for i, cell := range line[:shown] {
			cell = cut(cell, widths[i])
			text.WriteString(cell)
			text.WriteString(strings.Repeat(" ", max(0, widths[i]-uniseg.StringWidth(cell))))
			text.WriteString(gap)
		}
		row := strings.TrimRight(text.String(), " ")
		if i == 0 {
			row = p.bold(row)
		}
		fmt.Fprintln(p.Out, row)
	}
	if shown < len(widths) {
		p.paragraph("", "columns that do not fit: "+strings.ToLower(strings.Join(lines[0][shown:], ", ")), "  ")
	}
}

// matched prints each line of one trial beside a person, with its verdict.
func (p *Printer) matched(trial object) {
	fmt.Fprintln(p.Out, p.bold(bareID(trial.text("id")))+gap+trial.text("title"))
	var rows []object
	for _, verdict := range []string{"blocks", "allows", "unknown"} {
		for _, line := range objects(trial.get(verdict)) {
			rows = append(rows, append(object{{"verdict", verdict}}, line...))
		}
	}
	p.table([]column{{"VERDICT", []string{"verdict"}}, {"LIST", []string{"list", "field"}}, {"PERSON", []string{"person"}},
		{"LINE", []string{"text"}}}, rows)
}

// fit reduces the widths of the widest columns until a line fits, and returns the number of columns that are shown. No column becomes too
// narrow to read.
func (p *Printer) fit(widths []int) (shown int) {
	const narrow = 12
	if p.Width == 0 {
		return len(widths)
	}
	for shown = len(widths); shown > 1; shown-- {
		least := len(gap) * (shown - 1)
		for _, w := range widths[:shown] {
			least += min(w, narrow)
		}
		if least <= p.Width {
			break
		}
	}
	for {
		total, widest := len(gap)*(shown-1), 0
		for i, w := range widths[:shown] {
			total += w
			if w > widths[widest] {
				widest = i
			}
		}
		if total <= p.Width || widths[widest] <= narrow {
			return shown
		}
		widths[widest]--
	}
}

// cell returns the value of a column in a row; of a list of lines, the first one.
func (c column) cell(row object) string {
	for _, field := range c.fields {
		if lines := objects(row.get(field)); len(lines) > 0 {
			return oneLine(lines[0].text("text"))
		}
		if text := oneLine(words(field, row.get(field))); text != "" {
			return bareID(text)
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
