package mirror

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// This file makes the facts and words of some studies again, from their records, and compares them with those of the file.

// A remaker has one state of a file.
type remaker struct {
	*finder
	unpacker *unpacker
	rows     set              // of the sample
	groups   map[int][][]byte // of the facets by row
	listed   map[rowOfListing][]uint32
}

// A rowOfListing is a row and the index of a listing.
type rowOfListing struct{ row, listing int }

// remakeSample returns the hashes of some studies by their numbers. It also returns the first difference between the file and the facts,
// facets and words that a sync would make of the records, or "".
func remakeSample(ctx context.Context, db *sql.DB) (hashes map[int64]int64, difference string, err error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return nil, "", err
	}
	defer func() { _ = tx.Rollback() }() // it changes nothing
	dictionary, err := dictionary(ctx, db)
	if err != nil {
		return nil, "", err
	}
	u, err := newUnpacker(dictionary)
	if err != nil {
		return nil, "", err
	}
	defer u.decoder.Close()
	state, err := readState(ctx, tx)
	if err != nil {
		return nil, "", err
	}
	hashes, err = sampleOf(ctx, tx)
	if err != nil || !state.Complete() {
		return hashes, "", err
	}
	table, err := readTable(ctx, tx, state, nil)
	if err != nil {
		return nil, "", err
	}
	r := &remaker{finder: &finder{ctx: ctx, db: tx, table: table}, unpacker: u, rows: newSet(len(table.ids))}
	for id := range hashes {
		if row, known := r.liveRow(id); known {
			r.rows.add(row)
		}
	}
	if err := r.readFacets(); err != nil {
		return nil, "", err
	}
	for id, hash := range hashes {
		if difference, err := r.compare(id, hash); err != nil || difference != "" {
			return hashes, difference, err
		}
	}
	return hashes, "", nil
}

// sampleOf returns the hashes of some studies by their numbers.
func sampleOf(ctx context.Context, db querier) (map[int64]int64, error) {
	rows, err := db.QueryContext(ctx, "SELECT id, hash FROM study ORDER BY random() LIMIT ?", sampled)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	hashes := map[int64]int64{}
	for rows.Next() {
		var id, hash int64
		if err := rows.Scan(&id, &hash); err != nil {
			return nil, err
		}
		hashes[id] = hash
	}
	return hashes, rows.Err()
}

// readFacets reads the groups and the listed numbers of the sample.
func (r *remaker) readFacets() error {
	r.listed = map[rowOfListing][]uint32{}
	for i, l := range listings {
		lists, err := r.lists(r.ctx, r.db, l.name)
		if err != nil {
			return err
		}
		for _, list := range lists {
			rows := newSet(len(r.ids))
			if err := list.addTo(rows); err != nil {
				return err
			}
			for row := range rows.and(r.rows).all() {
				r.listed[rowOfListing{row, i}] = append(r.listed[rowOfListing{row, i}], list.number)
			}
		}
	}
	var pieces []int
	for i := range grouped {
		pieces = append(pieces, i)
	}
	r.groups = map[int][][]byte{}
	return r.eachGroup(r.ctx, r.db, pieces, func(row int, groups [][]byte) {
		if r.rows.has(row) {
			r.groups[row] = slices.Clone(groups)
		}
	})
}

// compare returns the first difference of a study, or "".
func (r *remaker) compare(id, hash int64) (string, error) {
	var main, results, stored []byte
	const query = "SELECT main, results, facts FROM record JOIN study USING (id) WHERE id = ?"
	err := r.db.QueryRowContext(r.ctx, query, id).Scan(&main, &results, &stored)
	if errors.Is(err, sql.ErrNoRows) {
		return nctID(id) + " has no record", nil
	}
	if err != nil {
		return "", err
	}
	s, err := r.unpacker.study(id, main, results)
	if err != nil || s.hash != hash {
		return "the record of " + nctID(id) + " cannot be read", nil //nolint:nilerr // it is the difference
	}
	facts, err := s.facts(r.number)
	if err != nil {
		return "", err
	}
	if !bytes.Equal(facts, stored) {
		return "the facts of " + nctID(id) + " are not those of its record", nil
	}
	for _, same := range []func(*study, []byte) (string, error){r.compareFacets, r.compareWords} {
		if difference, err := same(s, facts); err != nil || difference != "" {
			return difference, err
		}
	}
	return "", nil
}

// study returns the decoded study of a packed record.
func (u *unpacker) study(id int64, main, results []byte) (*study, error) {
	s := &study{id: id}
	var err error
	if s.main, err = u.unpack(nil, main); err != nil {
		return nil, err
	}
	if len(results) > 0 {
		if s.results, err = u.unpack(nil, results); err != nil {
			return nil, err
		}
	}
	s.hash = hashOf(s.main, s.results)
	return s, s.decode()
}

// number returns the number of a value of a grouped piece, 0 for a value that the file does not have.
func (r *remaker) number(piece int, text string) (id int64, err error) {
	err = r.db.QueryRowContext(r.ctx, "SELECT id FROM value WHERE piece = ? AND text = ?", piece, text).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return id, err
}

// compareFacets compares the facets of a study.
func (r *remaker) compareFacets(s *study, facts []byte) (string, error) {
	difference := func(name string) (string, error) {
		return fmt.Sprintf("the facet %s is not that of the record of %s", name, nctID(s.id)), nil
	}
	row, known := r.liveRow(s.id)
	if !known {
		return difference(facetIDs)
	}
	var want factReader
	if err := want.read(facts); err != nil {
		return "", err
	}
	for i, c := range columns {
		if c.kind == choice {
			continue
		}
		values, err := r.column(r.ctx, r.db, i)
		if err != nil {
			return "", err
		}
		if values[row] != want.columns[i] {
			return difference(c.piece)
		}
	}
	for i, piece := range grouped {
		if groups := r.groups[row]; groups == nil || !bytes.Equal(groups[i], want.groups[i]) {
			return difference(piece)
		}
	}
	for i, l := range listings {
		numbers, listed := l.numbers(nil, &want), r.listed[rowOfListing{row, i}]
		slices.Sort(numbers)
		slices.Sort(listed)
		if row < r.settled && !slices.Equal(numbers, listed) { // the others have no facets yet
			return difference(l.name)
		}
	}
	return "", nil
}

const (
	// remadeWords bounds the words of an index that are compared, in phrases of phraseWords.
	remadeWords = 120
	phraseWords = 12
)

// compareWords compares the beginning of the words of a study.
func (r *remaker) compareWords(s *study, _ []byte) (string, error) {
	for _, i := range indexes {
		words := strings.Fields(string(i.text(s.body)))
		var phrases []string
		for some := range slices.Chunk(words[:min(len(words), remadeWords)], phraseWords) {
			phrases = append(phrases, `"`+strings.ReplaceAll(strings.Join(some, " "), `"`, `""`)+`"`)
		}
		if len(phrases) == 0 {
			continue
		}
		found := 0
		match := "{" + i.name + "} : (" + strings.Join(phrases, " AND ") + ")"
		err := r.db.QueryRowContext(r.ctx, "SELECT count(*) FROM words WHERE words MATCH ? AND rowid = ?", match, s.id).Scan(&found)
		if err != nil {
			return "", err
		}
		if found == 0 {
			return fmt.Sprintf("the words of %s are not those of the record of %s", i.name, nctID(s.id)), nil
		}
	}
	return "", nil
}
