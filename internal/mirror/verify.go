package mirror

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/biofact-mcp/biofact/internal/registry"
)

// Facts describe a mirror.
type Facts struct {
	State
	Path   string
	Bytes  int64 // of the file and its log of changes
	Trials int
}

// Inspect returns the facts of a file. The error of a missing file is os.ErrNotExist.
func Inspect(ctx context.Context, path string) (f Facts, err error) {
	f.Path = path
	db, _, err := openReader(ctx, path)
	if err != nil {
		return f, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if f.State, err = readState(ctx, db); err != nil {
		return f, err
	}
	for _, suffix := range sideFiles {
		if info, err := os.Stat(path + suffix); err == nil {
			f.Bytes += info.Size()
		}
	}
	err = db.QueryRowContext(ctx, "SELECT count(*) FROM study").Scan(&f.Trials)
	return f, err
}

// A Verification is the result of comparing a mirror with the registry.
type Verification struct {
	Facts
	Stamp          string // of the registry's data now
	RegistryTrials int    // trials of the registry
	Sampled        int    // records that were compared
	Differ         []string
	Missing        []string // of the sample, no longer in the registry
	Damage         string   // the first damage that SQLite finds in the file, or of a compared record; "": no damage
}

// sampled is the number of records that a verification compares.
const sampled = 100

// Verify compares a mirror with the registry: the number of trials and a sample of records. It changes nothing.
func (s *Sync) Verify(ctx context.Context) (v Verification, err error) {
	if v.Facts, err = Inspect(ctx, s.Path); err != nil {
		return v, err
	}
	if v.Source != s.Source {
		return v, fmt.Errorf("%w: %s", ErrSource, v.Source)
	}
	db, _, err := openReader(ctx, s.Path)
	if err != nil {
		return v, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if v.Damage, err = damage(ctx, db); err != nil || v.Damage != "" {
		return v, err
	}
	client := newClient(s.Do, s.URL)
	if v.Stamp, err = client.version(ctx); err != nil {
		return v, err
	}
	if v.RegistryTrials, err = client.count(ctx, ""); err != nil {
		return v, err
	}
	return v, v.compare(ctx, db, client)
}

// damage returns the first damage that SQLite finds in a file, or "".
func damage(ctx context.Context, db *sql.DB) (string, error) {
	var verdict string
	err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&verdict)
	if code(err) == sqliteCorrupt || code(err) == sqliteNotADB {
		return err.Error(), nil
	}
	if verdict == "ok" {
		verdict = ""
	}
	return verdict, err
}

// compare compares a sample of records with the registry, and with the facts and words that were made of them.
func (v *Verification) compare(ctx context.Context, db *sql.DB, client *registryClient) error {
	hashes, damage, err := remakeSample(ctx, db)
	v.Damage = damage
	if err != nil || len(hashes) == 0 {
		return err
	}
	var ids []string
	for id := range hashes {
		ids = append(ids, nctID(id))
	}
	v.Sampled = len(ids)
	_, err = client.page(ctx, pageQuery{ids: ids, size: len(ids)}, handler{
		start: func() error { v.Differ = nil; return nil },
		study: func(raw []byte) error {
			s, err := readStudy(raw)
			if err != nil {
				return err
			}
			if hash, ok := hashes[s.id]; ok && hash != s.hash {
				v.Differ = append(v.Differ, nctID(s.id))
			}
			delete(hashes, s.id)
			return nil
		},
	})
	for id := range hashes {
		v.Missing = append(v.Missing, nctID(id))
	}
	return err
}

// A CopyError is the error of a copy that could not be written.
type CopyError struct {
	Path string
	Err  error
}

func (e *CopyError) Error() string { return e.Path + ": " + e.Err.Error() }
func (e *CopyError) Unwrap() error { return e.Err }

// Snapshot writes a consistent copy of a mirror to another file. The file gets its name when it is complete, so that readers
// of an older copy can switch to it at any time. Snapshot replaces no file that is not a mirror.
func Snapshot(ctx context.Context, path, to string) (err error) {
	db, _, err := openReader(ctx, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if now, err := os.Stat(path); err == nil {
		if existing, err := os.Stat(to); err == nil && os.SameFile(now, existing) {
			return errors.New("the copy would replace the mirror itself")
		}
	}
	err = writeCopy(ctx, db, to)
	if err != nil && code(err) != sqliteCorrupt { // which is the error of a page of the mirror
		err = &CopyError{to, err}
	}
	return err
}

// writeCopy writes the copy of an open mirror.
func writeCopy(ctx context.Context, db *sql.DB, to string) error {
	if err := checkOwn(ctx, to); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	part := to + ".part"
	f, err := os.OpenFile(part, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) // SQLite would make the file readable for all users
	if err != nil {
		return err
	}
	err = f.Close()
	if err == nil {
		_, err = db.ExecContext(ctx, "VACUUM INTO '"+strings.ReplaceAll(part, "'", "''")+"'")
	}
	if err == nil {
		err = os.Rename(part, to)
	}
	if err != nil {
		_ = os.Remove(part) // the part of a failed copy
	}
	return err
}

// IsFull reports whether an error says that the disk is full. Only for the file of shared memory, SQLite reports that as a failure.
func IsFull(err error) bool {
	e, _ := errors.AsType[*sqlite.Error](err)
	return code(err) == sqliteFull || e != nil && e.Code() == sqlite3.SQLITE_IOERR_SHMSIZE || errors.Is(err, syscall.ENOSPC) ||
		errors.As(err, new(*SpaceError))
}

// IsFailing reports whether an error says that the disk failed to read or to write a file.
func IsFailing(err error) bool { return code(err) == sqliteIOError && !IsFull(err) }

// IsBroken reports whether an error says that a file is not a mirror or is damaged.
func IsBroken(err error) bool {
	return errors.Is(err, errFormat) || code(err) == sqliteNotADB || code(err) == sqliteCorrupt || errors.Is(err, errEmpty)
}

// IsElsewhere reports whether an error says that the path leads to no file of a mirror and to none that could be created.
func IsElsewhere(err error) bool {
	_, ofPath := errors.AsType[*fs.PathError](err)
	return errors.Is(err, ErrForeign) || ofPath && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.EROFS) &&
		!errors.Is(err, syscall.ENOSPC) && !errors.Is(err, fs.ErrPermission)
}

// IsReadOnly reports whether an error says that a file cannot be written.
func IsReadOnly(err error) bool {
	return code(err) == sqliteReadOnly || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}

// Remedy returns how the operator makes a mirror usable after an error of Reader or Inspect.
func Remedy(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, errEmpty):
		return "biofact mirror sync makes one"
	case errors.Is(err, ErrUnfinished):
		return "biofact mirror sync continues it"
	case errors.Is(err, ErrSource) || IsElsewhere(err):
		return "set BIOFACT_MIRROR_PATH to another file, then run biofact mirror sync"
	case errors.Is(err, ErrUnreadable):
		return "change the owner or the mode of the file"
	case IsFull(err):
		return "free some space on its disk"
	case IsFailing(err):
		return "check the disk, or set BIOFACT_MIRROR_PATH to a file on another one"
	}
	return "biofact mirror remove, then biofact mirror sync, makes a new one"
}

// first returns the first value that a study has under a piece.
func first(body map[string]any, piece string) string { return registry.First(body, piece) }
