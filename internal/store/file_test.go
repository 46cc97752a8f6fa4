package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// openStore returns a store over a file, and its log.
func openStore(t *testing.T, path string) (*Store, *journal) {
	t.Helper()
	log := &journal{}
	s := New(Options{Path: path, MaxBytes: 1 << 24, Log: slog.New(slog.NewTextHandler(log, nil))})
	t.Cleanup(func() {
		expect.Succeeds(t, s.Close(), "close")
	})
	return s, log
}

// uses fails the test unless the store uses a kind of backend and is degraded or not as given.
func uses(t *testing.T, s *Store, kind string, degraded bool) {
	t.Helper()
	got, err := s.Health(t.Context())
	if got != kind || (err != nil) != degraded || s.Degraded() != degraded {
		t.Fatalf("in use: %s, %v, degraded %v; want %s, degraded %v", got, err, s.Degraded(), kind, degraded)
	}
}

// logged fails the test unless the log has the given number of warnings and returns.
func logged(t *testing.T, log *journal, warnings, returns int) {
	t.Helper()
	text := log.String()
	expect.That(t, strings.Count(text, "level=WARN") == warnings && strings.Count(text, "can be used again") == returns &&
		strings.Count(text, "\n") == warnings+returns,
		"want %d warnings and %d returns, got %s", warnings, returns, text)
}

// TestClockSetBack: after the clock was set back, the file gives starts at once again, an interval apart, to all processes.
func TestClockSetBack(t *testing.T) {
	t.Parallel()
	const interval = time.Second
	for _, back := range []time.Duration{time.Second, 4 * time.Second, 6 * time.Second, time.Minute, 30 * time.Minute, 59 * time.Minute,
		time.Hour, 48 * time.Hour} {
		t.Run(back.String(), func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "biofact.db")
			var processes []*file
			for range 2 {
				f, err := openFile(t.Context(), path, 1<<20)
				expect.NoError(t, err)
				defer f.close()
				processes = append(processes, f)
			}
			one, another := processes[0], processes[1]
			if wait, err := one.begin(t.Context(), "h", start, interval); wait != 0 || err != nil {
				t.Fatalf("wait %v, %v", wait, err)
			}
			now := start.Add(-back)
			wait, err := one.begin(t.Context(), "h", now, interval)
			expect.Must(t, err == nil && wait >= interval && wait <= interval+clockSkew, "the next start waits %v, %v", wait, err)
			now = now.Add(wait)
			if wait, err := another.begin(t.Context(), "h", now, interval); wait != 0 || err != nil {
				t.Errorf("after that wait the start waits %v, %v", wait, err)
			}
			if wait, err := one.begin(t.Context(), "h", now, interval); wait != interval || err != nil {
				t.Errorf("the start after it waits %v, %v", wait, err)
			}
		})
	}
}

// TestClockOfOthers: a process that read its clock before it waited for the lock resets nothing.
func TestClockOfOthers(t *testing.T) {
	t.Parallel()
	f, err := openFile(t.Context(), filepath.Join(t.TempDir(), "biofact.db"), 1<<20)
	expect.NoError(t, err)
	defer f.close()
	for i := range 3 {
		now := start.Add(-time.Duration(i) * time.Second)
		wait, err := f.begin(t.Context(), "h", now, time.Second)
		if want := []time.Duration{0, 2 * time.Second, 3 * time.Second}[i]; err != nil || wait != want {
			t.Errorf("start %d waits %v, %v; want %v", i, wait, err, want)
		}
	}
}

// TestDamagedPace: a row of the pace with impossible times blocks no process.
func TestDamagedPace(t *testing.T) {
	t.Parallel()
	f, err := openFile(t.Context(), filepath.Join(t.TempDir(), "biofact.db"), 1<<20)
	expect.NoError(t, err)
	defer f.close()
	for _, column := range []string{"last", "seen"} {
		if _, err := f.begin(t.Context(), column, start, time.Second); err != nil {
			t.Fatal(err)
		}
		if _, err := f.db.ExecContext(t.Context(), "UPDATE pace SET "+column+" = "+column+" + (1 << 60) WHERE host = ?",
			column); err != nil {
			t.Fatal(err)
		}
		wait, err := f.begin(t.Context(), column, start, time.Second)
		expect.That(t, err == nil && wait <= time.Second, "%s: the start waits %v, %v", column, wait, err)
	}
}

