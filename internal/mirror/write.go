package mirror

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/biofact-mcp/biofact/internal/mirror/history"
	"github.com/biofact-mcp/biofact/internal/mirror/sqlrows"
	"github.com/biofact-mcp/biofact/internal/mirror/stored"
	"github.com/biofact-mcp/biofact/internal/mirror/wordindex"
	"github.com/biofact-mcp/biofact/internal/query"
)

// A writer changes the records of a file, over one connection. It is not safe for concurrent use.
type writer struct {
	conn     *sql.Conn
	packer   *stored.Packer
	past     *history.Keeper // nil: no version is kept
	open     bool            // a transaction
	keepsLog bool            // for tests
	prepared map[string]*sql.Stmt
	// caches of rows of the tables value and place; emptied after a failed transaction
	values, places map[string]int64
	// words of the studies of the open transaction by number, written at its end in ascending order: FTS5 flushes its memory
	// before every row with a lower number
	words      map[int64][]any
	wordBytes  int
	page, done Counts // of the open transaction, of those before it
	// readers reports that the file may have readers, which need the list of studies that have changed since the facets were written.
	readers bool
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

func (w *writer) forget() { w.values, w.places = map[string]int64{}, map[string]int64{} }

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
	w.open, w.page = err == nil, Counts{}
	return err
}

// commit ends the transaction of a page.
func (w *writer) commit(ctx context.Context) error {
	if err := w.flushWords(ctx); err != nil {
		return err
	}
	if err := w.exec(ctx, "COMMIT"); err != nil {
		return err
	}
	w.open = false
	d, p := w.done, w.page
	w.done = Counts{d.Written + p.Written, d.Read + p.Read, d.Removed + p.Removed, d.Merged + p.Merged}
	return w.checkpoint(ctx)
}

// checkpoint moves the write-ahead log into the file and empties it. If pages of a log were in the file while it stays, damage of the log
// would make older pages those of the mirror.
func (w *writer) checkpoint(ctx context.Context) error {
	if w.keepsLog {
		return nil
	}
	var busy, pages, moved int // readers may still use a part of the log
	return w.conn.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &pages, &moved)
}

// flushWords writes the words of studies.
func (w *writer) flushWords(ctx context.Context) error {
	for _, id := range slices.Sorted(maps.Keys(w.words)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := w.exec(context.WithoutCancel(ctx), insertWords, append([]any{id}, w.words[id]...)...); err != nil {
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

func (w *writer) statement(ctx context.Context, text string) (*sql.Stmt, error) {
	if s := w.prepared[text]; s != nil {
		return s, nil
	}
	s, err := w.conn.PrepareContext(ctx, text)
	if err == nil {
		w.prepared[text] = s
	}
	return s, err
}

func (w *writer) exec(ctx context.Context, text string, args ...any) error {
	_, err := w.insert(ctx, text, args...)
	return err
}

// insert runs a statement and returns the number of the row that it inserted.
func (w *writer) insert(ctx context.Context, text string, args ...any) (id int64, err error) {
	made, err := w.ExecContext(ctx, text, args...)
	if err != nil {
		return 0, err
	}
	return made.LastInsertId()
}

// ExecContext, QueryContext and QueryRowContext are those of the connection, with statements that are prepared once: the history uses the
// same few for each study.
func (w *writer) ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error) {
	s, err := w.statement(ctx, text)
	if err != nil {
		return nil, err
	}
	return s.ExecContext(ctx, args...)
}

// QueryContext implements history.DB.
func (w *writer) QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	s, err := w.statement(ctx, text)
	if err != nil {
		return nil, err
	}
	return s.QueryContext(ctx, args...)
}

// QueryRowContext implements history.DB.
func (w *writer) QueryRowContext(ctx context.Context, text string, args ...any) *sql.Row {
	s, err := w.statement(ctx, text)
	if err != nil {
		return w.conn.QueryRowContext(ctx, text, args...) // a row with the error
	}
	return s.QueryRowContext(ctx, args...)
}

// number returns the number that a query finds, and whether it finds one.
func (w *writer) number(ctx context.Context, text string, args ...any) (n int64, found bool, err error) {
	found, err = sqlrows.One(w.QueryRowContext(ctx, text, args...), &n)
	return n, found, err
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
	return w.changed(ctx, s.id)
}

// An unwatched context has no channel: the driver starts a goroutine for each statement that can be cancelled, and those of put are
// short. Between them, put looks at the error.
type unwatched struct{ context.Context }

func (unwatched) Done() <-chan struct{} { return nil }

// changed records that a study has changed.
func (w *writer) changed(ctx context.Context, id int64) error {
	if !w.readers {
		return nil
	}
	if err := w.exec(ctx, "INSERT OR IGNORE INTO changed (id) VALUES (?)", id); err != nil {
		return err
	}
	return w.exec(ctx, "UPDATE meta SET value = value + 1 WHERE key = ?", keyChanges)
}

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
	return w.changed(ctx, id)
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
	var results any
	if s.results != nil {
		results = w.packer.Pack(s.results)
	}
	return w.exec(ctx, "INSERT INTO record (id, main, results) VALUES (?, ?, ?)", s.id, w.packer.Pack(s.main), results)
}

