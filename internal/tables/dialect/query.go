package dialect

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/tables"
)

// A namedQuery is a query of WITH.
type namedQuery struct {
	name    string
	columns []Column
	next    *namedQuery
}

// A query is a query that was read.
type query struct {
	sql     string
	columns []Column
	single  bool // it has at most one row
}

// query reads a query with its WITH, ORDER BY and LIMIT.
func (p *parser) query() query {
	defer p.deeper()()
	outer, named := p.scope, p.named
	defer func() { p.scope, p.named = outer, named }()
	with := p.with()
	first := p.arm()
	q := query{sql: first.sql(), columns: first.columns, single: first.single()}
	if p.peek().is("union", "intersect", "except") {
		q.sql, q.columns = p.compound(first)
		q.single = false
		first = nil
	}
	if p.accept("order", "by") {
		if first != nil {
			p.scope = first.scope
		}
		var order [][2]string
		list := p.list(func() string {
			sql, direction := p.orderOf(first, q.columns)
			order = append(order, [2]string{sql, direction})
			return sql + direction
		})
		if first != nil && first.on != nil {
			q.sql = first.firsts(order)
		} else {
			q.sql += " ORDER BY " + list
		}
	}
	p.scope = outer
	limit, one := p.limit()
	q.sql, q.single = with+q.sql+limit, q.single || one
	return q
}

// with reads the queries of WITH.
func (p *parser) with() string {
	if !p.accept("with") {
		return ""
	}
	recursive := p.accept("recursive")
	out := "WITH "
	if recursive {
		out += "RECURSIVE "
	}
	return out + p.list(func() string {
		name := p.name("the name of a query")
		var names []string
		if p.accept("(") {
			names = p.names()
		}
		p.expect("as")
		how := ""
		switch {
		case p.accept("not", "materialized"):
			how = "NOT MATERIALIZED "
		case p.accept("materialized"):
			how = "MATERIALIZED "
		}
		p.expect("(")
		before := p.named
		if recursive && p.refersTo(name) { // its columns are those of its first arm
			if p.trials++; p.trials > 2 {
				refuse("Write the queries of WITH beside each other.", "queries of WITH RECURSIVE stand within each other")
			}
			at, notices := p.at, len(p.out.Notices)
			columns := p.arm().columns
			p.trials--
			p.at, p.out.Notices = at, p.out.Notices[:notices]
			p.named = &namedQuery{name, renamed(columns, names, name), before}
		}
		q := p.query()
		p.expect(")")
		columns := renamed(q.columns, names, name)
		p.named = &namedQuery{name, columns, before}
		return ident(name) + "(" + namesOf(columns) + ") AS " + how + "(" + q.sql + ")"
	}) + " "
}

// refersTo reports whether the brackets that were opened hold a name.
func (p *parser) refersTo(name string) bool {
	depth := 0
	for _, t := range p.tokens[p.at:] {
		switch {
		case t.is("("):
			depth++
		case t.is(")"):
			if depth--; depth < 0 {
				return false
			}
		case (t.kind == word || t.kind == quoted) && strings.EqualFold(t.text, name):
			return true
		}
	}
	return false
}

// renamed returns columns with other names.
func renamed(columns []Column, names []string, of string) []Column {
	if len(names) > len(columns) {
		refuse("Give as many names as the query has columns.", "%s has %d columns, but %d names", cut(of), len(columns), len(names))
	}
	columns = slices.Clone(columns)
	for i, name := range names {
		columns[i].Name = name
	}
	return columns
}

// namesOf returns the names of columns for SQLite. Of equal names the later ones get a number, which nothing can ask for.
func namesOf(columns []Column) string {
	var all []string
	for i := range columns {
		all = append(all, nameOf(columns, i))
	}
	return strings.Join(all, ", ")
}

func nameOf(columns []Column, i int) string {
	name := columns[i].Name
	if slices.ContainsFunc(columns[:i], func(other Column) bool { return strings.EqualFold(other.Name, name) }) {
		name += ":" + strconv.Itoa(i)
	}
	return ident(name)
}

