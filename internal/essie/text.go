// Package essie writes ClinicalTrials.gov's query language, Essie, from
// people's words, so that no text can break its syntax and none reaches
// further than it says.
package essie

import (
	"slices"
	"strings"
	"unicode"
)

// Text returns an expression that searches for the words of text, and what the
// caller should know of the difference. Quoted phrases, balanced parentheses
// and AND, OR and NOT between words keep their meaning; whatever else is
// syntax becomes plain text. The expression is empty where the text has no
// letter or digit.
func Text(text string) (expression string, notices []string) {
	tokens := lex(text)
	literalParens(tokens)
	tokens = dropEmpty(tokens)
	tokens, dropped := dropDangling(tokens)
	if len(dropped) > 0 {
		notices = append(notices, "In "+quote(excerpt(text))+" there is nothing to join for "+strings.Join(dropped, ", ")+": left out.")
	}
	if slices.ContainsFunc(tokens, func(t token) bool { return t.kind == word && looksLikeArea(t.text) }) {
		notices = append(notices, "In "+quote(excerpt(text))+" square brackets were read as text: field expressions such as AREA[...] are not understood. "+
			"Use the arguments status, phase, study_type and location.")
	}
	return render(tokens), notices
}

// Words returns an expression that searches for the words of text alone:
// nothing in it is an operator. It is for names, such as Portland, OR.
func Words(text string) string {
	var out []string
	for _, t := range lex(text) {
		switch {
		case t.searchable():
			out = append(out, t.render())
		case t.kind == operator:
			out = append(out, quote(t.text))
		}
	}
	return strings.Join(out, " ")
}

// excerpt is the beginning of a text, as much of it as a notice quotes.
func excerpt(text string) string {
	const limit = 80
	if runes := []rune(text); len(runes) > limit {
		return string(runes[:limit-1]) + "…"
	}
	return text
}

type kind int

const (
	word kind = iota
	phrase
	operator
	open
	closing
)

type token struct {
	kind    kind
	text    string
	literal bool // a parenthesis that is text
}

var (
	operators = []string{"AND", "OR", "NOT"}
	// reserved words mean something in Essie by themselves: ALL is every study,
	// and acute lymphoblastic leukemia to those who write it.
	reserved = []string{"ALL", "MISSING", "AREA", "SEARCH", "RANGE", "EXPANSION", "COVERAGE", "DISTANCE", "TILT", "MIN", "MAX"}
)

