package dialect

import (
	"cmp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A kind is the kind of a token.
type kind int

const (
	end    kind = iota
	word        // in lower case
	quoted      // a name in double quotes
	text        // a text in single quotes
	number
	symbol
)

// A token is a word of a statement.
type token struct {
	kind kind
	text string
	pair int // of a bracket: the place of its other one; the end of the statement, or the begin, where that is missing
}

// is reports whether a token is a word or a symbol with one of some texts.
func (t token) is(texts ...string) bool {
	for _, text := range texts {
		if t.text == text && (t.kind == word || t.kind == symbol) {
			return true
		}
	}
	return false
}

// symbols are those that are longer than one byte, the longest first.
var symbols = []string{"!~~*", "!~~", "!~*", "~~*", "->>", "#>>", "::", "<=", ">=", "<>", "!=", "||", "~*", "!~", "~~", "->", "#>",
	"@>", "<@", "&&", ":=", "=>", "@@"}

// maxStatement is the largest statement in bytes.
const maxStatement = 65_536

// lex returns the tokens of a statement. Comments are left out, and quotes are read once: nothing after it reads the text again.
func lex(statement string) []token {
	switch {
	case len(statement) > maxStatement:
		refuse("Send a shorter statement.", "the statement has %d bytes; at most %d are read", len(statement), maxStatement)
	case !utf8.ValidString(statement):
		refuse("Send the statement as UTF-8.", "the statement is not valid UTF-8")
	}
	l := &lexer{text: statement}
	for l.skip(); l.at < len(l.text); l.skip() {
		l.next()
	}
	l.pair()
	return append(l.tokens, token{})
}

// pair finds the other bracket of each bracket.
func (l *lexer) pair() {
	var open []int
	for i, t := range l.tokens {
		switch {
		case t.is("("):
			open = append(open, i)
			l.tokens[i].pair = len(l.tokens)
		case t.is(")") && len(open) > 0:
			last := open[len(open)-1]
			l.tokens[i].pair, l.tokens[last].pair = last, i
			open = open[:len(open)-1]
		}
	}
}

type lexer struct {
	text   string
	at     int
	tokens []token
}

func (l *lexer) add(k kind, text string) { l.tokens = append(l.tokens, token{kind: k, text: text}) }

// rest returns the text that is not yet read.
func (l *lexer) rest() string { return l.text[l.at:] }

// skip skips white space and comments. Comments with a beginning and an end can hold others, as in PostgreSQL.
func (l *lexer) skip() {
	for l.at < len(l.text) {
		rest := l.rest()
		switch {
		case strings.IndexByte(" \t\r\n\f", rest[0]) >= 0:
			l.at++
		case strings.HasPrefix(rest, "--"):
			if line := strings.IndexAny(rest, "\r\n"); line >= 0 {
				l.at += line
			} else {
				l.at = len(l.text)
			}
		case strings.HasPrefix(rest, "/*"):
			l.comment()
		default:
			return
		}
	}
}

// comment skips a comment with an end.
func (l *lexer) comment() {
	depth := 0
	for l.at < len(l.text) {
		switch rest := l.rest(); {
		case strings.HasPrefix(rest, "/*"):
			depth++
			l.at += 2
		case strings.HasPrefix(rest, "*/"):
			depth--
			l.at += 2
			if depth == 0 {
				return
			}
		default:
			l.at++
		}
	}
	refuse("Close it with */.", "a comment does not end")
}

func isLetter(b byte) bool { return b == '_' || 'a' <= b|0x20 && b|0x20 <= 'z' }
func isDigit(b byte) bool  { return '0' <= b && b <= '9' }

// next reads one token.
func (l *lexer) next() {
	switch b := l.text[l.at]; {
	case b == '\'':
		l.add(text, l.quote('\'', false))
	case b == '"':
		l.add(quoted, l.quote('"', false))
	case isLetter(b):
		l.word()
	case isDigit(b) || b == '.' && l.at+1 < len(l.text) && isDigit(l.text[l.at+1]):
		l.number()
	default:
		l.foreign(b)
		l.symbol()
	}
}

// foreign refuses a byte that begins no token.
func (l *lexer) foreign(b byte) {
	switch {
	case b == '$' || b == '?' || b == '@' && !strings.HasPrefix(l.rest(), "@>") && !strings.HasPrefix(l.rest(), "@@"):
		refuse("Write the value itself, a text in single quotes.", "%q: parameters and quotes with a dollar sign are not read", string(b))
	case b == '`':
		refuse("Write names without quotes, or in double quotes.", "backquotes are not read")
	case b < ' ' || b == 0x7f:
		refuse("Send the statement without it.", "the statement has a control character")
	case b >= utf8.RuneSelf:
		r, _ := utf8.DecodeRuneInString(l.rest())
		refuse("Write texts in single quotes.", "the character %q stands outside of quotes", r)
	}
}

// escapes are those of E'…' that are read.
var escapes = map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', '\\': '\\', '\'': '\'', '"': '"'}

