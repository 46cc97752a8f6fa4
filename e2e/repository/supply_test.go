package repository

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestLockFile checks that each package from npm has a hash, and comes from the registry that npm is configured with.
func TestLockFile(t *testing.T) {
	t.Parallel()
	var lock struct {
		Packages map[string]struct{ Resolved, Integrity string }
	}
	expect.NoError(t, json.Unmarshal([]byte(text(t, ".ci/npm/package-lock.json")), &lock))
	expect.That(t, len(lock.Packages) > 100, "%d packages", len(lock.Packages))
	for path, p := range lock.Packages {
		expect.That(t, path == "" || p.Resolved == "" && strings.HasPrefix(p.Integrity, "sha512-"), "%s: %+v", path, p)
	}
	for _, path := range []string{"Makefile", ".ci/run", ".github/workflows/ci.yml"} {
		unlocked := regexp.MustCompile(`npm (install|i|exec) |npx `).FindString(text(t, path))
		expect.That(t, unlocked == "", "%s: %s: only npm ci keeps the lock file", path, unlocked)
	}
}

// TestWorkflows checks what actionlint does not know.
func TestWorkflows(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob(".github/workflows/*.yml")
	expect.NoError(t, err)
	all := ""
	for _, path := range paths {
		page := text(t, path)
		all += page
		checkouts, without := strings.Count(page, "uses: actions/checkout@"), strings.Count(page, "persist-credentials: false")
		expect.That(t, checkouts > 0 && checkouts == without, "%s: %d of %d checkouts leave no credentials", path, without, checkouts)
		expect.That(t, strings.Contains(page, "\npermissions:\n  contents: read\n"), "%s: may write", path)
	}
	for _, want := range []string{"run: make test\n", "run: make check\n", "run: make vulnerabilities\n", "uses: actions/attest-"} {
		expect.That(t, strings.Contains(all, want), "no workflow has %q", want)
	}
}