// arm reads a SELECT, VALUES, or a query in brackets.
func (p *parser) arm() *selection {
	defer p.deeper()()
	switch {
	case p.accept("("):
		q := p.query()
		p.expect(")")
		return &selection{text: "SELECT * FROM (" + q.sql + ")", columns: q.columns, one: q.single, bracketed: true}
	case p.accept("values"):
		return p.values()
	case p.accept("select"):
		return p.selection()
	}
	if why := refusedWords[p.peek().text]; why == writes {
		refuse(oneQuery, "%s is refused: %s", strings.ToUpper(p.peek().text), why)
	}
	p.unexpected("SELECT")
	return nil
}

// values reads the rows of VALUES.
func (p *parser) values() *selection {
	s := &selection{bracketed: true}
	rows := p.list(func() string {
		p.expect("(")
		n := 0
		row := p.list(func() string {
			e := p.or()
			switch n++; {
			case s.text == "":
				s.columns = append(s.columns, Column{Name: "column" + strconv.Itoa(n), Type: e.typ})
			case n > len(s.columns):
				refuse("Give each row as many values.", "the rows of VALUES differ in length")
			case s.columns[n-1].Type == Untyped:
				s.columns[n-1].Type = e.typ
			default:
				e = p.as(e, s.columns[n-1].Type)
			}
			return e.sql
		})
		p.expect(")")
		if s.text = "VALUES"; n != len(s.columns) {
			refuse("Give each row as many values.", "the rows of VALUES differ in length")
		}
		return "(" + row + ")"
	})
	s.text = "VALUES " + rows
	return s
}

// compound reads the arms after the first one.
func (p *parser) compound(first *selection) (sql string, columns []Column) {
	sql, columns = first.sql(), slices.Clone(first.columns)
	var used string
	for p.peek().is("union", "intersect", "except") {
		op := p.take().text
		if used != "" && (used == "intersect") != (op == "intersect") {
			refuse("Put brackets around the queries that belong together.",
				"INTERSECT is beside %s without brackets", strings.ToUpper(used+op))
		}
		used = op
		all := ""
		if p.accept("all") {
			if op != "union" {
				refuse("Leave ALL out.", "%s ALL is not read", strings.ToUpper(op))
			}
			all = " ALL"
		} else {
			p.accept("distinct")
		}
		next := p.arm()
		if len(next.columns) != len(columns) {
			refuse("Give each query the same columns.", "the queries of %s have %d and %d columns",
				strings.ToUpper(op), len(columns), len(next.columns))
		}
		for i, c := range next.columns {
			columns[i].Type = common(columns[i].Type, c.Type, "column "+strconv.Itoa(i+1)+" of "+strings.ToUpper(op))
		}
		sql += " " + strings.ToUpper(op) + all + " " + next.sql()
	}
	return sql, columns
}

// common returns the type of two values of one column.
func common(a, b Type, where string) Type {
	switch {
	case a == b || b == Untyped:
		return a
	case a == Untyped:
		return b
	case a == Integer && b == Real || a == Real && b == Integer:
		return Real
	}
	refuse("Write ::text after one of them, or another type.", "%s is %s and %s", where, a, b)
	return a
}

// limit reads LIMIT, OFFSET and FETCH, and reports whether at most one row is left.
func (p *parser) limit() (sql string, one bool) {
	limit, offset := "", ""
	for {
		switch {
		case p.accept("limit", "all"), p.accept("limit", "null"):
		case limit == "" && p.accept("limit"):
			limit = p.count()
		case offset == "" && p.accept("offset"):
			offset = p.count()
			p.acceptOne("rows", "row")
		case limit == "" && (p.accept("fetch", "first") || p.accept("fetch", "next")):
			limit = "1"
			if !p.peek().is("row", "rows") {
				limit = p.count()
			}
			p.acceptOne("rows", "row")
			p.expect("only")
		default:
			if limit != "" || offset != "" {
				sql = " LIMIT " + firstOf(limit, "-1")
			}
			if offset != "" {
				sql += " OFFSET " + offset
			}
			return sql, limit == "1"
		}
	}
}

// count reads the number of LIMIT or OFFSET.
func (p *parser) count() string {
	t := p.take()
	if _, err := strconv.ParseUint(t.text, 10, 31); err != nil || t.kind != number {
		refuse("Write a number, as in LIMIT 10.", "LIMIT and OFFSET take a number")
	}
	return t.text
}

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
	one       bool
	bracketed bool // ORDER BY after it sees its columns only
}

