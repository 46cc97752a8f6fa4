package store

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// stores returns a store over a file and one in memory, which behave the same.
func stores(t *testing.T, maxBytes int64) map[string]*Store {
	t.Helper()
	all := map[string]*Store{
		"file":   New(Options{Path: filepath.Join(t.TempDir(), "biofact.db"), MaxBytes: maxBytes, Log: slog.New(slog.DiscardHandler)}),
		"memory": New(Options{MaxBytes: maxBytes, Log: slog.New(slog.DiscardHandler)}),
	}
	t.Cleanup(func() {
		for name, s := range all {
			expect.Succeeds(t, s.Close(), "close %s", name)
		}
	})
	return all
}

var start = time.UnixMicro(1_790_000_000_000_000)

func TestEntries(t *testing.T) {
	t.Parallel()
	for name, s := range stores(t, 1<<20) {
		t.Run(name, func(t *testing.T) {
			ctx := t.Context()
			if _, ok := s.Get(ctx, "a"); ok {
				t.Error("an empty store has an entry")
			}
			s.Put(ctx, "a", Entry{Value: []byte("old"), Fetched: start, Stored: start})
			s.Put(ctx, "a", Entry{Value: []byte("new"), Fetched: start.Add(time.Hour), Stored: start.Add(time.Minute)})
			e, ok := s.Get(ctx, "a")
			expect.That(t, ok && string(e.Value) == "new" && e.Fetched.Equal(start.Add(time.Hour)) &&
				e.Stored.Equal(start.Add(time.Minute)),
				"got %+v, %v", e, ok)
			if i, err := s.Info(ctx); err != nil || i.Entries != 1 || !i.Newest.Equal(start.Add(time.Minute)) {
				t.Errorf("info %+v, %v", i, err)
			}
		})
	}
}

func TestBound(t *testing.T) {
	t.Parallel()
	const limit = 400_000
	for name, s := range stores(t, limit) {
		t.Run(name, func(t *testing.T) {
			ctx := t.Context()
			for i := range 200 {
				s.Put(ctx, fmt.Sprint(i), Entry{Value: bytes.Repeat([]byte("x"), 10_000),
					Stored: start.Add(time.Duration(i) * time.Second)})
			}
			i, err := s.Info(ctx)
			expect.That(t, err == nil && i.Bytes <= limit && i.Entries >= 20, "%d entries, %d bytes, %v", i.Entries, i.Bytes, err)
			if _, ok := s.Get(ctx, "199"); !ok {
				t.Error("the newest entry is gone")
			}
			if _, ok := s.Get(ctx, "0"); ok {
				t.Error("the oldest entry is still stored")
			}
		})
	}
}

// TestBegin: starts are an interval apart.
func TestBegin(t *testing.T) {
	t.Parallel()
	for name, s := range stores(t, 1<<20) {
		t.Run(name, func(t *testing.T) {
			b := s.backend()
			begins(t, b, b)
		})
	}
}

// TestBeginTogether: a start of another process counts like an own one.
func TestBeginTogether(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "biofact.db")
	var processes []*file
	for range 2 {
		f, err := openFile(t.Context(), path, 1<<20)
		expect.NoError(t, err)
		defer f.close()
		processes = append(processes, f)
	}
	begins(t, processes[0], processes[1])
}

// begins claims starts for one process and another.
func begins(t *testing.T, one, another backend) {
	t.Helper()
	at := func(ms int) time.Time { return start.Add(time.Duration(ms) * time.Millisecond) }
	for i, step := range []struct {
		b    backend
		now  time.Time
		wait time.Duration
	}{
		{one, at(0), 0}, {another, at(400), 600 * time.Millisecond}, {one, at(999), time.Millisecond}, {another, at(1000), 0},
		{one, at(1100), 900 * time.Millisecond}, {one, at(2000), 0},
	} {
		if wait, err := step.b.begin(t.Context(), "h", step.now, time.Second); err != nil || wait != step.wait {
			t.Errorf("step %d: wait %v, %v; want %v", i, wait, err, step.wait)
		}
	}
}

// TestUnusable: any defect of the file is one warning, and the store works in memory.
func TestUnusable(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(t *testing.T, dir string) string{
		"no database": func(t *testing.T, dir string) string {
			path := filepath.Join(dir, "biofact.db")
			write(t, path, strings.Repeat("this is no database ", 500))
			return path
		},
		"a folder": func(_ *testing.T, dir string) string { return dir },
		"below a file": func(t *testing.T, dir string) string {
			write(t, filepath.Join(dir, "file"), "x")
			return filepath.Join(dir, "file", "biofact.db")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var log bytes.Buffer
			s := New(Options{Path: prepare(t, t.TempDir()), MaxBytes: 1 << 20, Log: slog.New(slog.NewTextHandler(&log, nil))})
			for range 3 {
				s.Put(t.Context(), "a", Entry{Value: []byte("v")})
			}
			if e, ok := s.Get(t.Context(), "a"); !ok || string(e.Value) != "v" {
				t.Errorf("got %v, %v", e, ok)
			}
			if _, wait := s.Start(t.Context(), "h", time.Second); wait > time.Second*assumedProcesses {
				t.Errorf("the first start waits %v", wait)
			}
			if got := strings.Count(log.String(), "cannot be used"); got != 1 {
				t.Errorf("%d warnings: %s", got, log.String())
			}
			expect.Succeeds(t, s.Close(), "error")
		})
	}
}

