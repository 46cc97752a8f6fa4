package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestSyncFrom: another machine takes a snapshot and then deltas from a server whose connections break, and has the changes and the records
// of the mirror that made them. It makes no request to the registry. A server that runs meanwhile answers from each new state.
func TestSyncFrom(t *testing.T) {
	t.Parallel()
	served, env := copying(t, 120)
	folder := t.TempDir()
	path := func(name string) string { return filepath.Join(folder, name) }
	do := func(env []string, args ...string) commandOutput {
		t.Helper()
		got := biofact(t, env, args...)
		expect.Must(t, got.code == 0, "%q: %+v", args, got)
		return got
	}
	do(env, "mirror", "sync")
	do(env, "mirror", "snapshot", path("registry.db"))
	var broken, continued atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, err := os.ReadFile(path(r.URL.Path[1:]))
		expect.NoError(t, err)
		w.Header().Set("ETag", fmt.Sprintf(`"%d"`, len(text)))
		if r.Header.Get("Range") != "" {
			continued.Add(1)
		} else if broken.Add(1) < 3 { // the first download of each file
			w.Header().Set("Content-Length", fmt.Sprint(len(text)))
			_, _ = w.Write(text[:len(text)/2]) // the connection breaks
			return
		}
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(text))
	}))
	defer server.Close()
	other := append([]string{}, env...)
	other[2] = "BIOFACT_MIRROR_PATH=" + path("other.db")
	reader := launch(t, exec.Command(binary(t), "serve"), append(other, "BIOFACT_MIRROR=only")...) // before the first sync
	tellsChanges := func(listed bool, want string) {
		t.Helper()
		list, err := reader.roundTrip(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
		expect.That(t, err == nil && strings.Contains(string(list), `"trial_changes"`) == listed, "trial_changes is listed: %v", !listed)
		answer, err := reader.roundTrip(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"trial_changes","arguments":{}}}`)
		expect.That(t, err == nil && strings.Contains(string(answer), want), "%s", answer)
	}
	tellsChanges(false, "biofact mirror sync")
	served.Requests() // since the last call
	do(other, "mirror", "sync", "--from", server.URL+"/registry.db")
	tellsChanges(true, `"compared":{"from":"2026-01-05","to":"2026-01-05"}`)
	expect.That(t, continued.Load() == 1 && served.Requests() == 0, "%d continued", continued.Load())
	second := biofact(t, other, "mirror", "sync", "--from", path("registry.db"))
	expect.That(t, second.code != 0 && strings.Contains(second.stderr, "a mirror exists"), "%+v", second)

	since := strings.Fields(do(env, "mirror", "history").stdout)[1]
	served.Change(30, 2, 1, 3)
	do(env, "mirror", "sync")
	do(env, "mirror", "delta", "--since", since, "--output", path("daily.delta"))
	served.Requests()
	do(other, "mirror", "sync", "--from", server.URL+"/daily.delta")
	expect.That(t, continued.Load() == 2 && served.Requests() == 0, "%d continued", continued.Load())
	tellsChanges(true, `"compared":{"from":"2026-01-05","to":"2026-01-06"}`)
	expect.That(t, strings.Contains(do(other, "mirror", "sync", "--from", path("daily.delta")).stdout, "nothing newer"), "twice")
	left, err := filepath.Glob(path("other.db.*part*"))
	expect.That(t, err == nil && left == nil, "left: %v", left)
	changes := do(env, "mirror", "changes", "--since", since, "--patch").stdout
	expect.That(t, changes != "" && changes == do(other, "mirror", "changes", "--since", since, "--patch").stdout, "other changes")
	id := served.IDs()[7]
	expect.Is(t, do(other, "mirror", "record", id).stdout, do(env, "mirror", "record", id).stdout, "record")

	foreign := biofact(t, env, "mirror", "delta", "--since", since, "--output", path("registry.db"))
	expect.That(t, foreign.code != 0 && strings.Contains(foreign.stderr, "no delta"), "%+v", foreign)
	insecure := biofact(t, env, "mirror", "sync", "--from", "http://files.example.org/x.delta")
	expect.That(t, insecure.code != 0 && strings.Contains(insecure.stderr, "https"), "%+v", insecure)
	none := biofact(t, append(other, "BIOFACT_MIRROR_PATH="+path("none.db")), "mirror", "sync", "--from", path("daily.delta"))
	expect.That(t, none.code != 0 && strings.Contains(none.stderr, "no mirror exists"), "%+v", none)
}

// TestSyncFromOlder: a mirror, a snapshot and a delta in the form of another version of Biofact are refused, and each error names the next
// step.
func TestSyncFromOlder(t *testing.T) {
	t.Parallel()
	_, env := copying(t, 20)
	folder := t.TempDir()
	snapshot, older := filepath.Join(folder, "registry.db"), filepath.Join(folder, "daily.delta")
	expect.Is(t, biofact(t, env, "mirror", "sync").code, 0, "exit code")
	expect.Is(t, biofact(t, env, "mirror", "snapshot", snapshot).code, 0, "exit code")
	expect.NoError(t, os.WriteFile(older, append([]byte("biofact delta 1\n"), make([]byte, 100)...), 0o600))
	file, err := os.OpenFile(snapshot, os.O_RDWR, 0)
	expect.NoError(t, err)
	_, err = file.WriteAt([]byte{0, 0, 0, 4}, 60) // user_version
	expect.NoError(t, errors.Join(err, file.Close()))
	other := append([]string{}, env...)
	other[2] = "BIOFACT_MIRROR_PATH=" + filepath.Join(folder, "other.db")
	for _, tt := range []struct {
		env  []string
		args []string
		want string
	}{
		{env, []string{"mirror", "sync", "--from", older}, "update Biofact here and where the delta is made, and make it again there"},
		{other, []string{"mirror", "sync", "--from", snapshot}, "nothing was written: make a new one with this version"},
		{append(other, "BIOFACT_MIRROR_PATH="+snapshot), []string{"mirror", "changes", "--since", "2026-01-05"}, "biofact mirror remove, then"},
	} {
		got := biofact(t, tt.env, tt.args...)
		refused := got.code != 0 && strings.Contains(got.stderr, "of another version of Biofact")
		expect.That(t, refused && strings.Contains(got.stderr, tt.want),
			"%q: %+v", tt.args, got)
	}
	_, err = os.Stat(filepath.Join(folder, "other.db"))
	expect.That(t, errors.Is(err, os.ErrNotExist), "the snapshot became the mirror: %v", err)
}
