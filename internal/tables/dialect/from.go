package dialect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/tables"
)

// table reads one source of rows of FROM, and adds it to the scope.
func (p *parser) table() string {
	defer p.deeper()()
	if p.accept("(") {
		if !p.isQuery() {
			sql := p.from()
			p.expect(")")
			return "(" + sql + ")"
		}
		inner := p.scope // a query of FROM does not see the tables beside it
		p.scope = inner.parent
		q := p.query()
		p.scope = inner
		p.expect(")")
		alias, names := p.alias("")
		if alias == "" {
			alias = fmt.Sprintf("query%d", len(p.scope.tables)+1)
		}
		columns := renamed(q.columns, names, alias)
		p.add(alias, columns)
		return fmt.Sprintf("(WITH %s(%s) AS (%s) SELECT * FROM %[1]s) AS %[1]s", ident(alias), namesOf(columns), q.sql)
	}
	if sql := p.rowsOfColumns(); sql != "" {
		return sql
	}
	p.accept("only")
	name := p.readName("a table")
	for n := p.named; n != nil && !p.peek().is("."); n = n.next {
		if n.name == name {
			alias, names := p.alias(name)
			p.add(alias, renamed(n.columns, names, alias))
			if len(names) > 0 {
				refuse("Name the columns in WITH.", "the names of columns after %s are not read", cut(name))
			}
			return ident(name) + " AS " + ident(alias)
		}
	}
	t := p.stored(name)
	alias, names := p.alias(t.Name)
	if len(names) > 0 {
		refuse("Use the columns' own names, or AS in a query of WITH.", "the names of columns after %s are not read", cut(t.Name))
	}
	var columns []Column
	for _, c := range t.Columns {
		number := shape{bits: map[tables.Kind]int{tables.Int: 31, tables.Long: 48}[c.Kind], float: strings.HasPrefix(c.Type, "double")}
		if c.Type == "numeric(10,6)" {
			number.places = 6 + 1
		}
		columns = append(columns, Column{Name: c.Name, Type: typeOf(c.Kind), values: Values(&c), shape: number})
	}
	if i := p.add(alias, columns); columns[0].Name == "id" || t.Name == "studies" {
		i.key = columns[0].Name
	}
	return "main." + ident(t.Name) + " AS " + ident(alias)
}

// typeOf returns the type of a kind.
func typeOf(k tables.Kind) Type {
	switch k {
	case tables.Int, tables.Long:
		return Integer
	case tables.Real:
		return Real
	case tables.Bool:
		return Boolean
	case tables.Date, tables.Time:
		return Date
	}
	return Text
}

// stored returns the table of a name, with or without its schema.
func (p *parser) stored(name string) *tables.Table {
	if p.accept(".") {
		schema := name
		if name = p.readName("a table"); schema != "ctgov" && schema != "public" {
			refuse("The tables of the schema ctgov are read, as in ctgov.studies; describe_registry or biofact mirror tables lists them.",
				"the schema %s is not here", cut(schema))
		}
	}
	if p.peek().is("(") {
		refuse("Read a table, or a query in brackets; WITH RECURSIVE makes series.", "%s(…) is no table", cut(name))
	}
	t := known(name)
	if t.Empty != "" {
		p.notice("%s has no rows: %s", t.Name, t.Empty)
	}
	if !slices.Contains(p.out.Tables, t) {
		p.out.Tables = append(p.out.Tables, t)
	}
	return t
}

// alias reads the name that a source of rows gets, and those of its columns.
func (p *parser) alias(name string) (alias string, columns []string) {
	alias = name
	if p.accept("as") || p.isName() {
		alias = p.readName("a name")
		if p.accept("(") {
			columns = p.names()
		}
	}
	return alias, columns
}

// add adds an instance to the scope.
func (p *parser) add(name string, columns []Column) *instance {
	for _, i := range p.scope.tables {
		if i.name == name {
			refuse("Give one of them another name, as in studies AS s2.", "two tables of FROM have the name %s", cut(name))
		}
	}
	i := &instance{name: name, columns: columns}
	p.scope.tables = append(p.scope.tables, i)
	return i
}

// from reads the tables of FROM with their joins.
func (p *parser) from() string {
	sql := p.table()
	for {
		if p.accept(",") {
			sql += " JOIN " + p.table()
			continue
		}
		natural := p.accept("natural")
		var join string
		switch {
		case p.accept("cross", "join"):
			sql += " JOIN " + p.table()
			continue
		case p.accept("inner", "join"), p.accept("join"):
			join = "JOIN"
		case p.peek().is("left", "right", "full"):
			join = strings.ToUpper(p.take().text) + " JOIN"
			p.accept("outer")
			p.expect("join")
		default:
			if natural {
				p.unexpected("JOIN")
			}
			return sql
		}
		if natural {
			refuse("Write JOIN … USING (nct_id).", "NATURAL JOIN is not read: it would also join by id")
		}
		left := len(p.scope.tables)
		sql += " " + join + " " + p.table()
		if p.accept("using") {
			sql += p.using(left, join)
			continue
		}
		p.expect("on")
		sql += " ON " + p.condition("ON").sql
	}
}

// using reads the columns of USING, by which the tables from left on are joined with those before.
func (p *parser) using(left int, join string) string {
	p.expect("(")
	if p.scope.merged == nil {
		p.scope.merged = map[string]string{}
	}
	var conditions []string
	for _, name := range p.names() {
		all := p.scope.tables
		p.scope.tables = all[:left]
		a := p.column("", name)
		p.scope.tables = all[left:]
		merged := p.scope.merged[name]
		delete(p.scope.merged, name)
		b := p.column("", name)
		p.scope.tables = all
		a, b = p.match(a, b, name)
		conditions = append(conditions, a.sql+" = "+b.sql)
		switch {
		case join == "RIGHT JOIN":
			merged = b.sql
		case join == "FULL JOIN":
			merged = "coalesce(" + a.sql + ", " + b.sql + ")"
		case merged == "":
			merged = a.sql
		}
		p.scope.merged[name] = merged
		for _, i := range all[left:] {
			if i.hidden == nil {
				i.hidden = map[string]bool{}
			}
			i.hidden[name] = true
		}
	}
	return " ON " + strings.Join(conditions, " AND ")
}
