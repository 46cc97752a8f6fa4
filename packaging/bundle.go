package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The committed manifest of the bundle, whose list of tools cmd/generate writes, and the committed entry for the MCP registry belong to
// no release. A release replaces noVersion and noHash with its version and the hash of its bundle.
const (
	manifestPath = "packaging/mcpb/manifest.json"
	registryPath = "packaging/server.json"
	noVersion    = "0.0.0"
	noHash       = "0000000000000000000000000000000000000000000000000000000000000000"
)

// A manifest has the members of the bundle's manifest that are read here.
type manifest struct {
	Server struct {
		Config struct {
			Overrides map[string]struct{ Command string } `json:"platform_overrides"`
		} `json:"mcp_config"`
	}
	Compatibility struct{ Platforms []string }
}

// program returns the path of the program for a platform in the bundle.
func (m *manifest) program(platform string) string {
	return strings.TrimPrefix(m.Server.Config.Overrides[platform].Command, "${__dirname}/")
}

// bundle writes the bundle for all systems and returns its SHA-256. The manifest has the paths of its programs. Windows and Linux on
// other processors use the archives.
func (r release) bundle(out string, binaries map[target][]byte) (hash string, err error) {
	text, err := os.ReadFile(manifestPath)
	if err != nil {
		return "", err
	}
	var m manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return "", fmt.Errorf("%s: %w", manifestPath, err)
	}
	mac, err := universal(binaries[target{"darwin", "amd64"}], binaries[target{"darwin", "arm64"}])
	if err != nil {
		return "", err
	}
	programs := map[string][]byte{"darwin": mac, "linux": binaries[target{"linux", "amd64"}], "win32": binaries[target{"windows", "amd64"}]}
	files := slices.Concat([]file{{"manifest.json", 0o644, bytes.ReplaceAll(text, []byte(noVersion), []byte(r.version))}}, r.papers)
	for _, platform := range m.Compatibility.Platforms {
		path := m.program(platform)
		if path == "" || programs[platform] == nil {
			return "", fmt.Errorf("no program for the platform %s", platform)
		}
		files = append(files, file{path, 0o755, programs[platform]})
	}
	return r.write(filepath.Join(out, name+"_"+r.version+".mcpb"), files)
}

// registryEntry writes the registry entry of a release, with the address and the hash of the bundle.
func registryEntry(out, version, hash string) error {
	text, err := os.ReadFile(registryPath)
	if err != nil {
		return err
	}
	entry := strings.NewReplacer(noVersion, version, noHash, hash).Replace(string(text))
	return os.WriteFile(filepath.Join(out, filepath.Base(registryPath)), []byte(entry), 0o644)
}
