// Package mirror stores a copy of ClinicalTrials.gov in one SQLite file and answers
// requests to the registry's API from it.
//
// Sync fills and updates the file. Reader answers requests: it turns an expression of package query into one SELECT over plain tables and
// an index of words (FTS5), and uses the matcher of that package for conditions that have no column.
// Several processes may read a file while one writes it.
package mirror

import (
	"context"
	"database/sql"
	"errors"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/biofact-mcp/biofact/internal/mirror/disk"
	"github.com/biofact-mcp/biofact/internal/mirror/stored"
	"github.com/biofact-mcp/biofact/internal/query/api"
	"github.com/biofact-mcp/biofact/internal/reply"
)

// A Reader answers requests from a file. It opens the file at the first request, and again after the file was
// replaced. It is safe for concurrent use.
type Reader struct {
	path string

	mu      sync.Mutex
	open    *file
	closed  bool
	checked os.FileInfo // of the file in which no damage was found
}

// NewReader returns a reader of the file at a path. The file need not exist yet.
func NewReader(path string) *Reader { return &Reader{path: path} }

// Path returns the path of the file.
func (r *Reader) Path() string { return r.path }

// Close closes the file.
func (r *Reader) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	return r.retire()
}

// retire releases the open file, which is closed after its last user. The caller holds the lock.
func (r *Reader) retire() error {
	f := r.open
	r.open = nil
	if f == nil {
		return nil
	}
	f.retired = true
	if f.users > 0 {
		return nil
	}
	return f.close()
}

// use returns a snapshot of the file, which is valid until done is called.
func (r *Reader) use(ctx context.Context) (c *copyOf, done func(), err error) {
	err = r.again(ctx, func() error {
		c, done, err = r.snapshot(ctx)
		return err
	})
	return c, done, err
}

func (r *Reader) snapshot(ctx context.Context) (c *copyOf, done func(), err error) {
	f, err := r.acquire(ctx)
	if err != nil {
		return nil, nil, err
	}
	tx, err := f.db.BeginTx(ctx, nil)
	if err != nil {
		r.release(f)
		return nil, nil, err
	}
	done = func() {
		_ = tx.Rollback() // it changes nothing
		r.release(f)
	}
	state, err := readState(ctx, tx)
	if err != nil {
		done()
		return nil, nil, err
	}
	return &copyOf{db: tx, file: f, state: state}, done, nil
}

func (r *Reader) acquire(ctx context.Context) (*file, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now, err := os.Stat(r.path)
	if r.closed {
		err = errors.New("the mirror is closed")
	}
	if r.open != nil && (err != nil || r.open.outdated(r.path, now)) {
		_ = r.retire() // the file was only read
	}
	if err != nil {
		return nil, err
	}
	if r.open == nil {
		db, immutable, err := openReader(ctx, r.path)
		if err != nil {
			return nil, err
		}
		if err := r.checkOnce(ctx, db, now); err != nil {
			return nil, errors.Join(err, db.Close())
		}
		dictionary, err := readMeta[[]byte](ctx, db, keyDictionary)
		if err != nil {
			return nil, errors.Join(err, db.Close())
		}
		unpacker, err := stored.NewUnpacker(dictionary)
		if err != nil {
			return nil, errors.Join(err, db.Close())
		}
		r.open = &file{Unpacker: unpacker, db: db, identity: now, immutable: immutable}
	}
	r.open.users++
	return r.open, nil
}

// checkOnce returns an error if SQLite finds damage in a file that was not checked before.
func (r *Reader) checkOnce(ctx context.Context, db *sql.DB, now os.FileInfo) error {
	if r.checked != nil && os.SameFile(r.checked, now) {
		return nil
	}
	err := checkTables(ctx, db)
	if err == nil {
		r.checked = now
	}
	return err
}

func (r *Reader) release(f *file) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f.users--
	if f.retired && f.users == 0 {
		_ = f.close() // the file was only read
	}
}

// State returns the state of the file. The error of a missing file is os.ErrNotExist.
func (r *Reader) State(ctx context.Context) (s State, err error) {
	err = r.again(ctx, func() error {
		f, err := r.acquire(ctx)
		if err != nil {
			return err
		}
		defer r.release(f)
		s, err = readState(ctx, f.db)
		return err
	})
	return s, err
}

const (
	// attempts and pause bound the wait for another process that opens or closes the file.
	attempts = 5
	pause    = 50 * time.Millisecond
)

// again repeats a use of the file that fails while another process opens or closes the file: for a moment its log then has no index,
// which a reader without write permission cannot create.
func (r *Reader) again(ctx context.Context, use func() error) error {
	for left := attempts; ; left-- {
		err := use()
		if err == nil || left == 1 || disk.Code(err) == 0 || IsBroken(err) || !hasChanged(r.path, 2*time.Second) {
			return err
		}
		r.mu.Lock()
		_ = r.retire() // the file was only read
		r.mu.Unlock()
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}

const (
	// Name is the name of the mirror in messages.
	Name = "the local mirror"
	// RevisionHeader is the header of a response with the Revision of the state that answered.
	RevisionHeader = "Data-Revision"
)

// RoundTrip answers a request as the registry would. It returns an error if the file cannot be read.
func (r *Reader) RoundTrip(req *http.Request) (*http.Response, error) {
	return reply.Func(func(req *http.Request) (reply.Reply, error) {
		c, done, err := r.use(req.Context())
		if err != nil {
			return reply.Reply{}, err
		}
		defer done()
		if !c.state.Complete() {
			return reply.Reply{}, ErrUnfinished
		}
		answer, err := api.Answer(req, c, Name)
		if answer.Header == nil {
			answer.Header = http.Header{}
		}
		answer.Header.Set(RevisionHeader, c.state.Revision())
		return answer, err
	}).RoundTrip(req)
}
