//go:build unix

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mirror/mirrortest"
)

// bound returns a command that runs as an ordinary user, because root may read and write any file.
func bound(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(binary(t), args...)
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	return cmd
}

// sharedMirror is a mirror in a folder that bound commands can reach.
func sharedMirror(t *testing.T, n int) (served *mirrortest.Registry, env []string, path string) {
	t.Helper()
	served, env = copying(t, n)
	folder, err := os.MkdirTemp("", "biofact-mirror-")
	expect.NoError(t, err)
	t.Cleanup(func() { _, _ = os.Chmod(folder, 0o755), os.RemoveAll(folder) })
	expect.NoError(t, os.Chmod(folder, 0o755))
	path = filepath.Join(folder, "mirror.db")
	env[2] = "BIOFACT_MIRROR_PATH=" + path
	r := biofact(t, env, "mirror", "sync")
	expect.Must(t, r.code == 0, "%+v", r)
	served.Requests()
	return served, env, path
}

// TestMirrorReadOnly: a file that cannot be written, in a folder that cannot be written, answers as any other.
func TestMirrorReadOnly(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	served, env, path := sharedMirror(t, 200)
	id := served.IDs()[0]
	calls := []question{
		{"get_trial", `{"nct_id":"` + id + `"}`}, {"count_trials", `{}`}, {"search_trials", `{"status":"recruiting","phase":"Phase 3"}`},
		{"count_trials", `{"by":"country","then_by":"phase"}`}, {"get_trial_locations", `{"nct_id":"` + id + `"}`},
	}
	answer := func(mode string) *process {
		p := launch(t, bound(t, "--mirror="+mode), env...)
		for _, c := range calls {
			text, failed := p.answer(t, c)
			expect.That(t, !failed, "%s: %s: %s", mode, c, text)
		}
		return p
	}
	lock := func(mode os.FileMode) {
		expect.NoError(t, os.Chmod(filepath.Dir(path), 0o755))
		expect.NoError(t, os.Chmod(path, mode))
		expect.NoError(t, os.Chmod(filepath.Dir(path), 0o555))
	}
	lock(0o444)
	for _, mode := range []string{"exact", "only"} {
		p := answer(mode)
		p.end(t)
		expect.Is(t, p.stderr.String(), "", "warnings of %s", mode)
		expect.Is(t, served.Requests(), 0, "requests of %s", mode)
	}
	for _, command := range []string{"doctor", "mirror status"} {
		r := run(bound(t, strings.Fields(command)...), env)
		expect.That(t, strings.Contains(r.stdout, "200"), "%s: %+v", command, r)
	}
	served.Requests() // of doctor
	r := run(bound(t, "mirror", "sync"), env)
	expect.That(t, r.code == 1 && strings.Contains(r.stderr, "cannot be written") && strings.Contains(r.stderr, "mirror snapshot"),
		"%+v", r)

	// The empty log of a copy of all files of a mirror.
	expect.NoError(t, os.Chmod(filepath.Dir(path), 0o755))
	expect.NoError(t, os.WriteFile(path+"-wal", nil, 0o444))
	expect.NoError(t, os.Chmod(filepath.Dir(path), 0o555))
	p := answer("only")
	p.end(t)

	// A log with changes that cannot be read without its index, which cannot be created.
	expect.NoError(t, os.WriteFile(path+"-wal", []byte("changes"), 0o444))
	unusable(t, "log", served, env, calls[:2], "biofact mirror remove")
	expect.NoError(t, os.Chmod(filepath.Dir(path), 0o755))
	expect.NoError(t, os.Remove(path+"-wal"))

	// A file that the user may not read.
	if os.Getuid() == 0 {
		lock(0o600)
	} else {
		lock(0)
	}
	served.Requests()
	unusable(t, "unreadable", served, env, calls[:2], "change the owner or the mode")
	r = run(bound(t, "mirror", "status"), env)
	expect.That(t, r.code == 1 && strings.Contains(r.stderr, "no permission to read"), "%+v", r)
}

