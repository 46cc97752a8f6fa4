package dialect

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// A selection is one SELECT.
type selection struct {
	text      string
	head      string // of the text, up to FROM
	columns   []Column
	items     []*expr
	scope     *scope
	distinct  bool
	on        []*expr // of DISTINCT ON
	groups    []*expr
	grouped   bool // by GROUP BY or by an aggregate
	one       bool // it has at most one row
	bracketed bool // ORDER BY after it sees its columns only
}

// written returns the query for SQLite.
func (s *selection) written() string {
	if s.on != nil {
		return s.firsts(nil)
	}
	return s.text
}

// firsts returns the query of DISTINCT ON: the first row, in some order, of those with equal values.
func (s *selection) firsts(order [][2]string) string {
	keys, window, outer, by := "", "PARTITION BY "+sqlOf(s.on), "", " ORDER BY "
	for i, key := range order {
		name := ident("order:" + strconv.Itoa(i))
		keys += ", " + key[0] + " AS " + name
		window += by + key[0] + key[1]
		outer += by + name + key[1]
		by = ", "
	}
	return "SELECT " + namesOf(s.columns) + " FROM (SELECT " + s.shown() + keys + ", row_number() OVER (" + window + ") AS \"first:\"" +
		strings.TrimPrefix(s.text, s.head) + ") WHERE \"first:\" = 1" + outer
}

// fromWords end the list of a SELECT.
var fromWords = []string{"from", "where", "group", "having", "order", "limit", "offset", "fetch",
	"union", "intersect", "except", "window", ";", "into"}

// selection reads a query after its SELECT.
func (p *parser) selection() *selection {
	s := &selection{scope: &scope{parent: p.scope, set: "-"}}
	p.scope = s.scope
	defer func() { p.scope = s.scope.parent }()
	head, on := "SELECT ", 0
	if p.accept("distinct") {
		if p.accept("on") {
			on = p.at
			p.skipBrackets()
		} else {
			s.distinct = true
			head += "DISTINCT "
		}
	} else {
		p.accept("all")
	}
	from := s.listAndFrom(p)
	if on > 0 {
		at := p.at
		p.at = on + 1
		p.list(func() string { s.on = append(s.on, p.elementOn(s)); return "" })
		p.expect(")")
		p.at = at
	}
	conditions := s.conditions(p)
	for _, item := range slices.Concat(s.items, s.on) {
		s.check(item)
	}
	s.one = s.grouped && len(s.groups) == 0 || from == ""
	s.head = head + s.shown()
	s.text = s.head + from + conditions
	return s
}

// elementOn reads an element of DISTINCT ON: a number or a name of the list, or an expression.
func (p *parser) elementOn(s *selection) *expr {
	if p.peek().kind == number {
		return s.items[p.ordinal(s.columns)]
	}
	return p.or()
}

// listAndFrom reads the list and FROM, and returns the latter. The tables are read before the list, whose columns they have.
func (s *selection) listAndFrom(p *parser) (from string) {
	list := p.at
	p.skipList()
	after := p.at
	if p.accept("from") {
		from = " FROM " + p.from()
		after = p.at
	}
	p.at, p.scope.set = list, ""
	s.list(p)
	if p.scope.set != "" {
		if from += " JOIN " + p.scope.set; !strings.HasPrefix(from, " FROM") {
			from = " FROM " + p.scope.set
		}
		if strings.Contains(s.shown(), " OVER (") {
			refuse("Put one of them into a query of WITH.", "a window function is beside a function that returns rows")
		}
	}
	p.scope.set = "-"
	if !p.peek().is("from") && after != p.at || p.peek().is("into") {
		p.unexpected("FROM")
	}
	p.at = after
	return from
}

// conditions reads WHERE, GROUP BY and HAVING.
func (s *selection) conditions(p *parser) (sql string) {
	if p.accept("where") {
		sql = " WHERE " + p.condition("WHERE").sql
	}
	if p.accept("group", "by") {
		s.grouped = true
		sql += " GROUP BY " + p.list(func() string { return p.groupOf(s) })
	}
	for _, item := range s.items {
		s.grouped = s.grouped || item.aggregates
	}
	if p.accept("having") {
		s.grouped = true
		having := p.boolean(p.or(), "HAVING")
		s.check(having)
		sql += " HAVING " + having.sql
	}
	if p.accept("window") { // over reads it
		p.list(func() string { p.readName("a window"); p.expect("as"); p.skipBrackets(); return "" })
	}
	return sql
}

// skipList skips the list of a SELECT, up to FROM.
func (p *parser) skipList() {
	for ; p.peek().kind != end; p.take() {
		t, before := p.peek(), p.tokens[max(0, p.at-1)]
		name := before.is("as") || t.is("from") && before.is("distinct") || t.is("group") && before.is("within")
		switch {
		case t.is(")") || t.is(fromWords...) && !name:
			return
		case t.is("("):
			p.at = t.pair
		}
	}
}

// list reads the list of a SELECT.
func (s *selection) list(p *parser) {
	for more := true; more; more = p.accept(",") {
		if p.ahead(1).is(".") && p.ahead(3).is(".") && p.ahead(4).is("*") {
			p.at += 2 // the schema
		}
		switch {
		case p.accept("*"):
			s.all(p, "")
		case p.isName() && p.ahead(1).is(".") && p.ahead(2).is("*"):
			table := p.readName("a table")
			p.at += 2
			s.all(p, table)
		default:
			s.items = append(s.items, p.item())
		}
	}
	if len(s.items) > maxColumns {
		refuse("Name the columns that you need.", "the query has %d columns; at most %d are read", len(s.items), maxColumns)
	}
	for _, item := range s.items {
		if item.row != nil || item.typ == Interval && item.constant {
			refuse("Select its parts alone.", "a row of values or an interval is no column")
		}
		s.columns = append(s.columns, Column{Name: cmp.Or(item.name, "?column?"), Type: item.typ, values: item.values, shape: item.shape})
	}
}

