package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/biofact-mcp/biofact/cmd/internal/toolgen"
)

const manifestPath = "packaging/mcpb/manifest.json"

// manifest adds the bundle's manifest with the contract's tools. All else of it
// is written by hand and stays as it is.
func manifest(root string, contract *toolgen.Contract, files map[string][]byte) error {
	text, err := os.ReadFile(filepath.Join(root, manifestPath))
	if err != nil {
		return err
	}
	start, end, err := member(text, "tools")
	if err != nil {
		return fmt.Errorf("%s: %w", manifestPath, err)
	}
	type manifestTool struct {
		Name        string `json:"name"`
		Description string `json:"description"`
	}
	var tools []manifestTool
	for _, t := range contract.Tools {
		tools = append(tools, manifestTool{t.Name, t.Title})
	}
	list, err := json.MarshalIndent(tools, "  ", "  ")
	if err != nil {
		return err
	}
	files[manifestPath] = bytes.Join([][]byte{text[:start], list, text[end:]}, nil)
	return nil
}

// member returns where the value of an object's member stands.
func member(object []byte, name string) (start, end int, err error) {
	dec := json.NewDecoder(bytes.NewReader(object))
	if _, err := dec.Token(); err != nil { // the brace
		return 0, 0, err
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return 0, 0, err
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return 0, 0, err
		}
		if end := int(dec.InputOffset()); key == name {
			return end - len(value), end, nil
		}
	}
	return 0, 0, errors.New("it has no " + name)
}
