package dialect

import (
	"cmp"
	"fmt"
	"strings"
)

// cast reads types after ::.
func (p *parser) cast() *expr {
	e := p.value()
	for {
		switch {
		case p.accept("::"):
			e = p.convert(e)
		case e.typ == Array && p.accept("["):
			name := e.name
			e = called("_element", cmp.Or(e.elem, Text), e, p.as(p.or(), Integer))
			e.name = name
			p.expect("]")
		case p.peek().is("[", "->", "->>", "collate", "at"):
			p.unexpected("an operator")
		default:
			return e
		}
	}
}

// value reads a literal, a column, a function, or an expression in brackets.
func (p *parser) value() *expr {
	defer p.deeper()()
	switch t := p.peek(); t.kind {
	case number:
		p.at++
		return numeral(t.text)
	case text:
		p.at++
		return &expr{sql: literal(t.text), quoted: &t.text}
	case quoted:
		return p.reference()
	case symbol:
		if t.is("(") {
			p.at++
			return p.brackets()
		}
		p.unexpected("a value")
	case end:
		p.unexpected("a value")
	}
	return p.word()
}

// brackets reads an expression in brackets: a query with one value, a row of values, or an expression.
func (p *parser) brackets() *expr {
	if p.isQuery() && !p.peek().is("(") {
		q, outer := p.inner()
		if len(q.columns) != 1 {
			refuse("Select one column.", "a query in an expression has %d columns", len(q.columns))
		}
		sql := "(" + q.sql + ")"
		if !q.single {
			sql = `(WITH "one:"(value) AS (SELECT * FROM (` + q.sql + `) LIMIT 2) ` +
				`SELECT CASE WHEN count(*) > 1 THEN _several() ELSE max(value) END FROM "one:")`
		}
		e := joined(sql, q.columns[0].Type, outer...)
		e.name, e.shape = q.columns[0].Name, q.columns[0].shape
		return e
	}
	all := p.expressions()
	p.expect(")")
	if len(all) > 1 {
		return rowOf(all)
	}
	return all[0]
}

// reference reads a column.
func (p *parser) reference() *expr {
	parts := []string{p.readName("a column")}
	for p.accept(".") {
		if p.peek().is("*") {
			refuse("Write count(*) for rows, or name a column.", "%s.* is part of an expression", cut(parts[0]))
		}
		parts = append(parts, p.readName("a column"))
	}
	if len(parts) == 3 && (parts[0] == "ctgov" || parts[0] == "public") {
		parts = parts[1:]
	}
	if p.scope == nil {
		p.scope = &scope{}
	}
	switch len(parts) {
	case 1:
		return p.column("", parts[0])
	case 2:
		return p.column(parts[0], parts[1])
	}
	refuse("Write table.column.", "%s is no column", cut(strings.Join(parts, ".")))
	return nil
}

// quantified reads ANY (…) or ALL (…) after an operator: a query, or a list of values, each of which is compared.
func (p *parser) quantified(op string, left *expr, compare func(*expr) *expr) (out *expr) {
	logic := map[bool]string{true: "and", false: "or"}[p.take().text == "all"]
	p.accept("(")
	if p.isQuery() {
		not, known := map[string]string{"=or": "", "<>and": "NOT ", "!=and": "NOT "}[op+logic]
		if !known {
			return p.ofEach(logic, compare)
		}
		p.at--
		return p.in(left, not)
	}
	if p.peek().kind != text && (!p.peek().is("array") || !p.ahead(1).is("[")) {
		return p.inArray(op+logic, left)
	}
	all := p.elements()
	switch {
	case op+logic == "=or":
		out = p.inList(left, "", all)
	case op+logic == "<>and" || op+logic == "!=and":
		out = p.inList(left, "NOT ", all)
	case len(all) > maxOperators:
		refuse("Compare with the largest or the smallest of them.", "ANY and ALL have more than %d values", maxOperators)
	}
	if out != nil {
		p.expect(")")
		return out
	}
	for _, e := range all {
		if e = compare(e); out != nil {
			e = p.logic(logic, out, e)
		}
		out = e
	}
	p.expect(")")
	return out
}

