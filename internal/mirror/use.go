package mirror

import (
	"context"

	"github.com/biofact-mcp/biofact/internal/mirror/stored"
	"github.com/biofact-mcp/biofact/internal/query"
)

// In a mirror of more than sampledFrom studies, common words are counted in the newest of sampleShare parts.
const (
	sampleShare = 16
	sampledFrom = 50_000
)

// WordShares returns for each of some words the share of the studies that have it in an area of the registry; of a common word an
// estimate, 0 if none has it.
func (r *Reader) WordShares(ctx context.Context, area *query.Area, words []string) ([]float64, error) {
	c, done, err := r.use(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	var all, from int64
	if err = c.db.QueryRowContext(ctx, "SELECT count(*) FROM study").Scan(&all); err != nil {
		return nil, err
	}
	sample := all
	if all > sampledFrom {
		sample = all / sampleShare
		const newest = "SELECT id FROM study ORDER BY id DESC LIMIT 1 OFFSET ?"
		if err = c.db.QueryRowContext(ctx, newest, sample-1).Scan(&from); err != nil {
			return nil, err
		}
	}
	shares := make([]float64, len(words))
	for i, word := range words {
		const count = "SELECT count(*) FROM words WHERE words MATCH ? AND rowid >= ?"
		var found int64
		match, of := wordIn(area, word), sample
		err = c.db.QueryRowContext(ctx, count, match, from).Scan(&found)
		if err == nil && found == 0 && from > 0 {
			of = all
			err = c.db.QueryRowContext(ctx, count, match, 0).Scan(&found)
		}
		if err != nil {
			return nil, err
		}
		shares[i] = float64(found) / float64(max(1, of))
	}
	return shares, nil
}

// WordIn reports for each of some NCT ids whether the study has a word in an area of the registry.
func (r *Reader) WordIn(ctx context.Context, area *query.Area, word string, ids []string) ([]bool, error) {
	c, done, err := r.use(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	has, match := make([]bool, len(ids)), wordIn(area, word)
	for i, nct := range ids {
		id, _ := stored.Number(nct)
		const one = "SELECT count(*) FROM words WHERE words MATCH ? AND rowid = ?"
		if err := c.db.QueryRowContext(ctx, one, match, id).Scan(&has[i]); err != nil {
			return nil, err
		}
	}
	return has, nil
}

// wordIn returns the query of the word index for a word, which may have several parts, in an area.
func wordIn(area *query.Area, word string) string {
	columns, _ := columnsOf(area)
	return matchingTerm(query.Term{Area: area, Words: query.Words(word)}, columns)
}
