package mirror

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/biofact-mcp/biofact/internal/registry"
)

// A writer changes the records of a file, over one connection. It is not safe for concurrent use.
type writer struct {
	conn     *sql.Conn
	packer   *packer
	open     bool // a transaction
	prepared map[string]*sql.Stmt
	// what the file has, to ask it less often; emptied with a transaction that fails
	values, places map[string]int64
}

// maxRemembered bounds each memory of the writer.
const maxRemembered = 200_000

func newWriter(ctx context.Context, db *sql.DB) (*writer, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	w := &writer{conn: conn, prepared: map[string]*sql.Stmt{}}
	w.forget()
	return w, nil
}

func (w *writer) forget() { w.values, w.places = map[string]int64{}, map[string]int64{} }

// close undoes what is not committed and returns the connection.
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
	w.open = err == nil
	return err
}

// commit ends the transaction of a page.
func (w *writer) commit(ctx context.Context) error {
	err := w.exec(ctx, "COMMIT")
	if err == nil {
		w.open = false
	}
	return err
}

// abandon undoes what was written since begin.
func (w *writer) abandon() {
	if !w.open {
		return
	}
	w.open = false
	_ = w.exec(context.Background(), "ROLLBACK") // what it undoes was never seen
	w.forget()
}

// statement returns a prepared statement.
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
	s, err := w.statement(ctx, text)
	if err != nil {
		return 0, err
	}
	made, err := s.ExecContext(ctx, args...)
	if err != nil {
		return 0, err
	}
	return made.LastInsertId()
}

// number returns the number that a query finds, and whether it finds one.
func (w *writer) number(ctx context.Context, text string, args ...any) (n int64, found bool, err error) {
	s, err := w.statement(ctx, text)
	if err != nil {
		return 0, false, err
	}
	switch err := s.QueryRowContext(ctx, args...).Scan(&n); {
	case errors.Is(err, sql.ErrNoRows):
		return 0, false, nil
	default:
		return n, err == nil, err
	}
}

// put writes a study. It reports whether the file had another version of it, or none.
func (w *writer) put(ctx context.Context, s *study) (changed bool, err error) {
	hash := s.hash()
	before, known, err := w.number(ctx, "SELECT hash FROM study WHERE id = ?", s.id)
	if err != nil || known && before == hash {
		return false, err
	}
	if known {
		if err := w.drop(ctx, s.id); err != nil {
			return false, err
		}
	}
	for _, part := range []func(context.Context, *study) error{w.putRecord, w.putStudy, w.putWords, w.putSites, w.putAliases} {
		if err := part(ctx, s); err != nil {
			return false, fmt.Errorf("write %s: %w", nctID(s.id), err)
		}
	}
	return true, nil
}