// TestFutureEntries: entries of a clock that was set back since are removed first.
func TestFutureEntries(t *testing.T) {
	t.Parallel()
	f, err := openFile(t.Context(), filepath.Join(t.TempDir(), "biofact.db"), 400_000)
	expect.NoError(t, err)
	defer f.close()
	value, now := bytes.Repeat([]byte("x"), 10_000), time.Now().Add(-time.Hour)
	for i := range 100 {
		stored := now.Add(time.Duration(i) * time.Second)
		if i < 30 {
			stored = now.Add(2 * time.Hour)
		}
		expect.NoError(t, f.put(t.Context(), fmt.Sprint(i), Entry{Value: value, Stored: stored}))
	}
	if _, ok, err := f.get(t.Context(), "99"); !ok || err != nil {
		t.Errorf("the newest entry is gone, %v", err)
	}
	if _, ok, err := f.get(t.Context(), "29"); ok || err != nil {
		t.Errorf("an entry of the future is still stored, %v", err)
	}
}

// TestDamagedEntries changes single bytes of a file. No damaged entry is returned, and each can be stored again, unless the index of the
// keys is out of order: then some keys are never found, which costs requests but no answer.
func TestDamagedEntries(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	stride := 101
	if !expect.All() {
		stride = 1009
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "biofact.db")
	entries := map[string]Entry{}
	for i := range 6 {
		entries[fmt.Sprint("key ", i)] = Entry{Value: bytes.Repeat([]byte{byte('a' + i)}, 20+i*i*i*70),
			Fetched: start.Add(time.Duration(i)), Stored: start}
	}
	f, err := openFile(t.Context(), path, 1<<24)
	expect.NoError(t, err)
	for key, e := range entries {
		expect.NoError(t, f.put(t.Context(), key, e))
	}
	expect.NoError(t, f.close())
	content, err := os.ReadFile(path)
	expect.NoError(t, err)
	found := 0
	for at := 0; at < len(content); at += stride {
		damaged := slices.Clone(content)
		damaged[at] ^= byte(1 + at%255)
		found += checkDamaged(t, filepath.Join(dir, fmt.Sprint(at, ".db")), damaged, at, entries)
	}
	expect.That(t, found != 0, "no damage was found")
	t.Logf("%d bytes, %d damaged entries were not returned", len(content), found)
}

// checkDamaged reads and rewrites the entries of a damaged file, and returns the number of missing entries.
func checkDamaged(t *testing.T, path string, content []byte, at int, entries map[string]Entry) (missing int) {
	t.Helper()
	expect.NoError(t, os.WriteFile(path, content, 0o600))
	s := New(Options{Path: path, MaxBytes: 1 << 24, Log: slog.New(slog.DiscardHandler)})
	defer s.Close()
	same := func(a, b Entry) bool {
		return bytes.Equal(a.Value, b.Value) && a.Fetched.UnixMicro() == b.Fetched.UnixMicro() &&
			a.Stored.UnixMicro() == b.Stored.UnixMicro()
	}
	for key, want := range entries {
		e, ok := s.Get(t.Context(), key)
		expect.That(t, !ok || same(e, want), "byte %d: %s is %.40q", at, key, e.Value)
		if !ok {
			missing++
			s.Put(t.Context(), key, want)
			if e, ok := s.Get(t.Context(), key); !ok || !same(e, want) {
				if f, ok := s.backend().(*file); !ok || integrity(t, f) == "ok" {
					t.Errorf("byte %d: %s cannot be stored again", at, key)
				}
			}
		}
	}
	return missing
}

