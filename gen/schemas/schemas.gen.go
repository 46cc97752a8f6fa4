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

// Get returns the schema with a name, such as trial or get_trial.input, or
// nil.
func Get(name string) []byte {
	text, err := files.ReadFile(name + suffix)
	if err != nil {
		return nil
	}
	return text
}

// Listed returns the input or output schema of a tool, such as get_trial.input,
// as tools/list shows it, or nil. The generator shortens it, so that a start of
// the server does not have to.
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