// drop removes a study. Its aliases go with it.
func (w *writer) drop(ctx context.Context, id int64) error {
	for _, text := range []string{
		"DELETE FROM study WHERE id = ?", "DELETE FROM record WHERE id = ?", "DELETE FROM words WHERE rowid = ?",
		"DELETE FROM site WHERE study = ?", "DELETE FROM alias WHERE study = ?",
	} {
		if err := w.exec(ctx, text, id); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) putRecord(ctx context.Context, s *study) error {
	main, err := w.packer.pack(s.main)
	if err != nil {
		return err
	}
	var results any
	if s.results != nil {
		packed, err := w.packer.pack(s.results)
		if err != nil {
			return err
		}
		results = packed
	}
	return w.exec(ctx, "INSERT INTO record (id, main, results) VALUES (?, ?, ?)", s.id, main, results)
}

// insertStudy and insertWords are the statements for the two wide tables.
var (
	insertStudy = "INSERT INTO study VALUES (?, ?" + strings.Repeat(", ?", len(columns)+1) + ")"
	insertWords = "INSERT INTO words (rowid, " + names(indexes) + ") VALUES (?" + strings.Repeat(", ?", len(indexes)) + ")"
	insertPlace = "INSERT INTO place_words (rowid, " + names(placeIndexes) + ") VALUES (?" + strings.Repeat(", ?", len(placeIndexes)) + ")"
)

func names(all []index) string {
	var out []string
	for _, i := range all {
		out = append(out, i.name)
	}
	return strings.Join(out, ", ")
}

func (w *writer) putStudy(ctx context.Context, s *study) error {
	row := []any{s.id, s.hash()}
	for i := range columns {
		row = append(row, columns[i].field(s.body))
	}
	var groups []byte
	for _, piece := range grouped {
		values := groupValues(s.body, piece)
		groups = binary.AppendUvarint(groups, uint64(len(values)))
		for _, text := range values {
			id, err := w.value(ctx, text)
			if err != nil {
				return err
			}
			groups = binary.AppendUvarint(groups, uint64(id))
		}
	}
	return w.exec(ctx, insertStudy, append(row, groups)...)
}

// value returns the number of a value that is counted.
func (w *writer) value(ctx context.Context, text string) (int64, error) {
	return w.intern(ctx, w.values, text, "SELECT id FROM value WHERE text = ?", func() (int64, error) {
		return w.insert(ctx, "INSERT INTO value (text) VALUES (?)", text)
	})
}

// intern returns the number of a text, which it makes where the file has none.
func (w *writer) intern(ctx context.Context, known map[string]int64, text, find string, insert func() (int64, error)) (int64, error) {
	if id, ok := known[text]; ok {
		return id, nil
	}
	id, found, err := w.number(ctx, find, text)
	if err == nil && !found {
		id, err = insert()
	}
	if err != nil {
		return 0, err
	}
	if len(known) >= maxRemembered {
		clear(known)
	}
	known[text] = id
	return id, nil
}

func (w *writer) putWords(ctx context.Context, s *study) error {
	row := []any{s.id}
	for _, i := range indexes {
		row = append(row, i.text(s.body))
	}
	return w.exec(ctx, insertWords, row...)
}

func (w *writer) putSites(ctx context.Context, s *study) error {
	status := column{piece: "LocationStatus"}
	for _, at := range sites(s.body) {
		place, err := w.place(ctx, at)
		if err != nil {
			return err
		}
		bit := int64(0)
		if at.status != "" {
			bit = status.bit(at.status)
		}
		if err := w.exec(ctx, "INSERT OR IGNORE INTO site (study, place, status) VALUES (?, ?, ?)", s.id, place, bit); err != nil {
			return err
		}
	}
	return nil
}

// place returns the number of the place of a site.
func (w *writer) place(ctx context.Context, at site) (int64, error) {
	key := at.key()
	return w.intern(ctx, w.places, key, "SELECT id FROM place WHERE key = ?", func() (int64, error) {
		var country, lat, lon any
		if at.country != "" {
			country = at.country
		}
		point, located := registry.ReadPoint(at.point)
		if located {
			lat, lon = point.Lat, point.Lon
		}
		id, err := w.insert(ctx, "INSERT INTO place (key, country, lat, lon) VALUES (?, ?, ?, ?)", key, country, lat, lon)
		if err == nil && located {
			err = w.exec(ctx, "INSERT INTO place_at VALUES (?, ?, ?, ?, ?)", id, lat, lat, lon, lon)
		}
		if err == nil {
			err = w.exec(ctx, insertPlace, append([]any{id}, at.words()...)...)
		}
		return id, err
	})
}

func (w *writer) putAliases(ctx context.Context, s *study) error {
	for _, text := range registry.Values(s.body, "NCTIdAlias") {
		if id, ok := numberOf(text); ok && id != s.id {
			if err := w.exec(ctx, "INSERT OR IGNORE INTO alias (id, study) VALUES (?, ?)", id, s.id); err != nil {
				return err
			}
		}
	}
	return nil
}

// set writes a fact about the file.
func (w *writer) set(ctx context.Context, key string, value any) error {
	return w.exec(ctx, "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", key, value)
}
