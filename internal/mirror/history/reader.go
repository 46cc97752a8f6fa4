package history

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/mirror/sqlrows"
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
	sync int64
	From string // the first day of the trial that can still be read; "": it is not known
}

func (e *DamagedError) Error() string {
	text := "the history of " + stored.NCT(e.ID) + " is damaged"
	if e.From != "" {
		text += "; its record can be read from " + e.From + " on"
	}
	return text
}

// A Reader reads the history of one state of a file. It shows finished syncs only.
type Reader struct {
	db Querier
	codec
	syncs []Sync // in their order
}

// Open returns a reader. Its error is ErrNone for a file without a history.
func Open(ctx context.Context, db Querier, unpacker *stored.Unpacker) (*Reader, error) {
	r := &Reader{db: db, codec: codec{Unpacker: unpacker}}
	var has bool
	if err := db.QueryRowContext(ctx, "SELECT count(*) > 0 FROM sqlite_schema WHERE name = 'past'").Scan(&has); err != nil {
		return nil, err
	}
	if !has {
		return nil, ErrNone
	}
	var s Sync
	err := sqlrows.Of(db.QueryContext(ctx, "SELECT id, stamp FROM finished ORDER BY id")).ForEach(func() error {
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

// After returns the states after one, in their order.
func (r *Reader) After(s Sync) []Sync {
	i := slices.IndexFunc(r.syncs, func(other Sync) bool { return other.ID == s.ID })
	return r.syncs[i+1:]
}

// Syncs returns the number of states that can be read.
func (r *Reader) Syncs() int { return len(r.syncs) }

// Size returns the number of versions that are kept, and of their bytes.
func (r *Reader) Size(ctx context.Context) (versions, bytes int64, err error) {
	err = r.db.QueryRowContext(ctx, "SELECT count(*), coalesce(sum(length(data)), 0) FROM past").Scan(&versions, &bytes)
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
	left, err := rowsOf(ctx, r.db, "WHERE id = ? AND sync <= ? ORDER BY sync DESC LIMIT 1", id, at.ID)
	if err == nil && len(left) > 0 && !left[0].posted.Valid {
		gone.Left = r.name(left[0].sync)
		if left[0].target.Valid {
			gone.Into = stored.NCT(left[0].target.Int64)
		}
	}
	return Record{}, errors.Join(err, gone)
}

// version returns the record of a trial after a sync.
func (r *Reader) version(ctx context.Context, id, sync int64) (Record, error) {
	record, err := current(ctx, r.db, r.codec, id, new([2][]byte))
	if err != nil {
		return Record{}, err
	}
	rows, err := rowsOf(ctx, r.db, "WHERE id = ? AND sync > ? ORDER BY sync DESC", id, sync)
	damaged, broken := errors.AsType[*DamagedError](err)
	if broken {
		damaged.From = r.name(damaged.sync)
	}
	for i := range rows {
		if err != nil {
			break
		}
		if record, err = r.step(&rows[i], record); err != nil {
			err = errors.Join(&DamagedError{ID: id, From: r.name(rows[i].sync)}, err)
		}
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
	condition, order := "WHERE (sync, id) > (?, ?) AND sync <= ?", " ORDER BY sync, id"
	sync, id, end := s.Since.ID, int64(1<<62), s.Until.ID
	if s.NewestFirst {
		condition, order = "WHERE (sync, id) < (?, ?) AND sync > ?", " ORDER BY sync DESC, id DESC"
		sync, id, end = s.Until.ID+1, 0, s.Since.ID
	}
	if s.IDs != nil && len(s.IDs) <= maxListed {
		condition += " AND id IN (" + strings.Trim(strings.ReplaceAll(fmt.Sprint(s.IDs), " ", ", "), "[]") + ")"
	}
	condition += order + fmt.Sprint(" LIMIT ", changesAtOnce)
	for {
		rows, err := rowsOf(ctx, r.db, condition, sync, id, end)
		if err != nil {
			return err
		}
		for i := range rows {
			sync, id = rows[i].sync, rows[i].id
			if _, selected := slices.BinarySearch(s.IDs, id); s.IDs != nil && !selected {
				continue
			}
			if err := found(r.change(&rows[i])); err != nil {
				return err
			}
		}
		if len(rows) < changesAtOnce {
			return nil
		}
	}
}

func (r *Reader) change(v *row) *Change {
	c := &Change{ID: v.id, To: r.name(v.sync), Removed: !v.posted.Valid, Into: v.target.Int64, Fields: v.fields, Sync: v.sync}
	if v.data != nil {
		c.From = r.name(v.sync - 1)
	}
	if v.posted.Int64 > 0 {
		c.Posted = stored.Date(v.posted.Int64)
	}
	return c
}

// Check reads all versions of some trials. It returns the first damage that it finds, or "".
func Check(ctx context.Context, db Querier, unpacker *stored.Unpacker, trials int) (damage string, err error) {
	r, err := Open(ctx, db, unpacker)
	if errors.Is(err, ErrNone) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	const sample = "SELECT DISTINCT id FROM (SELECT id FROM past ORDER BY random() LIMIT ?)"
	var ids []int64
	var id int64
	err = sqlrows.Of(db.QueryContext(ctx, sample, trials)).ForEach(func() error {
		ids = append(ids, id)
		return nil
	}, &id)
	if err != nil {
		return "", err
	}
	for _, id := range ids {
		_, err := r.version(ctx, id, 0)
		if errors.As(err, new(*DamagedError)) {
			return err.Error(), nil
		}
		if err != nil {
			return "", err
		}
	}
	return "", nil
}
