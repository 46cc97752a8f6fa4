// Package boolean holds what the query languages of the sources have in
// common: words, phrases, parentheses and AND, OR and NOT. It makes of what
// people wrote a sequence in which every parenthesis has its partner and every
// operator its operands. Reading the signs of a language, and writing it, is
// left to the package of that language.
package boolean

import (
	"slices"
	"strings"
	"unicode"
)

// Kind tells what a Token is.
type Kind int

// The kinds of tokens.
const (
	Word Kind = iota
	Phrase
	Operator
	Open
	Close
)

// Token is a piece of an expression.
type Token struct {
	Kind Kind
	Text string // without the quotes of a phrase
	Tag  string // what qualifies it, in a language that has tags
}

var operators = []string{"AND", "OR", "NOT"}

// IsOperator tells whether a word is an operator: in capitals only.
func IsOperator(word string) bool { return slices.Contains(operators, word) }

// LetterOrDigit tells whether r is one, in any script.
func LetterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// Searchable tells whether a token is something to look for.
func (t Token) Searchable() bool {
	return (t.Kind == Word || t.Kind == Phrase) && strings.ContainsFunc(t.Text, LetterOrDigit)
}

// maxDepth bounds the nesting that is passed on.
const maxDepth = 20

// Balance leaves out the parentheses that have no partner or nothing between
// them, all of them where they nest too deep, and the words and phrases without
// a letter or digit, which part words and say nothing: a dash, an ampersand.
func Balance(tokens []Token) []Token {
	type opened struct{ at, before int }
	var stack []opened
	keep := make([]bool, len(tokens))
	deepest, searchable := 0, 0
	for i, t := range tokens {
		switch {
		case t.Searchable():
			searchable++
			keep[i] = true
		case t.Kind == Operator:
			keep[i] = true
		case t.Kind == Open:
			stack = append(stack, opened{at: i, before: searchable})
			deepest = max(deepest, len(stack))
		case t.Kind == Close && len(stack) > 0:
			start := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			keep[start.at], keep[i] = searchable > start.before, searchable > start.before
		}
	}
	var out []Token
	for i, t := range tokens {
		if keep[i] && (deepest <= maxDepth || t.Kind != Open && t.Kind != Close) {
			out = append(out, t)
		}
	}
	return out
}

// DropDangling leaves out operators without operands, which are syntax errors,
// and names them. NOT needs nothing before it. What follows an operator decides
// first, from the end on: then no operator is left that one before it needs.
func DropDangling(tokens []Token) (out []Token, dropped []string) {
	dangling := make([]bool, len(tokens))
	next := -1
	for i := len(tokens) - 1; i >= 0; i-- {
		dangling[i] = tokens[i].Kind == Operator && (next < 0 || !tokens[next].startsOperand())
		if !dangling[i] {
			next = i
		}
	}
	for i, t := range tokens {
		joins := t.Kind == Operator && t.Text != "NOT"
		if !dangling[i] && (!joins || len(out) > 0 && out[len(out)-1].EndsOperand()) {
			out = append(out, t)
		} else if !slices.Contains(dropped, t.Text) {
			dropped = append(dropped, t.Text)
		}
	}
	return out, dropped
}

func (t Token) startsOperand() bool {
	return t.Kind == Word || t.Kind == Phrase || t.Kind == Open || t.Kind == Operator && t.Text == "NOT"
}

// EndsOperand tells whether an operator may follow.
func (t Token) EndsOperand() bool { return t.Kind == Word || t.Kind == Phrase || t.Kind == Close }

// Join writes the tokens, each by render, with a space where one is needed.
func Join(tokens []Token, render func(Token) string) string {
	var out strings.Builder
	for i, t := range tokens {
		if i > 0 && tokens[i-1].Kind != Open && t.Kind != Close {
			out.WriteByte(' ')
		}
		out.WriteString(render(t))
	}
	return out.String()
}

// Distinguishes tells whether a text can tell any records apart: it has at
// least two letters or digits outside stopWords, which are in lower case.
func Distinguishes(text string, stopWords []string) bool {
	count := 0
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !LetterOrDigit(r) }) {
		if !slices.Contains(stopWords, strings.ToLower(w)) {
			count += len([]rune(w))
		}
	}
	return count >= 2
}
