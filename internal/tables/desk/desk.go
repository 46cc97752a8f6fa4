// Package desk answers questions about the registry as a database: it makes the tables of a mirror at need, runs queries over them, and
// describes them. The command line and the tools use the same desk.
package desk

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/sync/semaphore"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mirror"
	"github.com/biofact-mcp/biofact/internal/tables"
	"github.com/biofact-mcp/biofact/internal/tables/dialect"
	"github.com/biofact-mcp/biofact/internal/tables/file"
	"github.com/biofact-mcp/biofact/internal/tables/runner"
)

// AskAbove is the number of trials above which tables are not written without a yes.
const AskAbove = 20_000

// A Desk answers from the tables of one mirror. It is safe for concurrent use.
type Desk struct {
	// Agree is asked before more than AskAbove trials are written; its error ends that. nil: they are not written.
	Agree func(file.Need) error
	// Progress is called while tables are written; nil: it is not called.
	Progress func(done, total int)

	path   string
	reader *mirror.Reader
	runner *runner.Runner

	writer *semaphore.Weighted // of one: a call that waits for it ends with its context
}

// New returns a desk of the mirror at a path.
func New(mirrorPath string) *Desk {
	path := file.Path(mirrorPath)
	return &Desk{path: path, reader: mirror.NewReader(mirrorPath), runner: runner.New(path),
		writer: semaphore.NewWeighted(1)}
}

// Path returns the path of the tables.
func (d *Desk) Path() string { return d.path }

// Close closes the mirror.
func (d *Desk) Close() error { return d.reader.Close() }

// A LargeError is the error of tables that are not made without a yes.
type LargeError struct{ Need file.Need }

func (e *LargeError) Error() string {
	return fmt.Sprintf("the tables of %d trials are to be written first, about %.1f GB in %d minutes", len(e.Need.Write),
		float64(e.Need.Bytes)/1e9, e.Need.Seconds/60+1)
}

// A Now is the state of the tables for a question.
type Now struct {
	file.Facts
	Mirror mirror.State
}

// Current brings the tables into step with the mirror. Tables that are older than the mirror serve where a yes is missing.
func (d *Desk) Current(ctx context.Context) (now Now, err error) {
	if now.Mirror, err = d.reader.State(ctx); err != nil {
		return now, err
	}
	if !now.Mirror.Complete() {
		return now, mirror.ErrUnfinished
	}
	now.Facts, err = file.Inspect(ctx, d.path)
	if err == nil && now.Revision == now.Mirror.Revision() {
		return now, nil
	}
	usable := err == nil
	if !usable && !errors.Is(err, file.ErrNone) && !errors.Is(err, file.ErrOutdated) {
		return now, err
	}
	if err := d.writer.Acquire(ctx, 1); err != nil {
		return now, err
	}
	defer d.writer.Release(1)
	err = d.update(ctx)
	if large := (*LargeError)(nil); usable && errors.As(err, &large) {
		return now, nil
	}
	if err != nil {
		return now, err
	}
	now.Facts, err = file.Inspect(ctx, d.path)
	return now, err
}

// update writes what the tables lack.
func (d *Desk) update(ctx context.Context) error {
	return d.reader.Records(ctx, func(records *mirror.Records) error {
		need, err := file.Lacks(ctx, d.path, records)
		if err != nil {
			return err
		}
		if len(need.Write) > AskAbove {
			large := error(&LargeError{need})
			if d.Agree != nil {
				large = d.Agree(need)
			}
			if large != nil {
				return large
			}
		}
		progress := d.Progress
		if progress == nil {
			progress = func(int, int) {}
		}
		return file.Update(ctx, d.path, records, need, progress)
	})
}

// Query runs a statement. Its error is a *dialect.Problem if the statement is refused, wrong or stopped.
func (d *Desk) Query(ctx context.Context, statement string, bounds runner.Bounds) (*runner.Answer, error) {
	if _, err := dialect.Translate(statement); err != nil { // before tables are made for it
		return nil, err
	}
	now, err := d.Current(ctx)
	if err != nil {
		return nil, err
	}
	answer, err := d.runner.Run(ctx, statement, runner.Scope{Day: now.Day, WithoutContacts: now.Mirror.WithoutContacts()}, bounds)
	if err == nil && now.Revision != now.Mirror.Revision() {
		answer.Notices = append(answer.Notices, "the tables have the data of "+now.Day+", the mirror those of "+now.Mirror.Day()+
			"; biofact mirror tables --yes brings them up to date")
	}
	return answer, err
}

// Describe lists the tables, or describes those of some names with their columns.
func (d *Desk) Describe(ctx context.Context, names []string) (*entity.RegistryTables, error) {
	chosen := tables.All()
	if len(names) > 0 {
		chosen = nil
		for _, name := range names {
			t, err := dialect.Table(name)
			if err != nil {
				return nil, err
			}
			chosen = append(chosen, t)
		}
	}
	now, err := d.Current(ctx)
	if err != nil {
		return nil, err
	}
	counts, err := file.Rows(ctx, d.path)
	if err != nil {
		return nil, err
	}
	out := &entity.RegistryTables{DataVersion: now.Day}
	for _, t := range chosen {
		described := entity.RegistryTable{Name: t.Name, Rows: counts[t.Name], Empty: t.Empty, Note: t.Note,
			From: strings.Join(t.Roots(), "; ")}
		if len(names) > 0 {
			if described.Columns, err = d.columns(ctx, t, described.Rows); err != nil {
				return nil, err
			}
			described.From = ""
		}
		out.Tables = append(out.Tables, described)
	}
	return out, nil
}

// columns describes the columns of a table. The share of values is missing where it takes too long.
func (d *Desk) columns(ctx context.Context, t *tables.Table, rows int64) (all []entity.RegistryColumn, err error) {
	var shares []float64
	if rows > 0 {
		shares, err = d.runner.Shares(ctx, t, rows)
		if problem := (*dialect.Problem)(nil); err != nil && !errors.As(err, &problem) {
			return nil, err
		}
	}
	for i, c := range t.Columns {
		column := entity.RegistryColumn{Name: c.Name, Type: c.Type, From: c.From, Values: dialect.Values(&c)}
		if i < len(shares) {
			column.Share = &shares[i]
		}
		all = append(all, column)
	}
	return all, nil
}