// insertWords and insertPlace are the statements for the tables with a field for each index.
var (
	insertWords = wordindex.Insert("words", wordindex.Columns)
	insertPlace = wordindex.Insert("place_words", wordindex.Places)
)

func (w *writer) putStudy(ctx context.Context, s *study) error {
	facts, err := s.facts(func(piece int, text string) (int64, error) { return w.value(ctx, piece, text) })
	if err != nil {
		return err
	}
	return w.exec(ctx, "INSERT INTO study (id, hash, updated, facts) VALUES (?, ?, ?, ?)", s.id, s.hash, stored.LastUpdate(s.body), facts)
}

// value returns the number of a value of a grouped piece.
func (w *writer) value(ctx context.Context, piece int, text string) (int64, error) {
	if err := ctx.Err(); err != nil { // a record may have many values
		return 0, err
	}
	return intern(w.values, grouped[piece]+" "+text, func() (int64, error) {
		id, found, err := w.number(ctx, "SELECT id FROM value WHERE piece = ? AND text = ?", piece, text)
		if err != nil || found {
			return id, err
		}
		if id, _, err = w.number(ctx, "SELECT coalesce(max(id), 0) + 1 FROM value WHERE piece = ?", piece); err != nil {
			return 0, err
		}
		return id, w.exec(ctx, "INSERT INTO value (piece, id, text) VALUES (?, ?, ?)", piece, id, text)
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

func (w *writer) putWords(ctx context.Context, s *study) error {
	var row []any
	for _, i := range wordindex.Columns {
		text := i.Text(s.body)
		row = append(row, text)
		w.wordBytes += len(text)
	}
	w.words[s.id] = row
	if w.wordBytes < maxWordBytes {
		return nil
	}
	return w.flushWords(ctx)
}

func (w *writer) putSites(ctx context.Context, s *study) error {
	for _, at := range s.sites {
		if err := ctx.Err(); err != nil {
			return err
		}
		place, err := w.place(ctx, at)
		if err != nil {
			return err
		}
		status := uint32(missingValue)
		if at[statusOfSite] != "" {
			status = bitOf(sitePieces[statusOfSite], at[statusOfSite])
		}
		if err := w.exec(ctx, "INSERT OR IGNORE INTO site (study, place, status) VALUES (?, ?, ?)", s.id, place, status); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) place(ctx context.Context, at site) (int64, error) {
	key := at.key()
	return intern(w.places, key, func() (int64, error) {
		id, found, err := w.number(ctx, "SELECT id FROM place WHERE key = ?", key)
		if err != nil || found {
			return id, err
		}
		var lat, lon any
		point, located := query.ReadPoint(at[pointOfSite])
		if located {
			lat, lon = point.Lat, point.Lon
		}
		if id, err = w.insert(ctx, "INSERT INTO place (key, lat, lon) VALUES (?, ?, ?)", key, lat, lon); err != nil {
			return 0, err
		}
		if located {
			if err := w.exec(ctx, "INSERT INTO place_at VALUES (?, ?, ?, ?, ?)", id, lat, lat, lon, lon); err != nil {
				return 0, err
			}
		}
		return id, w.exec(ctx, insertPlace, append([]any{id}, at.words()...)...)
	})
}

// set writes a fact about the file.
func (w *writer) set(ctx context.Context, key string, value any) error {
	return w.exec(ctx, "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", key, value)
}