// ofEach reads the query of ANY or ALL, and compares each of its values. NULL among them makes the result unknown where it would decide.
func (p *parser) ofEach(logic string, compare func(*expr) *expr) *expr {
	q, outer := p.inner()
	if len(q.columns) != 1 {
		refuse("Select one column.", "the query of ANY or ALL has %d columns", len(q.columns))
	}
	e := compare(&expr{sql: `"each:".value`, typ: q.columns[0].Type})
	decides, function := "1", "max"
	if logic == "and" {
		decides, function = "0", "min"
	}
	sql := fmt.Sprintf(`(WITH "each:"(value) AS (%s) SELECT CASE WHEN %[2]s(c) = %[3]s THEN %[3]s WHEN count(*) > count(c) THEN NULL `+
		`ELSE 1 - %[3]s END FROM (SELECT %[4]s AS c FROM "each:"))`, q.sql, function, decides, e.sql)
	return joined(sql, Boolean, append(outer, e)...)
}

// inArray reads the array of ANY or ALL, and compares an expression with its values.
func (p *parser) inArray(how string, left *expr) *expr {
	not, known := map[string]string{"=or": "", "<>and": "NOT ", "!=and": "NOT "}[how]
	array := p.or()
	if p.expect(")"); !known || array.typ != Array {
		refuse("Write = ANY (ARRAY['a', 'b']), or IN (…), with a list or a query.", "ANY and ALL are read with a query or an array")
	}
	return joined("("+left.sql+" "+not+"IN (SELECT value FROM json_each("+array.sql+")))", Boolean, left, array)
}

// array reads ARRAY[…], or ARRAY(…) with a query.
func (p *parser) array() *expr {
	p.expect("array")
	if p.accept("(") {
		q, outer := p.inner()
		if len(q.columns) != 1 {
			refuse("Select one column.", "the query of ARRAY has %d columns", len(q.columns))
		}
		e := joined(`(WITH "one:"(value) AS (SELECT * FROM (`+q.sql+`) LIMIT -1) SELECT json_group_array(value) FROM "one:")`,
			Array, outer...)
		e.elem, e.name = q.columns[0].Type, "array"
		return e
	}
	p.expect("[")
	all, elem := p.unify(p.expressions(), "ARRAY")
	p.expect("]")
	e := called("json_array", Array, all...)
	e.elem, e.name = elem, "array"
	return e
}

// in reads the list or the query of IN.
func (p *parser) in(left *expr, not string) *expr {
	p.expect("(")
	if p.isQuery() {
		q, outer := p.inner()
		width := max(1, len(left.row))
		if len(q.columns) != width {
			refuse("Select one column.", "the query of IN has %d columns, not %d", len(q.columns), width)
		}
		if left.row == nil {
			common(left.typ, q.columns[0].Type, "the query of IN")
		}
		return joined("("+left.sql+" "+not+"IN ("+q.sql+"))", Boolean, append(outer, left)...)
	}
	all := p.expressions()
	p.expect(")")
	return p.inList(left, not, all)
}

// inList compares an expression with each value of a list.
func (p *parser) inList(left *expr, not string, all []*expr) *expr {
	compared := left
	for i, e := range all {
		compared, all[i] = p.match(left, e, "IN")
		if left.typ != Interval { // which is compared by its days
			left = compared
		}
	}
	list := sqlOf(all)
	if left.row != nil {
		list = "VALUES " + list
	}
	return joined("("+compared.sql+" "+not+"IN ("+list+"))", Boolean, append(all, compared)...)
}

// elements reads an array that is written out: ARRAY['a', 'b'], or '{a,b}'.
func (p *parser) elements() (all []*expr) {
	t := p.peek()
	switch {
	case p.accept("array", "["):
		all = p.expressions()
		p.expect("]")
	default:
		p.at++
		for _, part := range partsOf(t.text) {
			all = append(all, &expr{sql: literal(part), quoted: &part})
		}
	}
	if p.accept("::") {
		p.readName("a type")
		p.accept("varying")
		p.expect("[", "]")
	}
	return all
}

// partsOf returns the texts of an array that is written as '{a,b}'.
func partsOf(array string) (all []string) {
	inner, braces := strings.CutPrefix(strings.TrimSuffix(strings.TrimSpace(array), "}"), "{")
	if !braces || strings.ContainsAny(inner, `"{}\\`) || strings.TrimSpace(inner) == "" {
		refuse("Write IN (…), with a list or a query.", "the array '%s' is not read", cut(array))
	}
	for part := range strings.SplitSeq(inner, ",") {
		all = append(all, strings.TrimSpace(part))
	}
	return all
}

// arrayOf returns an array of texts that is written as '{a,b}'.
func arrayOf(text string) *expr {
	var all []*expr
	for _, part := range partsOf(text) {
		all = append(all, &expr{sql: literal(part)})
	}
	e := called("json_array", Array, all...)
	e.elem = Text
	return e
}
