package history

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/mirror/stored"
)

// A Sync is a sync that came to its end: a state of the registry that can be read.
type Sync struct {
	ID    int64
	Stamp string // of the data
}

// Day returns the day of the data.
func (s Sync) Day() string { return s.Stamp[:min(len(s.Stamp), len("yyyy-mm-dd"))] }

// ErrNone is the error of a file without a history.
var ErrNone = errors.New("the mirror has no history yet: biofact mirror sync begins it")

// An OutsideError is the error of a day that the history does not have.
type OutsideError struct{ Day, First, Newest string }

func (e *OutsideError) Error() string {
	return fmt.Sprintf("the history has no state of %s: it begins with the data of %s and ends with those of %s", e.Day, e.First, e.Newest)
}

// A GoneError is the error of a trial that the registry did not have on a day.
type GoneError struct {
	ID   string
	At   string // the day, or the first day of the history where Left is empty
	Left string // the day on which it left the registry; "": it came later, or the history does not know it
	Into string // the trial into which it was merged
}

func (e *GoneError) Error() string {
	switch {
	case e.Into != "":
		return fmt.Sprintf("%s was not in the registry on %s: it was merged into %s on %s", e.ID, e.At, e.Into, e.Left)
	case e.Left != "":
		return fmt.Sprintf("%s was not in the registry on %s: it was removed on %s", e.ID, e.At, e.Left)
	}
	return fmt.Sprintf("%s was not in the registry on %s", e.ID, e.At)
}

// A DamagedError is the error of a trial whose older versions cannot be read.
type DamagedError struct {
	ID   int64
	From string // the first day of the trial that can still be read; "": its newest record is damaged
}

func (e *DamagedError) Error() string {
	if e.From == "" {
		return "the record of " + stored.NCT(e.ID) + " is damaged"
	}
	return "the history of " + stored.NCT(e.ID) + " is damaged; its record can be read from " + e.From + " on"
}

// A Reader reads the history of one state of a file. It shows finished syncs only.
type Reader struct {
	db       Querier
	unpacker *stored.Unpacker
	syncs    []Sync // in their order
}

// Open returns a reader. Its error is ErrNone for a file without a history.
func Open(ctx context.Context, db Querier, unpacker *stored.Unpacker) (*Reader, error) {
	r := &Reader{db: db, unpacker: unpacker}
	var has bool
	if err := db.QueryRowContext(ctx, "SELECT count(*) > 0 FROM sqlite_schema WHERE name = 'version'").Scan(&has); err != nil {
		return nil, err
	}
	if !has {
		return nil, ErrNone
	}
	var s Sync
	err := RowsOf(db.QueryContext(ctx, "SELECT id, stamp FROM finished ORDER BY id")).ForEach(func() error {
		r.syncs = append(r.syncs, s)
		return nil
	}, &s.ID, &s.Stamp)
	if err == nil && len(r.syncs) == 0 {
		err = ErrNone
	}
	return r, err
}

// First returns the oldest state that can be read, Newest the newest one.
func (r *Reader) First() Sync { return r.syncs[0] }

// Newest returns the newest state.
func (r *Reader) Newest() Sync { return r.syncs[len(r.syncs)-1] }

// Syncs returns the number of states that can be read.
func (r *Reader) Syncs() int { return len(r.syncs) }

// Size returns the number of versions that are kept, and of their bytes.
func (r *Reader) Size(ctx context.Context) (versions, bytes int64, err error) {
	const query = "SELECT count(*), coalesce(sum(length(main) + coalesce(length(results), 0)), 0) FROM version"
	err = r.db.QueryRowContext(ctx, query).Scan(&versions, &bytes)
	return versions, bytes, err
}

