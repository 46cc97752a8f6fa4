package dialect

import (
	"fmt"
	"slices"
	"strings"
)

// signatures lists the functions: name, arguments, type, name for SQLite. An argument is t text, n number, i integer, d date or a any;
// those after ? may be missing, and the last one repeats before *. The type = is that of the first argument.
const signatures = `
lower t t _lower
upper t t _upper
initcap t t _initcap
reverse t t _reverse
length t i length
char_length t i length
character_length t i length
btrim t?t t _trim
ltrim t?t t _ltrim
rtrim t?t t _rtrim
replace ttt t replace
repeat ti t _repeat
lpad ti?t t _lpad
rpad ti?t t _rpad
left ti t _left
right ti t _right
split_part tti t _split_part
strpos tt i instr
substr ti?i t _substr
substring ti?i t _substr
translate ttt t _translate
chr i t _chr
ascii t i _ascii
starts_with tt b _starts_with
regexp_replace ttt?t t _regexp_replace
regexp_like tt?t b _regexp_like
regexp_substr tt t _regexp_substr
regexp_count tt i _regexp_count
concat a* t _concat
concat_ws ta* t _concat_ws
abs n = abs
sign n r _sign
ceil n r _ceil
ceiling n r _ceil
floor n r _floor
trunc n?i r _trunc
round n?i r _round
sqrt n r _sqrt
exp n r _exp
ln n r _ln
log n?n r _log
power nn r _power
pow nn r _power
mod nn = _mod
div nn r _quotient
date_part td r _extract
date_trunc td d _date_trunc
make_date iii d _make_date
to_date tt d _to_date
to_char dt t _to_char
age d?d I _age
`

var letters = map[byte]Type{'t': Text, 'n': Real, 'i': Integer, 'd': Date, 'r': Real, 'b': Boolean, 'I': Interval, 'a': Untyped}

// instead says what to write for functions of other systems and for those that are not read.
var instead = map[string]string{
	"array_agg": "Write string_agg(x::text, ', ').", "json_agg": "Write string_agg(x::text, ', ').",
	"jsonb_agg":    "Write string_agg(x::text, ', ').",
	"group_concat": "Write string_agg(x, ', ').",
	"ifnull":       "Write coalesce(a, b).", "nvl": "Write coalesce(a, b).", "isnull": "Write coalesce(a, b).",
	"iif": "Write CASE WHEN … THEN … ELSE … END.", "if": "Write CASE WHEN … THEN … ELSE … END.",
	"unnest":   "Arrays are not read; join a table.",
	"strftime": "Write EXTRACT(YEAR FROM start_date) or to_char(start_date, 'YYYY-MM').", "year": "Write EXTRACT(YEAR FROM start_date).",
	"month": "Write EXTRACT(MONTH FROM start_date).", "datediff": "Subtract: completion_date - start_date is a number of days.",
	"julianday": "Subtract: completion_date - start_date is a number of days.", "getdate": "Write CURRENT_DATE.", "len": "Write length(x).",
	"generate_series": "Write WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10) SELECT i FROM n.",
	"random":          "Order by a column, as nct_id: an answer is the same at each call.", "instr": "Write strpos(text, part).",
	"median":      "Write percentile_cont(0.5) WITHIN GROUP (ORDER BY x).",
	"to_tsvector": "Write ILIKE '%word%'.", "substring_index": "Write split_part(x, ',', 1).",
	"regexp_matches":        "Write regexp_substr(text, pattern), or ~ for a condition.",
	"regexp_match":          "Write regexp_substr(text, pattern), or ~ for a condition.",
	"regexp_split_to_table": "Write split_part(x, ',', 1).", "string_to_array": "Write split_part(x, ',', 1).",
	"format": "Join texts with ||.",
	"printf": "Join texts with ||.", "to_number": "Write ::numeric after the text.", "array_to_string": "Write string_agg(x, ', ').",
	"date_diff": "Subtract: completion_date - start_date is a number of days.", "load_extension": "The tables are read only.",
}

// functionNames lists the functions that are read.
func functionNames() (all []string) {
	for line := range strings.Lines(signatures) {
		name, _, _ := strings.Cut(line, " ")
		all = append(all, strings.TrimSpace(name))
	}
	return append(all, "count", "sum", "avg", "min", "max", "string_agg", "coalesce", "nullif", "greatest", "least", "percentile_cont",
		"row_number", "rank", "dense_rank", "lag", "lead", "stddev", "extract", "cast", "position", "trim")
}

