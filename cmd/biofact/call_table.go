package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/rivo/uniseg"
	"golang.org/x/term"
)

// An object is a JSON object with its members in their order. A value is an
// object, []any, string, json.Number, bool or nil.
type object []member

type member struct {
	name  string
	value any
}

// get returns the value at a path such as journalInfo.title, or nil.
func (o object) get(path string) any {
	name, rest, nested := strings.Cut(path, ".")
	i := slices.IndexFunc(o, func(m member) bool { return m.name == name })
	if i < 0 {
		return nil
	}
	if inner, ok := o[i].value.(object); ok && nested {
		return inner.get(rest)
	}
	if nested {
		return nil
	}
	return o[i].value
}

// text returns the text at a path, or "".
func (o object) text(path string) string {
	text, _ := o.get(path).(string)
	return text
}

// parseObject reads a JSON object.
func parseObject(text []byte) (object, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	value, err := parse(dec)
	if err != nil {
		return nil, err
	}
	o, ok := value.(object)
	if !ok {
		return nil, fmt.Errorf("an answer must be a JSON object, got %T", value)
	}
	return o, nil
}

func parse(dec *json.Decoder) (any, error) {
	token, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		o := object{}
		for dec.More() {
			name, err := dec.Token()
			if err != nil {
				return nil, err
			}
			value, err := parse(dec)
			if err != nil {
				return nil, err
			}
			o = append(o, member{fmt.Sprint(name), value})
		}
		_, err := dec.Token()
		return o, err
	case json.Delim('['):
		list := []any{}
		for dec.More() {
			value, err := parse(dec)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		_, err := dec.Token()
		return list, err
	}
	return token, nil
}

// A column shows the first of some fields that a row has.
type column struct {
	head   string
	fields []string
}

// columnsOf are the columns that a tool's rows are known by; nil: all that they
// have in common.
func columnsOf(tool string) []column {
	switch tool {
	case "search_trials":
		return []column{{"ID", []string{"id"}}, {"STATUS", []string{"status"}}, {"PHASE", []string{"phases", "phase"}}, {"TITLE", []string{"title"}}, {"CONDITIONS", []string{"conditions"}}}
	case "get_trial_locations":
		return []column{
			{"FACILITY", []string{"facility_name"}}, {"CITY", []string{"city"}}, {"STATE", []string{"state"}}, {"COUNTRY", []string{"country"}},
			{"STATUS", []string{"recruitment_status"}}, {"CONTACT", []string{"contact_name"}}, {"REACHED BY", []string{"contact_phone", "contact_email"}},
		}
	case "search_genes":
		return []column{{"ID", []string{"id"}}, {"SYMBOL", []string{"symbol"}}, {"NAME", []string{"name"}}, {"ORGANISM", []string{"organism"}}, {"SCORE", []string{"score"}}}
	case "searchPubMedArticles":
		return []column{{"PMID", []string{"pmid"}}, {"DATE", []string{"pubDate", "epubDate"}}, {"TITLE", []string{"title"}}, {"AUTHORS", []string{"authors"}}, {"SOURCE", []string{"source"}}}
	case "getArticleRelationships":
		return []column{{"PMID", []string{"pmid"}}, {"SCORE", []string{"score"}}, {"TITLE", []string{"title"}}, {"AUTHORS", []string{"authors"}}}
	case "fetchArticleDetails":
		return []column{
			{"PMID", []string{"pmid"}}, {"YEAR", []string{"journalInfo.publicationDate.year", "book.publicationDate.year"}}, {"TITLE", []string{"title"}},
			{"JOURNAL", []string{"journalInfo.isoAbbreviation", "journalInfo.title", "book.title"}},
		}
	}
	return nil
}

// A printer prints answers for people. Where the width is 0 nothing is cut.
type printer struct {
	out   io.Writer
	width int
}

