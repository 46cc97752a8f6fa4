package dialect

import (
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
btrim t?t t trim
ltrim t?t t ltrim
rtrim t?t t rtrim
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
regexp_match tt?t t _regexp_part
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
	"generate_series": "Write it in FROM, as in FROM generate_series(2000, 2025) AS y.",
	"random":          "Order by a column, as nct_id: an answer is the same at each call.", "instr": "Write strpos(text, part).",
	"median":      "Write percentile_cont(0.5) WITHIN GROUP (ORDER BY x).",
	"to_tsvector": "Write ILIKE '%word%'.", "substring_index": "Write split_part(x, ',', 1).",
	"regexp_matches":        "Write regexp_substr(text, pattern), or ~ for a condition.",
	"regexp_split_to_table": "Write split_part(x, ',', 1).", "string_to_array": "Write split_part(x, ',', 1).",
	"format": "Join texts with ||.",
	"printf": "Join texts with ||.", "to_number": "Write ::numeric after the text.",
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
	case instead[name] != "":
		refuse(instead[name], "the function %s is not here", cut(name))
	case name == "array_to_string":
		if !p.accept("array_agg", "(") {
			refuse("Write string_agg(x, ', ').", "array_to_string is read with array_agg(x) and a text")
		}
		e = p.joinedArray()
	case slices.Contains(aggregates, name):
		e = p.readAggregate(name)
	case slices.Contains(windows, name):
		e = p.over(name, p.windowed(name))
	default:
		e = p.function(name, p.args())
	}
	if name == "regexp_match" {
		p.onlyFirst()
	}
	if p.peek().is("over", "filter", "within") {
		refuse("Use it with an aggregate or a window function.", "%s follows %s", strings.ToUpper(p.peek().text), cut(name))
	}
	e.name = name
	return e
}

// onlyFirst refuses the array of a match but for its first element, which brackets reads.
func (p *parser) onlyFirst() {
	if !p.peek().is(")") || !p.ahead(1).is("[") || p.ahead(2).text != "1" {
		refuse("Write (regexp_match(text, pattern))[1], or ~ for a condition.", "an array is not read")
	}
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
		return called(function, typ, args...)
	case "nullif":
		if len(args) != 2 {
			refuse("Write nullif(a, b).", "nullif takes two arguments")
		}
		typ := args[0].typ
		refuseIntervals(name, args)
		a, b := p.match(args[0], args[1], name)
		e := called("nullif", typ, a, b)
		e.nonzero = b.sql == "0"
		return e
	}
	for line := range strings.Lines(signatures) {
		fields := strings.Fields(line)
		if len(fields) == 4 && fields[0] == name {
			return p.signed(fields, args)
		}
	}
	refuse(suggestion(name, functionNames(), "docs/database.md lists the functions."), "no function has the name %s", cut(name))
	return nil
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
	return called(fields[3], typ, args...)
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
