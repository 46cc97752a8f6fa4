package dialect

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// match gives two operands one type.
func (p *parser) match(a, b *expr, op string) (x, y *expr) {
	p.legacy(a, b, false)
	p.legacy(b, a, false)
	if a.row != nil || b.row != nil {
		return p.matchRows(a, b, op)
	}
	switch {
	case a.typ == Interval || b.typ == Interval:
		return lengthOf(a), lengthOf(b)
	case a.typ == Untyped && b.typ == Untyped:
		return a, b
	case a.typ == Untyped:
		return p.as(a, b.typ), b
	case b.typ == Untyped:
		return a, p.as(b, a.typ)
	case a.typ == Boolean && b.isBit(), b.typ == Boolean && a.isBit():
		return a, b
	}
	if a.typ != b.typ && (a.typ == Date || b.typ == Date) {
		refuse("Write ::date or ::text after one of them.", "%s takes values of one type, not %s and %s", op, a.typ, b.typ)
	}
	common(a.typ, b.typ, op)
	return a, b
}

// lengthOf returns the days of an interval, whose months have 30, as PostgreSQL compares them.
func lengthOf(e *expr) *expr {
	if e.typ != Interval {
		refuse("Compare a number of days: the difference of two dates is one.", "an interval is compared with another value")
	}
	if days := numeral(strconv.Itoa(e.months*30 + e.days)); e.constant {
		return joined("("+e.times+days.sql+")", Integer, e.kids...)
	}
	return called("_length", Real, e)
}

// matchRows gives the values of two rows one type each.
func (p *parser) matchRows(a, b *expr, op string) (x, y *expr) {
	if len(a.row) != len(b.row) {
		refuse("Write as many values on both sides.", "two rows have different lengths")
	}
	left, right := slices.Clone(a.row), slices.Clone(b.row)
	for i := range left {
		left[i], right[i] = p.match(left[i], right[i], op)
	}
	return rowOf(left), rowOf(right)
}

// as returns an expression with a type that it must have. Only texts in quotes and NULL are converted.
func (p *parser) as(e *expr, t Type) *expr {
	if e.row != nil {
		refuse("Write one value.", "a row of values is given where one is expected")
	}
	if e.typ == t || e.typ == Integer && t == Real {
		return e
	}
	if e.quoted == nil {
		if e.typ != Untyped {
			refuse("Write ::"+t.String()+" after it.", "%s is expected, not %s", t, named(e))
		}
		return e
	}
	return e.read(t)
}

// read returns a text in quotes as a value of a type.
func (e *expr) read(t Type) *expr {
	if *e.quoted == "" && t != Text {
		refuse("Write IS NULL or IS NOT NULL.", "an empty text is no %s", t)
	}
	converted := *e
	converted.typ, converted.quoted = t, nil
	switch value := strings.TrimSpace(*e.quoted); t {
	case Integer, Real:
		n := numberOf(value)
		if n == nil || t == Integer && n.typ != Integer {
			refuse("Write a number without quotes.", "'%s' is no %s", cut(value), t)
		}
		return n
	case Boolean:
		truth, known := Truth(value)
		if !known {
			refuse("Write TRUE or FALSE.", "'%s' is no boolean value", cut(value))
		}
		converted.sql = strconv.Itoa(flag(truth))
	case Array:
		return arrayOf(value)
	case Date:
		day := Day(value)
		if day == "" {
			refuse("Write a day, as '2015-01-31'.", "'%s' is no day", cut(value))
		}
		converted.sql = literal(day)
	}
	return &converted
}

// Truth reads a boolean value. Known reports that the text is one.
func Truth(value string) (truth, known bool) {
	switch strings.ToLower(strings.TrimSpace(value)) {
	case "t", "true", "yes", "y", "on", "1":
		return true, true
	case "f", "false", "no", "n", "off", "0":
		return false, true
	}
	return false, false
}

// numberOf reads a number, nil for another text.
func numberOf(value string) *expr {
	digits := strings.TrimLeft(value, "+-")
	if len(value)-len(digits) > 1 || digits == "" || strings.Trim(digits, "0123456789.eE+-") != "" {
		return nil
	}
	if _, err := strconv.ParseFloat(digits, 64); err != nil {
		return nil
	}
	e := numeral(digits)
	if strings.HasPrefix(value, "-") {
		e.sql = "(- " + e.sql + ")"
	}
	return e
}

