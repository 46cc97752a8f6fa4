package dialect

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// A query is a query that was read.
type query struct {
	sql     string
	columns []Column
	single  bool // it has at most one row
}

// query reads a query with its WITH, ORDER BY and LIMIT.
func (p *parser) query() query {
	defer p.deeper()()
	outer, named, window := p.scope, p.named, p.window
	defer func() { p.scope, p.named, p.window = outer, named, window }()
	p.window = window && p.clause
	with := p.with()
	first := p.arm()
	q := query{sql: first.written(), columns: first.columns, single: first.one}
	if p.peek().is("union", "intersect", "except") {
		q.sql, q.columns = p.compound(first, "union", "intersect", "except")
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
		name := p.readName("the name of a query")
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
			columns := slices.Clone(p.arm().columns)
			for i := range columns {
				columns[i].shape = shape{float: columns[i].float}
			}
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
	return slices.ContainsFunc(p.tokens[p.at:p.tokens[p.at-1].pair], func(t token) bool {
		return (t.kind == word || t.kind == quoted) && strings.EqualFold(t.text, name)
	})
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
		return p.rowsOfValues()
	case p.accept("select"):
		return p.selection()
	}
	if why := refusedWords[p.peek().text]; why == writes {
		refuse(oneQuery, "%s is refused: %s", strings.ToUpper(p.peek().text), why)
	}
	p.unexpected("SELECT")
	return nil
}

// rowsOfValues reads the rows of VALUES.
func (p *parser) rowsOfValues() *selection {
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

// compound reads the arms after the first one. INTERSECT binds before the others.
func (p *parser) compound(first *selection, operators ...string) (sql string, columns []Column) {
	sql, columns = first.written(), slices.Clone(first.columns)
	for p.peek().is(operators...) {
		op := p.take().text
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
		if op != "intersect" && p.peek().is("intersect") {
			both, columns := p.compound(next, "intersect")
			next = &selection{text: "SELECT * FROM (" + both + ")", columns: columns}
		}
		if len(next.columns) != len(columns) {
			refuse("Give each query the same columns.", "the queries of %s have %d and %d columns",
				strings.ToUpper(op), len(columns), len(next.columns))
		}
		for i, c := range next.columns {
			columns[i].shape = shape{float: columns[i].float || c.float}
			columns[i].Type = common(columns[i].Type, c.Type, "column "+strconv.Itoa(i+1)+" of "+strings.ToUpper(op))
		}
		sql += " " + strings.ToUpper(op) + all + " " + next.written()
	}
	return sql, columns
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
				sql = " LIMIT " + cmp.Or(limit, "-1")
			}
			if offset != "" {
				sql += " OFFSET " + offset
			}
			return sql, limit == "1"
		}
	}
}
