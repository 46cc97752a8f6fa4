package database

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/biofact-mcp/biofact/internal/aact"
	"github.com/biofact-mcp/biofact/internal/aact/engine"
	"github.com/biofact-mcp/biofact/internal/aact/store"
	"github.com/biofact-mcp/biofact/internal/mirror"
)

// AskAbove is the number of trials above which tables are not written without a yes.
const AskAbove = 20_000

// makingTime is the time for which a call of a server waits for the tables.
const makingTime = 10 * time.Second

// A LargeError is the error of tables that are not made without a yes.
type LargeError struct{ Need store.Need }

func (e *LargeError) Error() string {
	return fmt.Sprintf("the tables of %d trials are to be written first, about %.1f GB in %d minutes", e.Need.Trials,
		float64(e.Need.Bytes)/1e9, e.Need.Seconds/60+1)
}

// A MakingError is the error of a call that comes while the tables are made.
type MakingError struct {
	Done, Total int
	// Wait is about the time until they can be read.
	Wait time.Duration
}

func (e *MakingError) Error() string {
	return fmt.Sprintf("The tables are being made (%d of %d trials)", e.Done, e.Total)
}

// Facts describe the tables without a query.
type Facts struct {
	Day    string
	Trials int
	// Rows are the numbers of rows by the names of the tables.
	Rows map[string]int64
	// Notices are those of each answer, Hidden says why the tables with contacts of people have no rows; "": they have.
	Notices []string
	Hidden  string
}

// hidden says why contacts of people are not shown.
const hidden = "contacts of people are not shown: the mirror was not synced for 30 days, and the registry may have removed some; " +
	"biofact mirror sync brings it up to date"

// Local has the tables of a mirror in files beside it. It is safe for concurrent use.
type Local struct {
	engine.Engine

	folder  string
	reader  *mirror.Reader
	options store.Options
	// inBackground says that calls do not wait for the end of the making, but for this time.
	inBackground bool
	wait         time.Duration

	mutex  sync.Mutex
	making *making // nil: nothing is made
	stop   context.CancelFunc
	ctx    context.Context // of an update in the background
}

// A making is one update of the tables.
type making struct {
	began       time.Time
	done, total int
	ended       chan struct{}
	err         error
}

// NewLocal returns the tables of the mirror at a path. Agree is asked before more than AskAbove trials are written.
func NewLocal(mirrorPath string, o store.Options) *Local {
	l := &Local{folder: store.Path(mirrorPath), reader: mirror.NewReader(mirrorPath), options: o, wait: makingTime}
	l.ctx, l.stop = context.WithCancel(context.Background())
	l.Engine = engine.NewDuckDB(l.source)
	agree := o.Agree
	l.options.Agree = func(need store.Need) error {
		switch {
		case need.Trials <= AskAbove:
			return nil
		case agree == nil:
			return &LargeError{need}
		}
		return agree(need)
	}
	return l
}

// Folder returns the folder of the tables.
func (l *Local) Folder() string { return l.folder }

// Close ends what is being made, and closes the mirror.
func (l *Local) Close() error {
	l.stop()
	l.mutex.Lock()
	m := l.making
	l.mutex.Unlock()
	if m != nil {
		<-m.ended
	}
	return l.reader.Close()
}

// Facts brings the tables into step with the mirror, and returns what is known of them. Tables that are older than the mirror serve
// meanwhile.
func (l *Local) Facts(ctx context.Context) (f Facts, err error) {
	now, err := l.reader.State(ctx)
	if err != nil {
		return f, err
	}
	if !now.Complete() {
		return f, mirror.ErrUnfinished
	}
	state, err := store.Read(l.folder)
	if errors.Is(err, store.ErrForeign) {
		return f, err
	}
	if usable := err == nil; !usable || state.Revision != now.Revision() {
		newer, err := l.update(ctx, usable)
		switch {
		case err == nil:
			state = newer
		case !usable || ctx.Err() != nil:
			return f, err
		}
	}
	f = Facts{Day: state.Day, Trials: state.Trials, Rows: state.Rows}
	if state.Revision != now.Revision() {
		f.Notices = append(f.Notices, "the tables have the data of "+state.Day+", the mirror those of "+now.Day()+
			"; biofact mirror tables --yes brings them up to date")
	}
	if now.WithoutContacts() {
		f.Hidden = hidden
	}
	return f, nil
}

// update brings the tables into step. In the background it waits for a while, if no older tables can be used.
func (l *Local) update(ctx context.Context, usable bool) (s store.State, err error) {
	if !l.inBackground {
		return store.Update(ctx, l.folder, l.records, l.options)
	}
	l.mutex.Lock()
	m := l.making
	if m == nil {
		m = &making{began: time.Now(), ended: make(chan struct{})}
		l.making = m
		go l.make(m)
	}
	l.mutex.Unlock()
	wait := l.wait
	if usable {
		wait = 0
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-m.ended:
	case <-ctx.Done():
		return s, ctx.Err()
	case <-timer.C:
		return s, l.report(m)
	}
	if m.err != nil {
		return s, m.err
	}
	return store.Read(l.folder)
}

// make makes the tables for all calls that wait.
func (l *Local) make(m *making) {
	o := l.options
	o.Progress = func(done, total int) {
		l.mutex.Lock()
		defer l.mutex.Unlock()
		m.done, m.total = done, total
	}
	_, err := store.Update(l.ctx, l.folder, l.records, o)
	l.mutex.Lock()
	defer l.mutex.Unlock()
	m.err, l.making = err, nil
	close(m.ended)
}

// report returns how far the tables are.
func (l *Local) report(m *making) error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	wait := makingTime
	if m.done > 0 {
		wait = time.Since(m.began) / time.Duration(m.done) * time.Duration(m.total-m.done)
	}
	return &MakingError{m.done, m.total, min(max(wait.Round(time.Second)+time.Second, 5*time.Second), 10*time.Minute)}
}

// source returns what a query reads.
func (l *Local) source() (s engine.Source, err error) {
	state, err := store.Read(l.folder)
	if err != nil {
		return s, err
	}
	now, err := l.reader.State(l.ctx)
	if err != nil {
		return s, err
	}
	s = engine.Source{Folder: l.folder, Day: state.Day}
	s.Setup = engine.Setup(func(t *aact.Table) string {
		if t.OfPeople() && now.WithoutContacts() {
			return ""
		}
		query, files := state.From(t)
		s.Files = append(s.Files, files...)
		return query
	})
	return s, nil
}

// records calls a function with the records of the mirror.
func (l *Local) records(ctx context.Context, read func(store.Records) error) error {
	return Records(l.reader)(ctx, read)
}

// Records returns the records of a mirror.
func Records(reader *mirror.Reader) store.Mirror {
	return func(ctx context.Context, read func(store.Records) error) error {
		return reader.Records(ctx, func(r *mirror.Records) error { return read(records{r}) })
	}
}

// records are those of one state of a mirror.
type records struct{ *mirror.Records }

func (r records) Revision() string { return r.State.Revision() }
func (r records) Day() string      { return r.State.Day() }

func (r records) Versions() []store.Version {
	all := make([]store.Version, len(r.Records.Versions))
	for i, v := range r.Records.Versions {
		all[i] = store.Version{ID: v.ID, Hash: v.Hash}
	}
	return all
}
