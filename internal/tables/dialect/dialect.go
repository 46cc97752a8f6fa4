// Package dialect translates a query of PostgreSQL over the tables of AACT to SQLite. It reads the statement once, with the types of its
// columns, and writes another one: SQLite never gets a text of the caller. It refuses other constructs in words. It opens no file.
package dialect

import (
	"strings"

	"github.com/biofact-mcp/biofact/internal/tables"
)

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

// Table returns the table of a name, with or without its schema. Its error is a *Problem.
func Table(name string) (t *tables.Table, err error) {
	defer caught(&err)
	name = strings.ToLower(strings.TrimSpace(name))
	for _, schema := range []string{"ctgov.", "public."} {
		name = strings.TrimPrefix(name, schema)
	}
	return known(name), nil
}
