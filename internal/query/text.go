package query

import (
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/boolean"
)

// A Text is a text after parsing. Quoted phrases, balanced parentheses and AND, OR and NOT between words keep their meaning. Other syntax
// becomes plain text. Notices describe the difference.
type Text struct {
	tokens []boolean.Token
	// Expression searches for the words of the text. It is empty if the text has no letter or digit.
	Expression string
	Notices    []string
}

// ReadText reads a text.
func ReadText(text string) *Text {
	q := &Text{}
	tokens, dropped := boolean.DropDangling(boolean.Balance(lexText(text)))
	if len(dropped) > 0 {
		q.Notices = append(q.Notices, "In "+quote(excerpt(text))+" operators without words on both sides were ignored: "+
			strings.Join(dropped, ", ")+".")
	}
	if slices.ContainsFunc(tokens, func(t boolean.Token) bool { return t.Kind == boolean.Word && looksLikeArea(t.Text) }) {
		q.Notices = append(q.Notices, "In "+quote(excerpt(text))+
			" square brackets were read as text: field expressions such as AREA[...] belong in the argument expression, "+
			"and most filters have an argument of their own, such as status, phase, study_type and location.")
	}
	q.tokens, q.Expression = tokens, boolean.Join(tokens, render)
	return q
}

// Distinguishes reports whether the expression can match some studies and not others: it has at least two letters or digits, in a word that
// is not in nearly every record.
func (q *Text) Distinguishes() bool { return boolean.Distinguishes(q.Expression, stopWords) }

// BareWords returns the words of a text that has no phrase and no operator; nil for any other text. A text of more than eight words is a
// note about a person, where quotation marks repeat their words: the words of a phrase are words.
func (q *Text) BareWords() (words []string) {
	const note = 8
	phrase := false
	for _, t := range q.tokens {
		switch t.Kind {
		case boolean.Operator:
			return nil
		case boolean.Phrase, boolean.Word:
			phrase = phrase || t.Kind == boolean.Phrase
			words = append(words, strings.Fields(t.Text)...)
		}
	}
	if phrase && len(words) <= note {
		return nil
	}
	return words
}

// OrAny returns the node for the trials that have all words of an expression, or any of some words. The expression may be empty.
func OrAny(expression string, words []string) Node {
	var choices []Node
	if expression != "" {
		choices = append(choices, Source(expression))
	}
	for _, w := range words {
		choices = append(choices, plainWords(w))
	}
	return AnyOf(choices...)
}

// plainWords returns the node for the words of a text, nil if it has no words. The text has no operators: it is a name, such as
// Portland, OR.
func plainWords(text string) Node {
	var out []string
	for _, t := range lexText(text) {
		switch {
		case t.Searchable():
			out = append(out, render(t))
		case t.Kind == boolean.Operator:
			out = append(out, quote(t.Text))
		}
	}
	if out == nil {
		return nil
	}
	return Source(strings.Join(out, " "))
}

// excerpt returns the beginning of a text for a notice.
func excerpt(text string) string {
	const limit = 80
	if runes := []rune(text); len(runes) > limit {
		return string(runes[:limit-1]) + "…"
	}
	return text
}

func lexText(text string) []boolean.Token {
	var tokens []boolean.Token
	var current strings.Builder
	flush := func() {
		for _, w := range splitSeparators(current.String()) {
			k := boolean.Word
			if boolean.IsOperator(w) {
				k = boolean.Operator
			}
			tokens = append(tokens, boolean.Token{Kind: k, Text: w})
		}
		current.Reset()
	}
	for i := 0; i < len(text); {
		c := text[i]
		switch c {
		case '"':
			if end := strings.IndexByte(text[i+1:], '"'); end >= 0 {
				flush()
				tokens = append(tokens, boolean.Token{Kind: boolean.Phrase, Text: text[i+1 : i+1+end]})
				i += end + 2
				continue
			}
			current.WriteByte(c) // no other quotation mark follows: it is text
		case '(', ')':
			flush()
			k := boolean.Open
			if c == ')' {
				k = boolean.Close
			}
			tokens = append(tokens, boolean.Token{Kind: k, Text: string(c)})
		case ' ', '\t', '\r', '\n', ',': // a comma joins as a space does, and is an error at an end
			flush()
		default:
			current.WriteByte(c)
		}
		i++
	}
	flush()
	return tokens
}

// splitSeparators splits a word at the registry's separators if a part of it would then be an operator: AND/OR, ALL/AML.
func splitSeparators(w string) []string {
	parts := strings.FieldsFunc(w, func(r rune) bool { return strings.ContainsRune(Separators, r) })
	if len(parts) > 0 && !slices.ContainsFunc(parts, IsOperator) {
		return []string{w}
	}
	return parts
}

func looksLikeArea(word string) bool {
	name, _, ok := strings.Cut(word, "[")
	return ok && IsOperator(name)
}

// stopWords are in nearly every record.
var stopWords = []string{
	"a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "in", "is", "it", "not", "of", "on", "or",
	"study", "the", "to", "trial", "trials", "studies", "with",
}
