package file

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"

	"github.com/biofact-mcp/biofact/internal/mirror/disk"
	"github.com/biofact-mcp/biofact/internal/tables"
)

// Open opens a file for reading.
func Open(path string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", disk.DSN(path, url.Values{"mode": {"ro"}, "_pragma": {"busy_timeout(5000)", "cache_size(-32768)"}}))
	if err == nil {
		db.SetMaxOpenConns(1)
	}
	return db, err
}

// Copy writes the rows of some trials (nil: of all) to a new file, and returns the number of rows.
// It leaves out the tables that skip names.
func Copy(ctx context.Context, from, to string, ids []int64, skip func(*tables.Table) bool) (rows int64, err error) {
	db, err := create(ctx, to)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	// No reader knows the file before it is complete.
	for _, statement := range []string{"PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF",
		"CREATE TEMP TABLE requested (id INTEGER PRIMARY KEY)"} {
		if _, err := db.ExecContext(ctx, statement); err != nil {
			return 0, err
		}
	}
	if _, err := db.ExecContext(ctx, "ATTACH ? AS source", disk.DSN(from, url.Values{"mode": {"ro"}})); err != nil {
		return 0, err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer func() { _ = tx.Rollback() }() // of a committed transaction it does nothing
	if err := want(ctx, tx, ids); err != nil {
		return 0, err
	}
	copyRows := func(name string) (int64, error) {
		result, err := tx.ExecContext(ctx, fmt.Sprintf("INSERT INTO main.%[1]s SELECT t.* "+
			"FROM requested AS w CROSS JOIN source.%[1]s AS t WHERE t.id > w.id << 20 AND t.id < (w.id + 1) << 20", name))
		if err != nil {
			return 0, err
		}
		return result.RowsAffected()
	}
	if _, err := copyRows("_text"); err != nil {
		return 0, err
	}
	for _, t := range tables.All() {
		if skip(t) {
			continue
		}
		n, err := copyRows(base(t))
		if err == nil {
			_, err = tx.ExecContext(ctx, "UPDATE main._rows SET rows = ? WHERE name = ?", n, t.Name)
		}
		if err != nil {
			return 0, err
		}
		rows += n
	}
	_, err = tx.ExecContext(ctx, "INSERT INTO main._study SELECT * FROM source._study WHERE id IN (SELECT id FROM requested);"+
		"UPDATE main._state SET revision = (SELECT revision FROM source._state), day = (SELECT day FROM source._state)")
	if err == nil {
		err = tx.Commit()
	}
	return rows, err
}

// want fills the list of requested trials; nil: all.
func want(ctx context.Context, tx *sql.Tx, ids []int64) error {
	if ids == nil {
		_, err := tx.ExecContext(ctx, "INSERT INTO requested SELECT id FROM source._study")
		return err
	}
	insert, err := tx.PrepareContext(ctx, "INSERT INTO requested VALUES (?)")
	if err != nil {
		return err
	}
	for _, id := range ids {
		if _, err := insert.ExecContext(ctx, id); err != nil {
			return err
		}
	}
	return nil
}