// At returns the last state of a day. A day without one has that of the day before it.
func (r *Reader) At(day string) (Sync, error) {
	i, _ := slices.BinarySearchFunc(r.syncs, day, func(s Sync, day string) int {
		if s.Day() <= day {
			return -1
		}
		return 1
	})
	if i == 0 || day > r.Newest().Day() {
		return Sync{}, &OutsideError{day, r.First().Day(), r.Newest().Day()}
	}
	return r.syncs[i-1], nil
}

// Stamped returns the state with a stamp; false: the history does not have it.
func (r *Reader) Stamped(stamp string) (Sync, bool) {
	i := slices.IndexFunc(r.syncs, func(s Sync) bool { return s.Stamp == stamp })
	if i < 0 {
		return Sync{}, false
	}
	return r.syncs[i], true
}

// Name returns the day of a state, or its whole stamp if another state has data of that day.
func (r *Reader) Name(s Sync) string { return r.name(s.ID) }

// name returns the day of a sync, or its whole stamp if another sync has data of that day.
func (r *Reader) name(id int64) string {
	i := slices.IndexFunc(r.syncs, func(s Sync) bool { return s.ID == id })
	if i < 0 {
		return ""
	}
	day := r.syncs[i].Day()
	if i > 0 && r.syncs[i-1].Day() == day || i+1 < len(r.syncs) && r.syncs[i+1].Day() == day {
		return r.syncs[i].Stamp
	}
	return day
}

// Record returns the record of a trial in a state. Its error is a GoneError where the registry did not have the trial.
func (r *Reader) Record(ctx context.Context, id int64, at Sync) (Record, error) {
	record, err := r.version(ctx, id, at.ID)
	if err != nil || !record.Missing() {
		return record, err
	}
	gone := &GoneError{ID: stored.NCT(id), At: at.Day()}
	var left int64
	var posted, target sql.NullInt64
	const last = "SELECT until, posted, target FROM version WHERE id = ? AND until <= ? ORDER BY until DESC LIMIT 1"
	if _, err := One(r.db.QueryRowContext(ctx, last, id, at.ID), &left, &posted, &target); err != nil {
		return Record{}, err
	}
	if left > 0 && !posted.Valid {
		gone.Left = r.name(left)
		if target.Valid {
			gone.Into = stored.NCT(target.Int64)
		}
	}
	return Record{}, gone
}

// version returns the record of a trial after a sync: the first version that ended later, else the record of the file.
func (r *Reader) version(ctx context.Context, id, sync int64) (Record, error) {
	var p packed
	var until int64
	const first = "SELECT until, hash, main, results FROM version WHERE id = ? AND until > ? ORDER BY until LIMIT 1"
	found, err := One(r.db.QueryRowContext(ctx, first, id, sync), &until, &p.hash, &p.main, &p.results)
	if err == nil && !found {
		p, err = current(ctx, r.db, id)
	}
	if err != nil {
		return Record{}, err
	}
	record, err := p.unpack(id, r.unpacker)
	if damaged, ok := errors.AsType[*DamagedError](err); ok && found {
		damaged.From = r.name(until)
	}
	return record, err
}

// A Change is a version that replaced another one between two states.
type Change struct {
	ID       int64
	From, To string // the days of the two states, or their stamps where a day has two; From is empty for a new trial
	Posted   string // day of the update, yyyy-mm-dd
	Removed  bool   // the registry no longer has the trial
	Into     int64  // the trial into which it was merged, or 0
	Fields   Fields
	Sync     int64 // that ended the version
}

// Added reports whether the trial was not there before.
func (c *Change) Added() bool { return c.From == "" }

// Quiet reports whether only dates of the update differ.
func (c *Change) Quiet() bool { return !c.Added() && !c.Removed && c.Fields == 0 }

// Concerns reports whether a change is one of some fields. A trial that is new or removed changed in all of them.
func (c *Change) Concerns(fields Fields) bool { return c.Added() || c.Removed || c.Fields&fields != 0 }

