// Package relevance scores records by some words of a search: by the rarity of the words that they have, and by BM25 with weighted fields.
// It reads no file.
package relevance

import (
	"math"
	"strings"

	"github.com/biofact-mcp/biofact/internal/mirror/rowset"
	"github.com/biofact-mcp/biofact/internal/query"
)

// fields are the pieces whose words count, each with the weight of a word and the mean number of words. They are the only numbers to tune.
// Criteria also name what is excluded.
var fields = []struct {
	pieces       string
	weight, mean float64
}{
	{"BriefTitle OfficialTitle Acronym", 5, 12},
	{"Condition Keyword ConditionMeshTerm", 4, 8},
	{"InterventionName InterventionOtherName", 3, 8},
	{"BriefSummary", 1, 115},
	{"EligibilityCriteria", 0.3, 250},
}

// The usual constants of BM25: how fast further occurrences of a word lose weight, and the influence of the length of a text.
const saturation, lengthShare = 1.2, 0.75

// Fields selects the part of a record that Score reads.
func Fields() query.Projection {
	var pieces []string
	for _, f := range fields {
		pieces = append(pieces, strings.Fields(f.pieces)...)
	}
	return query.Select(pieces...)
}

// A Word is a word of a search.
type Word struct {
	spellings []query.Term
	rows      rowset.Set // with the word
	rarity    float64
}

// NewWord returns a word that some of all records have. Its rarity is the inverse document frequency of BM25.
func NewWord(spellings []query.Term, rows rowset.Set, all int) Word {
	some := rows.Count()
	return Word{spellings, rows, math.Log(1 + (float64(all-some)+0.5)/(float64(some)+0.5))}
}

// Rarities returns, for each of the rows of a table, the sum of the rarities of the words that it has, in millionths.
func Rarities(words []Word, rows int) []uint32 {
	sums := make([]uint32, rows)
	for _, w := range words {
		own := uint32(1e6 * w.rarity)
		for row := range w.rows.All() {
			sums[row] += own
		}
	}
	return sums
}

// Score returns the relevance of a record for some words; a higher one is better.
func Score(record map[string]any, words []Word) (sum float64) {
	occurrences := make([]float64, len(words)) // weighted
	for _, f := range fields {
		counts, length := map[string]int{}, 0
		for piece := range strings.FieldsSeq(f.pieces) {
			for _, text := range query.Values(record, piece) {
				for _, word := range query.Words(text) {
					counts[word]++
					length++
				}
			}
		}
		for i, w := range words {
			occurrences[i] += f.weight * float64(w.count(counts)) / (1 - lengthShare + lengthShare*float64(length)/f.mean)
		}
	}
	for i, w := range words {
		sum += w.rarity * occurrences[i] * (saturation + 1) / (occurrences[i] + saturation)
	}
	return sum
}

// count returns how often a text has the word in one of its spellings, from the number of each of its words.
func (w Word) count(counts map[string]int) (most int) {
	for _, term := range w.spellings {
		least := math.MaxInt
		for _, word := range term.Words {
			least = min(least, counts[word])
		}
		most = max(most, least)
	}
	return most
}
