// Package dialect translates a query of PostgreSQL over the tables of AACT to SQLite. It reads the statement once, with the types of its
// columns, and writes another one: SQLite never gets a text of the caller. It refuses other constructs in words. It opens no file.
package dialect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/tables"
)

// A Problem is the error of a statement that is refused: the fault, and the next step.
type Problem struct{ Message, Next string }

func (p *Problem) Error() string { return p.Message }

// refuse ends the reading of a statement. Translate returns the problem.
func refuse(next, format string, args ...any) {
	panic(&Problem{Message: fmt.Sprintf(format, args...), Next: next})
}

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
)

func (t Type) String() string {
	return [...]string{"text", "text", "integer", "numeric", "boolean", "date", "interval"}[t]
}

// A Column is a column of the answer.
type Column struct {
	Name string
	Type Type

	values []string // of the registry's closed list
}

// A Statement is a query for SQLite.
type Statement struct {
	SQL     string
	Columns []Column
	Notices []string
	// Tables are the tables that it reads, each once.
	Tables []*tables.Table
}

// Translate reads a query. Its error is a *Problem.
func Translate(statement string) (s *Statement, err error) {
	defer caught(&err)
	p := &parser{tokens: lex(statement), out: &Statement{}}
	p.begins()
	q := p.query()
	for p.accept(";") {
	}
	if p.peek().kind != end {
		if p.at > 0 && p.tokens[p.at-1].is(";") {
			refuse("Send each statement alone.", "only one statement is read")
		}
		p.unexpected("the end of the statement")
	}
	p.out.SQL, p.out.Columns = q.sql, q.columns
	return p.out, nil
}

// caught makes an error of a refusal.
func caught(err *error) {
	switch problem := recover().(type) {
	case nil:
	case *Problem:
		*err = problem
	default:
		panic(problem)
	}
}

// refusedWords lists refused words at the begin of a statement, with the reason.
var refusedWords = map[string]string{
	"insert": writes, "update": writes, "delete": writes, "merge": writes, "replace": writes, "create": writes, "drop": writes,
	"alter": writes, "truncate": writes, "copy": writes, "grant": writes, "revoke": writes, "comment": writes, "import": writes,
	"attach": files, "detach": files, "vacuum": files, "reindex": files, "analyze": files, "load": files, "pragma": settings,
	"set": settings, "reset": settings, "show": settings, "explain": settings, "describe": settings, "desc": settings, "use": settings,
	"begin": settings, "start": settings, "commit": settings, "end": settings, "rollback": settings, "savepoint": settings,
	"release": settings, "abort": settings, "lock": settings, "declare": settings, "fetch": settings, "execute": settings,
	"prepare": settings, "do": settings, "call": settings, "listen": settings, "discard": settings,
}

const (
	writes   = "it would change data; the tables are read only"
	files    = "it acts on files; the tables are read only"
	settings = "only queries are read"
)

const oneQuery = "Send one query that begins with SELECT, WITH or VALUES, as in SELECT count(*) FROM studies."

// begins refuses a statement that is no query.
func (p *parser) begins() {
	first := p.peek()
	if why := refusedWords[first.text]; first.kind == word && why != "" {
		refuse(oneQuery, "%s is refused: %s", strings.ToUpper(first.text), why)
	}
	if first.kind == end || first.is(";") {
		refuse(oneQuery, "the statement is empty")
	}
	if !first.is("select", "with", "values", "(") {
		refuse(oneQuery, "%s begins no query", p.shown())
	}
}

// cut returns a text of the statement for a message.
func cut(text string) string {
	if runes := []rune(text); len(runes) > 60 {
		return string(runes[:60]) + "…"
	}
	return text
}

// nearest returns the name that is most like another one, "" if none is like it.
func nearest(name string, names []string) (best string) {
	least := max(2, len(name)/3) + 1
	for _, candidate := range names {
		distance := edits(name, candidate)
		if strings.Contains(candidate, name) && len(name) > 2 {
			distance = min(distance, 2)
		}
		if distance < least {
			best, least = candidate, distance
		}
	}
	return best
}

// edits returns the number of letters to change, add or remove between two short texts.
func edits(a, b string) int {
	if len(a) > 64 {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := before
			if a[i] != b[j] {
				cost++
			}
			before = row[j+1]
			row[j+1] = min(cost, before+1, row[j]+1)
		}
	}
	return row[len(b)]
}

// suggestion returns a next step that names the nearest of some names, or another step.
func suggestion(name string, names []string, other string) string {
	if best := nearest(name, names); best != "" {
		return "Did you mean " + best + "? " + other
	}
	return other
}

// maxNotices bounds the notices of a statement.
const maxNotices = 20

// notice adds a notice once.
func (p *parser) notice(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); len(p.out.Notices) < maxNotices && !slices.Contains(p.out.Notices, text) {
		p.out.Notices = append(p.out.Notices, text)
	}
}

// Table returns the table of a name, with or without its schema. Its error is a *Problem.
func Table(name string) (t *tables.Table, err error) {
	defer caught(&err)
	name = strings.ToLower(strings.TrimSpace(name))
	for _, schema := range []string{"ctgov.", "public."} {
		name = strings.TrimPrefix(name, schema)
	}
	return known(name), nil
}

// known returns the table of a name.
func known(name string) *tables.Table {
	t := tables.Named(name)
	if t == nil {
		var names []string
		for _, t := range tables.All() {
			names = append(names, t.Name)
		}
		refuse(suggestion(name, names, "describe_registry or biofact mirror tables lists the tables."),
			"no table has the name %s", cut(name))
	}
	return t
}
