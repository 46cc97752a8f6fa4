package entity

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
	"golang.org/x/text/unicode/norm"
)

// Clean returns text without characters that could hide content or control its
// display: control characters other than newline and tab, invisible characters,
// and characters that change the direction of text. Line and paragraph
// separators become newlines. See hidden and needed.
func Clean(text string) string {
	if isClean(text) {
		return text
	}
	var clean strings.Builder
	before := rune(0) // the last character written
	for i, r := range text {
		switch {
		case r == lineSeparator || r == paragraphSeparator:
			r = '\n'
		case hidden(r):
			after, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
			if !needed(before, r, after) {
				continue
			}
		}
		clean.WriteRune(r)
		before = r
	}
	return clean.String()
}

// CleanJSON returns the JSON of an answer with clean texts, also where JSON writes a hidden character as an escape. Every answer passes
// here.
func CleanJSON(text []byte) []byte {
	if text = withoutEscapes(text); isClean(text) {
		return text
	}
	return []byte(Clean(string(text)))
}

// withoutEscapes returns JSON whose escapes of hidden characters are removed, or written as the character itself if Clean may keep it.
func withoutEscapes(text []byte) []byte {
	var out []byte
	copied := 0 // bytes of text that are in out, or left out
	for i := 0; i < len(text); {
		next := bytes.IndexByte(text[i:], '\\')
		if next < 0 || i+next+1 == len(text) {
			break
		}
		i += next
		end := min(i+len(`\u0000`), len(text))
		if text[i+1] != 'u' {
			end = i + len(`\n`)
		}
		r, _, _, err := strconv.UnquoteChar(string(text[i:end]), '"')
		if lineEnd := r == '\r' && bytes.HasPrefix(text[end:], []byte(`\n`)); err == nil && hidden(r) && !lineEnd { // rows of CSV end so
			out, copied = append(out, text[copied:i]...), end
			switch {
			case r == lineSeparator || r == paragraphSeparator:
				out = append(out, `\n`...)
			case r > unicode.MaxASCII:
				out = utf8.AppendRune(out, r)
			}
		}
		i = end
	}
	if copied == 0 {
		return text
	}
	return append(out, text[copied:]...)
}

// isClean reports whether a text has no hidden character. Each answer is read here as a whole.
func isClean[T string | []byte](text T) bool {
	for _, r := range string(text) {
		if (r < ' ' || r >= unicode.MaxASCII) && hidden(r) {
			return false
		}
	}
	return true
}

// Narrow returns text with full-width letters, digits and signs as the ASCII characters that they stand for: NCT０２ as NCT02.
func Narrow(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= '！' && r <= '～' {
			return r - '！' + '!'
		}
		return r
	}, text)
}

// Characters that Clean handles specially.
const (
	lineSeparator      = '\u2028'
	paragraphSeparator = '\u2029'
	nonJoiner          = '\u200C'
	joiner             = '\u200D'
	textStyle          = '\uFE0E' // of the symbol before it
	emojiStyle         = '\uFE0F'
)

// hidden reports whether a character is invisible: those of the categories Cc,
// Cf, Zl and Zp, variation selectors, and other default ignorable code points of
// Unicode. The marks of Cf that are written around a number are visible.
func hidden(r rune) bool {
	switch {
	case r < unicode.MaxASCII:
		return r < ' ' && r != '\n' && r != '\t'
	case unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector,
		unicode.Other_Default_Ignorable_Code_Point)
}

// needed reports whether a hidden character changes the display of its
// neighbours: a joiner between letters of a script that has joined forms, or between
// the parts of an emoji, and the style of a symbol.
func needed(before, r, after rune) bool {
	switch r {
	case nonJoiner:
		return joins(before) && joins(after)
	case joiner:
		return joins(before) && joins(after) || isPictograph(before) && isPictograph(after)
	case textStyle, emojiStyle:
		return unicode.IsSymbol(before) || unicode.IsPunct(before) || unicode.IsDigit(before)
	}
	return false
}

// joins reports whether r is a letter or mark of a script with joined forms.
func joins(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsMark(r)) && unicode.In(r,
		unicode.Arabic, unicode.Syriac, unicode.Nko, unicode.Mandaic, unicode.Mongolian,
		unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu,
		unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Tibetan, unicode.Myanmar, unicode.Khmer)
}

// isPictograph reports whether a character is part of an emoji.
func isPictograph(r rune) bool {
	return r > unicode.MaxLatin1 && unicode.IsSymbol(r) || r == emojiStyle
}

