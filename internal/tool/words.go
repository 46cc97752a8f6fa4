package tool

import (
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// readWords returns the known values that a text names: one value in any case
// and with any punctuation, or several separated by commas, semicolons, bars or
// "or". It also returns the parts that name no value.
func readWords(text string, known []string, means map[string][]string) (values, bad []string) {
	byWords, longest := map[string][]string{}, 0
	for word, values := range means {
		byWords[entity.Fold(word)] = values
	}
	for _, k := range known {
		byWords[entity.Fold(k)] = []string{k}
		longest = max(longest, 1+strings.Count(k, "_"))
	}
	if k, ok := byWords[entity.Fold(text)]; ok {
		return k, nil
	}
	parts := separators.Split(text, -1)
	for i := 0; i < len(parts); {
		if strings.TrimSpace(parts[i]) == "" {
			i++
			continue
		}
		// A value may contain a comma (Active, not recruiting): the longest run
		// of parts that is one value is used.
		end := min(len(parts), i+longest)
		for ; end > i; end-- {
			if k, ok := byWords[entity.Fold(strings.Join(parts[i:end], ""))]; ok {
				values = append(values, k...)
				break
			}
		}
		if end == i {
			bad = append(bad, strings.TrimSpace(parts[i]))
			end++
		}
		i = end
	}
	return values, bad
}

var separators = lazyregexp.New(`(?i)[,;|]|\s+or\s+`)

// Nearest returns the candidate whose spelling is closest to name, or "" if
// none is close: one letter in four may differ, and none in a short word.
func Nearest(name string, candidates []string) string {
	letters := len(entity.Fold(name))
	best, limit := "", min(3, letters/4)
	for _, c := range candidates {
		// A short name that begins with another letter is another word: year, near.
		if letters < 6 && letters > 0 && c != "" && entity.Fold(name)[0] != entity.Fold(c)[0] {
			continue
		}
		if d := entity.Distance(name, c); letters > 0 && d <= limit {
			best, limit = c, d-1
		}
	}
	return best
}
