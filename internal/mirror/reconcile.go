package mirror

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/biofact-mcp/biofact/internal/mirror/feed"
	"github.com/biofact-mcp/biofact/internal/mirror/history"
	"github.com/biofact-mcp/biofact/internal/mirror/stored"
)

const (
	// sweepAge is the time between two comparisons of all ids. Counts do not show a removed study if another study with
	// an old date was added.
	sweepAge = 30 * 24 * time.Hour
	// rereadAge is the time between two re-readings. Each reads 1/rereadShare of the registry, because derived data, such
	// as MeSH terms, change without a new date.
	rereadAge   = 20 * time.Hour
	rereadShare = 30
	// minRemoved and maxRemovedShare bound the removals of one sync: a registry that lists far fewer trials than before is
	// probably out of order.
	minRemoved, maxRemovedShare = 200, 20
)

// reconcile finds the studies that the registry has removed and the studies that the walk has missed.
func (r *run) reconcile(ctx context.Context) error {
	if r.state.Complete() && r.due(ctx, keySwept, sweepAge) {
		return r.sweep(ctx)
	}
	r.reportProgress("comparing counts", 0, 0)
	total, err := r.registry.Count(ctx, "")
	if err == nil && total == 0 {
		err = errors.New("the registry lists no trials, so it may be out of order; sync again tomorrow")
	}
	if err != nil {
		return err
	}
	here, err := r.countLocal(ctx, 0, math.MaxInt32)
	if err != nil || here == total {
		return err
	}
	if err := r.checkLoss(ctx, here-total); err != nil {
		return err
	}
	var d difference
	if err := r.halve(ctx, 0, math.MaxInt32, total, &d); err != nil {
		return err
	}
	return r.resolve(ctx, d)
}

// countLocal returns the number of studies in the file that were last updated between two days. A study without a
// day has the day 0.
func (r *run) countLocal(ctx context.Context, from, to int64) (int, error) {
	n, _, err := r.w.number(ctx, "SELECT count(*) FROM study WHERE updated BETWEEN ? AND ?", from, to)
	return int(n), err
}

// halve compares the studies of a span of days, of which the registry has remote. While the counts differ it halves the span,
// until one page lists its ids.
func (r *run) halve(ctx context.Context, from, to int64, remote int, d *difference) error {
	local, err := r.countLocal(ctx, from, to)
	if err != nil || local == remote {
		return err
	}
	middle, _, err := r.w.number(ctx,
		"SELECT updated FROM study WHERE updated BETWEEN ? AND ? ORDER BY 1 LIMIT 1 OFFSET ?", from, to, local/2)
	if err != nil {
		return err
	}
	if max(local, remote) <= r.registry.Size || middle <= from || middle >= to {
		return r.compare(ctx, from, to, d)
	}
	before, err := r.registry.Count(ctx, filterOf(from, middle))
	if err != nil {
		return err
	}
	if err := r.halve(ctx, from, middle, before, d); err != nil {
		return err
	}
	return r.halve(ctx, middle+1, to, remote-before, d)
}

// filterOf returns the filter of the studies of a span of days. The day 0 is that of studies without a date, which no range contains.
func filterOf(from, to int64) string {
	var first, last string
	if from > 0 {
		first = stored.Date(from)
	}
	if to < math.MaxInt32 {
		last = stored.Date(to)
	}
	return feed.UpdatedBetween(first, last)
}

// sweep compares all ids.
func (r *run) sweep(ctx context.Context) error {
	r.reportProgress("comparing all ids", 0, 0)
	var d difference
	if err := r.compare(ctx, 0, math.MaxInt32, &d); err != nil {
		return err
	}
	if err := r.resolve(ctx, d); err != nil {
		return err
	}
	return r.transaction(ctx, func() error { return r.w.set(ctx, keySwept, time.Now().UTC().Format(time.RFC3339)) })
}

// A difference has the studies that only the registry has or that have another day there, and those that only the mirror has.
type difference struct{ missed, lost []int64 }

// compare adds the differences of a span of days, whose ids it compares one by one.
func (r *run) compare(ctx context.Context, from, to int64, d *difference) error {
	listed, err := r.registry.IDs(ctx, filterOf(from, to))
	if err != nil {
		return err
	}
	const days = "SELECT id, updated FROM study WHERE updated BETWEEN ? AND ?"
	here, err := history.Map[int64, int64](r.w.conn.QueryContext(ctx, days, from, to))
	if err != nil {
		return err
	}
	for _, s := range listed {
		if known, ok := here[s.ID]; !ok || known != s.Day {
			d.missed = append(d.missed, s.ID)
		}
		delete(here, s.ID)
	}
	d.lost = slices.AppendSeq(d.lost, maps.Keys(here))
	return nil
}

