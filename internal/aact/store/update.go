package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/biofact-mcp/biofact/internal/aact"
	"github.com/biofact-mcp/biofact/internal/aact/further"
	"github.com/biofact-mcp/biofact/internal/aact/parquet"
	"github.com/biofact-mcp/biofact/internal/mirror/disk"
)

// A Version identifies the record of a trial by its number. Records with equal versions are equal.
type Version struct{ ID, Hash int64 }

// Records are the records of one state of a mirror.
type Records interface {
	Revision() string
	Day() string
	// Versions lists the trials in the order of their numbers.
	Versions() []Version
	// ForEach calls a function with the decoded record of each trial of a list.
	ForEach(ctx context.Context, ids []int64, read func(id int64, record map[string]any) error) error
}

// A Mirror calls a function with its records.
type Mirror func(ctx context.Context, read func(Records) error) error

// A Need says what is to be written.
type Need struct {
	Trials  int
	Bytes   int64 // about
	Seconds int   // about
}

// NeedOf returns the need of a number of trials.
func NeedOf(trials int) Need {
	const bytesPerTrial, secondsPerTrial = 6_000, 0.002
	return Need{Trials: trials, Bytes: int64(trials) * bytesPerTrial, Seconds: int(float64(trials) * secondsPerTrial)}
}

// Options are those of an update. Each may be nil.
type Options struct {
	// Agree is asked before something is written; its error ends the update.
	Agree func(Need) error
	// Wait is called when another process writes.
	Wait func()
	// Removed is called with the path of a file of an earlier version, which is not needed any more.
	Removed func(path string)
	// Progress is called while trials are written.
	Progress func(done, total int)
}

// Update brings a folder into step with a mirror. If it ends early, also by the end of the process, the last state stays.
func Update(ctx context.Context, folder string, mirror Mirror, o Options) (s State, err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return s, err
	}
	lock := flock.New(filepath.Join(folder, lockName), flock.SetPermissions(0o600))
	locked, err := lock.TryLock()
	if err == nil && !locked {
		if o.Wait != nil {
			o.Wait()
		}
		_, err = lock.TryLockContext(ctx, 100*time.Millisecond)
	}
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	err = mirror(ctx, func(records Records) error {
		old, err := Read(folder)
		if err == nil && old.Revision == records.Revision() {
			s = old
			return nil
		}
		if err != nil && !errors.Is(err, ErrNone) && !errors.Is(err, ErrOutdated) {
			return err
		}
		u := &update{folder: folder, records: records, Options: o, old: old}
		u.clean(time.Now())
		s, err = u.run(ctx, err == nil)
		return err
	})
	return s, err
}

// An update writes one new state.
type update struct {
	Options
	folder  string
	records Records
	old     State
}

// A trial is a line of the file of trials.
type trial struct {
	NCT  string `parquet:"nct_id"`
	Hash int64  `parquet:"hash"`
	// Rows are the numbers of its rows by table.
	Rows []byte `parquet:"rows"`
}

// A goneTrial is a trial of the base whose rows have changed since.
type goneTrial struct {
	NCT string `parquet:"nct_id"`
}

// rebaseShare is the share of trials that may differ from the base: one in ten.
const rebaseShare = 10

// plan returns the trials to write, those of the base that are gone, and the rows of the base by table. If the base is not usable, or too
// much differs from it, all trials are to be written.
func (u *update) plan(usable bool) (changed []Version, gone []goneTrial, rows []int64, useBase bool, err error) {
	versions := u.records.Versions()
	if usable {
		changed, gone, rows, err = u.differences()
		switch {
		case err == nil && (len(changed)+len(gone))*rebaseShare <= len(versions):
			return changed, gone, rows, true, nil
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return nil, nil, nil, false, err
		}
	}
	return versions, nil, make([]int64, len(aact.All())), false, nil
}

// name names the folders of the next state, and returns the name of the one to write.
func (u *update) name(next *State, useBase bool) string {
	stamp := strconv.FormatInt(time.Now().UnixNano(), 36)
	name := "base-" + stamp
	if useBase {
		name = "more-" + stamp
		next.Base, next.More = u.old.Base, name
	} else {
		next.Base = name
	}
	for _, folder := range []string{u.old.Base, u.old.More} {
		if folder != "" && folder != next.Base {
			next.Old = append(next.Old, oldFolder{folder, time.Now()})
		}
	}
	return name
}

// run writes what differs from the base, or a new base.
func (u *update) run(ctx context.Context, usable bool) (State, error) {
	versions := u.records.Versions()
	changed, gone, rows, usable, err := u.plan(usable)
	if err != nil {
		return State{}, err
	}
	need := NeedOf(len(changed))
	if u.Agree != nil && len(changed) > 0 {
		if err := u.Agree(need); err != nil {
			return State{}, err
		}
	}
	if err := disk.CheckRoom(u.folder, 2*need.Bytes); err != nil {
		return State{}, err
	}
	next := State{Format: format, Revision: u.records.Revision(), Day: u.records.Day(), Rules: aact.Version(), Trials: len(versions),
		Rows: map[string]int64{}, Old: u.old.Old}
	name := u.name(&next, usable)
	added, err := u.write(ctx, name, changed, gone)
	if err != nil {
		return State{}, err
	}
	for i, t := range aact.All() {
		next.Rows[t.Name] = rows[i] + added[i]
	}
	if err := u.replace(next); err != nil {
		return State{}, err
	}
	if path := removeOld(u.folder); path != "" && u.Removed != nil {
		u.Removed(path)
	}
	return next, nil
}