func (s *selection) sql() string {
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

// single reports whether it has at most one row.
func (s *selection) single() bool { return s.one }

// fromWords end the list of a SELECT.
var fromWords = []string{"from", "where", "group", "having", "order", "limit", "offset", "fetch",
	"union", "intersect", "except", "window", ";", "into"}

// selection reads a query after its SELECT.
func (p *parser) selection() *selection {
	s := &selection{scope: &scope{parent: p.scope}}
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
	for _, item := range s.items {
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
	p.at = list
	s.list(p)
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
		p.list(func() string { p.name("a window"); p.expect("as"); p.skipBrackets(); return "" })
	}
	return sql
}

// skipBrackets skips brackets with what they hold.
func (p *parser) skipBrackets() {
	p.expect("(")
	for depth := 1; depth > 0; p.at++ {
		switch t := p.peek(); {
		case t.kind == end:
			p.unexpected(")")
		case t.is("("):
			depth++
		case t.is(")"):
			depth--
		}
	}
}

// skipList skips the list of a SELECT, up to FROM.
func (p *parser) skipList() {
	for depth := 0; p.peek().kind != end; p.at++ {
		t, before := p.peek(), p.tokens[max(0, p.at-1)]
		name := before.is("as") || t.is("from") && before.is("distinct") || t.is("group") && before.is("within")
		switch {
		case depth == 0 && (t.is(")") || t.is(fromWords...) && !name):
			return
		case t.is("("):
			depth++
		case t.is(")"):
			depth--
		}
	}
}

// list reads the list of a SELECT.
func (s *selection) list(p *parser) {
	for {
		switch {
		case p.accept("*"):
			s.all(p, "")
		case p.isName() && p.ahead(1).is(".") && p.ahead(2).is("*"):
			table := p.name("a table")
			p.at += 2
			s.all(p, table)
		default:
			s.items = append(s.items, p.item())
		}
		if !p.accept(",") {
			break
		}
	}
	if len(s.items) > maxColumns {
		refuse("Name the columns that you need.", "the query has %d columns; at most %d are read", len(s.items), maxColumns)
	}
	for _, item := range s.items {
		if item.row != nil || item.typ == Interval && item.constant {
			refuse("Select its parts alone.", "a row of values or an interval is no column")
		}
		s.columns = append(s.columns, Column{Name: firstOf(item.name, "?column?"), Type: item.typ, values: item.values, bits: item.bits})
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
		item.name = p.name("a name")
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
		for _, c := range i.columns {
			if table == "" && i.hidden[c.Name] {
				continue
			}
			e := i.column(c)
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
		var all []string
		for _, one := range e.row {
			all = append(all, one.sql)
		}
		return strings.Join(all, ", ")
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

// orderOf reads an element of ORDER BY of a query. Without a selection it is one of the columns.
func (p *parser) orderOf(s *selection, columns []Column) (sql, direction string) {
	at := -1
	next := p.ahead(1)
	ends := next.kind == end || next.is(",", ")", "asc", "desc", "nulls", "limit", "offset", "fetch", ";")
	switch t := p.peek(); {
	case t.kind == number && ends:
		at = p.ordinal(columns)
	case p.isName() && ends:
		if at = slices.IndexFunc(columns, func(c Column) bool { return c.Name == t.text }); at >= 0 {
			p.at++
		}
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

// direction reads ASC, DESC and the place of NULL, which is last in PostgreSQL's ascending order.
func (p *parser) direction() string {
	down := p.accept("desc")
	if !down {
		p.accept("asc")
	}
	first := down
	switch {
	case p.accept("nulls", "first"):
		first = true
	case p.accept("nulls", "last"):
		first = false
	}
	out := " ASC"
	if down {
		out = " DESC"
	}
	if first {
		return out + " NULLS FIRST"
	}
	return out + " NULLS LAST"
}

// A scope has the tables that a query reads. Its parent is that of the query around it.
type scope struct {
	parent *scope
	tables []*instance
	merged map[string]string // columns of USING: their value for SQLite
	outer  []*expr           // columns of the parents that are used here
}

// An instance is a table, or another source of rows, by its name in a query.
type instance struct {
	name    string
	columns []Column
	key     string          // the column that determines the others; "": none
	hidden  map[string]bool // columns of USING, which an instance before it shows
}

// table reads one source of rows of FROM, and adds it to the scope.
func (p *parser) table() string {
	defer p.deeper()()
	if p.accept("(") {
		if !p.isQuery() {
			sql := p.from()
			p.expect(")")
			return "(" + sql + ")"
		}
		inner := p.scope // a query of FROM does not see the tables beside it
		p.scope = inner.parent
		q := p.query()
		p.scope = inner
		p.expect(")")
		alias, names := p.alias("")
		if alias == "" {
			alias = fmt.Sprintf("query%d", len(p.scope.tables)+1)
		}
		columns := renamed(q.columns, names, alias)
		p.add(alias, columns)
		return fmt.Sprintf("(WITH %s(%s) AS (%s) SELECT * FROM %[1]s) AS %[1]s", ident(alias), namesOf(columns), q.sql)
	}
	p.accept("only")
	name := p.name("a table")
	for n := p.named; n != nil && !p.peek().is("."); n = n.next {
		if n.name == name {
			alias, names := p.alias(name)
			p.add(alias, renamed(n.columns, names, alias))
			if len(names) > 0 {
				refuse("Name the columns in WITH.", "the names of columns after %s are not read", cut(name))
			}
			return ident(name) + " AS " + ident(alias)
		}
	}
	t := p.stored(name)
	alias, names := p.alias(t.Name)
	if len(names) > 0 {
		refuse("Use the columns' own names, or AS in a query of WITH.", "the names of columns after %s are not read", cut(t.Name))
	}
	var columns []Column
	for _, c := range t.Columns {
		column := Column{Name: c.Name, Type: typeOf(c.Kind), values: Values(&c), bits: map[tables.Kind]int{tables.Int: 31, tables.Long: 48}[c.Kind]}
		columns = append(columns, column)
	}
	p.add(alias, columns).key = columns[0].Name
	return "main." + ident(t.Name) + " AS " + ident(alias)
}

// isQuery reports whether the brackets that were opened hold a query, not a join: SELECT is their first word.
func (p *parser) isQuery() bool {
	at := p.at
	for p.tokens[at].is("(") {
		at++
	}
	return p.tokens[at].is("select", "with", "values")
}

// typeOf returns the type of a kind.
func typeOf(k tables.Kind) Type {
	switch k {
	case tables.Int, tables.Long:
		return Integer
	case tables.Real:
		return Real
	case tables.Bool:
		return Boolean
	case tables.Date, tables.Time:
		return Date
	}
	return Text
}

// stored returns the table of a name, with or without its schema.
func (p *parser) stored(name string) *tables.Table {
	if p.accept(".") {
		schema := name
		if name = p.name("a table"); schema != "ctgov" && schema != "public" {
			refuse("The tables of the schema ctgov are read, as in ctgov.studies.", "the schema %s is not here", cut(schema))
		}
	}
	if p.peek().is("(") {
		refuse("Read a table, or a query in brackets; WITH RECURSIVE makes series.", "%s(…) is no table", cut(name))
	}
	t := known(name)
	if t.Empty != "" {
		p.notice("%s has no rows: %s", t.Name, t.Empty)
	}
	if !slices.Contains(p.out.Tables, t) {
		p.out.Tables = append(p.out.Tables, t)
	}
	return t
}

// alias reads the name that a source of rows gets, and those of its columns.
func (p *parser) alias(name string) (alias string, columns []string) {
	alias = name
	if p.accept("as") || p.isName() {
		alias = p.name("a name")
		if p.accept("(") {
			columns = p.names()
		}
	}
	return alias, columns
}

// add adds an instance to the scope.
func (p *parser) add(name string, columns []Column) *instance {
	for _, i := range p.scope.tables {
		if i.name == name {
			refuse("Give one of them another name, as in studies AS s2.", "two tables of FROM have the name %s", cut(name))
		}
	}
	i := &instance{name: name, columns: columns}
	p.scope.tables = append(p.scope.tables, i)
	return i
}

// from reads the tables of FROM with their joins.
func (p *parser) from() string {
	sql := p.table()
	for {
		if p.accept(",") {
			sql += " CROSS JOIN " + p.table()
			continue
		}
		natural := p.accept("natural")
		var join string
		switch {
		case p.accept("cross", "join"):
			sql += " CROSS JOIN " + p.table()
			continue
		case p.accept("inner", "join"), p.accept("join"):
			join = "JOIN"
		case p.peek().is("left", "right", "full"):
			join = strings.ToUpper(p.take().text) + " JOIN"
			p.accept("outer")
			p.expect("join")
		default:
			if natural {
				p.unexpected("JOIN")
			}
			return sql
		}
		if natural {
			refuse("Write JOIN … USING (nct_id).", "NATURAL JOIN is not read: it would also join by id")
		}
		left := len(p.scope.tables)
		sql += " " + join + " " + p.table()
		if p.accept("using") {
			sql += p.using(left, join)
			continue
		}
		p.expect("on")
		sql += " ON " + p.condition("ON").sql
	}
}

// using reads the columns of USING, by which the tables from left on are joined with those before.
func (p *parser) using(left int, join string) string {
	p.expect("(")
	if p.scope.merged == nil {
		p.scope.merged = map[string]string{}
	}
	var conditions []string
	for _, name := range p.names() {
		all := p.scope.tables
		p.scope.tables = all[:left]
		a := p.column("", name)
		p.scope.tables = all[left:]
		merged := p.scope.merged[name]
		delete(p.scope.merged, name)
		b := p.column("", name)
		p.scope.tables = all
		a, b = p.match(a, b, name)
		conditions = append(conditions, a.sql+" = "+b.sql)
		switch {
		case join == "RIGHT JOIN":
			merged = b.sql
		case join == "FULL JOIN":
			merged = "coalesce(" + a.sql + ", " + b.sql + ")"
		case merged == "":
			merged = a.sql
		}
		p.scope.merged[name] = merged
		for _, i := range all[left:] {
			if i.hidden == nil {
				i.hidden = map[string]bool{}
			}
			i.hidden[name] = true
		}
	}
	return " ON " + strings.Join(conditions, " AND ")
}

// column returns a column by its name, and by the name of its table if that is given.
func (p *parser) column(table, name string) *expr {
	for s := p.scope; s != nil; s = s.parent {
		found := s.find(table, name)
		if found == nil {
			continue
		}
		for inner := p.scope; inner != s; inner = inner.parent {
			inner.outer = append(inner.outer, found)
		}
		return found
	}
	p.noColumn(table, name)
	return nil
}

// column returns an expression for a column.
func (i *instance) column(c Column) *expr {
	return &expr{sql: ident(i.name) + "." + ident(c.Name), typ: c.Type, name: c.Name, of: i, column: c.Name, values: c.values, bits: c.bits}
}

// find returns a column of a scope, or nil.
func (s *scope) find(table, name string) (found *expr) {
	for _, i := range s.tables {
		if table != "" && i.name != table {
			continue
		}
		for _, c := range i.columns {
			if c.Name != name || found != nil && table == "" && i.hidden[name] {
				continue
			}
			if found != nil {
				refuse("Write the name of its table before it, as in "+i.name+"."+name+".", "%s is a column of %s and of %s", cut(name),
					cut(found.of.name), cut(i.name))
			}
			found = i.column(c)
		}
	}
	if found != nil && table == "" && s.merged[name] != "" {
		found.sql = s.merged[name]
	}
	return found
}

// noColumn refuses a column that is not there.
func (p *parser) noColumn(table, name string) {
	var columns, names []string
	for s := p.scope; s != nil; s = s.parent {
		for _, i := range s.tables {
			names = append(names, i.name)
			for _, c := range i.columns {
				if table == "" || i.name == table {
					columns = append(columns, c.Name)
				}
			}
		}
	}
	switch {
	case slices.Contains(names, name) && table == "":
		refuse("Name its columns, as in "+name+".nct_id; count(*) counts its rows.", "%s is a table, not a column", cut(name))
	case table != "" && !slices.Contains(names, table):
		refuse(suggestion(table, names, "Name it in FROM."), "FROM has no table %s", cut(table))
	case len(names) == 0:
		refuse("Add FROM and a table; texts have single quotes.", "%s is no column, because the query has no FROM", cut(name))
	case table != "":
		refuse(suggestion(name, columns, "Texts have single quotes."), "%s has no column %s", cut(table), cut(name))
	}
	refuse(suggestion(name, columns, "Texts have single quotes."), "no table of FROM has a column %s", cut(name))
}
