package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// manifestPath is the bundle's manifest; its version is that of no release, and
// cmd/generate writes its list of tools.
const manifestPath = "packaging/mcpb/manifest.json"

// The manifest of an MCP bundle, as far as it is used here. Members stand in the
// order of the specification.
type (
	manifest struct {
		ManifestVersion string              `json:"manifest_version"`
		Name            string              `json:"name"`
		DisplayName     string              `json:"display_name"`
		Version         string              `json:"version"`
		Description     string              `json:"description"`
		LongDescription string              `json:"long_description"`
		Author          manifestAuthor      `json:"author"`
		Repository      manifestRepository  `json:"repository"`
		Homepage        string              `json:"homepage"`
		Documentation   string              `json:"documentation"`
		Support         string              `json:"support"`
		Server          manifestServer      `json:"server"`
		Tools           []manifestTool      `json:"tools"`
		Keywords        []string            `json:"keywords"`
		License         string              `json:"license,omitempty"`
		Compatibility   manifestPlatforms   `json:"compatibility"`
		UserConfig      manifestUserConfigs `json:"user_config"`
	}
	manifestAuthor struct {
		Name string `json:"name"`
		URL  string `json:"url"`
	}
	manifestRepository struct {
		Type string `json:"type"`
		URL  string `json:"url"`
	}
	manifestServer struct {
		Type       string         `json:"type"`
		EntryPoint string         `json:"entry_point"`
		MCPConfig  manifestConfig `json:"mcp_config"`
	}
	manifestConfig struct {
		Command   string                    `json:"command"`
		Args      []string                  `json:"args,omitzero"`
		Env       map[string]string         `json:"env,omitempty"`
		Overrides map[string]manifestConfig `json:"platform_overrides,omitempty"`
	}
	manifestTool struct {
		Name        string `json:"name"`
		Description string `json:"description"`
	}
	manifestPlatforms struct {
		Platforms []string `json:"platforms"`
	}
	manifestUserConfigs map[string]struct {
		Type        string `json:"type"`
		Title       string `json:"title"`
		Description string `json:"description"`
		Required    bool   `json:"required"`
		Sensitive   bool   `json:"sensitive,omitempty"`
	}
)

// bundle writes the bundle for all systems and returns its SHA-256. Its programs
// lie where the manifest has them; Windows and Linux on other processors are
// served by the archives.
func (r release) bundle(out string, binaries map[target][]byte) (hash string, err error) {
	var m manifest
	if err := readJSON(manifestPath, &m); err != nil {
		return "", err
	}
	m.Version = r.version
	text, err := encode(m)
	if err != nil {
		return "", err
	}
	mac, err := universal(binaries[target{"darwin", "amd64"}], binaries[target{"darwin", "arm64"}])
	if err != nil {
		return "", err
	}
	programs := map[string][]byte{"darwin": mac, "linux": binaries[target{"linux", "amd64"}], "win32": binaries[target{"windows", "amd64"}]}
	files := slices.Concat([]file{{"manifest.json", 0o644, text}}, r.papers)
	for _, platform := range m.Compatibility.Platforms {
		path := m.program(platform)
		if path == "" || programs[platform] == nil {
			return "", fmt.Errorf("no program for the platform %s", platform)
		}
		files = append(files, file{path, 0o755, programs[platform]})
	}
	archive, err := zipped(files, r.date)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", sha256.Sum256(archive)), os.WriteFile(filepath.Join(out, bundleName(r.version)), archive, 0o644)
}

func bundleName(version string) string { return name + "_" + version + ".mcpb" }

// program is where the bundle holds the program of a platform.
func (m *manifest) program(platform string) string {
	path, _ := strings.CutPrefix(m.Server.MCPConfig.Overrides[platform].Command, "${__dirname}/")
	return path
}
