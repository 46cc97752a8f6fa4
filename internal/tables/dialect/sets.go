package dialect

import (
	"cmp"
	"fmt"
)

// sets maps the functions that return rows to those that return them as an array.
var sets = map[string]string{"generate_series": "", "unnest": "", "regexp_matches": "regexp_matches",
	"regexp_split_to_table": "regexp_split_to_array", "string_to_table": "string_to_array"}

func isSet(name string) bool {
	_, is := sets[name]
	return is
}

// rowsOf reads the arguments of a function that returns rows, and returns them with the type of their column, which is called value.
func (p *parser) rowsOf(name string) (sql string, typ Type) {
	if name == "generate_series" {
		return p.series()
	}
	args := p.args()
	if name == "unnest" && len(args) != 1 {
		refuse("Write unnest(string_to_array(x, ',')).", "unnest has %d arguments", len(args))
	}
	var array *expr
	if function := sets[name]; function != "" {
		array = p.function(function, args)
	} else {
		array = p.as(args[0], Array)
	}
	if array.aggregates {
		refuse("Put the aggregate into a query of WITH.", "%s has an aggregate within it", name)
	}
	if typ = cmp.Or(array.elem, Text); name == "regexp_matches" {
		typ = Array
	}
	return "json_each(" + array.sql + ")", typ
}

// rowsOfColumns reads a source of FROM that sees the columns of those before it, "" for another source.
func (p *parser) rowsOfColumns() string {
	if isSet(p.ahead(1).text) {
		p.accept("lateral")
	}
	switch {
	case isSet(p.peek().text) && p.ahead(1).is("("):
		return p.set()
	case p.accept("lateral", "("):
		return p.lateral()
	}
	return ""
}

// set reads a function of FROM that returns rows.
func (p *parser) set() string {
	name := p.take().text
	p.expect("(")
	sql, typ := p.rowsOf(name)
	if p.peek().is("with") {
		refuse("Leave it out.", "WITH ORDINALITY is not read")
	}
	alias, names := p.alias(name)
	p.add(alias, renamed([]Column{{Name: alias, Type: typ}}, names, alias)).set = true
	return sql + " AS " + ident(alias)
}

// setItem reads a function that returns rows in the list of SELECT: its rows are joined to those of FROM.
func (p *parser) setItem(name string) *expr {
	if p.scope == nil || p.scope.set == "-" {
		refuse("Write it in FROM, as in FROM generate_series(2000, 2025) AS y.",
			"%s stands outside of FROM and of the list of SELECT", name)
	}
	sql, typ := p.rowsOf(name)
	if p.scope.set != "" {
		refuse("Put one of them into a query of WITH.", "the list of SELECT has two functions that return rows")
	}
	const alias = "set:"
	p.scope.set = sql + " AS " + ident(alias)
	i := p.add(alias, []Column{{Name: alias, Type: typ}})
	i.set, i.hidden = true, map[string]bool{alias: true}
	return i.column(0)
}

// lateral reads the query of LATERAL, which sees the tables before it. SQLite passes columns to functions alone, so that its rows become
// a list in JSON, which json_each splits.
func (p *parser) lateral() string {
	q, _ := p.inner()
	alias, names := p.alias("lateral:")
	columns := renamed(q.columns, names, alias)
	p.add(alias, columns).lateral = true
	return fmt.Sprintf("json_each((WITH %[1]s(%[2]s) AS (%[3]s) SELECT json_group_array(json_array(%[2]s)) FROM %[1]s)) AS %[1]s",
		ident(alias), namesOf(columns), q.sql)
}

// series reads the arguments of generate_series, of numbers or of dates with a step.
func (p *parser) series() (sql string, typ Type) {
	args := p.args()
	if len(args) < 2 || len(args) > 3 {
		refuse("Write generate_series(1, 10).", "generate_series has %d arguments", len(args))
	}
	next := "value + 1"
	typ = Integer
	if len(args) == 3 && args[2].quoted != nil {
		args[2] = p.interval(*args[2].quoted, "")
	}
	if len(args) == 3 && args[2].typ == Interval && args[2].constant && args[2].months+args[2].days > 0 {
		next, typ = fmt.Sprintf("_add(value, %d, %d)", args[2].months, args[2].days), Date
	} else if len(args) == 3 {
		refuse("Write generate_series(1, 10), or three arguments with dates and INTERVAL '1 month'.",
			"this step of generate_series is not read")
	}
	first, last := p.as(args[0], typ), p.as(args[1], typ)
	if first.ofColumns() || last.ofColumns() {
		refuse("Write WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10) SELECT i FROM n.",
			"generate_series is read with two numbers or dates")
	}
	return fmt.Sprintf(`(WITH RECURSIVE "series:"(value) AS (SELECT %s UNION ALL SELECT %s FROM "series:" WHERE value < %s) `+
		`SELECT value FROM "series:" WHERE value <= %[3]s)`, first.sql, next, last.sql), typ
}
