// Code generated from tools.yaml. DO NOT EDIT.

// Package schemas holds the JSON Schemas (draft 2020-12) of the entities, the
// envelopes, and the arguments and answers of every tool.
package schemas

import (
	"embed"
	"strings"
)

//go:embed *.schema.json
var files embed.FS

//go:embed *.listed.json
var listed embed.FS

const suffix = ".schema.json"

// Get returns the schema of a name, such as trial or get_trial.input, or nil
// where there is none.
func Get(name string) []byte {
	text, err := files.ReadFile(name + suffix)
	if err != nil {
		return nil
	}
	return text
}

// Listed returns the schema of a side of a tool, such as get_trial.input, as
// tools/list shows it, or nil where there is none. It is shortened when the code
// is generated, so that no start of the server pays for it.
func Listed(name string) []byte {
	text, err := listed.ReadFile(name + ".listed.json")
	if err != nil {
		return nil
	}
	return text
}

// Names returns the names of all schemas in alphabetical order.
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), suffix))
	}
	return names
}
