package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/biofact-mcp/biofact/cmd/internal/toolgen"
)

const manifestPath = "packaging/mcpb/manifest.json"

// toolList matches the list of tools in the manifest.
var toolList = regexp.MustCompile(`(?s)\n  "tools": \[.*?\n  \]`)

// manifest adds the bundle's manifest with the contract's tools. The other members are written by hand and are kept.
func manifest(root string, contract *toolgen.Contract, files map[string][]byte) error {
	text, err := os.ReadFile(filepath.Join(root, manifestPath))
	if err != nil {
		return err
	}
	at := toolList.FindIndex(text)
	if at == nil {
		return errors.New(manifestPath + ": it has no tools")
	}
	type manifestTool struct {
		Name        string `json:"name"`
		Description string `json:"description"`
	}
	var tools []manifestTool
	for _, t := range contract.ByDefault() {
		tools = append(tools, manifestTool{t.Name, t.Title})
	}
	list, err := json.MarshalIndent(tools, "  ", "  ")
	if err != nil {
		return err
	}
	files[manifestPath] = slices.Concat(text[:at[0]], []byte("\n  \"tools\": "), list, text[at[1]:])
	return nil
}
