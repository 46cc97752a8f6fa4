package mirror

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"time"

	"github.com/biofact-mcp/biofact/internal/mirror/disk"
	"github.com/biofact-mcp/biofact/internal/mirror/history"
)

const (
	// busyTimeout bounds how long a statement waits for other processes.
	busyTimeout = 10 * time.Second
	// readers bounds the connections of one process that read.
	readers = 4
	// writerCache is the memory for pages of the file while it is written, in kB.
	writerCache = 32 << 10
)

// openWriter opens a file for writing, and creates it where it is missing.
func openWriter(ctx context.Context, path string) (*sql.DB, error) {
	if err := disk.Create(path); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", disk.DSN(path, url.Values{
		"_pragma": {
			fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds()), "journal_mode(WAL)", "synchronous(NORMAL)",
			"secure_delete(FAST)", fmt.Sprintf("cache_size(-%d)", writerCache), "wal_autocheckpoint(0)",
		},
		"_txlock": {"immediate"},
	}))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if err := migrate(ctx, db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// checkForWriter returns an error if a path is that of another program or of another version of Biofact, or if the file is damaged. A
// writer changes a file when it opens it.
func checkForWriter(ctx context.Context, path string) error {
	err := CheckFile(ctx, path)
	if errors.Is(err, ErrForeign) || errors.Is(err, errFormat) || errors.Is(err, errDamaged) {
		return err
	}
	return nil // the writer recovers the file, or says what is wrong
}

// checkOwn returns an error if a file is not that of a mirror, which may be damaged or of another version of Biofact. An empty file loses
// nothing.
func checkOwn(ctx context.Context, path string) error {
	db, _, err := openReader(ctx, path)
	switch {
	case err == nil:
		return db.Close()
	case errors.Is(err, errFormat) || errors.Is(err, errEmpty) || disk.Code(err) == disk.Corrupt:
		return nil
	}
	return err
}

// checkRegular returns an error if a path is not that of a regular file, or of a link to one.
func checkRegular(path string) error {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = errNotRegular
	}
	return err
}

// checkMirror returns an error if an open file is not a mirror of this version.
func checkMirror(ctx context.Context, db *sql.DB) error {
	var version, application, tables int
	err := db.QueryRowContext(ctx, "PRAGMA application_id").Scan(&application) // without a look at the tables, which may be damaged
	if err == nil {
		err = db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version)
	}
	switch {
	case disk.Code(err) == disk.NotADatabase:
		return errNoDatabase
	case err != nil || application == applicationID && version == format:
		return err
	case application == applicationID:
		return fmt.Errorf("%w: it has format %d, this version reads %d", errFormat, version, format)
	}
	err = db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables)
	switch {
	case err == nil && version == 0 && tables == 0:
		return errEmpty
	case err == nil || disk.Code(err) == disk.Corrupt:
		return errDatabase
	}
	return err
}

// migrate creates the tables in an empty file.
func migrate(ctx context.Context, db *sql.DB) error {
	if err := checkMirror(ctx, db); !errors.Is(err, errEmpty) {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // of a committed transaction it does nothing
	version := 0
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil || version == format {
		return err // another process created the tables
	}
	if _, err := tx.ExecContext(ctx, schema()); err != nil {
		return err
	}
	return tx.Commit()
}

// openReader opens a file for reading. SQLite writes a file beside it; if that fails, as in a read-only folder or on a full disk,
// and no other process changes the file, openReader opens it as immutable.
func openReader(ctx context.Context, path string) (db *sql.DB, immutable bool, err error) {
	if err := checkRegular(path); err != nil {
		return nil, false, err
	}
	busy := fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds())
	db, err = openMirror(ctx, path, url.Values{"_pragma": {busy}, "mode": {"ro"}})
	if err == nil || IsBroken(err) || errors.Is(err, ErrForeign) || hasLog(path) { // an immutable file would hide the changes in the log
		return db, false, err
	}
	db, err = openMirror(ctx, path, url.Values{"_pragma": {busy}, "mode": {"ro"}, "immutable": {"1"}})
	if err != nil && notPermitted(path) {
		err = ErrUnreadable
	}
	return db, true, err
}

