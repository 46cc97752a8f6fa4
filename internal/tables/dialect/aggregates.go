package dialect

import (
	"fmt"
	"slices"
	"strings"
)

var (
	aggregates = strings.Fields("count sum avg min max string_agg bool_and bool_or every stddev stddev_samp stddev_pop variance var_samp " +
		"var_pop percentile_cont percentile_disc mode array_agg json_agg jsonb_agg")
	windows    = strings.Fields("row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value")
	frameWords = strings.Fields("rows range groups between and unbounded preceding following current row")
)

// readAggregate reads an aggregate after its opening bracket.
func (p *parser) readAggregate(name string) *expr {
	args, distinct, order := p.aggregateArgs(name)
	var e *expr
	if p.peek().is("within") {
		e = p.withinGroup(name, args)
	} else {
		e = p.aggregated(name, distinct, order, args)
	}
	if !p.peek().is("over", "filter") {
		refuseAggregates(name, e.kids)
	}
	e = p.filter(e)
	if p.peek().is("over") {
		if e.list[0] != "" || strings.HasPrefix(e.sql, "_") {
			refuse("Put it into a query of WITH with GROUP BY, and join.", "%s is not read with OVER", name)
		}
		return p.over(name, e)
	}
	e.sql = e.list[0] + e.sql + e.list[1]
	e.aggregate, e.aggregates = true, true
	return e
}

// refuseAggregates refuses an aggregate within another.
func refuseAggregates(name string, args []*expr) {
	if slices.ContainsFunc(args, func(arg *expr) bool { return arg.aggregates }) {
		refuse("Put the inner one into a query of WITH.", "%s has an aggregate within it", name)
	}
}

// refuseIntervals refuses intervals as arguments of a function that returns one of them: they are compared by their days.
func refuseIntervals(name string, args []*expr) {
	if slices.ContainsFunc(args, func(arg *expr) bool { return arg.typ == Interval }) {
		refuse("Subtract two dates: their difference is a number of days.", "%s does not take intervals", name)
	}
}

// aggregateArgs reads the arguments of an aggregate up to the closing bracket, and returns its DISTINCT and ORDER BY for SQLite.
func (p *parser) aggregateArgs(name string) (args []*expr, distinct, order string) {
	switch {
	case p.accept("*"):
		if name != "count" {
			refuse("Name a column.", "%s(*) is not read", name)
		}
	case p.peek().is(")") && name == "mode":
	default:
		if p.accept("distinct") {
			distinct = "DISTINCT "
		} else {
			p.accept("all")
		}
		args = p.expressions()
		if p.accept("order", "by") {
			order = " ORDER BY " + p.list(func() string { return p.or().sql + p.direction() })
		}
	}
	p.expect(")")
	return args, distinct, order
}

// filter reads FILTER of an aggregate.
func (p *parser) filter(e *expr) *expr {
	if !p.accept("filter") {
		return e
	}
	p.expect("(", "where")
	condition := p.condition("FILTER")
	p.expect(")")
	filtered := joined(e.sql+" FILTER (WHERE "+condition.sql+")", e.typ, append(e.kids, condition)...)
	filtered.list, filtered.shape = e.list, e.shape
	return filtered
}

// argument returns the first argument of an aggregate, which for count may be a row.
func argument(name string, args []*expr) *expr {
	want := 1
	if name == "string_agg" {
		want = 2
	}
	if len(args) != want {
		refuse("Join several columns with ||, as in count(DISTINCT a || b).", "%s has %d arguments", name, len(args))
	}
	switch arg := args[0]; {
	case arg.row == nil:
		return arg
	case name == "count":
		return called("json_array", Text, arg.row...)
	}
	refuse("Name one column.", "%s takes one value, not a row", name)
	return nil
}

// collected returns an array, or a list in JSON, of the values of an aggregate.
func collected(name, distinct, order string, arg *expr) *expr {
	if arg.typ == Boolean || arg.typ == Interval || arg.typ == Array {
		refuse("Write ::text after the value.", "%s of %s is not read", name, arg.typ)
	}
	e := valueList(distinct, order, arg, [2]string{"_json(", ")"})
	if name == "array_agg" {
		e.typ, e.elem, e.list = Array, arg.typ, [2]string{"nullif(", ", '[]')"}
	}
	return e
}

// aggregated returns an aggregate of its arguments.
func (p *parser) aggregated(name, distinct, order string, args []*expr) *expr {
	if name == "count" && len(args) == 0 {
		return sized(joined("count(*)", Integer), countBits)
	}
	arg := argument(name, args)
	sql := func(function string) string { return function + "(" + distinct + arg.sql + order + ")" }
	switch name {
	case "count":
		return sized(joined(sql("count"), Integer, args...), countBits)
	case "min", "max":
		if arg.typ == Boolean || arg.typ == Interval {
			refuse("Write bool_or(x) or bool_and(x).", "%s of %s is not read", name, arg.typ)
		}
		e := sized(joined(sql(name), arg.typ, args...), arg.bits)
		e.places = arg.places
		return e
	case "bool_and", "every", "bool_or":
		arg = p.boolean(arg, name)
		function := map[bool]string{true: "max", false: "min"}[name == "bool_or"]
		return joined(sql(function), Boolean, args...)
	case "string_agg":
		separator := p.as(args[1], Text)
		return valueList(distinct, order, p.asText(arg), [2]string{"_join(", ", " + separator.sql + ")"}, separator)
	case "array_agg", "json_agg", "jsonb_agg":
		return collected(name, distinct, order, arg)
	case "percentile_cont", "percentile_disc", "mode":
		refuse("Write "+name+"(0.5) WITHIN GROUP (ORDER BY x).", "%s lacks WITHIN GROUP", name)
	}
	p.numbers(name, arg, arg)
	typ := Real
	if name == "sum" {
		typ = arg.typ
	}
	return joined(sql(numeric[name]), typ, args...)
}