// screenWidth is the number of columns of the terminal that out is; 0: it is
// none.
func screenWidth(out io.Writer) int {
	f, ok := out.(*os.File)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// answer prints a list as a table and a record as lines, and what else the
// answer tells below.
func (p *printer) answer(tool string, answer object) {
	rows, list := rowsOf(answer)
	citations, _ := answer.get("citations").(object)
	switch content := answer.text("content"); {
	case len(citations) > 0:
		p.record(citations, "")
	case content != "": // as PubMed writes it
		fmt.Fprintln(p.out, strings.TrimRight(content, "\n"))
	case list && tool == "fetchArticleDetails" && len(rows) == 1:
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
	p.below(answer, len(rows), list)
}

// rowsOf returns the rows of an answer that is a list.
func rowsOf(answer object) (rows []object, ok bool) {
	for _, name := range []string{"items", "relatedArticles", "articles"} {
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
	for _, pmid := range pmids { // with its summary, where there is one
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

// scalars are the columns of rows that nothing is known of.
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

// gap is between two columns.
const gap = "  "

// table prints rows under their columns. Those that no row has are left out.
func (p *printer) table(columns []column, rows []object) {
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
		fmt.Fprintln(p.out, strings.TrimRight(text.String(), " "))
	}
}

// fit cuts the widest columns down until a line has the printer's width. The
// first column, which tells the rows apart, stays, and none gets too narrow to
// be read.
func (p *printer) fit(widths []int) {
	const narrow = 6
	if p.width == 0 {
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
		if total <= p.width || widest == 0 || widths[widest] <= narrow {
			return
		}
		widths[widest]--
	}
}

// cell is what a column shows of a row.
func (c column) cell(row object) string {
	for _, field := range c.fields {
		if text := oneLine(row.get(field)); text != "" {
			return text
		}
	}
	return ""
}

// oneLine writes a value that is no object in one line.
func oneLine(value any) string {
	switch v := value.(type) {
	case nil, object:
		return ""
	case []any:
		var texts []string
		for _, item := range v {
			texts = append(texts, oneLine(item))
		}
		return strings.Join(texts, "; ")
	case string:
		return strings.Join(strings.Fields(v), " ")
	}
	return fmt.Sprint(value)
}

// cut shortens a text to a width, as a terminal shows it.
func cut(text string, width int) string {
	if uniseg.StringWidth(text) <= width {
		return text
	}
	room, kept := width-1, 0
	for rest, state := text, -1; rest != ""; {
		var cluster string
		var w int
		cluster, rest, w, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if w > room {
			break
		}
		room -= w
		kept += len(cluster)
	}
	return strings.TrimRight(text[:kept], " ") + "…"
}

// record prints the members of an object as key: value lines.
func (p *printer) record(o object, indent string, without ...string) {
	for _, m := range o {
		if !slices.Contains(without, m.name) {
			p.member(m.name, m.value, indent)
		}
	}
}

func (p *printer) member(name string, value any, indent string) {
	switch v := value.(type) {
	case object:
		fmt.Fprintf(p.out, "%s%s:\n", indent, name)
		p.record(v, indent+"  ")
	case []any:
		if !slices.ContainsFunc(v, func(item any) bool { _, ok := item.(object); return ok }) {
			p.paragraph(indent+name+": ", oneLine(v), indent+"  ")
			return
		}
		fmt.Fprintf(p.out, "%s%s:\n", indent, name)
		for _, item := range v {
			p.item(item, indent+"  ")
		}
	case string:
		if !strings.Contains(strings.TrimSpace(v), "\n") {
			p.paragraph(indent+name+": ", strings.TrimSpace(v), indent+"  ")
			return
		}
		fmt.Fprintf(p.out, "%s%s:\n", indent, name)
		for _, line := range strings.Split(strings.TrimSpace(v), "\n") {
			p.paragraph(indent+"  ", strings.TrimRight(line, " "), indent+"  ")
		}
	default:
		fmt.Fprintf(p.out, "%s%s: %s\n", indent, name, oneLine(value))
	}
}

// item prints an element of a list, with a dash before its first line.
func (p *printer) item(value any, indent string) {
	o, ok := value.(object)
	if !ok {
		p.paragraph(indent+"- ", oneLine(value), indent+"  ")
		return
	}
	for i, m := range o {
		inner := &printer{out: p.out, width: p.width}
		if i > 0 {
			inner.member(m.name, m.value, indent+"  ")
			continue
		}
		var first bytes.Buffer
		inner.out = &first
		inner.member(m.name, m.value, indent+"  ")
		fmt.Fprint(p.out, indent+"- "+strings.TrimPrefix(first.String(), indent+"  "))
	}
}

// paragraph prints a text, broken between words to stay within the width.
func (p *printer) paragraph(start, text, indent string) {
	line := start
	for rest := text; ; {
		word, after, more := strings.Cut(rest, " ")
		switch {
		case line == start || line == indent:
			line += word
		case p.width > 0 && uniseg.StringWidth(line)+1+uniseg.StringWidth(word) > p.width:
			fmt.Fprintln(p.out, strings.TrimRight(line, " "))
			line = indent + word
		default:
			line += " " + word
		}
		if !more {
			break
		}
		rest = after
	}
	fmt.Fprintln(p.out, strings.TrimRight(line, " "))
}

// below prints what an answer tells of itself as a whole.
func (p *printer) below(answer object, shown int, list bool) {
	var total any
	for _, path := range []string{"pagination.total_count", "totalFound"} {
		if n := answer.get(path); n != nil {
			total = n
		}
	}
	var lines []string
	switch {
	case list && total != nil:
		lines = append(lines, fmt.Sprintf("%d of %s", shown, oneLine(total)))
	case list && answer.text("content") == "" && (shown != 1 || answer.get("articles") == nil):
		lines = append(lines, items(shown))
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
	if len(lines) > 0 && (shown > 0 || !list) {
		fmt.Fprintln(p.out)
	}
	for _, line := range lines {
		fmt.Fprintln(p.out, line)
	}
}
