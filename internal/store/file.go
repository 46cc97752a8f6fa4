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

// file is the backend that all processes of the user share.
type file struct {
	path string
	max  int64
	db   *sql.DB

	// writing lets the writers of this process wait in order: left to SQLite,
	// they wait for its lock in naps, and the unlucky one for seconds.
	writing sync.Mutex

	getEntry, putEntry, takeTurn, claimStart *sql.Stmt
}

// format is the version of the tables and of what stands in them. A file of
// another version is emptied.
const format = 1

// Times stand in the file as microseconds since 1970.
const schema = `
CREATE TABLE entry (
	id      INTEGER PRIMARY KEY,
	key     TEXT NOT NULL UNIQUE,
	value   BLOB NOT NULL,
	fetched INTEGER NOT NULL,
	stored  INTEGER NOT NULL
);
CREATE INDEX entry_stored ON entry (stored);
CREATE TABLE pace (
	host TEXT PRIMARY KEY,
	next INTEGER NOT NULL,           -- turn to give
	last INTEGER NOT NULL DEFAULT 0  -- start of the newest request
) WITHOUT ROWID;
PRAGMA user_version = %d;`

// openTimeout bounds how long the opening waits for other processes.
const openTimeout = 5 * time.Second

// openAgain is the time between two attempts at it.
const openAgain = 20 * time.Millisecond

// connections bounds those to the file, which stay open.
const connections = 4

func openFile(path string, maxBytes int64) (*file, error) {
	ctx, cancel := context.WithTimeout(context.Background(), openTimeout)
	defer cancel()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	// SQLite would make it readable for all; its side files take over the mode.
	made, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := made.Close(); err != nil {
		return nil, err
	}
	query := url.Values{
		"_pragma": {"busy_timeout(5000)", "auto_vacuum(INCREMENTAL)", "journal_mode(WAL)", "synchronous(NORMAL)"},
		"_txlock": {"immediate"},
	}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?"+query.Encode())
	if err != nil {
		return nil, err
	}
	// More callers than that wait here and in order. Left to open a connection
	// each, and to close it again, they wait for seconds on the file's locks.
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	f := &file{path: path, max: maxBytes, db: db}
	// Where several processes make the file at once, SQLite calls it locked
	// without waiting: the change to the write-ahead log is not retried by it.
	for err = f.prepare(ctx); busy(err) && ctx.Err() == nil; err = f.prepare(ctx) {
		time.Sleep(openAgain)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return f, nil
}

// busy tells the error of a file that another process has locked.
func busy(err error) bool {
	const sqliteBusy = 5 // the low byte; the others tell how
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && e.Code()&0xff == sqliteBusy
}

func (f *file) prepare(ctx context.Context) error {
	if err := f.locks(ctx); err != nil {
		return err
	}
	if err := f.migrate(ctx); err != nil {
		return err
	}
	for statement, text := range map[**sql.Stmt]string{
		&f.getEntry: `SELECT value, fetched, stored FROM entry WHERE key = ?`,
		&f.putEntry: `INSERT INTO entry (key, value, fetched, stored) VALUES (?, ?, ?, ?)
			ON CONFLICT (key) DO UPDATE SET value = excluded.value, fetched = excluded.fetched, stored = excluded.stored`,
		// One statement decides and takes, so that no two processes take the same
		// turn. A turn that lies further ahead than any queue is from a clock that
		// was set back: it counts as past.
		&f.takeTurn: `INSERT INTO pace (host, next) VALUES (:host, :now + :interval)
			ON CONFLICT (host) DO UPDATE SET next = :interval + CASE WHEN next > :now + :far THEN :now ELSE max(next, :now) END
			WHERE next <= :now + :limit OR next > :now + :far
			RETURNING next - :interval`,
		&f.claimStart: `UPDATE pace SET last = :now
			WHERE host = :host AND (last <= :now - :interval OR last > :now + :far OR last = :mine) RETURNING last`,
	} {
		prepared, err := f.db.PrepareContext(ctx, text)
		if err != nil {
			return err
		}
		*statement = prepared
	}
	return nil
}

// locks finds out whether the file system can lock, which network homes often
// cannot: of two writers the second must be kept out.
func (f *file) locks(ctx context.Context) error {
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
		_, _ = second.ExecContext(ctx, "ROLLBACK") // the store is not used any more
		err = errors.New("the file system does not lock")
	} else {
		err = nil
	}
	if _, rollback := first.ExecContext(ctx, "ROLLBACK"); rollback != nil {
		return rollback
	}
	if _, restore := second.ExecContext(ctx, "PRAGMA busy_timeout = 5000"); restore != nil {
		return restore
	}
	return err
}

// migrate makes the tables, and empties a file of another format.
func (f *file) migrate(ctx context.Context) error {
	tx, err := f.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // of a committed transaction it does nothing
	var version int
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	if version == format {
		return nil
	}
	if _, err := tx.ExecContext(ctx, "DROP TABLE IF EXISTS entry; DROP TABLE IF EXISTS pace;"+fmt.Sprintf(schema, format)); err != nil {
		return err
	}
	return tx.Commit()
}

