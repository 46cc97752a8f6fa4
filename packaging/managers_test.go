package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestPackages checks the packages for npm and pip, and the formula: their names, and that the wheel's list of files is right.
func TestPackages(t *testing.T) {
	t.Chdir("..")
	out, hashes := t.TempDir(), map[target]string{}
	r := release{version: "1.2.3-rc.1", date: date, papers: []file{{licensesPath, 0o644, []byte("texts")}}}
	for i, platform := range targets {
		files := []file{{platform.binary(), 0o755, []byte("program")}, r.papers[0]}
		expect.NoError(t, errors.Join(r.npmPlatform(out, platform, files), r.wheel(out, platform, files)))
		hashes[platform] = fmt.Sprintf("%064d", i)
	}
	expect.NoError(t, errors.Join(r.npm(out), r.formula(out, hashes)))
	entries, err := os.ReadDir(out)
	expect.NoError(t, err)
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	expect.Equal(t, "", []string{"biofact-1.2.3-rc.1.tgz",
		"biofact-1.2.3rc1-py3-none-macosx_12_0_arm64.whl", "biofact-1.2.3rc1-py3-none-macosx_12_0_x86_64.whl",
		"biofact-1.2.3rc1-py3-none-manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64.whl",
		"biofact-1.2.3rc1-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64.whl",
		"biofact-1.2.3rc1-py3-none-win_amd64.whl", "biofact-1.2.3rc1-py3-none-win_arm64.whl",
		"biofact-darwin-arm64-1.2.3-rc.1.tgz", "biofact-darwin-x64-1.2.3-rc.1.tgz", "biofact-linux-arm64-1.2.3-rc.1.tgz",
		"biofact-linux-x64-1.2.3-rc.1.tgz", "biofact-win32-arm64-1.2.3-rc.1.tgz", "biofact-win32-x64-1.2.3-rc.1.tgz", "biofact.rb"}, names)

	wheel, err := os.ReadFile(filepath.Join(out, names[5]))
	expect.NoError(t, err)
	files := readZip(t, wheel)
	expect.Is(t, files[0].path+files[0].mode.String(), "biofact-1.2.3rc1.data/scripts/biofact.exe-rwxr-xr-x", "the program")
	record := strings.Split(strings.TrimSpace(string(files[len(files)-1].content)), "\n")
	for i, f := range files[:len(files)-1] {
		sum := sha256.Sum256(f.content)
		hash := base64.RawURLEncoding.EncodeToString(sum[:])
		expect.Is(t, record[i], fmt.Sprintf("%s,sha256=%s,%d", f.path, hash, len(f.content)), "RECORD")
	}
	var npm struct{ OptionalDependencies map[string]string }
	packed, err := os.ReadFile(filepath.Join(out, names[0]))
	expect.NoError(t, err)
	expect.NoError(t, json.Unmarshal(readTar(t, packed)[0].content, &npm))
	expect.That(t, len(npm.OptionalDependencies) == len(targets) && npm.OptionalDependencies["@biofact-mcp/win32-x64"] == r.version,
		"%v", npm.OptionalDependencies)
	rb, err := os.ReadFile(filepath.Join(out, "biofact.rb"))
	expect.NoError(t, err)
	found := regexp.MustCompile(`download/v1\.2\.3-rc\.1/biofact_1\.2\.3-rc\.1_(\w+)_(\w+)\.tar\.gz"\s+sha256 "(\w+)"`).
		FindAllStringSubmatch(string(rb), -1)
	expect.That(t, len(found) == 4, "the formula has %d archives", len(found))
	for _, m := range found {
		expect.Is(t, m[3], hashes[target{m[1], m[2]}], "%s", m[1]+m[2])
	}
	for version, want := range map[string]string{"1.2.3": "1.2.3", "1.2.3-4-g0123abc-dirty": "1.2.3+4.g0123abc.dirty"} {
		expect.Is(t, pythonVersion(version), want, "%s", version)
	}
}
