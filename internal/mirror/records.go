package mirror

import (
	"context"
	"fmt"

	"github.com/biofact-mcp/biofact/internal/mirror/history"
	"github.com/biofact-mcp/biofact/internal/mirror/stored"
)

// Records are the records of one state of a file.
type Records struct {
	State State
	// Versions lists the trials in the order of their numbers.
	Versions []Version

	from *copyOf
}

// A Version identifies the record of a trial. Records with equal versions are equal.
type Version struct{ ID, Hash int64 }

// Records calls a function with the records of the file, in one state. Its error is ErrUnfinished if the first load has not finished.
func (r *Reader) Records(ctx context.Context, read func(*Records) error) error {
	c, done, err := r.use(ctx)
	if err != nil {
		return err
	}
	defer done()
	if !c.state.Complete() {
		return ErrUnfinished
	}
	all := &Records{State: c.state, from: c}
	var v Version
	err = history.RowsOf(c.db.QueryContext(ctx, "SELECT id, hash FROM study ORDER BY id")).ForEach(func() error {
		all.Versions = append(all.Versions, v)
		return nil
	}, &v.ID, &v.Hash)
	if err != nil {
		return err
	}
	return read(all)
}

// ForEach calls a function with the decoded record of each trial of a list, with its contacts of people.
func (r *Records) ForEach(ctx context.Context, ids []int64, read func(id int64, record map[string]any) error) error {
	var buffer []byte
	for _, id := range ids {
		var p packed
		var main, results []byte // of one row, which the driver does not keep
		const one = "SELECT hash, posted, main, results FROM record JOIN study USING (id) WHERE id = ?"
		found, err := history.One(r.from.db.QueryRowContext(ctx, one, id), &p.hash, &p.posted, &main, &results)
		if err == nil && !found {
			err = &history.DamagedError{ID: id}
		}
		if err != nil {
			return err
		}
		p.id, p.main, p.results = id, main, results
		if buffer, err = r.from.unpack(buffer, &p); err != nil {
			return err
		}
		record, err := stored.Decode(stored.WithVersion(buffer, r.State.Day()))
		if err != nil {
			return fmt.Errorf("read %s: %w", stored.NCT(id), err)
		}
		if err := read(id, record); err != nil {
			return err
		}
	}
	return nil
}
