package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/store"
)

// TestDeletedCacheSharesThePace removes the cache file of two working processes. It checks that together they stay within the pace of
// one process, and share a file again when one can be created.
func TestDeletedCacheSharesThePace(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	const interval, calls = 100 * time.Millisecond, 5
	key, up := newAnswerKey(t, config.SandboxEmbedded), newRegistry(t, embeddedRecords(t))
	dir := filepath.Join(t.TempDir(), "cache")
	file := filepath.Join(dir, "biofact.db")
	var running []*process
	for range 2 {
		running = append(running, launch(t, exec.Command(binary(t)), "BIOFACT_CTGOV_URL="+up.url, "BIOFACT_CACHE_DIR="+dir,
			fmt.Sprintf("BIOFACT_CTGOV_RPS=%g", 1/interval.Seconds()), "MCP_LOG_LEVEL=info").listen())
	}
	ids := key.ids
	// ask requests some new records from each process, one after the other, and returns the arrivals of the requests.
	ask := func(n int) []arrival {
		t.Helper()
		up.mu.Lock()
		before := len(up.arrivals)
		up.mu.Unlock()
		var all sync.WaitGroup
		for _, p := range running {
			mine := ids[:n]
			ids = ids[n:]
			all.Go(func() {
				for _, id := range mine {
					key.check(t, p, trial(id))
				}
			})
		}
		all.Wait()
		up.mu.Lock()
		defer up.mu.Unlock()
		return up.arrivals[before:]
	}
	ask(1)
	expect.NoError(t, os.RemoveAll(dir))
	if err := os.WriteFile(dir, nil, 0o600); err != nil { // blocks the creation of a folder
		t.Fatal(err)
	}
	start := time.Now() // requests that arrive late on a busy machine only makes it longer
	arrivals := ask(calls)
	least, took := time.Duration(2*calls-1)*interval, arrivals[len(arrivals)-1].at.Sub(start)
	expect.That(t, len(arrivals) == 2*calls && took >= least,
		"without the file %d requests in %v, want %d in %v at least", len(arrivals), took, 2*calls, least)
	t.Logf("without the file %d requests in %v", len(arrivals), took)

	expect.NoError(t, os.Remove(dir))
	entries := 0
	for i, p := range running {
		for deadline := time.Now().Add(30 * time.Second); ; ids = ids[1:] {
			expect.Must(t, !time.Now().After(deadline) && len(ids) != 0, "process %d does not return to the file", i)
			key.check(t, p, trial(ids[0]))
			if info, err := store.Inspect(t.Context(), file); err == nil && info.Entries > entries {
				entries = info.Entries
				break
			}
			time.Sleep(interval)
		}
	}
	for _, p := range running {
		output := p.end(t)
		if lost, back := strings.Count(output, "the cache file cannot be used"), strings.Count(output,
			"the cache file can be used again"); lost != 1 || back != 1 {
			t.Errorf("%d losses and %d returns, want one of each: %s", lost, back, output)
		}
	}
}
