package registry

import (
	"strings"
	"sync"
	"unicode"
)

// words cuts text into the words that are compared: lower case, without
// accents, lightly stemmed. A period, colon, low line and apostrophe hold a
// word together, as upstream; everything else that is no letter or digit
// parts two words.
func words(text string) []string {
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

// lower also drops accents that are written as a sign of their own.
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

// stem takes the plural and the possessive off. It only has to treat queries
// and records alike, not to find true singulars.
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

// synonyms are names of the same thing, a small excerpt of what upstream
// takes from UMLS: enough for searches that people try first.
var synonyms = [][]string{
	{"heart attack", "myocardial infarction"},
	{"high blood pressure", "hypertension"},
	{"stroke", "cerebrovascular accident"},
	{"breast cancer", "breast neoplasm", "breast carcinoma", "breast tumor"},
	{"lung cancer", "lung neoplasm", "lung carcinoma"},
	{"prostate cancer", "prostatic neoplasm", "prostate carcinoma"},
	{"colorectal cancer", "colorectal neoplasm", "colorectal carcinoma"},
	{"NSCLC", "non-small cell lung cancer", "non-small cell lung carcinoma", "carcinoma, non-small-cell lung"},
	{"type 2 diabetes", "type 2 diabetes mellitus", "diabetes mellitus, type 2", "T2DM"},
	{"type 1 diabetes", "type 1 diabetes mellitus", "diabetes mellitus, type 1", "T1DM"},
	{"COVID-19", "SARS-CoV-2", "coronavirus disease 2019"},
	{"United States", "USA"},
	{"United Kingdom", "UK"},
}

// thesaurus finds the other names of a name.
type thesaurus struct {
	others  map[string][][]string // by the name's words, joined by spaces
	longest int                   // words of the longest name
}

var otherNames = sync.OnceValue(func() thesaurus {
	t := thesaurus{others: map[string][][]string{}}
	for _, group := range synonyms {
		for _, name := range group {
			own := words(name)
			t.longest = max(t.longest, len(own))
			for _, other := range group {
				if other != name {
					key := strings.Join(own, " ")
					t.others[key] = append(t.others[key], words(other))
				}
			}
		}
	}
	return t
})

// at returns how many words from the start are a known name, the longest one,
// and its other names; 0 if none is.
func (t thesaurus) at(run []string) (int, [][]string) {
	for n := min(t.longest, len(run)); n > 0; n-- {
		if others := t.others[strings.Join(run[:n], " ")]; others != nil {
			return n, others
		}
	}
	return 0, nil
}
