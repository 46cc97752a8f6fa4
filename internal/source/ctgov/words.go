package ctgov

import (
	"context"

	"github.com/biofact-mcp/biofact/internal/mirror"
	"github.com/biofact-mcp/biofact/internal/query"
)

// WordUse says how trials use a word.
type WordUse = mirror.WordUse

// WordUses returns how trials use each of some words in an area, if the mirror answers all searches; nil: only the registry knows. With
// NCT ids it says which of these trials have the word, without ids the share of all trials.
func (r *Registry) WordUses(ctx context.Context, area string, words, ids []string) ([]WordUse, error) {
	if r.mirror == nil || !r.mirror.Only || len(words) == 0 {
		return nil, nil
	}
	uses, err := r.mirror.Reader.Use(ctx, query.AreaNamed(area), words, ids)
	if err != nil {
		return nil, r.mirror.unusable(ctx, err)
	}
	return uses, nil
}
