// Package export writes the tables of AACT for other programs: one SQLite file, a folder of Parquet files, or one table as CSV. A reader
// never sees a part: the output gets its name when it is complete.
package export

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/biofact-mcp/biofact/internal/mirror/disk"
	"github.com/biofact-mcp/biofact/internal/mirror/sqlrows"
	"github.com/biofact-mcp/biofact/internal/tables"
	"github.com/biofact-mcp/biofact/internal/tables/file"
)

// ErrOther is the error of an output that exists and was not written by an export.
var ErrOther = errors.New("it exists and was not written by this command")

// A Job is one export.
type Job struct {
	// From is the file of the tables, To the output.
	From, To string
	// IDs are the numbers of the trials, in ascending order; nil: all.
	IDs []int64
	// Table is the table of a CSV file.
	Table *tables.Table
	// WithoutContacts leaves the contacts of people out.
	WithoutContacts bool
	// Source, Version and Day are written into Parquet files.
	Source, Version, Day string
	// Progress is called with the name of each table before it is written.
	Progress func(table string, done, total int)
}

// A Report says what an export wrote.
type Report struct {
	Rows, Bytes int64
	// Changed is the number of CSV cells that got an apostrophe before them.
	Changed int
}

func (j *Job) skip(t *tables.Table) bool { return j.WithoutContacts && t.OfPeople() }

// SQLite writes one file.
func (j *Job) SQLite(ctx context.Context) (r Report, err error) {
	if _, err := file.Inspect(ctx, j.To); err == nil || errors.Is(err, file.ErrNone) || errors.Is(err, file.ErrOutdated) {
		return j.complete(func(f *os.File) error {
			r.Rows, err = file.Copy(ctx, j.From, f.Name(), j.IDs, j.skip)
			return err
		}, &r)
	}
	return r, ErrOther
}

// complete writes a file that gets its name when it is complete, and completes its report.
func (j *Job) complete(write func(*os.File) error, r *Report) (Report, error) {
	if err := disk.Replace(j.To, write); err != nil {
		return *r, err
	}
	info, err := os.Stat(j.To)
	if err == nil {
		r.Bytes = info.Size()
	}
	return *r, err
}

// fewTrials is the share of all trials below which rows are looked up by trial.
const fewTrials = 10

// rows calls a function with each row of a table.
func (j *Job) rows(ctx context.Context, db *sql.DB, t *tables.Table, row func([]any) error) error {
	var studies int
	if err := db.QueryRowContext(ctx, "SELECT count(*) FROM _study").Scan(&studies); err != nil {
		return err
	}
	query := fmt.Sprintf(`SELECT * FROM "%s"`, t.Name)
	if j.IDs == nil || t.Column("nct_id") < 0 {
		return scan(ctx, db, row, query)
	}
	if len(j.IDs)*fewTrials < studies {
		for _, id := range j.IDs {
			if err := scan(ctx, db, row, query+" WHERE nct_id = ?", nctOf(id)); err != nil {
				return err
			}
		}
		return nil
	}
	requested := make(map[string]bool, len(j.IDs))
	for _, id := range j.IDs {
		requested[nctOf(id)] = true
	}
	at := t.Column("nct_id")
	return scan(ctx, db, func(values []any) error {
		if nct, _ := values[at].(string); !requested[nct] {
			return nil
		}
		return row(values)
	}, query)
}

func nctOf(id int64) string { return fmt.Sprintf("NCT%08d", id) }

func scan(ctx context.Context, db *sql.DB, row func([]any) error, query string, args ...any) error {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	values, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	return sqlrows.Of(rows, nil).ForEach(func() error { return row(values) }, into...)
}

// ownFolder reports whether a folder can be replaced: it is missing, empty, or was written by an export.
func ownFolder(path string) error {
	entries, err := os.ReadDir(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return ErrOther
	case len(entries) == 0:
		return nil
	}
	text, err := os.ReadFile(filepath.Join(path, loadName))
	if err != nil || !strings.HasPrefix(string(text), loadHead) {
		return ErrOther
	}
	for _, entry := range entries {
		if name := entry.Name(); name != loadName && tables.Named(strings.TrimSuffix(name, ".parquet")) == nil {
			return ErrOther
		}
	}
	return nil
}
