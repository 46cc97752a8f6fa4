package mirror

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/biofact-mcp/biofact/internal/mirror/disk"
	"github.com/biofact-mcp/biofact/internal/mirror/feed"
	"github.com/biofact-mcp/biofact/internal/mirror/history"
	"github.com/biofact-mcp/biofact/internal/mirror/stored"
)

const (
	// overlap is the time before the newest day at which an update begins.
	overlap = 24 * time.Hour
	// maxRounds bounds the repetitions of a sync during which the registry publishes new data.
	maxRounds = 5
	// training is the number of the newest trials that a sync reads for the dictionary.
	training = 100
	// optimizeAge is the time between two merges of the word index.
	optimizeAge = 7 * 24 * time.Hour
)

// Run syncs. A sync may be stopped at any time: the next sync continues from its last page. The report is complete also if Run
// returns an error.
func (s *Sync) Run(ctx context.Context) (Report, error) {
	return s.run(ctx, func(r *run) error { return r.sync(ctx) })
}

func (r *run) sync(ctx context.Context) error {
	if err := r.prepare(ctx); err != nil {
		return err
	}
	stamp, err := r.registry.Version(ctx)
	if err != nil {
		return err
	}
	if r.state.Stamp == stamp && r.state.Walk == "" {
		r.report.Unchanged = true
		return r.finish(ctx, stamp)
	}
	for range maxRounds {
		if err := r.round(ctx); err != nil {
			return err
		}
		now, err := r.registry.Version(ctx)
		if err != nil {
			return err
		}
		if now == stamp {
			return r.finish(ctx, stamp)
		}
		stamp = now
		if !r.guarded {
			r.state.Stamp, r.state.Walk = "", "" // the walk may have missed any study: read all again
		}
	}
	return errors.New("the registry published again and again while it was read; run the same command again later")
}

// round reads the changed studies and finds the removed ones.
func (r *run) round(ctx context.Context) error {
	if err := r.walk(ctx); err != nil {
		return err
	}
	if err := r.reconcile(ctx); err != nil {
		return err
	}
	return r.reread(ctx)
}

// prepare reads the state of the file and checks its source.
func (r *run) prepare(ctx context.Context) (err error) {
	if r.state, err = readState(ctx, r.w.conn); err != nil {
		return err
	}
	switch r.state.Source {
	case r.Source:
	case "":
		if err := r.transaction(ctx, func() error { return r.w.set(ctx, keySource, r.Source) }); err != nil {
			return err
		}
	default:
		return fmt.Errorf("%w: %s", ErrSource, r.state.Source)
	}
	dictionary, err := readMeta[[]byte](ctx, r.w.conn, keyDictionary)
	if err == nil && dictionary == nil {
		return r.train(ctx)
	}
	if err == nil {
		r.w.packer, err = stored.NewPacker(dictionary)
	}
	if err != nil {
		return err
	}
	return r.keepHistory(ctx, dictionary)
}

// keepHistory prepares to keep the versions of records that this sync ends.
func (r *run) keepHistory(ctx context.Context, dictionary []byte) error {
	days, err := historyDays(ctx, r.w.conn, r.History)
	if err != nil {
		return err
	}
	if r.unpacker, err = stored.NewUnpacker(dictionary); err != nil {
		return err
	}
	return r.transaction(ctx, func() error {
		r.w.past, err = history.Begin(ctx, r.w, history.Start{Stamp: r.state.Stamp, Updating: r.state.Walk != "", Days: days}, r.unpacker)
		return err
	})
}

// train creates the dictionary of the compression, once for the file.
func (r *run) train(ctx context.Context) error {
	var samples [][]byte
	p, err := r.registry.Page(ctx, feed.Query{Sort: "LastUpdatePostDate:desc", Size: training, Total: true}, feed.Handler{
		Start: func() error { samples = nil; return nil },
		Study: func(raw []byte) error {
			s, err := readStudy(raw)
			if err == nil && len(samples) < stored.DictionarySamples && len(s.main) <= stored.LargestSample {
				samples = append(samples, slices.Clone(s.main))
			}
			return err
		},
	})
	if err != nil {
		return err
	}
	if err := disk.CheckSpace(r.Path, p.Total); err != nil {
		return err
	}
	dictionary := stored.Dictionary(samples)
	if r.w.packer, err = stored.NewPacker(dictionary); err != nil {
		return err
	}
	r.state.Expected = max(0, p.Total)
	err = r.transaction(ctx, func() error {
		return errors.Join(r.w.set(ctx, keyDictionary, dictionary), r.w.set(ctx, keyExpected, r.state.Expected), r.w.mergeLater(ctx, true))
	})
	if err != nil {
		return err
	}
	return r.keepHistory(ctx, dictionary)
}