// call reads a function after its opening bracket.
func (p *parser) call(name string) *expr {
	var e *expr
	switch {
	case slices.Contains(aggregates, name):
		e = p.aggregate(name)
	case slices.Contains(windows, name):
		e = p.over(name, p.windowed(name))
	default:
		e = p.function(name, p.args())
	}
	if p.peek().is("over", "filter", "within") {
		refuse("Use it with an aggregate or a window function.", "%s follows %s", strings.ToUpper(p.peek().text), cut(name))
	}
	e.name = name
	return e
}

// args reads arguments up to the closing bracket.
func (p *parser) args() (all []*expr) {
	if !p.accept(")") {
		p.list(func() string { all = append(all, p.or()); return "" })
		p.expect(")")
	}
	return all
}

// function returns a function of one row.
func (p *parser) function(name string, args []*expr) *expr {
	switch name {
	case "date":
		if len(args) != 1 {
			refuse("Write date(x).", "date has %d arguments", len(args))
		}
		e := *p.converted(args[0], Date)
		e.stamp = false
		return &e
	case "now":
		return &expr{sql: "date('now')", typ: Date, moment: true}
	case "coalesce", "greatest", "least":
		if len(args) == 0 {
			refuse("Write "+name+"(a, b).", "%s has no arguments", name)
		}
		args, typ := p.unify(args, name)
		if len(args) == 1 {
			return args[0]
		}
		function := map[string]string{"coalesce": "coalesce", "greatest": "_greatest", "least": "_least"}[name]
		return joined(function+"("+sqlOf(args)+")", typ, args...)
	case "nullif":
		if len(args) != 2 {
			refuse("Write nullif(a, b).", "nullif takes two arguments")
		}
		typ := args[0].typ
		a, b := p.match(args[0], args[1], name)
		e := joined("nullif("+a.sql+", "+b.sql+")", typ, a, b)
		e.nonzero = b.sql == "0"
		return e
	}
	for line := range strings.Lines(signatures) {
		fields := strings.Fields(line)
		if len(fields) == 4 && fields[0] == name {
			return p.signed(fields, args)
		}
	}
	if advice := instead[name]; advice != "" {
		refuse(advice, "the function %s is not here", cut(name))
	}
	refuse(suggestion(name, functionNames(), "docs/database.md lists the functions."), "no function has the name %s", cut(name))
	return nil
}

// sqlOf returns expressions for SQLite, with commas between them.
func sqlOf(all []*expr) string {
	var parts []string
	for _, e := range all {
		parts = append(parts, e.sql)
	}
	return strings.Join(parts, ", ")
}

// signed returns a function with a signature.
func (p *parser) signed(fields []string, args []*expr) *expr {
	name, kinds := fields[0], kindsOf(fields, len(args))
	for i, e := range args {
		switch kind := letters[kinds[min(i, len(kinds)-1)]]; {
		case kind == Untyped:
			args[i] = p.asText(e)
		case name == "date_part" && i == 1 && e.typ == Interval:
		default:
			args[i] = p.as(e, kind)
		}
	}
	switch name {
	case "date_part":
		return p.extract(args[0].sql, args[1])
	case "age":
		if len(args) == 1 {
			args = []*expr{{sql: "date('now')", typ: Date}, args[0]}
		}
	}
	typ := letters[fields[2][0]]
	if fields[2] == "=" {
		typ = args[0].typ
		for _, e := range args {
			typ = common(typ, e.typ, name)
		}
	}
	return joined(fields[3]+"("+sqlOf(args)+")", typ, args...)
}

// kindsOf returns the letters of the arguments of a signature. It refuses a wrong number of arguments.
func kindsOf(fields []string, n int) string {
	kinds, repeats := strings.CutSuffix(fields[1], "*")
	required := strings.IndexByte(kinds, '?')
	kinds = strings.ReplaceAll(kinds, "?", "")
	if required < 0 {
		required = len(kinds)
	}
	if n < required || n > len(kinds) && !repeats {
		refuse("Write "+fields[0]+"("+strings.Join(namesOfKinds(kinds), ", ")+").", "%s has %d arguments", fields[0], n)
	}
	return kinds
}