// numeric has the names for SQLite of the aggregates of numbers.
var numeric = map[string]string{"sum": "sum", "avg": "avg", "stddev": "_stddev", "stddev_samp": "_stddev", "stddev_pop": "_stddev_pop",
	"variance": "_variance", "var_samp": "_variance", "var_pop": "_variance_pop"}

// valueList returns a list in JSON of the values of an aggregate; around stands around it later.
func valueList(distinct, order string, arg *expr, around [2]string, more ...*expr) *expr {
	if distinct != "" && order == "" {
		order = " ORDER BY " + arg.sql + " NULLS LAST"
	}
	e := joined("json_group_array("+distinct+arg.sql+order+")", Text, append(more, arg)...)
	e.list = around
	return e
}

// withinGroup reads WITHIN GROUP of an aggregate of sorted values.
func (p *parser) withinGroup(name string, args []*expr) *expr {
	if !strings.HasPrefix(name, "percentile") && name != "mode" {
		refuse("Leave WITHIN GROUP out.", "%s has no WITHIN GROUP", name)
	}
	p.expect("within", "group", "(", "order", "by")
	value := p.or()
	down := p.accept("desc")
	if !down {
		p.accept("asc")
	}
	p.expect(")")
	if name == "mode" {
		return joined(fmt.Sprintf("_mode(%s, 0, %d)", value.sql, flag(down)), value.typ, value)
	}
	if len(args) != 1 {
		refuse("Write "+name+"(0.5) WITHIN GROUP (ORDER BY x).", "%s takes one fraction", name)
	}
	if args[0].typ != Array {
		return p.percentile(name, value, args[0], down)
	}
	var all []*expr
	for _, fraction := range args[0].kids {
		all = append(all, p.percentile(name, value, fraction, down))
	}
	if p.peek().is("filter") || len(all) == 0 {
		refuse("Write one "+name+" for each fraction.", "FILTER and an array of fractions are not read together")
	}
	e := called("json_array", Array, all...)
	e.elem = all[0].typ
	return e
}

// percentile returns the value at a fraction of the sorted values, from the largest one down or from the smallest one up.
func (p *parser) percentile(name string, value, fraction *expr, down bool) *expr {
	fraction = p.as(fraction, Real)
	if fraction.ofColumns() {
		refuse("Write a number from 0 to 1.", "the fraction of %s is no number", name)
	}
	typ := value.typ
	if name == "percentile_cont" {
		value, _ = p.numbers(name, value, value)
		typ = Real
	}
	e := joined(fmt.Sprintf("_%s(%s, %s, %d)", name, value.sql, fraction.sql, flag(down)), typ, value)
	e.float = e.float || name == "percentile_cont"
	return e
}

// windowed reads the arguments of a window function.
func (p *parser) windowed(name string) *expr {
	args := p.args()
	least, most, typ := 0, 0, Integer
	switch name {
	case "percent_rank", "cume_dist":
		typ = Real
	case "ntile":
		least, most = 1, 1
	case "lag", "lead":
		least, most = 1, 3
	case "first_value", "last_value":
		least, most = 1, 1
	case "nth_value":
		least, most = 2, 2
	}
	if len(args) < least || len(args) > most {
		refuse("Check its arguments.", "%s has %d arguments", name, len(args))
	}
	if most > 0 && name != "ntile" {
		typ = args[0].typ
		if len(args) == 3 {
			refuseIntervals(name, args)
			notices := len(p.out.Notices)
			args[0], args[2] = p.match(args[0], args[2], name)
			p.out.Notices = p.out.Notices[:notices] // the value is not compared
		}
	}
	if !p.peek().is("over") {
		refuse("Write "+name+"(…) OVER (ORDER BY …).", "%s lacks OVER", name)
	}
	return called(name, typ, args...)
}

// over reads the window of a function.
func (p *parser) over(name string, e *expr) *expr {
	p.expect("over")
	if p.window {
		refuse("Put the inner one into a query of WITH.", "a window has a window function within it")
	}
	clause := p.clause
	p.window, p.clause = true, p.isName()
	defer func() { p.window, p.clause = false, clause }()
	after := 0
	if p.isName() {
		after = p.at + 1
		p.toWindow(p.readName("a window"))
	}
	p.expect("(")
	parts, sql := slices.Clone(e.kids), ""
	add := func() string {
		part := p.or()
		parts = append(parts, part)
		return part.sql
	}
	if p.accept("partition", "by") {
		sql = "PARTITION BY " + p.list(add)
	}
	if p.accept("order", "by") {
		sql += " ORDER BY " + p.list(func() string { return add() + p.direction() })
	}
	if p.peek().is("rows", "range", "groups") {
		for p.peek().kind == number || p.peek().is(frameWords...) {
			sql += " " + strings.ToUpper(p.take().text)
		}
	}
	p.expect(")")
	if after > 0 {
		p.at = after
	}
	out := joined(e.sql+" OVER ("+sql+")", e.typ, parts...)
	out.name, out.shape = name, e.shape
	return out
}

// toWindow goes to the brackets of a window that the clause WINDOW of the query names.
func (p *parser) toWindow(name string) {
	for ; p.peek().kind != end; p.take() {
		switch t := p.peek(); {
		case t.is("("):
			p.at = t.pair
		case t.is(")") && p.tokens[t.pair+1].is("select", "with"): // the query ends here
			p.at = len(p.tokens) - 1
		case p.ahead(1).is("as") && t.text == name && p.tokens[p.at-1].is("window", ","):
			p.at += 2
			return
		}
	}
	refuse("Write the window within OVER (…).", "the query has no window %s", cut(name))
}
