package service

import (
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
)

// ignored has the parts of a query that Entrez could not use.
type ignored struct{ *entrez.Search }

// without removes the term that was added to the caller's query, if genes were found: NCBI then knew the caller's word.
func (i ignored) without(added string) ignored {
	if i.Count == 0 {
		return i
	}
	search := *i.Search
	search.PhrasesNotFound = slices.DeleteFunc(slices.Clone(search.PhrasesNotFound), func(phrase string) bool { return phrase == added })
	return ignored{&search}
}

// notices returns the parts of a query that NCBI did not find or left out. A part that is still in NCBI's translation of the query was
// searched for and found nothing; so were all parts of a query without results.
func (i ignored) notices() (out []string) {
	var left, nothing []string
	for _, phrase := range slices.Concat(i.PhrasesNotFound, i.QuotedPhrasesNotFound) {
		words, _, _ := strings.Cut(phrase, "[")
		if words = strings.ToLower(strings.Trim(words, `" `)); i.Count == 0 || words != "" &&
			strings.Contains(strings.ToLower(i.QueryTranslation), words) {
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
		{"NCBI ignored", i.PhrasesIgnored},
		{"NCBI has no field", i.FieldsNotFound},
	} {
		var terms []string
		for _, term := range part.terms {
			if term = strings.TrimSuffix(term, "[gene]"); !slices.Contains(terms, term) { // searched with and without the tag
				terms = append(terms, term)
			}
		}
		if len(terms) > 0 {
			out = append(out, part.what+": "+entity.Cut(strings.Join(terms, ", "), 200)+".")
		}
	}
	return out
}