func (f *file) get(ctx context.Context, key string) (Entry, bool, error) {
	var e Entry
	var fetched, stored int64
	switch err := f.getEntry.QueryRowContext(ctx, key).Scan(&e.Value, &fetched, &stored); {
	case errors.Is(err, sql.ErrNoRows):
		return Entry{}, false, nil
	case err != nil:
		return Entry{}, false, err
	}
	e.Fetched, e.Stored = time.UnixMicro(fetched), time.UnixMicro(stored)
	return e, true, nil
}

func (f *file) put(ctx context.Context, key string, e Entry) error {
	f.writing.Lock()
	defer f.writing.Unlock()
	if _, err := f.putEntry.ExecContext(ctx, key, e.Value, e.Fetched.UnixMicro(), e.Stored.UnixMicro()); err != nil {
		return err
	}
	return f.shrink(ctx)
}

// shrink removes the oldest tenth of the entries while the file is too large.
func (f *file) shrink(ctx context.Context) error {
	for {
		bytes, err := f.bytes(ctx)
		if err != nil || bytes <= f.max {
			return err
		}
		removed, err := f.db.ExecContext(ctx, `DELETE FROM entry WHERE id IN
			(SELECT id FROM entry ORDER BY stored LIMIT 1 + (SELECT count(*) FROM entry) / 10)`)
		if err != nil {
			return err
		}
		if _, err := f.db.ExecContext(ctx, "PRAGMA incremental_vacuum"); err != nil {
			return err
		}
		if n, err := removed.RowsAffected(); err != nil || n == 0 {
			return err
		}
	}
}

// bytes is the size of the file without its free pages.
func (f *file) bytes(ctx context.Context) (int64, error) {
	var bytes int64
	err := f.db.QueryRowContext(ctx, `SELECT (page_count - freelist_count) * page_size
		FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()`).Scan(&bytes)
	return bytes, err
}

// farAhead is longer than any queue can be.
const farAhead = time.Hour

func (f *file) reserve(ctx context.Context, host string, now time.Time, interval, limit time.Duration) (time.Time, bool, error) {
	f.writing.Lock()
	defer f.writing.Unlock()
	var turn int64
	err := f.takeTurn.QueryRowContext(ctx,
		sql.Named("host", host), sql.Named("now", now.UnixMicro()), sql.Named("interval", interval.Microseconds()),
		sql.Named("limit", limit.Microseconds()), sql.Named("far", farAhead.Microseconds())).Scan(&turn)
	if errors.Is(err, sql.ErrNoRows) {
		if err := f.db.QueryRowContext(ctx, "SELECT next FROM pace WHERE host = ?", host).Scan(&turn); err != nil {
			return time.Time{}, false, err
		}
		return time.UnixMicro(turn), false, nil
	}
	return time.UnixMicro(turn), err == nil, err
}

func (f *file) begin(ctx context.Context, host string, now, mine time.Time, interval time.Duration) (time.Duration, error) {
	f.writing.Lock()
	defer f.writing.Unlock()
	var last int64
	err := f.claimStart.QueryRowContext(ctx, sql.Named("host", host), sql.Named("now", now.UnixMicro()),
		sql.Named("mine", mine.UnixMicro()), sql.Named("interval", interval.Microseconds()),
		sql.Named("far", farAhead.Microseconds())).Scan(&last)
	if !errors.Is(err, sql.ErrNoRows) {
		return 0, err
	}
	err = f.db.QueryRowContext(ctx, "SELECT last FROM pace WHERE host = ?", host).Scan(&last)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil // the file was emptied meanwhile
	}
	return max(time.Microsecond, time.UnixMicro(last).Add(interval).Sub(now)), err
}

func (f *file) release(ctx context.Context, host string, turn time.Time, interval time.Duration) error {
	f.writing.Lock()
	defer f.writing.Unlock()
	_, err := f.db.ExecContext(ctx, "UPDATE pace SET next = ? WHERE host = ? AND next = ?",
		turn.UnixMicro(), host, turn.UnixMicro()+interval.Microseconds())
	return err
}

func (f *file) info(ctx context.Context) (Info, error) {
	i := Info{Path: f.path}
	var oldest, newest sql.NullInt64
	if err := f.db.QueryRowContext(ctx, "SELECT count(*), min(stored), max(stored) FROM entry").Scan(&i.Entries, &oldest, &newest); err != nil {
		return i, err
	}
	if oldest.Valid {
		i.Oldest, i.Newest = time.UnixMicro(oldest.Int64), time.UnixMicro(newest.Int64)
	}
	var err error
	i.Bytes, err = f.bytes(ctx)
	return i, err
}

func (f *file) clear(ctx context.Context) error {
	if _, err := f.db.ExecContext(ctx, "DELETE FROM entry"); err != nil {
		return err
	}
	_, err := f.db.ExecContext(ctx, "PRAGMA incremental_vacuum")
	return err
}

func (f *file) close() error { return f.db.Close() }
