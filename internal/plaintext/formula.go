package plaintext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Formula is an element of MathML: a token with text, or a row of parts.
type Formula struct {
	Name  string
	Text  string
	Parts []Formula
}

// Linear returns a formula in one line. It writes adjacent parts without a space between them.
func (f *Formula) Linear() string {
	switch f.Name {
	case "annotation", "annotation-xml", "mphantom": // a copy of the formula, or invisible
		return ""
	case "mfrac":
		return f.factor(0) + "/" + f.factor(1)
	case "msqrt":
		if len(f.Parts) == 1 {
			return "√" + f.factor(0)
		}
		return "√(" + f.row() + ")"
	case "mroot":
		return f.factor(0) + "^(1/" + f.part(1) + ")"
	case "msup":
		return f.factor(0) + superscript(f.part(1))
	case "msub", "munder":
		return parenthesize(f.part(0)) + subscript(f.part(1))
	case "msubsup", "munderover":
		return parenthesize(f.part(0)) + subscript(f.part(1)) + superscript(f.part(2))
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

func (f *Formula) part(i int) string {
	if i >= len(f.Parts) {
		return ""
	}
	return f.Parts[i].Linear()
}

// factor returns an operand of an operator, in parentheses if it has more than one token.
func (f *Formula) factor(i int) string {
	if i >= len(f.Parts) {
		return ""
	}
	part := &f.Parts[i]
	for (part.Name == "mrow" || part.Name == "mstyle") && len(part.Parts) == 1 {
		part = &part.Parts[0]
	}
	if len(part.Parts) == 0 || part.Name == "mfenced" {
		return part.Linear()
	}
	return "(" + part.Linear() + ")"
}

// row returns the text of an element and of its parts, without invisible operators such as the invisible times.
func (f *Formula) row() string {
	text := strings.Map(func(r rune) rune {
		if r >= 0x2061 && r <= 0x2064 {
			return -1
		}
		return r
	}, f.Text)
	return text + f.join("")
}

func (f *Formula) join(between string) string {
	texts := make([]string, len(f.Parts))
	for i := range f.Parts {
		texts[i] = f.Parts[i].Linear()
	}
	return strings.Join(texts, between)
}

// multiscripts writes prescripts as plain text, because they are the numbers of isotopes: 18F. Other scripts are written as usual.
func (f *Formula) multiscripts() string {
	var front, behind strings.Builder
	prescripts := false
	for i := 1; i < len(f.Parts); i++ {
		if f.Parts[i].Name == "mprescripts" {
			prescripts = true
			continue
		}
		below, above := f.part(i), f.part(i+1)
		i++
		if prescripts {
			front.WriteString(above + subscript(below))
		} else {
			behind.WriteString(subscript(below) + superscript(above))
		}
	}
	return front.String() + parenthesize(f.part(0)) + behind.String()
}

func superscript(text string) string { return script("^", text) }
func subscript(text string) string   { return script("_", text) }

func script(mark, text string) string {
	if text == "" {
		return ""
	}
	if rest := strings.TrimLeft(text, "+-\u2212"); rest != "" && len(text)-len(rest) <= len("\u2212") && parenthesize(rest) == rest {
		return mark + text
	}
	return mark + parenthesize(text)
}

// parenthesize puts parentheses around a text of more than one word or sign.
func parenthesize(text string) string {
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

// accents maps an accent above a letter to its combining character in Unicode.
var accents = map[string]string{
	".": "\u0307", "\u02d9": "\u0307", "^": "\u0302", "~": "\u0303",
	"\u00af": "\u0304", "\u203e": "\u0304", "\u2192": "\u20d7",
}

func accented(base, above string) string {
	if accent, ok := accents[above]; ok && utf8.RuneCountInString(base) == 1 {
		return base + accent
	}
	return parenthesize(base) + superscript(above)
}
