package relax

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/wording"
)

const (
	// maxWords limits the words of a search of the registry, maxLength the characters that they have together.
	maxWords, maxLength = 24, 1500
	// common is the share of the trials above which a word is left out while usefulWords others are left, and maxRare is the most words
	// whose shares are known.
	common, usefulWords, maxRare = 0.2, 3, 30
)

// generic has the words that say nothing about a subject, as trials are searched for them.
var generic = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for _, w := range query.Words(strings.Join(wording.Words(), " ")) {
		words[w] = true
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
		part = wording.Bare(part)
		own := query.Words(part)
		key := strings.Join(own, " ")
		if len(own) == 0 || seen[key] {
			continue
		}
		seen[key] = true
		all = append(all, word{area, wording.Spellings(part)})
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
