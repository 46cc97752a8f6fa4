package display

import (
	"encoding/csv"
	"io"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/csvtable"
)

// IsList reports whether a member of an answer with this name is a list of rows.
func IsList(member string) bool {
	return slices.Contains(listMembers, member) || member == "pmids" || member == "aspects"
}

// HasRows reports whether an answer is a list, including an empty list, or a count.
func (a Answer) HasRows() bool {
	return slices.ContainsFunc(a.envelope, func(m member) bool { return IsList(m.Name) }) || a.envelope.Get("total_count") != nil ||
		a.envelope.Get("totalCount") != nil || a.envelope.Get("total_reports") != nil || groupsOf(a.envelope) != nil
}

// CSV writes the rows of an answer as a table of RFC 4180 with one header line. It returns the number of changed cells: a text that a
// spreadsheet would run as a formula gets an apostrophe before it. columns are those of an answer without rows. A disclaimer is a cell of
// each row, so that no cut of the table is without it.
func (a Answer) CSV(out io.Writer, columns []string) (changed int, err error) {
	var s sheet
	switch rows, _ := rowsOf(a.envelope); {
	case a.envelope.Get("aspects") != nil:
		s.aspects(a.envelope)
	case groupsOf(a.envelope) != nil:
		s.groups(a.envelope, nil)
	case len(rows) > 0:
		for _, row := range rows {
			s.row(flat(row, ""))
		}
	case a.envelope.Get("total_count") != nil: // a count without groups
		s.row([]cell{{"total_count", oneLine(a.envelope.Get("total_count"))}})
	case a.envelope.Get("total_reports") != nil: // no report
		s.row([]cell{{"total_reports", oneLine(a.envelope.Get("total_reports"))}})
	case a.envelope.Get("totalCount") != nil: // the same of countArticles
		s.queries(a.envelope)
	}
	if text := a.envelope.Text(disclaimer); text != "" {
		s.columns = append(s.columns, disclaimer)
		for _, row := range s.rows {
			row[disclaimer] = text
		}
	}
	if len(s.rows) == 0 {
		s.columns = columns
	}
	return s.write(out)
}

// queries adds a row for the query of a count, and one for each query that it is compared with.
func (s *sheet) queries(count object) {
	var first []cell
	for _, column := range []string{"queryTerm", "effectiveESearchTerm", "translatedQuery", "totalCount"} {
		first = append(first, cell{column, oneLine(count.Get(column))})
	}
	s.row(first)
	compared, _ := count.Get("compare").([]any)
	for _, one := range compared {
		if query, ok := one.(object); ok {
			s.row(flat(query, ""))
		}
	}
}

// Beside returns the members of an answer other than its rows, as lines.
func (a Answer) Beside(note func(string) string) []string {
	rows, list := rowsOf(a.envelope)
	var lines []string
	if !list && a.envelope.Get("aspects") == nil {
		var text strings.Builder
		(&Printer{Out: &text}).record(a.envelope, append([]string{"notices", "next", "pagination"}, groupMembers...)...)
		lines = strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n")
	}
	return append(lines, (&Printer{Note: note}).below(a.envelope, len(rows), list)...)
}

// A cell is a value of a row, under the name of its column.
type cell struct{ column, value string }

// A sheet is a table. A row has no cell for a column without a value.
type sheet struct {
	columns []string
	rows    []map[string]string
}

// row adds a row. A new column is inserted after the column of the preceding cell in this row.
func (s *sheet) row(cells []cell) {
	row, place := map[string]string{}, 0
	for _, c := range cells {
		if i := slices.Index(s.columns, c.column); i >= 0 {
			place = i + 1
		} else {
			s.columns = slices.Insert(s.columns, place, c.column)
			place++
		}
		row[c.column] = c.value
	}
	s.rows = append(s.rows, row)
}

// groups adds a row for each group of an answer, or for each nested group, which repeats the cells of its outer group, and rows for the
// trials that they leave out.
func (s *sheet) groups(o object, around []cell) {
	names := []string{"value", "count"}
	if len(around) > 0 {
		names = []string{"group_value", "group_count"}
	}
	for _, g := range append(groupsOf(o), restOf(o)...) {
		cells := append(slices.Clone(around), cell{names[0], labelOf(g)}, cell{names[1], oneLine(g.Get("count"))})
		if len(around) > 0 || len(groupsOf(g))+len(restOf(g)) == 0 {
			s.row(cells)
			continue
		}
		s.groups(g, cells)
	}
}

