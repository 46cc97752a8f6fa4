package dialect

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/tables"
)

// A Type is the type of a value.
type Type int

// The types. Untyped is that of NULL and of a text in quotes, which take the type of the value beside them.
const (
	Untyped Type = iota
	Text
	Integer
	Real
	Boolean
	Date
	Interval
	Array
)

func (t Type) String() string {
	return [...]string{"text", "text", "integer", "numeric", "boolean", "date", "interval", "array"}[t]
}

// A Column is a column of the answer.
type Column struct {
	Name string
	Type Type

	values []string // of the registry's closed list
	shape
}

// A shape describes a number or an array beyond its type.
type shape struct {
	elem   Type // of an array
	bits   int  // of a whole number, without its sign; 0: not known
	places int  // digits after the point in its text, and 1; 0: not known
	float  bool // it is of double precision, whose halves are rounded to the even number
}

// A Statement is a query for SQLite.
type Statement struct {
	SQL     string
	Columns []Column
	Notices []string
	// Tables are the tables that it reads, each once.
	Tables []*tables.Table
}

// An expr is an expression as SQLite reads it, with its type.
type expr struct {
	sql    string
	typ    Type
	name   string // of a column of the answer
	of     *instance
	column string   // of the instance
	values []string // of the registry's closed list
	quoted *string  // the text of a literal
	row    []*expr
	kids   []*expr

	aggregate  bool      // it is an aggregate
	aggregates bool      // it, or a part of it, is one
	list       [2]string // of a list in JSON: the text around it
	constant   bool      // of an interval: it has a fixed length
	nonzero    bool
	shape
	stamp        bool // a date with the time of day 00:00:00
	moment       bool // a time of day, of which the day is taken
	months, days int
	times        string // of an interval: its factor for SQLite, and *
}

// joined returns an expression of parts.
func joined(sql string, typ Type, parts ...*expr) *expr {
	e := &expr{sql: sql, typ: typ, kids: parts}
	for _, part := range parts {
		e.aggregates = e.aggregates || part.aggregates
		e.float = e.float || part.float && typ == Real
	}
	return e
}

// called returns a function of SQLite with its arguments.
func called(function string, typ Type, args ...*expr) *expr {
	return joined(function+"("+sqlOf(args)+")", typ, args...)
}

// infix returns an operator of SQLite between two expressions.
func infix(a *expr, op string, b *expr, typ Type) *expr {
	return joined("("+a.sql+" "+op+" "+b.sql+")", typ, a, b)
}

func (e *expr) isNumber() bool { return e.typ == Integer || e.typ == Real }

// isBit reports whether it is 0 or 1.
func (e *expr) isBit() bool { return e.sql == "0" || e.sql == "1" }

// ofColumns reports whether a column is a part of an expression.
func (e *expr) ofColumns() bool { return e.of != nil || slices.ContainsFunc(e.kids, (*expr).ofColumns) }

// mayFail reports whether a part of an expression converts a text.
func (e *expr) mayFail() bool {
	isIn := func(function string) bool { return strings.Contains(e.sql, function) }
	return slices.ContainsFunc([]string{"_int(", "_real(", "_date(", "_bool("}, isIn)
}

// The sizes of a number of days, and of a number of rows or letters.
const (
	dayBits   = 23
	countBits = 40
)

// maxBits is the size of the largest whole number.
const maxBits = 63

// size returns the bits of a whole number.
func (e *expr) size() int { return cmp.Or(e.bits, maxBits) }

// sized returns an expression with its size. SQLite makes a rounded number of an integer that is too large; the function refuses it.
func sized(e *expr, bits int) *expr {
	if e.bits = bits; e.typ == Integer && bits > maxBits {
		e.sql, e.bits = "_whole("+e.sql+")", maxBits
	}
	return e
}

// named returns an expression for a message.
func named(e *expr) string {
	if e.column != "" {
		return cut(e.column) + ", of the type " + e.typ.String()
	}
	return "a value of the type " + e.typ.String()
}

