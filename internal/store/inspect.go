package store

import (
	"context"
	"errors"
	"math"
	"os"
)

// Inspect returns the state of a file. Unlike a Store it does not fall back to memory: a file that cannot be used is an error.
func Inspect(ctx context.Context, path string) (Info, error) {
	f, err := openFile(ctx, path, math.MaxInt64)
	if err != nil {
		return Info{}, err
	}
	info, err := f.info(ctx)
	return info, errors.Join(err, f.close())
}

// Clear removes all entries from a file, and keeps the pace. If the file cannot be used, Clear removes the file.
func Clear(ctx context.Context, path string) error {
	f, err := openFile(ctx, path, math.MaxInt64)
	if err == nil {
		if err = errors.Join(f.clear(ctx), f.close()); err == nil {
			return nil
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// InspectRedis returns the state of Redis. Its errors show no password.
func InspectRedis(ctx context.Context, address string) (Info, error) {
	r, err := openRedis(ctx, address)
	if err != nil {
		return Info{}, err
	}
	info, err := r.info(ctx)
	return info, errors.Join(err, r.close())
}

// ClearRedis removes all entries from Redis, and nothing else: the pace stays. Its errors show no password.
func ClearRedis(ctx context.Context, address string) error {
	r, err := openRedis(ctx, address)
	if err != nil {
		return err
	}
	return errors.Join(r.clear(ctx), r.close())
}
