package e2e

import (
	"bytes"
	"fmt"
	"io"
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

// TestSyncFrom: another machine takes a snapshot from a server whose connections break, and has the changes and the records of the mirror
// that made it. It makes no request to the registry. A server that runs meanwhile answers from the new state.
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
		} else if broken.Add(1) < 2 {
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

	left, err := filepath.Glob(path("other.db.*"))
	expect.That(t, err == nil && left == nil, "left: %v", left)
	since := strings.Fields(do(env, "mirror", "history").stdout)[1]
	served.Change(30, 2, 1, 3)
	do(env, "mirror", "sync")
	do(other, "mirror", "sync")
	tellsChanges(true, `"compared":{"from":"2026-01-05","to":"2026-01-06"}`)
	changes := do(env, "mirror", "changes", "--since", since, "--patch").stdout
	expect.That(t, changes != "" && changes == do(other, "mirror", "changes", "--since", since, "--patch").stdout, "other changes")
	id := served.IDs()[7]
	expect.Is(t, do(other, "mirror", "record", id).stdout, do(env, "mirror", "record", id).stdout, "record")
}

// TestSyncFromRefused: a file that is no snapshot of this version, and a redirect to another kind of address, are refused before the
// disk fills, and nothing is installed.
func TestSyncFromRefused(t *testing.T) {
	t.Parallel()
	_, env := copying(t, 20)
	folder := t.TempDir()
	snapshot := filepath.Join(folder, "registry.db")
	expect.Is(t, biofact(t, env, "mirror", "sync").code, 0, "exit code")
	expect.Is(t, biofact(t, env, "mirror", "snapshot", snapshot).code, 0, "exit code")
	intact := string(expect.Read(t, snapshot))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/secret":
			_, _ = io.WriteString(w, "SQLite format 3\x00"+strings.Repeat("secret ", 1000))
		case "/elsewhere":
			http.Redirect(w, r, "http://files.example.org/registry.db", http.StatusFound)
		case "/public":
			http.Redirect(w, r, "https://files.example.org/registry.db", http.StatusFound)
		case "/around":
			http.Redirect(w, r, "/around", http.StatusFound)
		case "/file":
			http.Redirect(w, r, "file:///etc/passwd", http.StatusFound)
		case "/bytes": // each connection gives one byte more
			var at int
			if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &at); err == nil {
				w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", at, len(intact)-1, len(intact)))
				w.WriteHeader(http.StatusPartialContent)
			} else {
				w.Header().Set("ETag", `"1"`)
			}
			_, _ = io.WriteString(w, intact[at:min(len(intact), max(at+1, 200))])
			panic(http.ErrAbortHandler)
		case "/cut":
			_, _ = io.WriteString(w, intact[:len(intact)/2])
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	older := filepath.Join(folder, "older.db")
	expect.NoError(t, os.WriteFile(older, []byte(intact[:60]+"\x00\x00\x00\x04"+intact[64:]), 0o600)) // user_version
	other := append([]string{}, env...)
	other[2] = "BIOFACT_MIRROR_PATH=" + filepath.Join(folder, "other.db")
	for from, want := range map[string]string{
		"http://files.example.org/x.db": "https",
		server.URL + "/secret":          "not a snapshot",
		server.URL + "/elsewhere":       "not encrypted",
		server.URL + "/public":          "another kind of address",
		server.URL + "/around":          "without an end",
		server.URL + "/file":            "not encrypted",
		server.URL + "/bytes":           "could not be fetched",
		server.URL + "/cut":             "damaged",
		server.URL + "/missing":         "status 404",
		older:                           "made by another version of Biofact",
	} {
		got := biofact(t, other, "mirror", "sync", "--from", from)
		expect.That(t, got.code != 0 && strings.Contains(got.stderr, want), "%s: %+v", from, got)
		left, err := filepath.Glob(filepath.Join(folder, "other.db*"))
		expect.That(t, err == nil && left == nil, "%s: left %v", from, left)
	}
	got := biofact(t, append(other, "BIOFACT_MIRROR_PATH="+older), "mirror", "changes", "--since", "2026-01-05")
	expect.That(t, got.code != 0 && strings.Contains(got.stderr, "biofact mirror remove, then"), "%+v", got)
}
