package citation

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// line returns a text on one line, with single spaces.
func line(text string) string {
	spaced := strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
	return strings.Join(strings.Fields(entity.Clean(spaced)), " ")
}

// trimFullStop returns a title without the full stop that NLM adds.
func trimFullStop(title string) string {
	if strings.HasSuffix(title, "..") {
		return title // an ellipsis belongs to the title
	}
	return strings.TrimRight(strings.TrimSuffix(title, "."), " ")
}

// sentence adds a full stop to a text that has no punctuation at its end.
func sentence(text string) string {
	last, _ := utf8.DecodeLastRuneInString(text)
	if text == "" || strings.ContainsRune(".?!…", last) {
		return text
	}
	return text + "."
}

// joinNonEmpty joins the parts that are not empty.
func joinNonEmpty(between string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), between)
}

// when returns a text if a condition holds, else "".
func when(holds bool, text string) string {
	if !holds {
		return ""
	}
	return text
}

// withLabel returns a text after a label, or "" if the text is empty.
func withLabel(label, text string) string { return when(text != "", label+text) }

// between returns a text between two others, or "" if the text is empty.
func between(front, text, behind string) string { return when(text != "", front+text+behind) }

// convert applies write to the items of a list.
func convert[T any](list []T, write func(T) string) []string {
	out := make([]string, len(list))
	for i, item := range list {
		out[i] = write(item)
	}
	return out
}

// distinct returns the texts that are not empty, without duplicates.
func distinct(texts []string) []string { return entity.Once(convert(texts, line)) }

func digits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// capital returns a text with its first letter in upper case.
func capital(text string) string {
	for i, r := range text {
		return string(unicode.ToUpper(r)) + text[i+len(string(r)):]
	}
	return ""
}

// ascii returns the letters and digits of a name in lower case, without accents, as they can be typed in a reference manager.
func ascii(text string) string { return entity.Fold(entity.BasicLetters(text)) }
