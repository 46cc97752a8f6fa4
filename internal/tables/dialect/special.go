package dialect

import (
	"strings"
)

// word reads a value that begins with a word.
func (p *parser) word() *expr {
	t, next := p.peek(), p.ahead(1)
	brackets := next.is("(")
	switch {
	case brackets && t.is("cast", "extract", "substring", "position", "trim"), t.is("case", "null", "true", "false", "exists"):
		return p.special(t.text)
	case brackets && (t.is("left", "right") || p.isName()):
		p.at += 2
		return p.call(t.text)
	case t.is("date", "timestamp", "interval") && next.kind == text:
		return p.typed()
	case t.is("current_date", "current_timestamp", "localtimestamp"):
		p.at++
		return &expr{sql: "date('now')", typ: Date, name: t.text, moment: t.text != "current_date"}
	case t.is("array") && next.is("[", "("):
		return p.array()
	case t.is("array", "row", "any", "all", "some", "select"), !p.isName():
		p.unexpected("a value")
	}
	return p.reference()
}

// typed reads DATE, TIMESTAMP or INTERVAL before a text, and the unit of an interval after it.
func (p *parser) typed() *expr {
	name, value, unit := p.take().text, p.take().text, ""
	if name != "interval" {
		e := p.as(&expr{sql: literal(value), quoted: &value, name: name}, Date)
		e.stamp = name == "timestamp"
		return e
	}
	if u := p.peek(); u.kind == word && len(u.text) > 1 && units[u.text] != ([2]int{}) { // one letter is the name of a column
		unit = p.take().text
	}
	return p.interval(value, unit)
}

// special reads what has a syntax of its own.
func (p *parser) special(name string) *expr {
	p.at++
	switch name {
	case "null":
		return &expr{sql: "NULL"}
	case "true":
		return &expr{sql: "1", typ: Boolean, name: "bool"}
	case "false":
		return &expr{sql: "0", typ: Boolean, name: "bool"}
	case "case":
		return p.choice()
	}
	p.expect("(")
	var e *expr
	switch name {
	case "exists":
		q, outer := p.inner()
		e = joined("EXISTS ("+q.sql+")", Boolean, outer...)
		e.name = name
		return e
	case "cast":
		inner := p.or()
		p.expect("as")
		e = p.convert(inner)
		p.expect(")")
		return e
	case "extract":
		field := literal(strings.ToLower(p.take().text))
		p.expect("from")
		value := p.or()
		if value.typ != Interval {
			value = p.as(value, Date)
		}
		e = p.extract(field, value)
	case "position":
		part := p.as(p.other(), Text)
		p.expect("in")
		in := p.as(p.or(), Text)
		e = called("instr", Integer, in, part)
	case "trim":
		e = p.trim()
	case "substring":
		e = p.substring()
	}
	p.expect(")")
	e.name = name
	return e
}

// trim reads the arguments of trim, in the form with FROM or with commas.
func (p *parser) trim() *expr {
	function := "trim"
	switch {
	case p.accept("leading"):
		function = "ltrim"
	case p.accept("trailing"):
		function = "rtrim"
	default:
		p.accept("both")
	}
	var parts []*expr
	if !p.peek().is("from") {
		parts = append(parts, p.as(p.or(), Text))
	}
	switch {
	case p.accept("from"):
		parts = append([]*expr{p.as(p.or(), Text)}, parts...)
	case p.accept(","):
		parts = append(parts, p.as(p.or(), Text))
	}
	return called(function, Text, parts...)
}

// substring reads the arguments of substring, in the form with FROM and FOR or with commas.
func (p *parser) substring() *expr {
	args := []*expr{p.or()}
	switch {
	case p.accept("from"):
		args = append(args, p.or())
		if p.accept("for") {
			args = append(args, p.or())
		}
	case p.accept("for"):
		args = append(args, numeral("1"), p.or())
	default:
		for p.accept(",") {
			args = append(args, p.or())
		}
	}
	if len(args) == 2 && (args[1].quoted != nil || args[1].typ == Text) {
		return called("_regexp_part", Text, p.as(args[0], Text), p.as(args[1], Text))
	}
	return p.function("substring", args)
}

// choice reads CASE.
func (p *parser) choice() *expr {
	var subject *expr
	if !p.peek().is("when") {
		subject = p.or()
	}
	var when, results, parts []*expr
	for p.accept("when") {
		e := p.or()
		if subject != nil {
			a, b := p.match(subject, e, "CASE")
			e = infix(a, "=", b, Boolean)
		} else {
			e = p.boolean(e, "WHEN")
		}
		p.expect("then")
		when, results = append(when, e), append(results, p.or())
	}
	if len(when) == 0 {
		p.unexpected("WHEN")
	}
	hasElse := p.accept("else")
	if hasElse {
		results = append(results, p.or())
	}
	p.expect("end")
	last := results[len(results)-1]
	results, typ := p.unify(results, "CASE")
	sql := "(CASE"
	for i, e := range when {
		sql += " WHEN " + e.sql + " THEN " + results[i].sql
	}
	if hasElse {
		sql += " ELSE " + results[len(results)-1].sql
	}
	parts = append(append(parts, when...), results...)
	e := joined(sql+" END)", typ, parts...)
	if e.name = "case"; hasElse && !last.weaklyNamed() {
		e.name = last.name
	}
	return e
}