// State returns the state that begins with a change.
func (r *Reader) State(c *Change) Sync {
	i, _ := slices.BinarySearchFunc(r.syncs, c.Sync, func(s Sync, id int64) int { return cmp.Compare(s.ID, id) })
	return r.syncs[i]
}

// Versions returns the two versions of a change.
func (r *Reader) Versions(ctx context.Context, c *Change) (before, after Record, err error) {
	if after, err = r.version(ctx, c.ID, c.Sync); err != nil {
		return before, after, err
	}
	before, err = r.version(ctx, c.ID, c.Sync-1)
	return before, after, err
}

const (
	// changesAtOnce bounds the changes in memory.
	changesAtOnce = 1000
	// maxListed bounds the trials that are searched one by one.
	maxListed = 100
)

// A Span selects the changes between two states.
type Span struct {
	Since, Until Sync
	IDs          []int64 // of the trials, in ascending order; nil: all
	NewestFirst  bool    // else the changes are in the order of the syncs, and of the trials
}

// Changes calls a function with the changes of a span.
func (r *Reader) Changes(ctx context.Context, s Span, found func(*Change) error) error {
	condition, order := "(until, id) > (?, ?) AND until <= ?", " ORDER BY until, id"
	sync, id, end := s.Since.ID, int64(1<<62), s.Until.ID
	if s.NewestFirst {
		condition, order = "(until, id) < (?, ?) AND until > ?", " ORDER BY until DESC, id DESC"
		sync, id, end = s.Until.ID+1, 0, s.Since.ID
	}
	if s.IDs != nil && len(s.IDs) <= maxListed {
		condition += " AND id IN (" + strings.Trim(strings.ReplaceAll(fmt.Sprint(s.IDs), " ", ", "), "[]") + ")"
	}
	query := "SELECT id, until, hash, fields, posted, target FROM version WHERE " + condition + order + fmt.Sprint(" LIMIT ", changesAtOnce)
	for {
		changes, err := r.changes(r.db.QueryContext(ctx, query, sync, id, end))
		if err != nil {
			return err
		}
		for _, c := range changes {
			sync, id = c.Sync, c.ID
			if _, selected := slices.BinarySearch(s.IDs, id); s.IDs != nil && !selected {
				continue
			}
			if err := found(c); err != nil {
				return err
			}
		}
		if len(changes) < changesAtOnce {
			return nil
		}
	}
}

// changes returns the changes of rows.
func (r *Reader) changes(rows *sql.Rows, err error) (all []*Change, _ error) {
	var id, until, hash, fields int64
	var posted, target sql.NullInt64
	err = RowsOf(rows, err).ForEach(func() error {
		c := &Change{ID: id, To: r.name(until), Removed: !posted.Valid, Into: target.Int64, Fields: Fields(fields), Sync: until}
		if hash != 0 {
			c.From = r.name(until - 1)
		}
		if posted.Int64 > 0 {
			c.Posted = stored.Date(posted.Int64)
		}
		all = append(all, c)
		return nil
	}, &id, &until, &hash, &fields, &posted, &target)
	return all, err
}

// Check reads some versions. Its error is a DamagedError if one of them cannot be read.
func Check(ctx context.Context, db Querier, unpacker *stored.Unpacker, versions int) error {
	r, err := Open(ctx, db, unpacker)
	if errors.Is(err, ErrNone) {
		return nil
	}
	if err != nil {
		return err
	}
	var until, id int64
	var p packed
	const sample = "SELECT id, until, hash, main, results FROM version WHERE rowid IN (SELECT rowid FROM version ORDER BY random() LIMIT ?)"
	return RowsOf(db.QueryContext(ctx, sample, versions)).ForEach(func() error {
		_, err := p.unpack(id, unpacker)
		if damaged, ok := errors.AsType[*DamagedError](err); ok {
			damaged.From = r.name(until)
		}
		return err
	}, &id, &until, &p.hash, &p.main, &p.results)
}