// Day reads a day and returns it as 2015-01-31, "" for another text.
func Day(value string) string {
	value = strings.TrimSuffix(strings.TrimSuffix(value, "00:00:00"), "T")
	for _, layout := range []string{"2006-1-2", "2006/1/2", "20060102", "January 2, 2006", "Jan 2, 2006", "2 January 2006", "2 Jan 2006"} {
		if day, err := time.Parse(layout, strings.TrimSpace(value)); err == nil {
			return day.Format(time.DateOnly)
		}
	}
	return ""
}

// asText returns an expression as PostgreSQL writes it as a text.
func (p *parser) asText(e *expr) *expr {
	sql := e.sql
	switch {
	case e.row != nil:
		return p.as(e, Text)
	case e.stamp:
		sql = "(" + e.sql + " || ' 00:00:00')"
	case e.typ == Array:
		sql = "_braces(" + e.sql + ")"
	case e.typ == Integer:
		sql = "CAST(" + e.sql + " AS TEXT)"
	case e.typ == Real:
		sql = fmt.Sprintf("_text(%s, %d)", e.sql, e.places-1)
		if e.float {
			sql = "_text(" + e.sql + ")"
		}
	case e.typ == Boolean:
		sql = "(CASE " + e.sql + " WHEN 1 THEN 'true' WHEN 0 THEN 'false' END)"
	}
	out := joined(sql, Text, e)
	out.name = e.name
	return out
}

// typeNames are PostgreSQL's names of the types.
var typeNames = map[string]Type{
	"text": Text, "varchar": Text, "char": Text, "character": Text, "bpchar": Text, "name": Text,
	"int": Integer, "integer": Integer, "bigint": Integer, "smallint": Integer, "int2": Integer, "int4": Integer, "int8": Integer,
	"numeric": Real, "decimal": Real, "real": Real, "float": Real, "float4": Real, "float8": Real, "double": Real,
	"bool": Boolean, "boolean": Boolean, "date": Date, "timestamp": Date, "timestamptz": Date, "interval": Interval,
}

// internalNames are the names that PostgreSQL gives to the columns of a conversion.
var internalNames = map[string]string{
	"int": "int4", "integer": "int4", "bigint": "int8", "smallint": "int2", "boolean": "bool", "real": "float4",
	"float": "float8", "double": "float8", "decimal": "numeric", "character": "bpchar", "char": "bpchar",
}

// weaklyNamed reports whether a conversion names the column of an expression.
func (e *expr) weaklyNamed() bool {
	_, isType := typeNames[e.name]
	return e.column == "" && (isType || e.name == "" || e.name == "case")
}

// typeName reads a type with its bounds, as numeric(10, 2).
func (p *parser) typeName() (name string, t Type, bounds []int) {
	name = p.peek().text
	t, known := typeNames[name]
	if !known || p.peek().kind == text {
		refuse("Write ::text, ::integer, ::numeric, ::boolean or ::date.", "the type %s is not read", p.shown())
	}
	p.at++
	p.acceptOne("varying", "precision")
	if p.accept("(") {
		p.list(func() string {
			n, _ := strconv.Atoi(p.count())
			bounds = append(bounds, n)
			return ""
		})
		p.expect(")")
	}
	if p.accept("without", "time", "zone") || p.accept("with", "time", "zone") {
		t = Date
	}
	if p.accept("[") {
		p.expect("]")
		t = Array
	}
	return name, t, bounds
}

// convert reads a type, and converts an expression to it.
func (p *parser) convert(e *expr) *expr {
	name, t, bounds := p.typeName()
	if e.row != nil {
		return p.as(e, t)
	}
	out := p.converted(e, t)
	switch {
	case t == Text && len(bounds) == 1:
		out = joined("substr("+out.sql+", 1, "+strconv.Itoa(bounds[0])+")", Text, e)
	case t == Real && len(bounds) > 0:
		places := append(bounds, 0)[1]
		out = joined("_round("+out.sql+", "+strconv.Itoa(places)+")", Real, e)
		out.places = places + 1
	case t == Integer && e.float:
		out = joined("_int(_even("+e.sql+"))", Integer, e)
	}
	out.float = t == Real && (strings.HasPrefix(name, "float") || name == "double" || name == "real")
	if out.name = e.name; e.weaklyNamed() {
		out.name = cmp.Or(internalNames[name], name)
	}
	out.nonzero = e.nonzero && t == Real
	if out.bits = 0; e.typ == Integer {
		out.bits = e.bits
	}
	out.stamp = t == Date && name != "date"
	return out
}

