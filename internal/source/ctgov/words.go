package ctgov

import (
	"context"

	"github.com/biofact-mcp/biofact/internal/query"
)

// WordShares returns for each of some words the share of all trials that have it in an area, of a common word an estimate. known is false
// if only the registry knows, because no mirror answers all searches.
func (r *Registry) WordShares(ctx context.Context, area string, words []string) (shares []float64, known bool, err error) {
	if r.mirror == nil || !r.mirror.Only {
		return nil, false, nil
	}
	if shares, err = r.mirror.Reader.WordShares(ctx, query.AreaNamed(area), words); err != nil {
		return nil, false, r.mirror.unusable(ctx, err)
	}
	return shares, true, nil
}

// WordIn reports for each of some NCT ids whether the trial has a word in an area. known is false as for WordShares.
func (r *Registry) WordIn(ctx context.Context, area, word string, ids []string) (having []bool, known bool, err error) {
	if r.mirror == nil || !r.mirror.Only {
		return make([]bool, len(ids)), false, nil
	}
	if having, err = r.mirror.Reader.WordIn(ctx, query.AreaNamed(area), word, ids); err != nil {
		return nil, false, r.mirror.unusable(ctx, err)
	}
	return having, true, nil
}
