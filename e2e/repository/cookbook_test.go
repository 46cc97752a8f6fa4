package repository

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestCookbook runs the programs of the cookbook, in the languages whose interpreter this machine has.
func TestCookbook(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	dir := t.TempDir()
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(dir, "biofact"), "./cmd/biofact").CombinedOutput()
	expect.Must(t, err == nil, "%v\n%s", err, out)
	interpreters := map[string][]string{"shell": {"sh", "-ec"}, "python": {"python3", "-c"}, "r": {"Rscript", "-e"}}
	ran := 0
	_, blocks := split(text(t, "docs/cookbook.md"))
	for _, b := range blocks {
		interpreter := interpreters[b.language]
		expect.Must(t, interpreter != nil, "docs/cookbook.md has a program in %q", b.language)
		if _, err := exec.LookPath(interpreter[0]); err != nil {
			t.Logf("%s is not here: a program of the cookbook is not run", interpreter[0])
			continue
		}
		run := exec.CommandContext(t.Context(), interpreter[0], append(slices.Clone(interpreter[1:]), strings.Join(b.lines, "\n"))...)
		run.Dir, run.Env = dir, append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
		out, err := run.CombinedOutput()
		expect.That(t, err == nil, "%s: %v\n%s", b.language, err, out)
		ran++
	}
	expect.That(t, ran > 0, "no program was run")
}
