package mirror

import (
	"context"

	"github.com/biofact-mcp/biofact/internal/mirror/stored"
	"github.com/biofact-mcp/biofact/internal/query"
)

// A WordUse says how the studies of a mirror use a word.
type WordUse struct {
	Share float64 // of the studies that have it; of a common word an estimate, 0 if none has it
	Has   []bool  // whether each of some studies has it
}

// sampleShare is the part of the studies, the newest ones, in which common words are counted if the studies are more than sampledFrom.
const (
	sampleShare = 16
	sampledFrom = 50_000
)

// Use returns how the studies use each of some words in an area of the registry. With ids it says which of these studies have the word,
// without ids it gives the share of all studies.
func (r *Reader) Use(ctx context.Context, area *query.Area, words, ids []string) (uses []WordUse, err error) {
	c, done, err := r.use(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	var all, from int64
	const newest = "SELECT id FROM study ORDER BY id DESC LIMIT 1 OFFSET ?"
	err = c.db.QueryRowContext(ctx, "SELECT count(*) FROM study").Scan(&all)
	if err == nil && all > sampledFrom {
		err = c.db.QueryRowContext(ctx, newest, all/sampleShare-1).Scan(&from)
	}
	columns, _ := columnsOf(area)
	for _, word := range words {
		var use WordUse
		term := query.Term{Area: area, Words: query.Words(word)}
		switch match := matchingTerm(term, columns); {
		case err != nil:
			return nil, err
		case len(term.Words) == 0:
		case ids != nil:
			use.Has, err = c.have(ctx, match, ids)
		default:
			use.Share, err = c.share(ctx, match, from, all)
		}
		uses = append(uses, use)
	}
	return uses, err
}

// share returns the share of all studies that a query of the word index finds, estimated from those with a number of at least from.
func (c *copyOf) share(ctx context.Context, match string, from, all int64) (float64, error) {
	const count = "SELECT count(*) FROM words WHERE words MATCH ? AND rowid >= ?"
	var found int64
	of := all
	if from > 0 {
		of /= sampleShare
	}
	err := c.db.QueryRowContext(ctx, count, match, from).Scan(&found)
	if err == nil && found == 0 && from > 0 {
		of = all
		err = c.db.QueryRowContext(ctx, count, match, 0).Scan(&found)
	}
	return float64(found) / float64(max(1, of)), err
}

// have reports which of some studies a query of the word index finds.
func (c *copyOf) have(ctx context.Context, match string, ids []string) ([]bool, error) {
	has := make([]bool, len(ids))
	for i, nct := range ids {
		id, _ := stored.Number(nct)
		const one = "SELECT count(*) FROM words WHERE words MATCH ? AND rowid = ?"
		if err := c.db.QueryRowContext(ctx, one, match, id).Scan(&has[i]); err != nil {
			return nil, err
		}
	}
	return has, nil
}
