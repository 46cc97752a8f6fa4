//go:build unix

package e2e

import (
	"bytes"
	"database/sql"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestMirrorForeignFile: a path that is no mirror ends in one warning and answers of the registry, or in a clear error if only the
// mirror may answer. No command changes or removes such a file.
func TestMirrorForeignFile(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	served, env, path := sharedMirror(t, 100)
	calls := []question{{"count_trials", `{}`}, {"get_trial", `{"nct_id":"` + served.IDs()[0] + `"}`}}
	for _, tt := range []struct {
		name    string
		create  func() error
		problem string // of the commands
	}{
		{"a folder", func() error { return os.Mkdir(path, 0o700) }, "is not a regular file"},
		{"a pipe", func() error { return syscall.Mkfifo(path, 0o600) }, "is not a regular file"},
		{"a link to itself", func() error { return os.Symlink(path, path) }, "too many levels of symbolic links"},
		{"a database", func() error { return foreignDatabase(t, path, 0) }, "is a database of another program"},
		{"a database of a known format", func() error { return foreignDatabase(t, path, 2) }, "is a database of another program"},
	} {
		expect.NoError(t, os.RemoveAll(path))
		expect.NoError(t, tt.create())
		before, _ := os.Lstat(path)
		content := contentOf(before, path)
		served.Requests()
		unusable(t, tt.name, served, env, calls, "set BIOFACT_MIRROR_PATH to another file")
		commands := []string{"status", "sync", "verify"}
		if !strings.Contains(tt.name, "link") {
			commands = append(commands, "remove")
		}
		for _, command := range commands {
			r := biofact(t, env, "mirror", command)
			expect.That(t, r.code == 1 && strings.Contains(r.stderr, tt.problem) && strings.Contains(r.stderr, "BIOFACT_MIRROR_PATH"),
				"%s: %s: %+v", tt.name, command, r)
		}
		now, err := os.Lstat(path)
		expect.NoError(t, err)
		expect.That(t, os.SameFile(before, now) && bytes.Equal(content, contentOf(now, path)), "%s was changed", tt.name)
	}
}

// contentOf returns the content of a regular file.
func contentOf(info os.FileInfo, path string) (content []byte) {
	if info.Mode().IsRegular() {
		content, _ = os.ReadFile(path)
	}
	return content
}

// foreignDatabase makes a database of another program.
func foreignDatabase(t *testing.T, path string, version int) error {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	expect.NoError(t, err)
	_, err = db.ExecContext(t.Context(), "CREATE TABLE photo (name TEXT); INSERT INTO photo VALUES ('sea')")
	expect.NoError(t, err)
	if version != 0 {
		_, err = db.ExecContext(t.Context(), "PRAGMA user_version = 2")
		expect.NoError(t, err)
	}
	return db.Close()
}
