// Package reference reads references as people write them, and compares them
// with records. The functions are pure.
package reference

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Fields are the parts of a reference. An empty one was not given.
type Fields struct {
	Journal, Year, Volume, FirstPage, Author, Title, DOI string
	// PMID of the article, where the reference names it.
	PMID string
	// PMCID of the article, such as PMC7616710, where the reference names it.
	PMCID string
	// Text is the reference as it was written, of which the other fields may be
	// parts.
	Text string
}

// Merge returns the fields with those of others that they lack.
func (f Fields) Merge(others Fields) Fields {
	mine, theirs := f.all(), others.all()
	for i := range mine {
		if *mine[i] == "" {
			*mine[i] = *theirs[i]
		}
	}
	return f
}

// all returns the fields, so that they can be set. It is called on a copy.
func (f *Fields) all() []*string {
	return []*string{&f.Journal, &f.Year, &f.Volume, &f.FirstPage, &f.Author, &f.Title, &f.DOI, &f.PMID, &f.PMCID, &f.Text}
}

// words returns the words of a text without accents, in lower case.
func words(text string) []string {
	return strings.FieldsFunc(normalize(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// plain returns a text in lower case and without accents. An apostrophe parts no
// word: O'Brien.
func normalize(text string) string {
	text = ligatures.Replace(strings.ToLower(text))
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) || r == '\'' || r == '’' {
			return -1
		}
		return r
	}, norm.NFD.String(text))
}

// ligatures are letters that have no accent to be taken off.
var ligatures = strings.NewReplacer("ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "ł", "l", "đ", "d", "ı", "i", "þ", "th", "ð", "d")

// Line returns the words of a text without accents and signs, in lower case.
func Line(text string) string { return strings.Join(words(text), " ") }

// Longest returns the part of a text between signs that has most words: likely its
// title, or much of it.
func Longest(text string) (longest string) {
	parts := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(`.,;:?!"“”()[]`, r) })
	for _, part := range parts {
		if len(words(part)) > len(words(longest)) {
			longest = part
		}
	}
	return longest
}

// Words returns the words of a title that a search can go by, without those that
// nearly every title has.
func Words(title string, most int) (list []string) {
	for _, word := range words(title) {
		if len([]rune(word)) > 2 && !stopWords[word] && len(list) < most {
			list = append(list, word)
		}
	}
	return list
}

var stopWords = func() map[string]bool {
	list := map[string]bool{}
	for _, word := range strings.Fields("the and for with from that this into than are was were not its their our has have had can may " +
		"between among after before during versus") {
		list[word] = true
	}
	return list
}()
