// Package reference parses references in free text, and compares them with records. The functions are pure.
package reference

import (
	"slices"
	"strings"
	"unicode"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// Fields are the parts of a reference. An empty field is unknown.
type Fields struct {
	Journal, Year, Volume, FirstPage, Author, Title, DOI string
	// PMID of the article, if the reference has it.
	PMID string
	// PMCID of the article, such as PMC7616710, if the reference has it.
	PMCID string
	// Issue, and Pages, which has the last page as well.
	Issue, Pages string
	// Authors are all authors of a record of a reference manager; of a text, Author has them.
	Authors string
	// Text is the original text, from which the other fields may come.
	Text string
}

// Merge returns the fields, with empty ones replaced by those of others.
func (f Fields) Merge(others Fields) Fields {
	mine, theirs := f.all(), others.all()
	for i := range mine {
		if *mine[i] == "" {
			*mine[i] = *theirs[i]
		}
	}
	return f
}

// all returns pointers to the fields, so that they can be set. It is called on a copy.
func (f *Fields) all() []*string {
	return []*string{&f.Journal, &f.Year, &f.Volume, &f.FirstPage, &f.Author, &f.Title, &f.DOI, &f.PMID, &f.PMCID, &f.Text}
}

// words returns the words of a text without accents, in lower case.
func words(text string) []string {
	return strings.FieldsFunc(normalize(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// normalize returns a text in lower case, without accents and apostrophes: O'Brien is one word.
func normalize(text string) string {
	return strings.NewReplacer("'", "", "’", "").Replace(entity.BasicLetters(text))
}

// Line returns the words of a text without accents and punctuation, in lower case.
func Line(text string) string { return strings.Join(words(text), " ") }

// Longest returns the part of a text between punctuation marks that has the most words. It is probably the title, or much of it.
func Longest(text string) (longest string) {
	parts := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(`.,;:?!"“”()[]`, r) })
	most := 0
	for _, part := range parts {
		if n := len(words(part)); n > most {
			longest, most = part, n
		}
	}
	return longest
}

// Words returns at most most words of a title for a search, without those that are in nearly every title.
func Words(title string, most int) (list []string) {
	for _, word := range words(title) {
		if len([]rune(word)) > 2 && !stopWords[word] && len(list) < most {
			list = append(list, word)
		}
	}
	return list
}

var stopWords = setOf("the and for with from that this into than are was were not its their our has have had can may " +
	"between among after before during versus")

func setOf(text string) map[string]bool {
	list := map[string]bool{}
	for _, word := range strings.Fields(text) {
		list[word] = true
	}
	return list
}

var parenthesis = lazyregexp.New(`\([^)]*\)|\[[^\]]*\]`)

// journalWords returns the words of a journal's name without those that abbreviations omit.
func journalWords(name string) []string {
	name, _, _ = strings.Cut(parenthesis.ReplaceAllString(name, " "), " : ")
	return slices.DeleteFunc(words(strings.ReplaceAll(name, ".", " ")), func(word string) bool {
		return slices.Contains([]string{"the", "of", "and", "for", "in", "on", "de", "la", "et", "und", "der", "die", "des"}, word)
	})
}
