// Package toolgen turns tools.yaml and the upstreams' OpenAPI structures into
// what a tool needs besides its behaviour: argument structs, the Handlers
// interface, one table, JSON Schemas and the README's tool table.
//
// It renders into memory and writes no file, so that the command that writes,
// the freshness check and the tests run the same function. It never imports
// what it generates.
package toolgen

import (
	"fmt"
	"maps"
	"slices"
)

// Inputs are the documents that everything is rendered from.
type Inputs struct {
	// Tools is the text of tools.yaml.
	Tools []byte
	// Specs holds the OpenAPI document of each upstream by the name that
	// tools.yaml calls it: the package name of its generated client.
	Specs map[string][]byte
	// EntityDir is the folder of package entity: its doc comments are the
	// descriptions in the schemas.
	EntityDir string
	// Readme is the README whose tool table is rendered anew. Empty: none.
	Readme []byte
}

// Generate renders every file, by slash-separated path from the root of the
// repository. The same inputs give the same bytes. Errors of tools.yaml name
// the line and the tool.
func Generate(in Inputs) (map[string][]byte, error) {
	specs := map[string]*spec{}
	for _, name := range slices.Sorted(maps.Keys(in.Specs)) {
		s, err := readSpec(name, in.Specs[name])
		if err != nil {
			return nil, err
		}
		specs[name] = s
	}
	tools, err := readTools(in.Tools, specs)
	if err != nil {
		return nil, err
	}
	schemas, err := newSchemas(in.EntityDir, specs)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	if err := renderSchemas(files, schemas, tools); err != nil {
		return nil, err
	}
	if err := renderGo(files, tools); err != nil {
		return nil, err
	}
	if len(in.Readme) > 0 {
		readme, err := renderReadme(in.Readme, tools)
		if err != nil {
			return nil, err
		}
		files["README.md"] = readme
	}
	return files, nil
}

// Folders lists the folders that hold nothing but rendered files: whatever
// else stands there is an orphan of an earlier run.
func Folders() []string { return []string{"gen/tools", "gen/schemas"} }

// A mistake is an error of tools.yaml at a line.
func mistake(line int, format string, args ...any) error {
	return fmt.Errorf("tools.yaml:%d: %w", line, fmt.Errorf(format, args...))
}
