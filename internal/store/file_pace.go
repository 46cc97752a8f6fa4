package store

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"time"
)

const (
	// claimStart checks and claims in one statement, so that no two processes claim the same start.
	claimStart = `INSERT INTO pace (host, last, seen) VALUES (:host, :now, :now)
		ON CONFLICT (host) DO UPDATE SET last = :now, seen = max(seen, :now)
		WHERE last <= :now - :interval
		RETURNING last`
	// spendStart counts a request of a day in one statement. The value of a host is the number of the day times a million, and the count.
	spendStart = `INSERT INTO pace (host, last, seen) VALUES (:host, :day + 1, :now)
		ON CONFLICT (host) DO UPDATE SET seen = :now, last = CASE WHEN last BETWEEN :day AND :day + 999999 THEN last + 1 ELSE :day + 1 END
		WHERE last NOT BETWEEN :day + :most AND :day + 999999
		RETURNING last`
	readPace = "SELECT CAST(last AS INTEGER), CAST(seen AS INTEGER) FROM pace WHERE host = ?"
	// resetPace sets the start to now, as another one may have been made until now.
	resetPace = `UPDATE pace SET last = :now, seen = :now WHERE host = :host`
	// reportStart adds a start that was made without the file.
	reportStart = `INSERT INTO pace (host, last, seen) VALUES (:host, :start, :now)
		ON CONFLICT (host) DO UPDATE SET last = max(last, :start), seen = max(seen, :now)`
)

// clockSkew is how far a time in the file may be ahead of the clock: a process reads the clock before it waits for the lock of the file.
const clockSkew = busyTimeout

// pace is the state of a host in the file, in microseconds since 1970.
type pace struct{ last, seen int64 }

// invalid reports whether the row is damaged, or was written before the clock was set back. Waiting for it could take hours.
func (p pace) invalid(now time.Time) bool {
	return max(p.seen, p.last) > now.Add(clockSkew).UnixMicro()
}

func (f *file) readPace(ctx context.Context, host string) (p pace, err error) {
	err = f.db.QueryRowContext(ctx, readPace, host).Scan(&p.last, &p.seen)
	return p, err
}

func (f *file) resetPace(ctx context.Context, host string, now time.Time) error {
	return f.write(ctx, func() error {
		_, err := f.db.ExecContext(ctx, resetPace, sql.Named("host", host), sql.Named("now", now.UnixMicro()))
		return err
	})
}

var errReplaced = errors.New("the file was removed or replaced")

// checkPath returns an error if the path now leads to another file than the one that was opened: other processes would use that file.
func (f *file) checkPath() error {
	if now, err := os.Stat(f.path); err != nil || !os.SameFile(now, f.identity) {
		return errors.Join(errReplaced, err)
	}
	return nil
}

func (f *file) begin(ctx context.Context, host string, now time.Time, interval time.Duration) (time.Duration, error) {
	if err := f.checkPath(); err != nil {
		return 0, err
	}
	err := f.write(ctx, func() error {
		var last int64
		return f.claimStart.QueryRowContext(ctx, sql.Named("host", host), sql.Named("now", now.UnixMicro()),
			sql.Named("interval", interval.Microseconds())).Scan(&last)
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

func (f *file) spend(ctx context.Context, host string, now time.Time, most int) (int, error) {
	if err := f.checkPath(); err != nil {
		return 0, err
	}
	var last int64
	err := f.write(ctx, func() error {
		return f.db.QueryRowContext(ctx, spendStart, sql.Named("host", dayHost+host), sql.Named("day", dayOf(now)),
			sql.Named("most", most), sql.Named("now", now.UnixMicro())).Scan(&last)
	})
	if errors.Is(err, sql.ErrNoRows) {
		return most + 1, nil
	}
	return int(last - dayOf(now)), err
}

// dayHost begins the name under which the requests of a day to a host are counted.
const dayHost = "day "

// dayOf returns the number of a day in UTC times a million, so that the sum with a count is one number.
func dayOf(now time.Time) int64 { return now.Unix() / (24 * 60 * 60) * 1_000_000 }

// report records a start that was made without the file, for the other processes.
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
