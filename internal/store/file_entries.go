package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// get returns an entry. A damaged entry counts as missing.
func (f *file) get(ctx context.Context, key string) (Entry, bool, error) {
	var e Entry
	var fetched, stored, sum sql.NullInt64
	switch err := f.getEntry.QueryRowContext(ctx, key).Scan(&fetched, &stored, &sum, &e.Value); {
	case errors.Is(err, sql.ErrNoRows):
		return Entry{}, false, nil
	case err != nil:
		return Entry{}, false, err
	}
	e.Fetched, e.Stored = time.UnixMicro(fetched.Int64), time.UnixMicro(stored.Int64)
	if sum.Int64 != int64(checksum(key, e)) {
		return Entry{}, false, nil
	}
	return e, true, nil
}

func (f *file) put(ctx context.Context, key string, e Entry) error {
	return f.write(ctx, func() error {
		if _, err := f.putEntry.ExecContext(ctx, key, e.Fetched.UnixMicro(), e.Stored.UnixMicro(), int64(checksum(key, e)),
			e.Value); err != nil {
			return err
		}
		return f.shrink(ctx)
	})
}

// shrink removes a tenth of the entries while the file is too large: first entries from the future, which an earlier clock setting caused,
// then the oldest.
func (f *file) shrink(ctx context.Context) error {
	for {
		bytes, err := f.bytes(ctx)
		if err != nil || bytes <= f.max {
			return err
		}
		removed, err := f.db.ExecContext(ctx, `DELETE FROM entry WHERE id IN
			(SELECT id FROM entry ORDER BY stored > ? DESC, stored LIMIT 1 + (SELECT count(*) FROM entry) / 10)`, time.Now().Add(clockSkew).UnixMicro())
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

// bytes returns the size of the file without its free pages.
func (f *file) bytes(ctx context.Context) (int64, error) {
	var bytes int64
	err := f.db.QueryRowContext(ctx, `SELECT (page_count - freelist_count) * page_size
		FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()`).Scan(&bytes)
	return bytes, err
}

// probeSize is the size of the entry that checks whether the disk has room. It is larger than most entries, so that the next ones fit as
// well.
const probeSize = 1 << 20

// probe returns an error unless an entry of probeSize can be written and removed.
func (f *file) probe(ctx context.Context) error {
	const key = "probe"
	if err := f.put(ctx, key, Entry{Value: make([]byte, probeSize), Fetched: time.Unix(0, 0), Stored: time.Unix(0, 0)}); err != nil {
		return err
	}
	return f.write(ctx, func() error {
		if _, err := f.db.ExecContext(ctx, "DELETE FROM entry WHERE key = ?", key); err != nil {
			return err
		}
		_, err := f.db.ExecContext(ctx, "PRAGMA incremental_vacuum")
		return err
	})
}

func (f *file) info(ctx context.Context) (Info, error) {
	i := Info{Path: f.path}
	var oldest, newest sql.NullInt64
	if err := f.db.QueryRowContext(ctx, "SELECT count(*), min(stored), max(stored) FROM entry").Scan(&i.Entries, &oldest,
		&newest); err != nil {
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