func lex(text string) []token {
	var tokens []token
	var current strings.Builder
	flush := func() {
		for _, w := range parted(current.String()) {
			k := word
			if slices.Contains(operators, w) {
				k = operator
			}
			tokens = append(tokens, token{kind: k, text: w})
		}
		current.Reset()
	}
	for i := 0; i < len(text); {
		c := text[i]
		switch c {
		case '"':
			if end := strings.IndexByte(text[i+1:], '"'); end >= 0 {
				flush()
				tokens = append(tokens, token{kind: phrase, text: text[i+1 : i+1+end]})
				i += end + 2
				continue
			}
			current.WriteByte(c) // no other quote follows: it is text
		case '(', ')':
			flush()
			k := open
			if c == ')' {
				k = closing
			}
			tokens = append(tokens, token{kind: k, text: string(c)})
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

// parted takes a word apart at the signs that part words upstream, too, where
// a part of it would there be more than a word: AND/OR, ALL/AML.
func parted(w string) []string {
	parts := strings.FieldsFunc(w, func(r rune) bool { return strings.ContainsRune("/;+&|@#=", r) })
	if len(parts) > 0 && !slices.ContainsFunc(parts, func(p string) bool { return slices.Contains(operators, p) || slices.Contains(reserved, p) }) {
		return []string{w}
	}
	return parts
}

// maxDepth bounds the nesting that is passed on.
const maxDepth = 20

// literalParens marks the parentheses that have no partner or nothing between
// them, and all of them where they nest too deep.
func literalParens(tokens []token) {
	type opened struct{ at, before int }
	var stack []opened
	deepest, searchable := 0, 0
	for i := range tokens {
		switch {
		case tokens[i].searchable():
			searchable++
		case tokens[i].kind == open:
			stack = append(stack, opened{at: i, before: searchable})
			deepest = max(deepest, len(stack))
		case tokens[i].kind == closing && len(stack) == 0:
			tokens[i].literal = true
		case tokens[i].kind == closing:
			start := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if searchable == start.before {
				tokens[start.at].literal, tokens[i].literal = true, true
			}
		}
	}
	for _, start := range stack {
		tokens[start.at].literal = true
	}
	if deepest > maxDepth {
		for i := range tokens {
			if tokens[i].kind == open || tokens[i].kind == closing {
				tokens[i].literal = true
			}
		}
	}
}

func (t token) searchable() bool {
	return (t.kind == word || t.kind == phrase) && strings.ContainsFunc(t.text, letterOrDigit)
}

func letterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// dropEmpty leaves out what holds no letter or digit, which parts words and
// says nothing: a dash, an ampersand, a parenthesis that is text.
func dropEmpty(tokens []token) []token {
	return slices.DeleteFunc(tokens, func(t token) bool {
		return t.literal || (t.kind == word || t.kind == phrase) && !t.searchable()
	})
}

// dropDangling leaves out operators without operands, which are syntax errors,
// and names them. What follows an operator decides first, from the end on:
// then no operator is left that one before it needs.
func dropDangling(tokens []token) (kept []token, dropped []string) {
	out := make([]bool, len(tokens))
	next := -1
	for i := len(tokens) - 1; i >= 0; i-- {
		out[i] = tokens[i].kind == operator && (next < 0 || !tokens[next].startsOperand())
		if !out[i] {
			next = i
		}
	}
	for i, t := range tokens {
		joins := t.kind == operator && t.text != "NOT"
		if !out[i] && (!joins || len(kept) > 0 && kept[len(kept)-1].endsOperand()) {
			kept = append(kept, t)
		} else if !slices.Contains(dropped, t.text) {
			dropped = append(dropped, t.text)
		}
	}
	return kept, dropped
}

func (t token) startsOperand() bool {
	return t.kind == word || t.kind == phrase || t.kind == open || t.kind == operator && t.text == "NOT"
}

func (t token) endsOperand() bool { return t.kind == word || t.kind == phrase || t.kind == closing }

func render(tokens []token) string {
	var out strings.Builder
	for i, t := range tokens {
		if i > 0 && tokens[i-1].kind != open && t.kind != closing {
			out.WriteByte(' ')
		}
		out.WriteString(t.render())
	}
	return out.String()
}

func (t token) render() string {
	switch {
	case t.kind == phrase:
		return quote(t.text)
	case t.kind == word && slices.Contains(reserved, t.text):
		return quote(t.text)
	case t.kind == word:
		return escaper.Replace(t.text)
	}
	return t.text
}

var (
	escaper       = strings.NewReplacer(`\`, `\\`, `[`, `\[`, `]`, `\]`, `"`, `\"`)
	phraseEscaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`)
)

// quote returns text as a phrase.
func quote(text string) string { return `"` + phraseEscaper.Replace(text) + `"` }

func looksLikeArea(word string) bool {
	name, _, ok := strings.Cut(word, "[")
	return ok && slices.Contains(reserved, name)
}

// stopWords are in nearly every record.
var stopWords = []string{
	"a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "in", "is", "it", "not", "of", "on", "or",
	"study", "the", "to", "trial", "trials", "studies", "with",
}

// Distinguishes tells whether a search text can tell any studies apart: it has
// at least two letters or digits, in a word that is not in nearly every record.
func Distinguishes(text string) bool {
	words := strings.FieldsFunc(text, func(r rune) bool { return !letterOrDigit(r) })
	count := 0
	for _, w := range words {
		if !slices.Contains(stopWords, strings.ToLower(w)) {
			count += len([]rune(w))
		}
	}
	return count >= 2
}
