package display

import (
	"fmt"
	"math"
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

// columnsByTool are the columns of the rows of a tool: the head, and the fields of which the first that has a value is shown.
var columnsByTool = map[string][]string{
	tools.SearchTrials: {"ID id", "KM nearest_site.distance_km", "NEAREST_SITE nearest_site.facility_name",
		"CITY nearest_site.city", "WORDS matched_words", "STATUS status", "PHASE phase", "TITLE title", "CONDITIONS conditions"},
	tools.MatchTrials: {"ID id", "BLOCKS counts.blocks", "ALLOWS counts.allows", "UNKNOWN counts.unknown",
		"FIRST_LINE_THAT_BLOCKS blocks", "TITLE title"},
	tools.GetTrialLocations: {"KM distance_km", "FACILITY facility_name", "CITY city", "COUNTRY country", "STATUS recruitment_status",
		"REACHED_BY contact_phone contact_email", "CONTACT contact_name", "STATE state"},
	tools.SearchGenes: {"ID id", "SYMBOL symbol", "NAME name", "ORGANISM organism", "SCORE score"},
	tools.GetGeneVariants: {"ACCESSION accession", "NAME name", "CONSEQUENCE consequences", "SIGNIFICANCE significance",
		"CONDITIONS conditions"},
	tools.LookupMesh:              {"ID id", "NAME name", "KIND kind", "SCOPE scopeNote", "TREE_NUMBERS treeNumbers"},
	tools.SearchPubMedArticles:    {"PMID pmid", "DATE pubDate epubDate", "TITLE title", "AUTHORS authors", "SOURCE source"},
	tools.GetArticleRelationships: {"PMID pmid", "SCORE score", "TITLE title", "AUTHORS authors"},
	tools.FetchArticleDetails: {"PMID pmid", "YEAR journalInfo.publicationDate.year book.publicationDate.year", "TITLE title",
		"JOURNAL journalInfo.isoAbbreviation journalInfo.title book.title"},
}

// The columns of the rows of results: effects and cells.
var (
	comparisonColumns = readColumns([]string{"OUTCOME outcome_title", "GROUP_1 group_1", "GROUP_2 group_2", "MEASURE measure parameter",
		"ESTIMATE estimate", "P p_value", "CHECK check"})
	armColumns = readColumns([]string{"KIND kind", "TITLE title outcome_title", "CATEGORY category", "GROUP group", "VALUE value", "SD sd",
		"XI xi", "NI ni", "UNIT unit"})
)

// columnsOf returns the columns for the rows of a tool; nil: the columns that all rows have.
func columnsOf(tool string) []column { return readColumns(columnsByTool[tool]) }

func readColumns(texts []string) (columns []column) {
	for _, text := range texts {
		words := strings.Fields(text)
		columns = append(columns, column{strings.ReplaceAll(words[0], "_", " "), words[1:]})
	}
	return columns
}

// relaxedRows are trials that have some of the words of a search. Only tables show them: CSV, NDJSON and
// exports have the trials with all words.
const relaxedRows = "relaxed.items"

// preprintRows are preprints beside articles. Only tables show them.
const preprintRows = "preprints"

var preprintColumns = readColumns([]string{"DOI doi", "DATE date", "TITLE title", "AUTHORS authors", "SERVER server",
	"PUBLISHED_PMID publishedPmid"})

// listMembers are the members of an answer that are lists of rows.
var listMembers = []string{"items", "relatedArticles", "articles", relaxedRows}

// A rowList is a list of rows in an answer. The name of the first list is empty.
type rowList struct {
	name string
	rows []object
}

func listsOf(answer object) (lists []rowList) {
	for _, name := range listMembers {
		if list, found := answer.Get(name).([]any); found {
			if len(lists) == 0 {
				name = ""
			}
			lists = append(lists, rowList{name, objects(list)})
		}
	}
	if pmids, found := answer.Get("pmids").([]any); found {
		lists = append(lists, rowList{"", briefs(answer, pmids)})
	}
	if rows := objects(answer.Get(preprintRows)); len(rows) > 0 {
		lists = append(lists, rowList{preprintRows, rows})
	}
	return lists
}

// briefs returns a row for each PMID, with its summary, if any.
func briefs(answer object, pmids []any) (rows []object) {
	summaries := objects(answer.Get("briefSummaries"))
	for _, pmid := range pmids {
		row := object{{Name: "pmid", Value: pmid}}
		for _, brief := range summaries {
			if brief.Get("pmid") == pmid {
				row = brief
			}
		}
		rows = append(rows, row)
	}
	return rows
}

func rowsOf(answer object) (rows []object, ok bool) {
	for _, list := range listsOf(answer) {
		if list.name != relaxedRows && list.name != preprintRows {
			rows, ok = append(rows, list.rows...), true
		}
	}
	return rows, ok
}

// scalars returns the columns of rows of an unknown kind.
func scalars(rows []object) []column {
	var columns []column
	for _, row := range rows {
		for _, m := range row {
			known := slices.ContainsFunc(columns, func(c column) bool { return c.fields[0] == m.Name })
			if isInline(m.Value) && !known {
				columns = append(columns, column{strings.ToUpper(label(m.Name)), []string{m.Name}})
			}
		}
	}
	return columns
}

// leaves returns the columns of a field of rows: its own one, or one for each member if the field is an object.
func leaves(answer object, field string) (columns []column) {
	rows, _ := rowsOf(answer)
	for _, row := range rows {
		members, _ := row.Get(memberOf(row, field)).(object)
		for _, m := range members {
			c := column{strings.ToUpper(label(m.Name)), []string{field + "." + m.Name}}
			if !slices.ContainsFunc(columns, func(known column) bool { return known.fields[0] == c.fields[0] }) {
				columns = append(columns, c)
			}
		}
	}
	if columns == nil {
		columns = []column{{strings.ToUpper(label(field[strings.LastIndexByte(field, '.')+1:])), []string{field}}}
	}
	return columns
}

const (
	// gap separates two columns.
	gap = "  "
	// rowHeight is the number of lines that a row of a long table takes at most. Of few rows people read every word.
	rowHeight, fewRows = 3, 5
)

// table prints rows under their columns, with long cells on several lines. Empty columns are left out, and so are the last columns if
// they do not fit.
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
			widest = max(widest, width(cells[i]))
		}
		if widest == 0 {
			continue
		}
		widest = max(widest, len(c.head))
		if p.Width > 0 {
			widest = min(widest, p.Width)
		}
		widths = append(widths, widest)
		for i, cell := range append([]string{c.head}, cells...) {
			lines[i] = append(lines[i], cell)
		}
	}
	shown, most := p.fit(lines, widths), rowHeight
	if len(rows) <= fewRows {
		most = math.MaxInt
	}
	for i, line := range lines {
		p.row(line[:shown], widths, most, i == 0)
	}
	if shown < len(widths) {
		p.paragraph("", "columns that do not fit: "+strings.ToLower(strings.Join(lines[0][shown:], ", ")), "  ")
	}
}