// Cut returns text with at most limit characters. A longer text ends after a word,
// with an ellipsis.
func Cut(text string, limit int) string {
	end, count := 0, 0 // end is the byte offset after limit-1 characters
	for i := range text {
		if count++; count == limit {
			end = i
		} else if count > limit {
			break
		}
	}
	if count <= limit {
		return text
	}
	cut := text[:end]
	next, _ := utf8.DecodeRuneInString(text[end:])
	if !unicode.IsSpace(next) {
		if i := strings.LastIndexFunc(cut, unicode.IsSpace); i > 0 {
			cut = cut[:i]
		}
	}
	return strings.TrimRightFunc(cut, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;:", r) }) + "…"
}

// Once returns the values of a list, each once and in their order, without empty values.
func Once[T comparable](list []T) (once []T) {
	var empty T
	seen := map[T]bool{empty: true}
	for _, v := range list {
		if !seen[v] {
			seen[v], once = true, append(once, v)
		}
	}
	return once
}

// CutApart cuts texts as Cut does, but never inside a word, and keeps different texts different: where two would become equal, each gets
// the beginning of the text after the words that they share, so it is longer than limit.
func CutApart(texts []string, limit int) []string {
	out := make([]string, len(texts))
	equal := map[string][]int{} // indexes of texts, by the cut text
	for i, text := range texts {
		out[i] = cutAtWord(text, limit)
		equal[out[i]] = append(equal[out[i]], i)
	}
	for cut, group := range equal {
		shared := texts[group[0]]
		for _, i := range group {
			shared = commonStart(shared, texts[i])
		}
		if shared == "" || !slices.ContainsFunc(group, func(i int) bool { return texts[i] != shared }) {
			continue // they are equal
		}
		if space := strings.LastIndexByte(shared, ' '); space >= 0 {
			shared = shared[:space+1]
			if before := strings.LastIndexByte(shared[:space], ' '); before >= 0 {
				shared = shared[:before+1] // week 4, not 4
			}
		}
		start := len(shared)
		if shown := strings.TrimSuffix(cut, "…"); len(shown) >= len(strings.TrimRight(shared, " ")) { // no word twice
			start, cut = len(shown), shown
		}
		rests := make([]string, len(group))
		for k, i := range group {
			rests[k] = strings.TrimSpace(texts[i][start:])
		}
		for k, rest := range CutApart(rests, max(limit/2, 10)) {
			out[group[k]] = strings.TrimRight(cut+" "+rest, " ")
		}
	}
	return out
}

// longestWord is the length of a word above which it may be cut: some languages have no spaces.
const longestWord = 60

// cutAtWord cuts a text as Cut does. A first word that is longer than the limit stays whole.
func cutAtWord(text string, limit int) string {
	word, _, _ := strings.Cut(text, " ")
	if length := utf8.RuneCountInString(word); length <= longestWord {
		limit = max(limit, length+1)
	}
	return Cut(text, limit)
}

// commonStart returns the longest text that both texts begin with.
func commonStart(a, b string) string {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	for n > 0 && n < len(a) && !utf8.RuneStart(a[n]) {
		n--
	}
	return a[:n]
}

// Distance returns the edit distance of two words after Fold. Two transposed
// letters count as one edit.
func Distance(a, b string) int {
	a, b = Fold(a), Fold(b)
	distance := levenshtein.ComputeDistance(a, b)
	if distance == 2 && slices.Equal(slices.Sorted(strings.SplitSeq(a, "")), slices.Sorted(strings.SplitSeq(b, ""))) {
		return 1
	}
	return distance
}

// Fold returns the ASCII letters and digits of a text in lower case, so that
// spellings of a word compare equal.
func Fold(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return -1
	}, text)
}

// exclusions are the words that exclude the value after them.
var exclusions = []string{"not", "non", "no", "none of", "except", "excluding", "exclude", "without", "other than", "anything but",
	"all but", "all except", "everything but", "everything except"}

// Negated returns the value that a text excludes: human for -human, !human or not
// human. It returns false for a text that excludes nothing.
func Negated(text string) (value string, ok bool) {
	text = strings.TrimSpace(text)
	value = strings.TrimSpace(strings.TrimLeft(text, "-!−–—≠~^"))
	for _, word := range exclusions {
		if len(value) <= len(word) || !strings.EqualFold(value[:len(word)], word) {
			continue
		}
		if rest := strings.TrimLeft(value[len(word):], " \t-"); len(rest) < len(value)-len(word) {
			value = rest
			break
		}
	}
	return value, value != text && strings.ContainsFunc(value, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// WithoutAccents returns text without accents.
func WithoutAccents(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(text))
}

// BasicLetters returns text in lower case, without accents and special letters.
func BasicLetters(text string) string {
	return specialLetters.Replace(strings.ToLower(WithoutAccents(text)))
}

// specialLetters are those that Unicode does not decompose.
var specialLetters = strings.NewReplacer("æ", "ae", "đ", "d", "ð", "d", "ı", "i", "ł", "l", "ø", "o",
	"œ", "oe", "ß", "ss", "þ", "th")
