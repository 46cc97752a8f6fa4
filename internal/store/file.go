package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"modernc.org/sqlite" // the driver, in Go alone
)

// file is the backend that all processes of the user share: a SQLite file.
type file struct {
	path     string
	identity os.FileInfo // of the file that was opened
	max      int64
	db       *sql.DB

	// writing queues the writers of this process in order. With SQLite's lock alone they would poll, and an unlucky one would wait for
	// seconds.
	writing sync.Mutex

	getEntry, putEntry, claimStart *sql.Stmt
}

// format is the version of the tables and of their contents. A file of an older version is emptied.
const format = 3

// The file has times as microseconds since 1970. Entries have only the index of the key: a damaged second index would prevent a damaged
// entry from being overwritten.
const schema = `
CREATE TABLE entry (
	id       INTEGER PRIMARY KEY,
	key      TEXT NOT NULL UNIQUE,
	fetched  INTEGER NOT NULL,
	stored   INTEGER NOT NULL,
	checksum INTEGER NOT NULL,
	value    BLOB NOT NULL
);
CREATE TABLE pace (
	host TEXT PRIMARY KEY,
	last INTEGER NOT NULL, -- start of the newest request
	seen INTEGER NOT NULL  -- newest time at which the row was written
) WITHOUT ROWID;
PRAGMA user_version = %d;`

const (
	// openTimeout limits how long opening waits for other processes.
	openTimeout = 5 * time.Second
	// openRetry is the time between two attempts to open.
	openRetry = 20 * time.Millisecond
	// connections is the number of connections to the file, which stay open.
	connections = 4
	// busyTimeout limits how long a writer waits for writers of other processes.
	busyTimeout = 5 * time.Second
)

// openFile opens a file, and creates it if it does not exist.
func openFile(ctx context.Context, path string, maxBytes int64) (*file, error) {
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	db, identity, err := connect(path)
	if err != nil {
		return nil, err
	}
	f := &file{path: path, identity: identity, max: maxBytes, db: db}
	// When several processes create the file at once, SQLite reports it as locked without waiting: it does not retry the change to the
	// write-ahead log.
	for err = f.prepare(ctx); isBusy(err) && ctx.Err() == nil; err = f.prepare(ctx) {
		time.Sleep(openRetry)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return f, nil
}

// connect returns connections to a file, which it creates if it does not exist, and the identity of the file.
func connect(path string) (*sql.DB, os.FileInfo, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, nil, err
	}
	// SQLite would make it readable for all users; its side files get the same mode.
	created, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, nil, err
	}
	identity, err := created.Stat()
	if err = errors.Join(err, created.Close()); err != nil {
		return nil, nil, err
	}
	query := url.Values{
		"_pragma": {fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds()), "auto_vacuum(INCREMENTAL)", "journal_mode(WAL)",
			"synchronous(NORMAL)"},
		"_txlock": {"immediate"},
	}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?"+query.Encode())
	if err != nil {
		return nil, nil, err
	}
	// More callers wait here, in order. If each opened and closed a connection of its own, they would wait for seconds on the locks of the
	// file.
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db, identity, nil
}

func (f *file) prepare(ctx context.Context) error {
	if err := f.checkLocks(ctx); err != nil {
		return err
	}
	if err := f.migrate(ctx); err != nil {
		return err
	}
	for statement, text := range map[**sql.Stmt]string{
		&f.getEntry: getEntry, &f.putEntry: putEntry, &f.claimStart: claimStart,
	} {
		prepared, err := f.db.PrepareContext(ctx, text)
		if err != nil {
			return err
		}
		*statement = prepared
	}
	return nil
}

var errNoLocks = errors.New("the file system has no locks")

