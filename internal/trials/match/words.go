package match

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/biofact-mcp/biofact/internal/criteria"
)

//go:embed words.tsv
var wordFile string

// roles maps the roles of words to the words.
var roles = sync.OnceValue(func() map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for line := range strings.Lines(wordFile) {
		role, words, _ := strings.Cut(strings.TrimSpace(line), "\t")
		all[role] = map[string]bool{}
		for _, w := range strings.Fields(words) {
			all[role][w] = true
		}
	}
	return all
})

func is(word string, anyOf ...string) bool {
	return slices.ContainsFunc(anyOf, func(role string) bool { return roles()[role][word] })
}

// anyIs reports whether a word of some has a role.
func anyIs(words []string, role string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return is(w, role) })
}

// A mark stands for a limit among the words of a line.
const mark = "\uE000"

// split returns the words and marks of a text in lower case.
func split(text string) (all []string) {
	start := -1
	end := func(i int) {
		if start >= 0 {
			all = append(all, strings.ToLower(strings.TrimRight(text[start:i], "-'’")))
			start = -1
		}
	}
	for i, r := range text {
		switch {
		case string(r) == mark:
			end(i)
			all = append(all, mark)
		case unicode.IsLetter(r) || unicode.IsDigit(r) || start >= 0 && (strings.ContainsRune("-'’+", r) || inNumber(text, i)):
			if start < 0 {
				start = i
			}
		default:
			end(i)
			if strings.ContainsRune(",;/()[]:.", r) {
				all = append(all, string(r))
			}
		}
	}
	end(len(text))
	return all
}

// inNumber reports whether a character is the period of a decimal number.
func inNumber(text string, i int) bool {
	digit := func(i int) bool { return i < len(text) && text[i] >= '0' && text[i] <= '9' }
	return text[i] == '.' && digit(i-1) && digit(i+1)
}

// A term is a condition or a treatment.
type term struct {
	text      string
	named     int      // bytes of its name, which may precede a time
	words     []string // singular, without fillers and qualifiers
	initials  string
	treatment bool
	ago       *criteria.Limit // how long ago it was
	organ     bool            // a disease of an organ: without such a word, a text is about the organ
}

// readTerms reads conditions or treatments. Texts without a word are left out.
func readTerms(texts []string, treatments bool) (all []term) {
	for _, text := range texts {
		if t := termOf(text, treatments); len(t.words) > 0 {
			all = append(all, t)
		}
	}
	return all
}

// termOf reads a condition or a treatment, with its time: chemotherapy 6 weeks ago.
func termOf(text string, treatment bool) term {
	t := term{text: text, named: len(text), treatment: treatment}
	for _, l := range criteria.Values(text) {
		if l.What == "window" && l.High != nil {
			t.named, t.ago = l.Start, &l
		}
	}
	words := split(text[:t.named])
	t.name(words)
	n := len(t.words)
	t.organ = n > 0 && is(t.words[n-1], "organ") && is(words[len(words)-1], "disease")
	return t
}

// name sets the words and the initials of a term.
func (t *term) name(words []string) {
	for _, w := range words {
		if t.words = append(t.words, content(w, t.treatment)...); len(w) > 1 && !is(w, "filler") {
			for part := range strings.SplitSeq(w, "-") {
				t.initials += part[:min(1, len(part))]
			}
		} else if len(w) == 1 && w[0] >= '0' {
			t.initials += w
		}
	}
}

// named returns the term of some words of a line.
func named(words []string, treatment bool) *term {
	t := &term{treatment: treatment}
	t.name(words)
	return t
}

// content returns a word that says what a condition or a treatment is, in one form, or none.
func content(word string, treatment bool) []string {
	isMark := word[0] < '0' || strings.Contains(":;[]", word)
	if isMark || is(word, "filler", "qualifier") || treatment && is(word, "dosing") {
		return nil
	}
	word = singular(word)
	if same := synonyms()[word]; same != nil {
		return same
	}
	return []string{word}
}

// synonyms maps words to those that mean the same.
var synonyms = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for pair := range roles()["same"] {
		word, same, _ := strings.Cut(pair, "=")
		for part := range strings.SplitSeq(same, "+") {
			all[word] = append(all[word], singular(part))
		}
	}
	return all
})

// singular removes the ending of a plural.
func singular(word string) string {
	switch {
	case len(word) > 4 && strings.HasSuffix(word, "ies"):
		return word[:len(word)-3] + "y"
	case len(word) > 3 && strings.HasSuffix(word, "s") && !slices.Contains([]string{"ss", "is", "us"}, word[len(word)-2:]):
		return word[:len(word)-1]
	}
	return word
}

// key returns the words as one: a hyphen, a space and nothing are the same.
func (t *term) key() string { return joined(t.words) }

func joined(words []string) string { return strings.ReplaceAll(strings.Join(words, ""), "-", "") }

// same reports whether two terms name one thing: by the same words, or one by the initials of the other.
func (t *term) same(other *term) bool {
	short := func(a, b *term) bool {
		return len(a.words) == 1 && len(a.words[0]) > 2 && len(b.words) > 1 && a.words[0] == b.initials
	}
	return t.key() == other.key() || short(t, other) || short(other, t)
}

// implies reports whether the person's term is a kind of another: type 2 diabetes is diabetes.
func (t *term) implies(other *term) bool {
	n := len(t.words) - len(other.words)
	if n <= 0 || len(other.words) == 0 || joined(t.words[n:]) != other.key() {
		return false
	}
	narrow := !slices.ContainsFunc(t.words[:n], func(w string) bool { return !is(w, "narrow") && (w[0] < '0' || w[0] > '9') })
	kinds := []string{"cancer", "carcinoma", "leukemia", "lymphoma", "tumor", "malignancy"}
	return narrow || slices.Contains(kinds, t.words[len(t.words)-1])
}

// excludedBy reports whether words name a term, or less than it: severe asthma that requires steroids is no asthma of a person without it.
func (t *term) excludedBy(words []string) bool {
	contents, key := make([][]string, len(words)), t.key()
	for i, w := range words {
		contents[i] = content(w, t.treatment)
	}
	for from := range words {
		var named []string
		for to := from + 1; to <= len(words); to++ {
			if named = append(named, contents[to-1]...); len(named) > len(t.words) {
				break
			}
			if len(named) == 0 || joined(named) != key {
				continue
			}
			if t.organ && (to == len(words) || !is(words[to], "disease")) {
				continue
			}
			before := slices.ContainsFunc(words[:from], func(w string) bool { return !is(w, "narrow", "filler", "qualifier") })
			for to < len(words) && is(words[to], "qualifier", "filler") && !is(words[to], "restricts") {
				to++
			}
			return !before && (to == len(words) || is(words[to], "restricts"))
		}
	}
	return false
}
