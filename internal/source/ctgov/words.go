package ctgov

import (
	"context"
	"slices"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/query"
)

// A WordUse says how trials use a word.
type WordUse struct {
	Share float64  // of all trials that have it; of a common word an estimate, 0 if none has it
	Near  []string // spellings of a word that no trial has
	Has   []bool   // whether each of some trials has it
}

// WordUses returns how trials use each of some words in an area, if the mirror answers all searches; nil: only the registry knows. With
// NCT ids it says which of these trials have the word, without ids the share of all trials.
func (r *Registry) WordUses(ctx context.Context, area string, words, ids []string) ([]WordUse, error) {
	if r.mirror == nil || !r.mirror.Only || len(words) == 0 {
		return nil, nil
	}
	found, all, err := r.mirror.Reader.Use(ctx, query.AreaNamed(area), words, ids)
	if err != nil {
		return nil, r.mirror.unusable(ctx, err)
	}
	uses := make([]WordUse, len(found))
	for i, use := range found {
		uses[i] = WordUse{float64(use.Studies) / float64(max(1, all)), nearest(words[i], use.Alike), use.Has}
	}
	return uses, nil
}

// nearest returns the words whose spelling is closest to a word: one letter may differ, in a long word two.
func nearest(word string, candidates []string) (near []string) {
	const long, listed = 8, 3
	limit := 1
	if len(word) >= long {
		limit = 2
	}
	for d := 1; d <= limit && len(near) == 0; d++ {
		for _, c := range candidates {
			if entity.Distance(word, c) == d {
				near = append(near, c)
			}
		}
	}
	slices.Sort(near)
	return near[:min(listed, len(near))]
}
