package query

import (
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/boolean"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
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

// ExcludedWords returns the first run of several words after NOT, or "". NOT excludes the records that have all of these words, not only
// those with the phrase.
func (q *Text) ExcludedWords() string {
	runs := q.runs()
	for i := 1; i < len(runs); i++ {
		if runs[i-1][0].Text == "NOT" && runs[i-1][0].Kind == boolean.Operator && len(runs[i]) > 1 {
			return boolean.Join(runs[i], func(t boolean.Token) string { return t.Text })
		}
	}
	return ""
}

// OnlyExcludes reports whether the text, or one of its alternatives, requires no word: it matches nearly every record.
func (q *Text) OnlyExcludes() bool {
	if q.Expression == "" {
		return false
	}
	requires, not := []bool{false}, []bool{false} // of each open parenthesis
	negated := false
	for _, run := range q.runs() {
		last := len(not) - 1
		switch t := run[0]; {
		case t.Kind == boolean.Operator && t.Text == "NOT":
			negated = !negated
		case t.Kind == boolean.Operator:
			if t.Text == "OR" && last == 0 {
				if !requires[0] {
					return true
				}
				requires[0] = false
			}
		case t.Kind == boolean.Open:
			requires, not, negated = append(requires, false), append(not, negated), false
		case t.Kind == boolean.Close:
			inside := requires[last] && !not[last]
			requires, not = requires[:last], not[:last]
			requires[last-1] = requires[last-1] || inside
		default:
			requires[last] = requires[last] || !negated
			negated = false
		}
	}
	return !requires[0]
}

var (
	// smallOr separates alternatives, and either is the word before them.
	smallOr = lazyregexp.New(`(?:\s*,)?\s+(?:and/)?[Oo]r\s+`)
	either  = lazyregexp.New(`^(?i)either\s+`)
	// relating matches words that mean something only with the words after an "or": one or more, with or without, stage 3 or 4.
	relating = lazyregexp.New(`(?i)[0-9]|\b(?:with(?:out)?|i{1,3}|iv|one|two|more|less|few|fewer|first|second|later|earlier|longer|older|younger|both|greater|higher|lower|above|below|no|not|other|others)\b`)
)

// AlternativesOf returns the parts of a text that a small "or" joins, such as asthma or COPD; nil for other texts, and for a text with
// operators or parentheses. Commas before the first "or" join parts as well. alike reports that no part is longer than the first,
// so that no word of one belongs to the others as well, as in heart or kidney failure.
func AlternativesOf(text string) (parts []string, alike bool) {
	if slices.ContainsFunc(lexText(text), func(t boolean.Token) bool { return t.Kind != boolean.Word && t.Kind != boolean.Phrase }) {
		return nil, false
	}
	if _, findings := Rewrite(text); len(findings) > 1 { // syntax of another search language as well
		return nil, false
	}
	parts = smallOr.Split(either.ReplaceAllString(strings.TrimSpace(text), ""), -1)
	if len(parts) < 2 {
		return nil, false
	}
	parts = append(strings.FieldsFunc(parts[0], func(r rune) bool { return r == ',' }), parts[1:]...)
	alike = true
	for i, part := range parts {
		parts[i] = strings.TrimSpace(part)
		if strings.Count(part, `"`)%2 > 0 || !ReadText(part).Distinguishes() {
			return nil, false
		}
		words := len(strings.Fields(parts[i]))
		alike = alike && words <= 3 && words <= len(strings.Fields(parts[0])) && !relating.MatchString(part)
	}
	return parts, alike
}
