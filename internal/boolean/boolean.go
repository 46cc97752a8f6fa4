// Package boolean has the common part of query languages: words, phrases, parentheses and AND, OR and NOT. It repairs a sequence of tokens
// so that every parenthesis has its partner and every operator its operands. The package of a language reads its syntax and writes it.
package boolean

import (
	"slices"
	"strings"
	"unicode"
)

// Kind is the kind of a Token.
type Kind int

// The kinds of tokens.
const (
	Word Kind = iota
	Phrase
	Operator
	Open
	Close
)

// Token is a part of an expression.
type Token struct {
	Kind Kind
	Text string // without the quotes of a phrase
}

var operators = []string{"AND", "OR", "NOT"}

// IsOperator reports whether a word is an operator. Only words in capitals are.
func IsOperator(word string) bool { return slices.Contains(operators, word) }

// LetterOrDigit reports whether r is a letter or a digit, in any script.
func LetterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// Searchable reports whether a token is a word or phrase with a letter or digit.
func (t Token) Searchable() bool {
	return (t.Kind == Word || t.Kind == Phrase) && strings.ContainsFunc(t.Text, LetterOrDigit)
}

// maxDepth is the maximum depth of parentheses.
const maxDepth = 20

// Balance removes parentheses that have no partner or are empty, and all parentheses if they are nested more than maxDepth deep. It also
// removes words and phrases without a letter or digit, such as a dash or an ampersand.
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

// DropDangling removes operators without operands, which are syntax errors, and returns them in dropped. NOT needs no operand before it. A
// first pass, from the end, finds operators without a right operand, so that a removed operator is not the operand of the one before it.
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
		if !dangling[i] && (!joins || len(out) > 0 && out[len(out)-1].endsOperand()) {
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

// endsOperand reports whether an operator may follow the token.
func (t Token) endsOperand() bool { return t.Kind == Word || t.Kind == Phrase || t.Kind == Close }

// Join writes the tokens with render, and spaces between them except inside of parentheses.
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

// Distinguishes reports whether a text selects some records from others: it has at least two letters or digits in words that are not in
// stopWords, which are in lower case.
func Distinguishes(text string, stopWords []string) bool {
	count := 0
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !LetterOrDigit(r) }) {
		if !slices.Contains(stopWords, strings.ToLower(w)) {
			count += len([]rune(w))
		}
	}
	return count >= 2
}
