package registry

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words splits text into the words that searches compare: in lower case, without accents, lightly stemmed. A period, colon,
// low line or apostrophe inside a word belongs to it, as in the registry; any other character except letters and digits
// separates words.
func Words(text string) []string {
	if ascii, ok := asASCII(text); ok {
		return asciiWords(strings.ToLower(ascii))
	}
	return anyWords(text)
}

// asASCII returns text whose words are those of the text, as most texts have them: in ASCII but for signs that part words.
// False: the text has others.
func asASCII(text string) (string, bool) {
	first := strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
	if first < 0 {
		return text, true
	}
	for _, r := range text[first:] {
		if r >= utf8.RuneSelf && (r == '’' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)) {
			return "", false
		}
	}
	return strings.Map(func(r rune) rune {
		if r >= utf8.RuneSelf {
			return ' '
		}
		return r
	}, text), true
}

// asciiWords returns what anyWords does, for text of ASCII in lower case.
func asciiWords(text string) []string {
	words := make([]string, 0, len(text)/6+1)
	start := -1
	for i := 0; i <= len(text); i++ {
		inside := i < len(text) && inWord[text[i]]
		switch {
		case inside && start < 0:
			start = i
		case !inside && start >= 0:
			word := text[start:i]
			if isGlue(word[0]) || isGlue(word[len(word)-1]) {
				word = strings.Trim(word, wordGlue)
			}
			if word = stem(word); word != "" {
				words = append(words, word)
			}
			start = -1
		}
	}
	return words
}

// inWord has the signs of ASCII that words consist of, in lower case.
var inWord = func() (in [256]bool) {
	for _, c := range []byte("abcdefghijklmnopqrstuvwxyz0123456789" + wordGlue) {
		in[c] = true
	}
	return in
}()

// anyWords cuts any text into words.
func anyWords(text string) []string {
	text = plainLetters.Replace(strings.Map(lower, text))
	all := strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(wordGlue, r)
	})
	words := all[:0]
	for _, word := range all {
		if word = stem(strings.Trim(word, wordGlue)); word != "" {
			words = append(words, word)
		}
	}
	return words
}

// lower also drops accents that are characters of their own.
func lower(r rune) rune {
	if unicode.Is(unicode.Mn, r) {
		return -1
	}
	return unicode.ToLower(r)
}

const wordGlue = ".:_'"

func isGlue(c byte) bool { return strings.IndexByte(wordGlue, c) >= 0 }

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
