package dialect

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const (
	// maxDepth bounds how deep brackets and operators nest.
	maxDepth = 100
	// maxColumns bounds the columns of a query.
	maxColumns = 500
)

// A parser reads the tokens of a statement and writes them for SQLite.
type parser struct {
	tokens []token
	at     int
	depth  int
	scope  *scope
	window bool // within a window
	clause bool // of the clause WINDOW, which is read at each use
	named  *namedQuery
	trials int // of first arms of WITH RECURSIVE
	out    *Statement
}

func (p *parser) peek() token { return p.tokens[p.at] }

func (p *parser) ahead(n int) token { return p.tokens[min(p.at+n, len(p.tokens)-1)] }

func (p *parser) take() token {
	t := p.tokens[p.at]
	if t.kind != end {
		p.at++
	}
	return t
}

// accept takes the next tokens if they are some words or symbols.
func (p *parser) accept(texts ...string) bool {
	for i, text := range texts {
		if !p.ahead(i).is(text) {
			return false
		}
	}
	p.at += len(texts)
	return true
}

func (p *parser) expect(texts ...string) {
	for _, text := range texts {
		if !p.accept(text) {
			p.unexpected(strings.ToUpper(text))
		}
	}
}

// shown returns the next token for a message.
func (p *parser) shown() string {
	switch t := p.peek(); t.kind {
	case end:
		return "the end of the statement"
	case text:
		return "'" + cut(t.text) + "'"
	default:
		return strconv.Quote(cut(t.text))
	}
}

// unexpected refuses the next token.
func (p *parser) unexpected(want string) {
	if advice := constructs()[p.peek().text]; advice != "" && p.peek().kind != text {
		refuse(advice, "%s is not read here", strings.ToUpper(p.peek().text))
	}
	where := ""
	if p.at > 0 {
		where = " after " + strconv.Quote(cut(p.tokens[p.at-1].text))
	}
	refuse("Check the statement there; describe_registry or biofact mirror tables lists the tables and columns.",
		"%s is found%s, where %s is expected", p.shown(), where, want)
}

// deeper counts a level of nesting until the returned function is called.
func (p *parser) deeper() func() {
	if p.depth++; p.depth > maxDepth {
		refuse("Split it with WITH.", "the statement nests deeper than %d levels", maxDepth)
	}
	return func() { p.depth-- }
}

// list reads elements that are separated by commas.
func (p *parser) list(element func() string) string {
	all := []string{element()}
	for p.accept(",") {
		all = append(all, element())
	}
	return strings.Join(all, ", ")
}

// names reads names up to a closing bracket.
func (p *parser) names() (all []string) {
	for {
		all = append(all, p.readName("a name"))
		if p.accept(")") {
			return all
		}
		p.expect(",")
	}
}

// reserved are the words that are no names.
var reserved = strings.Fields("all and any array as asc between both case cast cross desc distinct else end except exists fetch for " +
	"from full group having ilike in inner intersect into is join lateral leading left like limit natural not null nulls offset on or " +
	"order outer right select similar tablesample then trailing union using when where window with true false returning " +
	"filter over within isnull notnull collate")

// isName reports whether the next token is a name.
func (p *parser) isName() bool {
	t := p.peek()
	return t.kind == quoted || t.kind == word && !slices.Contains(reserved, t.text)
}

// readName reads a name.
func (p *parser) readName(want string) string {
	if !p.isName() {
		p.unexpected(want)
	}
	name := p.take().text
	if name == "" || strings.ContainsAny(name, "\x00") || len(name) > 128 {
		refuse("Write a name of at most 128 letters.", "%q is no name", cut(name))
	}
	return name
}

func (p *parser) acceptOne(words ...string) {
	if p.peek().is(words...) {
		p.at++
	}
}

// maxNotices bounds the notices of a statement.
const maxNotices = 20

// notice adds a notice once.
func (p *parser) notice(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); len(p.out.Notices) < maxNotices && !slices.Contains(p.out.Notices, text) {
		p.out.Notices = append(p.out.Notices, text)
	}
}

// skipBrackets skips brackets with their contents.
func (p *parser) skipBrackets() {
	open := p.at
	p.expect("(")
	p.at = p.tokens[open].pair
	p.expect(")")
}

// direction reads ASC, DESC and the place of NULL, which is last in PostgreSQL's ascending order.
func (p *parser) direction() string {
	down := p.accept("desc")
	if !down {
		p.accept("asc")
	}
	first := down
	switch {
	case p.accept("nulls", "first"):
		first = true
	case p.accept("nulls", "last"):
		first = false
	}
	out := " ASC"
	if down {
		out = " DESC"
	}
	if first {
		return out + " NULLS FIRST"
	}
	return out + " NULLS LAST"
}

// count reads the number of LIMIT or OFFSET.
func (p *parser) count() string {
	t := p.take()
	if _, err := strconv.ParseUint(t.text, 10, 31); err != nil || t.kind != number {
		refuse("Write a number, as in LIMIT 10.", "LIMIT and OFFSET take a number")
	}
	return t.text
}

// isQuery reports whether the brackets that were opened hold a query, not a join: SELECT is their first word.
func (p *parser) isQuery() bool {
	at := p.at
	for p.tokens[at].is("(") {
		at++
	}
	return p.tokens[at].is("select", "with", "values")
}

// column returns a column by its name, and by the name of its table if that is given.
func (p *parser) column(table, name string) *expr {
	for s := p.scope; s != nil; s = s.parent {
		found := s.find(table, name)
		if found == nil {
			continue
		}
		for inner := p.scope; inner != s; inner = inner.parent {
			inner.outer = append(inner.outer, found)
		}
		return found
	}
	p.noColumn(table, name)
	return nil
}

// noColumn refuses a column that is not there.
func (p *parser) noColumn(table, name string) {
	var columns, names []string
	for s := p.scope; s != nil; s = s.parent {
		for _, i := range s.tables {
			names = append(names, i.name)
			for _, c := range i.columns {
				if table == "" || i.name == table {
					columns = append(columns, c.Name)
				}
			}
		}
	}
	switch advice := constructs()[name]; {
	case advice != "":
		refuse(advice, "no table of FROM has a column %s", cut(name))
	case slices.Contains(names, name) && table == "":
		refuse("Name its columns, as in "+name+".nct_id; count(*) counts its rows.", "%s is a table, not a column", cut(name))
	case table != "" && !slices.Contains(names, table):
		refuse(suggestion(table, names, "Name it in FROM."), "FROM has no table %s", cut(table))
	case len(names) == 0:
		refuse("Add FROM and a table; texts have single quotes.", "%s is no column, because the query has no FROM", cut(name))
	case table != "":
		refuse(suggestion(name, columns, "Texts have single quotes."), "%s has no column %s", cut(table), cut(name))
	}
	refuse(suggestion(name, columns, "Texts have single quotes."), "no table of FROM has a column %s", cut(name))
}