// differences compares the trials of the base with those of the mirror. It returns the trials to write, those of the base that do not
// count any more, and the numbers of the rows of the others, by table.
func (u *update) differences() (changed []Version, gone []goneTrial, rows []int64, err error) {
	versions := u.records.Versions()
	rows = make([]int64, len(aact.All()))
	err = parquet.ReadList(filepath.Join(u.folder, file(u.old.Base, trialsName)), func(t trial) error {
		id, err := strconv.ParseInt(strings.TrimPrefix(t.NCT, "NCT"), 10, 64)
		if err != nil {
			return err
		}
		for len(versions) > 0 && versions[0].ID < id {
			changed, versions = append(changed, versions[0]), versions[1:]
		}
		if len(versions) == 0 || versions[0].ID > id {
			gone = append(gone, goneTrial{t.NCT})
			return nil
		}
		if versions[0].Hash != t.Hash {
			changed, gone = append(changed, versions[0]), append(gone, goneTrial{t.NCT})
		} else {
			addCounts(rows, t.Rows)
		}
		versions = versions[1:]
		return nil
	})
	return append(changed, versions...), gone, rows, err
}

// write writes a folder with the rows of trials, and returns their numbers by table.
func (u *update) write(ctx context.Context, name string, changed []Version, gone []goneTrial) ([]int64, error) {
	part := filepath.Join(u.folder, partPrefix+name)
	if err := os.Mkdir(part, 0o700); err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(part) }() // it has another name if it is complete
	out, err := parquet.Create(part, map[string]string{"data_version": u.records.Day()})
	if err != nil {
		return nil, err
	}
	err = u.writeTrials(ctx, part, changed, out)
	if err != nil {
		out.Abandon()
		return nil, err
	}
	if err := out.Close(ctx); err != nil {
		return nil, err
	}
	if err := writeList(filepath.Join(part, goneName+parquet.Suffix), func(add func(goneTrial) error) error {
		for _, t := range gone {
			if err := add(t); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return nil, err
	}
	if err := syncFolder(part); err != nil {
		return nil, err
	}
	if err := os.Rename(part, filepath.Join(u.folder, name)); err != nil {
		return nil, err
	}
	return out.Rows, syncFolder(u.folder)
}

// writeTrials writes the rows of trials, and the list of them.
func (u *update) writeTrials(ctx context.Context, part string, changed []Version, out *parquet.Folder) error {
	ids, done := make([]int64, len(changed)), 0
	for i, v := range changed {
		ids[i] = v.ID
	}
	return writeList(filepath.Join(part, trialsName+parquet.Suffix), func(add func(trial) error) error {
		return u.records.ForEach(ctx, ids, func(id int64, record map[string]any) error {
			rows, err := further.Of(record)
			if err != nil {
				return err
			}
			hash := changed[done].Hash
			if done++; u.Progress != nil && done%100 == 0 {
				u.Progress(done, len(changed))
			}
			return errors.Join(add(trial{fmt.Sprintf("NCT%08d", id), hash, countsOf(rows)}), out.Add(rows))
		})
	})
}

// writeList writes a list of structures, which a function adds.
func writeList[T any](path string, fill func(add func(T) error) error) error {
	list, err := parquet.CreateList[T](path)
	if err != nil {
		return err
	}
	return errors.Join(fill(list.Add), list.Close())
}

// countsOf returns the numbers of rows by table.
func countsOf(rows aact.Rows) (counts []byte) {
	for _, table := range rows {
		counts = binary.AppendUvarint(counts, uint64(len(table)))
	}
	return counts
}

// addCounts adds numbers of rows to totals.
func addCounts(totals []int64, counts []byte) {
	reader := bytes.NewReader(counts)
	for i := range totals {
		n, err := binary.ReadUvarint(reader)
		if err != nil {
			return
		}
		totals[i] += int64(n)
	}
}

// replace makes a state the one that readers see.
func (u *update) replace(s State) error {
	text, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		return err
	}
	part := filepath.Join(u.folder, partPrefix+stateName)
	file, err := os.OpenFile(part, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(append(text, '\n'))
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	if err := os.Rename(part, filepath.Join(u.folder, stateName)); err != nil {
		return err
	}
	return syncFolder(u.folder)
}

// clean removes what a stopped update left, and the folders of earlier states that no query reads any more. A folder
// that cannot be removed is left for the next time.
func (u *update) clean(now time.Time) {
	var recent []oldFolder
	for _, old := range u.old.Old {
		if now.Sub(old.Since) < oldTime {
			recent = append(recent, old)
		}
	}
	u.old.Old = recent
	entries, _ := os.ReadDir(u.folder)
	for _, entry := range entries {
		name := entry.Name()
		if strings.HasPrefix(name, partPrefix) || isFolder(name) && !u.old.names(name) {
			_ = os.RemoveAll(filepath.Join(u.folder, name))
		}
	}
}
