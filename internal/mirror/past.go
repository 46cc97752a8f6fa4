package mirror

import (
	"context"
	"errors"

	"github.com/biofact-mcp/biofact/internal/mirror/history"
	"github.com/biofact-mcp/biofact/internal/query"
)

// KeepHistory changes for how many days a file keeps its history, and removes what is older.
func KeepHistory(ctx context.Context, path, setting string) error {
	days, err := history.Days(setting)
	if err != nil {
		return err
	}
	if _, err := Inspect(ctx, path); err != nil {
		return err
	}
	_, err = (&Sync{Path: path}).run(ctx, func(r *run) error {
		return r.transaction(ctx, func() error {
			return errors.Join(r.w.set(ctx, keyHistory, setting), history.Shorten(ctx, r.w.conn, days))
		})
	})
	return err
}

// History calls a function with the history of the file, in one state. Its error is history.ErrNone for a file without one.
func (r *Reader) History(ctx context.Context, read func(*history.Reader) error) error {
	c, done, err := r.use(ctx)
	if err != nil {
		return err
	}
	defer done()
	h, err := history.Open(ctx, c.db, c.file.Unpacker)
	if err != nil {
		return err
	}
	return read(h)
}

// Matching returns the numbers of the studies that a search finds, in ascending order. It reads no record that the index decides.
func (r *Reader) Matching(ctx context.Context, s *query.Search) (ids []int64, err error) {
	c, done, err := r.use(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	where, err := c.find(ctx, s)
	if err != nil {
		return nil, err
	}
	return c.idsOf(ctx, "SELECT id FROM study WHERE "+where.sql+" ORDER BY id", where.args...)
}
