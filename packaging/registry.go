package main

import (
	"errors"
	"os"
	"path/filepath"
)

// registryPath is the entry for the MCP registry; its version is that of no
// release, and it has no hash.
const registryPath = "packaging/server.json"

// The entry, as far as it is used here.
type (
	registryServer struct {
		Schema      string            `json:"$schema"`
		Name        string            `json:"name"`
		Title       string            `json:"title"`
		Description string            `json:"description"`
		Repository  registrySource    `json:"repository"`
		Version     string            `json:"version"`
		Packages    []registryPackage `json:"packages"`
	}
	registrySource struct {
		URL    string `json:"url"`
		Source string `json:"source"`
	}
	registryPackage struct {
		Type       string              `json:"registryType"`
		Identifier string              `json:"identifier"`
		Version    string              `json:"version"`
		FileSHA256 string              `json:"fileSha256,omitempty"`
		Transport  registryTransport   `json:"transport"`
		Env        []registryEnvironed `json:"environmentVariables,omitempty"`
	}
	registryTransport struct {
		Type string `json:"type"`
	}
	registryEnvironed struct {
		Name        string `json:"name"`
		Description string `json:"description"`
		IsSecret    bool   `json:"isSecret,omitempty"`
	}
)

// registryEntry writes the entry of a release, which names the bundle by its
// address and its hash.
func registryEntry(out, version, hash string) error {
	var s registryServer
	if err := readJSON(registryPath, &s); err != nil {
		return err
	}
	if len(s.Packages) != 1 || s.Packages[0].Type != "mcpb" {
		return errors.New(registryPath + ": must name one package, the bundle")
	}
	s.Version = version
	p := &s.Packages[0]
	p.Version, p.FileSHA256 = version, hash
	p.Identifier = s.Repository.URL + "/releases/download/v" + version + "/" + bundleName(version)
	text, err := encode(s)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, filepath.Base(registryPath)), text, 0o644)
}
