package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/biofact-mcp/biofact/cmd/internal/drift"
	"github.com/biofact-mcp/biofact/cmd/internal/toolgen"
	"github.com/biofact-mcp/biofact/gen/fields"
)

// upstream is how tools.yaml calls ClinicalTrials.gov.
const upstream = "ctgov"

// sent are the parameters that hand-written code fills or reads, beside what
// tools.yaml says of them.
var sent = map[string][]string{
	"listStudies": {"countTotal", "fields", "filter.advanced", "filter.ids", "filter.overallStatus", "pageSize", "pageToken", "sort"},
}

// readUse reads what the project makes of the upstream from where it is
// written: the contract, the operations that the client is generated for, the
// fields that the tools ask for, and the table of the registry's fields.
func readUse(root string) (drift.Use, error) {
	use := drift.Use{Record: "Study", Sent: sent}
	var err error
	if use.Paths, err = readPieces(filepath.Join(root, "internal/registry/pieces.tsv")); err != nil {
		return use, err
	}
	if use.Tools, err = readTools(root); err != nil {
		return use, err
	}
	var client struct {
		Options struct {
			Operations []string `yaml:"include-operation-ids"`
		} `yaml:"output-options"`
	}
	if err := readYAML(filepath.Join(root, "specs/clinicaltrials.codegen.yaml"), &client); err != nil {
		return use, err
	}
	for _, id := range client.Options.Operations {
		if !slices.ContainsFunc(use.Tools, func(t drift.Tool) bool { return slices.Contains(t.Operations, id) }) {
			use.Called = append(use.Called, id)
		}
	}
	return use, nil
}

// readTools returns the tools that the upstream serves.
func readTools(root string) ([]drift.Tool, error) {
	in, err := toolgen.Repository(root)
	if err != nil {
		return nil, err
	}
	contract, err := toolgen.Read(in)
	if err != nil {
		return nil, err
	}
	var tools []drift.Tool
	for _, entry := range contract.Tools {
		t := drift.Tool{Name: entry.Name, Fields: fields.Of(entry.Name)}
		for _, op := range entry.Operations {
			if op.Package == upstream {
				t.Operations = append(t.Operations, op.ID)
			}
		}
		if len(t.Operations) == 0 {
			continue
		}
		for _, a := range entry.Args {
			values, _ := strings.CutPrefix(a.Values, upstream+".")
			t.Arguments = append(t.Arguments, drift.Argument{Name: a.Name, Param: a.Param, Values: values})
		}
		tools = append(tools, t)
	}
	return tools, nil
}

// readPieces returns the path of every field in the record. The table is made
// of /studies/metadata: a line has the name, the path and the type.
func readPieces(path string) (map[string]string, error) {
	table, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	paths := map[string]string{}
	for line := range bytes.Lines(table) {
		columns := strings.Split(strings.TrimSpace(string(line)), "\t")
		if len(columns) != 3 {
			return nil, fmt.Errorf("%s: %q has not three columns", path, line)
		}
		paths[columns[0]] = columns[1]
	}
	return paths, nil
}

func readYAML(path string, into any) error {
	document, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := yaml.Unmarshal(document, into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