// aspects adds a row for each aspect of a comparison, with a column for each record.
func (s *sheet) aspects(answer object) {
	var ids []string
	for _, o := range objects(answer.Get("trials")) {
		ids = append(ids, o.Text("id"))
	}
	for _, aspect := range objects(answer.Get("aspects")) {
		cells := []cell{{"aspect", aspect.Text("aspect")}, {"differs", oneLine(aspect.Get("differs"))}}
		values := map[string]string{}
		for _, v := range objects(aspect.Get("values")) {
			items, _ := v.Get("items").([]any)
			if cut := oneLine(v.Get("cut")); cut != "" {
				items = append(slices.Clone(items), "and "+cut+" more")
			}
			values[v.Text("id")] = scalar(items)
		}
		for _, id := range ids {
			cells = append(cells, cell{bareID(id), values[id]})
		}
		s.row(cells)
	}
}

func (s *sheet) write(out io.Writer) (changed int, err error) {
	if len(s.columns) == 0 {
		return 0, nil
	}
	var table csvtable.Table
	table.Row(s.columns...)
	cells := make([]string, len(s.columns))
	for _, row := range s.rows {
		for i, column := range s.columns {
			cells[i] = row[column]
		}
		table.Row(cells...)
	}
	_, err = io.WriteString(out, table.String())
	return table.Changed, err
}

// flat returns the cells of a row, with names such as journalInfo.title for nested objects.
func flat(o object, path string) (cells []cell) {
	for _, m := range o {
		if inner, ok := m.Value.(object); ok {
			cells = append(cells, flat(inner, path+m.Name+".")...)
			continue
		}
		c := cell{path + m.Name, scalar(m.Value)}
		if argument, bare, ok := kindOf(c.value); ok {
			if c.value = bare; c.column == "id" {
				c.column = argument
			}
		}
		cells = append(cells, c)
	}
	return cells
}

// scalar writes a value in one cell: a text unchanged, a list of texts joined by | as in the registry's own CSV, any other list as
// JSON.
func scalar(value any) string {
	list, ok := value.([]any)
	if !ok {
		return single(value)
	}
	texts := make([]string, len(list))
	for i, item := range list {
		texts[i] = single(item)
		_, isObject := item.(object)
		_, isList := item.([]any)
		if isObject || isList || strings.Contains(texts[i], "|") {
			return string(encoded(value))
		}
	}
	return strings.Join(texts, "|")
}

func single(value any) string {
	if text, ok := value.(string); ok {
		return text
	}
	return oneLine(value)
}

// TableItems returns an answer with the rows of its member csv, or of those of its items, as items. It counts rows only: the total of such
// an answer counts the things that the rows are about. Any other answer is returned unchanged.
func TableItems(answer []byte) ([]byte, error) {
	parsed, err := Parse(answer)
	if err != nil {
		return answer, err
	}
	tables := []string{parsed.envelope.Text("csv")}
	given, _ := parsed.envelope.Get("items").([]any)
	for _, item := range given {
		if one, ok := item.(object); ok {
			tables = append(tables, one.Text("csv"))
		}
	}
	if strings.Join(tables, "") == "" {
		return answer, nil
	}
	items := []any{}
	for _, table := range tables {
		records, err := csv.NewReader(strings.NewReader(table)).ReadAll()
		if err != nil {
			return nil, err
		}
		for _, record := range records[min(1, len(records)):] {
			var row object
			for i, column := range records[0] {
				row = append(row, member{Name: column, Value: record[i]})
			}
			items = append(items, row)
		}
	}
	out := object{{Name: "items", Value: items}}
	for _, m := range parsed.envelope {
		if page, ok := m.Value.(object); ok && m.Name == "pagination" {
			m.Value = slices.DeleteFunc(page, func(m member) bool { return m.Name == "total_count" })
		}
		if m.Name != "csv" && m.Name != "items" {
			out = append(out, m)
		}
	}
	return encoded(out), nil
}
