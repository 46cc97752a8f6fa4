package mirror

import (
	"cmp"
	"context"
	"slices"

	"github.com/biofact-mcp/biofact/internal/mirror/relevance"
	"github.com/biofact-mcp/biofact/internal/mirror/rowset"
	"github.com/biofact-mcp/biofact/internal/mirror/sqlrows"
	"github.com/biofact-mcp/biofact/internal/mirror/stored"
	"github.com/biofact-mcp/biofact/internal/mirror/wordindex"
	"github.com/biofact-mcp/biofact/internal/query"
)

// maxTexts is the number of studies whose texts are read for their relevance, so that the work is bounded: the others are ordered by the
// rarity of the words that they have.
const maxTexts = 300

// somePage returns the rows of the page of a search for some words: first the studies with all words, then the others, of both the most
// relevant first.
func (h *hits) somePage(ctx context.Context, s *query.Search) (page []int, err error) {
	f := &finder{ctx: ctx, db: h.db, table: h.table}
	strict := h.rows
	var words []relevance.Word
	for _, some := range h.some {
		all, err := f.find(query.Synonyms().Expand(some.All))
		if err != nil {
			return nil, err
		}
		strict = strict.And(all.rows)
		for _, n := range some.Words {
			found, err := f.find(n)
			if err != nil {
				return nil, err
			}
			words = append(words, relevance.NewWord(query.Terms(n), found.rows, h.live.Count()))
		}
	}
	left := *s
	for _, rows := range []rowset.Set{strict, h.rows.Without(strict)} {
		n := rows.Count()
		if left.PageSize > 0 && left.Offset < n {
			ranked, err := h.ranked(ctx, rows, words, left.Offset+left.PageSize)
			if err != nil {
				return nil, err
			}
			page = append(page, slice(ranked, &left)...)
			left.PageSize = s.PageSize - len(page)
		}
		left.Offset = max(0, left.Offset-n)
	}
	return page, nil
}

// ranked returns the n most relevant of some rows, in their order. The newer registration comes first among equals.
func (h *hits) ranked(ctx context.Context, rows rowset.Set, words []relevance.Word, n int) ([]int, error) {
	rarest := rowset.Order{IDs: h.ids, Keys: []rowset.Key{{Values: relevance.Rarities(words, len(h.ids)), Descending: true}}}
	ranked := rarest.First(rows, max(n, maxTexts))
	top := ranked[:min(maxTexts, len(ranked))]
	records, err := h.read(ctx, h.idsOf(top), relevance.Fields())
	if err != nil {
		return nil, err
	}
	scores := map[int]float64{}
	for i, row := range top {
		record, err := stored.Decode(records[i])
		if err != nil {
			return nil, err
		}
		scores[row] = relevance.Score(record, words)
	}
	slices.SortFunc(top, func(a, b int) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(h.ids[b], h.ids[a])) })
	return ranked[:min(n, len(ranked))], nil
}

// A WordUse says how the studies of a mirror use a word.
type WordUse struct {
	Studies int      // that have it; of a common one an estimate
	Alike   []string // of a word that no study has: the words that begin as it does and are about as long
	Has     []bool   // whether each of some studies has it
}

// Use returns how the studies use the words of a text together in an area of the registry. With some ids it says which of them have the
// words, without ids how many studies have them, and the number of all studies.
func (r *Reader) Use(ctx context.Context, area *query.Area, texts, ids []string) (uses []WordUse, all int, err error) {
	c, done, err := r.use(ctx)
	if err != nil {
		return nil, 0, err
	}
	defer done()
	t, err := c.file.table(ctx, c.db, c.state)
	if err != nil {
		return nil, 0, err
	}
	f := &finder{ctx: ctx, db: c.db, table: t}
	for _, text := range texts {
		var use WordUse
		if term := (query.Term{Area: area, Words: query.Words(text)}); len(term.Words) > 0 {
			if use, err = f.useOf(term, ids); err != nil {
				return nil, 0, err
			}
		}
		uses = append(uses, use)
	}
	return uses, t.live.Count(), nil
}

const (
	// sampleShare is the part of the studies, the newest ones, in which common words are counted if they are more than sampledFrom.
	sampleShare = 16
	sampledFrom = 50_000
)

func (f *finder) useOf(term query.Term, ids []string) (use WordUse, err error) {
	if len(ids) == 0 && f.settled > sampledFrom {
		indexes, _ := wordindex.Of(term.Area)
		const count = "SELECT count(*) FROM words WHERE words MATCH ? AND rowid >= ?"
		err = f.db.QueryRowContext(f.ctx, count, wordindex.Term(term, indexes), f.ids[f.settled-f.settled/sampleShare]).Scan(&use.Studies)
		if use.Studies *= sampleShare; use.Studies > 0 || err != nil {
			return use, err
		}
	}
	found, err := f.find(term)
	if err != nil {
		return use, err
	}
	for _, nct := range ids {
		id, _ := stored.Number(nct)
		row, known := f.liveRow(id)
		use.Has = append(use.Has, known && found.rows.Has(row))
	}
	if use.Studies = found.rows.Count(); use.Studies == 0 && len(term.Words) == 1 && len(ids) == 0 {
		use.Alike, err = f.alike(term.Words[0])
	}
	return use, err
}

// vocabularyTable makes the words of the word index readable, one row for each place of a word. The table belongs to the connection, not to
// the file.
const vocabularyTable = "CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab(main, words, instance)"

// alike returns the words of all studies that begin with the same three letters as a word and are about as long. It reads one place of each
// word, and not of more than maxRead words.
func (f *finder) alike(word string) (found []string, err error) {
	const sameLetters, maxDifference, maxRead = 3, 2, 3000
	if len(word) <= sameLetters {
		return nil, nil
	}
	if _, err := f.db.ExecContext(f.ctx, vocabularyTable); err != nil {
		return nil, err
	}
	const next = "SELECT term FROM temp.vocabulary WHERE term >= ? AND term < ? LIMIT 1"
	end := word[:sameLetters] + "\U0010FFFF"
	for term, n := word[:sameLetters], 0; n < maxRead; n++ {
		if some, err := sqlrows.One(f.db.QueryRowContext(f.ctx, next, term, end), &term); err != nil || !some {
			return found, err
		}
		if d := len(term) - len(word); d >= -maxDifference && d <= maxDifference {
			found = append(found, term)
		}
		term += "\x01" // before any longer word
	}
	return found, nil
}

// slice returns the rows of the page of a search.
func slice(rows []int, s *query.Search) []int {
	return rows[min(s.Offset, len(rows)):min(s.Offset+s.PageSize, len(rows))]
}
