package dialect

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed functions.txt
var functionTable string

// A function is one that reads the values of a row.
type function struct {
	name string
	args string // its letters
	typ  string // its letter, or =
	sql  string // its name for SQLite
	// instead says what to write for a function that is not read; "": it is read.
	instead string
}

// functions are those of functions.txt, which describes the letters.
var functions = sync.OnceValue(func() (all []function) {
	for line := range strings.Lines(functionTable) {
		name, instead, refused := strings.Cut(strings.TrimSpace(line), ": ")
		switch fields := strings.Fields(line); {
		case fields[0] == "#":
		case refused:
			all = append(all, function{name: name, instead: instead})
		default:
			all = append(all, function{name: fields[0], args: fields[1], typ: fields[2], sql: fields[3]})
		}
	}
	return all
})

// functionNamed returns the function of a name. Known reports that it exists.
func functionNamed(name string) (f function, known bool) {
	i := slices.IndexFunc(functions(), func(f function) bool { return f.name == name })
	if i < 0 {
		return f, false
	}
	return functions()[i], true
}

var letters = map[byte]Type{'t': Text, 'n': Real, 'i': Integer, 'd': Date, 'r': Real, 'f': Real, 'b': Boolean, 'I': Interval,
	'a': Untyped, 'A': Array}

// functionNames lists the functions that are read.
func functionNames() (all []string) {
	for _, f := range functions() {
		if f.instead == "" {
			all = append(all, f.name)
		}
	}
	return append(all, "count", "sum", "avg", "min", "max", "string_agg", "coalesce", "nullif", "greatest", "least", "percentile_cont",
		"row_number", "rank", "dense_rank", "lag", "lead", "stddev", "extract", "cast", "position", "trim")
}

// call reads a function after its opening bracket.
func (p *parser) call(name string) *expr {
	var e *expr
	switch f, _ := functionNamed(name); {
	case f.instead != "":
		refuse(f.instead, "the function %s is not here", cut(name))
	case isSet(name):
		e = p.setItem(name)
	case slices.Contains(aggregates, name):
		e = p.readAggregate(name)
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
	if f, known := functionNamed(name); known {
		e := p.signed(f, args)
		if change := changedCase[name]; change != nil {
			for _, value := range args[0].values {
				e.values = append(e.values, change(value))
			}
		}
		return e
	}
	refuse(suggestion(name, functionNames(), "docs/database.md lists the functions."), "no function has the name %s", cut(name))
	return nil
}

// changedCase are the functions that keep the values of a closed list but for their case.
var changedCase = map[string]func(string) string{"lower": strings.ToLower, "upper": strings.ToUpper}

// signed returns a function with a signature.
func (p *parser) signed(f function, args []*expr) *expr {
	p.convertAll(f, args)
	switch f.name {
	case "date_part":
		return p.extract(args[0].sql, args[1])
	case "age":
		if len(args) == 1 {
			args = []*expr{{sql: "date('now')", typ: Date}, args[0]}
		}
	}
	typ := letters[f.typ[0]]
	if f.typ == "=" {
		typ = args[0].typ
		for _, e := range args {
			typ = common(typ, e.typ, f.name)
		}
	}
	return f.shaped(called(f.sql, typ, args...), args)
}

// convertAll gives the arguments of a function the types of its signature.
func (p *parser) convertAll(f function, args []*expr) {
	kinds := f.kinds(len(args))
	for i, e := range args {
		switch kind := letters[kinds[min(i, len(kinds)-1)]]; {
		case kind == Untyped && e.typ == Boolean:
			args[i] = joined("(CASE "+e.sql+" WHEN 1 THEN 't' WHEN 0 THEN 'f' END)", Text, e)
		case kind == Untyped:
			args[i] = p.asText(e)
		case f.name == "to_char" && e.isNumber():
			refuse("Write ::text after the number, or round(x, 1)::text.", "to_char of a number is not read")
		case f.name == "date_part" && i == 1 && e.typ == Interval:
		default:
			args[i] = p.as(e, kind)
		}
	}
}

// shaped adds to a call of a function the shape of its number.
func (f function) shaped(e *expr, args []*expr) *expr {
	numeric := slices.ContainsFunc(args, func(arg *expr) bool { return arg.typ != Integer })
	e.float = e.float || f.typ == "f" && !numeric
	switch {
	case f.name != "round" && f.name != "trunc":
	case len(args) == 2:
		n, err := strconv.Atoi(args[1].sql)
		e.places = max(0, n) + 1 - flag(err != nil)
	case f.name == "round" && e.float:
		e.sql = "_even(" + args[0].sql + ")"
	}
	return e
}

// kinds returns the letters of so many arguments. It refuses a wrong number of arguments.
func (f function) kinds(n int) string {
	kinds, repeats := strings.CutSuffix(f.args, "*")
	required := strings.IndexByte(kinds, '?')
	kinds = strings.ReplaceAll(kinds, "?", "")
	if required < 0 {
		required = len(kinds)
	}
	if n < required || n > len(kinds) && !repeats {
		refuse("Write "+f.name+"("+strings.Join(namesOfKinds(kinds), ", ")+").", "%s has %d arguments", f.name, n)
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
