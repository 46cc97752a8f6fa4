package history

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/crc32"
	"strconv"
	"time"

	"github.com/biofact-mcp/biofact/internal/mirror/sqlrows"
)

// tables creates the tables of the history where they are missing.
const tables = `
CREATE TABLE IF NOT EXISTS finished ( -- syncs that came to their end, the first one with the oldest version that can be read
	id    INTEGER PRIMARY KEY,
	stamp TEXT NOT NULL -- of the data
);
CREATE TABLE IF NOT EXISTS past ( -- versions that ended
	id     INTEGER,          -- number of the NCT id
	sync   INTEGER,          -- that ended the version; above the largest of finished: the sync is under way
	hash   INTEGER NOT NULL, -- of the version that ended; 0: the trial was not there
	fields INTEGER NOT NULL, -- in which the version that followed differs
	posted INTEGER,          -- day of the update that followed, yyyymmdd; NULL: the trial is no longer there
	target INTEGER,          -- number of the trial into which it was merged
	data   BLOB,             -- the version, as codec encodes it; NULL: the trial was not there
	sum    INTEGER NOT NULL, -- of the other columns
	PRIMARY KEY (id, sync)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS past_sync ON past (sync);`

// DB is a connection to the file of a mirror, which may write.
type DB interface {
	Querier
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// A Querier reads the file of a mirror.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// A Keeper keeps the versions that one sync ends. The caller has a transaction for each change of a record and the call that keeps it.
// A nil Keeper keeps nothing.
type Keeper struct {
	db DB
	codec
	days    int            // that are kept; negative: all, 0: none
	sync    int64          // 0: the history begins at the end of this sync
	written map[int64]bool // trials that may have a row of this sync
	into    [2][]byte      // buffers for the parts of a record
}

// A Start describes a file when a sync begins.
type Start struct {
	Stamp    string // of the data in the file, "" during the first load
	Updating bool   // an update has not finished
	Days     int    // for which its history is kept
}

// Begin prepares a file for the history of a sync. The history of a file without one begins with its data, as soon as they are those of
// one stamp.
func Begin(ctx context.Context, db DB, s Start, c Codec) (*Keeper, error) {
	if _, err := db.ExecContext(ctx, tables); err != nil {
		return nil, err
	}
	k := &Keeper{db: db, codec: codec(c), days: s.Days, written: map[int64]bool{}}
	last, err := newest(ctx, db)
	switch {
	case err != nil:
		return nil, err
	case s.Days != 0 && s.Stamp != "" && last.Stamp == s.Stamp:
		k.sync = last.ID + 1
		return k, k.resume(ctx)
	}
	if err := clear(ctx, db); err != nil || s.Days == 0 || s.Stamp == "" || s.Updating {
		return k, err
	}
	k.sync = 2
	return k, finish(ctx, db, 1, s.Stamp)
}

// resume notes of which trials an earlier run of the sync has kept a version.
func (k *Keeper) resume(ctx context.Context) error {
	var id int64
	return sqlrows.Of(k.db.QueryContext(ctx, "SELECT id FROM past WHERE sync = ?", k.sync)).ForEach(func() error {
		k.written[id] = true
		return nil
	}, &id)
}

// clear removes the history of a file.
func clear(ctx context.Context, db DB) error {
	_, err := db.ExecContext(ctx, "DELETE FROM past; DELETE FROM finished")
	return err
}

// newest returns the last finished sync, the zero Sync for a file without a history.
func newest(ctx context.Context, db Querier) (s Sync, err error) {
	_, err = sqlrows.One(db.QueryRowContext(ctx, "SELECT id, stamp FROM finished ORDER BY id DESC LIMIT 1"), &s.ID, &s.Stamp)
	return s, err
}

func finish(ctx context.Context, db DB, id int64, stamp string) error {
	_, err := db.ExecContext(ctx, "INSERT INTO finished (id, stamp) VALUES (?, ?)", id, stamp)
	return err
}

// Finish ends the sync: the versions that it has kept ended with the data of a stamp.
func (k *Keeper) Finish(ctx context.Context, stamp string) error {
	if k == nil || k.days == 0 {
		return nil
	}
	last, err := newest(ctx, k.db)
	if err != nil {
		return err
	}
	var pending bool
	if err := k.db.QueryRowContext(ctx, "SELECT count(*) > 0 FROM past WHERE sync > ?", last.ID).Scan(&pending); err != nil {
		return err
	}
	if stamp == last.Stamp && !pending {
		return nil
	}
	if err := finish(ctx, k.db, last.ID+1, stamp); err != nil {
		return err
	}
	k.sync, k.written = last.ID+2, map[int64]bool{} // of the next step
	return Shorten(ctx, k.db, k.days)
}

// Shorten removes the versions that ended more than some days before the newest data. The state of that day can still be read.
// A negative number removes none.
func Shorten(ctx context.Context, db DB, days int) error {
	last, err := newest(ctx, db)
	if err != nil || days < 0 || last.ID == 0 {
		return err
	}
	day, err := time.Parse(time.DateOnly, last.Day())
	if err != nil {
		return err
	}
	const first = "(SELECT coalesce(max(id), 0) FROM finished WHERE substr(stamp, 1, 10) <= ?1)"
	for _, text := range []string{"DELETE FROM past WHERE sync <= " + first, "DELETE FROM finished WHERE id < " + first} {
		if _, err := db.ExecContext(ctx, text, day.AddDate(0, 0, -days).Format(time.DateOnly)); err != nil {
			return err
		}
	}
	return nil
}

// A row is a version that ended.
type row struct {
	id, sync, hash int64
	fields         Fields
	posted, target sql.NullInt64
	data           []byte
}

// sum returns the checksum of a row.
func (r *row) sum() int64 {
	h := crc32.NewIEEE()
	fmt.Fprint(h, r.id, r.sync, r.hash, r.fields, r.posted, r.target, r.data == nil, " ")
	h.Write(r.data)
	return int64(h.Sum32())
}

// Replaced keeps the version of a record that another one replaces, a new trial as a version that is not there.
func (k *Keeper) Replaced(ctx context.Context, id int64, after Record, posted int64) error {
	return k.keep(ctx, &row{id: id, posted: sql.NullInt64{Int64: posted, Valid: true}}, after)
}

// Removed keeps the version of a trial that the registry no longer has, or has merged into another one; target is 0 or its number.
func (k *Keeper) Removed(ctx context.Context, id, target int64) error {
	return k.keep(ctx, &row{id: id, target: sql.NullInt64{Int64: target, Valid: target != 0}}, Record{})
}

// keep completes a row and writes it. The record of the file is still the one that ends.
func (k *Keeper) keep(ctx context.Context, r *row, after Record) error {
	if k == nil || k.sync == 0 {
		return nil
	}
	before, err := current(ctx, k.db, k.codec, r.id, &k.into)
	if err != nil {
		return err
	}
	var rows []row
	if k.written[r.id] {
		if rows, err = rowsOf(ctx, k.db, "WHERE id = ? AND sync = ?", r.id, k.sync); err != nil {
			return err
		}
	}
	k.written[r.id] = true
	for i := range rows { // the sync has replaced the record before: the version at its beginning is the one to keep
		if before, err = k.step(&rows[i], before); err != nil {
			return err
		}
	}
	if before.equal(after) {
		_, err := k.db.ExecContext(ctx, "DELETE FROM past WHERE id = ? AND sync = ?", r.id, k.sync)
		return err
	}
	r.sync, r.hash = k.sync, before.Hash()
	if !before.Missing() {
		r.data = k.encode(before, after)
	}
	if !before.Missing() && !after.Missing() {
		r.fields = Differing(before, after)
	}
	const insert = "INSERT OR REPLACE INTO past (id, sync, hash, fields, posted, target, data, sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
	_, err = k.db.ExecContext(ctx, insert, r.id, r.sync, r.hash, int64(r.fields), r.posted, r.target, r.data, r.sum())
	return err
}

// step returns the version that a row has kept, made out of the version after it.
func (c codec) step(r *row, after Record) (Record, error) {
	if r.data == nil {
		return Record{}, nil
	}
	before, err := c.decode(r.data, after)
	if err == nil && before.Hash() != r.hash {
		err = errDamaged
	}
	return before, err
}

// current returns the record of a trial in the file. It uses the buffers into, and replaces them by larger ones.
func current(ctx context.Context, db Querier, c codec, id int64, into *[2][]byte) (r Record, err error) {
	var main, results []byte
	found, err := sqlrows.One(db.QueryRowContext(ctx, "SELECT main, results FROM record WHERE id = ?", id), &main, &results)
	if err != nil || !found {
		return r, err
	}
	if r.Main, err = c.Unpacker.Unpack(into[0], main); err != nil || len(results) == 0 {
		into[0] = r.Main
		return r, err
	}
	r.Results, err = c.Unpacker.Unpack(into[1], results)
	*into = [2][]byte{r.Main, r.Results}
	return r, err
}

// rowsOf returns the rows of a condition. It returns an error if one of them is damaged.
func rowsOf(ctx context.Context, db Querier, condition string, args ...any) (rows []row, err error) {
	var r row
	var fields, sum int64
	const query = "SELECT id, sync, hash, fields, posted, target, data, sum FROM past "
	err = sqlrows.Of(db.QueryContext(ctx, query+condition, args...)).ForEach(func() error {
		if r.fields = Fields(fields); r.sum() != sum {
			return &DamagedError{ID: r.id, sync: r.sync}
		}
		rows = append(rows, r)
		return nil
	}, &r.id, &r.sync, &r.hash, &fields, &r.posted, &r.target, &r.data, &sum)
	return rows, err
}

// All is the number of days of a history that is not shortened.
const All = -1

// Days reads the number of days that a setting keeps: a number or "all".
func Days(setting string) (int, error) {
	if setting == "all" {
		return All, nil
	}
	days, err := strconv.Atoi(setting)
	if err != nil || days < 0 || days > maxDays {
		return 0, errors.New("the days of history must be a number up to 9999, or all")
	}
	return days, nil
}

const maxDays = 9999