// walk reads the studies in the order of their last update, from the day where the last walk ended. A study
// that changes during the walk moves ahead of it. One transaction writes a page and its last day, so that an interrupted walk
// can continue from that day.
func (r *run) walk(ctx context.Context) error {
	day, err := r.startDay(ctx)
	if err != nil {
		return err
	}
	r.guarded = true
	chain := walkPages{run: r, title: "reading trials", day: day}
	if err := chain.read(ctx, func(last string) error { return r.w.set(ctx, keyWalk, last) }); err != nil {
		return err
	}
	if chain.last != "" {
		r.state.Walk = chain.last
	}
	return nil
}

// startDay returns the day where a walk begins; "" for all.
func (r *run) startDay(ctx context.Context) (string, error) {
	if r.state.Walk != "" || r.state.Stamp == "" {
		return r.state.Walk, nil
	}
	newest, _, err := r.w.number(ctx, "SELECT coalesce(max(updated), 0) FROM study")
	if err != nil {
		return "", err
	}
	from := r.state.Day()
	if newest > 0 {
		from = min(from, stored.Date(newest))
	}
	day, err := time.Parse(time.DateOnly, from)
	if err != nil {
		return "", nil //nolint:nilerr // an invalid day counts as before all others
	}
	return day.Add(-overlap).Format(time.DateOnly), nil
}

// finish notes that the mirror is complete for a time stamp, counts the trials and rearranges the file.
func (r *run) finish(ctx context.Context, stamp string) error {
	now := time.Now().UTC().Format(time.RFC3339)
	if err := r.transaction(ctx, func() error { return r.end(ctx, stamp, now) }); err != nil {
		return err
	}
	r.report.Stamp = stamp
	trials, _, err := r.w.number(ctx, "SELECT count(*) FROM study")
	if err != nil {
		return err
	}
	r.report.Trials = int(trials)
	return r.tidy(ctx, now)
}

// end writes, in the open transaction, that the mirror is complete for a time stamp.
func (r *run) end(ctx context.Context, stamp, synced string) error {
	if r.state.Stamp == "" { // this sync has read the whole registry
		r.reportProgress("writing the indexes", 0, 0)
		if _, err := r.w.conn.ExecContext(ctx, indexes()); err != nil {
			return err
		}
		if err := errors.Join(r.w.set(ctx, keySwept, synced), r.w.mergeLater(ctx, false)); err != nil {
			return err
		}
	}
	return errors.Join(r.w.past.Finish(ctx, stamp), r.w.set(ctx, keyStamp, stamp), r.w.set(ctx, keySynced, synced),
		r.w.exec(ctx, "DELETE FROM meta WHERE key = ?", keyWalk))
}

// tidy merges the word index once every optimizeAge.
func (r *run) tidy(ctx context.Context, now string) error {
	if r.due(ctx, keyOptimized, optimizeAge) {
		r.reportProgress("rearranging the word index", 0, 0)
		if err := errors.Join(r.w.merge(ctx), r.w.exec(ctx, "PRAGMA analysis_limit = 1000"), r.w.exec(ctx, "ANALYZE")); err != nil {
			return err
		}
		if err := r.transaction(ctx, func() error { return r.w.set(ctx, keyOptimized, now) }); err != nil {
			return err
		}
	}
	return r.w.checkpoint(ctx)
}

// historyDays returns for how many days a file keeps its history. A setting of the caller overrides that of the file.
func historyDays(ctx context.Context, db querier, setting string) (int, error) {
	own, err := readMeta[string](ctx, db, keyHistory)
	if err != nil {
		return 0, err
	}
	return history.Days(cmp.Or(setting, own, "all"))
}
