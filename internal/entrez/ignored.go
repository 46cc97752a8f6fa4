package entrez

import (
	"slices"
	"strings"
	"unicode"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// WithoutPhrase returns the search without a phrase among those that were not found, if it has results.
func (s *Search) WithoutPhrase(phrase string) *Search {
	if s.Count == 0 {
		return s
	}
	search := *s
	search.PhrasesNotFound = slices.DeleteFunc(slices.Clone(search.PhrasesNotFound), func(p string) bool { return p == phrase })
	return &search
}

// Ignored returns sentences with the parts of the query that NCBI did not find or left out. A part that is still in NCBI's translation of
// the query was searched for and found nothing; so were all parts of a query without results.
func (s *Search) Ignored() (out []string) {
	var left, nothing []string
	for _, phrase := range slices.Concat(s.PhrasesNotFound, s.QuotedPhrasesNotFound) {
		words, _, _ := strings.Cut(phrase, "[")
		if words = strings.ToLower(strings.Trim(words, `" `)); s.Count == 0 || words != "" &&
			strings.Contains(strings.ToLower(s.QueryTranslation), words) {
			nothing = append(nothing, phrase)
		} else {
			left = append(left, phrase)
		}
	}
	for _, part := range []struct {
		what  string
		terms []string
	}{
		{"NCBI finds nothing for", nothing},
		{"NCBI does not know and left out", left},
		{"NCBI ignored", s.PhrasesIgnored},
		{"NCBI has no field", s.FieldsNotFound},
		{"NCBI warns", s.OutputMessages},
	} {
		var terms []string
		for _, term := range part.terms {
			if term = strings.TrimSuffix(term, "[gene]"); !slices.Contains(terms, term) { // searched with and without the tag
				terms = append(terms, term)
			}
		}
		if len(terms) > 0 {
			out = append(out, part.what+": "+strings.TrimSuffix(entity.Cut(strings.Join(terms, ", "), 200), ".")+".")
		}
	}
	return out
}

// EnglishAdvice returns the advice to search in English for a text in another script, and "" for other texts.
func EnglishAdvice(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsLetter(r) && !unicode.In(r, unicode.Latin, unicode.Greek, unicode.Common)
	}) {
		return " NCBI is searched in English: translate the words."
	}
	return ""
}
