package e2e

import (
	"bytes"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mirror"
	"github.com/biofact-mcp/biofact/internal/mirror/history"
)

// killed runs a command, and kills it at a random moment within a time. It reports whether the command came to its end before.
func killed(t *testing.T, random *rand.Rand, within time.Duration, env []string, args ...string) (stdout string, ended bool) {
	t.Helper()
	cmd := exec.Command(binary(t), args...)
	cmd.Env = append(os.Environ(), append([]string{"BIOFACT_CACHE_DIR=off"}, env...)...)
	var out bytes.Buffer
	cmd.Stdout = &out
	expect.NoError(t, cmd.Start())
	kill := time.AfterFunc(time.Duration(random.Int64N(int64(within))), func() { _ = cmd.Process.Kill() }) // it may have ended
	defer kill.Stop()
	_ = cmd.Wait() // the exit code says it
	return out.String(), cmd.ProcessState.Exited()
}

// statesOf returns the records of some trials in the state of each day of the history of a mirror.
func statesOf(t *testing.T, path string, days []string, ids map[int64]bool) (states []map[int64]string) {
	t.Helper()
	reader := mirror.NewReader(path)
	defer func() { expect.NoError(t, reader.Close()) }()
	expect.NoError(t, reader.History(t.Context(), func(h *history.Reader) error {
		expect.Is(t, h.Syncs(), len(days), "states of %s", path)
		for _, day := range days {
			at, err := h.At(day)
			expect.NoError(t, err)
			state := map[int64]string{}
			for id := range ids {
				record, err := h.Record(t.Context(), id, at)
				if !errors.As(err, new(*history.GoneError)) {
					expect.NoError(t, err)
					state[id] = string(record.Text(at.Day()))
				}
			}
			states = append(states, state)
		}
		return nil
	}))
	return states
}

// TestHistorySurvivesKills: syncs and watches that are killed at random moments lose nothing and double nothing. Each state has the records
// that the registry served on its day, and a watch prints all of its news until it has stored them.
func TestHistorySurvivesKills(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	const kills = 15
	served, env := copying(t, 400)
	path := strings.TrimPrefix(env[2], "BIOFACT_MIRROR_PATH=")
	random, folder := rand.New(rand.NewPCG(1, 3)), t.TempDir()
	env = append(env, "XDG_DATA_HOME="+filepath.Join(folder, "data"))
	timed := func(env []string, args ...string) (commandOutput, time.Duration) {
		began := time.Now()
		r := biofact(t, env, args...)
		expect.Must(t, r.code == 0, "%s: %+v", args, r)
		return r, time.Since(began)
	}
	ids, days, want := map[int64]bool{}, []string{"2026-01-05"}, []map[int64]string{}
	serve := func() {
		state := map[int64]string{}
		for _, nct := range served.IDs() {
			id, err := strconv.ParseInt(nct[len("NCT"):], 10, 64)
			expect.NoError(t, err)
			ids[id], state[id] = true, string(served.Record(nct))
		}
		want = append(want, state)
	}
	serve()
	_, took := timed(env, "mirror", "sync")
	timed(env, "mirror", "changes", "--watch", "w", "status=completed")
	twin := append(env[:len(env):len(env)], "XDG_DATA_HOME="+filepath.Join(folder, "twin"))
	expect.NoError(t, os.CopyFS(filepath.Join(folder, "twin"), os.DirFS(filepath.Join(folder, "data"))))
	for day := range 3 {
		served.Change(60, 3, 1, 5)
		days = append(days, "2026-01-0"+strconv.Itoa(6+day))
		serve()
		for range kills {
			killed(t, random, took, env, "mirror", "sync")
		}
		timed(env, "mirror", "sync")
	}
	for i, got := range statesOf(t, path, days, ids) {
		expect.That(t, maps.Equal(want[i], got), "%s: the records differ from those that were served", days[i])
	}
	timed(env, "mirror", "verify")

	all, took := timed(twin, "mirror", "changes", "--watch", "w")
	full := false
	for range kills {
		got, _ := killed(t, random, took, env, "mirror", "changes", "--watch", "w")
		expect.That(t, strings.HasPrefix(all.stdout, got), "%q is no part of the news", got)
		full = full || got == all.stdout
	}
	var runs sync.WaitGroup
	var both [2]commandOutput
	for i := range both {
		runs.Go(func() { both[i] = biofact(t, env, "mirror", "changes", "--watch", "w") })
	}
	runs.Wait()
	news := both[0].stdout + both[1].stdout
	expect.That(t, news == all.stdout || news == "" && full, "two runs: %+v", both)
	expect.Is(t, biofact(t, env, "mirror", "changes", "--watch", "w").code, 4, "exit code of a run after all")
}
