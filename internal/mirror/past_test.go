package mirror

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mirror/history"
	"github.com/biofact-mcp/biofact/internal/mirror/stored"
)

// served returns the records of a registry, as texts with the date of the data.
func (c *copied) served() map[string]string {
	all := map[string]string{}
	for _, id := range c.IDs() {
		all[id] = string(c.Record(id))
	}
	return all
}

// past returns the records of all known trials in the state of a day.
func (c *copied) past(t *testing.T, day string, ids map[string]bool) map[string]string {
	t.Helper()
	all := map[string]string{}
	reader := NewReader(c.sync.Path)
	defer func() { expect.NoError(t, reader.Close()) }()
	expect.NoError(t, reader.History(t.Context(), func(h *history.Reader) error {
		at, err := h.At(day)
		expect.NoError(t, err)
		for id := range ids {
			n, _ := stored.Number(id)
			record, err := h.Record(t.Context(), n, at)
			if errors.As(err, new(*history.GoneError)) {
				continue
			}
			expect.NoErrorf(t, err, "%s on %s", id, day)
			all[id] = string(record.Text(at.Day()))
		}
		return nil
	}))
	return all
}

// TestPast: the history has each record as the registry served it on each day, byte for byte, with removals and merges, also of a file
// that an older version made, over stopped syncs, and on a full disk. No sync reads the registry again for it.
func TestPast(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	c := copying(t, size(400))
	c.run(t)
	db, err := openWriter(t.Context(), c.sync.Path)
	expect.NoError(t, err)
	_, err = db.ExecContext(t.Context(), "DROP TABLE version; DROP TABLE finished") // as an older version makes a file
	expect.NoError(t, err)
	expect.NoError(t, db.Close())
	reader := NewReader(c.sync.Path)
	defer func() { expect.NoError(t, reader.Close()) }()
	err = reader.History(t.Context(), func(*history.Reader) error { return nil })
	expect.That(t, errors.Is(err, history.ErrNone), "%v", err)

	states, ids := []map[string]string{c.served()}, map[string]bool{}
	days := []string{Facts{}.Day()}
	random := rand.New(rand.NewPCG(1, 1))
	for publication := range 8 {
		state, err := reader.State(t.Context())
		expect.NoError(t, err)
		days[len(days)-1] = state.Day()
		c.Change(size(60), 3, 1, 4)
		if publication%3 == 1 {
			c.MergeOld()
		}
		states, days = append(states, c.served()), append(days, "")
		ctx, cancel := context.WithCancel(t.Context())
		stop := 1 + random.IntN(3)
		c.OnPage(func(page int) {
			if page == stop && publication%2 == 0 {
				cancel()
			}
		})
		_, err = c.sync.Run(ctx)
		expect.That(t, err == nil || errors.Is(err, context.Canceled), "%v", err)
		if publication == 3 {
			c.sync.maxPages = 1
			c.Change(size(100), 0, 0, size(600))
			states[len(states)-1] = c.served()
			_, err = c.sync.Run(t.Context())
			expect.That(t, IsFull(err), "%v", err)
			c.sync.maxPages = 0
		}
		cancel()
		c.OnPage(nil)
		c.run(t)
	}
	state, err := reader.State(t.Context())
	expect.NoError(t, err)
	days[len(days)-1] = state.Day()
	for i := range states {
		for id := range states[i] {
			ids[id] = true
		}
	}
	for i, want := range states {
		got := c.past(t, days[i], ids)
		if !maps.Equal(want, got) {
			t.Errorf("%s (-registry +history)\n%.3000s", days[i], cmp.Diff(want, got))
		}
	}
	v, err := c.sync.Verify(t.Context())
	expect.That(t, err == nil && v.Damage == "", "%v %s", err, v.Damage)

	expect.NoError(t, KeepHistory(t.Context(), c.sync.Path, "2"))
	expect.That(t, maps.Equal(states[len(states)-2], c.past(t, days[len(days)-2], ids)), "after it was shortened")
	db, err = openWriter(t.Context(), c.sync.Path)
	expect.NoError(t, err)
	var data []byte
	expect.NoError(t, db.QueryRowContext(t.Context(), "SELECT max(main) FROM version").Scan(&data))
	_, err = db.ExecContext(t.Context(), "UPDATE version SET main = ?", bytes.ToUpper(data))
	expect.NoError(t, err)
	expect.NoError(t, db.Close())
	v, err = c.sync.Verify(t.Context())
	expect.That(t, err == nil && v.Damage != "", "%v %+v", err, v)
	c.sync.History = "0"
	c.Change(1, 0, 0, 0)
	c.run(t)
	err = reader.History(t.Context(), func(*history.Reader) error { return nil })
	expect.That(t, errors.Is(err, history.ErrNone), "%v", err)
}