// item reads an expression of the list with its name.
func (p *parser) item() *expr {
	item := *p.or()
	switch {
	case p.accept("as"):
		t := p.take() // after AS any word is a name
		if t.kind != word && t.kind != quoted || t.text == "" {
			p.at--
			p.unexpected("a name")
		}
		item.name = t.text
	case p.isName():
		item.name = p.readName("a name")
	}
	return &item
}

// all adds the columns of a table, or of all.
func (s *selection) all(p *parser, table string) {
	before := len(s.items)
	for _, i := range p.scope.tables {
		if table != "" && i.name != table {
			continue
		}
		for n, c := range i.columns {
			if table == "" && i.hidden[c.Name] {
				continue
			}
			e := i.column(n)
			if merged := p.scope.merged[c.Name]; merged != "" && table == "" {
				e.sql = merged
			}
			s.items = append(s.items, e)
		}
	}
	if len(s.items) == before {
		refuse("Name a table of FROM.", "* has no table")
	}
}

// shown returns the list for SQLite.
func (s *selection) shown() string {
	var all []string
	for i, item := range s.items {
		all = append(all, item.sql+" AS "+nameOf(s.columns, i))
	}
	return strings.Join(all, ", ")
}

// groupOf reads an element of GROUP BY: a number or a name of the list, or an expression.
func (p *parser) groupOf(s *selection) string {
	if p.peek().is("grouping", "rollup", "cube") && (p.ahead(1).is("(") || p.ahead(1).is("sets")) {
		p.unexpected("a column")
	}
	at := -1
	if next := p.ahead(1); !next.is(".") {
		switch t := p.peek(); {
		case t.kind == number:
			at = p.ordinal(s.columns)
		case p.isName() && !next.is("(") && p.scope.find("", t.text) == nil:
			at = slices.IndexFunc(s.columns, func(c Column) bool { return c.Name == t.text })
			if at >= 0 {
				p.at++
			}
		}
	}
	var e *expr
	if at >= 0 {
		e = s.items[at]
	} else {
		e = p.or()
	}
	if e.aggregates {
		refuse("Group by columns; write a condition on an aggregate in HAVING.", "GROUP BY has an aggregate")
	}
	s.groups = append(s.groups, e)
	if e.row != nil {
		s.groups = append(s.groups, e.row...)
		return sqlOf(e.row)
	}
	if at >= 0 {
		return strconv.Itoa(at + 1)
	}
	return e.sql
}

// ordinal reads the number of a column.
func (p *parser) ordinal(columns []Column) int {
	t := p.take()
	n, err := strconv.Atoi(t.text)
	if err != nil || n < 1 || n > len(columns) {
		refuse("Name a column.", "%s is no number of a column of the list, which has %d", cut(t.text), len(columns))
	}
	return n - 1
}

// check refuses an expression with a column that is neither grouped nor in an aggregate: its value would be that of any row.
func (s *selection) check(e *expr) {
	if !s.grouped || e.aggregate {
		return
	}
	for _, g := range s.groups {
		if g.sql == e.sql {
			return
		}
	}
	if e.of != nil && slices.Contains(s.scope.tables, e.of) && !s.keyed(e.of) {
		refuse("Add it to GROUP BY, or write an aggregate as min("+e.name+").", "%s is beside an aggregate or GROUP BY, but is not grouped",
			cut(e.name))
	}
	for _, kid := range e.kids {
		s.check(kid)
	}
}

// keyed reports whether the groups hold the key of a table, which determines its other columns.
func (s *selection) keyed(i *instance) bool {
	return slices.ContainsFunc(s.groups, func(g *expr) bool { return g.of == i && i.key != "" && g.column == i.key })
}

// outputColumn reads the number or the name of a column of the answer. It returns its index, or -1 for another expression.
func (p *parser) outputColumn(columns []Column) int {
	next, t := p.ahead(1), p.peek()
	if next.kind != end && !next.is(",", ")", "asc", "desc", "nulls", "limit", "offset", "fetch", ";") {
		return -1
	}
	if t.kind == number {
		return p.ordinal(columns)
	}
	at := -1
	if p.isName() {
		at = slices.IndexFunc(columns, func(c Column) bool { return c.Name == t.text })
	}
	if at >= 0 {
		p.at++
	}
	return at
}

// orderOf reads an element of ORDER BY of a query. Without a selection it is one of the columns.
func (p *parser) orderOf(s *selection, columns []Column) (sql, direction string) {
	at := p.outputColumn(columns)
	if at >= 0 && columns[at].Type == Array {
		refuse("Order by its first value, as in x[1].", "rows are ordered by an array")
	}
	switch {
	case at >= 0 && s != nil && s.on != nil:
		sql = s.items[at].sql
	case at >= 0:
		sql = strconv.Itoa(at + 1)
	case s == nil || s.bracketed:
		refuse("Order by the name or the number of a column.", "ORDER BY after UNION, VALUES or brackets takes a column of the answer")
	default:
		e := p.or()
		if s.distinct && !slices.ContainsFunc(s.items, func(item *expr) bool { return item.sql == e.sql }) {
			refuse("Add it to the list of SELECT, or leave DISTINCT out.",
				"ORDER BY has an expression that is not in the list of SELECT DISTINCT")
		}
		if !s.grouped && e.aggregates {
			refuse("Add GROUP BY.", "ORDER BY has an aggregate in a query without another one")
		}
		s.check(e)
		sql = "(" + e.sql + ")"
	}
	return sql, p.direction()
}
