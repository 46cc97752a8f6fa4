package clients_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/cmd/biofact/internal/clients"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestMerge checks that everything else in a file of each client stays, that a second merge changes nothing, and that a file that does
// not parse is refused.
func TestMerge(t *testing.T) {
	t.Parallel()
	server := clients.Server{Command: "/opt/biofact", Env: []clients.Variable{{Name: "NCBI_API_KEY"}}}
	files := map[string]string{
		"cursor":   "{\n  // mine\n  \"mcpServers\": {\n    \"other\": {\"command\": \"x\"}, // keep\n  },\n  \"theme\": \"dark\"\n}\n",
		"windsurf": "{\"mcpServers\": {\"biofact\": {\"command\": \"old\"}, \"z\": {}}}",
		"vscode":   "{\"inputs\": [{\"id\": \"mine\"}], \"servers\": {\"z\": {}}}",
		"zed":      "{\n  \"theme\": \"dark\" // last\n}\n",
		"codex":    "model = \"o3\" # mine\n\n[mcp_servers.biofact]\ncommand = \"old\"\n\n[mcp_servers.z]\ncommand = \"z\"\n",
	}
	for _, name := range clients.Names() {
		old := files[name]
		got, err := clients.Merge(name, []byte(old), server, "linux")
		expect.That(t, err == nil && strings.Contains(string(got), "/opt/biofact") && !strings.Contains(string(got), "old"), "%s: %v\n%s", name, err, got)
		for _, part := range []string{"// mine", "// keep", "// last", "# mine", "dark", "theme", "z", "o3"} {
			expect.That(t, strings.Contains(old, part) == strings.Contains(strings.ReplaceAll(string(got), "zed", ""), part) || old == "" || part == "z",
				"%s: %s is lost:\n%s", name, part, got)
		}
		again, err := clients.Merge(name, got, server, "linux")
		expect.That(t, err == nil && string(again) == string(got), "%s: a second merge: %v\n%s", name, err, again)
		for _, broken := range []string{"{", "[x"} {
			_, err := clients.Merge(name, []byte(broken), server, "linux")
			expect.That(t, err != nil, "%s: %s was accepted", name, broken)
		}
	}
	got, err := clients.Merge("cursor", []byte(files["cursor"]), server, "linux")
	expect.That(t, err == nil && strings.Contains(string(got), "{\"command\": \"x\"}, // keep\n    \"biofact\": {"), "%v\n%s", err, got)
}

// TestMergeRefuses: a file of another form is refused in words, and an item of another form stays.
func TestMergeRefuses(t *testing.T) {
	t.Parallel()
	server := clients.Server{Command: "/opt/biofact", Env: []clients.Variable{{Name: "NCBI_API_KEY"}}}
	for text, want := range map[string]string{
		`{"inputs": {}, "servers": {}}`: "inputs in the file is no list", `{"servers": []}`: "servers in the file is no object",
		`{"servers": "x"}`: "servers in the file is no object", `[]`: "not a JSON object",
		`{"servers": {}, "servers": {}}`:                 "the file has servers twice",
		`{"servers": {"biofact": {}, "biofact": {}}}`:    "the file has biofact twice",
		`{"inputs": ["text", {"id": 1}, {}, null, [3]]}`: "", `{"servers": {"biofact": "text"}}`: "",
	} {
		got, err := clients.Merge("vscode", []byte(text), server, "linux")
		if want == "" {
			expect.That(t, err == nil && strings.Contains(string(got), "/opt/biofact"), "%s: %v\n%s", text, err, got)
			continue
		}
		expect.That(t, err != nil && strings.Contains(err.Error(), want), "%s: %v", text, err)
	}
}

// TestWrite checks that links, modes and other files stay, and that the first content is beside the file.
func TestWrite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target.json"), filepath.Join(dir, "link.json")
	expect.NoError(t, os.WriteFile(target, []byte("old"), 0o640))
	if err := os.Symlink(target, link); err != nil {
		t.Skip("no symbolic links: ", err)
	}
	other := target + ".part"
	expect.NoError(t, os.WriteFile(other, []byte("mine"), 0o600))
	before, err := os.Stat(target)
	expect.NoError(t, err)
	_, err = clients.Write(link, []byte("old"), []byte("second, and longer"))
	expect.NoError(t, err)
	backup, err := clients.Write(link, []byte("second, and longer"), []byte("new"))
	expect.NoError(t, err)
	info, err := os.Lstat(link)
	expect.That(t, err == nil && info.Mode()&os.ModeSymlink != 0, "the link is gone: %v", err)
	info, err = os.Stat(target)
	expect.That(t, err == nil && info.Mode().Perm() == 0o640, "mode %v: %v", info.Mode(), err)
	expect.That(t, os.SameFile(before, info), "another file, which may have another owner, is in its place")
	for path, want := range map[string]string{target: "new", backup: "old", other: "mine"} {
		text, err := os.ReadFile(path)
		expect.That(t, err == nil && string(text) == want, "%s: %q, %v", path, text, err)
	}
	nested := filepath.Join(dir, "a", "b.json")
	backup, err = clients.Write(nested, nil, []byte("first"))
	expect.That(t, err == nil && backup == "", "a backup of nothing: %q, %v", backup, err)
}
