package citation

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// line returns a text on one line, with single spaces.
func line(text string) string {
	spaced := strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
	return strings.Join(strings.Fields(entity.Clean(spaced)), " ")
}

// bare is a title without the full stop that the library puts after it.
func trimFullStop(title string) string {
	if strings.HasSuffix(title, "..") {
		return title // an ellipsis belongs to the title
	}
	return strings.TrimRight(strings.TrimSuffix(title, "."), " ")
}

// sentence ends a text with a full stop unless it has an end of its own.
func sentence(text string) string {
	last, _ := utf8.DecodeLastRuneInString(text)
	if text == "" || strings.ContainsRune(".?!…", last) {
		return text
	}
	return text + "."
}

// joined puts what is not empty together.
func joinNonEmpty(between string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), between)
}

// labelled is a text after a label, and nothing where there is no text.
func withLabel(label, text string) string {
	if text == "" {
		return ""
	}
	return label + text
}

// each writes the items of a list.
func convert[T any](list []T, write func(T) string) []string {
	out := make([]string, len(list))
	for i, item := range list {
		out[i] = write(item)
	}
	return out
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
	letters := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFD.String(text))
	return entity.Fold(asciiLetters.Replace(letters))
}

// plainLetters stand for the letters that Unicode does not take apart.
var asciiLetters = strings.NewReplacer("æ", "ae", "đ", "d", "ð", "d", "ı", "i", "ł", "l", "ø", "o", "œ", "oe", "ß", "ss", "þ", "th")