// integrity returns the result of SQLite's integrity check.
func integrity(t *testing.T, f *file) (verdict string) {
	t.Helper()
	if err := f.db.QueryRowContext(t.Context(), "PRAGMA integrity_check(1)").Scan(&verdict); err != nil {
		verdict = err.Error()
	}
	return verdict
}

// setPragma sets a pragma on the only connection of a store's file.
func setPragma(t *testing.T, s *Store, pragma string) {
	t.Helper()
	f := s.backend().(*file)
	f.db.SetMaxOpenConns(1)
	f.db.SetMaxIdleConns(1)
	if _, err := f.db.ExecContext(t.Context(), pragma); err != nil {
		t.Fatal(err)
	}
}

// TestFull: a full file still keeps the pace for all processes, and accepts entries again when it has room.
func TestFull(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "biofact.db")
	one, log := openStore(t, path)
	another, otherLog := openStore(t, path)
	one.Put(t.Context(), "old", Entry{Value: []byte("v")})
	uses(t, another, "file", false)
	setPragma(t, one, "PRAGMA max_page_count = 1") // SQLite takes the present size
	large := Entry{Value: bytes.Repeat([]byte("x"), 100_000), Fetched: start, Stored: start}
	for _, key := range []string{"a", "b"} {
		one.Put(t.Context(), key, large)
		if _, ok := one.Get(t.Context(), key); !ok {
			t.Error("the entry is not kept in memory")
		}
		if _, ok := another.Get(t.Context(), key); ok {
			t.Error("the file took the entry")
		}
	}
	uses(t, one, "file", true)
	if _, ok := one.Get(t.Context(), "old"); !ok {
		t.Error("the entries of the file are lost")
	}
	if _, wait := one.Start(t.Context(), "h", time.Minute); wait != 0 {
		t.Errorf("the first start waits %v", wait)
	}
	if _, wait := another.Start(t.Context(), "h", time.Minute); wait < 50*time.Second || wait > time.Minute {
		t.Errorf("the next start of another process waits %v: the pace is not shared", wait)
	}
	logged(t, log, 1, 0)
	if kind, err := retryNow(t, one); kind != "file" || err != nil {
		t.Fatalf("in use: %s, %v", kind, err)
	}
	one.Put(t.Context(), "c", large)
	if _, ok := another.Get(t.Context(), "c"); !ok {
		t.Error("after the return entries are not shared")
	}
	if _, ok := another.Get(t.Context(), "probe"); ok {
		t.Error("the probe is still stored")
	}
	logged(t, log, 1, 1)
	logged(t, otherLog, 0, 0)
}

// TestFileLost: while the file cannot be written, a process uses a fraction of the request rate. It returns to the file without help.
func TestFileLost(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "biofact.db")
	one, log := openStore(t, path)
	another, _ := openStore(t, path)
	uses(t, one, "file", false)
	setPragma(t, one, "PRAGMA query_only = ON")
	if _, wait := one.Start(t.Context(), "h", time.Minute); wait <= 50*time.Second || wait > assumedProcesses*time.Minute {
		t.Errorf("the first start waits %v", wait)
	}
	uses(t, one, "memory", true)
	one.Put(t.Context(), "a", Entry{Value: []byte("v")})
	if _, ok := one.Get(t.Context(), "a"); !ok {
		t.Error("nothing is kept")
	}
	for {
		if _, wait := one.Start(t.Context(), "told", time.Microsecond); wait == 0 {
			break
		}
	}
	logged(t, log, 1, 0)
	if kind, err := retryNow(t, one); kind != "file" || err != nil {
		t.Fatalf("in use: %s, %v", kind, err)
	}
	if _, wait := another.Start(t.Context(), "told", time.Hour); wait == 0 {
		t.Error("a start without the file does not count for the other process")
	}
	logged(t, log, 1, 1)
	uses(t, another, "file", false)
}

