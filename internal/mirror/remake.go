package mirror

import (
	"bytes"
	"context"
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

// remakeSample returns the hashes of some studies by their numbers. It also returns the first difference between the file and the facts,
// facets and words that a sync would make of the records, or "".
func (c *copyOf) remakeSample(ctx context.Context) (hashes map[int64]int64, difference string, err error) {
	const sample = "SELECT id, hash FROM study ORDER BY random() LIMIT ?"
	hashes, err = sqlrows.Map[int64, int64](c.db.QueryContext(ctx, sample, sampled))
	if err != nil || !c.state.Complete() {
		return hashes, "", err
	}
	for id, hash := range hashes {
		if difference, err := c.compare(ctx, id, hash); err != nil || difference != "" {
			return hashes, difference, err
		}
	}
	if c.state.changes == c.state.facets { // else the facets are those of an older state
		difference, err = c.compareFacets(ctx)
	}
	if err == nil && difference == "" {
		difference, err = history.Check(ctx, c.db, c.file.Unpacker, sampled)
	}
	return hashes, difference, err
}

// compare returns the first difference of a study, or "".
func (c *copyOf) compare(ctx context.Context, id, hash int64) (string, error) {
	var main, results, before []byte
	const query = "SELECT main, results, facts FROM record JOIN study USING (id) WHERE id = ?"
	found, err := sqlrows.One(c.db.QueryRowContext(ctx, query, id), &main, &results, &before)
	if err != nil {
		return "", err
	}
	if !found {
		return stored.NCT(id) + " has no record", nil
	}
	s, err := c.study(id, main, results)
	if err != nil || s.hash != hash {
		return "the record of " + stored.NCT(id) + " cannot be read", nil //nolint:nilerr // it is the difference
	}
	facts, err := s.facts(func(piece int, text string) (id int64, err error) { // 0 for a value that the file does not have
		_, err = sqlrows.One(c.db.QueryRowContext(ctx, "SELECT id FROM value WHERE piece = ? AND text = ?", piece, text), &id)
		return id, err
	})
	if err != nil {
		return "", err
	}
	if !bytes.Equal(facts, before) {
		return "the facts of " + stored.NCT(id) + " are not those of its record", nil
	}
	return c.compareWords(ctx, s)
}

// study returns the decoded study of a packed record.
func (c *copyOf) study(id int64, main, results []byte) (*study, error) {
	s := &study{id: id}
	var err error
	if s.main, err = c.file.Unpack(nil, main); err != nil {
		return nil, err
	}
	if len(results) > 0 {
		if s.results, err = c.file.Unpack(nil, results); err != nil {
			return nil, err
		}
	}
	s.hash = stored.Hash(s.main, s.results)
	return s, s.decode()
}

// compareFacets returns the name of the first facet that is not that of the facts, as a difference, or "".
func (c *copyOf) compareFacets(ctx context.Context) (difference string, err error) {
	var size int // of a part, in studies
	const query = "SELECT coalesce(max(length(data)) / 4, 0) FROM facet WHERE name = ?"
	if err := c.db.QueryRowContext(ctx, query, facetIDs).Scan(&size); err != nil {
		return "", err
	}
	err = makeFacets(ctx, c.db, max(1, size), func(name string, part int, made []byte) error {
		var same bool
		const query = "SELECT coalesce((SELECT data FROM facet WHERE name = ? AND part = ?), x'') = coalesce(?, x'')"
		err := c.db.QueryRowContext(ctx, query, name, part, made).Scan(&same)
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
func (c *copyOf) compareWords(ctx context.Context, s *study) (string, error) {
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
		err := c.db.QueryRowContext(ctx, "SELECT count(*) FROM words WHERE words MATCH ? AND rowid = ?", match, s.id).Scan(&found)
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
