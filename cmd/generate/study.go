package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// forms are the patterns of types whose form the official document describes in words.
var forms = map[string]string{
	"DateTimeMinutes": `^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}$`,
	"PartialDate":     `^[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$`,
}

// studySchema adds the known values of the types of ClinicalTrials.gov, and the JSON Schema of a record. The schema has the types,
// enumerations and dates of the structure, and refuses members that the structure does not have.
func studySchema(root string, files map[string][]byte) error {
	text, err := os.ReadFile(filepath.Join(root, "specs/clinicaltrials.yaml"))
	if err != nil {
		return err
	}
	var document struct {
		Info       struct{ Version string }
		Components struct{ Schemas map[string]map[string]any }
	}
	if err := cmp.Or(yaml.Unmarshal(text, &document), knownValues(text, files)); err != nil {
		return err
	}
	used := map[string]any{}
	var use func(node any)
	use = func(node any) {
		switch node := node.(type) {
		case []any:
			for _, item := range node {
				use(item)
			}
		case map[string]any:
			for _, value := range node {
				use(value)
			}
			ref, _ := node["$ref"].(string)
			name, local := strings.CutPrefix(ref, "#/components/schemas/")
			if !local {
				return
			}
			node["$ref"] = "#/$defs/" + name
			if schema := document.Components.Schemas[name]; used[name] == nil && schema != nil {
				used[name] = schema
				if forms[name] != "" {
					schema["pattern"] = forms[name]
				}
				if schema["properties"] != nil {
					schema["additionalProperties"] = false
				}
				use(schema)
			}
		}
	}
	study := map[string]any{"$ref": "#/components/schemas/Study"}
	use(study)
	if used["Study"] == nil {
		return fmt.Errorf("specs/clinicaltrials.yaml: it has no schema Study")
	}
	study["$schema"], study["$defs"] = "https://json-schema.org/draft/2020-12/schema", used
	study["title"] = "Record of ClinicalTrials.gov, API " + document.Info.Version
	out, err := json.MarshalIndent(study, "", " ")
	files["gen/study/study.schema.json"] = append(out, '\n')
	files["gen/study/study.gen.go"] = []byte(studyPackage)
	return err
}

// knownValues adds the list of the values that the types of the official document know.
func knownValues(text []byte, files map[string][]byte) error {
	var document struct {
		Components struct {
			Schemas map[string]struct{ Enum []string }
		}
	}
	err := yaml.Unmarshal(text, &document)
	var lines strings.Builder
	for _, name := range slices.Sorted(maps.Keys(document.Components.Schemas)) {
		if known := document.Components.Schemas[name].Enum; known != nil {
			fmt.Fprintln(&lines, name+"\t"+strings.Join(known, " "))
		}
	}
	files["internal/query/enums.tsv"] = []byte(lines.String())
	return err
}

const studyPackage = `// Code generated from specs/clinicaltrials.yaml. DO NOT EDIT.

// Package study has the JSON Schema of a record as ClinicalTrials.gov has it, which follows from the structure of its API.
package study

import _ "embed" // for Schema

// Schema is the schema.
//
//go:embed study.schema.json
var Schema []byte
`