func TestClear(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "biofact.db")
	s := New(Options{Path: path, MaxBytes: 1 << 20, Log: slog.New(slog.DiscardHandler)})
	defer s.Close()
	s.Put(t.Context(), "a", Entry{Value: []byte("v")})
	expect.NoError(t, Clear(t.Context(), path))
	if _, ok := s.Get(t.Context(), "a"); ok {
		t.Error("a cleared file has an entry")
	}
	if i, err := Inspect(t.Context(), path); err != nil || i.Entries != 0 || i.Path != path {
		t.Errorf("%+v, %v", i, err)
	}
	broken := filepath.Join(t.TempDir(), "broken.db")
	write(t, broken, strings.Repeat("this is no database ", 500))
	if _, err := Inspect(t.Context(), broken); err == nil {
		t.Error("a broken file was inspected")
	}
	expect.Succeeds(t, Clear(t.Context(), broken), "error")
	if _, err := os.Stat(broken); err == nil {
		t.Error("a broken file was left")
	}
}

// TestOtherFormat: a file of an older version is emptied, and one of a newer version is left unchanged.
func TestOtherFormat(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "biofact.db")
	first, err := openFile(t.Context(), path, 1<<20)
	expect.NoError(t, err)
	expect.NoError(t, first.put(t.Context(), "a", Entry{Value: []byte("v")}))
	if _, err := first.db.Exec("PRAGMA user_version = 1"); err != nil {
		t.Fatal(err)
	}
	expect.NoError(t, first.close())
	second, err := openFile(t.Context(), path, 1<<20)
	expect.NoError(t, err)
	defer second.close()
	if _, ok, err := second.get(t.Context(), "a"); ok || err != nil {
		t.Errorf("an entry of another format: %v, %v", ok, err)
	}
	if _, err := second.db.Exec("PRAGMA user_version = 999"); err != nil {
		t.Fatal(err)
	}
	if newer, err := openFile(t.Context(), path, 1<<20); err == nil {
		newer.close()
		t.Error("a file of a newer version is in use")
	}
	if mode := stat(t, path).Mode().Perm(); mode != 0o600 {
		t.Errorf("mode %o", mode)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	expect.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

func stat(t *testing.T, path string) os.FileInfo {
	t.Helper()
	info, err := os.Stat(path)
	expect.NoError(t, err)
	return info
}

func BenchmarkStore(b *testing.B) {
	s := New(Options{Path: filepath.Join(b.TempDir(), "biofact.db"), MaxBytes: 1 << 28, Log: slog.New(slog.DiscardHandler)})
	defer s.Close()
	value := bytes.Repeat([]byte("x"), 10_000)
	b.Run("put", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			s.Put(b.Context(), fmt.Sprint(i%1000), Entry{Value: value})
		}
	})
	b.Run("get", func(b *testing.B) {
		for b.Loop() {
			s.Get(b.Context(), "0")
		}
	})
	b.Run("start", func(b *testing.B) {
		for b.Loop() {
			s.Start(b.Context(), "h", time.Microsecond)
		}
	})
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			s := New(Options{Path: filepath.Join(b.TempDir(), "o.db"), MaxBytes: 1 << 28, Log: slog.New(slog.DiscardHandler)})
			s.Get(b.Context(), "0")
			s.Close()
		}
	})
}

// TestSpend: eight processes share the requests of a day, also after a restart, and the next day has its own. Redis counts the same.
func TestSpend(t *testing.T) {
	t.Parallel()
	const most, processes = 100, 8
	path := filepath.Join(t.TempDir(), "biofact.db")
	var counted atomic.Int64
	for _, tries := range []int{9, 20} { // the second round is after a restart
		var running sync.WaitGroup
		for range processes {
			running.Go(func() {
				s := New(Options{Path: path, MaxBytes: 1 << 20, Log: slog.New(slog.DiscardHandler)})
				defer s.Close()
				for range tries {
					if s.Spend(t.Context(), "a", most) >= 0 {
						counted.Add(1)
					}
				}
			})
		}
		running.Wait()
		expect.Is(t, int(counted.Load()), min(most, processes*tries), "requests")
	}
	for name, s := range stores(t, 1<<20) {
		b := s.backend()
		for i, want := range []int{1, 2, 3, 3, 1} {
			used, err := b.spend(t.Context(), "a", start.AddDate(0, 0, i/4), 2)
			expect.That(t, err == nil && used == want, "%s: request %d is number %d, want %d, %v", name, i, used, want, err)
		}
		expect.Is(t, s.Spend(t.Context(), "b", 2), 1, "%s: left at another host", name)
	}
	f := newFallback(newMemory(1<<20), 4)
	used, err := f.spend(t.Context(), "a", start, 100)
	expect.That(t, err == nil && used == 76, "the first of a quarter is number %d, %v", used, err)
}
