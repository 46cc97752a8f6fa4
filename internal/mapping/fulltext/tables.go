package fulltext

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// tableWrap reads the tables of one table-wrap, usually one. The caption is added to the first table and the notes to the last.
func (r *reader) tableWrap(n *node) {
	first := len(r.article.Tables)
	var found []*node
	n.forEach(func(table *node) { found = append(found, table) }, "table", "tgroup", "table-wrap-foot", "caption")
	found = slices.DeleteFunc(found, func(k *node) bool { return !is(k, "table", "tgroup") })
	found = calsGroups(found)
	if len(found) == 0 {
		found = []*node{nil}
	}
	for range found {
		r.ids.tables = append(r.ids.tables, n.attr("id"))
		r.article.Tables = append(r.article.Tables,
			entity.TextTable{ID: fmt.Sprintf("t%d", len(r.article.Tables)+1), Section: r.useSection()})
	}
	head := r.label(n)
	caption := ""
	if k := n.child("caption"); k != nil {
		caption = r.caption(k)
	}
	for i, table := range found {
		t := entity.TextTable{ID: r.article.Tables[first+i].ID, Section: r.useSection(), Label: head}
		if table == nil {
			if picture := n.find("graphic", "inline-graphic", "media"); picture != nil {
				t.Image = picture.attr("href")
			}
		} else {
			t.HeaderRows, t.Rows = r.grid(table)
		}
		r.article.Tables[first+i] = t
	}
	r.article.Tables[first].Caption = caption
	r.inNotes = true
	defer func() { r.inNotes = false }()
	r.article.Tables[first+len(found)-1].Notes = r.capture(func() { r.addExcept(n, append([]string{"caption"}, captionParts...)...) })
}

// tableGroup reads tables with a label and a caption in common, which each of them gets. The notes of the group are those of its last
// table.
func (r *reader) tableGroup(n *node) {
	first := len(r.article.Tables)
	for _, k := range n.kids {
		if is(k, floatNames...) {
			r.float(k)
		}
	}
	tables := r.article.Tables[first:]
	if len(tables) == 0 || r.err != nil {
		return
	}
	label, caption := r.label(n), r.caption(&node{kids: childrenOf(n, "caption")})
	for i := range tables {
		tables[i].Label = strings.Join(nonEmpty(label, tables[i].Label), " ")
		tables[i].Caption = strings.Join(nonEmpty(caption, tables[i].Caption), "\n")
		r.countGenerated(len(label) + len(caption))
	}
	last := &tables[len(tables)-1]
	r.inNotes = true
	defer func() { r.inNotes = false }()
	last.Notes = append(last.Notes, r.capture(func() { r.addAll(&node{kids: childrenOf(n, "table-wrap-foot")}) })...)
}

// childrenOf returns the children of a node with a name.
func childrenOf(n *node, name string) (kids []*node) {
	for _, k := range n.kids {
		if k.name == name {
			kids = append(kids, k)
		}
	}
	return kids
}

// array adds the rows of a table without a frame, each as a line with its cells apart.
func (r *reader) array(n *node) {
	r.flush()
	n.forEach(func(row *node) {
		for i, cell := range row.kids {
			if is(cell, "td", "th", "entry") {
				if i > 0 && len(r.text.line.Text) > 0 {
					r.text.line.Add([]byte(" | "))
				}
				r.text.line.Add([]byte(r.cell(cell)))
			}
		}
		r.flush()
	}, "tr", "row")
}

func calsGroups(tables []*node) (list []*node) {
	for _, table := range tables {
		if table.child("tgroup") == nil {
			list = append(list, table)
			continue
		}
		for _, k := range table.kids {
			if k.name == "tgroup" {
				list = append(list, k)
			}
		}
	}
	return list
}

// Limits of a table, far above those of any real one.
const (
	maxColumns  = 1000
	maxSpan     = 500_000 // rows of a cell
	maxRepeated = 200     // bytes of a header cell that is repeated to the right
)

// A grid is a table while it is read.
type grid struct {
	rows    [][]string
	headers int
	taken   map[int]int // by column: the first row that is free there
	columns map[string]int
	width   int
}