// namesOfKinds returns the names of the types of some letters.
func namesOfKinds(kinds string) (all []string) {
	for _, k := range []byte(kinds) {
		all = append(all, letters[k].String())
	}
	return all
}

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
	case t.is("array", "row", "any", "all", "some", "select"), !p.isName():
		p.unexpected("a value")
	}
	return p.reference()
}

// typed reads DATE, TIMESTAMP or INTERVAL before a text, and the unit of an interval after it.
func (p *parser) typed() *expr {
	name, value, unit := p.take().text, p.take().text, ""
	if name != "interval" {
		return p.as(&expr{sql: literal(value), quoted: &value, name: name}, Date)
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
		e = joined("instr("+in.sql+", "+part.sql+")", Integer, in, part)
	case "trim":
		e = p.trim()
	case "substring":
		e = p.substring()
	}
	p.expect(")")
	e.name = name
	return e
}

// extract returns a part of a date. It is numeric in PostgreSQL, so its division does not cut.
func (p *parser) extract(field string, value *expr) *expr {
	if value.typ == Interval && value.constant {
		refuse("Write a number.", "EXTRACT reads a date, or age(a, b)")
	}
	name := strings.Trim(field, "'")
	if single := strings.TrimSuffix(name, "s"); units[single] != ([2]int{}) {
		name, field = single, literal(single)
	}
	if !slices.Contains(strings.Fields("year month day quarter week dow isodow doy decade century epoch isoyear"), name) {
		refuse("Write YEAR, QUARTER, MONTH, WEEK, DAY, DOW or DOY.", "EXTRACT does not read %s", cut(name))
	}
	if name == "year" && value.typ == Date {
		return joined("CAST(substr("+value.sql+", 1, 4) AS REAL)", Real, value)
	}
	return joined("_extract("+field+", "+value.sql+")", Real, value)
}

