package mirror

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/biofact-mcp/biofact/internal/mirror/disk"
	"github.com/biofact-mcp/biofact/internal/mirror/feed"
	"github.com/biofact-mcp/biofact/internal/mirror/stored"
)

// A Sync updates a mirror: the first sync reads the whole registry, a later one the studies that have changed.
type Sync struct {
	// Path of the file.
	Path string
	// Source is the base URL of the copied registry; a file of another source is refused.
	Source string
	// URL is the base URL of the registry, without a slash at its end.
	URL string
	// Do makes the requests.
	Do feed.Doer
	// Progress is called after each page and must not block; nil: no progress is reported.
	Progress func(Progress)

	// History says for how many days older versions of records are kept: a number, all, or "" for the setting of the file.
	History string

	size     int // of a page of the registry; 0: the largest
	maxPages int // limit of the file's pages, for tests of a full disk; 0: no limit
}

// Progress describes the progress of a sync.
type Progress struct {
	// Step names the current step.
	Step string
	// Done and Total are numbers of trials. A Total of 0 is unknown.
	Done, Total int
	// Requests is the number of requests so far.
	Requests int
}

// A Report describes a sync after its end.
type Report struct {
	// Stamp is the time stamp of the registry's data for which the mirror is complete.
	Stamp string
	// Unchanged reports that the registry has published nothing since the last sync.
	Unchanged bool
	// Trials is the number of trials in the mirror.
	Trials int
	Counts
	Requests int
	Took     time.Duration
}

// A run is a sync in progress.
type run struct {
	*Sync
	registry *feed.Client
	w        *writer
	db       *sql.DB
	unpacker *stored.Unpacker
	state    State
	report   Report
	began    time.Time
	// guarded reports that each page of the walk had the date of its data, so that the walk noticed new data at once.
	guarded bool
}

// run opens the file for one run.
func (s *Sync) run(ctx context.Context, use func(*run) error) (report Report, err error) {
	if err := checkForWriter(ctx, s.Path); err != nil {
		return Report{}, err
	}
	unlock, err := disk.Lock(ctx, s.Path)
	if err != nil {
		return Report{}, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	db, err := openWriter(ctx, s.Path)
	if err != nil {
		return Report{}, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	r := &run{Sync: s, db: db, began: time.Now(), registry: feed.New(s.Do, s.URL)}
	if s.size > 0 {
		r.registry.Size = s.size
	}
	if r.w, err = newWriter(ctx, db); err != nil {
		return Report{}, err
	}
	defer func() {
		if r.unpacker != nil {
			r.unpacker.Close()
		}
		err = errors.Join(err, r.w.close())
	}()
	if s.maxPages > 0 {
		if err := r.w.exec(ctx, fmt.Sprintf("PRAGMA max_page_count = %d", s.maxPages)); err != nil {
			return Report{}, err
		}
	}
	err = use(r)
	r.report.Counts, r.report.Requests, r.report.Took = r.w.done, r.registry.Requests, time.Since(r.began)
	return r.report, err
}

func (r *run) transaction(ctx context.Context, change func() error) error {
	defer r.w.abandon()
	if err := r.w.begin(ctx); err != nil {
		return err
	}
	if err := change(); err != nil {
		return err
	}
	return r.w.commit(ctx)
}

// due reports whether the time of a key is older than age, or missing.
func (r *run) due(ctx context.Context, key string, age time.Duration) bool {
	text, _ := readMeta[string](ctx, r.w.conn, key) // no value: it is due
	at, err := time.Parse(time.RFC3339, text)
	return err != nil || time.Since(at) >= age || time.Since(at) < -time.Hour
}

func (r *run) reportProgress(step string, done, total int) {
	if r.Progress == nil {
		return
	}
	r.Progress(Progress{Step: step, Done: done, Total: total, Requests: r.registry.Requests})
}
