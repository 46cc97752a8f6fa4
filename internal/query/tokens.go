package query

import (
	"strings"

	"github.com/biofact-mcp/biofact/internal/boolean"
)

// In returns the node for the terms of the text in the pieces: each term in any of them.
func (q *Text) In(pieces ...string) Node {
	if len(pieces) == 1 {
		return Source(in(pieces[0], "("+q.Expression+")"))
	}
	var terms []boolean.Token
	for _, run := range q.runs() {
		if !run[0].Searchable() {
			terms = append(terms, run[0])
			continue
		}
		var areas []string
		for _, piece := range pieces {
			areas = append(areas, in(piece, "("+boolean.Join(run, render)+")"))
		}
		terms = append(terms, boolean.Token{Kind: boolean.Word, Text: "(" + strings.Join(areas, " OR ") + ")"})
	}
	return Source(boolean.Join(terms, func(t boolean.Token) string { return t.Text }))
}

// runs returns the tokens in groups: words that follow each other are one group, as the registry reads them as one term. Any other
// token is a group of its own.
func (q *Text) runs() (runs [][]boolean.Token) {
	for i, t := range q.tokens {
		if i > 0 && t.Kind == boolean.Word && q.tokens[i-1].Kind == boolean.Word {
			runs[len(runs)-1] = append(runs[len(runs)-1], t)
			continue
		}
		runs = append(runs, []boolean.Token{t})
	}
	return runs
}
