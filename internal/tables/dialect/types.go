package dialect

import (
	"slices"
	"strconv"
	"strings"
	"time"

	registry "github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/tables"
)

// match gives two operands one type.
func (p *parser) match(a, b *expr, op string) (x, y *expr) {
	p.legacy(a, b, false)
	p.legacy(b, a, false)
	if a.row != nil || b.row != nil {
		if len(a.row) != len(b.row) {
			refuse("Write as many values on both sides.", "two rows have different lengths")
		}
		x, y := slices.Clone(a.row), slices.Clone(b.row)
		for i := range x {
			x[i], y[i] = p.match(x[i], y[i], op)
		}
		return rowOf(x), rowOf(y)
	}
	switch {
	case a.typ == Interval || b.typ == Interval:
		refuse("Compare a number of days: the difference of two dates is one.", "an interval is compared")
	case a.typ == Untyped && b.typ == Untyped:
		return a, b
	case a.typ == Untyped:
		return p.as(a, b.typ), b
	case b.typ == Untyped:
		return a, p.as(b, a.typ)
	case a.typ == Boolean && (b.sql == "0" || b.sql == "1"), b.typ == Boolean && (a.sql == "0" || a.sql == "1"):
		return a, b
	}
	if a.typ != b.typ && (a.typ == Date || b.typ == Date) {
		refuse("Write ::date or ::text after one of them.", "%s takes values of one type, not %s and %s", op, a.typ, b.typ)
	}
	common(a.typ, b.typ, op)
	return a, b
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
		truth, known := truths[strings.ToLower(value)]
		if !known {
			refuse("Write TRUE or FALSE.", "'%s' is no boolean value", cut(value))
		}
		converted.sql = truth
	case Date:
		day := Day(value)
		if day == "" {
			refuse("Write a day, as '2015-01-31'.", "'%s' is no day", cut(value))
		}
		converted.sql = literal(day)
	}
	return &converted
}

var truths = map[string]string{"t": "1", "true": "1", "yes": "1", "y": "1", "on": "1", "1": "1",
	"f": "0", "false": "0", "no": "0", "n": "0", "off": "0", "0": "0"}

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
	case e.typ == Integer:
		sql = "CAST(" + e.sql + " AS TEXT)"
	case e.typ == Real:
		sql = "_text(" + e.sql + ")"
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

// convert reads a type, and converts an expression to it.
func (p *parser) convert(e *expr) *expr {
	name := p.peek().text
	t, known := typeNames[name]
	if !known || p.peek().kind == text {
		refuse("Write ::text, ::integer, ::numeric, ::boolean or ::date.", "the type %s is not read", p.shown())
	}
	p.at++
	p.acceptOne("varying", "precision")
	var bounds []int
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
	if p.peek().is("[") {
		p.unexpected("an operator")
	}
	if e.row != nil {
		return p.as(e, t)
	}
	out := p.converted(e, t)
	switch {
	case t == Text && len(bounds) == 1:
		out = joined("substr("+out.sql+", 1, "+strconv.Itoa(bounds[0])+")", Text, e)
	case t == Real && len(bounds) > 0:
		out = joined("_round("+out.sql+", "+strconv.Itoa(append(bounds, 0)[1])+")", Real, e)
	}
	out.name, out.nonzero = firstOf(e.name, name), e.nonzero && t == Real
	return out
}

// converted converts an expression to a type.
func (p *parser) converted(e *expr, t Type) *expr {
	if e.quoted != nil && t == Interval {
		return p.interval(*e.quoted, "")
	}
	if (e.quoted != nil || e.typ == Untyped) && t != Interval {
		out := *p.as(e, t)
		out.typ, out.quoted = t, nil
		if t == Real {
			out.sql = "CAST(" + out.sql + " AS REAL)"
		}
		return &out
	}
	switch {
	case t == Text && e.typ != Interval:
		return p.asText(e)
	case t == e.typ:
		out := *e
		return &out
	case t == Integer && e.typ == Boolean:
		return joined(e.sql, Integer, e)
	case t == Integer && (e.typ == Real || e.typ == Text):
		return joined("_int("+e.sql+")", Integer, e)
	case t == Real && e.typ == Integer:
		return joined("CAST("+e.sql+" AS REAL)", Real, e)
	case t == Real && e.typ == Text:
		return joined("_real("+e.sql+")", Real, e)
	case t == Boolean && e.typ == Integer:
		return joined("("+e.sql+" <> 0)", Boolean, e)
	case t == Boolean && e.typ == Text:
		return joined("_bool("+e.sql+")", Boolean, e)
	case t == Date && e.typ == Text:
		return joined("_date("+e.sql+")", Date, e)
	}
	refuse("Write ::text, or another type.", "%s is not converted to %s", e.typ, t)
	return nil
}

// units are the units of an interval, in months and days.
var units = map[string][2]int{"year": {12, 0}, "mon": {1, 0}, "month": {1, 0}, "week": {0, 7}, "day": {0, 1}, "decade": {120, 0}, "century": {1200, 0},
	"y": {12, 0}, "d": {0, 1}, "w": {0, 7}, "quarter": {3, 0}}

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

// Values returns the closed list of the values of a column, nil for another column.
func Values(c *tables.Column) []string {
	for _, from := range c.From {
		path, how, _ := strings.Cut(from, " ")
		if how != "" && how != "join" {
			return nil
		}
		if piece := registry.PieceAt(path); piece != nil && c.Kind == tables.Text {
			return piece.Enum()
		}
	}
	return nil
}

// renamedValues are the spellings of today that are not the older ones in capitals.
var renamedValues = strings.NewReplacer("PHASE_", "PHASE", "N_A", "NA", "NOT_APPLICABLE", "NA", "UNKNOWN_STATUS", "UNKNOWN", "U_S_FED", "FED",
	"_ASSIGNMENT", "", "ANTICIPATED", "ESTIMATED", "NONE_OPEN_LABEL", "NONE", "OBSERVATIONAL_PATIENT_REGISTRY", "OBSERVATIONAL",
	"SINGLE_BLIND", "SINGLE", "DOUBLE_BLIND", "DOUBLE")

// legacy adds a notice where a column with a closed list is compared with a text outside the list.
func (p *parser) legacy(column, value *expr, pattern bool) {
	if column.values == nil || value.quoted == nil {
		return
	}
	given := *value.quoted
	if pattern {
		given = strings.Trim(given, "%")
	}
	all, today := true, []string{}
	for part := range strings.SplitSeq(given, "/") {
		code := strings.Trim(strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' {
				return r - 'a' + 'A'
			}
			if r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
				return r
			}
			return '_'
		}, part), "_")
		for strings.Contains(code, "__") {
			code = strings.ReplaceAll(code, "__", "_")
		}
		code = renamedValues.Replace(code)
		all = all && slices.Contains(column.values, code)
		today = append(today, code)
	}
	code := strings.Join(today, "/")
	if given == "N/A" {
		code, all = "NA", slices.Contains(column.values, "NA")
	}
	switch {
	case all && code != given && !(pattern && strings.EqualFold(code, given)):
		p.notice("'%s' is written '%s' since 2024", cut(given), code)
	case !all && !pattern && given != "":
		p.notice("'%s' is no value of %s, which has %s", cut(given), column.name, strings.Join(column.values, ", "))
	}
}
