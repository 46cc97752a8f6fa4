package dialect

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxOperators bounds the operators of one level: each is a level of the expression of SQLite.
const maxOperators = 150

// join reads operators of one level that bind to the left.
func (p *parser) join(next func() *expr, read func(op string, a, b *expr) *expr, operators ...string) *expr {
	left := next()
	for n := 0; p.peek().is(operators...); n++ {
		if n == maxOperators {
			refuse("Write IN ('a', 'b', …), or split it with WITH.", "more than %d operators follow each other", maxOperators)
		}
		op := p.take().text
		if p.peek().is("any", "some", "all") && p.ahead(1).is("(") {
			left = p.quantified(op, left, func(e *expr) *expr { return read(op, left, e) })
			continue
		}
		left = read(op, left, next())
	}
	return left
}

// or reads an expression.
func (p *parser) or() *expr {
	defer p.deeper()()
	return p.join(p.and, p.logic, "or")
}

func (p *parser) and() *expr { return p.join(p.not, p.logic, "and") }

func (p *parser) logic(op string, a, b *expr) *expr {
	op = strings.ToUpper(op)
	a, b = p.boolean(a, op), p.boolean(b, op)
	if op == "AND" && a.mayFail() && !b.mayFail() { // PostgreSQL checks a text before it converts it
		a, b = b, a
	}
	return infix(a, op, b, Boolean)
}

func (p *parser) not() *expr {
	if !p.peek().is("not") {
		return p.is()
	}
	defer p.deeper()()
	p.at++
	e := p.boolean(p.not(), "NOT")
	return joined("(NOT "+e.sql+")", Boolean, e)
}

// condition reads a condition without aggregates.
func (p *parser) condition(where string) *expr {
	e := p.boolean(p.or(), where)
	if e.aggregates {
		refuse("Write it in HAVING, or in a query of WITH.", "%s has an aggregate", where)
	}
	return e
}

func (p *parser) is() *expr {
	left := p.compare()
	for {
		switch {
		case p.accept("isnull"):
			left = joined("("+left.sql+" IS NULL)", Boolean, left)
		case p.accept("notnull"):
			left = joined("("+left.sql+" IS NOT NULL)", Boolean, left)
		case p.accept("is"):
			not := ""
			if p.accept("not") {
				not = "NOT "
			}
			switch {
			case p.accept("null"), p.accept("unknown"):
				left = joined("("+left.sql+" IS "+not+"NULL)", Boolean, left)
			case p.peek().is("true", "false"):
				left = p.boolean(left, "IS")
				left = joined("("+left.sql+" IS "+not+strings.ToUpper(p.take().text)+")", Boolean, left)
			case p.accept("distinct", "from"):
				a, b := p.match(left, p.compare(), "IS DISTINCT FROM")
				left = joined("("+a.sql+" IS "+not+"DISTINCT FROM "+b.sql+")", Boolean, a, b)
			default:
				p.unexpected("NULL, TRUE or FALSE")
			}
		default:
			return left
		}
	}
}

func (p *parser) compare() *expr {
	return p.join(p.within, func(op string, a, b *expr) *expr {
		if op == "!=" {
			op = "<>"
		}
		a, b = p.match(a, b, op)
		return infix(a, op, b, Boolean)
	}, "=", "<>", "!=", "<", ">", "<=", ">=")
}

// within reads BETWEEN, IN and LIKE.
func (p *parser) within() *expr {
	left := p.other()
	for {
		not := ""
		if p.peek().is("not") && p.ahead(1).is("between", "in", "like", "ilike", "similar") {
			p.at++
			not = "NOT "
		}
		switch {
		case p.accept("between"):
			symmetric := p.accept("symmetric")
			_, low := p.match(left, p.other(), "BETWEEN")
			p.expect("and")
			subject, high := p.match(left, p.other(), "BETWEEN")
			if subject, low = p.match(subject, low, "BETWEEN"); symmetric {
				low, high = called("min", low.typ, low, high), called("max", low.typ, low, high)
			}
			left = joined(fmt.Sprintf("(%s %sBETWEEN %s AND %s)", subject.sql, not, low.sql, high.sql), Boolean, subject, low, high)
		case p.accept("in"):
			left = p.in(left, not)
		case p.peek().is("overlaps"):
			p.unexpected("a comparison")
		case p.peek().is("like", "ilike"):
			left = p.like(left, not, p.take().text)
		case p.accept("similar", "to"):
			subject, pattern := p.as(left, Text), p.as(p.other(), Text)
			left = joined("("+not+"_similar("+pattern.sql+", "+subject.sql+"))", Boolean, subject, pattern)
		default:
			return left
		}
	}
}

