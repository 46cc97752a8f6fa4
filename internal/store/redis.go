package store

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	_ "embed"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// fleet is the backend that all replicas share: Redis. Its first error ends it:
// what waits then, and whatever is asked later, fails at once.
type fleet struct {
	client  *redis.Client
	address string   // without user and password
	secrets []string // which no error shows

	slots chan struct{} // callers at the server; senders are served in order
	gone  context.Context
	end   context.CancelCauseFunc // of gone

	mu            sync.Mutex
	turns, starts map[string]mark // the newest of this replica by host
}

// mark is one moment by two clocks: the caller's, and that of Redis in
// microseconds.
type mark struct {
	local  time.Time
	shared int64
}

// All keys begin so; the number is the version of what stands in them. The key
// of the pace never expires: there are few hosts, and Redis, where it evicts
// what has a time to live only, shall keep it.
const (
	prefix      = "biofact:1:"
	paceKey     = prefix + "pace"
	entryPrefix = prefix + "entry:"
)

const (
	// keep is how long an entry lives: Redis' own policy bounds the memory.
	keep = 30 * 24 * time.Hour
	// longKey bounds the bytes of a key that stands in Redis as it is.
	longKey = 200
	// largest bounds a value: Redis serves nobody else while it takes one.
	largest = 4 << 20

	// callers bounds the connections.
	callers = 8
	// answering bounds each dial, write and read; patience all of an operation.
	answering = 250 * time.Millisecond
	patience  = 500 * time.Millisecond
)

//go:embed pace.lua
var paceSource string

var paceScript = redis.NewScript(paceSource)

var errClosed = errors.New("the store is closed")

// openFleet connects to Redis, and finds out whether it can be written.
func openFleet(ctx context.Context, address string) (*fleet, error) {
	o, err := redisOptions(address)
	if err != nil {
		return nil, err
	}
	f := &fleet{address: redisAddress(o), slots: make(chan struct{}, callers), turns: map[string]mark{}, starts: map[string]mark{}}
	for _, secret := range []string{o.Password, o.Username} {
		if secret != "" {
			f.secrets = append(f.secrets, secret)
		}
	}
	f.gone, f.end = context.WithCancelCause(context.Background())
	o.Dialer = f.dialer(o.TLSConfig)
	o.DialTimeout, o.ReadTimeout, o.WriteTimeout, o.PoolTimeout = answering, answering, answering, answering
	o.ContextTimeoutEnabled = true
	o.DialerRetries = 1
	// Once more, for a connection that the server closed while it was idle. That
	// spoils no pace: a turn or a start that was taken twice is not used twice.
	o.MaxRetries = 1
	o.MaxRetryBackoff = 20 * time.Millisecond
	// As many failures to dial as the pool is large make it dial in the
	// background, beyond its end. The callers and their retries stay below.
	o.PoolSize = 4 * callers
	o.PipelinePoolSize = -1
	o.ConnMaxIdleTime = -1
	o.Protocol = 2 // nothing is pushed
	o.DisableIdentity = true
	o.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	logging.Disable() // it would tell stderr what the errors tell
	f.client = redis.NewClient(o)
	if err := f.ready(ctx); err != nil {
		return nil, errors.Join(err, f.close())
	}
	return f, nil
}

// dialer dials until the backend ends.
func (f *fleet) dialer(encrypt *tls.Config) func(ctx context.Context, network, address string) (net.Conn, error) {
	dial := new(net.Dialer).DialContext
	if encrypt != nil {
		dial = (&tls.Dialer{Config: encrypt}).DialContext
	}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(f.gone, cancel)()
		return dial(ctx, network, address)
	}
}

