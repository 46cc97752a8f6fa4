package criteria

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

type kind uint8

const (
	word   kind = iota // letters, with digits behind them: hba1c
	number             // 1,000 or 6.5
	sign               // characters that compare: >=
	mark               // any other character
)

// A token is a word, a number or a mark of a text. Its text is in lower case and in one spelling.
type token struct {
	kind       kind
	text       string
	start, end int // bytes
	value      float64
}

// spelling maps characters to the one spelling that the tables have.
var spelling = strings.NewReplacer(
	"µ", "u", "μ", "u", "⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5",
	"⁶", "6", "⁷", "7", "⁸", "8", "⁹", "9", "㎡", "m2",
	"≧", "≥", "⩾", "≥", "≦", "≤", "⩽", "≤", "＞", ">", "＜", "<", "＝", "=",
	"×", "x", "✕", "x", "＋", "+", "％", "%", "（", "(", "）", ")",
	"～", "-", "~", "-", "∼", "-", "–", "-", "—", "-", "‐", "-", "‑", "-", "−", "-", "－", "-",
	"，", ",", "、", ",", "；", ";", "：", ":", "。", ".",
	"・", "·", "∙", "·", "ⅰ", "i", "ⅱ", "ii", "ⅲ", "iii", "ⅳ", "iv", "ⅴ", "v", "℃", "°c", "′", "'", "’", "'",
	"\u00a0", " ", "\u2009", " ", "\u202f", " ",
)

// spell returns a piece of text in lower case and in the one spelling.
func spell(text string) string {
	text = strings.ToLower(text)
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf || text[i] == '~' {
			return spelling.Replace(text)
		}
	}
	return text
}

// slashes removes the slashes inside of comparing characters.
var slashes = strings.NewReplacer("/", "", "\\", "")

// lex returns the tokens of a text.
func lex(text string) []token {
	tokens := make([]token, 0, len(text)/5+1)
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		t := token{start: i}
		switch {
		case unicode.IsSpace(r):
			i += size
			continue
		case r >= '0' && r <= '9':
			t.kind, t.end = number, numberEnd(text, i)
			t.value, t.text = readNumber(text[i:t.end]), text[i:t.end]
		case unicode.IsLetter(r) || unicode.Is(unicode.Nl, r):
			t.kind, t.end = word, wordEnd(text, i)
			t.text = spell(text[i:t.end])
		case isSign(r):
			t.kind, t.end = sign, signEnd(text, i)
			t.text = slashes.Replace(spell(text[i:t.end]))
		default:
			t.kind, t.end = mark, i+size
			t.text = spell(text[i:t.end])
			if lost := lostSigns[r]; lost != "" {
				t.kind, t.text = sign, lost
			}
		}
		i = t.end
		tokens = append(tokens, split(t)...)
	}
	return tokens
}

// split separates a word from the number behind it.
func split(t token) []token {
	letters := strings.TrimRight(t.text, "0123456789")
	if t.kind != word || letters == t.text || !has("glued", letters) || len(t.text) != t.end-t.start {
		return []token{t}
	}
	behind := t.text[len(letters):]
	at := t.start + len(letters)
	return []token{{kind: word, text: letters, start: t.start, end: at},
		{kind: number, text: behind, start: at, end: t.end, value: readNumber(behind)}}
}

func isDigit(text string, i int) bool {
	return i >= 0 && i < len(text) && text[i] >= '0' && text[i] <= '9'
}

// digitsEnd returns the end of the digits at i.
func digitsEnd(text string, i int) int {
	for isDigit(text, i) {
		i++
	}
	return i
}

// numberEnd returns the end of the number at i: 1,000 or 6.5 or 1·5 or 100 000.
func numberEnd(text string, i int) int {
	first, end := i, digitsEnd(text, i)
	for end < len(text) {
		r, size := utf8.DecodeRuneInString(text[end:])
		next := digitsEnd(text, end+size)
		three := next == end+size+3
		switch {
		case (r == '.' || r == ',' || r == '·') && next > end+size,
			(r == ' ' || r == '\u00a0') && three && end-first <= 3 && text[first] != '0' && !wordFollows(text, next):
			end = next
		default:
			return end
		}
		if r == ' ' {
			first = next
		}
	}
	return end
}

// wordFollows reports whether a letter follows without a space.
func wordFollows(text string, i int) bool {
	r, _ := utf8.DecodeRuneInString(text[i:])
	return unicode.IsLetter(r)
}

// digits removes the spaces between the digits of a number.
var digits = strings.NewReplacer(" ", "", "\u00a0", "", "·", ".")

// readNumber reads the digits of a number. A comma before three digits separates thousands.
func readNumber(text string) float64 {
	text = digits.Replace(text)
	if i := strings.IndexByte(text, ','); i >= 0 {
		if len(text)-i == 4 && text[0] != '0' || strings.Count(text, ",") > 1 || strings.Contains(text, ".") {
			text = strings.ReplaceAll(text, ",", "")
		} else {
			text = strings.Replace(text, ",", ".", 1)
		}
	}
	if strings.Count(text, ".") > 1 {
		text = text[:strings.IndexByte(text, '.')]
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0
	}
	return value
}

// wordEnd returns the end of the word at i: letters, marks and the digits behind them, with apostrophes inside, or numbers such as Ⅲ.
func wordEnd(text string, i int) int {
	first, _ := utf8.DecodeRuneInString(text[i:])
	roman := unicode.Is(unicode.Nl, first)
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case unicode.Is(unicode.Nl, r) != roman: // gradeⅠ
			return i
		case roman, unicode.IsLetter(r), unicode.IsMark(r), r >= '0' && r <= '9', r == '²', r == '³':
			i += size
		case (r == '\'' || r == '’') && wordFollows(text, i+size):
			i += size
		default:
			return i
		}
	}
	return i
}

// lostSigns are the characters that remain of signs whose font was lost.
var lostSigns = map[rune]string{'³': "≥", '£': "≤"}

func isSign(r rune) bool { return strings.ContainsRune("<>=≥≤≧≦⩾⩽＞＜＝", r) }

// signEnd returns the end of the comparing characters at i: >= or >/=.
func signEnd(text string, i int) int {
	end := i
	for end < len(text) {
		r, size := utf8.DecodeRuneInString(text[end:])
		if (r == '/' || r == '\\') && end+1 < len(text) && text[end+1] == '=' {
			end += 2
			continue
		}
		if !isSign(r) {
			break
		}
		end += size
	}
	return end
}