// notPermitted reports whether this user may not read a file. SQLite says only that it cannot open the file. Nothing else may open the
// file while SQLite uses it, because closing it would release the locks of SQLite.
func notPermitted(path string) bool {
	f, err := os.Open(path)
	if err == nil {
		_ = f.Close() // it was not read
	}
	return errors.Is(err, fs.ErrPermission)
}

// hasLog reports whether a file has changes in its write-ahead log.
func hasLog(path string) bool {
	log, err := os.Stat(path + "-wal")
	return err == nil && log.Size() > 0
}

// hasChanged reports whether a file or its log has changed within a time.
func hasChanged(path string, within time.Duration) bool {
	for _, suffix := range []string{"", "-wal"} {
		if info, err := os.Stat(path + suffix); err == nil && time.Since(info.ModTime()) < within {
			return true
		}
	}
	return false
}

// openMirror opens a mirror. It returns an error if the file is not a mirror of this version.
func openMirror(ctx context.Context, path string, parameters url.Values) (*sql.DB, error) {
	db, err := sql.Open("sqlite", disk.DSN(path, parameters))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(readers)
	db.SetMaxIdleConns(readers)
	if err := checkMirror(ctx, db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if _, err = db.ExecContext(ctx, "SELECT 1 FROM meta, study, record LIMIT 0"); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// errDamaged is in the chain of the error of a file in which SQLite finds damage.
var errDamaged = errors.New("the file is damaged")

// checkTables returns an error if SQLite finds damage in the tables that searches read. The records have hashes, and to check the index of
// words takes many seconds.
func checkTables(ctx context.Context, db *sql.DB) error {
	const tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 " +
		"AND name NOT IN ('record', 'version', 'words_data')"
	names, err := history.List[string](db.QueryContext(ctx, tables))
	if disk.Code(err) == disk.Corrupt || err == nil && len(names) == 0 {
		return errDamaged
	}
	for _, name := range names {
		if err := check(ctx, db, "'"+name+"'"); err != nil {
			return err
		}
	}
	return err
}

// check returns an error if SQLite finds damage in a table, or in all of the file for the table 1.
func check(ctx context.Context, db *sql.DB, table string) error {
	var verdict string
	err := db.QueryRowContext(ctx, "PRAGMA quick_check("+table+")").Scan(&verdict)
	switch {
	case disk.Code(err) == disk.Corrupt || disk.Code(err) == disk.NotADatabase:
		return fmt.Errorf("%w: %w", errDamaged, err)
	case err == nil && verdict != "ok":
		return fmt.Errorf("%w: %s", errDamaged, verdict)
	}
	return err
}

// CheckFile returns an error if a file is no mirror of this version, or if SQLite finds damage in it.
func CheckFile(ctx context.Context, path string) error {
	db, _, err := openReader(ctx, path)
	if err != nil {
		return err
	}
	return errors.Join(checkTables(ctx, db), db.Close())
}

// HeaderSize is the number of bytes of a file that IsHeader needs.
const HeaderSize = 100

// IsHeader reports whether a file that begins with some bytes may be a mirror, of any version.
func IsHeader(begin []byte) bool {
	const at = 68 // application_id
	return len(begin) == HeaderSize && bytes.HasPrefix(begin, []byte("SQLite format 3\x00")) &&
		binary.BigEndian.Uint32(begin[at:]) == applicationID
}

// sideFiles are the suffixes of the files of a mirror.
var sideFiles = []string{"", "-wal", "-shm", "-journal", disk.LockSuffix}

// Remove removes a mirror. It reports whether the file existed. It removes no other file, and no mirror during a sync.
func Remove(ctx context.Context, path string) (removed bool, err error) {
	if err := checkOwn(ctx, path); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return false, err
	}
	unlock, err := disk.Lock(ctx, path)
	if err == nil {
		err = unlock()
	}
	if err != nil {
		return false, err
	}
	for _, suffix := range sideFiles {
		if e := os.Remove(path + suffix); !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return err == nil, err
}
