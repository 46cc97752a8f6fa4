package citation

import (
	"slices"
	"strings"
	"unicode"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// line returns a text on one line, with single spaces.
func line(text string) string {
	spaced := strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
	return strings.Join(strings.Fields(entity.Clean(spaced)), " ")
}

// bare is a title without the full stop that the library puts after it.
func bare(title string) string {
	if strings.HasSuffix(title, "..") {
		return title // an ellipsis belongs to the title
	}
	return strings.TrimRight(strings.TrimSuffix(title, "."), " ")
}

// sentence ends a text with a full stop unless it has an end of its own.
func sentence(text string) string {
	if text == "" || strings.ContainsRune(".?!…", lastRune(text)) {
		return text
	}
	return text + "."
}

func lastRune(text string) rune {
	runes := []rune(text)
	return runes[len(runes)-1]
}

// joined puts what is not empty together.
func joined(between string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), between)
}

// labelled is a text after a label, and nothing where there is no text.
func labelled(label, text string) string {
	if text == "" {
		return ""
	}
	return label + text
}

func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// distinct are the texts that are not empty, each once.
func distinct(texts []string) []string {
	var out []string
	for _, t := range texts {
		if t = line(t); t != "" && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

func digits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// capital has the first letter in upper case.
func capital(text string) string {
	for i, r := range text {
		return string(unicode.ToUpper(r)) + text[i+len(string(r)):]
	}
	return ""
}

// ascii returns the letters and digits of a name as a reference manager can
// type them: without accents, in lower case.
func ascii(text string) string {
	var out strings.Builder
	for _, r := range text {
		out.WriteString(plainLetter(unicode.ToLower(r)))
	}
	return entity.Fold(out.String())
}

// plainLetters are letters with an accent, by the letters that stand for them.
var plainLetters = map[string]string{
	"a":  "àáâãäåāăąǎạảấầậắ",
	"ae": "æ",
	"c":  "çćĉċč",
	"d":  "ďđð",
	"e":  "èéêëēėęěẹếềểễệ",
	"g":  "ĝğġģ",
	"i":  "ìíîïĩīįıị",
	"k":  "ķ",
	"l":  "ĺļľł",
	"n":  "ñńņň",
	"o":  "òóôõöøōőơọốồộớờ",
	"oe": "œ",
	"r":  "ŕř",
	"s":  "śşšș",
	"ss": "ß",
	"t":  "ţťț",
	"th": "þ",
	"u":  "ùúûüūůűųưụứừữ",
	"y":  "ýÿỳỹ",
	"z":  "źżž",
}

// plainLetter returns a lower case letter without its accent.
func plainLetter(r rune) string {
	for plain, accented := range plainLetters {
		if strings.ContainsRune(accented, r) {
			return plain
		}
	}
	return string(r)
}
