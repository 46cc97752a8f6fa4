package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestSkill runs every call of the skill in the sandbox. The skill never names the sandbox, because its calls are for the sources. The
// installed skill is the same text.
func TestSkill(t *testing.T) {
	t.Parallel()
	calls := regexp.MustCompile("`biofact call ([a-z]\\w+) '([^']+)'`").FindAllSubmatch(skillText, -1)
	expect.Must(t, len(calls) >= 7 && bytes.HasPrefix(skillText, []byte("---\nname: biofact\ndescription: ")), "%d calls", len(calls))
	expect.That(t, !bytes.Contains(skillText, []byte("sandbox")), "the skill names the sandbox")
	for _, call := range calls {
		if string(call[1]) == tools.TrialChanges {
			continue // it needs a mirror, and e2e calls it there
		}
		r := inSandbox(t, string(call[1]), string(call[2]))
		expect.That(t, r.err == nil, "%s %s: %v\n%s", call[1], call[2], r.err, r.stdout)
	}
	dir := t.TempDir()
	install := func(args ...string) error {
		cmd := skillCommand()
		cmd.SetOut(&bytes.Buffer{})
		cmd.SetErr(&bytes.Buffer{})
		cmd.SetArgs(append([]string{"install", "--dir", dir}, args...))
		return cmd.ExecuteContext(t.Context())
	}
	file, mine := filepath.Join(dir, "biofact", "SKILL.md"), []byte("mine")
	expect.NoError(t, install())
	expect.That(t, bytes.Equal(expect.Read(t, file), skillText), "%s", file)
	expect.NoError(t, install())
	expect.NoError(t, os.WriteFile(file, mine, 0o600))
	expect.That(t, install() != nil && bytes.Equal(expect.Read(t, file), mine), "a file of another program is replaced")
	expect.NoError(t, install("--force"))
	expect.That(t, bytes.Equal(expect.Read(t, file), skillText), "%s", file)
	expect.NoError(t, os.Rename(file, file+".elsewhere"))
	expect.NoError(t, os.Symlink(file+".elsewhere", file))
	expect.That(t, install("--force") != nil, "it is written through a link")
}
