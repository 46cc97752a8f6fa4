package registry

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words cuts text into the words that are compared: in lower case, without
// accents, lightly stemmed. A period, colon, low line or apostrophe inside a word
// belongs to it, as in the registry; any other character that is no letter or digit
// parts two words.
func Words(text string) []string {
	if isASCII(text) { // as most text is
		return asciiWords(strings.ToLower(text))
	}
	return anyWords(text)
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// asciiWords returns what anyWords does, for text of ASCII in lower case.
func asciiWords(text string) []string {
	words := make([]string, 0, len(text)/6+1)
	start := -1
	for i := 0; i <= len(text); i++ {
		inside := i < len(text) && (text[i] >= 'a' && text[i] <= 'z' || text[i] >= '0' && text[i] <= '9' ||
			strings.IndexByte(wordGlue, text[i]) >= 0)
		switch {
		case inside && start < 0:
			start = i
		case !inside && start >= 0:
			if word := stem(strings.Trim(text[start:i], wordGlue)); word != "" {
				words = append(words, word)
			}
			start = -1
		}
	}
	return words
}

// anyWords cuts any text into words.
func anyWords(text string) []string {
	text = plainLetters.Replace(strings.Map(lower, text))
	all := strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(wordGlue, r)
	})
	kept := all[:0]
	for _, word := range all {
		if word = stem(strings.Trim(word, wordGlue)); word != "" {
			kept = append(kept, word)
		}
	}
	return kept
}

// lower also drops accents that are characters of their own.
func lower(r rune) rune {
	if unicode.Is(unicode.Mn, r) {
		return -1
	}
	return unicode.ToLower(r)
}

const wordGlue = ".:_'"

var plainLetters = strings.NewReplacer(
	"’", "'", "á", "a", "à", "a", "â", "a", "ä", "a", "ã", "a", "å", "a", "ç", "c", "č", "c",
	"é", "e", "è", "e", "ê", "e", "ë", "e", "í", "i", "ì", "i", "î", "i", "ï", "i", "ı", "i",
	"ñ", "n", "ó", "o", "ò", "o", "ô", "o", "ö", "o", "õ", "o", "ø", "o", "š", "s", "ş", "s",
	"ú", "u", "ù", "u", "û", "u", "ü", "u", "ý", "y", "ž", "z", "ğ", "g", "ł", "l", "ß", "ss",
)

// stem removes the endings of plurals and possessives. It has to treat queries and
// records alike, not to find true singulars.
func stem(word string) string {
	word = strings.TrimSuffix(word, "'s")
	if len(word) < 4 || !strings.HasSuffix(word, "s") {
		return word
	}
	for _, ending := range []string{"ss", "us", "is"} {
		if strings.HasSuffix(word, ending) {
			return word
		}
	}
	if base, ok := strings.CutSuffix(word, "ies"); ok {
		return base + "y"
	}
	for _, ending := range []string{"sses", "xes", "ches", "shes"} {
		if strings.HasSuffix(word, ending) {
			return word[:len(word)-2]
		}
	}
	return word[:len(word)-1]
}
