package toolgen

import (
	"strings"
	"unicode"
)

// initialisms are the words of tool and argument names that Go writes in another case.
var initialisms = map[string]string{"id": "ID", "ids": "IDs", "nct": "NCT", "pubmed": "PubMed", "pmid": "PMID", "pmids": "PMIDs",
	"url": "URL", "xml": "XML"}

// exported converts a name of tools.yaml or of a document (search_trials, query.cond, listStudies) into an exported Go name. Names of a
// document become the same as in the generated client.
func exported(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	snake := strings.Contains(name, "_")
	for i, w := range words {
		if up, ok := initialisms[w]; ok && snake {
			words[i] = up
			continue
		}
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, "")
}

// kebab converts TrialSearchCandidate into trial-search-candidate and PubMedLink into pubmed-link.
func kebab(name string) string {
	name = strings.ReplaceAll(name, "PubMed", "Pubmed")
	var out strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			out.WriteByte('-')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}
