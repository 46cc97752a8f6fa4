package mirror

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/mirror/history"
	"github.com/biofact-mcp/biofact/internal/mirror/sqlrows"
	"github.com/biofact-mcp/biofact/internal/mirror/stored"
	"github.com/biofact-mcp/biofact/internal/mirror/wordindex"
)

// This file repeats the work of a sync and compares the results with a file: the facets of all studies, and the facts and words of
// some.

// A remaker has one state of a file.
type remaker struct {
	ctx      context.Context //nolint:containedctx // a remaker is used for one comparison
	db       querier
	unpacker *stored.Unpacker
}

// remakeSample returns the hashes of some studies by their numbers. It also returns the first difference between the file and the facts,
// facets and words that a sync would make of the records, or "".
func remakeSample(ctx context.Context, db *sql.DB) (hashes map[int64]int64, difference string, err error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return nil, "", err
	}
	defer func() { _ = tx.Rollback() }() // it changes nothing
	dictionary, err := readMeta[[]byte](ctx, tx, keyDictionary)
	if err != nil {
		return nil, "", err
	}
	u, err := stored.NewUnpacker(dictionary)
	if err != nil {
		return nil, "", err
	}
	defer u.Close()
	state, err := readState(ctx, tx)
	if err != nil {
		return nil, "", err
	}
	hashes, err = sqlrows.Map[int64, int64](tx.QueryContext(ctx, "SELECT id, hash FROM study ORDER BY random() LIMIT ?", sampled))
	if err != nil || !state.Complete() {
		return hashes, "", err
	}
	r := &remaker{ctx, tx, u}
	for id, hash := range hashes {
		if difference, err := r.compare(id, hash); err != nil || difference != "" {
			return hashes, difference, err
		}
	}
	if state.changes == state.facets { // else the facets are those of an older state
		difference, err = r.compareFacets()
	}
	if err == nil && difference == "" {
		difference, err = history.Check(ctx, tx, u, sampled)
	}
	return hashes, difference, err
}

// compare returns the first difference of a study, or "".
func (r *remaker) compare(id, hash int64) (string, error) {
	var main, results, before []byte
	const query = "SELECT main, results, facts FROM record JOIN study USING (id) WHERE id = ?"
	found, err := sqlrows.One(r.db.QueryRowContext(r.ctx, query, id), &main, &results, &before)
	if err != nil {
		return "", err
	}
	if !found {
		return stored.NCT(id) + " has no record", nil
	}
	s, err := r.study(id, main, results)
	if err != nil || s.hash != hash {
		return "the record of " + stored.NCT(id) + " cannot be read", nil //nolint:nilerr // it is the difference
	}
	facts, err := s.facts(r.number)
	if err != nil {
		return "", err
	}
	if !bytes.Equal(facts, before) {
		return "the facts of " + stored.NCT(id) + " are not those of its record", nil
	}
	return r.compareWords(s)
}

// study returns the decoded study of a packed record.
func (r *remaker) study(id int64, main, results []byte) (*study, error) {
	s := &study{id: id}
	var err error
	if s.main, err = r.unpacker.Unpack(nil, main); err != nil {
		return nil, err
	}
	if len(results) > 0 {
		if s.results, err = r.unpacker.Unpack(nil, results); err != nil {
			return nil, err
		}
	}
	s.hash = stored.Hash(s.main, s.results)
	return s, s.decode()
}

// number returns the number of a value of a grouped piece, 0 for a value that the file does not have.
func (r *remaker) number(piece int, text string) (id int64, err error) {
	_, err = sqlrows.One(r.db.QueryRowContext(r.ctx, "SELECT id FROM value WHERE piece = ? AND text = ?", piece, text), &id)
	return id, err
}

// compareFacets returns the name of the first facet that is not that of the facts, as a difference, or "".
func (r *remaker) compareFacets() (difference string, err error) {
	var size int // of a part, in studies
	const query = "SELECT coalesce(max(length(data)) / 4, 0) FROM facet WHERE name = ?"
	if err := r.db.QueryRowContext(r.ctx, query, facetIDs).Scan(&size); err != nil {
		return "", err
	}
	err = makeFacets(r.ctx, r.db, max(1, size), func(name string, part int, made []byte) error {
		var same bool
		const query = "SELECT coalesce((SELECT data FROM facet WHERE name = ? AND part = ?), x'') = coalesce(?, x'')"
		err := r.db.QueryRowContext(r.ctx, query, name, part, made).Scan(&same)
		if err == nil && !same && difference == "" {
			difference = "the facet " + name + " is not that of the facts of the studies"
		}
		return err
	})
	return difference, err
}

const (
	// remadeWords bounds the words of an index that are compared, in phrases of phraseWords.
	remadeWords = 120
	phraseWords = 12
)

// compareWords compares the beginning of the words of a study.
func (r *remaker) compareWords(s *study) (string, error) {
	for _, i := range wordindex.Columns {
		words := strings.Fields(string(i.Text(s.body)))
		var phrases []string
		for some := range slices.Chunk(words[:min(len(words), remadeWords)], phraseWords) {
			phrases = append(phrases, `"`+strings.ReplaceAll(strings.Join(some, " "), `"`, `""`)+`"`)
		}
		if len(phrases) == 0 {
			continue
		}
		found := 0
		match := "{" + i.Name + "} : (" + strings.Join(phrases, " AND ") + ")"
		err := r.db.QueryRowContext(r.ctx, "SELECT count(*) FROM words WHERE words MATCH ? AND rowid = ?", match, s.id).Scan(&found)
		if err != nil {
			return "", err
		}
		if found == 0 {
			return fmt.Sprintf("the words of %s are not those of the record of %s", i.Name, stored.NCT(s.id)), nil
		}
	}
	return "", nil
}

// sampled is the number of records that a verification compares.
const sampled = 100
