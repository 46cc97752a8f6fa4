// Package disk holds what a mirror asks of the disk of its file: room, a lock against other syncs, files that only this user may read, and
// a name for the driver of SQLite.
package disk

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"

	"modernc.org/sqlite"
)

// The primary result codes of SQLite: the low byte of a code.
const (
	ReadOnly     = 8
	IOError      = 10
	Corrupt      = 11
	Full         = 13
	CannotOpen   = 14
	NotADatabase = 26
)

// Code returns the primary result code of an error of SQLite, 0 for another error.
func Code(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code() & 0xff
	}
	return 0
}

// ErrBusy is the error of a sync while another one is under way.
var ErrBusy = errors.New("another sync of this mirror is under way")

const busy = 5

// A SpaceError says that the disk has too little room for a file.
type SpaceError struct{ Free, Needed int64 }

func (e *SpaceError) Error() string {
	return fmt.Sprintf("the disk has %.1f GB free; about %.1f GB are needed", float64(e.Free)/1e9, float64(e.Needed)/1e9)
}

// DSN returns the name by which the driver opens a file.
func DSN(path string, parameters url.Values) string {
	return "file:" + (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath() + "?" + parameters.Encode()
}

// LockSuffix ends the name of the lock file of a sync.
const LockSuffix = "-sync"

// Lock keeps other syncs of a mirror out until unlock is called or the process ends. It locks a file
// beside the mirror, as SQLite does it on every system.
func Lock(ctx context.Context, path string) (unlock func() error, err error) {
	if err := Create(path + LockSuffix); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", DSN(path+LockSuffix, url.Values{"_pragma": {"busy_timeout(0)", "journal_mode(MEMORY)"}}))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx, "BEGIN EXCLUSIVE"); err != nil {
		if Code(err) == busy {
			err = ErrBusy
		}
		return nil, errors.Join(err, db.Close())
	}
	return db.Close, nil
}

// bytesPerTrial is the space that a trial takes while a mirror is made: the file, and the log of changes.
const bytesPerTrial = 20_000

// CheckSpace returns a SpaceError where the disk has no room for so many trials.
func CheckSpace(path string, trials int) error {
	return CheckRoom(path, int64(max(0, trials))*bytesPerTrial)
}

// CheckRoom returns a SpaceError where the disk of a path has no room for so many bytes.
func CheckRoom(path string, needed int64) error {
	free, known := freeSpace(filepath.Dir(path))
	if known && free < needed {
		return &SpaceError{free, needed}
	}
	return nil
}
