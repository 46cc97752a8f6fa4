package relax

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/biofact-mcp/biofact/internal/query"
)

const (
	// maxWords limits the words of a search of the registry, maxLength the characters that they have together.
	maxWords, maxLength = 24, 1500
	// common is the share of the trials above which a word is left out while usefulWords others are left, and maxRare is the most words
	// whose shares are known.
	common, usefulWords, maxRare = 0.2, 3, 30
)

//go:embed generic.txt
var genericText string

// generic has the words that appear in texts about any person or trial.
var generic = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for line := range strings.Lines(genericText) {
		if !strings.HasPrefix(line, "#") {
			for _, w := range query.Words(line) {
				words[w] = true
			}
		}
	}
	return words
})

// A word is one of a text, in all of its spellings. The first one is that of the text.
type word struct {
	area      string // of the registry, where it is looked for
	spellings []string
}

// wordsOf returns the words of a text that select trials, each once, without generic ones. A text of generic words alone keeps them.
func wordsOf(area string, text []string) (words []word) {
	var all []word
	seen := map[string]bool{}
	for _, part := range text {
		part = strings.Trim(part, ".,;:!?'…")
		own := query.Words(part)
		key := strings.Join(own, " ")
		if len(own) == 0 || seen[key] {
			continue
		}
		seen[key] = true
		all = append(all, word{area, spellings(part)})
		if slices.ContainsFunc(own, func(w string) bool { return !generic()[w] && strings.Trim(w, "0123456789.") != "" }) {
			words = append(words, all[len(all)-1])
		}
	}
	if words == nil {
		return all
	}
	return words
}

// first returns the first words, as many as a search of the registry takes.
func first(words []word) []word {
	length := 0
	for i, w := range words {
		if length += len(strings.Join(w.spellings, " OR ")); i == maxWords || length > maxLength {
			return words[:i]
		}
	}
	return words
}

// rare returns the words that trials have, the rarest first, without the most common ones. shares has the share of the trials with each.
func rare(words []word, shares map[string]float64) []word {
	words = slices.DeleteFunc(words, func(w word) bool { return shares[w.spellings[0]] == 0 })
	slices.SortStableFunc(words, func(a, b word) int { return cmp.Compare(shares[a.spellings[0]], shares[b.spellings[0]]) })
	for len(words) > usefulWords && shares[words[len(words)-1].spellings[0]] > common {
		words = words[:len(words)-1]
	}
	return words[:min(maxRare, len(words))]
}

// pairs are the British and the American form of a part of a word.
var pairs = [][2]string{
	{"aemia", "emia"}, {"aemic", "emic"}, {"haem", "hem"}, {"paed", "ped"}, {"anaes", "anes"}, {"gynaec", "gynec"}, {"ischaem", "ischem"},
	{"caec", "cec"}, {"faec", "fec"}, {"oedem", "edem"}, {"oesoph", "esoph"}, {"oestr", "estr"}, {"foet", "fet"}, {"rrhoea", "rrhea"},
	{"dyspnoea", "dyspnea"}, {"apnoea", "apnea"}, {"tumour", "tumor"}, {"behaviour", "behavior"}, {"colour", "color"}, {"labour", "labor"},
	{"isation", "ization"}, {"ised", "ized"}, {"ising", "izing"}, {"lyse", "lyze"}, {"fibre", "fiber"}, {"centre", "center"},
	{"leukaem", "leukem"}, {"sulph", "sulf"}, {"aetiol", "etiol"}, {"orthopaed", "orthoped"}, {"programme", "program"}, {"ageing", "aging"},
}

// spellings returns a word and its other spellings: British and American, and without its hyphen. The registry needs no plurals.
func spellings(text string) []string {
	all, lower := []string{text}, strings.ToLower(text)
	for _, p := range pairs {
		for _, form := range [][2]string{p, {p[1], p[0]}} {
			if strings.Contains(form[1], form[0]) && strings.Contains(lower, form[1]) { // program in programme
				continue
			}
			if other := strings.Replace(lower, form[0], form[1], 1); other != lower {
				all = append(all, other)
				break
			}
		}
	}
	letters := func(s string) bool {
		return len(s) > 1 && strings.Trim(strings.ToLower(s), "abcdefghijklmnopqrstuvwxyz") == ""
	}
	if left, right, ok := strings.Cut(text, "-"); ok && letters(left) && letters(right) {
		all = append(all, left+right)
	}
	slices.Sort(all[1:])
	return slices.Compact(all)
}