// trim reads the arguments of trim, in the form with FROM or with commas.
func (p *parser) trim() *expr {
	function, what := "_trim", ""
	switch {
	case p.accept("leading"):
		function = "_ltrim"
	case p.accept("trailing"):
		function = "_rtrim"
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
	for _, part := range parts {
		what += ", " + part.sql
	}
	return joined(function+"("+strings.TrimPrefix(what, ", ")+")", Text, parts...)
}

// substring reads the arguments of substring, in the form with FROM and FOR or with commas.
func (p *parser) substring() *expr {
	args := []*expr{p.or()}
	switch {
	case p.accept("from"):
		from := p.or()
		if from.quoted != nil || from.typ == Text {
			value, from := p.as(args[0], Text), p.as(from, Text)
			return joined("_regexp_part("+value.sql+", "+from.sql+")", Text, value, from)
		}
		args = append(args, from)
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
			e = joined("("+a.sql+" = "+b.sql+")", Boolean, a, b)
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
	e.name = "case"
	return e
}

// unify gives some values one type.
func (p *parser) unify(all []*expr, where string) (same []*expr, typ Type) {
	for _, e := range all {
		if e.typ == Interval || e.row != nil {
			refuse("Write numbers of days.", "%s has an interval or a row", where)
		}
		typ = common(typ, e.typ, where)
	}
	if typ == Untyped {
		typ = Text
	}
	for _, e := range all {
		e = p.as(e, typ)
		if typ == Real && e.typ == Integer {
			e = joined("CAST("+e.sql+" AS REAL)", Real, e)
		}
		same = append(same, e)
	}
	return same, typ
}

var (
	aggregates = strings.Fields("count sum avg min max string_agg bool_and bool_or every stddev stddev_samp stddev_pop variance var_samp " +
		"var_pop percentile_cont percentile_disc mode")
	windows    = strings.Fields("row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value")
	frameWords = strings.Fields("rows range groups between and unbounded preceding following current row")
)

// aggregate reads an aggregate after its opening bracket.
func (p *parser) aggregate(name string) *expr {
	args, distinct, order := p.aggregateArgs(name)
	var e *expr
	if p.peek().is("within") {
		e = p.withinGroup(name, args)
	} else {
		e = p.aggregated(name, distinct, order, args)
	}
	for _, arg := range e.kids {
		if arg.aggregates && !p.peek().is("over", "filter") {
			refuse("Put the inner one into a query of WITH.", "%s has an aggregate within it", name)
		}
	}
	e = p.filter(e)
	if p.peek().is("over") {
		if e.separator != "" || strings.HasPrefix(e.sql, "_") {
			refuse("Put it into a query of WITH with GROUP BY, and join.", "%s is not read with OVER", name)
		}
		return p.over(name, e)
	}
	if e.separator != "" {
		e.sql = "_join(" + e.sql + ", " + e.separator + ")"
	}
	e.aggregate, e.aggregates = true, true
	return e
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
		p.list(func() string { args = append(args, p.or()); return "" })
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
	filtered.separator, filtered.bits = e.separator, e.bits
	return filtered
}

// aggregated returns an aggregate of its arguments.
func (p *parser) aggregated(name, distinct, order string, args []*expr) *expr {
	want := 1
	if name == "string_agg" {
		want = 2
	}
	if name == "count" && len(args) == 0 {
		return whole(joined("count(*)", Integer), countBits)
	}
	if len(args) != want {
		refuse("Join several columns with ||, as in count(DISTINCT a || b).", "%s has %d arguments", name, len(args))
	}
	arg := args[0]
	if arg.row != nil {
		refuse("Join the columns with ||, as in count(DISTINCT a || '/' || b).", "%s takes one value, not a row", name)
	}
	sql := func(function string) string { return function + "(" + distinct + arg.sql + order + ")" }
	switch name {
	case "count":
		return whole(joined(sql("count"), Integer, args...), countBits)
	case "min", "max":
		if arg.typ == Boolean || arg.typ == Interval {
			refuse("Write bool_or(x) or bool_and(x).", "%s of %s is not read", name, arg.typ)
		}
		return whole(joined(sql(name), arg.typ, args...), arg.bits)
	case "bool_and", "every", "bool_or":
		arg = p.boolean(arg, name)
		function := map[bool]string{true: "max", false: "min"}[name == "bool_or"]
		return joined(sql(function), Boolean, args...)
	case "string_agg":
		return p.textList(distinct, order, arg, args[1])
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

// textList returns the list of string_agg, which is joined by its separator later.
func (p *parser) textList(distinct, order string, arg, separator *expr) *expr {
	arg, separator = p.asText(arg), p.as(separator, Text)
	if separator.typ == Text && distinct != "" && order == "" {
		order = " ORDER BY " + arg.sql
	}
	e := joined("json_group_array("+distinct+arg.sql+order+")", Text, arg, separator)
	e.separator = separator.sql
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
		return joined("_mode("+value.sql+")", value.typ, value)
	}
	if len(args) != 1 {
		refuse("Write "+name+"(0.5) WITHIN GROUP (ORDER BY x).", "%s takes one fraction", name)
	}
	fraction := p.as(args[0], Real)
	if len(fraction.kids) > 0 || fraction.of != nil {
		refuse("Write a number from 0 to 1.", "the fraction of %s is no number", name)
	}
	share, typ := fraction.sql, value.typ
	if down {
		share = "1 - " + share
	}
	if name == "percentile_cont" {
		value, _ = p.numbers(name, value, value)
		typ = Real
	}
	return joined(fmt.Sprintf("_%s(%s, %s)", name, value.sql, share), typ, value)
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
			args[0], args[2] = p.match(args[0], args[2], name)
		}
	}
	if !p.peek().is("over") {
		refuse("Write "+name+"(…) OVER (ORDER BY …).", "%s lacks OVER", name)
	}
	return joined(name+"("+sqlOf(args)+")", typ, args...)
}

// over reads the window of a function.
func (p *parser) over(name string, e *expr) *expr {
	p.expect("over")
	after := 0
	if p.isName() {
		after = p.at + 1
		p.toWindow(p.name("a window"))
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
	out.name = name
	return out
}

// toWindow goes to the brackets of a window that the clause WINDOW of the query names.
func (p *parser) toWindow(name string) {
	for depth := 0; p.peek().kind != end && depth >= 0; p.at++ {
		switch t := p.peek(); {
		case t.is("("):
			depth++
		case t.is(")"):
			depth--
		case depth == 0 && p.ahead(1).is("as") && t.text == name && p.tokens[p.at-1].is("window", ","):
			p.at += 2
			return
		}
	}
	refuse("Write the window within OVER (…).", "the query has no window %s", cut(name))
}