// unusable expects one warning and live answers of exact, and errors of only.
func unusable(t *testing.T, name string, served *mirrortest.Registry, env []string, calls []question, remedy string) {
	t.Helper()
	only := launch(t, bound(t, "--mirror=only"), env...)
	refusesAll(t, name, only, calls, "cannot be read")
	only.end(t)
	expect.Is(t, served.Requests(), 0, "%s: requests of only", name)
	exact := launch(t, bound(t), env...)
	answersLive(t, name, exact, served, calls)
	exact.end(t)
	log := exact.stderr.String()
	expect.That(t, strings.Count(log, unusableMirror) == 1 && strings.Contains(log, remedy), "%s: %s", name, log)
}

// TestMirrorReadOnlyDuringSync: a server that cannot write to the folder of the mirror, as in a container with a read-only volume,
// reads it while another process syncs it, and answers from the new data at once.
func TestMirrorReadOnlyDuringSync(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	served, env, path := sharedMirror(t, 1500)
	expect.NoError(t, os.Chmod(path, 0o644))
	folder := filepath.Dir(path)
	expect.NoError(t, os.Chmod(folder, 0o555))
	p := launch(t, bound(t, "--mirror=only"), env...)
	for _, want := range []string{"[1500,null]", "[1594,null]", "[1688,null]"} {
		text, failed := p.answer(t, question{"count_trials", "{}"})
		expect.That(t, !failed && totalOf(text) == want, "%s, want %s", text, want)
		expect.NoError(t, os.Chmod(folder, 0o755))
		served.Change(500, 5, 1, 100)
		synced := make(chan commandOutput, 1)
		go func() { synced <- biofact(t, env, "mirror", "sync") }()
		for answers := 0; len(synced) == 0; answers++ {
			calls := []question{
				{"count_trials", `{"by":"phase"}`}, {"search_trials", `{"condition":"cancer"}`},
				{"get_trial", `{"nct_id":"` + served.IDs()[0] + `"}`},
			}
			text, failed := p.answer(t, calls[answers%len(calls)])
			expect.Must(t, !failed, "answer %d during a sync: %s", answers, text)
		}
		r := <-synced
		expect.Must(t, r.code == 0, "%+v", r)
		expect.NoError(t, os.Chmod(folder, 0o555))
	}
	p.end(t)
	expect.Is(t, p.stderr.String(), "", "warnings")
}

// TestMirrorOnFailingDisk: a disk that fails during a first load leaves a mirror that answers nothing and can be continued; one that fails
// later leaves a mirror that answers as before.
func TestMirrorOnFailingDisk(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	served, env := copying(t, 300)
	limited := func(blocks string) commandOutput { // the largest size of a file
		return run(exec.Command("sh", "-c", "ulimit -f "+blocks+` && exec "$0" mirror sync`, binary(t)), env)
	}
	r := limited("500")
	expect.Must(t, r.code == 1 && strings.Contains(r.stderr, "the disk failed") && strings.Contains(r.stderr, "check the disk"), "%+v", r)
	calls := []question{{"count_trials", `{}`}, {"get_trial", `{"nct_id":"` + served.IDs()[0] + `"}`}}
	served.Requests()
	only := launch(t, exec.Command(binary(t), "--mirror=only"), env...)
	refusesAll(t, "failing disk", only, calls, "is not complete yet")
	only.end(t)
	expect.Is(t, served.Requests(), 0, "requests of only")
	exact := launch(t, exec.Command(binary(t)), env...)
	answersLive(t, "failing disk", exact, served, calls)
	exact.end(t)
	expect.Is(t, strings.Count(exact.stderr.String(), unusableMirror), 1, "warnings: %s", &exact.stderr)

	r = biofact(t, env, "mirror", "sync")
	expect.Must(t, r.code == 0, "%+v", r)
	served.Change(150, 1, 0, 10)
	r = limited("500")
	expect.Must(t, r.code == 1 && strings.Contains(r.stderr, "the disk failed"), "%+v", r)
	syncedAnHourAgo(t, env)
	served.Requests()
	only = launch(t, exec.Command(binary(t), "--mirror=only"), env...)
	text, _ := only.answer(t, calls[0])
	only.end(t)
	expect.That(t, totalOf(text) == "[300,null]" && served.Requests() == 0, "only after a failed update: %s", text)
	exact = launch(t, exec.Command(binary(t)), env...)
	answersLive(t, "failing disk of an update", exact, served, calls[:1])
	exact.end(t)
	r = biofact(t, env, "mirror", "sync")
	expect.That(t, r.code == 0 && strings.Contains(r.stdout, "309 trials"), "%+v", r)
}