// TestFileReturns: when the cause of a failure is gone, the process returns to the file, and not before.
func TestFileReturns(t *testing.T) {
	t.Parallel()
	noise := strings.Repeat("this is no database ", 500)
	for name, c := range map[string]struct {
		prepare func(t *testing.T, path string)
		mend    func(t *testing.T, path string)
	}{
		"other format": {
			func(t *testing.T, path string) { write(t, path, noise) },
			func(t *testing.T, path string) {
				expect.NoError(t, Clear(t.Context(), path))
			},
		},
		"folder": {
			func(t *testing.T, path string) {
				expect.NoError(t, os.Mkdir(path, 0o700))
			},
			func(t *testing.T, path string) {
				expect.NoError(t, os.Remove(path))
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "biofact.db")
			c.prepare(t, path)
			s, log := openStore(t, path)
			uses(t, s, "memory", true)
			if kind, err := retryNow(t, s); kind != "memory" || err == nil {
				t.Fatalf("in use: %s, %v", kind, err)
			}
			c.mend(t, path)
			if kind, err := retryNow(t, s); kind != "file" || err != nil {
				t.Fatalf("in use: %s, %v", kind, err)
			}
			logged(t, log, 1, 1)
		})
	}
}

// TestFileRemoved: a process whose file was removed or replaced finds the new one, so that all processes share one pace.
func TestFileRemoved(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cache", "biofact.db")
	one, log := openStore(t, path)
	one.Put(t.Context(), "a", Entry{Value: []byte("v")})
	expect.NoError(t, os.RemoveAll(filepath.Dir(path)))
	another, _ := openStore(t, path)
	if _, wait := another.Start(t.Context(), "h", time.Hour); wait != 0 {
		t.Errorf("the first start waits %v", wait)
	}
	one.Start(t.Context(), "h", time.Hour)
	uses(t, one, "memory", true)
	if kind, err := retryNow(t, one); kind != "file" || err != nil {
		t.Fatalf("in use: %s, %v", kind, err)
	}
	if _, wait := one.Start(t.Context(), "h", time.Hour); wait < 59*time.Minute {
		t.Errorf("a start %v after that of the other process", wait)
	}
	logged(t, log, 1, 1)
}

// TestRepair: the first process that finds damaged pages empties the file in place; the others continue with the file.
func TestRepair(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "biofact.db")
	f, err := openFile(t.Context(), path, 1<<24)
	expect.NoError(t, err)
	for i := range 100 {
		expect.NoError(t, f.put(t.Context(), fmt.Sprint(i), Entry{Value: bytes.Repeat([]byte("x"), 2000)}))
	}
	expect.NoError(t, f.close())
	content, err := os.ReadFile(path)
	expect.NoError(t, err)
	for i := 4096; i < len(content); i++ { // all but the first page
		content[i] = byte(i * 7)
	}
	expect.NoError(t, os.WriteFile(path, content, 0o600))
	one, log := openStore(t, path)
	another, _ := openStore(t, path)
	for _, s := range []*Store{one, another} {
		if _, ok := s.Get(t.Context(), "7"); ok {
			t.Error("a damaged file has the entry")
		}
		uses(t, s, "memory", true)
	}
	if kind, err := retryNow(t, one); kind != "file" || err != nil {
		t.Fatalf("in use: %s, %v", kind, err)
	}
	one.Put(t.Context(), "a", Entry{Value: []byte("v")})
	if kind, err := retryNow(t, another); kind != "file" || err != nil {
		t.Fatalf("in use: %s, %v", kind, err)
	}
	if _, ok := another.Get(t.Context(), "a"); !ok {
		t.Error("the second process emptied the file again, or uses another one")
	}
	logged(t, log, 1, 1)
}

// TestRepairUnderUse: a process continues with a file that another process has repaired.
func TestRepairUnderUse(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "biofact.db")
	one, _ := openStore(t, path)
	one.Put(t.Context(), "a", Entry{Value: []byte("v")})
	expect.NoError(t, repairFile(t.Context(), path))
	if _, ok := one.Get(t.Context(), "a"); !ok {
		t.Error("a file in order was emptied")
	}
}

