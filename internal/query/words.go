package query

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words splits text into the words that searches compare: in lower case, without accents, lightly stemmed. A period, colon,
// low line or apostrophe inside a word belongs to it, as in the registry; any other character except letters and digits
// separates words.
func Words(text string) []string {
	if !hasASCIIWords(text) {
		return anyWords(text)
	}
	joined := string(appendASCII(nil, text))
	words := make([]string, 0, len(text)/6+1)
	for word := range strings.SplitSeq(joined, " ") {
		if word != "" {
			words = append(words, word)
		}
	}
	return words
}

// AppendWords appends the words of text to a buffer, with a space before each.
func AppendWords(into []byte, text string) []byte {
	if hasASCIIWords(text) {
		return appendASCII(into, text)
	}
	for _, word := range anyWords(text) {
		into = append(append(into, ' '), word...)
	}
	return into
}

// hasASCIIWords reports whether the words of a text have only ASCII, as those of most texts: other characters separate words.
func hasASCIIWords(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] >= utf8.RuneSelf {
			return onlySeparators(text[i:])
		}
	}
	return true
}

// onlySeparators reports whether all characters of a text outside ASCII separate words.
func onlySeparators(text string) bool {
	for _, r := range text {
		if r >= utf8.RuneSelf && (r == '’' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)) {
			return false
		}
	}
	return true
}

// appendASCII appends the words of a text with words of ASCII, with a space before each. It allocates nothing but the buffer:
// a mirror splits all text of the registry.
func appendASCII(into []byte, text string) []byte {
	into = slices.Grow(into, len(text)+1)
	for i := 0; i < len(text); {
		c := wordByte[text[i]]
		if c == 0 {
			i++
			continue
		}
		start := len(into)
		into = append(into, ' ')
		for {
			into = append(into, c)
			if i++; i >= len(text) {
				break
			}
			if c = wordByte[text[i]]; c == 0 {
				break
			}
		}
		into = finishWord(into, start)
	}
	return into
}

// finishWord trims and stems the word at the end of a buffer, which has a space at start. It removes an empty word.
func finishWord(into []byte, start int) []byte {
	word := into[start+1:]
	if last := word[len(word)-1]; last != 's' && !isGlue(word[0]) && !isGlue(last) {
		return into // as most words
	}
	stemmed := stem(strings.Trim(string(word), wordGlue))
	if stemmed == "" {
		return into[:start]
	}
	return append(into[:start+1], stemmed...)
}

// wordByte maps the bytes of words in ASCII to lower case, and all other bytes to 0.
var wordByte = func() (lower [256]byte) {
	for _, c := range []byte("abcdefghijklmnopqrstuvwxyz0123456789" + wordGlue) {
		lower[c] = c
	}
	for c := byte('A'); c <= 'Z'; c++ {
		lower[c] = c - 'A' + 'a'
	}
	return lower
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

func isGlue(c byte) bool { return c == '.' || c == ':' || c == '_' || c == '\'' }

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

func contains(text, run []string) bool {
	for i := 0; i+len(run) <= len(text); i++ {
		if text[i] == run[0] && slices.Equal(text[i:i+len(run)], run) {
			return true
		}
	}
	return false
}
