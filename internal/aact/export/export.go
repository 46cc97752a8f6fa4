// Package export writes the tables of AACT for other programs: a folder of Parquet files, a folder for PostgreSQL, or one table as CSV. A
// reader never sees a part: the output gets its name when it is complete.
package export

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/biofact-mcp/biofact/internal/aact"
	"github.com/biofact-mcp/biofact/internal/aact/further"
	"github.com/biofact-mcp/biofact/internal/aact/store"
	"github.com/biofact-mcp/biofact/internal/mirror/disk"
)

// The errors of an output.
var (
	ErrOther = errors.New("it exists and was not written by this command")
	ErrStore = errors.New("it is the folder of the tables that Biofact queries, or inside of it")
)

// A Job is one export.
type Job struct {
	Mirror store.Mirror
	// Folder is that of the tables of the mirror, To the output.
	Folder, To string
	// IDs are the numbers of the trials, in ascending order; nil: all. Filters say how they were chosen.
	IDs     []int64
	Filters []string
	// Table is the table of a CSV file.
	Table *aact.Table
	// WithoutContacts leaves the contacts of people out.
	WithoutContacts bool
	// Source and Version are written into the output.
	Source, Version string
	// Agree is asked before it is written, Progress called while it is.
	Agree    func(store.Need) error
	Progress func(done, total int)
}

// A Report says what an export wrote.
type Report struct {
	Trials int
	Rows   int64
	Bytes  int64
	Day    string
	// Changed is the number of CSV cells that got an apostrophe before them.
	Changed int
	// Updates says that a folder for PostgreSQL has the changes since the export before.
	Updates bool

	revision string
}

const infoName = "export.json"

// An info describes a folder that an export wrote.
type info struct {
	Kind     string           `json:"kind"` // "biofact export"
	Format   string           `json:"format"`
	Source   string           `json:"source"`
	Day      string           `json:"day"`
	Revision string           `json:"revision"`
	Rules    string           `json:"rules"`
	Filters  []string         `json:"filters"`
	Contacts bool             `json:"contacts_of_people"`
	Trials   int              `json:"trials"`
	Rows     map[string]int64 `json:"rows"`
}

const kind = "biofact export"

// readInfo reads the description of a folder. Its error is ErrOther for a folder that no export wrote, fs.ErrNotExist for none.
func readInfo(folder string) (i info, err error) {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return i, fs.ErrNotExist
	}
	if err != nil {
		return i, ErrOther
	}
	text, err := os.ReadFile(filepath.Join(folder, infoName))
	if err != nil || json.Unmarshal(text, &i) != nil || i.Kind != kind {
		return i, ErrOther
	}
	return i, nil
}

// checkOutput returns ErrStore for an output that is in the folder of the tables, also by a link.
func (j *Job) checkOutput() error {
	tables, err := os.Stat(j.Folder)
	if err != nil {
		return nil //nolint:nilerr // there are no tables
	}
	path, err := filepath.Abs(j.To)
	if err != nil {
		return err
	}
	for {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		if here, err := os.Stat(path); err == nil && os.SameFile(here, tables) {
			return ErrStore
		}
		above := filepath.Dir(path)
		if above == path {
			return nil
		}
		path = above
	}
}

// A sink takes the rows of trials, in the order of their numbers.
type sink interface {
	add(v store.Version, rows aact.Rows) error
}

// forEach gives the rows of all chosen trials to a sink, which a function opens.
func (j *Job) forEach(ctx context.Context, r *Report, open func(store.Records) (sink, error)) error {
	return j.Mirror(ctx, func(records store.Records) error {
		versions := chosen(records.Versions(), j.IDs)
		need := store.NeedOf(len(versions))
		if j.Agree != nil {
			if err := j.Agree(need); err != nil {
				return err
			}
		}
		if err := disk.CheckRoom(j.To, 2*need.Bytes); err != nil {
			return err
		}
		out, err := open(records)
		if err != nil {
			return err
		}
		r.Day, r.Trials, r.revision = records.Day(), len(versions), revision(records.Revision(), versions)
		ids := make([]int64, len(versions))
		for i, v := range versions {
			ids[i] = v.ID
		}
		done := 0
		return records.ForEach(ctx, ids, func(_ int64, record map[string]any) error {
			rows, err := further.Of(record)
			if err != nil {
				return err
			}
			for i, t := range aact.All() {
				if j.WithoutContacts && t.OfPeople() {
					rows[i] = nil
				}
			}
			v := versions[done]
			if done++; j.Progress != nil && done%100 == 0 {
				j.Progress(done, len(versions))
			}
			return out.add(v, rows)
		})
	})
}

// revision identifies the records of an export exactly, also those of another mirror.
func revision(mirror string, versions []store.Version) string {
	h := fnv.New64a()
	for _, v := range versions {
		_ = binary.Write(h, binary.LittleEndian, v) // a hash has no error
	}
	return fmt.Sprintf("%s/%x", mirror, h.Sum64())
}

// chosen returns the versions of some trials; nil: of all.
func chosen(all []store.Version, ids []int64) (some []store.Version) {
	if ids == nil {
		return all
	}
	for _, v := range all {
		for len(ids) > 0 && ids[0] < v.ID {
			ids = ids[1:]
		}
		if len(ids) > 0 && ids[0] == v.ID {
			some = append(some, v)
		}
	}
	return some
}

// folder writes a folder that gets its name when it is complete, with its description.
func (j *Job) folder(format string, r *Report, fill func(part string, i *info) error) error {
	if err := j.checkOutput(); err != nil {
		return err
	}
	if _, err := readInfo(j.To); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	part, err := os.MkdirTemp(filepath.Dir(filepath.Clean(j.To)), ".biofact-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(part) }() // it has another name if it is complete
	i := &info{Kind: kind, Format: format, Source: j.Source, Rules: aact.Version(), Filters: j.Filters, Contacts: !j.WithoutContacts,
		Rows: map[string]int64{}}
	if err := fill(part, i); err != nil {
		return err
	}
	i.Day, i.Trials, i.Revision = r.Day, r.Trials, r.revision
	text, err := json.MarshalIndent(i, "", " ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(part, infoName), append(text, '\n'), 0o600); err != nil {
		return err
	}
	r.Bytes = store.Bytes(part)
	for _, n := range i.Rows {
		r.Rows += n
	}
	old := part + "-old"
	if err := os.Rename(j.To, old); err == nil {
		defer func() { _ = os.RemoveAll(old) }()
	}
	return os.Rename(part, j.To)
}

// stamp returns the time of an export for its files.
func stamp(day string) string {
	return "data of " + day + ", written " + time.Now().UTC().Format(time.DateOnly)
}