// resolve reads the studies of a difference by their ids.
func (r *run) resolve(ctx context.Context, d difference) error {
	if err := r.checkLoss(ctx, len(d.lost)); err != nil {
		return err
	}
	for _, ids := range [][]int64{d.missed, d.lost} {
		slices.Sort(ids)
		for some := range slices.Chunk(slices.Compact(ids), feed.IDsAtOnce) {
			if err := r.readByID(ctx, some); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkLoss returns an error if so many studies were lost that the registry must be out of order.
func (r *run) checkLoss(ctx context.Context, lost int) error {
	here, err := r.countLocal(ctx, 0, math.MaxInt32)
	if err == nil && r.state.Complete() && lost > max(minRemoved, here/maxRemovedShare) {
		err = fmt.Errorf("the registry does not list %d of the %d trials of the mirror, so it may be out of order: nothing was removed; "+
			"sync again tomorrow, "+
			"and if that says the same, remove the mirror and load it again", lost, here)
	}
	return err
}

// readByID reads studies by their ids and writes them. It removes studies that the registry does not have; the id of a merged
// study becomes an alias.
func (r *run) readByID(ctx context.Context, ids []int64) error {
	defer r.w.abandon()
	var pending map[int64]bool // ids that were not found yet
	var texts []string
	for _, id := range ids {
		texts = append(texts, stored.NCT(id))
	}
	q := feed.Query{Ids: texts, Size: len(ids)}
	for {
		p, err := r.registry.Page(ctx, q, feed.Handler{
			Start: func() error {
				r.w.abandon() // of an attempt that failed
				pending = map[int64]bool{}
				for _, id := range ids {
					pending[id] = true
				}
				return r.w.begin(ctx)
			},
			Study: func(raw []byte) error { return r.writeFound(ctx, raw, pending) },
		})
		if err != nil {
			return err
		}
		if p.Next == "" {
			break
		}
		if p.Studies == 0 {
			return fmt.Errorf("the registry listed %d trials without an end", len(ids))
		}
		// The registry split the list into pages: read all of it again in a larger page.
		q.Size = min(2*q.Size, feed.LargestPage)
		if q.Size == feed.LargestPage {
			return fmt.Errorf("the registry listed more than the %d requested trials", len(ids))
		}
	}
	for id := range pending {
		if err := r.w.drop(ctx, id, 0); err != nil {
			return err
		}
	}
	r.w.page.Removed = len(pending)
	return r.w.commit(ctx)
}

// writeFound writes a study and removes the studies that were merged into it.
func (r *run) writeFound(ctx context.Context, raw []byte, pending map[int64]bool) error {
	s, err := readStudy(raw)
	if err != nil {
		return err
	}
	delete(pending, s.id)
	for _, id := range s.aliases() {
		if pending[id] { // also of a study that has not changed
			if err := r.w.dropMerged(ctx, id, s.id); err != nil {
				return err
			}
			delete(pending, id)
		}
	}
	return r.w.put(ctx, s)
}

// reread reads a part of the registry again, from the end of the last re-reading.
func (r *run) reread(ctx context.Context) error {
	if !r.state.Complete() || !r.due(ctx, keyRereadAt, rereadAge) {
		return nil
	}
	here, err := r.countLocal(ctx, 0, math.MaxInt32)
	if err != nil {
		return err
	}
	day, err := readMeta[string](ctx, r.w.conn, keyReread) // no value: begin with the oldest
	if err != nil {
		return err
	}
	chain := walkPages{run: r, title: "reading older trials again", day: day, maxPages: 1 + (here-1)/rereadShare/r.registry.Size}
	if err := chain.read(ctx, func(string) error { return nil }); err != nil {
		return err
	}
	next := chain.last
	if chain.complete {
		next = ""
	}
	now := time.Now().UTC().Format(time.RFC3339)
	return r.transaction(ctx, func() error {
		if err := r.w.set(ctx, keyReread, next); err != nil {
			return err
		}
		return r.w.set(ctx, keyRereadAt, now)
	})
}
