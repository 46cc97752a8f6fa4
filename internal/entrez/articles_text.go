package entrez

import (
	"bytes"
	"encoding/xml"
	"strings"
	"unicode"
	"unicode/utf8"
)

// text reads the element just entered, markup and all, as one line of text.
func (x *articleReader) text() string {
	x.line.reset()
	x.mixed()
	return string(x.line.text)
}

// mixed adds the content of the element just entered to the line.
func (x *articleReader) mixed() {
	for at := x.depth; ; {
		switch t := x.token().(type) {
		case nil:
			return
		case xml.CharData:
			x.line.add(t)
		case xml.EndElement:
			if x.depth < at {
				return
			}
		case xml.StartElement:
			x.inline(t.Name)
		}
	}
}

// inline adds the markup just entered to the line. What is not known here is its
// text.
func (x *articleReader) inline(name xml.Name) {
	switch name.Local {
	case "sup":
		x.script('^')
	case "sub":
		x.script('_')
	case "math":
		formula := x.math()
		x.line.add([]byte(formula.linear()))
	case "DispFormula": // stands on a line of its own
		x.line.space = true
		x.mixed()
		x.line.space = true
	}
}

func (x *articleReader) script(mark byte) {
	begin := len(x.line.text)
	x.mixed()
	x.line.script(begin, mark)
}

// line is a text whose white space is folded as it grows.
type line struct {
	text  []byte
	space bool // white space waits for a word
}

func (l *line) reset() { l.text, l.space = l.text[:0], false }

func (l *line) add(text []byte) {
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if unicode.IsSpace(r) {
			l.space = true
		} else {
			if l.space && len(l.text) > 0 {
				l.text = append(l.text, ' ')
			}
			l.space = false
			l.text = append(l.text, text[:n]...)
		}
		text = text[n:]
	}
}

// script puts a mark in front of the script that begins at begin, where it
// would read as another value without.
func (l *line) script(begin int, mark byte) {
	first, n := utf8.DecodeRune(l.text[begin:])
	if begin > 0 && strings.ContainsRune("+-\u2212\u2013", first) && n < len(l.text)-begin {
		second := l.text[begin+n]
		if digit(second) && (mark == '^' || digit(l.text[begin-1])) {
			l.insert(begin, mark)
		}
		return
	}
	if begin > 0 && begin < len(l.text) && digit(l.text[begin]) && digit(l.text[begin-1]) {
		l.insert(begin, mark)
	}
}

func (l *line) insert(i int, mark byte) {
	l.text = append(l.text, 0)
	copy(l.text[i+1:], l.text[i:])
	l.text[i] = mark
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// formula is an element of MathML: a token with text or a row of parts.
type formula struct {
	name  string
	text  string
	parts []formula
}

// math reads the element just entered. White space means something in mtext
// alone, the rest is indentation.
func (x *articleReader) math() formula {
	f := formula{name: x.start.Name.Local}
	var content []byte // the text may come in many pieces
	if f.name == "mspace" {
		content = append(content, ' ')
	}
	for at := x.depth; ; {
		switch t := x.token().(type) {
		case nil:
			return f
		case xml.CharData:
			if f.name != "mtext" {
				t = bytes.Join(bytes.Fields(t), []byte(" "))
			}
			content = append(content, t...)
		case xml.StartElement:
			f.parts = append(f.parts, x.math())
		case xml.EndElement:
			if x.depth < at {
				f.text = string(content)
				return f
			}
		}
	}
}

// linear writes a formula in one line. Parts beside each other stand without a
// space between.
func (f *formula) linear() string {
	switch f.name {
	case "annotation", "annotation-xml", "mphantom": // the formula once more, or nothing to see
		return ""
	case "mfrac":
		return f.factor(0) + "/" + f.factor(1)
	case "msqrt":
		if len(f.parts) == 1 {
			return "√" + f.factor(0)
		}
		return "√(" + f.row() + ")"
	case "mroot":
		return f.factor(0) + "^(1/" + f.part(1) + ")"
	case "msup":
		return f.factor(0) + over(f.part(1))
	case "msub", "munder":
		return group(f.part(0)) + under(f.part(1))
	case "msubsup", "munderover":
		return group(f.part(0)) + under(f.part(1)) + over(f.part(2))
	case "mover":
		return accented(f.part(0), f.part(1))
	case "mmultiscripts":
		return f.multiscripts()
	case "mfenced":
		return "(" + f.join(",") + ")"
	case "mtable":
		return "[" + f.join("; ") + "]"
	case "mtr", "mlabeledtr":
		return f.join(", ")
	}
	return f.row()
}

func (f *formula) part(i int) string {
	if i >= len(f.parts) {
		return ""
	}
	return f.parts[i].linear()
}

// factor is a part that an operator binds to, in brackets where it is more than
// one token.
func (f *formula) factor(i int) string {
	if i >= len(f.parts) {
		return ""
	}
	part := &f.parts[i]
	for (part.name == "mrow" || part.name == "mstyle") && len(part.parts) == 1 {
		part = &part.parts[0]
	}
	if len(part.parts) == 0 || part.name == "mfenced" {
		return part.linear()
	}
	return "(" + part.linear() + ")"
}

// row is the text of an element or that of its parts. Signs that are there to
// be heard, as the invisible times, are left out.
func (f *formula) row() string {
	text := strings.Map(func(r rune) rune {
		if r >= 0x2061 && r <= 0x2064 {
			return -1
		}
		return r
	}, f.text)
	return text + f.join("")
}

func (f *formula) join(between string) string {
	texts := make([]string, len(f.parts))
	for i := range f.parts {
		texts[i] = f.parts[i].linear()
	}
	return strings.Join(texts, between)
}

// multiscripts writes scripts in front as plain text, for they are the numbers
// of isotopes: 18F. Those behind are as everywhere.
func (f *formula) multiscripts() string {
	var front, behind strings.Builder
	prescripts := false
	for i := 1; i < len(f.parts); i++ {
		if f.parts[i].name == "mprescripts" {
			prescripts = true
			continue
		}
		below, above := f.part(i), f.part(i+1)
		i++
		if prescripts {
			front.WriteString(above + under(below))
		} else {
			behind.WriteString(under(below) + over(above))
		}
	}
	return front.String() + group(f.part(0)) + behind.String()
}

func over(text string) string  { return script("^", text) }
func under(text string) string { return script("_", text) }

func script(mark, text string) string {
	if text == "" {
		return ""
	}
	if rest := strings.TrimLeft(text, "+-\u2212"); rest != "" && len(text)-len(rest) <= len("\u2212") && group(rest) == rest {
		return mark + text
	}
	return mark + group(text)
}

// group puts brackets around what is more than one word or sign.
func group(text string) string {
	word := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) && r != '.'
	}
	if utf8.RuneCountInString(text) <= 1 || !strings.ContainsFunc(text, word) {
		return text
	}
	if strings.HasPrefix(text, "(") && strings.IndexByte(text, ')') == len(text)-1 {
		return text
	}
	return "(" + text + ")"
}

// accents are the signs above a letter that Unicode has as part of it.
var accents = map[string]string{
	".": "\u0307", "\u02d9": "\u0307", "^": "\u0302", "~": "\u0303",
	"\u00af": "\u0304", "\u203e": "\u0304", "\u2192": "\u20d7",
}

func accented(base, above string) string {
	if accent, ok := accents[above]; ok && utf8.RuneCountInString(base) == 1 {
		return base + accent
	}
	return group(base) + over(above)
}
