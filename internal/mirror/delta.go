package mirror

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/biofact-mcp/biofact/internal/mirror/delta"
	"github.com/biofact-mcp/biofact/internal/mirror/disk"
	"github.com/biofact-mcp/biofact/internal/mirror/history"
	"github.com/biofact-mcp/biofact/internal/mirror/stored"
)

// WriteDelta writes the changes from the state of a day to the newest one to a file. It replaces no file but a delta.
func (r *Reader) WriteDelta(ctx context.Context, since string, to string) (steps int, err error) {
	if err := checkDelta(to); err != nil {
		return 0, &CopyError{to, err}
	}
	state, err := r.State(ctx)
	if err != nil {
		return 0, err
	}
	err = r.History(ctx, func(h *history.Reader) error {
		first, err := h.At(since)
		if err != nil {
			return err
		}
		err = disk.Replace(to, func(f *os.File) (err error) {
			steps, err = writeSteps(ctx, h, f, delta.Head{Source: state.Source, Synced: state.Synced.UTC().Format(time.RFC3339)}, first)
			return err
		})
		if err != nil {
			return &CopyError{to, err}
		}
		return nil
	})
	return steps, err
}

// checkDelta returns an error if a path is that of a file that is no delta.
func checkDelta(path string) error {
	begin := make([]byte, len(delta.Magic))
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	n, _ := f.Read(begin) // of an empty file nothing
	if err := f.Close(); err != nil || errors.Is(delta.Check(begin[:n]), delta.ErrDamaged) {
		return fmt.Errorf("%w, or no delta", ErrForeign)
	}
	return nil
}

// writeSteps writes a step for each state after the first one.
func writeSteps(ctx context.Context, h *history.Reader, f *os.File, head delta.Head, first history.Sync) (steps int, err error) {
	w, err := delta.NewWriter(f, head)
	if err != nil {
		return 0, err
	}
	from := first
	for _, to := range h.After(first) {
		if err := w.Step(from.Stamp, to.Stamp); err != nil {
			return 0, err
		}
		err := h.Changes(ctx, history.Span{Since: from, Until: to}, func(change *history.Change) error {
			before, after, err := h.Versions(ctx, change)
			if err != nil {
				return err
			}
			return w.Change(&delta.Change{ID: change.ID, Old: before.Hash(), New: after.Hash(), Target: change.Into,
				Data: history.Forward(before, after)})
		})
		if err = errors.Join(err, w.EndStep()); err != nil {
			return 0, err
		}
		from, steps = to, steps+1
	}
	return steps, w.Close()
}

// ErrOther is the error of a delta of records that the mirror does not have, although it has data of the same time.
var ErrOther = errors.New("the delta is of another mirror, whose records differ from those here")

// Apply brings the mirror to the last state of a delta. All of the file is checked before a step is written.
func (s *Sync) Apply(ctx context.Context, path string) (report Report, err error) {
	f, err := os.Open(path)
	if err != nil {
		return report, err
	}
	defer f.Close()
	facts, err := Inspect(ctx, s.Path)
	if err == nil && (!facts.Complete() || facts.Walk != "") {
		err = ErrUnfinished
	}
	if err != nil {
		return report, err
	}
	return s.run(ctx, func(r *run) error {
		if err := r.prepare(ctx); err != nil {
			return err
		}
		r.report.Stamp, r.report.Unchanged = r.state.Stamp, true
		r.report.Trials = facts.Trials
		some, err := r.follows(ctx, f)
		if err != nil || !some {
			return err
		}
		d, err := delta.Open(f)
		if err != nil {
			return err
		}
		defer d.Close()
		synced, err := time.Parse(time.RFC3339, d.Synced)
		if err != nil {
			return delta.ErrDamaged
		}
		r.report.Unchanged = false
		err = d.Steps(r.state.Stamp, func(to string, changes delta.Changes) error {
			return r.step(ctx, synced, to, changes)
		})
		if err != nil {
			return err
		}
		return r.ended(ctx, time.Now().UTC().Format(time.RFC3339))
	})
}

// follows checks a delta: its hash, its source, that one of its steps begins with the state of the mirror, and that each change is of the
// record that the mirror has then. It reports whether the delta has a step for the mirror.
func (r *run) follows(ctx context.Context, f *os.File) (some bool, err error) {
	d, err := delta.Open(f)
	if err != nil {
		return false, err
	}
	defer d.Close()
	if d.Source != r.Source {
		return false, fmt.Errorf("%w: %s", ErrSource, d.Source)
	}
	hashes := map[int64]int64{}
	err = d.Steps(r.state.Stamp, func(_ string, changes delta.Changes) error {
		some = true
		return changes(func(c *delta.Change) error {
			hash, known := hashes[c.ID]
			if !known {
				if hash, _, err = r.w.number(ctx, "SELECT hash FROM study WHERE id = ?", c.ID); err != nil {
					return err
				}
			}
			if hash != c.Old {
				return fmt.Errorf("%w: %s", ErrOther, stored.NCT(c.ID))
			}
			hashes[c.ID] = c.New
			return nil
		})
	})
	return some, err
}

// step writes the changes of a step and ends it as a sync does, in one transaction.
func (r *run) step(ctx context.Context, synced time.Time, to string, changes delta.Changes) (err error) {
	if r.state, err = readState(ctx, r.w.conn); err != nil {
		return err
	}
	now := max(r.state.Synced.Unix(), min(synced.Unix(), time.Now().Unix()))
	err = r.transaction(ctx, func() error {
		if err := changes(func(c *delta.Change) error { return r.change(ctx, c) }); err != nil {
			return err
		}
		if err := r.w.flushWords(ctx); err != nil {
			return err
		}
		return r.end(ctx, to, time.Unix(now, 0).UTC().Format(time.RFC3339))
	})
	r.report.Stamp = to
	return err
}

// change writes one change.
func (r *run) change(ctx context.Context, c *delta.Change) error {
	if c.New == 0 {
		r.w.page.Removed++
		return r.w.drop(ctx, c.ID, c.Target)
	}
	record, err := history.Next(ctx, r.w.conn, history.Codec{Unpacker: r.unpacker}, c.ID, c.Data)
	if err != nil {
		return errors.Join(delta.ErrDamaged, err)
	}
	s, err := readStudy(record.Text(""))
	if err != nil || s.id != c.ID || s.hash != c.New {
		return errors.Join(delta.ErrDamaged, err)
	}
	return r.w.put(ctx, s)
}
