package registry

import "strings"

// tokenKind tells what a piece of an Essie expression is.
type tokenKind int

const (
	tokenEnd tokenKind = iota
	tokenWord
	tokenPhrase
	tokenOpen
	tokenClose
	tokenAnd
	tokenOr
	tokenNot
	tokenAll
	tokenMissing
	tokenContext // NAME[argument]
	tokenStray   // a bracket that belongs to no operator
)

// token of an Essie expression. text is what a word or phrase says, escapes
// undone, the name of a context operator, or the sign itself.
type token struct {
	kind     tokenKind
	text     string
	argument string
}

// keywords are operators in upper case only: lower case and in any escaped
// form they are words.
var keywords = map[string]tokenKind{
	"AND": tokenAnd, "OR": tokenOr, "NOT": tokenNot, "ALL": tokenAll, "MISSING": tokenMissing,
}

// contexts are the operators that take an argument in brackets. A bracket
// after any other word is a stray one.
var contexts = map[string]bool{
	"AREA": true, "SEARCH": true, "RANGE": true,
	"EXPANSION": true, "COVERAGE": true, "DISTANCE": true, "TILT": true,
}

// The signs that part words in an expression. The hyphen parts words too, but
// only when they are compared: a date is one term.
const (
	separators = " \t\r\n,/;+&|@#="
	signs      = `()[]"`
)

// lex cuts an expression into tokens, the last of which is tokenEnd.
func lex(text string) ([]token, error) {
	var tokens []token
	for {
		text = strings.TrimLeft(text, separators)
		if text == "" {
			return append(tokens, token{kind: tokenEnd, text: "<EOF>"}), nil
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
	case '(':
		return token{kind: tokenOpen, text: "("}, text[1:], nil
	case ')':
		return token{kind: tokenClose, text: ")"}, text[1:], nil
	case '[', ']':
		return token{kind: tokenStray, text: text[:1]}, text[1:], nil
	case '"':
		phrase, length, closed := unescape(text[1:], `"`)
		if !closed {
			return token{}, "", refuse("token recognition error at: '%s'", text)
		}
		return token{kind: tokenPhrase, text: phrase}, text[1+length+1:], nil
	}
	word, length, _ := unescape(text, separators+signs)
	raw, rest := text[:length], text[length:]
	switch {
	case strings.HasSuffix(raw, `\`) && rest == "" && len(raw)-len(strings.TrimRight(raw, `\`))%2 == 1:
		return token{}, "", refuse(`token recognition error at: '\'`)
	case strings.HasPrefix(rest, "[") && contexts[raw]:
		argument, after, closed := strings.Cut(rest[1:], "]")
		if !closed {
			return token{}, "", refuse("missing ']' at '<EOF>'")
		}
		return token{kind: tokenContext, text: raw, argument: argument}, after, nil
	}
	if kind, ok := keywords[raw]; ok {
		return token{kind: kind, text: raw}, rest, nil
	}
	return token{kind: tokenWord, text: word}, rest, nil
}

// unescape reads up to the first unescaped sign of stop, taking off the
// backslashes that make a sign literal. It returns what it read, the length
// in text and whether a stop was found.
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
