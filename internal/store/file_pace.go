package store

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"time"
)

const (
	// takeTurn decides and takes in one statement, so that no two processes take
	// the same turn.
	takeTurn = `INSERT INTO pace (host, next, seen) VALUES (:host, :now + :interval, :now)
		ON CONFLICT (host) DO UPDATE SET next = max(next, :now) + :interval, seen = max(seen, :now)
		WHERE next <= :now + :limit AND seen <= :now + :skew
		RETURNING next - :interval`
	claimStart = `INSERT INTO pace (host, next, last, seen) VALUES (:host, :now, :now, :now)
		ON CONFLICT (host) DO UPDATE SET last = :now, seen = max(seen, :now)
		WHERE last <= :now - :interval OR last = :mine
		RETURNING last`
	readPace = "SELECT CAST(next AS INTEGER), CAST(last AS INTEGER), CAST(seen AS INTEGER) FROM pace WHERE host = ?"
	// resetPace forgets the turns. A start may have been made until now.
	resetPace = `UPDATE pace SET next = :now, last = :now, seen = :now WHERE host = :host`
	// reportStart adds a start that was made without the file.
	reportStart = `INSERT INTO pace (host, next, last, seen) VALUES (:host, :start, :start, :now)
		ON CONFLICT (host) DO UPDATE SET last = max(last, :start), seen = max(seen, :now)`
)

const (
	// clockSkew is by how much a time in the file may be ahead of the clock: a
	// process reads the clock before it waits for the lock of the file.
	clockSkew = busyTimeout
	// maxQueue is longer than any queue.
	maxQueue = time.Hour
)

// pace is the state of a host in the file, as microseconds since 1970.
type pace struct{ next, last, seen int64 }

// invalid reports whether the row is from a clock that was set back since, or is
// damaged. Waiting for it could take hours.
func (p pace) invalid(now time.Time) bool {
	latest := now.Add(clockSkew).UnixMicro()
	return p.seen > latest || p.last > latest || p.next > now.Add(maxQueue).UnixMicro()
}

func (f *file) readPace(ctx context.Context, host string) (p pace, err error) {
	err = f.db.QueryRowContext(ctx, readPace, host).Scan(&p.next, &p.last, &p.seen)
	return p, err
}

func (f *file) resetPace(ctx context.Context, host string, now time.Time) error {
	return f.write(ctx, func() error {
		_, err := f.db.ExecContext(ctx, resetPace, sql.Named("host", host), sql.Named("now", now.UnixMicro()))
		return err
	})
}

var errReplaced = errors.New("the file was removed or replaced")

// current returns an error where the path leads to another file than the one
// that was opened: other processes would keep their pace in that.
func (f *file) current() error {
	if now, err := os.Stat(f.path); err != nil || !os.SameFile(now, f.identity) {
		return errors.Join(errReplaced, err)
	}
	return nil
}

func (f *file) reserve(ctx context.Context, host string, now time.Time, interval, limit time.Duration) (time.Time, bool, error) {
	if err := f.current(); err != nil {
		return time.Time{}, false, err
	}
	turn, err := f.take(ctx, host, now, interval, limit)
	if !errors.Is(err, sql.ErrNoRows) {
		return time.UnixMicro(turn), err == nil, err
	}
	p, err := f.readPace(ctx, host)
	if err != nil {
		return time.Time{}, false, err
	}
	if !p.invalid(now) {
		return time.UnixMicro(p.next), false, nil
	}
	if err := f.resetPace(ctx, host, now); err != nil {
		return time.Time{}, false, err
	}
	if turn, err = f.take(ctx, host, now, interval, limit); errors.Is(err, sql.ErrNoRows) {
		return now.Add(interval), false, nil // other processes were quicker
	}
	return time.UnixMicro(turn), err == nil, err
}

func (f *file) take(ctx context.Context, host string, now time.Time, interval, limit time.Duration) (turn int64, err error) {
	err = f.write(ctx, func() error {
		return f.takeTurn.QueryRowContext(ctx,
			sql.Named("host", host), sql.Named("now", now.UnixMicro()), sql.Named("interval", interval.Microseconds()),
			sql.Named("limit", limit.Microseconds()), sql.Named("skew", clockSkew.Microseconds())).Scan(&turn)
	})
	return turn, err
}

func (f *file) begin(ctx context.Context, host string, now, mine time.Time, interval time.Duration) (time.Duration, error) {
	if err := f.current(); err != nil {
		return 0, err
	}
	err := f.write(ctx, func() error {
		var last int64
		return f.claimStart.QueryRowContext(ctx, sql.Named("host", host), sql.Named("now", now.UnixMicro()),
			sql.Named("mine", mine.UnixMicro()), sql.Named("interval", interval.Microseconds())).Scan(&last)
	})
	if !errors.Is(err, sql.ErrNoRows) {
		return 0, err
	}
	p, err := f.readPace(ctx, host)
	if err != nil {
		return 0, err
	}
	if p.invalid(now) {
		return interval, f.resetPace(ctx, host, now)
	}
	return max(time.Microsecond, time.UnixMicro(p.last).Add(interval).Sub(now)), nil
}

func (f *file) release(ctx context.Context, host string, turn time.Time, interval time.Duration) error {
	return f.write(ctx, func() error {
		_, err := f.db.ExecContext(ctx, "UPDATE pace SET next = ? WHERE host = ? AND next = ?",
			turn.UnixMicro(), host, turn.UnixMicro()+interval.Microseconds())
		return err
	})
}

// report tells the other processes of a start that was made without the file.
func (f *file) report(ctx context.Context, host string, start time.Time) error {
	now := time.Now()
	return f.write(ctx, func() error {
		_, err := f.db.ExecContext(ctx, reportStart, sql.Named("host", host),
			sql.Named("start", now.Add(-time.Since(start)).UnixMicro()), sql.Named("now", now.UnixMicro()))
		return err
	})
}

// ready returns an error unless the pace can be written.
func (f *file) ready(ctx context.Context) error { return f.report(ctx, "", time.Now()) }
