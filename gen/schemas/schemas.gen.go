// Code generated from tools.yaml. DO NOT EDIT.

// Package schemas holds the JSON Schemas (draft 2020-12) of the entities, the
// envelopes, and the arguments and answers of every tool.
package schemas

import (
	"embed"
	"io/fs"
	"strings"
)

// version is the version of the contract.
const version = "2.0"

//go:embed index.json *.schema.json open
var files embed.FS

//go:embed *.listed.json
var listed embed.FS

const suffix = ".schema.json"

// Get returns the schema with a name, such as trial or get_trial.input, or
// nil.
func Get(name string) []byte { return read(name) }

// Open returns the schema with a name in the open profile, or nil.
func Open(name string) []byte { return read("open/" + name) }

func read(name string) []byte {
	text, err := files.ReadFile(name + suffix)
	if err != nil {
		return nil
	}
	return text
}

// Bundle returns the files that a validator needs: the index, the schemas in the
// closed profile, and those in the open profile in the folder open.
func Bundle() fs.FS { return files }

// ID returns the $id of a schema in the closed profile.
func ID(name string) string { return "urn:biofact:schema:v" + version + ":" + name }

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
		if name, ok := strings.CutSuffix(e.Name(), suffix); ok {
			names = append(names, name)
		}
	}
	return names
}
