package store

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"time"

	"github.com/redis/go-redis/v9"
)

func entryKey(key string) string {
	if len(key) <= maxKey {
		return formatPrefix + "key:" + key
	}
	sum := sha256.Sum256([]byte(key))
	return formatPrefix + "sha256:" + hex.EncodeToString(sum[:])
}

// A value in Redis has a header: the times fetched and stored, in microseconds since 1970, and the checksum.
const (
	timesSize  = 16
	headerSize = timesSize + 4
)

func readTimes(header []byte) (fetched, stored time.Time) {
	return time.UnixMicro(int64(binary.BigEndian.Uint64(header))), time.UnixMicro(int64(binary.BigEndian.Uint64(header[8:])))
}

// get returns an entry. A damaged entry counts as missing.
func (r *redisServer) get(ctx context.Context, key string) (Entry, bool, error) {
	var value []byte
	err := r.do(ctx, func(ctx context.Context) (err error) {
		value, err = r.client.Get(ctx, entryKey(key)).Bytes()
		if errors.Is(err, redis.Nil) {
			return nil
		}
		return err
	})
	if err != nil || len(value) < headerSize {
		return Entry{}, false, err
	}
	e := Entry{Value: value[headerSize:]}
	e.Fetched, e.Stored = readTimes(value)
	if binary.BigEndian.Uint32(value[timesSize:]) != checksum(key, e) {
		return Entry{}, false, nil
	}
	return e, true, nil
}

func (r *redisServer) put(ctx context.Context, key string, e Entry) error {
	if len(e.Value) > maxValue {
		return nil
	}
	value := make([]byte, 0, headerSize+len(e.Value))
	value = binary.BigEndian.AppendUint64(value, uint64(e.Fetched.UnixMicro()))
	value = binary.BigEndian.AppendUint64(value, uint64(e.Stored.UnixMicro()))
	value = binary.BigEndian.AppendUint32(value, checksum(key, e))
	value = append(value, e.Value...)
	return r.do(ctx, func(ctx context.Context) error { return r.client.Set(ctx, entryKey(key), value, entryTTL).Err() })
}

const (
	// scanCount is the approximate number of keys that Redis reads in one step.
	scanCount = 1000
	// maxInfoScans limits info: other programs may have millions of keys in the same Redis.
	maxInfoScans = 100
)

// scan passes the keys of entries, also of older formats, to visit, in the given number of steps at most. A key may be passed twice. all
// reports whether it reached the end.
func (r *redisServer) scan(ctx context.Context, steps int, visit func(ctx context.Context, keys []string) error) (all bool, err error) {
	cursor := uint64(0)
	for range steps {
		// The end of the caller's context is not a failure of Redis.
		err := r.do(context.WithoutCancel(ctx), func(ctx context.Context) (err error) {
			var keys []string
			keys, cursor, err = r.client.Scan(ctx, cursor, entryPrefix+"*", scanCount).Result()
			if err != nil || len(keys) == 0 {
				return err
			}
			return visit(ctx, keys)
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

func (r *redisServer) info(ctx context.Context) (Info, error) {
	i := Info{Redis: r.address}
	all, err := r.scan(ctx, maxInfoScans, func(ctx context.Context, keys []string) error {
		lengths, heads := make([]*redis.IntCmd, len(keys)), make([]*redis.StringCmd, len(keys))
		if _, err := r.client.Pipelined(ctx, func(p redis.Pipeliner) error {
			for n, key := range keys {
				lengths[n], heads[n] = p.StrLen(ctx, key), p.GetRange(ctx, key, 0, headerSize-1)
			}
			return nil
		}); err != nil {
			return err
		}
		for n := range keys {
			if head := heads[n].Val(); len(head) == headerSize { // else it has expired since
				i.Entries++
				i.Bytes += lengths[n].Val() - headerSize
				_, stored := readTimes([]byte(head))
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

func (r *redisServer) clear(ctx context.Context) error {
	_, err := r.scan(ctx, math.MaxInt, func(ctx context.Context, keys []string) error {
		return r.client.Unlink(ctx, keys...).Err()
	})
	return err
}