// matched prints each line of one trial beside a person, with its verdict.
func (p *Printer) matched(trial object) {
	p.paragraph(p.bold(bareID(trial.Text("id")))+gap, trial.Text("title"), "  ")
	var rows []object
	for _, verdict := range []string{"blocks", "allows", "unknown"} {
		for _, line := range objects(trial.Get(verdict)) {
			rows = append(rows, append(object{{Name: "verdict", Value: verdict}}, line...))
		}
	}
	p.table([]column{{"VERDICT", []string{"verdict"}}, {"LIST", []string{"list", "field"}}, {"PERSON", []string{"person"}},
		{"LINE", []string{"text"}}}, rows)
}

// row prints the cells of a row, each wrapped in its column and cut after some lines.
func (p *Printer) row(cells []string, widths []int, most int, head bool) {
	columns, height := make([][]string, len(cells)), 0
	for i, cell := range cells {
		lines := wrapped(broken(cell, widths[i]), widths[i], 0, 0)
		if len(lines) > most {
			lines = append(lines[:most-1], strings.Join(lines[most-1:], " "))
		}
		columns[i], height = lines, max(height, len(lines))
	}
	for line := range height {
		var text strings.Builder
		for i, column := range columns {
			cell := ""
			if line < len(column) {
				cell = cut(column[line], widths[i])
			}
			text.WriteString(cell + strings.Repeat(" ", widths[i]-width(cell)) + gap)
		}
		row := strings.TrimRight(text.String(), " ")
		if head {
			row = p.bold(row)
		}
		fmt.Fprintln(p.Out, row)
	}
}

// fit reduces the widths of columns until a line fits, so that the rows take few lines, and returns the number of columns that are shown.
// No column becomes too narrow to read.
func (p *Printer) fit(lines [][]string, widths []int) (shown int) {
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
	total := len(gap) * (shown - 1)
	for _, w := range widths[:shown] {
		total += w
	}
	for ; total > p.Width; total-- {
		best, least := -1, math.MaxInt
		for i := range shown {
			if widths[i] <= narrow {
				continue
			}
			widths[i]--
			if h := height(lines, widths[:shown]); h < least || h == least && widths[i] >= widths[best] {
				best, least = i, h
			}
			widths[i]++
		}
		if best < 0 {
			break
		}
		widths[best]--
	}
	return shown
}

// height estimates the number of terminal lines that rows take.
func height(rows [][]string, widths []int) (sum int) {
	for _, cells := range rows {
		most := 1
		for i, w := range widths {
			most = max(most, (len(cells[i])+w-1)/w)
		}
		sum += most
	}
	return sum
}

// cell returns the value of a column in a row; of a list of lines, the first one.
func (c column) cell(row object) string {
	for _, field := range c.fields {
		field = memberOf(row, field)
		if lines := objects(row.Get(field)); len(lines) > 0 {
			return oneLine(lines[0].Text("text"))
		}
		if text := oneLine(words(field, row.Get(field))); text != "" {
			if first, _, several := strings.Cut(text, ", "); several && field == "authors" {
				return first + " et al."
			}
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
	return strings.TrimRight(beginning(text, width-1), " ") + "…"
}

// broken returns a text in which words that are longer than a line are divided.
func broken(text string, width int) string {
	var words []string
	for word := range strings.SplitSeq(text, " ") {
		for uniseg.StringWidth(word) > width {
			part := beginning(word, width)
			words, word = append(words, part), word[len(part):]
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// beginning returns as much of a text as has at most a number of terminal columns, and at least one character.
func beginning(text string, width int) string {
	length := 0
	for rest, state := text, -1; rest != ""; {
		var cluster string
		var columns int
		cluster, rest, columns, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if columns > width && length > 0 {
			break
		}
		width -= columns
		length += len(cluster)
	}
	return text[:length]
}