// inner reads a query in an expression up to its closing bracket, and returns the columns around it that it uses.
func (p *parser) inner() (q query, outer []*expr) {
	inner := &scope{parent: p.scope}
	p.scope = inner
	q = p.query()
	p.scope = inner.parent
	p.expect(")")
	return q, inner.outer
}

// like reads the pattern of LIKE or ILIKE.
func (p *parser) like(left *expr, not, op string) *expr {
	if p.peek().is("any", "all", "some") && p.ahead(1).is("(") {
		return p.quantified(op, left, func(e *expr) *expr { return p.likes(left, e, not, op) })
	}
	return p.likes(left, p.other(), not, op)
}

func (p *parser) likes(left, pattern *expr, not, op string) *expr {
	p.legacy(left, pattern, true)
	pattern, left = p.as(pattern, Text), p.as(left, Text)
	if p.accept("escape") {
		pattern = p.escaped(pattern)
	}
	return joined(fmt.Sprintf("(%s_like(%s, %s, %d))", not, pattern.sql, left.sql, flag(op == "ilike")), Boolean, left, pattern)
}

// escaped reads the character of ESCAPE, and returns the pattern before it with backslashes.
func (p *parser) escaped(pattern *expr) *expr {
	mark, size := utf8.DecodeRuneInString(p.peek().text)
	if p.peek().kind != text || size == 0 || size < len(p.take().text) || !strings.HasPrefix(pattern.sql, "'") {
		refuse("Write LIKE '100!%' ESCAPE '!', or a backslash before % and _.", "ESCAPE takes one character after a text in quotes")
	}
	char := string(mark)
	sql := strings.NewReplacer(char+char, char, char, `\`, `\`, `\\`).Replace(pattern.sql)
	return &expr{typ: Text, sql: sql}
}

// arrayOperators are the functions for SQLite of the operators of arrays.
var arrayOperators = map[string]string{"&&": "_overlap", "@>": "_contain"}

// other reads the operators of texts.
func (p *parser) other() *expr {
	return p.join(p.sum, func(op string, a, b *expr) *expr {
		not := ""
		if function := arrayOperators[op]; function != "" {
			return called(function, Boolean, p.as(a, Array), p.as(b, Array))
		}
		if strings.HasPrefix(op, "!") {
			not = "NOT "
		}
		insensitive := flag(strings.HasSuffix(op, "*"))
		switch {
		case op == "||":
			if a.typ == Interval || b.typ == Interval {
				refuse("Write an interval with a unit, as INTERVAL '1 month'.", "|| joins texts")
			}
			return joined("("+p.asText(a).sql+" || "+p.asText(b).sql+")", Text, a, b)
		case strings.Contains(op, "~~"):
			a, b = p.as(a, Text), p.as(b, Text)
			return joined(fmt.Sprintf("(%s_like(%s, %s, %d))", not, b.sql, a.sql, insensitive), Boolean, a, b)
		}
		p.legacy(a, b, true)
		a, b = p.as(a, Text), p.as(b, Text)
		return joined(fmt.Sprintf("(%s_regexp(%s, %s, %d))", not, b.sql, a.sql, insensitive), Boolean, a, b)
	}, "&&", "@>", "||", "~", "~*", "!~", "!~*", "~~", "~~*", "!~~", "!~~*")
}

func (p *parser) sum() *expr {
	return p.join(p.product, func(op string, a, b *expr) *expr {
		if a.typ == Date || b.typ == Date || a.typ == Interval || b.typ == Interval {
			return p.addDays(op, a, b)
		}
		a, b = p.numbers(op, a, b)
		return sized(infix(a, op, b, common(a.typ, b.typ, op)), 1+max(a.size(), b.size()))
	}, "+", "-")
}

// addDays adds to a date, or subtracts from it.
func (p *parser) addDays(op string, a, b *expr) *expr {
	if op == "+" && a.typ != Date {
		a, b = b, a
	}
	sign := strings.TrimPrefix(op, "+")
	if a.typ != Date {
		if a.quoted == nil || b.typ == Interval {
			refuse("Write DATE before the text, or ::date after it.", "%s %s %s is not read", a.typ, op, b.typ)
		}
		a = p.as(a, Date)
	}
	switch {
	case b.typ == Interval && b.constant:
		e := joined(fmt.Sprintf("_add(%s, %s%s(%d), %s%s(%d))", a.sql, sign, b.times, b.months, sign, b.times, b.days), Date, a, b)
		e.stamp, e.moment = true, a.moment
		return e
	case b.typ == Integer:
		return joined(fmt.Sprintf("_add(%s, 0, %s(%s))", a.sql, sign, b.sql), Date, a, b)
	case op == "-" && (b.typ == Date || b.quoted != nil):
		return p.difference(a, p.as(b, Date))
	}
	refuse("Add days as a whole number, or INTERVAL '1 month'; the difference of two dates is a number of days.", "%s %s %s is not read",
		a.typ, op, b.typ)
	return nil
}

// difference returns the days between two dates.
func (p *parser) difference(a, b *expr) *expr {
	if a.moment || b.moment {
		refuse("Write CURRENT_DATE, whose difference from a date is a number of days.", "a time of day is subtracted")
	}
	days := "CAST(julianday(" + a.sql + ") - julianday(" + b.sql + ") AS INTEGER)"
	if a.stamp || b.stamp {
		return joined("_days("+days+")", Interval, a, b)
	}
	return sized(joined(days, Integer, a, b), dayBits)
}

func (p *parser) product() *expr {
	return p.join(p.power, func(op string, a, b *expr) *expr {
		if b.typ == Interval {
			a, b = b, a
		}
		if op == "*" && a.constant && b.typ == Integer {
			out := joined(a.sql, Interval, a, b)
			out.months, out.days, out.constant, out.times = a.months, a.days, true, a.times+b.sql+" * "
			return out
		}
		a, b = p.numbers(op, a, b)
		typ := common(a.typ, b.typ, op)
		switch {
		case op == "%":
			return sized(called("_mod", typ, a, b), a.size())
		case op == "/" && !b.nonzero:
			return sized(called("_div", typ, a, b), a.size())
		case op == "/":
			most := a.size()
			if b.size() == 1 { // it may be -1
				most++
			}
			return sized(infix(a, "/", b, typ), most)
		}
		return sized(infix(a, "*", b, typ), a.size()+b.size())
	}, "*", "/", "%")
}

func (p *parser) power() *expr {
	return p.join(p.sign, func(op string, a, b *expr) *expr {
		a, b = p.numbers(op, a, b)
		e := called("_power", Real, a, b)
		e.float = e.float || a.typ == Integer && b.typ == Integer
		return e
	}, "^")
}

func (p *parser) sign() *expr {
	switch {
	case p.peek().is("-", "+"):
		defer p.deeper()()
		op := p.take().text
		e := p.sign()
		if e.typ == Interval && e.constant && op == "-" {
			e.months, e.days = -e.months, -e.days
			return e
		}
		e, _ = p.numbers(op, e, e)
		signed := joined("("+op+" "+e.sql+")", e.typ, e)
		signed.nonzero = e.nonzero
		if sized(signed, e.size()); op == "-" && e.size() == maxBits {
			sized(signed, maxBits+1) // the least number has no negative
		}
		return signed
	case p.peek().is("@", "|", "#", "&"):
		p.unexpected("a value")
	}
	return p.cast()
}

// expressions reads expressions with commas between them.
func (p *parser) expressions() []*expr {
	all := []*expr{p.or()}
	for p.accept(",") {
		all = append(all, p.or())
	}
	return all
}

// args reads arguments up to the closing bracket.
func (p *parser) args() (all []*expr) {
	if !p.accept(")") {
		all = p.expressions()
		p.expect(")")
	}
	return all
}