// conversions has the form for SQLite of a conversion, by the types that it converts from and to.
var conversions = map[[2]Type]string{
	{Boolean, Integer}: "%s",
	{Real, Integer}:    "_int(%s)",
	{Text, Integer}:    "_int(%s)",
	{Integer, Real}:    "CAST(%s AS REAL)",
	{Text, Real}:       "_real(%s)",
	{Integer, Boolean}: "(%s <> 0)",
	{Text, Boolean}:    "_bool(%s)",
	{Text, Date}:       "_date(%s)",
}

// converted converts an expression to a type.
func (p *parser) converted(e *expr, t Type) *expr {
	switch {
	case e.quoted != nil && t == Interval:
		return p.interval(*e.quoted, "")
	case (e.quoted != nil || e.typ == Untyped) && t != Interval:
		out := *p.as(e, t)
		out.typ, out.quoted = t, nil
		if t == Real {
			out.sql = "CAST(" + out.sql + " AS REAL)"
		}
		return &out
	case t == Text && e.typ != Interval:
		return p.asText(e)
	case t == e.typ:
		out := *e
		return &out
	}
	form := conversions[[2]Type{e.typ, t}]
	if t == Interval {
		refuse("Write x * INTERVAL '1 day' for a number x.", "%s is not converted to %s", e.typ, t)
	} else if form == "" {
		refuse("Write ::text, or another type.", "%s is not converted to %s", e.typ, t)
	}
	return joined(fmt.Sprintf(form, e.sql), t, e)
}

// units are the units of an interval, in months and days.
var units = map[string][2]int{"year": {12, 0}, "mon": {1, 0}, "month": {1, 0}, "week": {0, 7}, "day": {0, 1},
	"decade": {120, 0}, "century": {1200, 0}, "y": {12, 0}, "d": {0, 1}, "w": {0, 7}, "quarter": {3, 0}}

// interval reads the text of an interval, whose unit may follow it.
func (p *parser) interval(text, unit string) *expr {
	e := &expr{sql: "NULL", typ: Interval, constant: true}
	fields := strings.Fields(strings.ToLower(text + " " + unit))
	for i := 0; i+1 < len(fields) || i < len(fields); i += 2 {
		n, err := strconv.Atoi(fields[i])
		var months, days int
		known := i+1 < len(fields)
		if known {
			var u [2]int
			name := fields[i+1]
			if u, known = units[name]; !known {
				u, known = units[strings.TrimSuffix(name, "s")]
			}
			months, days = u[0], u[1]
		}
		if err != nil || !known || n > 100_000 || n < -100_000 {
			refuse("Write it as INTERVAL '6 months', with years, months, weeks or days.", "the interval '%s' is not read", cut(text))
		}
		e.months, e.days = e.months+n*months, e.days+n*days
	}
	return e
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

// numbers refuses operands that are no numbers.
func (p *parser) numbers(op string, a, b *expr) (x, y *expr) {
	for _, e := range []**expr{&a, &b} {
		if (*e).quoted != nil {
			*e = p.as(*e, Real)
		}
		if (*e).typ == Interval {
			refuse("Subtract two dates: completion_date - start_date is a number of days.", "%s takes numbers, not intervals", op)
		}
		if t := (*e).typ; t != Integer && t != Real && t != Untyped || (*e).row != nil {
			refuse("Write ::numeric after a text with a number, or use the column that ends in _num.", "%s takes numbers, not %s", op,
				named(*e))
		}
	}
	return a, b
}

// boolean refuses an expression that is no condition.
func (p *parser) boolean(e *expr, where string) *expr {
	if e.quoted != nil || e.typ == Untyped {
		return p.as(e, Boolean)
	}
	if e.typ != Boolean {
		refuse("Write a comparison, as in > 0 or IS NOT NULL.", "%s takes a condition, not %s", where, named(e))
	}
	return e
}
