package mirror

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/mirror/history"
	"github.com/biofact-mcp/biofact/internal/mirror/stored"
	"github.com/biofact-mcp/biofact/internal/query"
)

// A writer changes the records of a file, over one connection. It is not safe for concurrent use.
type writer struct {
	conn     *sql.Conn
	packer   *stored.Packer
	past     *history.Keeper // nil: no version is kept
	open     bool            // a transaction
	prepared map[string]*sql.Stmt
	// caches of rows of the tables list, value and place; emptied after a failed transaction
	lists, values, places map[string]int64
	// words of the studies of the open transaction by number, written at its end in ascending order: FTS5 flushes its memory
	// before every row with a lower number
	words      map[int64][]any
	wordBytes  int
	page, done Counts // of the open transaction, of those before it
	changed    bool   // a study, in the open transaction
}

const (
	// maxRemembered bounds each cache of the writer, maxRememberedText the bytes of a text in it.
	maxRemembered     = 200_000
	maxRememberedText = 500
	// maxWordBytes bounds the words of the open transaction in memory. A page of real studies has a third.
	maxWordBytes = 32 << 20
	// indexMemory is the memory for the words of a page, in bytes.
	indexMemory = 16 << 20
)

func newWriter(ctx context.Context, db *sql.DB) (*writer, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	w := &writer{conn: conn, prepared: map[string]*sql.Stmt{}, words: map[int64][]any{}}
	w.forget()
	return w, nil
}

func (w *writer) forget() {
	w.lists, w.values, w.places = map[string]int64{}, map[string]int64{}, map[string]int64{}
}

// close rolls back the open transaction and releases the connection.
func (w *writer) close() error {
	w.abandon()
	var err error
	for _, s := range w.prepared {
		err = errors.Join(err, s.Close())
	}
	return errors.Join(err, w.conn.Close())
}

// begin starts the transaction of a page.
func (w *writer) begin(ctx context.Context) error {
	err := w.exec(ctx, "BEGIN IMMEDIATE")
	w.open, w.page, w.changed = err == nil, Counts{}, false
	return err
}

// commit ends the transaction of a page.
func (w *writer) commit(ctx context.Context) error {
	if err := w.flushWords(ctx); err != nil {
		return err
	}
	if w.changed {
		const count = "INSERT INTO meta (key, value) VALUES (?, 1) ON CONFLICT (key) DO UPDATE SET value = value + 1"
		if err := w.exec(ctx, count, keyChanges); err != nil {
			return err
		}
	}
	if err := w.exec(ctx, "COMMIT"); err != nil {
		return err
	}
	w.open = false
	d, p := w.done, w.page
	w.done = Counts{d.Written + p.Written, d.Read + p.Read, d.Removed + p.Removed, d.Merged + p.Merged}
	return w.checkpoint(ctx)
}

// checkpoint moves the write-ahead log into the file and empties it.
func (w *writer) checkpoint(ctx context.Context) error {
	var busy, pages, moved int // readers may still use a part of the log
	return w.conn.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &pages, &moved)
}

// flushWords writes the words of studies.
func (w *writer) flushWords(ctx context.Context) error {
	for _, id := range slices.Sorted(maps.Keys(w.words)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := w.exec(context.WithoutCancel(ctx), insertStudyWords, append([]any{id}, w.words[id]...)...); err != nil {
			return err
		}
	}
	clear(w.words)
	w.wordBytes = 0
	return nil
}

// abandon rolls back the open transaction, if any.
func (w *writer) abandon() {
	if !w.open {
		return
	}
	w.open = false
	_ = w.exec(context.Background(), "ROLLBACK") // the page will be read again
	clear(w.words)
	w.wordBytes = 0
	w.forget()
}

// put writes a study, if it is new or has changed. It removes the studies that were merged into it.
func (w *writer) put(ctx context.Context, s *study) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	ctx = unwatched{ctx}
	w.page.Read++
	before, known, err := w.number(ctx, "SELECT hash FROM study WHERE id = ?", s.id)
	if err != nil || known && before == s.hash {
		return err
	}
	if err := s.decode(); err != nil {
		return err
	}
	if err := w.past.Replaced(ctx, s.id, history.Record{Main: s.main, Results: s.results}, stored.LastUpdate(s.body)); err != nil {
		return err
	}
	if known {
		if err := w.erase(ctx, s.id); err != nil {
			return err
		}
	}
	for _, part := range []func(context.Context, *study) error{w.putRecord, w.putStudy, w.putWords, w.putSites, w.putAliases} {
		if err := part(ctx, s); err != nil {
			return fmt.Errorf("write %s: %w", stored.NCT(s.id), err)
		}
	}
	w.page.Written++
	w.changed = true
	return nil
}

// An unwatched context has no channel: the driver starts a goroutine for each statement that can be cancelled, and those of put are
// short. Between them, put looks at the error.
type unwatched struct{ context.Context }

func (unwatched) Done() <-chan struct{} { return nil }

// drop removes a study that the registry no longer has. Target is the study into which it was merged, or 0.
func (w *writer) drop(ctx context.Context, id, target int64) error {
	if err := w.past.Removed(ctx, id, target); err != nil {
		return err
	}
	return w.erase(ctx, id)
}

// erase removes the rows of a study. Its aliases go with it.
func (w *writer) erase(ctx context.Context, id int64) error {
	delete(w.words, id)
	for _, text := range []string{
		"DELETE FROM study WHERE id = ?", "DELETE FROM record WHERE id = ?", "DELETE FROM words WHERE rowid = ?",
		"DELETE FROM site WHERE study = ?", "DELETE FROM alias WHERE study = ?",
	} {
		if err := w.exec(ctx, text, id); err != nil {
			return err
		}
	}
	w.changed = true
	return nil
}

