package history

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"time"

	"github.com/biofact-mcp/biofact/internal/mirror/stored"
)

// tables creates the tables of the history where they are missing.
const tables = `
CREATE TABLE IF NOT EXISTS finished ( -- syncs that came to their end, the first one with the oldest version that can be read
	id    INTEGER PRIMARY KEY,
	stamp TEXT NOT NULL -- of the data
);
CREATE TABLE IF NOT EXISTS version ( -- of a record, from the sync that ended the version before it to the sync that ended it
	id      INTEGER NOT NULL, -- number of the NCT id
	until   INTEGER NOT NULL, -- sync that ended the version; above the largest of finished: the sync is under way
	hash    INTEGER NOT NULL, -- of the record; 0: the trial was not there
	fields  INTEGER NOT NULL, -- in which the version that followed differs
	posted  INTEGER,          -- day of the update that followed, yyyymmdd; NULL: the trial is no longer there
	target  INTEGER,          -- number of the trial into which it was merged
	main    BLOB,             -- the record as in the table record; NULL: the trial was not there
	results BLOB
);
CREATE UNIQUE INDEX IF NOT EXISTS version_id ON version (id, until);
CREATE INDEX IF NOT EXISTS version_until ON version (until, id);`

// A Keeper keeps the versions that one sync ends. The caller has a transaction for each change of a record and the call that keeps it.
// A nil Keeper keeps nothing.
type Keeper struct {
	db       DB
	unpacker *stored.Unpacker
	days     int   // that are kept; negative: all, 0: none
	sync     int64 // 0: the history begins at the end of this sync
}

// A Start describes a file when a sync begins.
type Start struct {
	Stamp    string // of the data in the file, "" during the first load
	Updating bool   // an update has not finished
	Days     int    // for which its history is kept
}

// Begin prepares a file for the history of a sync. The history of a file without one begins with its data, as soon as they are those of
// one stamp.
func Begin(ctx context.Context, db DB, s Start, unpacker *stored.Unpacker) (*Keeper, error) {
	if _, err := db.ExecContext(ctx, tables); err != nil {
		return nil, err
	}
	k := &Keeper{db: db, unpacker: unpacker, days: s.Days}
	last, err := newest(ctx, db)
	switch {
	case err != nil:
		return nil, err
	case s.Days != 0 && s.Stamp != "" && last.Stamp == s.Stamp:
		k.sync = last.ID + 1
		return k, nil
	}
	if err := clear(ctx, db); err != nil || s.Days == 0 || s.Stamp == "" || s.Updating {
		return k, err
	}
	k.sync = 2
	return k, finish(ctx, db, 1, s.Stamp)
}

// clear removes the history of a file.
func clear(ctx context.Context, db DB) error {
	_, err := db.ExecContext(ctx, "DELETE FROM version; DELETE FROM finished")
	return err
}

// newest returns the last finished sync, the zero Sync for a file without a history.
func newest(ctx context.Context, db Querier) (s Sync, err error) {
	_, err = One(db.QueryRowContext(ctx, "SELECT id, stamp FROM finished ORDER BY id DESC LIMIT 1"), &s.ID, &s.Stamp)
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
	if err := k.db.QueryRowContext(ctx, "SELECT count(*) > 0 FROM version WHERE until > ?", last.ID).Scan(&pending); err != nil {
		return err
	}
	if stamp == last.Stamp && !pending {
		return nil
	}
	if err := finish(ctx, k.db, last.ID+1, stamp); err != nil {
		return err
	}
	k.sync = last.ID + 2 // of the next step
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
	for _, text := range []string{"DELETE FROM version WHERE until <= " + first, "DELETE FROM finished WHERE id < " + first} {
		if _, err := db.ExecContext(ctx, text, day.AddDate(0, 0, -days).Format(time.DateOnly)); err != nil {
			return err
		}
	}
	return nil
}

// Replaced keeps the version of a record that another one replaces, a new trial as a version that is not there.
func (k *Keeper) Replaced(ctx context.Context, id int64, after Record, posted int64) error {
	return k.keep(ctx, id, after, sql.NullInt64{Int64: posted, Valid: true}, sql.NullInt64{})
}

// Removed keeps the version of a trial that the registry no longer has, or has merged into another one; target is 0 or its number.
func (k *Keeper) Removed(ctx context.Context, id, target int64) error {
	return k.keep(ctx, id, Record{}, sql.NullInt64{}, sql.NullInt64{Int64: target, Valid: target != 0})
}

// keep writes the row of a version. The record of the file is still the one that ends. If this sync has replaced the record before, the
// version at the beginning of the sync is the one to keep.
func (k *Keeper) keep(ctx context.Context, id int64, after Record, posted, target sql.NullInt64) error {
	if k == nil || k.sync == 0 {
		return nil
	}
	var before packed
	const stored = "SELECT hash, main, results FROM version WHERE id = ? AND until = ?"
	again, err := One(k.db.QueryRowContext(ctx, stored, id, k.sync), &before.hash, &before.main, &before.results)
	if err == nil && !again {
		before, err = current(ctx, k.db, id)
	}
	if err != nil {
		return err
	}
	old, err := before.unpack(id, k.unpacker)
	if err != nil {
		return err
	}
	if old.equal(after) {
		_, err := k.db.ExecContext(ctx, "DELETE FROM version WHERE id = ? AND until = ?", id, k.sync)
		return err
	}
	var fields Fields
	if !old.Missing() && !after.Missing() {
		fields = Differing(old, after)
	}
	const insert = "INSERT INTO version (id, until, hash, fields, posted, target, main, results) VALUES (?, ?, ?, ?, ?, ?, ?, ?) " +
		"ON CONFLICT DO UPDATE SET fields = excluded.fields, posted = excluded.posted, target = excluded.target"
	_, err = k.db.ExecContext(ctx, insert, id, k.sync, before.hash, int64(fields), posted, target, before.main, before.results)
	return err
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
