package mirror

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"os"
	"path/filepath"
)

// lock keeps other syncs of a mirror out until unlock is called or the process ends. It locks a file
// beside the mirror, as SQLite does it on every system.
func lock(ctx context.Context, path string) (unlock func() error, err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path+lockSuffix, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", dsn(path+lockSuffix, url.Values{"_pragma": {"busy_timeout(0)", "journal_mode(MEMORY)"}}))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx, "BEGIN EXCLUSIVE"); err != nil {
		if code(err) == sqliteBusy {
			err = ErrBusy
		}
		return nil, errors.Join(err, db.Close())
	}
	return db.Close, nil
}

// bytesPerTrial is the space that a trial takes while a mirror is made: the file, and the log of changes.
const bytesPerTrial = 20_000

// checkSpace returns a SpaceError where the disk has no room for so many trials.
func checkSpace(path string, trials int) error {
	needed := int64(max(0, trials)) * bytesPerTrial
	free, known := freeSpace(filepath.Dir(path))
	if known && free < needed {
		return &SpaceError{free, needed}
	}
	return nil
}