// putAliases writes the ids of the studies that were merged into a study, and removes these studies.
func (w *writer) putAliases(ctx context.Context, s *study) error {
	merged := s.aliases()
	for _, id := range merged { // first all: each may have had aliases of its own
		if err := w.dropMerged(ctx, id, s.id); err != nil {
			return err
		}
	}
	for _, id := range merged {
		if err := w.exec(ctx, "INSERT OR IGNORE INTO alias (id, study) VALUES (?, ?)", id, s.id); err != nil {
			return err
		}
	}
	return nil
}

// dropMerged removes a study that was merged into another one, if the file has it.
func (w *writer) dropMerged(ctx context.Context, id, target int64) error {
	_, known, err := w.number(ctx, "SELECT id FROM study WHERE id = ?", id)
	if err != nil || !known {
		return err
	}
	w.page.Merged++
	return w.drop(ctx, id, target)
}

func (w *writer) putRecord(ctx context.Context, s *study) error {
	var posted, results any
	if s.results != nil {
		posted, results = stored.Sum(s.results), w.packer.Pack(s.results)
	}
	const insert = "INSERT INTO record (id, main, posted, results) VALUES (?, ?, ?, ?)"
	return w.exec(ctx, insert, s.id, w.packer.Pack(s.main), posted, results)
}

// The statements that write a study, and the words of studies and of places.
var (
	insertStudy      = "INSERT INTO study VALUES (?, ?, ?" + strings.Repeat(", ?", len(columns)) + ")"
	insertStudyWords = insertWords("words", wordColumns)
	insertPlaceWords = insertWords("place_words", placeColumns)
)

func (w *writer) putStudy(ctx context.Context, s *study) error {
	row := []any{s.id, s.hash, stored.LastUpdate(s.body)}
	for _, c := range columns {
		value, err := w.columnValue(ctx, c, query.Values(s.body, c.piece))
		if err != nil {
			return err
		}
		row = append(row, value)
	}
	return w.exec(ctx, insertStudy, row...)
}

// columnValue returns the value of a column for the values of its piece; nil: no value.
func (w *writer) columnValue(ctx context.Context, c column, texts []string) (any, error) {
	switch {
	case c.kind == howOften:
		return len(texts), nil
	case c.isList() && len(texts) == 0:
		return 0, nil
	case len(texts) == 0:
		return nil, nil // NULL
	case c.kind == date:
		if day, ok := stored.Day(query.FirstDay(texts[0])); ok {
			return day, nil
		}
		return unreadableDate, nil
	case c.kind == number:
		n, ok := query.PieceNamed(c.piece).Number(texts[0])
		switch {
		case !ok:
			return unreadableNumber, nil
		case n == math.Trunc(n) && math.Abs(n) < 1<<53:
			return int64(n), nil
		}
		return n, nil
	}
	return w.list(ctx, c, listed(c, texts))
}

// listed returns the distinct values of a list; of a date the year.
func listed(c column, texts []string) (list []string) {
	seen := map[string]bool{}
	for _, text := range texts {
		if c.kind == year {
			text = text[:min(len(text), len("yyyy"))]
		}
		if !seen[text] {
			seen[text] = true
			list = append(list, text)
		}
	}
	return list
}

// list returns the number of a list of values.
func (w *writer) list(ctx context.Context, c column, texts []string) (int64, error) {
	text, err := json.Marshal(texts)
	if err != nil {
		return 0, err
	}
	name := c.name()
	return intern(w.lists, name+" "+string(text), func() (int64, error) {
		id, found, err := w.number(ctx, "SELECT id FROM list WHERE piece = ? AND texts = ?", name, string(text))
		if err != nil || found {
			return id, err
		}
		if id, err = w.insert(ctx, "INSERT INTO list (piece, texts) VALUES (?, ?)", name, string(text)); err != nil {
			return 0, err
		}
		if c.kind != closed && c.piece != countryPiece { // words, or a date, select the other values
			return id, nil
		}
		for _, text := range texts {
			value, err := w.value(ctx, c.piece, text)
			if err != nil {
				return 0, err
			}
			if err := w.exec(ctx, "INSERT INTO piece (value, list) VALUES (?, ?)", value, id); err != nil {
				return 0, err
			}
		}
		return id, nil
	})
}

// value returns the number of a value of a piece.
func (w *writer) value(ctx context.Context, piece, text string) (int64, error) {
	if err := ctx.Err(); err != nil { // a record may have many values
		return 0, err
	}
	return intern(w.values, piece+" "+text, func() (int64, error) {
		id, found, err := w.number(ctx, "SELECT id FROM value WHERE piece = ? AND text = ?", piece, text)
		if err != nil || found {
			return id, err
		}
		return w.insert(ctx, "INSERT INTO value (piece, text) VALUES (?, ?)", piece, text)
	})
}

// intern returns the cached number of a text, or calls ask for it.
func intern(known map[string]int64, text string, ask func() (int64, error)) (int64, error) {
	if id, ok := known[text]; ok {
		return id, nil
	}
	id, err := ask()
	if err != nil {
		return 0, err
	}
	if len(known) >= maxRemembered {
		clear(known)
	}
	if len(text) <= maxRememberedText {
		known[text] = id
	}
	return id, nil
}

// set writes a fact about the file.
func (w *writer) set(ctx context.Context, key string, value any) error {
	return w.exec(ctx, "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", key, value)
}
