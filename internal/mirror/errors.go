package mirror

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"github.com/biofact-mcp/biofact/internal/mirror/disk"
	"github.com/biofact-mcp/biofact/internal/mirror/history"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// ErrForeign is the error of a path that is not the file of a mirror.
var ErrForeign = errors.New("the file is not of a mirror")

// The reasons. SQLite would wait for the writer of a pipe.
var (
	errNotRegular = fmt.Errorf("%w: it is not a regular file", ErrForeign)
	errNoDatabase = fmt.Errorf("%w: it is not a database", ErrForeign)
	errDatabase   = fmt.Errorf("%w: it is a database of another program", ErrForeign)
)

// errFormat is in the chain of the error of a file of another version of Biofact.
var errFormat = errors.New("the file was made by another version of Biofact")

// ErrUnreadable is the error of a file that this user may not read.
var ErrUnreadable = errors.New("this user has no permission to read the file")

// errEmpty is the error of a file without tables, as an interrupted first sync may leave it.
var errEmpty = errors.New("the file is empty")

// ErrSource is in the chain of the error of a mirror of another registry.
var ErrSource = errors.New("the mirror is a copy of another registry")

// A CopyError is the error of a copy that could not be written.
type CopyError struct {
	Path string
	Err  error
}

func (e *CopyError) Error() string { return e.Path + ": " + e.Err.Error() }
func (e *CopyError) Unwrap() error { return e.Err }

// IsFull reports whether an error says that the disk is full. Only for the file of shared memory, SQLite reports that as a failure.
func IsFull(err error) bool {
	e, _ := errors.AsType[*sqlite.Error](err)
	return disk.Code(err) == disk.Full || e != nil && e.Code() == sqlite3.SQLITE_IOERR_SHMSIZE || errors.Is(err, syscall.ENOSPC) ||
		errors.As(err, new(*disk.SpaceError))
}

// IsFailing reports whether an error says that the disk failed to read or to write a file.
func IsFailing(err error) bool { return disk.Code(err) == disk.IOError && !IsFull(err) }

// IsDamaged reports whether an error says that a file or one of its records is damaged.
func IsDamaged(err error) bool {
	return disk.Code(err) == disk.Corrupt || errors.Is(err, errDamaged) || errors.As(err, new(*history.DamagedError))
}

// IsBroken reports whether an error says that a file is not a mirror or is damaged.
func IsBroken(err error) bool {
	return IsDamaged(err) || errors.Is(err, errFormat) || disk.Code(err) == disk.NotADatabase || errors.Is(err, errEmpty)
}

// IsElsewhere reports whether an error says that the path leads to no file of a mirror and to none that could be created.
func IsElsewhere(err error) bool {
	_, ofPath := errors.AsType[*fs.PathError](err)
	return errors.Is(err, ErrForeign) || ofPath && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.EROFS) &&
		!errors.Is(err, syscall.ENOSPC) && !errors.Is(err, fs.ErrPermission)
}

// IsReadOnly reports whether an error says that a file cannot be written.
func IsReadOnly(err error) bool {
	return disk.Code(err) == disk.ReadOnly || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
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
