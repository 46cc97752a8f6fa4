package citation

import (
	"slices"
	"strings"
	"unicode"
)

// journalTitle returns the name of a journal as it is usually cited: without the place that NLM adds to distinguish journals of the same
// name, as in Science (New York, N.Y.), without the text after a colon or semicolon, and in title case, which all styles require and NLM
// does not use.
func journalTitle(name string) string {
	name = strings.ReplaceAll(name, " : ", ": ")
	if i := strings.LastIndex(name, " ("); i > 0 && strings.HasSuffix(name, ")") {
		name = name[:i]
	}
	for _, mark := range []string{": ", "; "} {
		if main, _, _ := strings.Cut(name, mark); main != "" {
			name = main
		}
	}
	words := strings.Fields(name)
	for i, word := range words {
		if i == 0 || strings.HasSuffix(words[i-1], ".") || !slices.Contains(lowerCaseWords, word) {
			words[i] = titleCase(word)
		}
	}
	return strings.Join(words, " ")
}

// lowerCaseWords are words that have no capital inside a title: articles, conjunctions and prepositions in several languages.
var lowerCaseWords = strings.Fields("a an and as at but by for in nor of on or the to via " +
	"auf aus das de del della delle dem den der des det di die do dos du e el en et für fur het i im la las le les los " +
	"och og par pour sur u um und van voor y za zum zur")

// titleCase returns a word with a capital at its start and after each hyphen. A word with an inner capital, such as mBio, is unchanged.
func titleCase(word string) string {
	inside := strings.TrimPrefix(word, string([]rune(word)[:1]))
	if strings.ContainsFunc(inside, unicode.IsUpper) || strings.HasPrefix(word, "l'") || strings.HasPrefix(word, "d'") {
		return word
	}
	halves := strings.Split(word, "-")
	for i, p := range halves {
		if i == 0 || !slices.Contains(lowerCaseWords, p) {
			halves[i] = capital(p)
		}
	}
	return strings.Join(halves, "-")
}

// shortPublisher returns a publisher without its legal form and without the country that NLM adds: National Academies Press (US).
func shortPublisher(publisher string) string {
	if i := strings.LastIndex(publisher, " ("); i > 0 && strings.HasSuffix(publisher, ")") {
		if country := publisher[i+2 : len(publisher)-1]; len(country) < 4 && strings.ToUpper(country) == country {
			publisher = publisher[:i]
		}
	}
	for _, form := range []string{"Inc.", "Inc", "Ltd.", "Ltd", "LLC"} {
		if name, found := strings.CutSuffix(publisher, " "+form); found && name != "" {
			return strings.TrimRight(name, ", ")
		}
	}
	return publisher
}