// apart returns the time between two starts that a store allows with an interval of an hour.
func apart(t *testing.T, s *Store) time.Duration {
	t.Helper()
	later := time.Now().Add(24 * time.Hour) // the first start may be delayed
	if wait, err := s.backend().begin(t.Context(), "apart", later, time.Hour); wait != 0 || err != nil {
		t.Errorf("the first start waits %v, %v", wait, err)
	}
	wait, err := s.backend().begin(t.Context(), "apart", later, time.Hour)
	expect.NoError(t, err)
	return wait
}

// TestPaceShare: a process without a folder for the file uses a fraction of the request rate, one that is configured for memory the full
// rate.
func TestPaceShare(t *testing.T) {
	t.Parallel()
	for share, want := range map[bool]time.Duration{true: assumedProcesses * time.Hour, false: time.Hour} {
		s := New(Options{PaceShare: share, MaxBytes: 1 << 20, Log: slog.New(slog.DiscardHandler)})
		expect.Equal(t, fmt.Sprintf("share %v: starts apart", share), want, apart(t, s))
		uses(t, s, "memory", false)
		expect.Succeeds(t, s.Close(), "error")
	}
}

// TestNoLocks: without locks a file is not used, and not tried again.
func TestNoLocks(t *testing.T) {
	t.Parallel()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(t.TempDir(), "biofact.db")+"?nolock=1&_txlock=immediate")
	expect.NoError(t, err)
	defer db.Close()
	if err := (&file{db: db}).checkLocks(t.Context()); !errors.Is(err, errNoLocks) {
		t.Errorf("a file without locks: %v", err)
	}
	s, log := openStore(t, filepath.Join(t.TempDir(), "biofact.db"))
	s.degrade(s.backend(), errNoLocks)
	if kind, err := retryNow(t, s); kind != "memory" || !errors.Is(err, errNoLocks) {
		t.Errorf("in use: %s, %v", kind, err)
	}
	expect.Equal(t, "starts apart", assumedProcesses*time.Hour, apart(t, s))
	logged(t, log, 1, 0)
}

// TestUnstable: the attempts become rare if a file is lost again and again.
func TestUnstable(t *testing.T) {
	t.Parallel()
	s, _ := openStore(t, filepath.Join(t.TempDir(), "biofact.db"))
	var delays []time.Duration
	for range 9 {
		s.degrade(s.backend(), errors.New("the disk is full"))
		delays = append(delays, s.delay)
		if kind, err := retryNow(t, s); kind != "file" {
			t.Fatal(err)
		}
	}
	want := []time.Duration{1, 2, 4, 8, 16, 32, 60, 60, 60}
	for i := range want {
		want[i] *= time.Second
	}
	expect.That(t, slices.Equal(delays, want), "delays %v", delays)
	s.recovered = time.Now().Add(-2 * stableTime)
	if s.degrade(s.backend(), errors.New("the disk is full")); s.delay != retryInterval {
		t.Errorf("after a stable time the delay is %v", s.delay)
	}
}

// TestCloseDuringRecovery: Close ends an attempt to return, and leaves none running.
func TestCloseDuringRecovery(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "biofact.db")
	s, log := openStore(t, path)
	s.degrade(s.backend(), errors.New("the disk is full"))
	s.mu.Lock()
	s.next = time.Time{}
	s.startRecovery()
	s.mu.Unlock()
	expect.Succeeds(t, s.Close(), "error")
	expect.That(t, !s.recovering, "an attempt outlives Close")
	if log := log.String(); strings.Count(log, "level=WARN") != 1 {
		t.Error(log)
	}
	s.Put(context.Background(), "a", Entry{Value: []byte("v")})
	if _, ok := s.Get(context.Background(), "a"); !ok {
		t.Error("a closed store does not answer")
	}
}
