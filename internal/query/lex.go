package query

import (
	"errors"
	"slices"
	"strings"
)

// Separators are the characters that part the words of an expression. A hyphen
// parts words too, but only where they are compared: a date is one term.
const Separators = " \t\r\n,/;+&|@#="

// signs end a word and are tokens themselves.
const signs = `()[]"`

// keywords are operators in upper case only: in lower case or with a backslash
// they are words.
var keywords = []string{"AND", "OR", "NOT", "ALL", "MISSING"}

// contexts are the operators that take an argument in brackets. A bracket
// after any other word is a stray one.
var contexts = []string{"AREA", "SEARCH", "RANGE", "EXPANSION", "COVERAGE", "DISTANCE", "TILT"}

// BracketOperators returns the operators that take an argument in brackets.
func BracketOperators() []string { return slices.Clone(contexts) }

// IsOperator reports whether a word may mean more than itself in an expression.
func IsOperator(word string) bool {
	return slices.Contains(keywords, word) || slices.Contains(contexts, word) || slices.Contains([]string{"COVER", minimum, maximum}, word)
}

// token of an expression. The kind of a keyword and of a parenthesis or bracket
// is its own text.
type token struct {
	kind     string
	text     string // a word or phrase without its backslashes, or the name of a context operator
	argument string // of a context operator
}

// The other kinds of tokens.
const (
	endToken     = "<EOF>"
	wordToken    = "word"
	phraseToken  = "phrase"
	contextToken = "NAME[argument]"
)

// lex cuts an expression into tokens, the last of which is endToken.
func lex(text string) ([]token, error) {
	var tokens []token
	for {
		text = strings.TrimLeft(text, Separators)
		if text == "" {
			return append(tokens, token{kind: endToken, text: endToken}), nil
		}
		next, rest, err := lexOne(text)
		if err != nil {
			return nil, err
		}
		tokens, text = append(tokens, next), rest
	}
}

// lexOne takes the first token off a text that begins with one.
func lexOne(text string) (token, string, error) {
	switch text[0] {
	case '(', ')', '[', ']':
		return token{kind: text[:1], text: text[:1]}, text[1:], nil
	case '"':
		phrase, length, closed := unescape(text[1:], `"`)
		if !closed {
			return token{}, "", refuse("token recognition error at: '%s'", text)
		}
		return token{kind: phraseToken, text: phrase}, text[1+length+1:], nil
	}
	return lexWord(text)
}

// lexWord takes a word or a word operator off a text that begins with one.
func lexWord(text string) (token, string, error) {
	word, length, _ := unescape(text, Separators+signs)
	raw, rest := text[:length], text[length:]
	switch {
	case rest == "" && (len(raw)-len(strings.TrimRight(raw, `\`)))%2 == 1:
		return token{}, "", refuse(`token recognition error at: '\'`)
	case strings.HasPrefix(rest, "[") && slices.Contains(contexts, raw):
		argument, after, closed := strings.Cut(rest[1:], "]")
		if !closed {
			return token{}, "", refuse("missing ']' at '<EOF>'")
		}
		return token{kind: contextToken, text: raw, argument: argument}, after, nil
	case slices.Contains(keywords, raw):
		return token{kind: raw, text: raw}, rest, nil
	}
	return token{kind: wordToken, text: word}, rest, nil
}

// unescape reads up to the first character of stop that has no backslash before
// it, and leaves out the backslashes that make a character literal. It returns what
// it read, its length in text, and whether it found a stop.
func unescape(text, stop string) (read string, length int, stopped bool) {
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text):
			i++
		case text[i] == '\\':
			continue
		case strings.IndexByte(stop, text[i]) >= 0:
			return out.String(), i, true
		}
		out.WriteByte(text[i])
	}
	return out.String(), len(text), false
}

// ErrAll is the error of an expression that has the word ALL, which matches every study.
var ErrAll = errors.New("the expression has the operator ALL")

// Closed checks that an expression means the same with parentheses around it: its own come in
// pairs, and no text in it reaches beyond its end.
func Closed(text string) error {
	tokens, err := lex(text)
	if err != nil {
		return err
	}
	depth := 0
	for _, t := range tokens {
		switch t.kind {
		case "(":
			depth++
		case ")":
			depth--
		case "[", "]":
			return errors.New("a bracket that belongs to no operator")
		case "ALL":
			return ErrAll
		}
		if depth < 0 || strings.ContainsAny(t.argument, `"()[`) {
			return errors.New("a parenthesis that closes nothing")
		}
	}
	if depth > 0 {
		return errors.New("a parenthesis that is not closed")
	}
	return nil
}
