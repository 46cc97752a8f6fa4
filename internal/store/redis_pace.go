package store

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

// pace runs an operation of the script, which returns two numbers.
func (r *redisServer) pace(ctx context.Context, operation, host string, interval time.Duration, argument int64) (first, second int64,
	err error) {
	var reply []int64
	err = r.do(ctx, func(ctx context.Context) (err error) {
		keys, args := []string{paceKey}, []any{operation, host, interval.Microseconds(), argument}
		reply, err = r.client.EvalSha(ctx, paceScript.Hash(), keys, args...).Int64Slice()
		if redis.HasErrorPrefix(err, "NOSCRIPT") {
			reply, err = r.client.Eval(ctx, paceSource, keys, append(args, "new")...).Int64Slice()
		}
		if err == nil && len(reply) != 2 {
			err = fmt.Errorf("an answer of %d numbers", len(reply))
		}
		return err
	})
	if err != nil {
		return 0, 0, err
	}
	return reply[0], reply[1], nil
}

// ready returns an error unless Redis answers and can be written.
func (r *redisServer) ready(ctx context.Context) error {
	_, _, err := r.pace(ctx, "ready", "", 0, 0)
	return err
}

// probe returns an error unless Redis can be written: a Redis that rejects entries rejects the pace, too.
func (r *redisServer) probe(ctx context.Context) error { return r.ready(ctx) }

// report records a start that was made without Redis, for the other replicas.
func (r *redisServer) report(ctx context.Context, host string, start time.Time) error {
	_, _, err := r.pace(ctx, "report", host, 0, time.Since(start).Microseconds())
	return err
}

// begin uses now, the time before the claim, as the start: a caller that waited long for the answer then sees that the start has passed. A
// wait that the script never gives is an error: it would hold the caller, or the replica.
func (r *redisServer) begin(ctx context.Context, host string, now time.Time, interval time.Duration) (time.Duration, error) {
	if wait := r.waitOfShare(host, now, interval); wait > 0 {
		return wait, nil
	}
	wait, shared, err := r.pace(ctx, "start", host, interval, 0)
	switch {
	case err != nil:
		return 0, err
	case wait < 0 || wait > interval.Microseconds() || (wait == 0) == (shared == 0):
		err = fmt.Errorf("query Redis: a wait of %d µs at an interval of %v", wait, interval)
		r.end(err)
		return 0, err
	case shared != 0:
		r.remember(host, now)
	}
	return micro(wait), nil
}

func (r *redisServer) spend(ctx context.Context, host string, _ time.Time, most int) (int, error) {
	used, _, err := r.pace(ctx, "spend", host, 0, int64(most))
	return int(used), err
}

// keepShare makes the replica keep its share for a time after its return, in addition to the pace of Redis: the other replicas may still be
// without Redis.
func (r *redisServer) keepShare(old backend, until time.Time) {
	f, ok := old.(*fallback)
	if !ok {
		return
	}
	r.share, r.until = f.share, until
	for host, at := range f.starts() {
		r.remember(host, at)
	}
}

// waitOfShare returns the wait of a start while the replica keeps its share.
func (r *redisServer) waitOfShare(host string, now time.Time, interval time.Duration) time.Duration {
	if !now.Before(r.until) {
		return 0
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.starts[host].Add(r.share(interval)).Sub(now)
}

func micro(n int64) time.Duration { return time.Duration(n) * time.Microsecond }

func (r *redisServer) remember(host string, start time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.starts[host] = start
}
