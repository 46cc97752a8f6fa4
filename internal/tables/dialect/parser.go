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
	if advice := constructs[p.peek().text]; advice != "" && p.peek().kind != text {
		refuse(advice, "%s is not read here", strings.ToUpper(p.peek().text))
	}
	where := ""
	if p.at > 0 {
		where = " after " + strconv.Quote(cut(p.tokens[p.at-1].text))
	}
	refuse("Check the statement there; describe_registry or biofact mirror tables lists the tables and columns.",
		"%s is found%s, where %s is expected", p.shown(), where, want)
}

// constructs lists the words that are not read, with the remedy.
var constructs = map[string]string{
	"[": "Write IN ('a', 'b') instead of an array; brackets are not read.", "lateral": "Join with a query that has GROUP BY instead.",
	"similar": "Write ~ with a regular expression, or ILIKE.", "array": "Write = ANY (ARRAY['a', 'b']), or IN ('a', 'b').",
	"any": "Write IN (…), with a list or a query.", "some": "Write IN (…), with a list or a query.",
	"all":         "Compare with max(x) or min(x) of a query.",
	"tablesample": "Write LIMIT, or WHERE nct_id LIKE '%7'.", "into": oneQuery, "for": "Leave FOR out: nothing is locked.",
	"grouping": "Write a query for each grouping, joined by UNION ALL.", "rollup": "Write a query for each grouping, joined by UNION ALL.",
	"cube":   "Write a query for each grouping, joined by UNION ALL.",
	"window": "Write the window within OVER (…).", "glob": "Write LIKE, ILIKE or ~.", "match": "Write ILIKE or ~.",
	"regexp":  "Write ~ or ~*.",
	"collate": "Leave COLLATE out.", "->": "The tables have no JSON; use their columns.",
	"->>":     "The tables have no JSON; use their columns.",
	"qualify": "Put the window function into a query of WITH, and write WHERE over it.", "top": "Write LIMIT at the end.",
	"returning": oneQuery, "at": "Leave AT TIME ZONE out: the tables have days only.", "indexed": "Leave INDEXED BY out.",
	"pivot": "Write count(*) FILTER (WHERE …) for each column.", "escape": "Write ILIKE without ESCAPE; a backslash escapes % and _.",
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
		all = append(all, p.name("a name"))
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

// name reads a name.
func (p *parser) name(want string) string {
	if !p.isName() {
		p.unexpected(want)
	}
	name := p.take().text
	if name == "" || strings.ContainsAny(name, "\x00") || len(name) > 128 {
		refuse("Write a name of at most 128 letters.", "%q is no name", cut(name))
	}
	return name
}

// ident returns a name as an identifier of SQLite.
func ident(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// literal returns a text as a literal of SQLite.
func literal(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
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