// numeral returns a number.
func numeral(text string) *expr {
	e := &expr{sql: text, typ: Integer}
	n, err := strconv.ParseInt(text, 10, 64)
	e.bits = max(1, bits.Len64(uint64(n)))
	e.nonzero = n != 0
	if err != nil {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			refuse("Write a smaller number.", "%s is too large", cut(text))
		}
		if strings.Trim(text, "0123456789") == "" {
			refuse("Write a smaller number, or one with a decimal point.", "%s is larger than the largest whole number", cut(text))
		}
		e.typ, e.nonzero = Real, x != 0
		e.sql = strconv.FormatFloat(x, 'e', -1, 64)
		if _, decimals, ok := strings.Cut(text, "."); ok && !strings.ContainsAny(decimals, "eE") {
			e.places = len(decimals) + 1
		}
	}
	return e
}

func rowOf(row []*expr) *expr {
	e := joined("("+sqlOf(row)+")", Untyped, row...)
	e.row = row
	return e
}

// sqlOf returns expressions for SQLite, with commas between them.
func sqlOf(all []*expr) string {
	var parts []string
	for _, e := range all {
		parts = append(parts, e.sql)
	}
	return strings.Join(parts, ", ")
}

// A scope has the tables that a query reads. Its parent is that of the query around it.
type scope struct {
	parent *scope
	tables []*instance
	merged map[string]string // columns of USING: their value for SQLite
	outer  []*expr           // columns of the parents that are used here
	set    string            // the function in the list of SELECT that returns rows; "-": none may stand here
}

// An instance is a table, or another source of rows, by its name in a query.
type instance struct {
	name    string
	columns []Column
	key     string          // the column that determines the others; "": none
	hidden  map[string]bool // columns of USING, which an instance before it shows
	set     bool            // it has the rows of a function, whose column is called value
	lateral bool            // of LATERAL: its rows are lists in that column
}

// column returns an expression for the column with a number.
func (i *instance) column(n int) *expr {
	c := i.columns[n]
	sql := ident(i.name) + "." + nameOf(i.columns, n)
	if i.set {
		sql = ident(i.name) + ".value"
	}
	if i.lateral {
		sql = fmt.Sprintf("json_extract(%s.value, '$[%d]')", ident(i.name), n)
	}
	return &expr{sql: sql, typ: c.Type, name: c.Name, of: i, column: c.Name, values: c.values, shape: c.shape}
}

// find returns a column of a scope, or nil.
func (s *scope) find(table, name string) (found *expr) {
	for _, i := range s.tables {
		if table != "" && i.name != table {
			continue
		}
		for n, c := range i.columns {
			if c.Name != name || found != nil && table == "" && i.hidden[name] {
				continue
			}
			if found != nil {
				refuse("Write the name of its table before it, as in "+i.name+"."+name+".", "%s is a column of %s and of %s", cut(name),
					cut(found.of.name), cut(i.name))
			}
			found = i.column(n)
		}
	}
	if found != nil && table == "" && s.merged[name] != "" {
		found.sql = s.merged[name]
	}
	return found
}

// A namedQuery is a query of WITH.
type namedQuery struct {
	name    string
	columns []Column
	next    *namedQuery
}

// renamed returns columns with other names.
func renamed(columns []Column, names []string, of string) []Column {
	if len(names) > len(columns) {
		refuse("Give as many names as the query has columns.", "%s has %d columns, but %d names", cut(of), len(columns), len(names))
	}
	columns = slices.Clone(columns)
	for i, name := range names {
		columns[i].Name = name
	}
	return columns
}

// namesOf returns the names of columns for SQLite. Of equal names the later ones get a number, which nothing can ask for.
func namesOf(columns []Column) string {
	var all []string
	for i := range columns {
		all = append(all, nameOf(columns, i))
	}
	return strings.Join(all, ", ")
}

// nameOf returns the name of a column for SQLite, which takes names that differ in case alone for one.
func nameOf(columns []Column, i int) string {
	name := columns[i].Name
	if slices.ContainsFunc(columns[:i], func(other Column) bool { return strings.EqualFold(other.Name, name) }) {
		name += ":" + strconv.Itoa(i)
	}
	return ident(name)
}

// ident returns a name as an identifier of SQLite.
func ident(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// literal returns a text as a literal of SQLite.
func literal(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// flag returns 1 or 0.
func flag(on bool) int {
	if on {
		return 1
	}
	return 0
}
