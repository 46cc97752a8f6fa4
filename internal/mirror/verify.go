package mirror

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
	"github.com/biofact-mcp/biofact/internal/mirror/feed"
	"github.com/biofact-mcp/biofact/internal/mirror/history"
	"github.com/biofact-mcp/biofact/internal/mirror/stored"
)

// Facts describe a mirror.
type Facts struct {
	State
	Path   string
	Bytes  int64 // of the file and its log of changes
	Trials int
}

// Inspect returns the facts of a file. The error of a missing file is os.ErrNotExist.
func Inspect(ctx context.Context, path string) (f Facts, err error) {
	f.Path = path
	db, _, err := openReader(ctx, path)
	if err != nil {
		return f, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := checkTables(ctx, db); err != nil {
		return f, err
	}
	if f.State, err = readState(ctx, db); err != nil {
		return f, err
	}
	for _, suffix := range sideFiles {
		if info, err := os.Stat(path + suffix); err == nil {
			f.Bytes += info.Size()
		}
	}
	err = db.QueryRowContext(ctx, "SELECT count(*) FROM study").Scan(&f.Trials)
	return f, err
}

// A Verification is the result of comparing a mirror with the registry.
type Verification struct {
	Facts
	Stamp          string // of the registry's data now
	RegistryTrials int    // trials of the registry
	Sampled        int    // records that were compared
	Differ         []string
	Missing        []string // of the sample, no longer in the registry
	Damage         string   // the first damage that SQLite finds in the file, or of a compared record; "": no damage
}

// Verify compares a mirror with the registry: the number of trials and a sample of records. It changes nothing.
func (s *Sync) Verify(ctx context.Context) (v Verification, err error) {
	v.Facts, err = Inspect(ctx, s.Path)
	if errors.Is(err, errDamaged) {
		v.Damage = err.Error()
		return v, nil
	}
	if err != nil {
		return v, err
	}
	if v.Source != s.Source {
		return v, fmt.Errorf("%w: %s", ErrSource, v.Source)
	}
	db, _, err := openReader(ctx, s.Path)
	if err != nil {
		return v, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err = check(ctx, db, "1"); errors.Is(err, errDamaged) {
		v.Damage = err.Error()
		return v, nil
	}
	if err != nil {
		return v, err
	}
	client := feed.New(s.Do, s.URL)
	if v.Stamp, err = client.Version(ctx); err != nil {
		return v, err
	}
	if v.RegistryTrials, err = client.Count(ctx, ""); err != nil {
		return v, err
	}
	return v, v.compare(ctx, client)
}

// compare compares a sample of records with the registry.
func (v *Verification) compare(ctx context.Context, client *feed.Client) (err error) {
	r := NewReader(v.Path)
	defer func() { err = errors.Join(err, r.Close()) }()
	c, done, err := r.use(ctx)
	if err != nil {
		return err
	}
	hashes, err := c.sample(ctx)
	done() // a sync waits for readers, and the registry may take its time
	if damaged, ok := errors.AsType[*history.DamagedError](err); ok {
		v.Damage, err = damaged.Error(), nil
	}
	if err != nil || len(hashes) == 0 {
		return err
	}
	var ids []string
	for id := range hashes {
		ids = append(ids, stored.NCT(id))
	}
	v.Sampled = len(ids)
	_, err = client.Page(ctx, feed.Query{Ids: ids, Size: len(ids)}, feed.Handler{
		Start: func() error { v.Differ = nil; return nil },
		Study: func(raw []byte) error {
			s, err := readStudy(raw)
			if err != nil {
				return err
			}
			if hash, ok := hashes[s.id]; ok && hash != s.hash {
				v.Differ = append(v.Differ, stored.NCT(s.id))
			}
			delete(hashes, s.id)
			return nil
		},
	})
	for id := range hashes {
		v.Missing = append(v.Missing, stored.NCT(id))
	}
	return err
}

// sampled is the number of records that a verification compares.
const sampled = 100

// sample returns the hashes of some studies by their numbers. Its error is a DamagedError if the record of one of them, or an older version
// of a record, cannot be read.
func (c *copyOf) sample(ctx context.Context) (map[int64]int64, error) {
	hashes, err := history.Map[int64, int64](c.db.QueryContext(ctx, "SELECT id, hash FROM study ORDER BY random() LIMIT ?", sampled))
	if err != nil {
		return nil, err
	}
	for id := range hashes {
		if _, err := c.read(ctx, []int64{id}, nil); err != nil {
			return nil, err
		}
	}
	return hashes, history.Check(ctx, c.db, c.file.Unpacker, sampled)
}

// Snapshot writes a consistent copy of a mirror to another file. The file gets its name when it is complete, so that readers
// of an older copy can switch to it at any time. Snapshot replaces no file that is not a mirror.
func Snapshot(ctx context.Context, path, to string) (err error) {
	db, _, err := openReader(ctx, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if now, err := os.Stat(path); err == nil {
		if existing, err := os.Stat(to); err == nil && os.SameFile(now, existing) {
			return errors.New("the copy would replace the mirror itself")
		}
	}
	err = writeCopy(ctx, db, to)
	if err != nil && disk.Code(err) != disk.Corrupt { // which is the error of a page of the mirror
		err = &CopyError{to, err}
	}
	return err
}

// writeCopy writes the copy of an open mirror.
func writeCopy(ctx context.Context, db *sql.DB, to string) error {
	if err := checkOwn(ctx, to); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	part := to + ".part"
	f, err := os.OpenFile(part, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) // SQLite would make the file readable for all users
	if err != nil {
		return err
	}
	err = f.Close()
	if err == nil {
		_, err = db.ExecContext(ctx, "VACUUM INTO '"+strings.ReplaceAll(part, "'", "''")+"'")
	}
	if err == nil {
		err = os.Rename(part, to)
	}
	if err != nil {
		_ = os.Remove(part) // the part of a failed copy
	}
	return err
}