// codePoint returns the character of the escape \u2028, 0 for another one.
func (l *lexer) codePoint() rune {
	code, err := strconv.ParseUint(l.text[l.at+1:min(l.at+5, len(l.text))], 16, 16)
	if l.text[l.at] != 'u' || err != nil || code <= ' ' || code == 0x7f {
		return 0
	}
	return rune(code)
}

// quote reads a text in quotes, in which a doubled quote stands for one, and in E'…' a backslash begins an escape.
func (l *lexer) quote(mark byte, escaped bool) string {
	var out strings.Builder
	for l.at++; l.at < len(l.text); l.at++ {
		b := l.text[l.at]
		if escaped && b == '\\' && l.at+1 < len(l.text) {
			l.at++
			if r := l.codePoint(); r > 0 {
				out.WriteRune(r)
				l.at += 4
				continue
			}
			c, known := escapes[l.text[l.at]]
			if c = cmp.Or(c, l.text[l.at]); !known && (isLetter(c) || isDigit(c)) {
				refuse("Write the text in plain single quotes.", "the escape \\%c in E'…' is not read", c)
			}
			out.WriteByte(c)
			continue
		}
		if b == mark {
			if l.at++; l.at == len(l.text) || l.text[l.at] != mark {
				return out.String()
			}
		}
		if b < ' ' && strings.IndexByte("\t\r\n", b) < 0 || b == 0x7f {
			refuse("Send the statement without it.", "a text has a control character")
		}
		out.WriteByte(b)
	}
	refuse("Close it; a quote within a text is written twice.", "a quote does not end")
	return ""
}

// word reads a word.
func (l *lexer) word() {
	start := l.at
	for l.at < len(l.text) && (isLetter(l.text[l.at]) || isDigit(l.text[l.at]) || l.text[l.at] == '$') {
		l.at++
	}
	name := strings.ToLower(l.text[start:l.at])
	isText := l.at < len(l.text) && l.text[l.at] == '\''
	if isText && name == "e" {
		l.add(text, l.quote('\'', true))
		return
	}
	if isText && len(name) == 1 && strings.Contains("bxn", name) {
		refuse("Write the text in plain single quotes.", "%s'…' is not read", strings.ToUpper(name))
	}
	if strings.HasPrefix(l.rest(), "&'") && name == "u" {
		refuse("Write the text in plain single quotes.", "U&'…' is not read")
	}
	l.add(word, name)
}

// digits skips digits.
func (l *lexer) digits() {
	for l.at < len(l.text) && isDigit(l.text[l.at]) {
		l.at++
	}
}

// number reads a number, with its decimal places and its exponent.
func (l *lexer) number() {
	start := l.at
	if l.digits(); strings.HasPrefix(l.rest(), ".") {
		l.at++
		l.digits()
	}
	if rest := l.rest(); rest != "" && rest[0]|0x20 == 'e' {
		digits := strings.TrimLeft(rest[1:], "+-")
		if len(rest)-1-len(digits) <= 1 && digits != "" && isDigit(digits[0]) {
			l.at = len(l.text) - len(digits)
			l.digits()
		}
	}
	if l.at < len(l.text) && (isLetter(l.text[l.at]) || l.text[l.at] == '.') {
		refuse("Put a blank after the number, or write it in digits.", "%q is no number", cut(l.text[start:min(len(l.text), l.at+8)]))
	}
	l.add(number, l.text[start:l.at])
}

// symbol reads an operator or a bracket.
func (l *lexer) symbol() {
	for _, s := range symbols {
		if strings.HasPrefix(l.rest(), s) {
			l.at += len(s)
			l.add(symbol, s)
			return
		}
	}
	l.add(symbol, l.text[l.at:l.at+1])
	l.at++
}