// checkLocks returns an error if the file system has no locks, as on many network home folders: of two writers, the second must be blocked.
func (f *file) checkLocks(ctx context.Context) error {
	first, err := f.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer first.Close()
	second, err := f.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer second.Close()
	if _, err := first.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	if _, err := second.ExecContext(ctx, "PRAGMA busy_timeout = 0"); err != nil {
		return err
	}
	_, err = second.ExecContext(ctx, "BEGIN IMMEDIATE")
	if err == nil {
		_, _ = second.ExecContext(ctx, "ROLLBACK") // the file is not used after this
		err = errNoLocks
	} else {
		err = nil
	}
	if _, rollback := first.ExecContext(ctx, "ROLLBACK"); rollback != nil {
		return rollback
	}
	if _, restore := second.ExecContext(ctx, fmt.Sprintf("PRAGMA busy_timeout = %d", busyTimeout.Milliseconds())); restore != nil {
		return restore
	}
	return err
}

// migrate creates the tables, and empties a file of an older format. It leaves a file of a newer format unchanged: a newer version of the
// program may be using it.
func (f *file) migrate(ctx context.Context) error {
	tx, err := f.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // it does nothing after a commit
	var version int
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	switch {
	case version == format:
		return nil
	case version > format:
		return fmt.Errorf("the file has format %d, of a newer version; this one knows %d", version, format)
	}
	if _, err := tx.ExecContext(ctx, "DROP TABLE IF EXISTS entry; DROP TABLE IF EXISTS pace;"+fmt.Sprintf(schema, format)); err != nil {
		return err
	}
	return tx.Commit()
}

// repairFile empties a file with damaged pages, in place, so that all processes continue with the same file. It leaves a valid file
// unchanged: another process may have repaired it.
func repairFile(ctx context.Context, path string) error {
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	db, _, err := connect(path)
	if err != nil {
		return err
	}
	defer db.Close()
	c, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	var verdict string
	if err := c.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&verdict); err == nil && verdict == "ok" {
		return nil
	}
	// Without tables in the schema, VACUUM has no damaged page to read. The version makes the next open create the tables.
	_, err = c.ExecContext(context.WithoutCancel(ctx), `PRAGMA writable_schema = ON; DELETE FROM sqlite_schema; PRAGMA user_version = 0;
		PRAGMA writable_schema = RESET; VACUUM`)
	return err
}

// The SQLite error codes that are handled; the low byte of a code.
const (
	sqliteBusy       = 5
	sqliteIOError    = 10
	sqliteCorrupt    = 11
	sqliteFull       = 13
	sqliteConstraint = 19
	sqliteNotADB     = 26
)

func code(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code() & 0xff
	}
	return 0
}

// isBusy reports whether another process has locked the file.
func isBusy(err error) bool { return code(err) == sqliteBusy }

// isFull reports whether a write failed because the disk was full.
func isFull(err error) bool { return code(err) == sqliteFull || code(err) == sqliteIOError }

// isDamaged reports whether the file has contents that SQLite did not write. A missing value is damage too: no statement of this package
// can cause it.
func isDamaged(err error) bool {
	return code(err) == sqliteCorrupt || code(err) == sqliteNotADB || code(err) == sqliteConstraint
}

// write runs one write at a time. If the disk is full, it copies the write-ahead log to the file and runs the write once more: then the
// space of the log can be reused.
func (f *file) write(ctx context.Context, run func() error) error {
	f.writing.Lock()
	defer f.writing.Unlock()
	err := run()
	if isFull(err) {
		if _, checkpoint := f.db.ExecContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)"); checkpoint == nil {
			err = run()
		}
	}
	return err
}

func (f *file) close() error { return f.db.Close() }

const (
	// getEntry casts the numbers: a damaged byte may have changed their type.
	getEntry = `SELECT CAST(fetched AS INTEGER), CAST(stored AS INTEGER), CAST(checksum AS INTEGER), value
		FROM entry WHERE key = ?`
	putEntry = `INSERT INTO entry (key, fetched, stored, checksum, value) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (key) DO UPDATE SET fetched = excluded.fetched, stored = excluded.stored, checksum = excluded.checksum, value = excluded.value`
)