// grid returns a table as rows of the same width.
func (r *reader) grid(n *node) (headers, rows [][]string) {
	g := grid{columns: map[string]int{}, taken: map[int]int{}}
	specs := 0
	n.forEach(func(spec *node) {
		specs++
		g.columns[spec.attr("colname")] = specs - 1
	}, "colspec")
	for _, part := range []string{"thead", "tbody", "tfoot"} {
		for _, k := range n.kids {
			if k.name == part || part == "tbody" && is(k, "tr", "row") {
				r.rows(&g, k, part == "thead")
			}
		}
	}
	if r.err != nil {
		return nil, nil
	}
	r.budget.cells += len(g.rows) * g.width
	for i := range g.rows {
		g.rows[i] = padRow(g.rows[i], g.width)
	}
	return rowsOrNil(g.rows[:g.headers:g.headers]), rowsOrNil(g.rows[g.headers:])
}

// rowsOrNil returns nil for no rows, as a stored table has them.
func rowsOrNil(rows [][]string) [][]string {
	if len(rows) == 0 {
		return nil
	}
	return rows
}

// rows adds the rows of a part of a table. Row spans end with their part.
func (r *reader) rows(g *grid, part *node, header bool) {
	clear(g.taken)
	if is(part, "tr", "row") {
		part = &node{kids: []*node{part}}
	}
	last := len(g.rows)
	for _, k := range part.kids {
		if is(k, "tr", "row") {
			last++
		}
	}
	for _, k := range part.kids {
		if !is(k, "tr", "row") {
			continue
		}
		r.row(g, k, header, last)
		if r.checkCells(last * g.width); r.err != nil {
			return
		}
	}
}

// row adds a row to a grid. last is the row after the last row of the part.
func (r *reader) row(g *grid, n *node, header bool, last int) {
	at, column := len(g.rows), 0
	var row []string
	for _, cell := range n.kids {
		if !is(cell, "td", "th", "entry") {
			continue
		}
		for g.taken[column] > at && column < maxColumns {
			column++
		}
		column = max(column, g.start(cell))
		wide, high := g.span(cell, column)
		row = padRow(row, column+wide)
		text := r.cell(cell)
		for i := range wide {
			if i == 0 || header && len(text) <= maxRepeated {
				row[column+i] = text
				r.countGenerated(len(text))
			}
			g.taken[column+i] = min(at+high, last)
		}
		column += wide
	}
	for column, free := range g.taken { // cells of the rows above may extend further
		if free > at {
			row = padRow(row, column+1)
		}
	}
	g.width = max(g.width, len(row))
	g.rows = append(g.rows, row)
	if header {
		g.headers++
	}
}

func (r *reader) cell(n *node) string {
	outer := r.inCell
	r.inCell = true
	text := strings.Join(r.capture(func() { r.addAll(n) }), "\n")
	r.inCell = outer
	if text == "" && n.find("graphic", "inline-graphic", "media") != nil {
		return "[image]"
	}
	return text
}

// padRow returns a row with at least width cells.
func padRow(row []string, width int) []string {
	for len(row) < width {
		row = append(row, "")
	}
	return row
}

// start returns the column that a cell names, else 0.
func (g *grid) start(cell *node) int {
	for _, name := range []string{"namest", "colname"} {
		if column, ok := g.columns[cell.attr(name)]; ok && cell.attr(name) != "" {
			return column
		}
	}
	return 0
}

// span returns the number of columns and rows of a cell.
func (g *grid) span(cell *node, column int) (wide, high int) {
	number := func(name string, least int) int {
		n, err := strconv.Atoi(cell.attr(name))
		if err != nil || n < least {
			return least
		}
		return min(n, maxSpan)
	}
	wide, high = number("colspan", 1), number("rowspan", 1)
	if cell.attr("rowspan") == "0" { // up to the end of the part
		high = maxSpan
	}
	if more := number("morerows", 0); more > 0 {
		high = more + 1
	}
	if end, ok := g.columns[cell.attr("nameend")]; ok && cell.attr("nameend") != "" {
		wide = max(1, end-column+1)
	}
	return min(wide, max(1, maxColumns-column)), high
}
