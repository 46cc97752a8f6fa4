package file

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/biofact-mcp/biofact/internal/mirror"
	"github.com/biofact-mcp/biofact/internal/mirror/disk"
	"github.com/biofact-mcp/biofact/internal/mirror/sqlrows"
	"github.com/biofact-mcp/biofact/internal/tables"
	"github.com/biofact-mcp/biofact/internal/tables/further"
)

// batch is the number of trials of one transaction while a file is made. A file that was stopped is continued.
const batch = 1000

// A writer writes the rows of trials.
type writer struct {
	tx     *sql.Tx
	insert []*sql.Stmt // by table
	remove []*sql.Stmt
	text   *sql.Stmt
	study  *sql.Stmt
	rows   []int64 // that were added, by table
}

// Update writes what a file lacks of the records. Readers see the state before or after it; of a new file, nothing before its end.
func Update(ctx context.Context, path string, records *mirror.Records, n Need, progress func(done, total int)) (err error) {
	db, err := create(ctx, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var revision string
	if err := db.QueryRowContext(ctx, "SELECT revision FROM _state").Scan(&revision); err != nil {
		return err
	}
	size := batch
	if revision != "" { // the changes are one transaction
		size = max(1, len(n.Write))
	}
	for done := 0; ; {
		part := n.Write[done:min(done+size, len(n.Write))]
		last := done+len(part) == len(n.Write)
		err := transact(ctx, db, func(w *writer) error {
			if done == 0 {
				for _, id := range n.Remove {
					if err := w.delete(ctx, id); err != nil {
						return err
					}
				}
			}
			err := records.ForEach(ctx, part, func(id int64, record map[string]any) error {
				if done++; done%100 == 0 {
					progress(done, len(n.Write))
				}
				return w.put(ctx, id, n.hashes[id], record)
			})
			if err == nil && last {
				const end = "UPDATE _state SET revision = ?, day = ?; ANALYZE"
				_, err = w.tx.ExecContext(ctx, end, records.State.Revision(), records.State.Day())
			}
			return err
		})
		if err != nil || last {
			return err
		}
	}
}

// create opens a file for writing, and creates it anew if it is missing or of another version.
func create(ctx context.Context, path string) (*sql.DB, error) {
	if err := disk.Create(path); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", disk.DSN(path, url.Values{"_txlock": {"immediate"}, "_pragma": {
		"busy_timeout(60000)", "synchronous(NORMAL)", "cache_size(-65536)", "secure_delete(FAST)", "analysis_limit(400)",
	}}))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	err = check(ctx, db)
	if errors.Is(err, ErrOutdated) {
		err = reset(ctx, db)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// reset empties a file, and creates the tables.
func reset(ctx context.Context, db *sql.DB) error {
	const all = "SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite%'"
	var statements []string
	var kind, name string
	err := sqlrows.Of(db.QueryContext(ctx, all)).ForEach(func() error {
		statements = append(statements, "DROP "+kind+" "+quoted(name))
		return nil
	}, &kind, &name)
	if err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // of a committed transaction it does nothing
	if _, err := tx.ExecContext(ctx, strings.Join(append(statements, schema()), ";\n")); err != nil {
		return err
	}
	return tx.Commit()
}

// transact calls a function with a writer, and keeps what it wrote if it returns no error.
func transact(ctx context.Context, db *sql.DB, write func(*writer) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // of a committed transaction it does nothing
	w := &writer{tx: tx, rows: make([]int64, len(tables.All()))}
	prepare := func(statement string) (s *sql.Stmt) {
		if err == nil {
			s, err = tx.PrepareContext(ctx, statement)
		}
		return s
	}
	for _, t := range tables.All() {
		marks := len(t.Columns)
		if t.Column("id") < 0 {
			marks++
		}
		w.insert = append(w.insert, prepare(fmt.Sprintf("INSERT INTO %s VALUES (?%s)", base(t), strings.Repeat(", ?", marks-1))))
		w.remove = append(w.remove, prepare(fmt.Sprintf("DELETE FROM %s WHERE id > ? AND id < ?", base(t))))
	}
	w.text, w.study = prepare("INSERT INTO _text VALUES (?, ?)"), prepare("INSERT INTO _study VALUES (?, ?)")
	if err != nil {
		return err
	}
	if err := write(w); err != nil {
		return err
	}
	for i, t := range tables.All() {
		if w.rows[i] == 0 {
			continue
		}
		if _, err := tx.ExecContext(ctx, "UPDATE _rows SET rows = rows + ? WHERE name = ?", w.rows[i], t.Name); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// delete removes the rows of a trial.
func (w *writer) delete(ctx context.Context, id int64) error {
	first, next := tables.FirstID(id), tables.FirstID(id+1)
	for i := range w.remove {
		result, err := w.remove[i].ExecContext(ctx, first, next)
		if err != nil {
			return err
		}
		removed, err := result.RowsAffected()
		if err != nil {
			return err
		}
		w.rows[i] -= removed
	}
	if _, err := w.tx.ExecContext(ctx, "DELETE FROM _text WHERE id > ? AND id < ?", first, next); err != nil {
		return err
	}
	_, err := w.tx.ExecContext(ctx, "DELETE FROM _study WHERE id = ?", id)
	return err
}

// put replaces the rows of a trial.
func (w *writer) put(ctx context.Context, id, hash int64, record map[string]any) error {
	result, err := w.tx.ExecContext(ctx, "DELETE FROM _study WHERE id = ?", id)
	if err != nil {
		return err
	}
	if known, err := result.RowsAffected(); err != nil || known > 0 {
		if err = errors.Join(err, w.delete(ctx, id)); err != nil {
			return err
		}
	}
	all, err := further.Of(record)
	if err != nil {
		return err
	}
	texts := map[string]int64{}
	for i, t := range tables.All() {
		w.rows[i] += int64(len(all[i]))
		for n, row := range all[i] {
			values := make([]any, 0, len(row)+1)
			if t.Column("id") < 0 {
				values = append(values, tables.FirstID(id)+int64(n)+1)
			}
			for c, value := range row {
				text, isText := value.(string)
				if !t.Columns[c].Repeats || !isText {
					values = append(values, value)
					continue
				}
				number, known := texts[text]
				if !known {
					number = int64(len(texts)) + 1
					texts[text] = number
					if _, err := w.text.ExecContext(ctx, tables.FirstID(id)+number, text); err != nil {
						return err
					}
				}
				values = append(values, number)
			}
			if _, err := w.insert[i].ExecContext(ctx, values...); err != nil {
				return err
			}
		}
	}
	_, err = w.study.ExecContext(ctx, id, hash)
	return err
}
