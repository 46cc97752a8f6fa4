package match

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

//go:embed words.tsv
var wordFile string

// roles maps the roles of words to the words. Those that lead to no line are folded.
var roles = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for line := range strings.Lines(wordFile) {
		role, words, _ := strings.Cut(strings.TrimSpace(line), "\t")
		all[role] = strings.Fields(words)
	}
	return all
})

// idle are the words that lead to no line alone, folded.
var idle = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for _, w := range slices.Concat(roles()["stop"], roles()["general"]) {
		all[fold(w)] = true
	}
	return all
})

var (
	british  = strings.NewReplacer("ae", "e", "oe", "e", "our", "or", "isation", "ization", "ising", "izing", "ise", "ize")
	joinable = 4 // neighbours of a line that may be one word
)

// fold returns a word in one form for case, accents, plural, and British and American spelling.
func fold(word string) string {
	word = strings.ToLower(word)
	if strings.IndexFunc(word, func(r rune) bool { return r > unicode.MaxASCII }) >= 0 {
		word = strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Mn, r) {
				return -1
			}
			return r
		}, norm.NFD.String(word))
	}
	word = british.Replace(word)
	switch n := len(word); {
	case n > 4 && strings.HasSuffix(word, "ies"):
		word = word[:n-3] + "y"
	case n > 5 && strings.HasSuffix(word, "sis"), n > 4 && strings.HasSuffix(word, "es"):
		word = word[:n-2]
	case n > 3 && strings.HasSuffix(word, "s") && !slices.Contains([]string{"ss", "is", "us"}, word[n-2:]):
		word = word[:n-1]
	}
	if len(word) > 4 {
		word = strings.TrimSuffix(word, "e")
	}
	return word
}

// A term is the words of a fact, folded.
type term struct {
	words []string // the distinctive ones, else all
	all   bool     // a line needs each of them
	short []string // abbreviations in brackets that are common words otherwise, as they were given
}

// readTerm reads the words of a fact. They end at blanks and commas.
func readTerm(text string) term {
	var distinct, every []string
	t := term{}
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == ',' || r == ';' }) {
		letters := strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return r
			}
			return -1
		}, w)
		switch folded := fold(letters); {
		case letters == "":
		case len(letters) > 1 && strings.ToUpper(letters) == letters && w == "("+letters+")" && idle()[folded]:
			t.short = append(t.short, letters)
		case !distinctive(folded):
			every = append(every, folded)
		default:
			distinct = append(distinct, folded)
		}
	}
	if t.words = distinct; len(distinct) == 0 {
		t.words, t.all = every, true
	}
	return t
}

// distinctive reports whether a folded word distinguishes a fact: idle words, numbers and single letters do not.
func distinctive(word string) bool {
	letters := strings.IndexFunc(word, unicode.IsLetter) >= 0
	return letters && len(word) > 1 && !idle()[word]
}

// lineWords are the words of a line, and the neighbours that may be one word.
type lineWords struct {
	folded map[string]bool
	given  map[string]bool
	order  []string // lower case
}

// wordsOf returns the words of a line.
func wordsOf(line string) *lineWords {
	l := &lineWords{folded: map[string]bool{}, given: map[string]bool{}}
	words := strings.FieldsFunc(line, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r)
	})
	for _, w := range words {
		l.given[w] = true
		l.order = append(l.order, strings.ToLower(w))
	}
	for i := range l.order {
		joined := ""
		for _, w := range l.order[i:min(len(l.order), i+joinable)] {
			if joined += w; len(joined) > 60 {
				break
			}
			l.folded[fold(joined)] = true
		}
	}
	return l
}

// has reports whether the line has a distinctive word of a term, all of its words, or its abbreviation.
func (l *lineWords) has(t *term) bool {
	if slices.ContainsFunc(t.short, func(w string) bool { return l.given[w] }) {
		return true
	}
	if t.all {
		return len(t.words) > 0 && !slices.ContainsFunc(t.words, func(w string) bool { return !l.folded[w] })
	}
	return slices.ContainsFunc(t.words, func(w string) bool { return l.folded[w] })
}

// begins reports whether a word of the line, or two that are one, begins as one of a role does.
func (l *lineWords) begins(role string) bool {
	for i, w := range l.order {
		if i+1 < len(l.order) {
			w += l.order[i+1]
		}
		if slices.ContainsFunc(roles()[role], func(beginning string) bool { return strings.HasPrefix(w, beginning) }) {
			return true
		}
	}
	return false
}

// joins reports whether a line begins or ends with a word that joins it with its neighbour.
func (l *lineWords) joins() (above, below bool) {
	joining := func(w string) bool { return w == "or" || w == "and" }
	n := len(l.order)
	return n > 0 && joining(l.order[0]), n > 0 && joining(l.order[n-1])
}