// do makes one operation in bounded time.
func (f *fleet) do(ctx context.Context, operation func(ctx context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	select {
	case f.slots <- struct{}{}:
		defer func() { <-f.slots }()
	case <-f.gone.Done():
	case <-ctx.Done():
		f.end(fmt.Errorf("ask Redis: too many wait: %w", ctx.Err()))
	}
	if f.gone.Err() != nil {
		return context.Cause(f.gone)
	}
	err := operation(ctx)
	if err != nil {
		err = f.hide(fmt.Errorf("ask Redis: %w", err))
		f.end(err)
	}
	return err
}

// hide makes an error that shows no secret: there are servers that repeat a
// command that they do not know.
func (f *fleet) hide(err error) error {
	text := err.Error()
	for _, secret := range f.secrets {
		text = strings.ReplaceAll(text, secret, "***")
	}
	if text == err.Error() {
		return err
	}
	return errors.New(text)
}

// pace runs an operation of the script, which returns two numbers.
func (f *fleet) pace(ctx context.Context, operation, host string, interval time.Duration, argument int64) (first, second int64, err error) {
	var reply []int64
	err = f.do(ctx, func(ctx context.Context) (err error) {
		keys, args := []string{paceKey}, []any{operation, host, interval.Microseconds(), argument}
		reply, err = f.client.EvalSha(ctx, paceScript.Hash(), keys, args...).Int64Slice()
		if redis.HasErrorPrefix(err, "NOSCRIPT") {
			reply, err = f.client.Eval(ctx, paceSource, keys, append(args, "new")...).Int64Slice()
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

// ready tells whether Redis answers and can be written.
func (f *fleet) ready(ctx context.Context) error {
	_, _, err := f.pace(ctx, "ready", "", 0, 0)
	return err
}

// report tells the others a start that was made without Redis.
func (f *fleet) report(ctx context.Context, host string, start time.Time) error {
	_, _, err := f.pace(ctx, "report", host, 0, time.Since(start).Microseconds())
	return err
}

func (f *fleet) reserve(ctx context.Context, host string, now time.Time, interval, limit time.Duration) (time.Time, bool, error) {
	ahead, shared, err := f.pace(ctx, "reserve", host, interval, limit.Microseconds())
	if err != nil {
		return time.Time{}, false, err
	}
	turn := now.Add(micro(ahead))
	if shared != 0 {
		f.remember(f.turns, host, mark{turn, shared})
	}
	return turn, shared != 0, nil
}

// begin takes now, which was before the claim, for the start: who had to wait
// long for the answer sees by it that the start has passed.
func (f *fleet) begin(ctx context.Context, host string, now, mine time.Time, interval time.Duration) (time.Duration, error) {
	wait, shared, err := f.pace(ctx, "start", host, interval, f.recall(f.starts, host, mine))
	if err == nil && shared != 0 {
		f.remember(f.starts, host, mark{now, shared})
	}
	return micro(wait), err
}

func (f *fleet) release(ctx context.Context, host string, turn time.Time, interval time.Duration) error {
	shared := f.recall(f.turns, host, turn)
	if shared == 0 {
		return nil // it is not the last one taken
	}
	_, _, err := f.pace(ctx, "release", host, interval, shared)
	return err
}

func micro(n int64) time.Duration { return time.Duration(n) * time.Microsecond }

func (f *fleet) remember(marks map[string]mark, host string, m mark) {
	f.mu.Lock()
	defer f.mu.Unlock()
	marks[host] = m
}

// recall returns a moment of this replica by Redis' clock; zero: there is a
// newer one of its own.
func (f *fleet) recall(marks map[string]mark, host string, local time.Time) int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	if m := marks[host]; m.local.Equal(local) {
		return m.shared
	}
	return 0
}

// entryKey is where an entry stands.
func entryKey(key string) string {
	if len(key) <= longKey {
		return entryPrefix + "key:" + key
	}
	sum := sha256.Sum256([]byte(key))
	return entryPrefix + "sha256:" + hex.EncodeToString(sum[:])
}

// stamps is the length of the two times in front of a value, in microseconds
// since 1970: fetched and stored.
const stamps = 16

func stamp(b []byte) (fetched, stored time.Time) {
	return time.UnixMicro(int64(binary.BigEndian.Uint64(b))), time.UnixMicro(int64(binary.BigEndian.Uint64(b[8:])))
}

func (f *fleet) get(ctx context.Context, key string) (Entry, bool, error) {
	var kept []byte
	err := f.do(ctx, func(ctx context.Context) (err error) {
		kept, err = f.client.Get(ctx, entryKey(key)).Bytes()
		if errors.Is(err, redis.Nil) {
			return nil
		}
		return err
	})
	if err != nil || len(kept) < stamps {
		return Entry{}, false, err
	}
	e := Entry{Value: kept[stamps:]}
	e.Fetched, e.Stored = stamp(kept)
	return e, true, nil
}

func (f *fleet) put(ctx context.Context, key string, e Entry) error {
	if len(e.Value) > largest {
		return nil
	}
	kept := make([]byte, 0, stamps+len(e.Value))
	kept = binary.BigEndian.AppendUint64(kept, uint64(e.Fetched.UnixMicro()))
	kept = binary.BigEndian.AppendUint64(kept, uint64(e.Stored.UnixMicro()))
	kept = append(kept, e.Value...)
	return f.do(ctx, func(ctx context.Context) error { return f.client.Set(ctx, entryKey(key), kept, keep).Err() })
}

const (
	// scanned is about how many keys Redis looks at in one step.
	scanned = 1000
	// infoSteps bounds an info: others may have millions of keys there.
	infoSteps = 100
)

// scan shows the keys of entries, in so many steps at most. A key may come
// twice.
func (f *fleet) scan(ctx context.Context, steps int, show func(ctx context.Context, keys []string) error) (all bool, err error) {
	cursor := uint64(0)
	for range steps {
		// The end of the caller's context is no failure of Redis.
		err := f.do(context.WithoutCancel(ctx), func(ctx context.Context) (err error) {
			var keys []string
			keys, cursor, err = f.client.Scan(ctx, cursor, entryPrefix+"*", scanned).Result()
			if err != nil || len(keys) == 0 {
				return err
			}
			return show(ctx, keys)
		})
		if err != nil || cursor == 0 {
			return err == nil, err
		}
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
	}
	return false, nil
}

func (f *fleet) info(ctx context.Context) (Info, error) {
	i := Info{Redis: f.address}
	all, err := f.scan(ctx, infoSteps, func(ctx context.Context, keys []string) error {
		lengths, heads := make([]*redis.IntCmd, len(keys)), make([]*redis.StringCmd, len(keys))
		if _, err := f.client.Pipelined(ctx, func(p redis.Pipeliner) error {
			for n, key := range keys {
				lengths[n], heads[n] = p.StrLen(ctx, key), p.GetRange(ctx, key, 0, stamps-1)
			}
			return nil
		}); err != nil {
			return err
		}
		for n := range keys {
			if head := heads[n].Val(); len(head) == stamps { // else it has expired since
				i.Entries++
				i.Bytes += lengths[n].Val() - stamps
				_, stored := stamp([]byte(head))
				if i.Oldest.IsZero() || stored.Before(i.Oldest) {
					i.Oldest = stored
				}
				if stored.After(i.Newest) {
					i.Newest = stored
				}
			}
		}
		return nil
	})
	i.Partial = !all
	return i, err
}

func (f *fleet) clear(ctx context.Context) error {
	_, err := f.scan(ctx, math.MaxInt, func(ctx context.Context, keys []string) error {
		return f.client.Unlink(ctx, keys...).Err()
	})
	return err
}

func (f *fleet) close() error {
	f.end(errClosed)
	if err := f.client.Close(); !errors.Is(err, redis.ErrClosed) {
		return err
	}
	return nil
}
